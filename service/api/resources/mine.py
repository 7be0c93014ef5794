"""The caller's games: those that wait for them, those they play in, those they are invited to."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.base import PageQuery
from service.api.schemas.games import GamePage, TurnPage
from service.api.schemas.lobby import MyGamesQuery
from service.usecases import lobby, queries
from service.usecases.results import GAMES_READ

blueprint = Blueprint("Your games", __name__, description="What waits for you, what you play, what you may join.")


@blueprint.route("/me/turns")
@contract("listTurns", scope=GAMES_READ)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, TurnPage)
def list_turns(page: dict[str, Any]) -> Any:
    """List the games that wait for you

    Most urgent first: by deadline, then by how long they have waited.
    """
    return queries.turns(caller=caller(), **page)


@blueprint.route("/me/games")
@contract("listMyGames", scope=GAMES_READ)
@blueprint.arguments(MyGamesQuery, location="query")
@blueprint.response(200, GamePage)
def list_my_games(page: dict[str, Any]) -> Any:
    """List the games you sit in

    Newest first.
    """
    return lobby.my_games(caller=caller(), **page)


@blueprint.route("/me/invitations")
@contract("listInvitations", scope=GAMES_READ)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, GamePage)
def list_invitations(page: dict[str, Any]) -> Any:
    """List the games that keep a seat for you

    Newest first. Take the seat with POST /games/{game_id}/join, or POST /games/{game_id}/decline.
    """
    return lobby.my_games(caller=caller(), status="invited", **page)

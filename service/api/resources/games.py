"""Games: find, make, look."""

from __future__ import annotations

from typing import Any

from flask import url_for

from service.api.auth import caller, maybe_caller
from service.api.blueprint import Blueprint
from service.api.etags import encoded, tagged
from service.api.openapi import ETAG, IF_NONE_MATCH, LOCATION, contract
from service.api.schemas.games import Game, GamePage, LegalActions, shown
from service.api.schemas.lobby import BrowseQuery, CreateGame
from service.clock import now
from service.usecases import lobby, queries
from service.usecases.results import GAMES_PLAY, GAMES_READ, ClockSpec, SeatSpec

blueprint = Blueprint("Games", __name__, description="Find a game, make one, look at one.")


@blueprint.route("/games")
@contract("listGames", scope=GAMES_READ, signed_in=False)
@blueprint.arguments(BrowseQuery, location="query")
@blueprint.response(200, GamePage)
def list_games(page: dict[str, Any]) -> Any:
    """List public games

    Newest first: those that wait for players, or those of another status.
    """
    return lobby.browse(caller=maybe_caller(), **page)


@blueprint.route("/games", methods=["POST"])
@contract("createGame", scope=GAMES_PLAY)
@blueprint.arguments(CreateGame)
@blueprint.response(201, Game, headers=LOCATION)
def create_game(body: dict[str, Any]) -> Any:
    """Make a game

    It starts by itself as soon as every seat is taken. The answer shows the commitment to the shuffle; the
    seed is shown when the game is over.
    """
    seats = [SeatSpec(**seat) for seat in body.pop("seats")]
    clock = ClockSpec(**body.pop("clock"))
    game_id = lobby.create_game(caller=caller(), seats=seats, clock=clock, **body, now=now())
    return seen(game_id), made_at(game_id)


@blueprint.route("/games/<id:game_id>")
@contract("getGame", scope=GAMES_READ, signed_in=False, refuses=("not-found",), parameters=(IF_NONE_MATCH,))
@blueprint.response(200, Game, headers=ETAG)
@blueprint.alt_response(304, description="Nothing that you may see has changed.", headers=ETAG)
def get_game(game_id: str) -> Any:
    """Look at a game

    Your own view of it: your hand, and what you may do when you are to act. Without a seat you see what any
    spectator of a public game sees.
    """
    return tagged(encoded(Game, seen(game_id)))


@blueprint.route("/games/<id:game_id>/actions")
@contract("listActions", scope=GAMES_READ, signed_in=False, refuses=("not-found",))
@blueprint.response(200, LegalActions)
def list_actions(game_id: str) -> Any:
    """List what you may do now

    Numbered, in notation and as JSON; empty unless you are to act.
    """
    view = queries.game_view(caller=maybe_caller(), game_id=game_id)
    return {"game": game_id, "ply": view.info.ply, "to_act": view.info.to_act, "legal": view.legal}


def seen(game_id: str) -> dict[str, Any]:
    """A game as the caller may see it now, as ``Game`` dumps it."""
    return shown(queries.game_view(caller=maybe_caller(), game_id=game_id, now=now()))


def made_at(game_id: str) -> dict[str, str]:
    """The Location of a game that was made."""
    return {"Location": url_for("Games.get_game", game_id=game_id)}

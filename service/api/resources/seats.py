"""Seats: take one, give it back, take it back from a bot, resign, play again."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import LOCATION, contract
from service.api.resources.games import made_at, seen
from service.api.schemas.games import Game
from service.api.schemas.lobby import JoinGame
from service.clock import now
from service.usecases import clocks, lobby
from service.usecases.results import GAMES_PLAY

blueprint = Blueprint("Seats", __name__, description="Take a seat, give it back, resign, play again.")


@blueprint.route("/games/<id:game_id>/join", methods=["POST"])
@contract(
    "joinGame",
    scope=GAMES_PLAY,
    refuses=("not-found", "already-joined", "bad-join-code", "game-full", "game-not-waiting", "seat-taken"),
)
@blueprint.arguments(JoinGame, required=False)
@blueprint.response(200, Game)
def join_game(body: dict[str, Any], game_id: str) -> Any:
    """Take a seat

    The one kept for you, else the open one you name, else the first open one. With the last seat taken the
    game starts.
    """
    lobby.join(caller=caller(), game_id=game_id, **body, now=now())
    return seen(game_id)


@blueprint.route("/games/<id:game_id>/leave", methods=["POST"])
@contract("leaveGame", scope=GAMES_PLAY, refuses=("not-found", "not-a-player", "game-not-waiting"))
@blueprint.response(204)
def leave_game(game_id: str) -> Any:
    """Give your seat back

    Before the game starts. If you made the game, this cancels it.
    """
    lobby.leave(caller=caller(), game_id=game_id, now=now())


@blueprint.route("/games/<id:game_id>/decline", methods=["POST"])
@contract("declineInvitation", scope=GAMES_PLAY, refuses=("not-found", "not-a-player", "game-not-waiting"))
@blueprint.response(204)
def decline_invitation(game_id: str) -> Any:
    """Turn an invitation down

    The seat is open to others then.
    """
    lobby.decline(caller=caller(), game_id=game_id, now=now())


@blueprint.route("/games/<id:game_id>/cancel", methods=["POST"])
@contract("cancelGame", scope=GAMES_PLAY, refuses=("not-found", "not-a-player", "forbidden", "game-not-waiting"))
@blueprint.response(200, Game)
def cancel_game(game_id: str) -> Any:
    """Call a game off

    Only who made it can, and only before it starts.
    """
    lobby.cancel(caller=caller(), game_id=game_id, now=now())
    return seen(game_id)


@blueprint.route("/games/<id:game_id>/resign", methods=["POST"])
@contract("resign", scope=GAMES_PLAY, refuses=("not-found", "not-a-player", "already-resigned", "game-not-playing"))
@blueprint.response(200, Game)
def resign(game_id: str) -> Any:
    """Resign

    A bot plays on for your seat, and the result says so.
    """
    lobby.resign(caller=caller(), game_id=game_id, now=now())
    return seen(game_id)


@blueprint.route("/games/<id:game_id>/resume", methods=["POST"])
@contract(
    "resume",
    scope=GAMES_PLAY,
    refuses=("not-found", "not-a-player", "already-resigned", "game-not-playing", "not-held"),
)
@blueprint.response(200, Game)
def resume(game_id: str) -> Any:
    """Take your seat back

    From the bot that holds it since two of your turns in a row ran out. A turn of yours that is on begins anew.
    """
    clocks.resume(caller=caller(), game_id=game_id, now=now())
    return seen(game_id)


@blueprint.route("/games/<id:game_id>/rematch", methods=["POST"])
@contract("rematch", scope=GAMES_PLAY, refuses=("not-found", "not-a-player", "game-not-over"))
@blueprint.response(201, Game, headers=LOCATION)
def rematch(game_id: str) -> Any:
    """Play again

    The same players in a new game, which keeps a seat for each. The first player who asks makes it; all
    others get the same one.
    """
    new_id = lobby.rematch(caller=caller(), game_id=game_id, now=now())
    return seen(new_id), made_at(new_id)

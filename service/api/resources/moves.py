"""Moves."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.play import MakeMove, MoveAnswer, MoveHeaders
from service.clock import now
from service.usecases import play
from service.usecases.results import GAMES_PLAY

blueprint = Blueprint("Moves", __name__, description="Make a move.")


@blueprint.route("/games/<id:game_id>/moves", methods=["POST"])
@contract(
    "makeMove",
    scope=GAMES_PLAY,
    refuses=(
        "not-found",
        "not-a-player",
        "not-your-turn",
        "stale-ply",
        "game-not-playing",
        "illegal-move",
        "bad-notation",
        "idempotency-mismatch",
    ),
)
@blueprint.arguments(MoveHeaders, location="headers")
@blueprint.arguments(MakeMove)
@blueprint.response(200, MoveAnswer)
def make_move(headers: dict[str, Any], body: dict[str, Any], game_id: str) -> Any:
    """Make a move

    Name the `ply` you looked at and say what to do: as `actions`, or as a `line` in notation. Up to the
    first thing that comes to light (a throw, a card turned up) it is all or nothing; what was said for later
    is done if it is legal then, else dropped, and the answer says so.

    Sent again, the request gets the first answer, byte for byte: it is always safe to repeat.
    """
    answer = play.submit(caller=caller(), game_id=game_id, **body, **headers, now=now())
    return Response(answer.text, mimetype="application/json")

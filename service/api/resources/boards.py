"""The caller's board as a picture: the same that the mails show."""

from __future__ import annotations

from typing import Any

from flask import Response

from engine import View
from service.api.auth import maybe_caller
from service.api.blueprint import Blueprint
from service.api.etags import tagged
from service.api.openapi import ETAG, IF_NONE_MATCH, contract
from service.errors import GAME_NOT_PLAYING, Refusal
from service.pictures.names import bot_name
from service.pictures.png import board_png
from service.pictures.svg import board_svg
from service.pictures.text import board_text
from service.usecases import queries
from service.usecases.results import GAMES_READ

blueprint = Blueprint("Boards", __name__, description="Your board as a picture or as text.")

_REFUSES = ("not-found", "game-not-playing")


@blueprint.route("/games/<id:game_id>/board.svg")
@contract("getBoardSvg", scope=GAMES_READ, signed_in=False, refuses=_REFUSES, parameters=(IF_NONE_MATCH,))
@blueprint.response(200, {"type": "string"}, content_type="image/svg+xml", headers=ETAG)
@blueprint.alt_response(304, description="Nothing that you may see has changed.", headers=ETAG)
def get_board_svg(game_id: str) -> Any:
    """Look at the board as SVG"""
    view, names = _seen(game_id)
    return tagged(Response(board_svg(view, names), mimetype="image/svg+xml"))


@blueprint.route("/games/<id:game_id>/board.png")
@contract("getBoardPng", scope=GAMES_READ, signed_in=False, refuses=_REFUSES, parameters=(IF_NONE_MATCH,))
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="image/png", headers=ETAG)
@blueprint.alt_response(304, description="Nothing that you may see has changed.", headers=ETAG)
def get_board_png(game_id: str) -> Any:
    """Look at the board as PNG"""
    view, names = _seen(game_id)
    return tagged(Response(board_png(view, names), mimetype="image/png"))


@blueprint.route("/games/<id:game_id>/board.txt")
@contract("getBoardText", scope=GAMES_READ, signed_in=False, refuses=_REFUSES, parameters=(IF_NONE_MATCH,))
@blueprint.response(200, {"type": "string"}, content_type="text/plain", headers=ETAG)
@blueprint.alt_response(304, description="Nothing that you may see has changed.", headers=ETAG)
def get_board_text(game_id: str) -> Any:
    """Look at the board as text

    For terminals and for screen readers.
    """
    view, names = _seen(game_id)
    return tagged(Response(board_text(view, names), mimetype="text/plain"))


def _seen(game_id: str) -> tuple[View, tuple[str, ...]]:
    """The caller's view and the names of the seats."""
    game = queries.game_view(caller=maybe_caller(), game_id=game_id)
    if game.view is None:
        raise Refusal(
            GAME_NOT_PLAYING,
            f"This game is {game.info.status}: there is no board. The cards are dealt when every seat is taken.",
        )
    return game.view, tuple(
        seat.name or (bot_name(seat.number) if seat.kind == "bot" else "") for seat in game.info.seats
    )

"""The first page: one's games, those that wait first and most urgent first. A stranger sees what this is."""

from __future__ import annotations

import random
from functools import cache
from typing import Final

from flask import Blueprint, Response, jsonify, request
from markupsafe import Markup

from engine import View, apply, deal, is_over, start, to_act, view
from engine.bots import LEVELS
from service.clock import now
from service.pictures.svg import board_svg
from service.usecases import lobby, queries
from service.usecases.results import Caller, GameInfo
from service.web import people
from service.web.headers import findable
from service.web.rendering import page
from service.web.visitor import caller, signed_in, visitor

_MOST: Final = 100
"""So many games of a kind stand on the page; who plays more of them at once finds the rest in the API."""
_FINISHED: Final = 10
_NAMES: Final = ("Ada", "Bert", "Chloé")


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/")
    def home() -> Response:
        who = visitor().caller
        return _welcome() if who is None else _games(who)

    @web.get("/pulse")
    @signed_in
    def home_pulse() -> Response:
        """Whether anything happened in one's games."""
        return jsonify(version=lobby.stirred(caller=caller()))


def _welcome() -> Response:
    picture = Markup(board_svg(_middle(), _NAMES, theme="page", bare=True))  # noqa: S704 - of our own making
    return findable(page("people/welcome.html", picture=picture))


def _games(who: Caller) -> Response:
    version = lobby.stirred(caller=who)  # before the rest: what happens meanwhile is shown next time
    at = now()
    mine = queries.turns(caller=who, limit=_MOST).items
    playing = lobby.my_games(caller=who, status="playing", limit=_MOST).items
    invited = lobby.my_games(caller=who, status="invited", limit=_MOST).items
    waiting = lobby.my_games(caller=who, status="waiting", limit=_MOST).items
    older = request.args.get("finished")
    finished = lobby.my_games(caller=who, status="over", after=older, limit=_FINISHED)
    waits_for_me = {turn.info.id for turn in mine}
    others = sorted((info for info in playing if info.id not in waits_for_me), key=_waited_since)
    return page(
        "people/home.html",
        version=version,
        mine=[people.turn_row(turn.info, at) for turn in mine],
        others=[people.turn_row(info, at) for info in others],
        invited=[people.waiting_row(info) for info in invited],
        waiting=[people.waiting_row(info) for info in waiting],
        finished=[people.finished_row(info) for info in finished.items],
        more=finished.next,
        older=older is not None,
    )


def _waited_since(info: GameInfo) -> float:
    return (info.turn_since or info.created_at).timestamp()


@cache
def _middle() -> View:
    """A game of three in its middle, as all may see it; the same each time."""
    rng = random.Random(11)  # noqa: S311 - no secret
    position = start(deal(3, bytes([11]) * 32, [""] * 3, 0))
    views = [view(position, None)]
    while not is_over(position):
        seen = view(position, to_act(position))
        position, _ = apply(position, LEVELS["steady"](seen, seen.legal, 1.0, rng))
        views.append(view(position, None))
    return views[len(views) // 2]

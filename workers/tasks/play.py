"""Turns that nobody sends: a bot's, and a person's whose time ran out."""

from __future__ import annotations

from typing import Final, Literal

from service import clock
from service.outbox import Claimed
from service.usecases import bots, clocks
from workers import topics
from workers.celery_app import celery_app
from workers.tasks.rows import work_on


class TooEarly(Exception):  # noqa: N818 - nothing went wrong: the row is tried again a little later
    """By the clock of this machine the time is not over yet."""


_OUTCOMES: Final[dict[str, Literal["done", "dropped"]]] = {"played": "done", "stale": "dropped"}


@celery_app.task(name=topics.BOT)
def bot_turn(row_id: int) -> None:
    """Let a bot play the turn that came to it."""
    work_on(row_id, _bot_turn)


@celery_app.task(name=topics.TIMEOUT)
def time_out(row_id: int) -> None:
    """Have the turn of a person who let it run out played for them."""
    work_on(row_id, _time_out)


def _bot_turn(row: Claimed) -> Literal["done", "dropped"]:
    game_id, ply = _decision(row)
    return _OUTCOMES[bots.think_and_play(game_id=game_id, ply=ply, now=clock.now())]


def _time_out(row: Claimed) -> Literal["done", "dropped"]:
    game_id, ply = _decision(row)
    outcome = clocks.time_out(game_id=game_id, ply=ply, now=clock.now())
    if outcome == "early":
        raise TooEarly("the deadline is still ahead")
    return _OUTCOMES[outcome]


def _decision(row: Claimed) -> tuple[str, int]:
    return str(row.payload["game"]), int(row.payload["ply"] or 0)

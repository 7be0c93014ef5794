"""What nobody sends: a bot's turn, that of a person whose time ran out, and the look at all clocks."""

from __future__ import annotations

from typing import Final, Literal

from service import clock
from service.outbox import Claimed
from service.usecases import bots, clocks
from workers import topics
from workers.celery_app import celery_app
from workers.tasks.rows import work_on

#: After so many batches the rest is left to the next look, which is not far.
MOST_SWEEPS: Final = 20
_OUTCOMES: Final[dict[str, Literal["done", "dropped"]]] = {"played": "done", "stale": "dropped"}


@celery_app.task(name=topics.BOT)
def bot_turn(row_id: int) -> None:
    """Let a bot play the turn that came to it."""
    work_on(row_id, _bot_turn)


@celery_app.task(name=topics.STAND_IN)
def stand_in(row_id: int) -> None:
    """Have the turn of a person who let it run out played for them."""
    work_on(row_id, _stand_in)


@celery_app.task(name="clocks")
def look_at_clocks() -> None:
    """Take the steps of the ladder that are due, in all games."""
    for _ in range(MOST_SWEEPS):
        if clocks.sweep(now=clock.now()) < clocks.BATCH:
            return


def _bot_turn(row: Claimed) -> Literal["done", "dropped"]:
    game_id, ply = _decision(row)
    return _OUTCOMES[bots.think_and_play(game_id=game_id, ply=ply, now=clock.now())]


def _stand_in(row: Claimed) -> Literal["done", "dropped"]:
    game_id, ply = _decision(row)
    return _OUTCOMES[clocks.stand_in(game_id=game_id, ply=ply, now=clock.now())]


def _decision(row: Claimed) -> tuple[str, int]:
    return str(row.payload["game"]), int(row.payload["ply"] or 0)

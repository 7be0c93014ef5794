"""Whole games in the tests, by HTTP alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from flask import Flask

from service.db import reading
from service.models import Game
from service.usecases import bots, clocks
from tests.api.people import Person

MOST_MOVES = 400


def new_game(people: Sequence[Person], **more: Any) -> str:
    """The id of a game that the first of ``people`` makes and the others join; it has started."""
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (len(people) - 1)]
    made = people[0].does("/games", {"seats": seats, **more}, 201)
    code = {"code": made["join_code"]} if made["join_code"] else {}
    for number, one in enumerate(people[1:], start=1):
        joined = one.does(f"/games/{made['id']}/join", {"seat": number, **code})
        assert joined["you"] == number
    return str(made["id"])


def to_act(people: Sequence[Person], game_id: str) -> tuple[Person, dict[str, Any]]:
    """Who is to act, and the game as they see it."""
    seen: dict[str, Any] = people[0].told(f"/games/{game_id}")
    if seen["to_act"] == 0:
        return people[0], seen
    one = people[seen["to_act"]]
    return one, one.told(f"/games/{game_id}")


def play_on(
    people: Sequence[Person],
    game_id: str,
    rng: random.Random,
    *,
    before: Callable[[dict[str, Any]], None] = lambda seen: None,
    decisions: int = MOST_MOVES,
    until: int | None = None,
) -> dict[str, Any]:
    """Play at random for so many decisions, until a seat is to act, or to the end; the game as seat 0 sees it then.

    ``before`` is handed the game as the seat to act sees it, before each decision.
    """
    actor: int | None = people[0].told(f"/games/{game_id}")["to_act"]
    for _ in range(decisions):
        if actor is None:
            break
        one = people[actor]
        seen = one.told(f"/games/{game_id}")
        before(seen)
        row = rng.choice(seen["legal"])
        body = {"ply": seen["ply"]} | rng.choice(
            [{"actions": [row["action"]]}, {"line": row["notation"]}, {"line": str(row["number"])}]
        )
        answer = one.does(f"/games/{game_id}/moves", body)
        assert answer["ply"] == seen["ply"]
        assert answer["next_ply"] > seen["ply"]
        actor = answer["to_act"]
        if actor == until:
            break
    told: dict[str, Any] = people[0].told(f"/games/{game_id}")
    return told


def runs_out(app: Flask, game_id: str) -> None:
    """The time of the turn that is on goes by, step by step, until it is up; the grace begins."""
    with app.app_context():
        while _clock(game_id)[0] != "timed_out":
            _step(game_id)


def is_lost(app: Flask, game_id: str) -> None:
    """The grace goes by as well, and a bot makes the turn; it holds the seat if this was the second such turn."""
    with app.app_context():
        step, ply, at = _clock(game_id)
        while step not in ("standing_in", None):
            at = _step(game_id)
            step, _, _ = _clock(game_id)
        assert at is not None
        play = bots.think_and_play if step is None else clocks.stand_in
        play(game_id=game_id, ply=ply, now=at)


def _step(game_id: str) -> datetime:
    """Take the next step of the clock, just when it is due."""
    at = _clock(game_id)[2]
    assert at is not None
    assert clocks.sweep(now=at) > 0
    return at


def _clock(game_id: str) -> tuple[str | None, int, datetime | None]:
    with reading() as session:
        game = session.get_one(Game, game_id)
        return game.clock_step, game.turn_ply, game.clock_at

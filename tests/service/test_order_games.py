"""Whole games in which everybody gives orders, and orders that come just when they are needed."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import select

from engine import position_from_json, replay
from engine.record import load
from service.db import reading
from service.errors import (
    Refusal,
)
from service.models import LogEntry
from service.usecases import access, play, queries
from service.usecases.results import Answer, Caller, ClockSpec
from tests.service.ordering import asking, give, left, moves, on_sqlite, submit, told
from tests.service.table import Table
from tests.service.test_races import at_once

# -- whole games

BRIBES = ("never", "lowest", "highest", "at most 2", "while I have 2 cards", "ask")
CATCHES = ("leader", "never me", "black>green never me", "ask")
PLANS: tuple[str, ...] = (
    "t1 stop",
    "black t1 black t2",
    "if t1 and t2 then t1 t2 gem else hall",
    "if dragon c4 then m6 c1 gold",
    "off",
)
PLANS += tuple(f"{space} {card}" for space in ("m1", "m3", "m6", "c2", "c5", "c9", "t4") for card in ("gold", "gem"))


def _order(rng: random.Random) -> tuple[str, str]:
    kind = rng.choice(("bribe", "catch", "plan", "plan", "plan"))
    return kind, rng.choice({"bribe": BRIBES, "catch": CATCHES, "plan": PLANS}[kind])


@on_sqlite
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_games_with_any_orders_end_and_can_be_replayed(app: Flask, table: Table, seats: int) -> None:
    """Everybody gives orders all the time: no chain is endless, each ply has its move, and the record is the game."""
    rng = random.Random(seats)
    people = [table.person(f"P{number}x") for number in range(seats)]
    game_id = table.game(*people, clock=ClockSpec("bank", start_hours=72, increment_hours=12))
    answers: list[tuple[Caller, int, str, Answer]] = []
    for _ in range(300):
        info = table.view(None, game_id).info
        if info.status == "over":
            break
        with suppress(Refusal):  # a colour that is not in play
            give(table, rng.choice(people), game_id, *_order(rng))
        actor = people[info.to_act or 0]
        row = rng.choice(table.view(actor, game_id).legal)
        answer = play.submit(caller=actor, game_id=game_id, ply=info.ply, line=row.notation, now=table.now)
        answers.append((actor, info.ply, row.notation, answer))
        table.clock.forward(minutes=rng.randrange(90))
    assert table.view(None, game_id).info.status == "over"
    made = moves(game_id)
    assert {by for _, by in made} == {"player", "order"}
    assert sum(by == "player" for _, by in made) == len(answers)
    for actor, ply, line, first in answers:
        again = play.submit(caller=actor, game_id=game_id, ply=ply, line=line, now=table.now)
        assert (again.repeated, again.text) == (True, first.text)
        seat = first.data["seat"]
        assert all("gold" not in event or event["seat"] == seat for event in first.data["events"])
    with reading() as session:
        kept = access.find(session, game_id).position
        fired = set(session.scalars(select(LogEntry.kind).where(LogEntry.kind.in_(("order", "plan_played")))))
    *_, last = replay(load(json.dumps(queries.record(caller=people[0], game_id=game_id)).encode()))
    assert kept is not None
    # The record has the throws that fell; the position those still to come, too.
    assert last.position._replace(dice=()) == position_from_json(kept)._replace(dice=())
    assert fired == {"order", "plan_played"}
    assert left(game_id) == []


# -- at once


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_an_order_that_comes_with_the_move_counts_or_does_not(app: Flask, table: Table) -> None:
    """One outcome: the order was there and fired, or it came when the question was asked already, and stands."""
    anna, bert, carl = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    for _ in range(6):
        game_id = asking(table, [anna, bert, carl])
        calls: list[Callable[[], object]] = [
            partial(give, table, bert, game_id, "bribe", "lowest"),
            partial(give, table, carl, game_id, "plan", "t1 stop"),
            partial(submit, table, anna, game_id, "m6 stop"),
            partial(give, table, bert, game_id, "plan", "t3 stop"),
        ]
        results = at_once(app, calls)
        made, stands = moves(game_id), left(game_id)
        if (1, "order") in made:
            assert made[:3] == [(0, "player"), (1, "order"), (0, "player")]
            assert len(told(bert, game_id, "order")) == 1
        else:
            assert made == [(0, "player")]
            assert table.view(None, game_id).info.to_act == 1
        assert (1, "bribe", "lowest") in stands
        assert not [result for result in results if isinstance(result, Refusal)]
        for seat in (1, 2):
            planned = (seat, "plan") in [(one, kind) for one, kind, _ in stands]
            # It was there before the turn began and was played, or it is for the turn after.
            assert planned != bool(told((anna, bert, carl)[seat], game_id, "plan_played"))


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_plan_that_comes_with_the_move_that_ends_ones_turn_is_for_the_next_or_the_one_after(
    app: Flask, table: Table
) -> None:
    """Bert's plan brings Anna's turn back at once: hers was there by then and is played, or it stands."""
    anna, bert = table.pair()
    for _ in range(6):
        game_id = table.game(anna, bert)
        give(table, bert, game_id, "plan", "green t1 stop")
        calls: list[Callable[[], object]] = [
            partial(play.submit, caller=anna, game_id=game_id, ply=0, line="black t1 stop", now=table.now),
            partial(give, table, anna, game_id, "plan", "black t2 stop"),
            partial(play.submit, caller=anna, game_id=game_id, ply=0, line="black t1 stop", now=table.now),
        ]
        first, _, again = at_once(app, calls)
        assert isinstance(first, Answer)
        assert isinstance(again, Answer)
        assert first.text == again.text
        played = [(0, "player")] * 2 + [(1, "order")] * 2
        if told(anna, game_id, "plan_played"):
            assert (moves(game_id), left(game_id)) == ([*played, (0, "order"), (0, "order")], [])
        else:
            assert (moves(game_id), left(game_id)) == (played, [(0, "plan", "black t2 stop")])

"""Schedulers at once, schedulers that die, and people who come in between: exactly one outcome."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import func, select, text, update

from bench import clock_sweep
from engine import verify
from service import outbox
from service.db import db, reading, transaction
from service.errors import SEAT_HELD, STALE_PLY, Refusal
from service.metrics import CLOCK_STEPS, REGISTRY
from service.models import Game, LogEntry, Move, OutboxRow, Seat
from service.usecases import bots, clocks, lobby, play, posting, queries
from service.usecases.results import Answer, Caller, ClockSpec, SeatSpec
from tests.service.table import ME, OPEN, Table, rows
from tests.service.test_ladder import DAYS_4, log, moves, stored
from tests.service.test_races import at_once

POSTGRES = pytest.mark.parametrize("database", ["postgres"], indirect=True)
SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def to_step(table: Table, game_id: str, step: str) -> None:
    """Let the scheduler, and nobody else, work until this step was taken."""
    while (game := stored(game_id)).clock_step != step:
        assert game.clock_at is not None
        table.clock.now = game.clock_at
        clocks.sweep(now=table.now)


def steps_taken() -> float:
    """How many steps this process has committed, and how many it failed to take counted against them."""
    taken = sum(
        sample.value for family in CLOCK_STEPS.collect() for sample in family.samples if "_total" in sample.name
    )
    return taken - (REGISTRY.get_sample_value("emerald_clock_failures_total") or 0)


@POSTGRES
def test_many_schedulers_at_once_take_each_step_once(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert, clock=DAYS_4) for _ in range(12)]
    for topic in ("mail.reminder", "mail.last_call", None, "clock.stand_in"):
        before = steps_taken()
        due = stored(games[0]).clock_at
        assert due is not None
        table.clock.now = due
        sweeps = [partial(clocks.sweep, now=table.now, limit=size) for size in (100, 100, 5, 5, 100, 3)]
        assert not [result for result in at_once(app, sweeps) if isinstance(result, Refusal)]
        while clocks.sweep(now=table.now):  # what one left to another that had it in hand
            pass
        assert steps_taken() - before == len(games)
        if topic is not None:
            assert len(rows(topic)) == len(games)
        else:
            assert all(log(game_id, "timed_out") == [("timed_out", 0)] for game_id in games)
    with reading() as session:
        assert set(session.scalars(select(Seat.timeouts).where(Seat.number == 0))) == {1}
        assert session.scalar(select(func.count()).select_from(LogEntry).where(LogEntry.kind == "timed_out")) == 12


@POSTGRES
def test_a_scheduler_leaves_a_game_that_somebody_is_at_and_waits_for_nobody(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.clock.now = stored(game_id).clock_at or table.now
    calls: list[Callable[[], object]] = [
        partial(clocks.sweep, now=table.now),
        partial(table.turn_over, anna, game_id),
    ]
    at_once(app, calls)
    reminded = stored(game_id).clock_step
    assert stored(game_id).to_act == 1
    assert reminded == "began"  # Bert's turn: whichever came first, Anna's ladder is at its end
    assert not [row for row in rows("mail.reminder") if row.state == "pending"]


@POSTGRES
@pytest.mark.parametrize("race", range(6))
def test_a_reply_races_the_time_out_and_the_stand_in(app: Flask, table: Table, race: int) -> None:
    """Whoever is first makes the move; nobody makes it twice, and all else follows from it."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    to_step(table, game_id, "timed_out" if race % 2 else "standing_in")
    if race % 2:
        table.clock.now = stored(game_id).clock_at or table.now
    ply = stored(game_id).turn_ply
    reply = partial(play.submit, caller=anna, game_id=game_id, ply=ply, line="black t1 stop", now=table.now)
    calls: list[Callable[[], object]] = [
        reply,
        partial(clocks.stand_in, game_id=game_id, ply=ply, now=table.now),
        partial(clocks.sweep, now=table.now),
        partial(clocks.stand_in, game_id=game_id, ply=ply, now=table.now),
        partial(clocks.sweep, now=table.now),
    ]
    if race >= 3:
        calls.reverse()
    answers = at_once(app, calls)
    table.post()
    made = moves(game_id)
    by_player = [result for result in answers if isinstance(result, Answer)]
    turn = [by for seat, by in made if seat == 0]
    assert Counter(turn)["player"] == (len(by_player[0].data["applied"]) if by_player else 0)
    if not by_player:
        assert [result.code for result in answers if isinstance(result, Refusal)] == [STALE_PLY]
    with reading() as session:
        plies = session.scalars(select(Move.ply).where(Move.game_id == game_id).order_by(Move.ply)).all()
    assert list(plies) == list(range(len(plies)))
    info = table.view(None, game_id).info
    assert (info.to_act, info.ply) == (1, len(plies))
    assert log(game_id, "timed_out", "held") == [("timed_out", 0)]
    # A person who moved, even in part, is none who lets turns run out.
    assert stored(game_id).seats[0].timeouts == (0 if by_player else 1)


@POSTGRES
@pytest.mark.parametrize("race", range(4))
def test_resume_races_the_bot_that_plays_for_the_held_seat(app: Flask, table: Table, race: int) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.wait(days=5)
    table.turn_over(bert, game_id)
    to_step(table, game_id, "timed_out")
    while stored(game_id).clock_at is not None:
        table.clock.now = stored(game_id).clock_at or table.now
        clocks.sweep(now=table.now)
    assert stored(game_id).seats[0].held_at is not None
    ply = stored(game_id).turn_ply
    bot = partial(bots.think_and_play, game_id=game_id, ply=ply, now=table.now)
    back = partial(clocks.resume, caller=anna, game_id=game_id, now=table.now)
    calls: list[Callable[[], object]] = [bot, back, bot, back] if race % 2 else [back, bot, back, bot]
    results = at_once(app, calls)
    refusals = [result.code for result in results if isinstance(result, Refusal)]
    assert refusals == ["not-held"]
    seat = stored(game_id).seats[0]
    assert (seat.held_at, seat.timeouts, seat.bot_level) == (None, 0, None)
    table.post()
    game = stored(game_id)
    if game.to_act == 0:  # hers again, with a clock of its own
        assert (game.clock_step, game.turn_since) == ("began", table.now)
        table.turn_over(anna, game_id)
    assert log(game_id, "resumed") == [("resumed", 0)]
    assert stored(game_id).to_act == 1


@POSTGRES
def test_a_move_races_the_hold(app: Flask, table: Table) -> None:
    """The grace of a second turn ends: either she has moved, or a bot has the seat; never both."""
    anna, bert = table.pair()
    for _ in range(4):
        game_id = table.game(anna, bert, clock=DAYS_4)
        table.wait(days=5)
        table.turn_over(bert, game_id)
        to_step(table, game_id, "timed_out")
        table.clock.now = stored(game_id).clock_at or table.now
        ply = stored(game_id).ply
        calls: list[Callable[[], object]] = [
            partial(play.submit, caller=anna, game_id=game_id, ply=ply, line="1", now=table.now),
            *[partial(clocks.sweep, now=table.now)] * 2,
        ]
        answer = at_once(app, calls)[0]
        clocks.sweep(now=table.now)
        seat, made = stored(game_id).seats[0], moves(game_id)
        if isinstance(answer, Refusal):
            assert answer.code == SEAT_HELD
            assert (0, "player") not in made
        assert (seat.held_at is not None) == (log(game_id, "held") == [("held", 0)])
        lobby.resign(caller=anna, game_id=game_id, now=table.now)


@POSTGRES
def test_a_last_call_and_a_task_that_sends_mail_do_not_lock_each_other_out(app: Flask, table: Table) -> None:
    """Whoever sends holds the reader and then their mails: the scheduler takes them in the same order."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.post()
    to_step(table, game_id, "reminded")
    (reminder,) = rows("mail.reminder")
    assert reminder.recipient is not None
    recipient: str = reminder.recipient
    table.clock.now = stored(game_id).clock_at or table.now
    held = threading.Event()

    def send() -> None:
        with transaction() as session:
            outbox.hold(session, recipient)
            held.set()
            assert waits_for_a_lock()
            session.execute(select(OutboxRow.id).where(OutboxRow.id == reminder.id).with_for_update())

    def sweep() -> int:
        assert held.wait(30)
        return clocks.sweep(now=table.now)

    assert at_once(app, [send, sweep]) == [None, 1]
    assert stored(game_id).clock_step == "called"
    assert [row.state for row in rows("mail.reminder")] == ["dropped"]


def waits_for_a_lock() -> bool:
    """Whether, within a while, somebody waits for a named lock."""
    asked = text("select count(*) from pg_locks where locktype = 'advisory' and not granted")
    for _ in range(500):
        with db.engine.connect() as connection:
            if connection.scalar(asked):
                return True
        time.sleep(0.01)
    return False


def test_a_step_that_dies_half_way_was_not_taken(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.post()
    table.clock.now = stored(game_id).clock_at or table.now
    with monkeypatch.context() as broken:
        broken.setattr(posting, "mail", lambda *_, **__: 1 / 0)
        clocks.sweep(now=table.now)
    assert (stored(game_id).clock_step, rows("mail.reminder")) == ("began", [])
    table.clock.forward(minutes=9)
    assert clocks.sweep(now=table.now) == 0  # it is not tried again and again
    table.wait(minutes=2)
    assert stored(game_id).clock_step == "reminded"
    assert len(rows("mail.reminder")) == 1


def test_a_bot_that_is_never_told_of_its_row_comes_late_and_loses_nothing(table: Table) -> None:
    """The worker is dead for two days after the stand-in was promised: until then an answer counts."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    to_step(table, game_id, "standing_in")
    table.clock.forward(days=2)
    assert clocks.sweep(now=table.now) == 0
    assert moves(game_id) == []
    table.post()
    assert {by for _, by in moves(game_id)} == {"clock"}
    assert stored(game_id).to_act == 1


class Ghosts:
    """People who vanish, come back, answer late or never, at real games; nobody sends their mails."""

    def __init__(self, table: Table, people: list[Caller], seed: int) -> None:
        self.table, self.people, self.rng = table, people, random.Random(seed)
        #: When each answers a turn, in hours; None: never, but once in a while they look in and take their seat back.
        self.habits: dict[str, float | None] = {who.user_id: self.rng.choice((1, 9, 40, None, None)) for who in people}

    def play(self, game_id: str) -> None:
        table = self.table
        for _ in range(3000):
            game = stored(game_id)
            if game.status == "over":
                return
            self._invariants(game)
            if game.to_act is None or game.seats[game.to_act].bot:
                self._bots(game_id)
                continue
            if game.clock_step == "standing_in":
                clocks.stand_in(game_id=game_id, ply=game.turn_ply, now=table.now)
                continue
            who = next(one for one in self.people if one.user_id == game.seats[game.to_act or 0].user_id)
            assert game.clock_at is not None
            habit = self.habits[who.user_id]
            answers = None if habit is None or game.turn_since is None else game.turn_since + timedelta(hours=habit)
            if answers is not None and max(answers, table.now) <= game.clock_at:
                table.clock.now = max(answers, table.now)
                line = str(self.rng.randint(1, len(table.view(who, game_id).legal)))
                play.submit(caller=who, game_id=game_id, ply=game.ply, line=line, now=table.now)
            else:
                table.clock.now = max(game.clock_at, table.now)
                if self.rng.random() < 0.05:
                    table.clock.forward(hours=30)  # the scheduler sleeps
                clocks.sweep(now=table.now)
        raise AssertionError("the game never ends")

    def _bots(self, game_id: str) -> None:
        game = stored(game_id)
        due = max(row.due_at for row in rows("bot.turn") if row.payload["ply"] == game.turn_ply)
        self.table.clock.now = max(due, self.table.now)
        assert bots.think_and_play(game_id=game_id, ply=game.turn_ply, now=self.table.now) == "played"
        for who in self.people:
            if (
                self.rng.random() < 0.03
                and any(seat.user_id == who.user_id and seat.held_at for seat in stored(game_id).seats)
                and stored(game_id).status == "playing"
            ):
                clocks.resume(caller=who, game_id=game_id, now=self.table.now)

    def _invariants(self, game: Game) -> None:
        for seat in game.seats:
            assert seat.bank_seconds is None or 0 <= seat.bank_seconds <= 40 * 3600
            assert seat.timeouts <= clocks.TIMEOUTS_TO_HOLD
        running = game.to_act is not None and game.seats[game.to_act].person
        assert running == (game.clock_step is not None)
        assert (game.clock_at is not None) == (running and game.clock_step != "standing_in")


@SQLITE
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(4, 24))])
def test_whole_games_of_people_who_vanish_come_to_their_end(table: Table, seed: int) -> None:
    people = [table.person(name) for name in ("Anna", "Bert", "Carl")][: 2 + seed % 2]
    bank = ClockSpec("bank", start_hours=30, increment_hours=6, cap_hours=40)
    clock = (ClockSpec("days", days=1 + seed), bank, ClockSpec(), bank)[seed % 4]
    seats = [ME, *[OPEN] * (len(people) - 1), *[SeatSpec("bot", level="random")] * (seed % 3 == 0)]
    game_id = lobby.create_game(caller=people[0], seats=seats, clock=clock, now=table.now)
    for who in people[1:]:
        lobby.join(caller=who, game_id=game_id, now=table.now)
    Ghosts(table, people, seed).play(game_id)
    game = stored(game_id)
    assert (game.deadline, game.clock_at, game.clock_step) == (None, None, None)
    verify(queries.record(caller=None, game_id=game_id))
    # No step of a turn twice: each has a key of its own, and the time-outs stand in the log.
    with reading() as session:
        timed_out = session.execute(
            select(LogEntry.ply, LogEntry.seat, LogEntry.at).where(LogEntry.kind == "timed_out")
        ).all()
        held = session.scalar(select(func.count()).select_from(LogEntry).where(LogEntry.kind == "held"))
        warned = session.scalars(select(OutboxRow.key).where(OutboxRow.topic == "mail.last_call")).all()
    assert len({(ply, seat, at) for ply, seat, at in timed_out}) == len(timed_out) <= len(warned)
    assert (held or 0) <= len(timed_out) // clocks.TIMEOUTS_TO_HOLD


@POSTGRES
def test_a_look_at_the_clocks_touches_only_what_is_due(table: Table) -> None:
    """However many games have a deadline (bench/clock_sweep.py measures it with a million)."""
    anna, bert = table.pair()
    far, *near = (table.game(anna, bert, clock=DAYS_4) for _ in range(4))
    clock_sweep.copy(far, 1, 10_000)
    coming = stored(near[0]).clock_at
    assert coming is not None
    with transaction() as session:
        session.execute(update(Game).where(Game.id == far).values(clock_at=coming + timedelta(days=1)))
    plan = clock_sweep.plan(coming)
    assert "Index Scan using ix_games_clock_at" in plan
    assert "Seq Scan" not in plan
    assert "Filter" not in plan
    assert "rows=3.00" in plan or "rows=3 " in plan
    assert clocks.sweep(now=coming) == 3
    with reading() as session:
        assert session.scalar(select(func.count()).where(Game.clock_step == "reminded")) == 3

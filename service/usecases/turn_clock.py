"""The clock of the turn that is on: started for a person, stopped, and its deadline reckoned anew from the facts.

The facts are the turn's columns on the game's row and its player's absences; ``deadline`` and ``clock_at`` follow from
them, so that a wrong one mends itself when it is next looked at. The game is locked (``access.locked``) by whoever
changes anything here.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from service import outbox
from service.db import reading, transaction
from service.models import Absence, Game, Seat, User
from service.timekeeping import hours, ladder
from service.usecases import access

_HOUR: Final = 3600


def start(session: Session, game: Game, seat: Seat, *, now: datetime) -> None:
    """The turn has come to this person: their clock runs from now on."""
    if game.clock == "bank" and seat.bank_seconds is None:
        fill_bank(game, seat)
    game.turn_since, game.clock_step, game.deadline = now, "began", None
    game.budget_seconds, game.extra_seconds = _budget(game, seat), 0
    game.hours = hours.hours_to_json(_hours(session, game, seat))
    reckon(session, game)


def stop(session: Session, game: Game, seat: Seat, *, now: datetime) -> None:
    """The turn of this person is over, or no longer theirs: their bank is settled, and nobody is reminded any more."""
    if game.clock_step is None:
        return
    if game.clock == "bank":
        spent = ladder.used(turn_of(session, game), now) // timedelta(seconds=1)
        left = max(0, (seat.bank_seconds or 0) - spent) + (game.increment_hours or 0) * _HOUR
        seat.bank_seconds = left if game.cap_hours is None else min(left, game.cap_hours * _HOUR)
    withdraw_warnings(session, game, now=now)
    clear(game)


def clear(game: Game) -> None:
    """No clock runs."""
    game.deadline = game.clock_step = game.clock_at = game.budget_seconds = game.hours = None
    game.extra_seconds = 0


def fill_bank(game: Game, seat: Seat) -> None:
    """A person sits down to a game that is beginning: what their bank has then."""
    if game.bank_hours is not None:
        seat.bank_seconds = game.bank_hours * _HOUR


def turn_of(session: Session, game: Game) -> ladder.Turn:
    """The turn that is on, as far as its clock is concerned; there must be one (``clock_step``)."""
    if game.to_act is None or game.turn_since is None or game.clock_step is None:
        raise AssertionError(f"game {game.id}: no clock runs")
    seat = game.seats[game.to_act]
    # Without hours and a budget of its own it is a turn from before there were any.
    own = _hours(session, game, seat) if game.hours is None else hours.hours_from_json(game.hours)
    budget = _budget(game, seat) if game.budget_seconds is None else game.budget_seconds
    turn = ladder.Turn(
        began=game.turn_since,
        budget=timedelta(seconds=budget),
        extra=timedelta(seconds=game.extra_seconds),
        hours=own,
        absences=_absences(session, game, seat),
        step=game.clock_step,  # type: ignore[arg-type]  # a check constraint holds it to these
    )
    if turn.step == "called":
        # Nor do they hide how late the house is when it comes to the time-out: that would cost its player the grace.
        return _without_late_absences(turn, ladder.deadline(turn))
    if game.deadline is not None and turn.step in ladder.TIME_OVER:
        return _without_late_absences(turn, game.deadline)
    return turn


def reckon(session: Session, game: Game) -> None:
    """Have ``deadline`` and ``clock_at`` follow from the facts again. Where no clock runs, nothing happens."""
    if game.clock_step is not None:
        _show(game, turn_of(session, game))


def reckon_all(user_id: str, *, now: datetime) -> None:
    """Somebody's absences have changed: reckon in all their games that are on, each a transaction of its own.

    In all of them, not only where they are to act: who waits for a game's row sees what was committed while it waited.
    """
    with reading() as session:
        playing = select(Game.id).join(Seat).where(Seat.user_id == user_id, Game.status == "playing").order_by(Game.id)
        ids = session.scalars(playing).all()
    for game_id in ids:
        with transaction() as session:
            game = access.locked(session, game_id)
            if game.clock_step is None or game.to_act is None or game.seats[game.to_act].user_id != user_id:
                continue
            before = game.clock_at
            reckon(session, game)
            if game.clock_at != before:
                put_off(session, game, now=now)


def advance(session: Session, game: Game, turn: ladder.Turn) -> None:
    """A step of the ladder was taken: keep the turn as it is after it."""
    game.clock_step, game.extra_seconds = turn.step, turn.extra // timedelta(seconds=1)
    if turn.step == "timed_out":
        game.deadline = ladder.deadline(turn)
    reckon(session, game)


def give(session: Session, game: Game, time: timedelta) -> None:
    """More time (clock time) for the turn that is on. Once its time is over, the grace is longer by it."""
    game.extra_seconds += time // timedelta(seconds=1)
    reckon(session, game)


def warning_key(game: Game, kind: str) -> str:
    """The outbox key of a mail of the ladder. One turn may be begun twice by its person: who comes back begins anew."""
    since = 0 if game.turn_since is None else int(game.turn_since.timestamp())
    return f"{kind}:{game.id}:{game.turn_ply}:{since}"


def put_off(session: Session, game: Game, *, now: datetime) -> None:
    """The deadline has moved: nobody is told of the former one. A last call that did not go out is still to come."""
    withdraw_warnings(session, game, now=now)
    if game.clock_step == "called" and outbox.is_unsent(session, key=warning_key(game, "last_call")):
        game.clock_step = "reminded"
        reckon(session, game)


def withdraw_warnings(session: Session, game: Game, *, now: datetime) -> None:
    """What was to remind of this turn, or of its former deadline, is sent no more, unless that has begun."""
    outbox.withdraw(session, [warning_key(game, kind) for kind in ("reminder", "last_call")], now=now)


def _show(game: Game, turn: ladder.Turn) -> None:
    coming = ladder.next_step(turn)
    game.clock_at = None if coming is None else coming[1]
    if turn.step in ladder.TIME_OVER:
        return  # it was told when the time was up
    # Without a clock nobody is pressed, until the last call names the day.
    game.deadline = None if game.clock == "none" and turn.step != "called" else ladder.deadline(turn)


def _without_late_absences(turn: ladder.Turn, deadline: datetime) -> ladder.Turn:
    """Whoever goes away once their time is up does not stop what follows: the grace runs on."""
    return replace(turn, absences=tuple(span for span in turn.absences if span[0] < deadline))


def _budget(game: Game, seat: Seat) -> int:
    if game.clock == "days":
        return (game.days_per_move or 0) * 24 * _HOUR
    if game.clock == "bank":
        return seat.bank_seconds or 0
    return ladder.UNTIMED // timedelta(seconds=1)


def _hours(session: Session, game: Game, seat: Seat) -> hours.Hours:
    """The hours of a player as they hold in this game: nights always do."""
    user = session.get(User, seat.user_id)
    if user is None:
        raise AssertionError(f"game {game.id}: seat {seat.number} is nobody's")
    return hours_of(user, time_off=game.time_off)


def hours_of(user: User, *, time_off: bool) -> hours.Hours:
    """The hours of an account, in a game that allows days off or not."""
    night = None if user.night_from is None or user.night_to is None else (user.night_from, user.night_to)
    return hours.Hours(user.time_zone, night, frozenset(user.days_off if time_off else ()))


def _absences(session: Session, game: Game, seat: Seat) -> tuple[hours.Span, ...]:
    if not game.time_off:
        return ()
    found = session.execute(
        select(Absence.starts_at, Absence.ends_at)
        .where(Absence.user_id == seat.user_id, Absence.ends_at > game.turn_since)
        .order_by(Absence.starts_at, Absence.id)
    )
    return tuple((start, end) for start, end in found.all())

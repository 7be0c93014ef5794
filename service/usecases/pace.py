"""The pace of a game: whom it waits for and since when, and how soon its players usually answer."""

from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Final, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.db import reading
from service.models import Game, Move, Seat
from service.usecases import access, infos, people, words
from service.usecases.results import Caller

Reply = Literal["hours", "a day", "days"]

#: So many of a player's last turns count, in all their games.
LAST_TURNS: Final = 31
#: With fewer nothing is said: one slow weekend is no habit.
FEWEST_TURNS: Final = 3
_HOUR: Final = 3600
#: Up to this many seconds it is ``hours``, or ``a day``.
_HOURS: Final = 12 * _HOUR
_A_DAY: Final = 36 * _HOUR


@dataclass(frozen=True)
class SeatPace:
    """How soon a seat's player mostly answers (None: a bot, or hardly known), and since when it is waited for."""

    number: int
    reply: Reply | None
    waiting_since: datetime | None


@dataclass(frozen=True)
class Pace:
    """Whom a game waits for. ``deadline_there`` is the deadline by the clock of that player, for those at the table."""

    game: str
    waiting_for: int | None
    since: datetime | None
    deadline: datetime | None
    deadline_there: datetime | None
    step: str | None
    seats: tuple[SeatPace, ...]


def pace(*, caller: Caller | None, game_id: str) -> Pace:
    """The pace of a game that the caller may see."""
    words.require_reader(caller)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        told = infos.info(session, game, who)
        playing = game.status == "playing"
        zone = people.zone(session, game.seats[game.to_act or 0].user_id)
        there = told.deadline if playing and who.seat_in(game) is not None else None
        return Pace(
            game=game.id,
            waiting_for=game.to_act if playing else None,
            since=game.turn_since if playing else None,
            deadline=told.deadline if playing else None,
            deadline_there=None if there is None else there.astimezone(zone),
            step=told.step if playing else None,
            seats=tuple(_seat(session, game, seat) for seat in game.seats),
        )


def _seat(session: Session, game: Game, seat: Seat) -> SeatPace:
    waits = game.status == "playing" and game.to_act == seat.number
    return SeatPace(
        number=seat.number,
        reply=_reply(session, seat.user_id) if seat.person and seat.user_id is not None else None,
        waiting_since=game.turn_since if waits else None,
    )


def _reply(session: Session, user_id: str) -> Reply | None:
    """How soon somebody mostly begins a turn, in a word: the hours themselves are nobody's business."""
    answers = (
        select(Move.waited_seconds)
        .join(Seat, (Seat.game_id == Move.game_id) & (Seat.number == Move.seat))
        .where(Seat.user_id == user_id, Move.waited_seconds.is_not(None))
        .order_by(Move.at.desc())
        .limit(LAST_TURNS)
    )
    waited = [seconds for seconds in session.scalars(answers) if seconds is not None]
    if len(waited) < FEWEST_TURNS:
        return None
    middle = median(waited)
    if middle < _HOURS:
        return "hours"
    return "a day" if middle < _A_DAY else "days"

"""Being away: said once, ended early by coming back. Kept for the clocks."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.db import lock_name, reading, transaction
from service.errors import invalid
from service.models import Absence
from service.usecases import words
from service.usecases.results import GAMES_PLAY, GAMES_READ, Caller

SHORTEST = timedelta(hours=1)
LONGEST = timedelta(days=60)


@dataclass(frozen=True)
class Away:
    """An absence of the caller's, from now on."""

    until: datetime


def away(*, caller: Caller, time: timedelta, now: datetime) -> Away:
    """Be away for so long from now on. Said again, it takes the place of what was said before."""
    words.require(caller, GAMES_PLAY)
    if not SHORTEST <= time <= LONGEST:
        raise invalid("time", f"One can be away for an hour at least and {LONGEST.days} days at most.")
    with transaction() as session:
        _end(session, caller, now)
        session.add(Absence(user_id=caller.user_id, starts_at=now, ends_at=now + time))
        return Away(now + time)


def present(*, caller: Caller, now: datetime) -> Away | None:
    """The absence of the caller's that goes on now; None if there is none."""
    words.require(caller, GAMES_READ)
    with reading() as session:
        until = session.scalar(
            select(func.max(Absence.ends_at)).where(
                Absence.user_id == caller.user_id, Absence.starts_at <= now, Absence.ends_at > now
            )
        )
        return None if until is None else Away(until)


def back(*, caller: Caller, now: datetime) -> bool:
    """Be back now; False if one was not away."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        return _end(session, caller, now)


def _end(session: Session, caller: Caller, now: datetime) -> bool:
    lock_name(session, f"absences:{caller.user_id}")
    going_on = session.scalars(select(Absence).where(Absence.user_id == caller.user_id, Absence.ends_at > now)).all()
    for absence in going_on:
        absence.ends_at = max(now, absence.starts_at)
    return bool(going_on)

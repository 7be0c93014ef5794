"""Being away: said once, ended early by coming back. Kept for the clocks."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.db import lock_name, transaction
from service.errors import invalid
from service.models import Absence
from service.usecases import words
from service.usecases.results import GAMES_PLAY, Caller

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
        session.add(Absence(user_id=caller.user_id, starts_at=now, ends_at=now + time, created_at=now))
        return Away(now + time)


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

"""Being away, now or later: one's clocks stand still, in games that allow it. A yearly allowance keeps it rare.

Absences of one person never overlap: what touches becomes one. Each counts for an hour at least, so that nobody can
stop a clock minute by minute.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.db import after_commit, lock_name, reading, settings, transaction
from service.errors import ABSENCE_ALLOWANCE, Refusal, invalid, not_found
from service.i18n import gettext as _
from service.models import Absence
from service.usecases import people, turn_clock, words
from service.usecases.results import GAMES_PLAY, GAMES_READ, Caller

SHORTEST: Final = timedelta(hours=1)
LONGEST: Final = timedelta(days=60)
#: So far ahead one can plan.
FARTHEST: Final = timedelta(days=400)
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Away:
    """An absence of the caller's, from now on."""

    until: datetime


@dataclass(frozen=True)
class AbsenceInfo:
    """An absence of the caller's: gone by (this year), going on, or ahead."""

    id: str
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True)
class Calendar:
    """One's absences from this year on, oldest first, and what they take of the allowance of ``year``: days of 24 h.

    A year is that of the player's zone; an absence at its turn counts for each year with its part there.
    """

    absences: tuple[AbsenceInfo, ...]
    allowance_days: int
    used_days: float
    year: int


def away(*, caller: Caller, time: timedelta, now: datetime) -> Away:
    """Be away for so long from now on. Said again, it takes the place of what was said before."""
    words.require(caller, GAMES_PLAY)
    if not SHORTEST <= time <= LONGEST:
        raise invalid(
            "time", _("One can be away for an hour at least and {most} days at most.").format(most=LONGEST.days)
        )
    with transaction() as session:
        own = _own(session, caller)
        _end(session, own, now)
        added = _add(session, caller, own, now, now + time, now)
        return Away(added.ends_at)


def plan(*, caller: Caller, starts_at: datetime, ends_at: datetime, now: datetime) -> AbsenceInfo:
    """Be away from one moment to another. A start that has passed is now."""
    words.require(caller, GAMES_PLAY)
    starts_at = max(starts_at.astimezone(UTC), now)
    ends_at = ends_at.astimezone(UTC)
    if not SHORTEST <= ends_at - starts_at <= LONGEST:
        said = _("An absence still to come lasts an hour at least and {most} days at most.")
        raise invalid("ends_at", said.format(most=LONGEST.days))
    if starts_at > now + FARTHEST:
        raise invalid("starts_at", _("Absences can be planned {days} days ahead.").format(days=FARTHEST.days))
    with transaction() as session:
        return _info(_add(session, caller, _own(session, caller), starts_at, ends_at, now))


def cancel(*, caller: Caller, id: str, now: datetime) -> None:
    """Strike an absence that is still to come, or end the one that goes on."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        own = [one for one in _own(session, caller) if str(one.id) == id and one.ends_at > now]
        if not own:
            raise not_found("absence")
        _end(session, own, now, ahead=True)
        _moved(session, caller, now)


def back(*, caller: Caller, now: datetime) -> bool:
    """Be back now; False if one was not away. What is planned for later stays."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        was_away = _end(session, _own(session, caller), now)
        if was_away:
            _moved(session, caller, now)
        return was_away


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


def calendar(*, caller: Caller, now: datetime) -> Calendar:
    """One's absences, and how much of this year's allowance they take."""
    words.require(caller, GAMES_READ)
    with reading() as session:
        zone = people.zone(session, caller.user_id)
        year = now.astimezone(zone).year
        first, _next = _bounds(year, zone)
        own = _all(session, caller.user_id, since=first)
    used = _used(own, year, zone) / _DAY
    return Calendar(tuple(map(_info, own)), settings().absence_days_per_year, round(used, 2), year)


def _own(session: Session, caller: Caller) -> list[Absence]:
    """All absences of the caller's, held to the end of the transaction."""
    lock_name(session, f"absences:{caller.user_id}")
    return _all(session, caller.user_id)


def _all(session: Session, user_id: str, *, since: datetime | None = None) -> list[Absence]:
    found = select(Absence).where(Absence.user_id == user_id)
    if since is not None:
        found = found.where(Absence.ends_at > since)
    return list(session.scalars(found.order_by(Absence.starts_at)))


def _end(session: Session, own: Sequence[Absence], now: datetime, *, ahead: bool = False) -> bool:
    """End what goes on now (``ahead``: and strike what is to come); whether there was any."""
    ended = False
    for absence in own:
        if absence.starts_at <= now < absence.ends_at:
            absence.ends_at = now
            ended = True
        elif ahead and absence.starts_at > now:
            session.delete(absence)
            ended = True
    return ended


def _add(
    session: Session, caller: Caller, own: Sequence[Absence], starts_at: datetime, ends_at: datetime, now: datetime
) -> Absence:
    """A new absence, one with those that it touches; refused if it takes more than the allowance of a year."""
    added = Absence(user_id=caller.user_id, starts_at=starts_at, ends_at=ends_at)
    apart: list[Absence] = []
    for one in own:
        if one.starts_at <= ends_at and one.ends_at >= starts_at:
            added.starts_at, added.ends_at = min(added.starts_at, one.starts_at), max(added.ends_at, one.ends_at)
            session.delete(one)
        else:
            apart.append(one)
    zone, allowance = people.zone(session, caller.user_id), settings().absence_days_per_year
    for year in range(starts_at.astimezone(zone).year, ends_at.astimezone(zone).year + 1):
        used = _used([*apart, added], year, zone)
        if used > allowance * _DAY:
            left = max(0.0, (allowance * _DAY - _used(own, year, zone)) / _DAY)
            raise Refusal(
                ABSENCE_ALLOWANCE,
                _("That is more than you have: of the {allowance} days of {year}, {left} are left.").format(
                    allowance=allowance, year=year, left=f"{left:.3g}"
                ),
                year=year,
                allowance_days=allowance,
                left_days=round(left, 2),
            )
    session.add(added)
    session.flush()
    _moved(session, caller, now)
    return added


def _used(absences: Sequence[Absence], year: int, zone: ZoneInfo) -> timedelta:
    first, end = _bounds(year, zone)
    lengths = (min(one.ends_at, end) - max(one.starts_at, first) for one in absences)
    return sum((max(SHORTEST, length) for length in lengths if length > timedelta()), timedelta())


def _bounds(year: int, zone: ZoneInfo) -> tuple[datetime, datetime]:
    return datetime(year, 1, 1, tzinfo=zone).astimezone(UTC), datetime(year + 1, 1, 1, tzinfo=zone).astimezone(UTC)


def _moved(session: Session, caller: Caller, now: datetime) -> None:
    """The deadlines of this player follow, game by game once this is committed: so nobody waits for anybody twice.

    Where that does not happen, the scheduler finds it out before it takes a step.
    """
    after_commit(session, partial(turn_clock.reckon_all, caller.user_id, now=now))


def _info(absence: Absence) -> AbsenceInfo:
    return AbsenceInfo(str(absence.id), absence.starts_at, absence.ends_at)

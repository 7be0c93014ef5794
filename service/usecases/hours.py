"""One's night and days off: when one's clocks stand still. What is set holds from one's next turn on."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from service.db import reading, transaction
from service.errors import invalid
from service.i18n import gettext as _
from service.models import User
from service.timekeeping.hours import LONGEST_NIGHT, MOST_DAYS_OFF
from service.usecases import people, words
from service.usecases.results import ACCOUNT, Caller


@dataclass(frozen=True)
class HoursInfo:
    """One's hours: ``night`` from one whole hour to another on one's wall, or None; ``days_off``: Monday is 0."""

    time_zone: str
    night: tuple[int, int] | None
    days_off: tuple[int, ...]


class Unchanged:
    """What is not to be changed."""


UNCHANGED = Unchanged()


def hours(*, caller: Caller) -> HoursInfo:
    """The caller's hours."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        return _info(people.account(session, caller))


def set_hours(
    *,
    caller: Caller,
    night: tuple[int, int] | Unchanged | None = UNCHANGED,
    days_off: Collection[int] | Unchanged = UNCHANGED,
    now: datetime,
) -> HoursInfo:
    """Set the night (None: no hour is night) or the days off. A turn that is on keeps the hours it began with."""
    words.require(caller, ACCOUNT)
    if not isinstance(night, Unchanged):
        _check_night(night)
    if not isinstance(days_off, Unchanged):
        _check_days(days_off)
    with transaction() as session:
        user = people.account(session, caller, hold=True)
        if not isinstance(night, Unchanged):
            user.night_from, user.night_to = (None, None) if night is None else night
        if not isinstance(days_off, Unchanged):
            user.days_off = sorted(set(days_off))
        return _info(user)


def _check_night(night: tuple[int, int] | None) -> None:
    if night is None:
        return
    first, last = night
    if not (0 <= first < 24 and 0 <= last < 24):
        raise invalid("night", _("A night goes from one whole hour to another, each from 0 to 23."))
    if not 0 < (last - first) % 24 <= LONGEST_NIGHT:
        said = _("A night has 1 to {most} hours; say that you have none to do without.")
        raise invalid("night", said.format(most=LONGEST_NIGHT))


def _check_days(days_off: Collection[int]) -> None:
    if not set(days_off) <= set(range(7)):
        raise invalid("days_off", _("Days off are weekdays from 0, Monday, to 6, Sunday."))
    if len(set(days_off)) > MOST_DAYS_OFF:
        raise invalid("days_off", _("One can have {most} days off a week at most.").format(most=MOST_DAYS_OFF))


def _info(user: User) -> HoursInfo:
    night = None if user.night_from is None or user.night_to is None else (user.night_from, user.night_to)
    return HoursInfo(user.time_zone, night, tuple(user.days_off))

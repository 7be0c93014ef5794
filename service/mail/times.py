"""Deadlines and clocks in words; how a moment is written is for ``service.i18n.dates``."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from service.i18n import gettext as _
from service.i18n import ngettext
from service.i18n.dates import day, hour, moment, span, zone_of
from service.mail.kinds import Clock
from service.timekeeping.ladder import UNTIMED

_HOUR: Final = 3600


def deadline_words(deadline: datetime, reader_zone: str, player_zone: str) -> str:
    """A deadline of somebody else: by the reader's clock, and by the player's too where that shows another time.

    ``Friday 4 December 2026, 21:30 (Europe/Berlin), which is Saturday 5 December, 05:30 (Asia/Tokyo) for them``
    """
    here, there = deadline.astimezone(zone_of(reader_zone)[0]), deadline.astimezone(zone_of(player_zone)[0])
    told = moment(deadline, reader_zone)
    if here.utcoffset() == there.utcoffset():
        return told
    facts = {
        "moment": told,
        "day": day(deadline, player_zone),
        "hour": hour(deadline, player_zone),
        "zone": zone_of(player_zone)[1],
    }
    if here.date() != there.date():
        return _("{moment}, which is {day}, {hour} ({zone}) for them").format(**facts)
    return _("{moment}, which is {hour} ({zone}) for them").format(**facts)


def clock_words(clock: Clock) -> str:
    """What holds for every turn of a game, in a sentence or two."""
    if clock.kind == "days" and clock.days is not None:
        return ngettext(
            "Each turn has {number} day; after that a bot makes it.",
            "Each turn has {number} days; after that a bot makes it.",
            clock.days,
        ).format(number=clock.days)
    if clock.kind == "bank" and clock.start_hours is not None:
        parts = [_("{time} in the bank at the start").format(time=span(clock.start_hours * _HOUR))]
        if clock.increment_hours:
            parts.append(_("{time} more for each turn").format(time=span(clock.increment_hours * _HOUR)))
        if clock.cap_hours is not None:
            parts.append(_("never more than {time}").format(time=span(clock.cap_hours * _HOUR)))
        template = _("Each player has {parts}. When a bank is empty, a bot makes the move.")
        return template.format(parts=", ".join(parts))
    return ngettext(
        "There is no time limit of your own; after {number} day of silence a bot makes the move.",
        "There is no time limit of your own; after {number} days of silence a bot makes the move.",
        UNTIMED.days,
    ).format(number=UNTIMED.days)


def bank_words(seconds: int, clock: Clock) -> str:
    """What was in the reader's bank when their turn began, and what comes to it."""
    left = span(seconds)
    if not clock.increment_hours:
        return _("Your bank when this turn began: {time}.").format(time=left)
    template = _("Your bank when this turn began: {time}; this turn brings {more} more.")
    return template.format(time=left, more=span(clock.increment_hours * _HOUR))

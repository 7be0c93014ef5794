"""Times in words: always the day and the hour, never "in two hours", which is wrong by the time it is read."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from service.mail.kinds import Clock
from service.pictures.text import counted
from service.timekeeping.ladder import UNTIMED

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR


def zone_of(name: str) -> tuple[tzinfo, str]:
    """The time zone and the name to show for it; UTC for a name that is none."""
    try:
        return ZoneInfo(name), name
    except (KeyError, ValueError, OSError):
        return UTC, "UTC"


def when(moment: datetime, zone: str) -> str:
    """``Friday 4 December 2026, 21:30 (Europe/Berlin)``."""
    place, shown = zone_of(zone)
    local = moment.astimezone(place)
    return f"{day(moment, zone)} {local.year}, {local.hour:02}:{local.minute:02} ({shown})"


def day(moment: datetime, zone: str) -> str:
    """``Friday 4 December``, in that zone."""
    local = moment.astimezone(zone_of(zone)[0])
    return f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}"


def deadline_words(deadline: datetime, reader_zone: str, player_zone: str) -> str:
    """A deadline of somebody else: by the reader's clock, and by the player's too where that shows another time.

    ``Friday 4 December 2026, 21:30 (Europe/Berlin), which is Saturday 5 December, 05:30 (Asia/Tokyo) for them``
    """
    here, there = deadline.astimezone(zone_of(reader_zone)[0]), deadline.astimezone(zone_of(player_zone)[0])
    told = when(deadline, reader_zone)
    if here.utcoffset() == there.utcoffset():
        return told
    other_day = f"{day(deadline, player_zone)}, " if here.date() != there.date() else ""
    return f"{told}, which is {other_day}{there.hour:02}:{there.minute:02} ({zone_of(player_zone)[1]}) for them"


def time_words(seconds: int) -> str:
    """So much time on a clock: ``2 days 11 hours``, ``40 minutes``; what is less than the smallest part is left off."""
    days, rest = divmod(max(0, seconds), _DAY)
    hours, rest = divmod(rest, _HOUR)
    parts = [counted(days, "day")] if days else []
    if hours:
        parts.append(counted(hours, "hour"))
    if not days and hours < 2 and rest >= 60:
        parts.append(counted(rest // 60, "minute"))
    return " ".join(parts) or "less than a minute"


def clock_words(clock: Clock) -> str:
    """What holds for every turn of a game, in a sentence or two."""
    if clock.kind == "days" and clock.days is not None:
        return f"Each turn has {counted(clock.days, 'day')}; after that a bot makes it."
    if clock.kind == "bank" and clock.start_hours is not None:
        parts = [f"{time_words(clock.start_hours * _HOUR)} in the bank at the start"]
        if clock.increment_hours:
            parts.append(f"{time_words(clock.increment_hours * _HOUR)} more for each turn")
        if clock.cap_hours is not None:
            parts.append(f"never more than {time_words(clock.cap_hours * _HOUR)}")
        return f"Each player has {', '.join(parts)}. When a bank is empty, a bot makes the move."
    return f"There is no time limit of your own; after {counted(UNTIMED.days, 'day')} of silence a bot makes the move."

"""Moments, days and spans of time as their reader writes them, in the reader's zone and language."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal

from service.i18n import gettext as _
from service.i18n import language, ngettext

_LOCALES: Final = {"en": "en_GB", "de": "de", "fr": "fr"}
"""Where English goes, the day stands before the month and the clock has 24 hours."""
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR


def locale() -> str:
    """Babel's name for the language that is spoken now."""
    return _LOCALES[language()]


@cache
def zone_of(name: str) -> tuple[tzinfo, str]:
    """The time zone and the name to show for it; UTC for a name that is none."""
    try:
        return ZoneInfo(name), name
    except (KeyError, ValueError, OSError):
        return UTC, "UTC"


def moment(at: datetime, zone: str) -> str:
    """``Friday 4 December 2026, 21:30 (Europe/Berlin)``: never "in two hours", which is wrong when it is read."""
    local = _local(at, zone, _("EEEE d MMMM y, HH:mm"))
    return f"{local} ({zone_of(zone)[1]})"


def short_moment(at: datetime, zone: str) -> str:
    """``4 Dec, 21:30``: for lists, where the zone is said once."""
    return _local(at, zone, _("d MMM, HH:mm"))


def day(at: datetime, zone: str) -> str:
    """``Friday 4 December``, in that zone."""
    return _local(at, zone, _("EEEE d MMMM"))


def hour(at: datetime, zone: str) -> str:
    """``21:30``, in that zone."""
    return _local(at, zone, "HH:mm")


def date_words(on: date) -> str:
    """``4 Dec 2026``."""
    return str(format_skeleton("yMMMd", datetime(on.year, on.month, on.day, tzinfo=UTC), locale=locale()))


def span(seconds: int) -> str:
    """So much time: ``2 days 11 hours``, ``40 minutes``; what is less than the smallest part is left off."""
    days, rest = divmod(max(0, seconds), _DAY)
    hours, rest = divmod(rest, _HOUR)
    parts = [ngettext("{number} day", "{number} days", days).format(number=days)] if days else []
    if hours:
        parts.append(ngettext("{number} hour", "{number} hours", hours).format(number=hours))
    if not days and hours < 2 and rest >= 60:
        parts.append(ngettext("{number} minute", "{number} minutes", rest // 60).format(number=rest // 60))
    return " ".join(parts) or _("less than a minute")


def plain_number(number: float) -> str:
    """``58.5``, and ``58`` for a whole number, with the language's own point."""
    return str(format_decimal(number, format="#,##0.##", locale=locale()))


def listed(items: list[str], style: str = "standard") -> str:
    """``a, b and c``; style ``or``: ``a, b or c``."""
    return str(format_list(items, style=style, locale=locale()))  # type: ignore[arg-type]  # one of Babel's styles


def _local(at: datetime, zone: str, pattern: str) -> str:
    return str(format_datetime(at.astimezone(zone_of(zone)[0]), pattern, locale=locale()))

"""Clock time: how much of somebody's time passes between two instants, and when so much of it will have passed.

A clock stands still at night, on days off and during absences. Twenty-four hours of clock time are one waking day,
however long the night, so that "three days" are three calendar days for everybody who has no day off.

Nights and days off are what the clock on the player's wall shows: an instant lies in the night if that clock then
shows an hour of the night, also where it was put forward or back. Inside, instants and lengths are microseconds.
"""

import calendar
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Span = tuple[datetime, datetime]
"""From an instant to a later one, which is no part of it. One that ends before it begins is empty."""

LONGEST_NIGHT: Final = 12
MOST_DAYS_OFF: Final = 3

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_SECOND: Final = 1_000_000
_HOUR: Final = 3600 * _SECOND
_DAY: Final = 24 * _HOUR
_WEEK: Final = 7 * _DAY
_MONDAY: Final = 4 * _DAY
"""From the epoch, a Thursday, to the first Monday."""


@dataclass(frozen=True)
class Hours:
    """The hours of a player: an IANA time zone, the night, and the weekdays off (0 is Monday).

    The night is a pair of whole hours 0-23, from the first to before the second; it may wrap midnight, and lasts at
    most LONGEST_NIGHT hours. There are at most MOST_DAYS_OFF days off. Anything else is a ValueError; a zone that is
    not known counts as UTC.
    """

    zone: str
    night: tuple[int, int] | None
    days_off: frozenset[int]

    def __post_init__(self) -> None:
        if self.night is not None:
            first, last = self.night
            if not (0 <= first < 24 and 0 <= last < 24 and 0 < (last - first) % 24 <= LONGEST_NIGHT):
                raise ValueError(f"no night: {self.night}")
        if len(self.days_off) > MOST_DAYS_OFF or not self.days_off <= set(range(7)):
            raise ValueError(f"no days off: {sorted(self.days_off)}")

    @cached_property
    def _waking_hours(self) -> int:
        return 24 if self.night is None else 24 - (self.night[1] - self.night[0]) % 24

    @cached_property
    def _week(self) -> tuple[tuple[int, int], ...]:
        """When the clock runs in a week by the wall, from Monday 0:00 on."""
        runs: list[tuple[int, int]] = []
        for hour in range(7 * 24):
            if hour // 24 in self.days_off or self._is_night(hour % 24):
                continue
            begin = runs.pop()[0] if runs and runs[-1][1] == hour * _HOUR else hour * _HOUR
            runs.append((begin, (hour + 1) * _HOUR))
        return tuple(runs)

    def _is_night(self, hour: int) -> bool:
        return self.night is not None and (hour - self.night[0]) % 24 < 24 - self._waking_hours


def hours_to_json(hours: Hours) -> dict[str, Any]:
    """The hours as they are kept with a turn."""
    night = None if hours.night is None else list(hours.night)
    return {"zone": hours.zone, "night": night, "days_off": sorted(hours.days_off)}


def hours_from_json(data: Mapping[str, Any]) -> Hours:
    """The hours that ``hours_to_json`` wrote."""
    night = data["night"]
    return Hours(data["zone"], None if night is None else (night[0], night[1]), frozenset(data["days_off"]))


def running(start: datetime, end: datetime, hours: Hours, absences: Sequence[Span]) -> timedelta:
    """The clock time that passes from ``start`` to ``end``: whole seconds, rounded down; none if ``end`` is earlier.

    ``absences`` come in any order, may overlap and may be empty.
    """
    first, last = _number(start), _number(end)
    if last <= first:
        return timedelta()
    waking = 0
    for begin, finish in _runs(first, hours, _merged(absences)):
        if begin >= last:
            break
        waking += min(finish, last) - max(begin, first)
    return timedelta(seconds=waking * 24 // hours._waking_hours // _SECOND)


def until(start: datetime, time: timedelta, hours: Hours, absences: Sequence[Span]) -> datetime:
    """The first instant (UTC) by which ``time`` of clock time has passed since ``start``.

    It never lies inside a night, a day off or an absence; at most where one begins. No time at all (or less) passes at
    once; if the clock stands at ``start``, when it runs again. OverflowError: there is no such instant before the year
    9999.
    """
    first = _number(start)
    waking = -(-max(0, time // _MICROSECOND) * hours._waking_hours // 24)
    # One that ends just now counts: then ``start`` is where the night begins, and not inside it.
    for run, finish in _runs(first - 1, hours, _merged(absences)):
        begin = max(run, first)
        if waking <= finish - begin:
            return _EPOCH + (begin + waking) * _MICROSECOND
        waking -= finish - begin
    raise OverflowError("later than can be told")


def _number(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def _merged(absences: Sequence[Span]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((_number(start), _number(end)) for start, end in absences if start < end):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _runs(after: int, hours: Hours, absences: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, in order and apart, in which the clock runs, from the one on that ends after ``after``."""
    for awake, end in _awake(after, hours):
        begin = awake
        for gone, returned in absences:
            if gone >= end:
                break
            if gone > begin and gone > after:
                yield begin, gone
            begin = max(begin, returned)
        if begin < end:
            yield begin, end


def _awake(after: int, hours: Hours) -> Iterator[tuple[int, int]]:
    """The same without absences."""
    week = hours._week
    for since, before, offset in _offsets(after, hours.zone):
        # By the wall, all that is left of this span is a plain stretch of weeks.
        wall = max(since, after) + offset
        monday = wall - (wall - _MONDAY) % _WEEK
        while monday - offset < before:
            for begin, end in week:
                first, last = max(monday + begin - offset, since), min(monday + end - offset, before)
                if first < last and last > after:
                    yield first, last
            monday += _WEEK


def _offsets(after: int, zone: str) -> Iterator[tuple[int, int, int]]:
    """From when to when the zone keeps its distance from UTC, and which: from the span on that holds ``after``."""
    for year in range((_EPOCH + after * _MICROSECOND).year, 9999):
        for since, before, offset in _year(zone, year):
            if before > after:
                yield since, before, offset


@lru_cache(maxsize=2048)
def _year(zone: str, year: int) -> tuple[tuple[int, int, int], ...]:
    """The spans of one calendar year (UTC) in which a zone keeps its distance from UTC."""
    place = _place(zone)
    first = calendar.timegm((year, 1, 1, 0, 0, 0))
    end = calendar.timegm((year + 1, 1, 1, 0, 0, 0))
    spans: list[tuple[int, int, int]] = []
    since, offset = first, _offset(place, first)
    for day in [*range(first + 86400, end, 86400), end - 1]:
        if _offset(place, day) == offset:
            continue
        same, other = max(since, day - 86400), day
        while other - same > 1:
            middle = (same + other) // 2
            same, other = (middle, other) if _offset(place, middle) == offset else (same, middle)
        spans.append((since * _SECOND, other * _SECOND, offset * _SECOND))
        since, offset = other, _offset(place, other)
    spans.append((since * _SECOND, end * _SECOND, offset * _SECOND))
    return tuple(spans)


def _offset(place: ZoneInfo, second: int) -> int:
    distance = (_EPOCH + timedelta(seconds=second)).astimezone(place).utcoffset()
    return 0 if distance is None else distance // timedelta(seconds=1)


def _place(zone: str) -> ZoneInfo:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")

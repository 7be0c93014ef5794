"""Clock time told as plainly as can be: step by step through the instants, each time a look at the wall.

Instants here are multiples of STEP, and so is everything that could happen to a clock on a wall since 2012.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from service.timekeeping.hours import Hours, Span

STEP = timedelta(minutes=5)
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",  # half an hour of summer
    "Asia/Kathmandu",  # a quarter to
    "Pacific/Apia",  # left out 30 December 2011
    "Pacific/Chatham",  # puts its clocks on from 2:45
    "Antarctica/Troll",  # two hours of summer
    "America/Nuuk",  # on a Saturday evening
    "Asia/Beirut",  # at midnight
    "America/Havana",  # back to midnight
    "Africa/Casablanca",  # twice, around Ramadan
    "Europe/Dublin",  # by its law, winter is the exception
)


def runs_at(instant: datetime, hours: Hours, absences: Sequence[Span]) -> bool:
    """Whether the clock of a player runs at an instant."""
    wall = instant.astimezone(ZoneInfo(hours.zone))
    if hours.night is not None:
        first, last = hours.night
        if (first <= wall.hour < last) if first < last else (wall.hour >= first or wall.hour < last):
            return False
    return wall.weekday() not in hours.days_off and not any(gone <= instant < back for gone, back in absences)


def is_edge_or_running(instant: datetime, hours: Hours, absences: Sequence[Span]) -> bool:
    """Whether an instant does not lie inside a time in which the clock stands."""
    return runs_at(instant, hours, absences) or runs_at(instant - MICROSECOND, hours, absences)


def waking_share(hours: Hours) -> Fraction:
    """The part of a day that is not night."""
    return Fraction(24 if hours.night is None else 24 - (hours.night[1] - hours.night[0]) % 24, 24)


def plain_running(start: datetime, end: datetime, hours: Hours, absences: Sequence[Span]) -> Fraction:
    """The clock time between two instants, in seconds."""
    waking = 0
    while start < end:
        waking += runs_at(start, hours, absences) * (STEP // SECOND)
        start += STEP
    return waking / waking_share(hours)


def plain_until(start: datetime, time: timedelta, hours: Hours, absences: Sequence[Span]) -> datetime:
    """The first instant by which so much clock time has passed, to the microsecond above."""
    left = time // MICROSECOND * waking_share(hours)
    step = STEP // MICROSECOND
    while not (left <= step and runs_at(start, hours, absences)):
        if left <= 0 and is_edge_or_running(start, hours, absences):
            break
        left -= runs_at(start, hours, absences) * step
        start += STEP
    return start.astimezone(UTC) - (-left // 1) * MICROSECOND


@cache
def changes(zone: str, year: int) -> list[datetime]:
    """The hours (UTC) of a year within which the clocks of a zone are changed."""
    place = ZoneInfo(zone)
    first = datetime(year, 1, 1, tzinfo=UTC)
    hours = [first + timedelta(hours=n) for n in range(366 * 24)]
    distances = [hour.astimezone(place).utcoffset() for hour in hours]
    return [hour for hour, at, before in zip(hours[1:], distances[1:], distances, strict=False) if at != before]


@st.composite
def some_hours(draw: st.DrawFn, zones: Sequence[str] = ZONES) -> Hours:
    """Hours as somebody could have them."""
    night = None
    if draw(st.booleans()):
        first = draw(st.integers(0, 23))
        night = first, (first + draw(st.integers(1, 12))) % 24
    days_off = draw(st.frozensets(st.integers(0, 6), max_size=3))
    return Hours(draw(st.sampled_from(zones)), night, days_off)


@st.composite
def some_instants(draw: st.DrawFn, zone: str) -> datetime:
    """An instant on the grid, often shortly before the clocks of a zone are changed."""
    near = changes(zone, draw(st.integers(2024, 2031))) or [datetime(2027, 12, 30, tzinfo=UTC)]
    if zone == "Pacific/Apia":
        near = changes(zone, 2011)
    steps = draw(st.one_of(st.integers(-60, 60), st.integers(-2500, 2500)))
    return draw(st.sampled_from(near)) + steps * STEP


@st.composite
def some_absences(draw: st.DrawFn, around: datetime) -> tuple[Span, ...]:
    """Absences about an instant: apart, overlapping, one beginning where another ends, empty, the wrong way round."""
    spans: list[Span] = []
    for _ in range(draw(st.integers(0, 3))):
        begin = around + draw(st.integers(-2000, 4000)) * STEP
        if draw(st.booleans()) and spans:
            begin = spans[-1][1]
        spans.append((begin, begin + draw(st.one_of(st.integers(-10, 300), st.integers(0, 3000))) * STEP))
    return tuple(spans)


@st.composite
def some_cases(draw: st.DrawFn) -> tuple[datetime, Hours, tuple[Span, ...]]:
    """A beginning, hours and absences about it."""
    hours = draw(some_hours())
    start = draw(some_instants(hours.zone))
    return start, hours, draw(some_absences(start))

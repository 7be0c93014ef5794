"""Clock time, beside the plain way to tell it (plain.py), and what players were promised of it."""

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.timekeeping.hours import Hours, Span, hours_from_json, hours_to_json, running, until
from tests.timekeeping.plain import (
    MICROSECOND,
    SECOND,
    STEP,
    is_edge_or_running,
    plain_running,
    plain_until,
    runs_at,
    some_cases,
    some_hours,
)

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = (22, 7)
WEEKEND = frozenset({5, 6})
ALWAYS: frozenset[int] = frozenset()

Case = tuple[datetime, Hours, tuple[Span, ...]]
LENGTHS = st.one_of(st.integers(0, 300), st.integers(0, 5000)).map(lambda steps: steps * STEP)
#: Clock time as a budget is: whole seconds.
TIMES = st.one_of(st.integers(0, 3600), st.integers(0, 6 * 86400)).map(lambda seconds: timedelta(seconds=seconds))
#: Instants need not lie on any grid.
ODD = st.integers(0, 10**9).map(lambda microseconds: timedelta(microseconds=microseconds))


def berlin(day: str, hour: int, minute: int = 0) -> datetime:
    """A time on a wall in Berlin."""
    return datetime.fromisoformat(day).replace(hour=hour, minute=minute, tzinfo=BERLIN)


# -- beside the plain way


@settings(max_examples=300)
@given(some_cases(), LENGTHS)
def test_the_clock_time_between_two_instants(case: Case, length: timedelta) -> None:
    """What passes is what a look at the wall every few minutes adds up to."""
    start, hours, absences = case
    end = start + length
    assert running(start, end, hours, absences) == plain_running(start, end, hours, absences) // 1 * SECOND


@settings(max_examples=300)
@given(some_cases(), TIMES)
def test_the_instant_by_which_time_has_passed(case: Case, budget: timedelta) -> None:
    """So does the deadline."""
    start, hours, absences = case
    assert until(start, budget, hours, absences) == plain_until(start, budget, hours, absences)


# -- what holds for all


@given(some_cases(), ODD, TIMES)
def test_a_deadline_lies_in_no_night_no_day_off_and_no_absence(case: Case, odd: timedelta, budget: timedelta) -> None:
    """At most where one begins."""
    start, hours, absences = case
    assert is_edge_or_running(until(start + odd, budget, hours, absences), hours, absences)


@given(some_cases(), ODD, TIMES)
def test_a_deadline_is_where_the_time_has_passed(case: Case, odd: timedelta, budget: timedelta) -> None:
    """To the second, and no earlier instant will do."""
    start, hours, absences = case
    end = until(start + odd, budget, hours, absences)
    assert end.tzinfo is UTC
    assert running(start + odd, end, hours, absences) == budget
    if budget:
        assert running(start + odd, end - MICROSECOND, hours, absences) < budget


@given(some_cases(), ODD, LENGTHS, LENGTHS)
def test_clock_time_adds_up(case: Case, odd: timedelta, one: timedelta, other: timedelta) -> None:
    """But for the second that is rounded down."""
    start, hours, absences = case
    middle = start + odd + one
    whole = running(start, middle + other, hours, absences)
    parts = running(start, middle, hours, absences) + running(middle, middle + other, hours, absences)
    assert parts <= whole <= parts + SECOND
    assert running(middle + other, start, hours, absences) == timedelta()


@given(some_cases(), TIMES, TIMES)
def test_more_time_is_never_earlier(case: Case, one: timedelta, other: timedelta) -> None:
    """An extension moves a deadline by the clock time it gives, and never back."""
    start, hours, absences = case
    first, second = until(start, one, hours, absences), until(start, one + other, hours, absences)
    assert first <= second
    assert running(first, second, hours, absences) - other in (timedelta(), -SECOND)


@given(some_cases(), TIMES)
def test_order_and_cut_of_absences_do_not_matter(case: Case, budget: timedelta) -> None:
    """One absence in two pieces, told twice, and in any order is the same absence."""
    start, hours, absences = case
    pieces: list[Span] = []
    for gone, back in absences:
        middle = gone + (back - gone) / 2
        pieces += [(middle, back), (gone, middle), (gone, gone)] if gone < back else [(gone, back)]
    assert until(start, budget, hours, [*pieces, *absences]) == until(start, budget, hours, absences)


@given(some_hours(("UTC", "Asia/Kathmandu")), st.integers(0, 5), st.integers(0, 10**7))
def test_days_are_calendar_days_where_no_clock_is_changed(hours: Hours, days: int, minute: int) -> None:
    """Whatever the night: from a waking hour to the same hour."""
    start = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
    plain = Hours(hours.zone, hours.night, ALWAYS)
    if runs_at(start - MICROSECOND, plain, ()):
        assert until(start, timedelta(days=days), plain, ()) == start + timedelta(days=days)


@given(
    st.sampled_from(("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham", "America/Nuuk")),
    st.dates(date(2024, 1, 1), date(2031, 1, 1)),
    st.integers(8, 22),
    st.integers(0, 30),
)
def test_days_are_calendar_days_where_clocks_are_changed_at_night(
    zone: str, day: datetime, hour: int, days: int
) -> None:
    """On the wall: such a night is longer or shorter, and a night does not count."""
    start = datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(zone))
    end = until(start, timedelta(days=days), Hours(zone, NIGHT, ALWAYS), ())
    assert end.astimezone(start.tzinfo) == start + timedelta(days=days)


@given(some_hours())
def test_hours_are_kept_as_they_are(hours: Hours) -> None:
    """As JSON and back."""
    assert hours_from_json(hours_to_json(hours)) == hours


# -- told one by one


@pytest.mark.parametrize(
    ("start", "budget", "night", "end"),
    [
        # Three days from Friday noon: the night in which the clocks go back is an hour longer.
        (berlin("2026-10-23", 12), timedelta(days=3), NIGHT, berlin("2026-10-26", 12)),
        (berlin("2026-03-27", 12), timedelta(days=3), NIGHT, berlin("2026-03-30", 12)),
        # Who has no night has days of 24 hours each.
        (berlin("2026-10-23", 12), timedelta(days=3), None, berlin("2026-10-26", 11)),
        (berlin("2026-03-27", 12), timedelta(days=3), None, berlin("2026-03-30", 13)),
        # Who sleeps by day is awake for the hour that is left out: 18 waking hours a day, of which one is missing.
        (berlin("2026-03-28", 20), timedelta(days=1), (10, 16), berlin("2026-03-29", 21)),
        # A night that ends where the clocks go back to ends once; one that begins there begins once.
        (berlin("2026-10-25", 0), timedelta(hours=1), (0, 2), berlin("2026-10-25", 2) + timedelta(minutes=55)),
        # Fifteen waking hours are a day: eight of them are up exactly at nightfall.
        (berlin("2026-11-04", 14), timedelta(hours=12, minutes=48), NIGHT, berlin("2026-11-04", 22)),
        (berlin("2026-11-04", 14), timedelta(hours=14, minutes=24), NIGHT, berlin("2026-11-05", 8)),
        # What begins in the night begins in the morning, and three waking days on it is nightfall.
        (berlin("2026-11-04", 3), timedelta(), NIGHT, berlin("2026-11-04", 7)),
        (berlin("2026-11-04", 3), timedelta(days=3), NIGHT, berlin("2026-11-06", 22)),
        # And so it is for what begins in the morning: nobody is the worse for a time that is up before a night.
        (berlin("2026-11-04", 7), timedelta(days=3), NIGHT, berlin("2026-11-06", 22)),
        # Nothing is left at nightfall: then it is nightfall.
        (berlin("2026-11-04", 22), timedelta(), NIGHT, berlin("2026-11-04", 22)),
    ],
)  # fmt: skip
def test_nights(start: datetime, budget: timedelta, night: tuple[int, int] | None, end: datetime) -> None:
    """Deadlines of somebody in Berlin without a day off."""
    assert until(start, budget, Hours("Europe/Berlin", night, ALWAYS), ()).astimezone(BERLIN) == end


def test_a_weekend_that_begins_in_the_last_minute() -> None:
    """With two minutes left, one is spent on Monday. With one left, the time is up at midnight."""
    hours = Hours("Europe/Berlin", None, WEEKEND)
    friday, monday = berlin("2026-11-06", 23, 59), berlin("2026-11-09", 0)
    assert until(friday, timedelta(minutes=2), hours, ()) == monday + timedelta(minutes=1)
    assert until(friday, timedelta(minutes=1), hours, ()) == friday + timedelta(minutes=1)
    # With nights, Friday is over at 22:00, and Monday begins at 7:00
    hours = Hours("Europe/Berlin", NIGHT, WEEKEND)
    assert until(berlin("2026-11-06", 21, 59), timedelta(minutes=3, seconds=12), hours, ()) == berlin(
        "2026-11-09", 7, 1
    )


def test_weekends_do_not_wind_the_clock_up() -> None:
    """What was spent before the weekend is spent after it: five days are five days that are no days off."""
    hours = Hours("Europe/Berlin", NIGHT, WEEKEND)
    assert until(berlin("2026-11-05", 12), timedelta(days=5), hours, ()).astimezone(BERLIN) == berlin("2026-11-12", 12)


def test_an_absence_begun_when_no_time_is_left_changes_nothing() -> None:
    """An instant earlier, and it does."""
    hours = Hours("Europe/Berlin", NIGHT, ALWAYS)
    start, end = berlin("2026-11-02", 12), berlin("2026-11-05", 12)
    assert until(start, timedelta(days=3), hours, [(end, end + timedelta(days=5))]) == end
    gone = end - timedelta(minutes=10)
    assert until(start, timedelta(days=3), hours, [(gone, gone + timedelta(days=5))]) == end + timedelta(days=5)


def test_a_day_that_an_island_left_out() -> None:
    """Apia had no 30 December 2011: a player who is off on Fridays missed nothing, and lost nothing."""
    hours = Hours("Pacific/Apia", None, frozenset({4}))
    start, end = (datetime(2011, 12, day, 12, tzinfo=ZoneInfo("Pacific/Apia")) for day in (29, 31))
    assert until(start, timedelta(days=1), hours, ()) == end


@pytest.mark.parametrize("zone", ["Nowhere/AtAll", "", "../../etc/passwd", "America", "\0", "/etc/localtime"])
def test_a_zone_that_is_not_known_is_utc(zone: str) -> None:
    """A zone may have left the list since somebody chose it."""
    hours = Hours(zone, NIGHT, ALWAYS)
    start = datetime(2026, 7, 1, 21, tzinfo=UTC)
    assert until(start, timedelta(hours=3, minutes=12), hours, ()) == datetime(2026, 7, 2, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("night", "days_off"),
    [((22, 22), []), ((22, 11), []), ((24, 7), []), ((-1, 7), []), (None, [7]), (None, [-1]), (None, [0, 1, 2, 3])],
)
def test_hours_in_which_nobody_could_play(night: tuple[int, int] | None, days_off: list[int]) -> None:
    """They would stop a clock for ever, or nearly."""
    with pytest.raises(ValueError, match="no "):
        Hours("UTC", night, frozenset(days_off))


def test_the_end_of_time() -> None:
    """What can never pass is an error, not a loop without end."""
    with pytest.raises(OverflowError):
        until(datetime(9990, 1, 1, tzinfo=UTC), timedelta(days=9000), Hours("UTC", None, ALWAYS), ())


def test_far_horizons_are_quick() -> None:
    """A bank of a year with two days off a week, an absence of sixty days: five hundred of them in a few seconds."""
    hours = Hours("Europe/Berlin", NIGHT, WEEKEND)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    absences = [(start + timedelta(days=30), start + timedelta(days=90))]
    begun = time.process_time()
    for minute in range(500):
        at = start + timedelta(minutes=minute)
        end = until(at, timedelta(days=366), hours, absences)
        assert running(at, end, hours, absences) == timedelta(days=366)
    assert time.process_time() - begun < 5


def test_what_the_plain_way_knows() -> None:
    """The reference itself, where a head can check it."""
    hours = Hours("Europe/Berlin", (0, 6), ALWAYS)
    start = berlin("2026-11-04", 5)
    assert plain_running(start, start + timedelta(hours=4), hours, ()) == 4 * 3600
    assert plain_until(start, timedelta(hours=4), hours, ()) == start + timedelta(hours=4)

"""Times in words."""

from datetime import UTC, datetime

import pytest

from service.i18n.dates import span
from service.mail.kinds import Clock
from service.mail.times import clock_words, deadline_words

LATE = datetime(2026, 12, 4, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("reader", "player", "told"),
    [
        ("Europe/Berlin", "Europe/Berlin", "Friday 4 December 2026, 21:30 (Europe/Berlin)"),
        # another name for the same time needs no second one
        ("Europe/Berlin", "Europe/Paris", "Friday 4 December 2026, 21:30 (Europe/Berlin)"),
        (
            "Europe/Berlin",
            "Europe/London",
            "Friday 4 December 2026, 21:30 (Europe/Berlin), which is 20:30 (Europe/London) for them",
        ),
        (
            "Europe/Berlin",
            "Asia/Tokyo",
            "Friday 4 December 2026, 21:30 (Europe/Berlin), which is Saturday 5 December, 05:30 (Asia/Tokyo) for them",
        ),
        (
            "Pacific/Auckland",
            "nowhere",
            "Saturday 5 December 2026, 09:30 (Pacific/Auckland), which is Friday 4 December, 20:30 (UTC) for them",
        ),
    ],
)
def test_a_deadline_of_somebody_else_is_told_by_both_clocks(reader: str, player: str, told: str) -> None:
    assert deadline_words(LATE, reader, player) == told


def test_two_zones_that_agree_in_winter_part_when_one_puts_its_clocks_forward() -> None:
    winter, summer = datetime(2026, 1, 5, 12, tzinfo=UTC), datetime(2026, 7, 5, 12, tzinfo=UTC)
    assert "for them" not in deadline_words(winter, "Africa/Lagos", "Europe/Berlin")
    assert deadline_words(summer, "Africa/Lagos", "Europe/Berlin").endswith("which is 14:00 (Europe/Berlin) for them")


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "less than a minute"),
        (-5, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (3600, "1 hour"),
        (5430, "1 hour 30 minutes"),
        (5 * 3600 + 1800, "5 hours"),
        (24 * 3600, "1 day"),
        (59 * 3600 + 3599, "2 days 11 hours"),
        (24 * 3600 + 120, "1 day"),
    ],
)
def test_time_on_a_clock(seconds: int, told: str) -> None:
    assert span(seconds) == told


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        (Clock("days", days=1), "Each turn has 1 day; after that a bot makes it."),
        (
            Clock("bank", start_hours=72, increment_hours=12, cap_hours=120),
            "Each player has 3 days in the bank at the start, 12 hours more for each turn, never more than 5 days. "
            "When a bank is empty, a bot makes the move.",
        ),
        (
            Clock("bank", start_hours=36, increment_hours=0),
            "Each player has 1 day 12 hours in the bank at the start. When a bank is empty, a bot makes the move.",
        ),
        (Clock(), "There is no time limit of your own; after 30 days of silence a bot makes the move."),
    ],
)
def test_the_clock_of_a_game(clock: Clock, told: str) -> None:
    assert clock_words(clock) == told

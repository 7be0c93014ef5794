"""The ladder of a turn: beside the plain way, and whatever scheduler, voters and absences do to it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.timekeeping import ladder
from service.timekeeping.hours import Hours, Span, running
from service.timekeeping.ladder import Step, Turn, deadline, grace, grace_until, next_step, take, used
from tests.support.processes import ROOT
from tests.timekeeping.plain import SECOND, is_edge_or_running, plain_until, some_cases

BERLIN = ZoneInfo("Europe/Berlin")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ORDER: tuple[Step, ...] = ("began", "reminded", "called", "timed_out", "standing_in")
BUDGETS = st.one_of(
    st.sampled_from([timedelta(), SECOND, timedelta(minutes=40), 3 * HOUR - SECOND, 3 * HOUR, DAY, 3 * DAY]),
    st.integers(0, 6 * 3600).map(lambda seconds: timedelta(seconds=seconds)),
    st.integers(0, 10 * 86400).map(lambda seconds: timedelta(seconds=seconds)),
)


@st.composite
def some_turns(draw: st.DrawFn) -> Turn:
    """A turn that has just begun."""
    start, hours, absences = draw(some_cases())
    odd = draw(st.integers(0, 10**7)) * timedelta(microseconds=1)
    return Turn(start + odd, draw(BUDGETS), timedelta(), hours, absences, "began")


def walked(turn: Turn) -> Iterator[tuple[Step, datetime, Turn]]:
    """The steps of a turn whose scheduler is never late, with the instants."""
    while (due := next_step(turn)) is not None:
        turn, step = take(turn, due[1])
        assert step == due[0]
        yield step, due[1], turn


# -- a scheduler that is never late


@given(some_cases(), BUDGETS, st.integers(0, 40).map(lambda hours: hours * HOUR))
def test_when_the_steps_come(
    case: tuple[datetime, Hours, tuple[Span, ...]], budget: timedelta, extra: timedelta
) -> None:
    """At their shares of the budget, as told the plain way."""
    start, hours, absences = case
    turn = Turn(start, budget, extra, hours, absences, "began")
    shares: list[tuple[Step, timedelta]] = [
        ("reminded", budget * 3 // 4),
        ("called", budget * 11 // 12),
        ("timed_out", budget),
        ("standing_in", budget + min(max(budget // 8, HOUR), DAY)),
    ]
    if budget < 3 * HOUR:
        shares[:2] = [("called", budget * 3 // 4)]
    expected = [(step, plain_until(start, share + extra, hours, absences)) for step, share in shares]
    assert [(step, at) for step, at, _ in walked(turn)] == expected
    assert (deadline(turn), grace_until(turn)) == (expected[-2][1], expected[-1][1])


@given(some_turns())
def test_nothing_comes_in_a_night_or_an_absence(turn: Turn) -> None:
    """Nor on a day off; at most where one begins. Nothing is given on top when nobody is late."""
    for _, at, after in walked(turn):
        assert is_edge_or_running(at, turn.hours, turn.absences)
        assert after == replace(turn, step=after.step)


@given(some_turns())
def test_reminder_and_last_call_are_half_an_hour_apart(turn: Turn) -> None:
    """Of clock time. Where there is no room for both, the last call takes the place of the reminder."""
    steps = {step: at for step, at, _ in walked(turn)}
    assert ("reminded" in steps) == (turn.budget >= 3 * HOUR)
    if "reminded" in steps:
        assert running(steps["reminded"], steps["called"], turn.hours, turn.absences) >= HOUR / 2 - SECOND


# -- whatever happens


@dataclass
class Story:
    """A turn, and what was done to it."""

    turn: Turn
    now: datetime
    taken: list[tuple[Step, datetime]]

    def sweep(self) -> None:
        self.turn, step = take(self.turn, self.now)
        if step is not None:
            self.taken.append((step, self.now))


@st.composite
def some_stories(draw: st.DrawFn) -> Story:
    """A turn through which a scheduler comes early, late, twice or not for days, while people extend, leave and return.

    In the end the scheduler finds its way back and walks the rest. Absences change what is to come, never what was.
    """
    turn = draw(some_turns())
    story = Story(turn, turn.began, [])
    for _ in range(draw(st.integers(0, 14))):
        at, turn = story.now, story.turn
        match draw(st.sampled_from(["sweep", "sweep", "due", "pass", "pass", "late", "extend", "away", "back"])):
            case "sweep":
                story.sweep()
            case "due" if (due := next_step(turn)) is not None:
                story.now = max(at, due[1] + draw(st.integers(-400, 400)) * SECOND)
                story.sweep()
            case "pass":
                story.now += draw(st.integers(0, 3 * 86400)) * SECOND
            case "late" if (due := next_step(turn)) is not None:
                story.now = max(at, due[1]) + draw(st.integers(0, 5 * 86400)) * SECOND
            case "extend":
                story.turn = replace(turn, extra=turn.extra + draw(st.integers(1, 72)) * HOUR)
            case "away":
                gone = at + draw(st.sampled_from([timedelta(), timedelta(), HOUR, DAY]))
                span = gone, gone + draw(st.integers(1, 200)) * HOUR
                story.turn = replace(turn, absences=(*turn.absences, span))
            case "back":
                cut = [(gone, min(back, max(at, gone))) for gone, back in turn.absences]
                story.turn = replace(turn, absences=tuple(cut))
            case _:
                pass
    while (due := next_step(story.turn)) is not None:
        story.now = max(story.now, due[1])
        story.sweep()
    return story


@settings(max_examples=300)
@given(some_stories())
def test_every_turn_ends_and_no_step_comes_twice(story: Story) -> None:
    """In their order; only the reminder may be left out."""
    steps = [step for step, _ in story.taken]
    assert steps in (list(ORDER[1:]), list(ORDER[2:]))
    assert take(story.turn, story.now + 100 * DAY) == (story.turn, None)


@settings(max_examples=300)
@given(some_stories())
def test_nobody_times_out_uncalled(story: Story) -> None:
    """From the last call to the time-out lies what was promised to lie there, and the same is true of the grace.

    But for what counts as punctual: a scheduler may be that much late with one step, and on time with the next.
    """
    turn, taken = story.turn, dict(story.taken)
    punctual = min(ladder.LONGEST_LATENESS, turn.budget // 60) + 2 * SECOND

    def between(one: Step, other: Step) -> timedelta:
        return running(taken[one], taken[other], turn.hours, turn.absences)

    last = turn.budget // 12 if turn.budget >= 3 * HOUR else turn.budget // 4
    assert between("called", "timed_out") >= last - punctual
    assert between("timed_out", "standing_in") >= grace(turn) - punctual
    # And nobody is hurried: what the house was late with came on top, so that all of the budget was there to be used.
    assert running(turn.began, taken["timed_out"], turn.hours, turn.absences) >= turn.budget - SECOND


@given(some_stories(), st.integers(0, 20 * 86400))
def test_a_clock_never_runs_below_zero(story: Story, seconds: int) -> None:
    """Nor up; and by the time-out all of it is gone, whatever came on top."""
    turn = story.turn
    now = turn.began + seconds * SECOND
    assert timedelta() <= used(turn, now) <= turn.budget
    assert used(turn, now) <= used(turn, now + HOUR)
    assert turn.budget - used(turn, deadline(turn)) == timedelta()
    assert used(turn, turn.began - DAY) == timedelta()


@given(some_turns(), st.one_of(st.integers(0, 600), st.integers(0, 7 * 86400)), st.integers(0, 86400))
def test_the_lateness_of_the_house_is_charged_to_nobody(turn: Turn, late: int, reply: int) -> None:
    """What a scheduler slept past a step comes on top; a bank pays for what was used before and after it only."""
    due = next_step(turn)
    assert due is not None
    now = due[1] + late * SECOND
    after, step = take(turn, now)
    call = next_step(replace(turn, step="reminded"))
    assert call is not None
    expected = call if call[1] <= now else due  # a reminder that late is none
    assert step == expected[0]
    slept = running(expected[1], now, turn.hours, turn.absences)
    assert after.extra == (slept if slept > min(ladder.LONGEST_LATENESS, turn.budget // 60) else timedelta())
    then = now + reply * SECOND
    awake = running(turn.began, then, turn.hours, turn.absences) - after.extra
    assert used(after, then) == min(awake, turn.budget)


# -- told one by one


def berlin(day: str, hour: int, minute: int = 0) -> datetime:
    """A time on a wall in Berlin."""
    return datetime.fromisoformat(day).replace(hour=hour, minute=minute, tzinfo=BERLIN)


HOURS = Hours("Europe/Berlin", (22, 7), frozenset())
THREE_DAYS = Turn(berlin("2026-11-02", 12), 3 * DAY, timedelta(), HOURS, (), "began")


def test_the_ladder_of_three_days() -> None:
    """As docs/WAITING.md draws it."""
    steps = [(step, at.astimezone(BERLIN)) for step, at, _ in walked(THREE_DAYS)]
    assert steps == [
        ("reminded", berlin("2026-11-04", 15, 45)),
        ("called", berlin("2026-11-05", 8, 15)),
        ("timed_out", berlin("2026-11-05", 12)),
        ("standing_in", berlin("2026-11-05", 17, 37) + 30 * SECOND),
    ]
    drawn = next(line for line in (ROOT / "docs" / "WAITING.md").read_text().splitlines() if "(three days)" in line)
    told = [f"{at:%a %H:%M}" for at in (THREE_DAYS.began, *(at for _, at in steps))]
    assert drawn.replace("(three days)", " ").split() == " ".join(told).split()


def test_a_scheduler_that_was_dead_for_a_day() -> None:
    """It comes back after the deadline: the reminder is left out, the last call made, and there is time after it."""
    now = berlin("2026-11-06", 9)
    turn, step = take(THREE_DAYS, now)
    assert step == "called"
    assert deadline(turn) == berlin("2026-11-06", 12, 45)
    assert take(turn, now) == (turn, None)
    assert used(turn, now) == 3 * DAY * 11 / 12


def test_a_reminder_as_late_as_the_last_call() -> None:
    """Comes no more; a moment earlier it does, and then the last call is as late as it was."""
    call = berlin("2026-11-05", 8, 15)
    assert take(THREE_DAYS, call) == (replace(THREE_DAYS, step="called"), "called")
    turn, step = take(THREE_DAYS, call - SECOND)
    assert step == "reminded"
    assert turn.extra == DAY / 2 - 2 * SECOND  # a second of the wall is 1.6 by the clock


def test_a_few_minutes_late_is_on_time() -> None:
    """The deadline that was told stays, as long as it can."""
    turn = replace(THREE_DAYS, hours=replace(HOURS, night=None), step="reminded")
    due = next_step(turn)
    assert due is not None
    on_time, _ = take(turn, due[1] + ladder.LONGEST_LATENESS)
    late, _ = take(turn, due[1] + ladder.LONGEST_LATENESS + SECOND)
    assert deadline(on_time) == deadline(turn)
    assert deadline(late) == deadline(turn) + ladder.LONGEST_LATENESS + SECOND


def test_an_extension_after_the_last_call() -> None:
    """It moves the deadline by its days; there is no second last call."""
    called = replace(THREE_DAYS, step="called")
    extended = replace(called, extra=3 * DAY)
    assert next_step(extended) == ("timed_out", berlin("2026-11-08", 12))


def test_an_absence_during_the_grace() -> None:
    """The time was up before it began, and stays so; the grace stands still, if the absence counts at all."""
    up, gone, back = berlin("2026-11-05", 12), berlin("2026-11-05", 13), berlin("2026-11-12", 13)
    turn = replace(THREE_DAYS, step="called", absences=((gone, back),))
    turn, step = take(turn, up)
    assert step == "timed_out"
    assert deadline(turn) == up
    assert grace_until(turn).astimezone(BERLIN) == berlin("2026-11-12", 17, 37) + 30 * SECOND


@pytest.mark.parametrize(
    ("budget", "expected"), [(timedelta(), HOUR), (8 * HOUR, HOUR), (3 * DAY, 9 * HOUR), (ladder.UNTIMED, DAY)]
)
def test_the_grace(budget: timedelta, expected: timedelta) -> None:
    """An eighth of the time, but an hour at least and a day at most."""
    assert grace(replace(THREE_DAYS, budget=budget)) == expected


def test_a_bank_that_is_empty() -> None:
    """Whoever begins a turn with nothing left is called and timed out at once, and has the hour of grace."""
    turn = replace(THREE_DAYS, budget=timedelta())
    hour = timedelta(hours=15) / 24  # of the wall
    assert [(step, at) for step, at, _ in walked(turn)] == [
        ("called", turn.began),
        ("timed_out", turn.began),
        ("standing_in", turn.began + hour),
    ]
    assert used(turn, turn.began + 5 * DAY) == timedelta()

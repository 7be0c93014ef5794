"""The ladder of a turn: what happens when somebody does not answer, and when.

began -> reminded -> called -> timed_out -> (grace) -> standing_in. Each step comes once a turn and in this order,
whenever the scheduler looks. Being late is the scheduler's own fault: what is left of the ladder shifts by it.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from service.timekeeping.hours import Hours, Span, running, until

Step = Literal["began", "reminded", "called", "timed_out", "standing_in"]
"""How far a turn has come. "called": the last call was made; "timed_out": the time is up and the grace runs;
"standing_in": the grace is over too, and a bot is to move.
"""

TIME_OVER: Final = ("timed_out", "standing_in")
"""The steps at which somebody's time for a turn is over."""

UNTIMED: Final = timedelta(days=30)
"""The budget of a turn in a game without a clock, so that it strands nobody either."""

SHORTEST_REMINDED: Final = timedelta(hours=3)
"""With less time than this, reminder and last call would come within half an hour: one is enough, the last call. It
comes when the reminder would have come.
"""

LONGEST_LATENESS: Final = timedelta(minutes=5)
"""A step that comes this late is still on time, as a scheduler looks every so often only. With little time on the
clock it is less: a fifth of what lies between last call and time-out.
"""

SHORTEST_GRACE: Final = timedelta(hours=1)
LONGEST_GRACE: Final = timedelta(hours=24)


@dataclass(frozen=True)
class Turn:
    """A turn that is on. ``budget`` is the time for it and ``extra`` what was given on top (by votes, or because the
    house was late), both clock time; ``step`` is the last step that was taken.
    """

    began: datetime
    budget: timedelta
    extra: timedelta
    hours: Hours
    absences: tuple[Span, ...]
    step: Step


def deadline(turn: Turn) -> datetime:
    """The instant (UTC) at which the time for this turn is up."""
    return _at(turn, turn.budget)


def grace(turn: Turn) -> timedelta:
    """The clock time after the deadline in which an answer still counts: an eighth of the budget, within bounds."""
    return min(max(turn.budget // 8, SHORTEST_GRACE), LONGEST_GRACE)


def grace_until(turn: Turn) -> datetime:
    """The instant (UTC) at which the grace ends as well."""
    return _at(turn, turn.budget + grace(turn))


def answer_until(turn: Turn) -> datetime:
    """The instant (UTC) until which to answer: the deadline or, once the time is up, the end of the grace."""
    return grace_until(turn) if turn.step in TIME_OVER else deadline(turn)


def next_step(turn: Turn) -> tuple[Step, datetime] | None:
    """The step that comes next, and when (UTC); None after the last."""
    match turn.step:
        case "began" if turn.budget >= SHORTEST_REMINDED:
            return "reminded", _at(turn, _reminder(turn))
        case "began" | "reminded":
            return "called", _at(turn, _call(turn))
        case "called":
            return "timed_out", deadline(turn)
        case "timed_out":
            return "standing_in", grace_until(turn)
        case _:
            return None


def take(turn: Turn, now: datetime) -> tuple[Turn, Step | None]:
    """The turn after the step that is due now, and that step; the turn as it is and None if none is.

    A step that is late gives as much on top to all that comes after it. A reminder that comes no earlier than the last
    call is left out. So whoever times out was called, and had the time from the last call to the deadline.
    """
    due = next_step(turn)
    if due is not None and due[0] == "reminded" and _at(turn, _call(turn)) <= now:
        due = next_step(replace(turn, step="reminded"))
    if due is None or now < due[1]:
        return turn, None
    step, at = due
    late = running(at, now, turn.hours, turn.absences)
    if late <= min(LONGEST_LATENESS, turn.budget // 60):
        late = timedelta()
    return replace(turn, step=step, extra=turn.extra + late), step


def used(turn: Turn, now: datetime) -> timedelta:
    """The clock time to charge a bank with if the turn ends now: at most the budget, and nothing of what was extra."""
    gone = running(turn.began, now, turn.hours, turn.absences) - turn.extra
    return min(max(gone, timedelta()), turn.budget)


def _reminder(turn: Turn) -> timedelta:
    return turn.budget * 3 // 4


def _call(turn: Turn) -> timedelta:
    return turn.budget * 11 // 12 if turn.budget >= SHORTEST_REMINDED else _reminder(turn)


def _at(turn: Turn, time: timedelta) -> datetime:
    return until(turn.began, time + turn.extra, turn.hours, turn.absences)

"""When people look at their mail: the reply-time models, and one person's own times, in hours from a Monday on."""

from bisect import bisect_right
from dataclasses import dataclass
from random import Random
from typing import Final

DAY: Final = 24.0
WEEK: Final = 7 * DAY
JITTER: Final = 1.5
"""By how many hours at most a look comes early or late."""


@dataclass(frozen=True)
class Habit:
    """A way to look at one's mail: on which weekdays (0 is Monday), and how often on each."""

    days: tuple[int, ...]
    times: int


_EVERY_DAY: Final = (0, 1, 2, 3, 4, 5, 6)
HABITS: Final[dict[str, Habit]] = {
    "twice": Habit(_EVERY_DAY, 2),
    "once": Habit(_EVERY_DAY, 1),
    "weekend": Habit((5, 6), 1),
}
MIXED: Final = "mixed"
MODELS: Final = (*HABITS, MIXED)
"""Every reply-time model: all people at a table have one habit, or (``mixed``) each one at random."""


class Looks:
    """When one person looks: their own hour of the day, each time a little early or late, without end.

    With two looks a day they are half a day apart. The hour is drawn from all 24, as people live everywhere.
    """

    def __init__(self, model: str, rng: Random) -> None:
        self._habit = HABITS[rng.choice(sorted(HABITS)) if model == MIXED else model]
        self._rng = rng
        self._hour = rng.uniform(0, DAY / self._habit.times)
        self._weeks = 0
        self._times: list[float] = []

    def after(self, moment: float) -> float:
        """The first look after a moment."""
        while not self._times or self._times[-1] <= moment:
            self._one_more_week()
        return self._times[bisect_right(self._times, moment)]

    def _one_more_week(self) -> None:
        for day in self._habit.days:
            for time in range(self._habit.times):
                hour = self._hour + time * DAY / self._habit.times
                early_or_late = self._rng.uniform(-JITTER, JITTER)
                self._times.append(self._weeks * WEEK + day * DAY + hour + early_or_late)
        self._weeks += 1

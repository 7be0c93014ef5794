"""What can be asked by mail, as plain frozen values: one class a command, and the mistakes people make."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple


@dataclass(frozen=True, slots=True)
class Play:
    """A move: a line of notation, or a number of the list (``engine.play_line`` reads both)."""

    line: str


@dataclass(frozen=True, slots=True)
class Show:
    """Look at the game: everything, the board, or one's own hand. The answer shows the position in any case."""

    what: Literal["status", "board", "hand"]


@dataclass(frozen=True, slots=True)
class History:
    """The last ``count`` entries of the log."""

    count: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules, or those in which ``word`` stands (a word or an id)."""

    word: str


@dataclass(frozen=True, slots=True)
class Help:
    """The commands, or one of them."""

    topic: str


@dataclass(frozen=True, slots=True)
class Say:
    """A word to everyone in the game."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A word to oneself."""

    text: str


@dataclass(frozen=True, slots=True)
class Games:
    """One's own games, or (``open``) the public ones with a free seat."""

    open: bool


@dataclass(frozen=True, slots=True)
class New:
    """A new game of ``seats`` seats: one's own, people by name or address, bots by level; the rest stay open.

    A turn has ``days``; or there is a ``bank``: hours at the beginning, hours that a turn adds, and the most it may
    hold (None: no cap). ``time_off``: days off and absences stop the clock.
    """

    seats: int
    people: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    private: bool = False
    days: int | None = None
    bank: tuple[int, int, int | None] | None = None
    time_off: bool = True


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat in the game with this id or join code."""

    code: str


@dataclass(frozen=True, slots=True)
class Away:
    """Be away for so long, from now on."""

    time: timedelta


class Day(NamedTuple):
    """A day as people name it; without a year it is the next one of that name."""

    day: int
    month: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class AwayFrom:
    """Be away from one day to another, both included. Either both have a year or none."""

    starts: Day
    ends: Day

    def dates(self, today: date) -> tuple[date, date]:
        """The two days. Without years: the first such time that is not over yet."""
        if self.starts.year is not None:
            starts = date(self.starts.year, self.starts.month, self.starts.day)
            return starts, date(self.ends.year or starts.year, self.ends.month, self.ends.day)
        starts = _named(self.starts, date(today.year - 1, 1, 1))
        while (ends := _named(self.ends, starts)) < today:
            starts = _named(self.starts, starts + timedelta(days=1))
        return starts, ends


def _named(day: Day, earliest: date) -> date:
    """The first day of this name that is not before another; 29 February comes every few years."""
    year = earliest.year
    while True:
        try:
            found = date(year, day.month, day.day)
        except ValueError:
            found = date.min
        if found >= earliest:
            return found
        year += 1


@dataclass(frozen=True, slots=True)
class Night:
    """The hours of every night (from, to: full hours) in which one's clock stands still; None: no night."""

    hours: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class DaysOff:
    """The weekdays (0 is Monday) on which one's clock stands still."""

    days: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """A standing order: its words as ``engine.orders`` and ``engine.plans`` read them; ``ask`` or ``off`` ends it."""

    kind: Literal["bribe", "catch", "plan"]
    text: str


@dataclass(frozen=True, slots=True)
class Orders:
    """One's own standing orders."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote on the game that waits: for more time, for its end, or one's votes taken back (``none``)."""

    what: Literal["extend", "end", "none"]


@dataclass(frozen=True, slots=True)
class Digest:
    """Mails about this game once a day (at ``hour``, if said), or at once."""

    on: bool
    hour: int | None = None


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """No more mails of this kind (a member of ``tokens.KINDS``), or of any but answers."""

    kind: str | None


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Mails of this kind (or of all) again."""

    kind: str | None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the account. ``value``: the name or zone as typed, a language's tag, else "on" or "off"."""

    name: Literal["name", "zone", "language", "drawing", "cards"]
    value: str


SimpleWord = Literal[
    "accept",
    "decline",
    "rematch",
    "resign",
    "leave",
    "yes",
    "back",
    "away none",
    "resume",
    "absences",
    "pace",
    "pause mail",
    "resume mail",
]


@dataclass(frozen=True, slots=True)
class Simple:
    """A command without arguments."""

    word: SimpleWord


Command = (
    Play
    | Show
    | History
    | Rules
    | Help
    | Say
    | Note
    | Games
    | New
    | Join
    | Away
    | AwayFrom
    | Night
    | DaysOff
    | Order
    | Orders
    | Vote
    | Digest
    | Unsubscribe
    | Subscribe
    | Setting
    | Simple
)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line that means to be a command and is none.

    ``word``: what does not fit, quoted safely; ``message``: what is wrong and what would be right, a sentence;
    ``suggestion``: the line that was probably meant, empty if that cannot be guessed.
    """

    word: str
    message: str
    suggestion: str = ""

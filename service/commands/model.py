"""What can be asked by mail, as plain frozen values: one class a command, and the mistakes people make."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal


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
    """A new game of ``seats`` seats: one's own, people by name or address, bots by level; the rest stay open."""

    seats: int
    people: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    private: bool = False
    days: int | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat in the game with this id or join code."""

    code: str


@dataclass(frozen=True, slots=True)
class Away:
    """Be away for so long, from now on."""

    time: timedelta


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
    """A setting of the account. ``value``: the name or zone as typed; "on" or "off" for the others."""

    name: Literal["name", "zone", "drawing", "cards"]
    value: str


@dataclass(frozen=True, slots=True)
class Simple:
    """A command without arguments."""

    word: Literal["accept", "decline", "rematch", "resign", "leave", "back", "pause mail", "resume mail", "yes"]


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

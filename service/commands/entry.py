"""A row of the table of commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from service.commands import arguments, model
from service.commands.arguments import Read

Section = Literal["Moves", "Looking", "Talking", "Games", "Waiting", "Mail and account"]
SECTIONS: Final[tuple[Section, ...]] = ("Moves", "Looking", "Talking", "Games", "Waiting", "Mail and account")


@dataclass(frozen=True, slots=True)
class Entry:
    """One command.

    ``name``: how it begins, and what ``help`` calls it; ``usage``: how it is written, arguments in capitals, what may
    be left out in brackets; ``summary``: what it does, in a few words; ``example``: a line that works; ``detail``: the
    rest there is to know, sentences.

    ``read``: its arguments, strictly; None for words of the notation, which the engine reads, and for texts.
    ``shortest``: how many letters of its word are enough if they are those of no other (a longer one where the
    beginning is somebody's name, or cannot be undone); None: only the whole word. ``keywords``: words that may stand
    among its arguments. ``brief``: whether it stands in the two lines of every mail.

    Entries that begin with the same word have the same ``read``, ``shortest`` and ``keywords``.
    """

    name: str
    usage: str
    summary: str
    example: str
    section: Section
    detail: str
    read: Read | None = None
    shortest: int | None = 3
    keywords: tuple[str, ...] = ()
    brief: bool = True

    @property
    def word(self) -> str:
        """The first word of the command."""
        return self.name.partition(" ")[0]


def move(name: str, usage: str, summary: str, example: str, detail: str, *, brief: bool = True) -> Entry:
    """A row of the notation."""
    return Entry(name, usage, summary, example, "Moves", detail, shortest=None, brief=brief)


def simple(
    word: model.SimpleWord,
    summary: str,
    detail: str,
    *,
    section: Section = "Games",
    shortest: int | None = 3,
    brief: bool = True,
) -> Entry:
    """A row of a command that is one word."""
    read = arguments.nothing(model.Simple(word), word)
    return Entry(word, word, summary, word, section, detail, read, shortest=shortest, brief=brief)

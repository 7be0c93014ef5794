"""A row of the table of commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from service.commands import arguments, model
from service.commands.arguments import Read
from service.i18n import gettext as _
from service.i18n import marked

Section = Literal["Moves", "Looking", "Talking", "Games", "Waiting", "Mail and account"]
SECTIONS: Final[dict[Section, str]] = {
    "Moves": marked("Moves"),
    "Looking": marked("Looking"),
    "Talking": marked("Talking"),
    "Games": marked("Games"),
    "Waiting": marked("Waiting"),
    "Mail and account": marked("Mail and account"),
}
"""The headings, to be looked up, in their order."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One command.

    ``name``: how it begins, and what ``help`` calls it; ``usage``: how it is written, arguments in capitals, what may
    be left out in brackets; ``does``: what it does, in a few words; ``example``: a line that works; ``rest``: the rest
    there is to know, sentences with places for ``facts``. ``does`` and ``rest`` are English, and marked: ``summary``
    and ``detail`` tell them in the language that is spoken.

    ``read``: its arguments, strictly; None for words of the notation, which the engine reads, and for texts.
    ``shortest``: how many letters of its word are enough if they are those of no other (a longer one where the
    beginning is somebody's name, or cannot be undone); None: only the whole word. ``keywords``: words that may stand
    among its arguments. ``brief``: whether it stands in the two lines of every mail.

    Entries that begin with the same word have the same ``read``, ``shortest`` and ``keywords``.
    """

    name: str
    usage: str
    does: str
    example: str
    section: Section
    rest: str
    read: Read | None = None
    shortest: int | None = 3
    keywords: tuple[str, ...] = ()
    brief: bool = True
    facts: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def summary(self) -> str:
        """What it does, in a few words."""
        return _(self.does)

    @property
    def detail(self) -> str:
        """The rest there is to know, sentences."""
        return _(self.rest).format(**self.facts)

    @property
    def word(self) -> str:
        """The first word of the command."""
        return self.name.partition(" ")[0]


def move(
    name: str,
    usage: str,
    does: str,
    example: str,
    rest: str,
    *,
    brief: bool = True,
    facts: Mapping[str, object] | None = None,
) -> Entry:
    """A row of the notation."""
    return Entry(name, usage, does, example, "Moves", rest, shortest=None, brief=brief, facts=facts or {})


def simple(
    word: model.SimpleWord,
    does: str,
    rest: str,
    *,
    section: Section = "Games",
    shortest: int | None = 3,
    brief: bool = True,
) -> Entry:
    """A row of a command that is one word."""
    read = arguments.nothing(model.Simple(word), word)
    return Entry(word, word, does, word, section, rest, read, shortest=shortest, brief=brief)

"""The table of commands told to people: as help in a mail, in two lines, and as a chapter of docs/MAIL.md.

Told in the language that is spoken; commands, what they go with and examples are English in all of them.
"""

from __future__ import annotations

import textwrap
from typing import Final

from service.commands.table import ENTRIES, SECTIONS, Entry, topics
from service.i18n import gettext as _

#: As wide as a line of a mail may be.
WIDTH: Final = 77
_INDENT: Final = "  "
_TO_BEGIN: Final = ("new", "join")
_WITHOUT_GAME: Final = ("games", "rules", "help", "name", "zone", "away", "night")


def help_lines(word: str = "") -> tuple[str, ...]:
    """The commands, or all there is to say about one of them, in lines of at most 77 characters."""
    found = topics(word) if word else ()
    if found:
        told = [line for entry in found for line in ("", *_one(entry))]
        return tuple(told[1:])
    lines: list[str] = (
        [] if not word else _wrapped(_("There is no command {word}. These there are:").format(word=repr(word[:40])))
    )
    for section in SECTIONS:
        heading = _(SECTIONS[section])
        lines += ["", heading] if lines else [heading]
        for row in ENTRIES:
            if row.section == section:
                lines += _row(row)
    return (*lines, "", *_wrapped(_("A command may be cut short while it is clear: hist 5. help COMMAND tells more.")))


def short_help(*, game: bool = True) -> tuple[str, str]:
    """The commands in two lines of at most 77 characters: how to move, and what else there is.

    Without a ``game``: how to come into one.
    """
    if not game:
        start = (entry.example for entry in ENTRIES if entry.name in _TO_BEGIN)
        play, also = _("Play: {commands}"), _("Also: {commands}")
        return play.format(commands=" | ".join(start)), also.format(commands=" ".join(_WITHOUT_GAME))
    moves = (entry.example for entry in ENTRIES if entry.brief and entry.section == "Moves")
    others = (entry.name for entry in ENTRIES if entry.brief and entry.section != "Moves")
    move, also = _("Move: {commands}"), _("Also: {commands}")
    return move.format(commands=" | ".join(moves)), also.format(commands=" ".join(others))


def reference_markdown() -> str:
    """The chapter of the commands: a table a section, then the details."""
    parts = []
    for section in SECTIONS:
        rows = [row for row in ENTRIES if row.section == section]
        table = "\n".join(f"| `{_cell(row.usage)}` | {row.summary} | `{_cell(row.example)}` |" for row in rows)
        details = "\n".join(f"- `{row.name}`: {row.detail}" for row in rows)
        parts.append(f"### {section}\n\n| Line | What it does | Example |\n| --- | --- | --- |\n{table}\n\n{details}\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _one(entry: Entry) -> tuple[str, ...]:
    lines = [*_wrapped(entry.usage), *_wrapped(f"{entry.summary[0].upper()}{entry.summary[1:]}. {entry.detail}")]
    if entry.example != entry.usage:
        lines += ["", *_wrapped(_("For example: {line}").format(line=entry.example))]
    return tuple(lines)


def _row(entry: Entry) -> list[str]:
    """The usage, and what it does beside it or, if that is too long, below."""
    beside = f"{_INDENT}{entry.usage:<26} {entry.summary}"
    if len(entry.usage) <= 26 and len(beside) <= WIDTH:
        return [beside]
    return [f"{_INDENT}{entry.usage}", *(f"{_INDENT}{'':<26} {part}" for part in textwrap.wrap(entry.summary, 47))]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)

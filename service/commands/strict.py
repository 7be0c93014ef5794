"""Words that are a command and nothing else: the strict half of reading, with the word that does not fit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from engine import NotationError
from engine.lines import parse_line
from service.commands import arguments, tables
from service.commands.arguments import Unfit, of_engine, said
from service.commands.model import Command, Help, Play
from service.commands.table import BY_NAME, BY_WORD, NOTATION, Entry, by_prefix, topics
from service.i18n import gettext as _

#: A number of the list; longer ones are years, postcodes and telephones.
NUMBER: Final = re.compile("[0-9]{1,3}")
#: A space, or what looks like one (t7).
CODE: Final = re.compile("[tmc][0-9]{1,2}")
_NEW: Final = re.compile(r"new\s+(.*)", re.IGNORECASE | re.DOTALL)


def strict(words: Sequence[str], line: str | None = None) -> Command | None:
    """The command, if everything fits. None: the first word is none. Raises Unfit for the word that does not fit."""
    first = words[0].lower()
    if NUMBER.fullmatch(first) or first in NOTATION or CODE.fullmatch(first):
        return _play(words)
    entry = BY_WORD.get(first)
    if entry is None and (entry := by_prefix(first)) is not None:
        try:
            return _of(entry, words[1:], line)
        except Unfit:
            return None
    return None if entry is None else _of(entry, words[1:], line)


def _of(entry: Entry, words: Sequence[str], line: str | None) -> Command:
    if entry.name == "help":
        return _help(words)
    if entry.name == "new":
        rest = _NEW.fullmatch(unicodedata.normalize("NFKC", line or ""))
        return tables.new(rest[1] if rest is not None else " ".join(words))
    if entry.read is None:
        raise said(entry.word, _("'{word}' is not all: after it comes the text, like {example}"), example=entry.example)
    return entry.read(words)


def _play(words: Sequence[str]) -> Command:
    line = " ".join(words)
    if line.lower() in ("lowest", "highest"):
        raise said(line, _("'{word}' is not all: it comes after bribe"), f"bribe {line.lower()}")
    try:
        parse_line(line)
    except NotationError as error:
        raise of_engine(error) from None
    return Play(line)


def _help(words: Sequence[str]) -> Command:
    if not words:
        return Help("")
    whole = " ".join(words).lower()
    if whole in BY_NAME:
        return Help(whole if len(topics(whole)) == 1 else words[0].lower())
    found = topics(words[0])
    if not found:
        low = words[0].lower()
        suggestion = f"rules {low}" if len(words) == 1 and low in arguments.rule_words() else ""
        template = _("'{word}' is no command: help goes with the first word of one, or alone for the list of all")
        raise said(words[0], template, suggestion)
    if len(words) > 1:
        raise said(words[1], _("'{word}' is too much: help takes one command"))
    return Help(found[0].name if len(found) == 1 else found[0].word)


def fits(words: Sequence[str]) -> str:
    """The words as a line, if they are a command; else nothing."""
    if not words:
        return ""
    try:
        command = strict(words)
    except Unfit:
        return ""
    return " ".join(words).replace(" > ", ">") if command is not None else ""


def beginning_that_fits(words: Sequence[str]) -> str:
    """The longest beginning of a line, of two words or more, that is a command."""
    beginnings = (fits(words[:end]) for end in range(len(words) - 1, 1, -1))
    return next(filter(None, beginnings), "")

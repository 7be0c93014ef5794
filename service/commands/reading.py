"""One line of a person's own text: a command, a mistake, or none of our business.

The order is: texts (``say``, ``note``, ``name``), then the notation, then the table, whose commands may be cut short.
What fits neither is a mistake only if it was meant as a command: its first word is one (or one slip from it), and the
rest is mostly made of words that could stand there. Everything else is prose, and people write a lot of it:
``Catch you later``, ``3, impasse des Tanneurs``, ``Board looks great``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.lines import quote
from service.commands import slips, standing
from service.commands.arguments import Unfit
from service.commands.guessing import put_right
from service.commands.model import Command, Mistake, Note, Say, Setting
from service.commands.strict import CODE, NUMBER, beginning_that_fits, strict
from service.commands.table import BY_WORD, NOTATION
from service.commands.text import LONGEST_LINE, LONGEST_TEXT, tidy, unquoted, words_of
from service.commands.times import DAY_NAMES, span
from service.i18n import gettext as _
from service.i18n import marked
from service.i18n.dates import listed

#: As long as a text may be (service.usecases.words).
LONGEST_SAID: Final = 2000
#: Longer than any name: a sentence about names.
_LONGEST_NAME: Final = 40
_TEXT: Final = re.compile(r"(?:(say)(?::\s*|\s+)|(note|name)\s+)(?=\S)(.*)", re.IGNORECASE | re.DOTALL)
_ASKED: Final = re.compile(r"\A(?:(?:please|pls|plz|bitte)[\s,:]+)+(?=\S)", re.IGNORECASE)
#: Commands whose first argument is already a sure sign: ``catch purple, that will teach him``.
_TELLING: Final = frozenset({"catch", "bribe", "away", "digest", "join"})
#: Commands whose beginning is a sure sign, if it fits.
_SURE: Final = _TELLING | {"order", "plan", "night"}
#: Words that people end a mail with, or begin a sentence: alone they are no command cut short.
_ALONE: Final = frozenset({"night", "days"})
_BETWEEN_HOURS: Final = slips.several("from to until till - am pm h")
#: What else may come after them in a sentence.
_COMMON: Final = slips.several(
    "a all and any her him his in it later me my now off on or some soon that the them this today tomorrow up us we "
    "with you your"
)
_HINTS: Final = {
    "quit": ("resign", marked("'quit' is no command: resign gives a game up, and leave a seat before the start")),
    "concede": ("resign", marked("'concede' is no command: resign gives a game up")),
    "undo": ("", marked("'undo' is no command: a move cannot be taken back")),
    "pass": ("stop", marked("'pass' is no command: stop ends the turn without a second knight")),
    "chamber": (
        "",
        marked("'chamber' is no space a knight can leave; a move names where the knight stands, not where it goes"),
    ),
    "extend": ("vote extend", marked("'extend' is no command: vote extend asks for more time for whoever is to move")),
    "moves": ("status", marked("'moves' is no command: status shows the game with the list of what you may do")),
    "commands": ("help", marked("'commands' is no command: help lists them all")),
}


def read_line(text: str) -> Command | Mistake | None:
    """What a line says: a command, a mistake in one (with what was probably meant), or None, as it is prose."""
    line = unquoted(tidy(text))
    if not line or line.startswith(">") or len(line) > LONGEST_TEXT:
        return None
    spoken = _spoken(line)
    if spoken is not None:
        return spoken
    if len(line) > LONGEST_LINE:
        return None
    line = _ASKED.sub("", line)
    words = words_of(line)
    if not words:
        return None
    while len(words) > 1 and words[-1].lower() in slips.POLITE:
        words = words[:-1]
    always = words[0].lower() == "always"
    words = list(standing.told_plainly(words))
    wrong: Unfit | None = None
    try:
        command = strict(words, line)
        if command is not None:
            return command
    except Unfit as unfit:
        wrong = unfit
    mistake = _mistake(words, line, wrong)
    # "Always catch the bus" is a good rule; only what is nearly an order is taken for one.
    return None if always and isinstance(mistake, Mistake) and not mistake.suggestion else mistake


def _spoken(line: str) -> Command | Mistake | None:
    found = _TEXT.fullmatch(line)
    if found is None:
        return None
    word, text = (found[1] or found[2]).lower(), found[3].strip()
    if word == "name" and len(text) > _LONGEST_NAME:
        return None
    if len(text) > LONGEST_SAID:
        told = _("'{word}' goes with at most {most} characters; these are {number}")
        return Mistake(word, told.format(word=word, most=LONGEST_SAID, number=len(text)))
    if word == "name":
        return Setting("name", text)
    return Say(text) if word == "say" else Note(text)


def _mistake(words: Sequence[str], line: str, wrong: Unfit | None) -> Command | Mistake | None:
    if len(words) == 1 and words[0].lower() in _HINTS:
        suggestion, message = _HINTS[words[0].lower()]
        return Mistake(words[0], _(message), suggestion)
    if wrong is not None and wrong.suggestion:
        return Mistake(wrong.word, wrong.message, wrong.suggestion)
    suggestion = put_right(words, line, known=wrong is not None)
    if wrong is not None and wrong.otherwise is not None and not suggestion:
        return wrong.otherwise
    if suggestion and wrong is None:
        return Mistake(quote(words[0]), _("'{word}' is no command").format(word=quote(words[0])), suggestion)
    if wrong is None:
        return _ambiguous(words)
    if wrong.sure:
        return Mistake(wrong.word, wrong.message, suggestion)
    if suggestion or (len(words) == 1 and words[0].lower() not in _ALONE) or _weight(words) > 0:
        first = words[0].lower()
        if not suggestion and first != "new" and (first == "away" or not wrong.word.isdecimal()):
            suggestion = beginning_that_fits(words)
        return Mistake(wrong.word, wrong.bare if suggestion else wrong.message, suggestion)
    return None


def _ambiguous(words: Sequence[str]) -> Mistake | None:
    low = words[0].lower()
    names = [word for word in BY_WORD if word.startswith(low)]
    if len(words) > 1 or len(low) < 3 or len(names) < 2:
        return None
    told = _("'{word}' may be {names}: write a letter more")
    return Mistake(quote(words[0]), told.format(word=quote(words[0]), names=listed(names, "or")))


def _weight(words: Sequence[str]) -> int:
    """How much of a line whose first word is a command's speaks for a command; above 0 it was meant as one."""
    first, rest = words[0].lower(), words[1:]
    if NUMBER.fullmatch(first) and not _move_follows(rest):
        return _weight_of_numbers(words)
    codes = sum(bool(CODE.fullmatch(word.lower())) for word in words)
    if codes > 1 or (first in _SURE and beginning_that_fits(words)):
        return 1
    if NUMBER.fullmatch(first):
        return _weight_of_numbers(words)
    if first == "new":
        return int(rest[0][0].isdecimal() and all(word.lower() in BY_WORD["new"].keywords for word in rest[1:2]))
    if not _begins_like_one(first, rest):
        return 0
    weight = 2 if CODE.fullmatch(first) else 1
    for word in rest:
        weight += _weight_of(word, first)
    if first in _TELLING and len(rest) == 1 and rest[0].islower() and rest[0] not in _COMMON and first != "away":
        weight += 1
    return weight


def _begins_like_one(first: str, rest: Sequence[str]) -> bool:
    """Whether what follows a word that begins many sentences is what has to follow it in a command."""
    low = [word.lower() for word in rest] or [""]
    match first:
        case "order":
            return any(word in standing.KINDS or slips.meant(word, standing.KINDS) for word in low[:2])
        case "plan":
            return any(CODE.fullmatch(word) for word in low) or (len(low) == 1 and low[0].isdecimal())
        case "night":
            return all(word[:1].isdecimal() or word in _BETWEEN_HOURS for word in low)
        case "days":
            return low[0] == "off" and all(word in DAY_NAMES or slips.meant(word, DAY_NAMES) for word in low[1:])
    return True


def _move_follows(rest: Sequence[str]) -> bool:
    """``3 - t1 m3``: whether what comes after a number could be the row of the list."""
    word = next((word.lower().lstrip("(") for word in rest if any(char.isalnum() for char in word)), "")
    return word in NOTATION or CODE.fullmatch(word) is not None


def _weight_of_numbers(words: Sequence[str]) -> int:
    """``3 4`` are two rows of the list at once; longer ones are telephones."""
    return 1 if len(words) == 2 and all(re.fullmatch("[0-9]{1,2}", word) for word in words) else 0


def _weight_of(word: str, first: str) -> int:
    low = word.lower()
    notation = first not in BY_WORD
    known = (*NOTATION, *_phrases_of(first)) if notation or first == "plan" else BY_WORD[first].keywords
    if low in known or slips.meant(low, known) is not None:
        return 1
    if CODE.fullmatch(low) or span([low]) is not None:
        return 1
    if re.fullmatch("[0-9]+[a-z]{1,2}", low):
        return 1 if first == "away" else -1
    if low == "at" and first in ("bribe", "catch"):
        return 0
    if low.isdecimal():
        return -1 if notation and first not in ("bribe", "catch") else 0
    if not any(char.isalnum() for char in low):
        return 0
    return -2 if word[0].isupper() else -1


def _phrases_of(first: str) -> Sequence[str]:
    if first in ("bribe", "catch"):
        return [word for word in standing.PHRASES if len(word) > 2]
    return standing.IN_PLANS if first == "plan" else ()

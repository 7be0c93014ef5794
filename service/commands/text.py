"""A line as people and their machines write it, made plain: what is read as a command, and what is kept as typed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

#: Longer than any command that is not a text (engine lines, a new game with five invitations): what is longer is prose.
LONGEST_LINE: Final = 500
#: The longest line looked at in full; what people may say is shorter.
LONGEST_TEXT: Final = 20_000

_QUOTES: Final = "\"'`´*_“”„‟‚‘’‛«»‹›「」『』"
_BULLETS: Final = re.compile(r"^(?:[-–—•·]\s+)+")
_ENDS: Final = ".!?…,;"
#: Joins emoji and the letters of some scripts: of use in a text, never in a command.
_JOINERS: Final = "\u200c\u200d"
_KEYCAP: Final = re.compile("[\ufe0e\ufe0f\u20e3]")
_DASHES: Final = re.compile("[\u2010-\u2015\u2212]")


def tidy(text: str) -> str:
    """One line without what cannot be seen (control and format characters); everything else as typed."""
    shown = "".join(_seen(char) for char in text[: LONGEST_TEXT + 1])
    return shown.strip()


def _seen(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp", "Cs"):
        return " "
    if category == "Cf" and char not in _JOINERS:
        return ""
    return " " if category == "Zs" else char


def unquoted(line: str) -> str:
    """The line without a bullet before it and quotes, asterisks or backticks around the whole of it."""
    line = _BULLETS.sub("", line)
    while len(line) > 1 and line[0] in _QUOTES and line[-1] in _QUOTES:
        line = line[1:-1].strip()
    return line


def words_of(line: str) -> list[str]:
    """The words of a line that is no text: full-width signs made plain, ends without stops, quotes and pictures.

    Commas part words as spaces do; a word of signs alone counts only between others (``catch purple > yellow``).
    """
    plain = _DASHES.sub("-", _KEYCAP.sub("", unicodedata.normalize("NFKC", _KEYCAP.sub("", line))))
    for joiner in _JOINERS:
        plain = plain.replace(joiner, "")
    words = [_bare(word) for word in re.split(r"[\s,]+", plain)]
    words = [word for word in words if word]
    while words and _is_picture(words[-1]):
        words.pop()
    return words


def _bare(word: str) -> str:
    """A word without quotes around it and stops after it; of ``#3``, ``3.`` and ``(3)`` the number."""
    kept = word.strip(_QUOTES)
    number = re.fullmatch(r"[#(]{0,2}([0-9]+)[.):!]{0,2}", kept)
    if number is not None:
        return number[1]
    return kept.strip(_QUOTES + _ENDS) if any(char.isalnum() for char in kept) else kept


def _is_picture(word: str) -> bool:
    """An emoji, a smiley, a dash: nothing that changes what stands before it, as the € of a price does."""
    return word != ">" and not any(char.isalnum() or unicodedata.category(char) == "Sc" for char in word)

"""A whole line that is no command, put right: what was probably meant, checked by the strict reader."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.board import SPACES
from service.commands import slips
from service.commands.arguments import Unfit
from service.commands.strict import CODE, NUMBER, fits, strict
from service.commands.table import BY_WORD, NOTATION, TEXTS, by_prefix
from service.commands.text import words_of


def put_right(words: Sequence[str], line: str, *, known: bool) -> str:
    """The line as it was probably meant; empty if that is anyone's guess."""
    first, rest = words[0].lower().rstrip(":"), words[1:]
    if known or first in NOTATION:
        if first in NOTATION or CODE.fullmatch(first):
            words = " ".join(words).replace(">", " > ").split()
            plain = slips.notation(words, phrases=False)
            return fits(slips.notation(words)) or fits(plain) or fits(slips.colors(words))
        if first == "new":
            return _new_game(line)
        if NUMBER.fullmatch(first):
            return _number_with_more(first, rest)
        return fits([first, *slips.arguments_of(BY_WORD[first], rest)])
    if first == "if":
        return fits(["plan", *words]) or fits(["plan", *slips.plan(words)])
    if first in ("my", "i") and rest and rest[0].lower().rstrip(":") in slips.BEFORE_A_MOVE:
        first, rest = rest[0].lower().rstrip(":"), rest[1:]
    if first in slips.BEFORE_A_MOVE and rest:
        plain = slips.notation(rest)
        return fits(plain) if plain and (plain[0] in NOTATION or plain[0].isdecimal()) else ""
    if first in slips.BEFORE_A_COMMAND and rest:
        return fits(rest)
    glued = slips.notation(words)
    spaces = (
        (len(words) > 1 or not first.isalnum()) and glued[:1] != [first] and any(word in SPACES for word in glued[:1])
    )
    if len(glued) > len(words) or spaces:
        return fits(glued)
    return _parted(first, rest) or _slipped(words, line)


def _parted(first: str, rest: Sequence[str]) -> str:
    """``away5d``: a space is missing."""
    parts = slips.parted(first)
    if parts is None or parts[0] in TEXTS:
        return ""
    return fits([parts[0], *slips.arguments_of(BY_WORD[parts[0]], [parts[1], *rest])])


def _slipped(words: Sequence[str], line: str) -> str:
    first, rest = words[0], words[1:]
    spoken = slips.texts_meant(first)
    if spoken is not None and rest:
        return f"{spoken} {line.split(None, 1)[1]}"
    meant = slips.entry_meant(first, alone=not rest)
    prefixed = by_prefix(first.lower())
    if meant is None and prefixed is not None and rest:
        meant = prefixed.word
    if meant is None:
        return ""
    if meant in NOTATION:
        return fits(slips.notation([meant, *rest])) or fits(slips.notation([meant, *rest], phrases=False))
    if meant == "new":
        return _new_game(line)
    right = slips.arguments_of(BY_WORD[meant], rest)
    return fits([meant, *right]) if bool(right) == bool(rest) else ""


def _new_game(line: str) -> str:
    """``new game``, ``nwe three seats with Robin``: put right up to the names, which are anybody's."""
    before, with_, names = (*re.split(r"\s(with)\s", line, maxsplit=1, flags=re.IGNORECASE), "", "")[:3]
    right = slips.arguments_of(BY_WORD["new"], words_of(before)[1:])
    if not right or not right[0][0].isdecimal():
        right = ["3", "seats", *right]
    whole = " ".join(["new", *right, *([with_, names] if names else [])])
    try:
        strict(["new"], whole)
    except Unfit:
        return ""
    return whole


def _number_with_more(first: str, rest: Sequence[str]) -> str:
    """``3) t1 m3``: a row of the list, copied whole."""
    return first if rest[0].lower() in NOTATION and fits(slips.notation(rest)) else ""

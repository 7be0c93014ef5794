"""Slips of the finger: which word was meant, and arguments put right word by word; whole lines in ``guessing``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, Literal

from engine.board import COLORS, SPACES
from engine.cards import CARD_KINDS
from service.commands import arguments
from service.commands.arguments import NUMBERS
from service.commands.standing import IN_PLANS, KINDS, PHRASES
from service.commands.table import BY_WORD, NOTATION, TEXTS, Entry

Slip = Literal["swapped", "doubled", "missing", "extra", "other"]


def several(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())


#: Words between words that mean nothing to us: ``catch the purple knight``.
FILLERS: Final = several(
    "the a an my with and then & + / knight knights card cards from at move moves play take also please now game games "
    "invitation invite me mail mails seat show get give und et y"
)
#: What people put before a move: ``play t1``, ``option 3``.
BEFORE_A_MOVE: Final = several("move moves play take option number no nr action choose pick answer")
#: What people put before any other command: ``show board``.
BEFORE_A_COMMAND: Final = several("show get see view")
#: What may follow any command and changes nothing.
POLITE: Final = several("please pls plz thanks thx ty bitte danke merci")
_ARROWS: Final = frozenset({">", "->", "=>", "→", "to", "-", "-->"})
_GLUED: Final = re.compile("(?:" + "|".join(sorted(NOTATION, key=len, reverse=True)) + ")")
_LIKE_DIGITS: Final = str.maketrans({"l": "1", "i": "1", "|": "1", "o": "0"})


def slip(word: str, meant: str) -> Slip | None:
    """How ``word`` is one slip away from ``meant``; None if it is not, or is the same. Both in lower case."""
    if abs(len(word) - len(meant)) > 1 or word == meant:
        return None
    start = 0
    while start < min(len(word), len(meant)) and word[start] == meant[start]:
        start += 1
    rest, wanted = word[start:], meant[start:]
    if rest[1:] == wanted:
        return "doubled" if start and word[start] == word[start - 1] else "extra"
    if rest == wanted[1:]:
        return "missing"
    if rest[:2] == wanted[:2][::-1] and rest[2:] == wanted[2:]:
        return "swapped"
    return "other" if rest[1:] == wanted[1:] else None


def meant(word: str, known: Iterable[str]) -> str | None:
    """The one of ``known`` that an argument probably was: one slip away, a beginning of it, or much like it."""
    low, words = word.lower(), tuple(known)
    if len(low) < 2:
        return None
    ranks: dict[Slip, int] = {"doubled": 0, "swapped": 1, "missing": 2, "extra": 3, "other": 4}
    # Of two letters (on) only a doubled one is clear: swapped they are another word.
    slips = [
        (ranks[kind], other) for other in words if (kind := slip(low, other)) and (len(other) > 2 or kind == "doubled")
    ]
    if slips:
        return min(slips)[1]
    beginning = [other for other in words if len(low) > 2 and other.startswith(low)]
    if len(beginning) == 1:
        return beginning[0]
    near = get_close_matches(low, words, n=1, cutoff=0.8) if 5 < len(low) < 40 else []
    return near[0] if near else None


#: One slip from a command, and words of their own.
_OTHER_WORDS: Final = several("day pays peace place pack page pact")


def entry_meant(word: str, *, alone: bool) -> str | None:
    """The command or word of the notation that the first word of a line probably was.

    Alone in its line it may be somebody's name below a letter (Golda, James, Lea), so the slip has to be a clear one:
    swapped or doubled letters, or one of a longer word, its first letter right.
    """
    low = word.lower()
    candidates = (*BY_WORD, *(name for name in NOTATION if name not in SPACES or name == "hall"))
    found = [(kind, other) for other in candidates if (kind := slip(low, other)) and low not in _OTHER_WORDS]
    sure = [other for kind, other in found if kind in ("swapped", "doubled")]
    if sure:
        return sure[0]
    if alone:
        enough = 6 if word[:1].isupper() and not word.isupper() else 4
        clear = [other for _, other in found if len(low) >= enough and len(other) > 3 and other[0] == low[0]]
        return clear[0] if clear else _beginning(low, 4)
    likely = [other for _, other in found if other not in TEXTS]
    return likely[0] if likely else _beginning(low, 3)


def _beginning(low: str, least: int) -> str | None:
    found = [name for name in NOTATION if len(name) > len(low) >= least and name.startswith(low)]
    return found[0] if len(found) == 1 else None


def texts_meant(word: str) -> str | None:
    """``say``, ``note`` or ``name``, if their letters are swapped or doubled: others make words (day, not)."""
    low = word.lower()
    return next((name for name in TEXTS if slip(low, name) in ("swapped", "doubled")), None)


def notation(words: Sequence[str], *, phrases: bool = True) -> list[str]:
    """A line of the notation put right, word by word; what nobody can guess stays.

    ``phrases``: after ``bribe`` and ``catch``, words like ``at`` and ``me`` are theirs, and are not skipped.
    """
    right: list[str] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        low = word.lower().rstrip(":")
        phrase = phrases and _in_phrase(right)
        if low in NOTATION or low.isdecimal() or (low == ">" and right and right[-1] not in SPACES):
            right.append(low)
        elif low in _ARROWS and right and right[-1] in SPACES:
            _drop_target(rest)
        elif low in "tmc" and rest and _space(low + rest[-1].lower()):
            right.append(_space(low + rest.pop().lower()) or "")
        elif glued := _unglued(low):
            right += glued
        elif space := _space(low):
            right.append(space)
        elif low in NUMBERS and right[-1:] in (["bribe"], ["most"], ["have"]):
            right.append(NUMBERS[low])
        elif phrase and low in PHRASES:
            right.append(low)
        elif low not in FILLERS:
            known = (*NOTATION, *(other for other in PHRASES if len(other) > 2)) if phrase else NOTATION
            right.append(meant(low, known) or word)
    return right


def _in_phrase(right: Sequence[str]) -> bool:
    """Whether the last of these words say how to bribe or whom to catch."""
    ends = {*SPACES, *CARD_KINDS, "stop", "surrender"}
    return next((word not in ends for word in reversed(right) if word in ends or word in ("bribe", "catch")), False)


def order(words: Sequence[str]) -> list[str]:
    """The words after ``order`` put right."""
    kind = words[0].lower() if words else ""
    kind = kind if kind in KINDS else meant(kind, KINDS) or ""
    if not kind or kind == "plan":
        return [kind, *plan(words[1:])] if kind else list(words)
    rest = [word for word in words[1:] if word.lower() not in ("max", "maximum")]
    right = notation([kind, *rest])
    if len(right) == 2 and right[1].isdecimal():
        return [kind, "at", "most", right[1]]  # a card that is in the hand today is none for ever
    return right


def plan(words: Sequence[str]) -> list[str]:
    """The words of a plan put right."""
    known = (*NOTATION, *IN_PLANS, "and")
    right: list[str] = []
    for word in words:
        low = word.lower().rstrip(":")
        if low in known or low in ("to", *PHRASES) or low.isdecimal():
            right.append(low)
        else:
            right += _unglued(low) or [_space(low) or meant(low, known) or word]
    return right


def _drop_target(rest: list[str]) -> None:
    """``t1 to m3``: where the knight goes is not said."""
    if rest and rest[-1].lower() in (">", "-"):
        rest.pop()
    if rest and rest[-1].lower() in (*SPACES, "chamber"):
        rest.pop()


def _unglued(low: str) -> list[str]:
    """``t1m3``, ``catchpurple``, ``bribe2``: the words, if it is made of nothing else."""
    number = re.fullmatch("bribe([1-5])", low)
    if number:
        return ["bribe", number[1]]
    plain = re.sub("[-/+]", "", low)
    parts = _GLUED.findall(plain)
    if re.fullmatch(r"[tmc][1-9][->/+]+[tmc][1-9]", low) and re.search("[->]", low):
        return parts[:1]
    return parts if len(parts) > 1 and "".join(parts) == plain else []


def _space(low: str) -> str | None:
    """``tl``, ``t-1``, ``t01``: the space that was meant."""
    plain = low[:1] + low[1:].translate(_LIKE_DIGITS).lstrip("-.:0")
    return plain if plain in SPACES and plain != low else (plain if low in SPACES else None)


def colors(words: Sequence[str]) -> list[str]:
    """A line of colours alone answers whom to catch."""
    named = [word for word in notation(words) if word != ">"]
    return ["catch", ">".join(named)] if named and all(word in COLORS for word in named) else []


def arguments_of(entry: Entry, words: Sequence[str]) -> list[str]:
    """The arguments of a command put right, word by word."""
    if entry.word == "order":
        return order(words)
    if entry.word == "plan":
        return plan(words)
    known = [*entry.keywords]
    if entry.name == "rules":
        known += arguments.rule_words()
    if entry.name == "new":
        known += ["player"]
    if entry.name == "help":
        known += [*BY_WORD, *NOTATION]
    right: list[str] = []
    for word in words:
        low = word.lower().rstrip(":")
        digits = low.translate(_LIKE_DIGITS)
        if low in known or low.isdecimal():
            right.append(low)
        elif low in FILLERS:
            continue
        elif low in NUMBERS:
            right.append(NUMBERS[low])
        elif re.fullmatch("[0-9]+[dhw]?", digits) and any(char.isdecimal() for char in low):
            right.append(digits)
        else:
            right.append(meant(low, known) or word)
    return right


def parted(word: str) -> tuple[str, str] | None:
    """``historyl2``, ``away5d``: the command and what is glued to it."""
    low = word.lower()
    for name in sorted(BY_WORD, key=len, reverse=True):
        if low.startswith(name) and len(low) > len(name):
            return name, low[len(name) :]
    return None

"""The words of the notation (docs/RECORD.md): one action to words, and a line of words taken apart.

Nothing here looks at a position; engine.notation plays what was read.
"""

import difflib
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.actions import Action, Bribe, Catch, Move, Take
from engine.board import COLOR_INDEX, COLORS, SPACE_INDEX, SPACES
from engine.cards import CARD_KINDS, GEM, GOLD
from engine.errors import NotationError


def action_notation(action: Action, players: int) -> str:
    """An action in the words of the notation; with two players the colour of a knight is always said."""
    if isinstance(action, Move):
        space = SPACES[action.source]
        return f"{COLORS[action.color]} {space}" if players == 2 else space
    if isinstance(action, Take):
        return CARD_KINDS[action.kind]
    if isinstance(action, Catch):
        return f"catch {COLORS[action.color]}"
    if isinstance(action, Bribe):
        return f"bribe {action.gold}"
    return action.do


class Words(NamedTuple):
    """A line, parsed: knights in order as (colour or None, space), and what was said for later.

    ``card`` is a kind or None, ``catch`` the colours wanted, in order; ``bribe`` a value, ``lowest``,
    ``highest`` or None; ``number`` the place in the list of legal actions, from 1.
    """

    moves: tuple[tuple[int | None, int], ...]
    stop: bool
    card: int | None
    catch: tuple[int, ...]
    bribe: int | str | None
    surrender: bool
    number: int | None


_HINTS: Final = (*SPACES, *COLORS, *CARD_KINDS, "stop", "catch", "bribe", "lowest", "highest", "surrender")


def parse_line(text: str) -> Words:
    """Read a line without looking at any position.

    Raises NotationError, quoting the word that does not fit and saying what would.
    """
    words = re.sub(r"\s*>\s*", ">", re.sub(r"[\s,]+", " ", text)).strip().split(" ")
    if words == [""]:
        raise NotationError("", "there is nothing in this line; a move is the space a knight stands on, like t1")
    number = re.fullmatch(r"#?([0-9]{1,3})[.)]?", words[0])
    if number and len(words) == 1:
        return Words((), False, None, (), None, False, int(number[1]))
    return _Parser(words).parse()


class _Parser:
    """Reads words from left to right; each kind of word may come once, spaces twice."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._moves: list[tuple[int | None, int]] = []
        self._stop = False
        self._card: int | None = None
        self._catch: tuple[int, ...] = ()
        self._bribe: int | str | None = None
        self._surrender = False

    def parse(self) -> Words:
        while self._words:
            self._word(self._words.pop(0))
        return Words(tuple(self._moves), self._stop, self._card, self._catch, self._bribe, self._surrender, None)

    def _word(self, word: str) -> None:
        low = word.lower()
        if low in SPACE_INDEX:
            self._move(word, None, SPACE_INDEX[low])
        elif low in COLOR_INDEX:
            space = self._next(word, "after a colour comes the space of its knight, like orange t1")
            if space.lower() not in SPACE_INDEX:
                raise unknown(space, tuple(SPACES), "a space")
            self._move(f"{word} {space}", COLOR_INDEX[low], SPACE_INDEX[space.lower()])
        elif low == "stop":
            self._once(word, self._stop)
            self._stop = True
        elif low in CARD_KINDS:
            self._once(word, self._card is not None)
            self._card = GOLD if low == "gold" else GEM
        elif low == "catch":
            self._once(word, bool(self._catch))
            wanted = self._next(word, "after catch come one or more colours, like catch purple>yellow")
            self._catch = tuple(self._color(name) for name in wanted.split(">"))
        elif low == "bribe":
            self._once(word, self._bribe is not None or self._surrender)
            self._bribe = self._gold(self._next(word, "after bribe comes a number from 1 to 5, lowest or highest"))
        elif low == "surrender":
            self._once(word, self._surrender or self._bribe is not None)
            self._surrender = True
        else:
            raise unknown(word, _HINTS, "a word of the notation")

    def _move(self, word: str, color: int | None, space: int) -> None:
        if self._stop:
            raise NotationError(word, f"'{_quote(word)}' comes after stop, which ends the turn")
        if len(self._moves) == 2:
            raise NotationError(word, f"'{_quote(word)}' would be a third knight; a turn moves one or two (R-MOVE-1)")
        self._moves.append((color, space))

    def _next(self, word: str, missing: str) -> str:
        if not self._words:
            raise NotationError(word, missing)
        return self._words.pop(0)

    def _once(self, word: str, said: bool) -> None:
        if said:
            raise NotationError(word, f"'{_quote(word)}' contradicts or repeats what the line says before")

    def _color(self, name: str) -> int:
        if name.lower() not in COLOR_INDEX:
            raise unknown(name, COLORS, "a colour")
        return COLOR_INDEX[name.lower()]

    def _gold(self, word: str) -> int | str:
        if re.fullmatch("[1-5]", word):
            return int(word)
        if word.lower() in ("lowest", "highest"):
            return word.lower()
        raise unknown(word, ("1", "2", "3", "4", "5", "lowest", "highest"), "what can be given to the dragon")


def unknown(word: str, known: Sequence[str], what: str) -> NotationError:
    """The refusal of a word nobody knows, with the nearest one that is known."""
    near = difflib.get_close_matches(word.lower(), known, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else f"; known are {', '.join(known)}"
    return NotationError(word, f"'{_quote(word)}' is not {what}{hint}")


def _quote(word: str) -> str:
    return word if len(word) <= 40 else word[:37] + "..."

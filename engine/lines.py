"""The words of the notation (docs/RECORD.md): one action to words, and a line of words taken apart.

Nothing here looks at a position; engine.notation plays what was read.
"""

import difflib
import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

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


class KnightWords(NamedTuple):
    """A knight that shall move: the words as written, its colour if it was said, the space it leaves."""

    words: str
    color: int | None
    space: int


class CardWords(NamedTuple):
    """Which kind of card to take, GOLD or GEM."""

    words: str
    kind: int


class CatchWords(NamedTuple):
    """Whom the dragon shall catch: colours, the most wanted first."""

    words: str
    colors: tuple[int, ...]


class AnswerWords(NamedTuple):
    """What to tell the dragon: a gold value, one end of the hand, or that the knight is given up."""

    words: str
    answer: int | Literal["lowest", "highest", "surrender"]


class Words(NamedTuple):
    """A line, parsed: knights in order, and what was said for later. None is what was not said."""

    knights: tuple[KnightWords, ...]
    stop: str | None
    card: CardWords | None
    catch: CatchWords | None
    answer: AnswerWords | None


_HINTS: Final = (*SPACES, *COLORS, *CARD_KINDS, "stop", "catch", "bribe", "lowest", "highest", "surrender")
_SPACES: Final = "t1 to t4, hall, m1 to m6, c1 to c9"
_ALL: Final = f"a line is made of spaces ({_SPACES}), colours, gold, gem, stop, catch, bribe and surrender"
_LONGEST_QUOTE: Final = 40


def parse_line(text: str) -> Words | int:
    """Read a line without looking at any position; a line that is only a number gives that number.

    Raises NotationError, quoting the word that does not fit and saying what would.
    """
    words = re.sub(r"[\s,]+", " ", text.replace(">", " > ")).strip().split(" ")
    if words == [""]:
        raise NotationError("", "there is nothing in this line; a move is the space a knight stands on, like t1")
    number = re.fullmatch(r"#?([0-9]{1,9})[.)]?", words[0])
    if number and len(words) == 1:
        return int(number[1])
    return _Parser(words).parse()


class _Parser:
    """Reads words from left to right; each kind of word may come once, knights twice."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(reversed(words))
        self._knights: list[KnightWords] = []
        self._stop: str | None = None
        self._card: CardWords | None = None
        self._catch: CatchWords | None = None
        self._answer: AnswerWords | None = None

    def parse(self) -> Words:
        while self._words:
            self._word(self._words.pop())
        return Words(tuple(self._knights), self._stop, self._card, self._catch, self._answer)

    def _word(self, word: str) -> None:
        low = word.lower()
        if low in SPACE_INDEX:
            self._knight(word, None, SPACE_INDEX[low])
        elif low in COLOR_INDEX:
            space = self._next(word, f"after a colour comes the space of its knight, like {low} t1")
            if space.lower() not in SPACE_INDEX:
                raise _unknown(space, SPACES, f"no space, and after {low} comes one: {_SPACES}")
            self._knight(f"{word} {space}", COLOR_INDEX[low], SPACE_INDEX[space.lower()])
        elif low == "stop":
            self._once(word, self._stop)
            self._stop = word
        elif low in CARD_KINDS:
            self._once(word, self._card and self._card.words)
            self._card = CardWords(word, GOLD if low == "gold" else GEM)
        elif low == "catch":
            self._once(word, self._catch and self._catch.words)
            self._catch = self._colors(word)
        elif low == "bribe":
            self._once(word, self._answer and self._answer.words)
            gold = self._next(word, "after bribe comes a number from 1 to 5, lowest or highest")
            self._answer = AnswerWords(f"{word} {gold}", _gold(gold))
        elif low == "surrender":
            self._once(word, self._answer and self._answer.words)
            self._answer = AnswerWords(word, "surrender")
        else:
            raise _no_word(word)

    def _knight(self, words: str, color: int | None, space: int) -> None:
        if self._stop is not None:
            raise _wrong(words, "comes after stop, which ends the turn (R-MOVE-1)")
        if len(self._knights) == 2:
            raise _wrong(words, "would be a third knight; a turn moves one or two (R-MOVE-1)")
        self._knights.append(KnightWords(words, color, space))

    def _colors(self, word: str) -> CatchWords:
        """The colours after ``catch``: with ``>`` between them, or simply one after the other."""
        said = [self._color(word)]
        while self._words:
            if self._words[-1] == ">":
                self._words.pop()
            elif self._words[-1].lower() not in COLOR_INDEX or self._space_follows():
                break
            said.append(self._color(word))
        return CatchWords(f"{word} {'>'.join(said)}", tuple(COLOR_INDEX[name.lower()] for name in said))

    def _color(self, word: str) -> str:
        name = self._next(word, "after catch come one or more colours, like catch purple>yellow")
        if name.lower() not in COLOR_INDEX:
            raise _unknown(name, COLORS, f"no colour, and after catch come colours: {', '.join(COLORS)}")
        return name

    def _space_follows(self) -> bool:
        """Whether the coming word is the colour of a knight that moves, and not of one to catch."""
        return len(self._words) > 1 and self._words[-2].lower() in SPACE_INDEX

    def _next(self, word: str, missing: str) -> str:
        if not self._words:
            raise _wrong(word, f"is not all: {missing}")
        return self._words.pop()

    def _once(self, word: str, before: str | None) -> None:
        if before is not None:
            raise _wrong(word, f"contradicts or repeats '{quote(before)}', which the line says before")


def _gold(word: str) -> int | Literal["lowest", "highest"]:
    if re.fullmatch("[1-5]", word):
        return int(word)
    low = word.lower()
    if low == "lowest":
        return "lowest"
    if low == "highest":
        return "highest"
    raise _unknown(word, ("lowest", "highest"), "no gold card: bribe goes with a number from 1 to 5, lowest or highest")


def _no_word(word: str) -> NotationError:
    if re.fullmatch(r"#?[0-9]+[.)]?", word):
        return _wrong(word, "is a number: one from the list of legal actions stands alone in its line")
    if word.lower() in ("chamber", "nest"):
        return _wrong(word, "is no space a knight can leave; a move names where the knight stands, not where it goes")
    return _unknown(word, _HINTS, f"no word of the notation; {_ALL}")


def _unknown(word: str, known: Sequence[str], what: str) -> NotationError:
    """The refusal of a word nobody knows, with the nearest one that is known."""
    near = difflib.get_close_matches(word.lower()[:_LONGEST_QUOTE], known, n=1)
    return _wrong(word, f"is {what}" + (f"; did you mean '{near[0]}'?" if near else ""))


def _wrong(word: str, what: str) -> NotationError:
    return NotationError(quote(word), f"'{quote(word)}' {what}")


def quote(words: str) -> str:
    """Words as they can be shown again: not endless, and without what would disturb a terminal."""
    shown = "".join(char if char.isprintable() else "?" for char in words[: _LONGEST_QUOTE + 1])
    return shown if len(shown) <= _LONGEST_QUOTE else shown[: _LONGEST_QUOTE - 3] + "..."

"""The words of the notation (docs/RECORD.md): one action to words, and a line of words taken apart.

Nothing here looks at a position; engine.notation plays what was read.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.actions import Action, Bribe, Catch, Move, Take
from engine.board import COLOR_INDEX, COLORS, SPACE_INDEX, SPACES
from engine.cards import CARD_KINDS, GEM, GOLD
from engine.errors import NotationError
from engine.orders import BribeOrder, CatchOrder, read_bribe, read_catch
from engine.reading import Reader, split_words, unknown, wrong
from engine.reading import quote as quote
from engine.sentences import Sentence, chain


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
    """Whom the dragon shall catch; None: that shall be asked, whatever the standing orders say."""

    words: str
    order: CatchOrder | None


class AnswerWords(NamedTuple):
    """What to tell the dragon: exactly this gold card, or an order; None: that shall be asked, as with a catch."""

    words: str
    answer: int | BribeOrder | None


class Words(NamedTuple):
    """A line, parsed: knights in order, and what was said for later. None is what was not said."""

    knights: tuple[KnightWords, ...]
    stop: str | None
    card: CardWords | None
    catch: CatchWords | None
    answer: AnswerWords | None


_HINTS: Final = (*SPACES, *COLORS, *CARD_KINDS, "stop", "catch", "bribe", "lowest", "highest", "surrender", "leader")
_SPACES: Final = Sentence("t1 to t4, hall, m1 to m6, c1 to c9")
_PHRASES: Final = {
    **dict.fromkeys(("leader", "me"), ("catch leader", "catch never me")),
    **dict.fromkeys(("lowest", "highest", "at", "most"), ("bribe lowest", "bribe at most 2")),
    **dict.fromkeys(("while", "i", "have", "cards", "card"), ("bribe lowest while I have 2 cards",)),
    **dict.fromkeys(("ask", "never"), ("bribe ask", "catch never me")),
}
"""Words that mean nothing by themselves, and where they stand."""
_SPACE_WORDS: Final = frozenset(SPACES)


def parse_line(text: str) -> Words | int:
    """Read a line without looking at any position; a line that is only a number gives that number.

    Raises NotationError, quoting the word that does not fit and saying what would.
    """
    words = split_words(text)
    if not words:
        raise NotationError(
            "", Sentence("there is nothing in this line; a move is the space a knight stands on, like t1")
        )
    number = re.fullmatch(r"#?([0-9]{1,9})[.)]?", words[0])
    if number and len(words) == 1:
        return int(number[1])
    return _Parser(words).parse()


class _Parser:
    """Reads words from left to right; each kind of word may come once, knights twice."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = Reader(words)
        self._knights: list[KnightWords] = []
        self._stop: str | None = None
        self._card: CardWords | None = None
        self._catch: CatchWords | None = None
        self._answer: AnswerWords | None = None

    def parse(self) -> Words:
        while self._words.peek():
            self._word(self._words.next())
        return Words(tuple(self._knights), self._stop, self._card, self._catch, self._answer)

    def _word(self, word: str) -> None:
        low = word.lower()
        if low in SPACE_INDEX:
            self._knight(word, None, SPACE_INDEX[low])
        elif low in COLOR_INDEX:
            example = f"{low} t1"
            missing = Sentence("after a colour comes the space of its knight, like {example}", example=example)
            space = self._words.take(word, missing)
            if space.lower() not in SPACE_INDEX:
                raise unknown(
                    space,
                    SPACES,
                    "'{word}' is no space, and after {color} comes one: {spaces}",
                    color=low,
                    spaces=_SPACES,
                )
            self._knight(f"{word} {space}", COLOR_INDEX[low], SPACE_INDEX[space.lower()])
        elif low == "stop":
            self._once(word, self._stop)
            self._stop = word
        elif low in CARD_KINDS:
            self._once(word, self._card and self._card.words)
            self._card = CardWords(word, GOLD if low == "gold" else GEM)
        elif low == "catch":
            self._once(word, self._catch and self._catch.words)
            self._catch = CatchWords(*read_catch(self._words, word, _SPACE_WORDS))
        elif low == "bribe":
            self._once(word, self._answer and self._answer.words)
            self._answer = AnswerWords(*read_bribe(self._words, word))
        elif low == "surrender":
            self._once(word, self._answer and self._answer.words)
            self._answer = AnswerWords(word, BribeOrder("never"))
        else:
            raise _no_word(word)

    def _knight(self, words: str, color: int | None, space: int) -> None:
        if self._stop is not None:
            raise wrong(words, "'{word}' comes after stop, which ends the turn (R-MOVE-1)")
        if len(self._knights) == 2:
            raise wrong(words, "'{word}' would be a third knight; a turn moves one or two (R-MOVE-1)")
        self._knights.append(KnightWords(words, color, space))

    def _once(self, word: str, before: str | None) -> None:
        if before is not None:
            raise wrong(
                word, "'{word}' contradicts or repeats '{before}', which the line says before", before=quote(before)
            )


def _no_word(word: str) -> NotationError:
    if re.fullmatch(r"#?[0-9]+[.)]?", word):
        return wrong(word, "'{word}' is a number: one from the list of legal actions stands alone in its line")
    if word.lower() in ("chamber", "nest"):
        return wrong(
            word, "'{word}' is no space a knight can leave; a move names where the knight stands, not where it goes"
        )
    if word.lower() in _PHRASES:
        phrases = chain("{one} or {other}", _PHRASES[word.lower()])
        return wrong(word, "'{word}' stands only in phrases like {phrases}", phrases=phrases)
    return unknown(
        word,
        _HINTS,
        "'{word}' is no word of the notation; a line is made of spaces ({spaces}), colours, gold, gem, stop, catch, "
        "bribe and surrender",
        spaces=_SPACES,
    )

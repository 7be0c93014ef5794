"""Reading what people write, word by word: taking a line apart, and saying which word does not fit and what would."""

import difflib
import re
from collections.abc import Sequence
from typing import Final

from engine.errors import NotationError

_LONGEST_QUOTE: Final = 40


def split_words(text: str) -> list[str]:
    """The words of a text. Commas count as spaces, and ``>`` is a word of its own, so that it needs none around it."""
    return re.sub(r"[\s,]+", " ", text.replace(">", " > ")).split()


class Reader:
    """Words from left to right; none but ``take`` and ``need`` moves on."""

    def __init__(self, words: Sequence[str]) -> None:
        self._left = list(reversed(words))

    def peek(self, ahead: int = 0) -> str:
        """A coming word in lower case, without taking it; the empty string where there is none."""
        return self._left[-1 - ahead].lower() if len(self._left) > ahead else ""

    def take(self, after: str, missing: str) -> str:
        """The next word as it was written. Raises NotationError that quotes ``after`` if there is none."""
        if not self._left:
            raise wrong(after, f"is not all: {missing}")
        return self._left.pop()

    def need(self, word: str, after: str, missing: str) -> str:
        """The next word, which has to be this one. Raises NotationError for another, or for none."""
        said = self.take(after, missing)
        if said.lower() != word:
            raise unknown(said, (word,), f"not '{word}': {missing}")
        return said


def unknown(word: str, known: Sequence[str], what: str) -> NotationError:
    """The refusal of a word nobody knows, with the nearest one that is known."""
    low = word.lower()[:_LONGEST_QUOTE]
    near = difflib.get_close_matches(low, [other for other in known if other != low], n=1)
    return wrong(word, f"is {what}" + (f"; did you mean '{near[0]}'?" if near else ""))


def wrong(word: str, what: str) -> NotationError:
    """The refusal of words that are known and do not fit."""
    return NotationError(quote(word), f"'{quote(word)}' {what}")


def quote(words: str) -> str:
    """Words as they can be shown again: not endless, and without what would disturb a terminal."""
    shown = "".join(char if char.isprintable() else "?" for char in words[: _LONGEST_QUOTE + 1])
    return shown if len(shown) <= _LONGEST_QUOTE else shown[: _LONGEST_QUOTE - 3] + "..."

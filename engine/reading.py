"""Reading what people write, word by word: taking a line apart, and saying which word does not fit and what would."""

import difflib
import re
from collections.abc import Sequence
from typing import Final

from engine.errors import NotationError
from engine.sentences import Sentence

_LONGEST_QUOTE: Final = 40


def split_words(text: str) -> list[str]:
    """The words of a text. Commas count as spaces, and ``>`` is a word of its own, so that it needs none around it."""
    return re.sub(r"[\s,]+", " ", text.replace(">", " > ")).split()


class Reader:
    """Words from left to right; ``peek`` alone does not move on."""

    def __init__(self, words: Sequence[str]) -> None:
        self._left = list(reversed(words))

    def peek(self, ahead: int = 0) -> str:
        """A coming word in lower case, without taking it; the empty string where there is none."""
        return self._left[-1 - ahead].lower() if len(self._left) > ahead else ""

    def next(self) -> str:
        """The next word as it was written; there has to be one."""
        return self._left.pop()

    def take(self, after: str, missing: Sentence) -> str:
        """The next word as it was written. Raises NotationError that quotes ``after`` if there is none."""
        if not self._left:
            raise wrong(after, "'{word}' is not all: {missing}", missing=missing)
        return self.next()

    def need(self, word: str, after: str, missing: Sentence) -> str:
        """The next word, which has to be this one. Raises NotationError for another, or for none."""
        said = self.take(after, missing)
        if said.lower() != word:
            raise unknown(said, (word,), "'{word}' is not '{needed}': {missing}", needed=word, missing=missing)
        return said


def unknown(word: str, known: Sequence[str], template: str, /, **args: object) -> NotationError:
    """The refusal of a word nobody knows, with the nearest one that is known."""
    refused = wrong(word, template, **args)
    low = word.lower()[:_LONGEST_QUOTE]
    near = difflib.get_close_matches(low, [other for other in known if other != low], n=1)
    if not near:
        return refused
    hinted = Sentence("{sentence}; did you mean '{near}'?", sentence=refused.message, near=near[0])
    return NotationError(refused.word, hinted)


def without_hint(message: Sentence) -> Sentence:
    """What is wrong with a word, without the one that was probably meant."""
    sentence = message.args.get("sentence")
    return sentence if isinstance(sentence, Sentence) and "near" in message.args else message


def wrong(word: str, template: str, /, **args: object) -> NotationError:
    """The refusal of words that are known and do not fit: ``{word}`` in the template is where they are quoted."""
    return NotationError(quote(word), Sentence(template, word=quote(word), **args))


def quote(words: str) -> str:
    """Words as they can be shown again: not endless, and without what would disturb a terminal."""
    shown = "".join(char if char.isprintable() else "?" for char in words[: _LONGEST_QUOTE + 1])
    return shown if len(shown) <= _LONGEST_QUOTE else shown[: _LONGEST_QUOTE - 3] + "..."

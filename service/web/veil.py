"""Lines of notation in addresses: what a gold card is worth stands there in words of our own making.

Proxies and browsers keep addresses, and the value of a card that the dragon gets is told to nobody (R-DRAG-7). A word
means something only for one seat at one ply, and neither the value nor how many cards there are can be read from it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.cards import GOLD_VALUES

_VALUE: Final = re.compile(r"\b(bribe|most) ([1-5])\b")
_WORD: Final = re.compile(r"~[0-9a-f]{10}")


@dataclass(frozen=True, slots=True)
class Veil:
    """The words of a seat at a ply of a game; ``seat`` is None for whoever has none, and reads none."""

    secret_key: str
    game: str
    seat: int | None
    ply: int

    def over(self, line: str) -> str:
        """The line as it stands in an address; in the one written form, so that every value is found."""
        return _VALUE.sub(lambda match: f"{match[1]} {self._word(match[2])}", line)

    def off(self, line: str) -> str:
        """The line again; words of another seat or ply are left as they are."""
        known = dict(self._words())
        return _WORD.sub(lambda match: known.get(match[0], match[0]), line)

    def _words(self) -> Iterator[tuple[str, str]]:
        if self.seat is not None:
            yield from ((self._word(str(gold)), str(gold)) for gold in GOLD_VALUES)

    def _word(self, gold: str) -> str:
        about = f"gold in an address|{self.game}|{self.seat}|{self.ply}|{gold}"
        return "~" + hmac.new(self.secret_key.encode(), about.encode(), hashlib.sha256).hexdigest()[:10]

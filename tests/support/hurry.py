"""How to play when a test wants the end of a game, and soon."""

from __future__ import annotations

from typing import Final

from engine import SPACES

_SURRENDER: Final = len(SPACES) + 1


def haste(notation: str) -> int:
    """How near an action brings the end: the more, the sooner.

    The hindmost knight goes first: where many stand, steps are long, and whoever lags behind finds ever fewer. Knights
    are given up rather than paid for, and nobody stops who may go on. So a game takes some 80 to 100 decisions; moved
    at random, 140.
    """
    words = notation.split()
    if "surrender" in words:
        return _SURRENDER
    if words[0] == "stop":
        return -1
    return len(SPACES) - min((SPACES.index(word) for word in words if word in SPACES), default=len(SPACES))

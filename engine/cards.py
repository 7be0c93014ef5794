"""The decks and how they lie along the cave (R-SET-4)."""

from collections.abc import Sequence
from typing import Final

from engine.board import CAVES

GEMS: Final[tuple[str, ...]] = ("ruby", "emerald", "garnet", "turquoise")
GEM_INDEX: Final = {name: index for index, name in enumerate(GEMS)}

GOLD: Final = 0
GEM: Final = 1
CARD_KINDS: Final[tuple[str, ...]] = ("gold", "gem")

GOLD_VALUES: Final[tuple[int, ...]] = (1, 2, 3, 4, 5)
GOLD_DECK: Final = tuple(value for value in GOLD_VALUES for _ in range(5))
GEM_DECK: Final = tuple(gem for gem in range(len(GEMS)) for _ in range(6))

GOLD_DEALT: Final = tuple(3 if cave % 2 == 1 else 2 for cave in range(1, CAVES + 1))
"""Gold cards beside c1 … c9: three at the odd caves, two at the even ones."""
GEM_DEALT: Final = tuple(5 - gold for gold in GOLD_DEALT)

NO_GOLD: Final = 0
NO_GEM: Final = -1
"""What shows where a pile is empty."""

Piles = tuple[tuple[int, ...], ...]
"""Nine piles, c1 to c9, each with its top card first."""


def split(deck: Sequence[int], sizes: Sequence[int]) -> Piles:
    """Deal a deck from the front into piles of the given sizes; what is left over is left out."""
    piles = []
    start = 0
    for size in sizes:
        piles.append(tuple(deck[start : start + size]))
        start += size
    return tuple(piles)


def gem_cards(counts: Sequence[int]) -> list[int]:
    """The gem cards of a seat from how many of each kind it has, kind by kind."""
    return [gem for gem, count in enumerate(counts) for _ in range(count)]


def without(cards: Sequence[int], gone: Sequence[int]) -> list[int]:
    """The cards that remain of a multiset when others have been taken out of it.

    Raises ValueError if ``gone`` holds a card that is not there.
    """
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return rest

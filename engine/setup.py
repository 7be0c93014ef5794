"""How a game lies on the table before the first move."""

from typing import NamedTuple

from engine.cards import Piles


class Setup(NamedTuple):
    """Everything that chance and the creator decide about a game: with it, play has no secrets left.

    ``first`` is the seat that begins; piles run c1 to c9 with the top card first; ``dice`` are the
    throws in the order in which they will fall.
    """

    players: int
    first: int
    gold_piles: Piles
    gem_piles: Piles
    dice: tuple[int, ...]

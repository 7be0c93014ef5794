"""What can be pressed on the board: links over the knights, cards and the nest that they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, Literal, NamedTuple

from engine import SPACES, View
from service.pictures.layout import BOXES, GEM_X, GOLD_X, NEST, cave_y, pack
from service.pictures.marks import rect

Kind = Literal["knight", "gold", "gem", "catch", "surrender"]


class Spot(NamedTuple):
    """One thing to press: where it is, where it leads and what it is called.

    ``label`` is its whole name for those who do not see the picture, in their language. ``space`` is where a knight
    stands (``knight``, ``catch``) or the cave of a card (``gold``, ``gem``), ``color`` the knight's. A ``knight`` with a
    ``target`` (a space, or ``chamber``) has an arrow that goes there, with the number of ``steps`` on it. ``chosen``:
    it is part of the turn that is being put together.
    """

    kind: Kind
    href: str
    label: str
    space: str = ""
    color: int = -1
    target: str = ""
    steps: int = 0
    chosen: bool = False


_RING: Final = 'fill="none" stroke="#1457a6" stroke-width="3" pointer-events="all"'
_CARD: Final = (70, 52)


def _place(view: View, spot: Spot) -> tuple[float, float, float, float]:
    if spot.kind == "surrender":
        return NEST.x - 102, NEST.y - 40, 204, 80
    if spot.kind in ("gold", "gem"):
        x, y = GOLD_X if spot.kind == "gold" else GEM_X, cave_y(int(spot.space[1:]))
        return x - _CARD[0] / 2, y - _CARD[1] / 2, *_CARD
    space = SPACES.index(spot.space)
    box = BOXES[space]
    counts = [(color, spaces.count(space)) for color, spaces in enumerate(view.knights)]
    token = next(token for token in pack(box, [pair for pair in counts if pair[1]]) if token.color == spot.color)
    return token.x - 20, token.y - 22, 40, 44


def spots_layer(view: View, spots: Sequence[Spot]) -> str:
    """The links, to lie over the whole drawing."""
    return "".join(
        f'<a href="{escape(spot.href)}" class="spot" aria-label="{escape(spot.label)}" data-swap="">'
        f"{rect(*_place(view, spot), _RING, rx=10)}</a>"
        for spot in spots
    )

"""What can be pressed on the board: links over the knights, cards and the nest that they stand for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, Literal, NamedTuple

from engine import CHAMBER, SPACES
from service.pictures.arrows import Arrow, Way, arrows
from service.pictures.knights import Leaving, Places
from service.pictures.layout import (
    BOXES,
    CARD_H,
    CARD_W,
    GEM_X,
    GOLD_X,
    GROUND,
    NEST,
    PAD_H,
    PAD_W,
    ROW_H,
    STONE_W,
    Token,
    cave_y,
)
from service.pictures.marks import circle, ellipse, label, path, rect, use
from service.pictures.palette import Paint

Kind = Literal["knight", "gold", "gem", "catch", "surrender"]


class Spot(NamedTuple):
    """One thing to press: where it is, where it leads and what it is called.

    ``label`` is its whole name for those who do not see the picture, in their language. ``space`` is where a knight
    stands (``knight``, ``catch``) or the cave of a card (``gold``, ``gem``), ``color`` the knight's. A ``knight``
    with a ``target`` (a space, or ``chamber``) has an arrow that goes there, with the number of ``steps`` on it.
    ``chosen``: it is part of the turn that is being put together.
    """

    kind: Kind
    href: str
    label: str
    space: str = ""
    color: int = -1
    target: str = ""
    steps: int = 0
    chosen: bool = False


class _Area(NamedTuple):
    """What can be pressed for a spot: a rectangle by its top left corner."""

    x: float
    y: float
    width: float
    height: float


_OVER: Final = 'class="over" fill="#1552a0" fill-opacity="0"'
_END: Final = len(SPACES) + 1
"""The nest comes after the chamber."""


def leaving(spots: Sequence[Spot]) -> list[Leaving]:
    """The knights that are chosen to go somewhere."""
    return [
        Leaving(spot.color, SPACES.index(spot.space), _index(spot.target))
        for spot in spots
        if spot.kind == "knight" and spot.chosen and spot.target
    ]


def rimmed(spots: Sequence[Spot]) -> set[tuple[int, int]]:
    """The knights that can be pressed where they stand: ``(space, colour)``."""
    return {(SPACES.index(spot.space), spot.color) for spot in spots if _stands(spot)}


def _stands(spot: Spot) -> bool:
    return spot.kind == "catch" or (spot.kind == "knight" and not (spot.chosen and spot.target))


def spots_layer(spots: Sequence[Spot], standing_at: Places, paint: Paint) -> str:
    """The links, to lie over the whole drawing: from the castle down to the chamber, then the nest."""
    if not spots:
        return ""
    drawn = arrows((SPACES.index(s.space), _index(s.target)) for s in spots if s.target)
    tokens = _tokens(spots, standing_at)
    areas = _areas(spots, tokens, drawn)
    order = sorted(range(len(spots)), key=lambda number: (_at(spots[number]), areas[number].x))
    sources = list(dict.fromkeys(spots[n].space for n in order if spots[n].target))
    ways = [
        _way(spot, drawn, paint, double=sources.index(spot.space) % 2 == 1) if spot.target else "" for spot in spots
    ]
    return "".join(_link(spots[n], ways[n], tokens[n], areas[n], paint) for n in order)


def _index(space: str) -> int:
    return CHAMBER if space == "chamber" else SPACES.index(space)


def _at(spot: Spot) -> int:
    """The space where it is pressed: a knight that is chosen where it would come."""
    if spot.kind == "surrender":
        return _END
    return _index(spot.target if spot.chosen and spot.target else spot.space)


def _tokens(spots: Sequence[Spot], standing_at: Places) -> Sequence[Token | None]:
    """The token that each spot stands for, if it is a knight; those that are chosen to come have one each."""
    found: list[Token | None] = []
    for spot in spots:
        if spot.kind not in ("knight", "catch"):
            found.append(None)
            continue
        coming = spot.chosen and bool(spot.target)
        fitting = [t for t in standing_at[_at(spot)] if t.group.color == spot.color and t.group.coming == coming]
        free = [token for token in fitting if not coming or token not in found]
        found.append(free[0] if free else None)
    return found


def _pad(space: int) -> _Area:
    """All of a space."""
    box = BOXES[space]
    if space < len(BOXES) - 9:
        castle = box.y < GROUND
        width = box.width + 10 if castle else PAD_W
        return _Area(box.x - width / 2, box.y - PAD_H / 2 - castle, width, PAD_H + 2 * castle)
    return _Area(box.x - STONE_W / 2, box.y - ROW_H / 2, STONE_W, ROW_H)


def _areas(spots: Sequence[Spot], tokens: Sequence[Token | None], drawn: Mapping[Way, Arrow]) -> Sequence[_Area]:
    """As much as can be pressed for each: the whole space where it is the only one there, else its share.

    A knight that could be caught as well as moved is caught where it stands, and moved by the number of its arrow.
    """
    victims = [token for spot, token in zip(spots, tokens, strict=True) if spot.kind == "catch"]
    shares: Mapping[int, list[Token]] = defaultdict(list)
    found: list[_Area | None] = []
    for spot, token in zip(spots, tokens, strict=True):
        if spot.kind == "knight" and not spot.chosen and spot.target and token in victims:
            arrow = drawn[SPACES.index(spot.space), _index(spot.target)]
            outwards = -40 if arrow.x < BOXES[_at(spot)].x else -16
            found.append(_Area(arrow.x + outwards, arrow.y - 22, 56, 44))
            continue
        found.append(None)
        if token is not None and _at(spot) < CHAMBER:
            shares[_at(spot)].append(token)
    return [area or _area(spot, token, shares) for spot, token, area in zip(spots, tokens, found, strict=True)]


def _area(spot: Spot, token: Token | None, shares: Mapping[int, Sequence[Token]]) -> _Area:
    if spot.kind == "surrender":
        return _Area(NEST.x - 106, NEST.y - 66, 212, 122)
    if spot.kind in ("gold", "gem"):
        x, y = _card(spot)
        return _Area(x - 43, y - ROW_H / 2, 86, ROW_H)
    if token is None:
        return _pad(_at(spot))
    if _at(spot) == CHAMBER:
        return _Area(token.x - 40, token.y - 24, 80, 72)
    whole = _pad(_at(spot))
    others = [other for other in shares[_at(spot)] if other != token]
    left = [(other.x + token.x) / 2 for other in others if other.y == token.y and other.x < token.x]
    right = [(other.x + token.x) / 2 for other in others if other.y == token.y and other.x > token.x]
    above = [(other.y + token.y) / 2 for other in others if other.y < token.y]
    below = [(other.y + token.y) / 2 for other in others if other.y > token.y]
    x, y = max([whole.x, *left]), max([whole.y, *above])
    return _Area(x, y, min([whole.x + whole.width, *right]) - x, min([whole.y + whole.height, *below]) - y)


def _card(spot: Spot) -> tuple[float, float]:
    return GOLD_X if spot.kind == "gold" else GEM_X, cave_y(int(spot.space[1:]))


def _ring(spot: Spot, token: Token | None, paint: Paint) -> str:
    """The bright rim of what can be pressed; what is chosen is rimmed twice as strong, with a tick."""
    thick = 5.5 if spot.chosen else 3.5
    inner, outer = paint(None, "pick", thick), paint(None, "pick-edge", thick + 4)
    if spot.kind == "surrender":
        rim = ellipse(NEST.x, NEST.y, 102, 32, outer) + ellipse(NEST.x, NEST.y, 102, 32, inner)
        tick = (NEST.x + 84, NEST.y - 26)
    elif token is None:
        x, y = _card(spot)
        box = (x - CARD_W / 2 - 3, y - CARD_H / 2 - 3, CARD_W + 6, CARD_H + 6)
        rim = rect(*box, outer, rx=9) + rect(*box, inner, rx=9)
        tick = (x + CARD_W / 2, y - CARD_H / 2)
    else:
        # twice by reference: the outline is the shield's own
        rim = use("rim-chosen" if spot.chosen else "rim", token.x, token.y, token.scale)
        tick = (token.x + 13 * token.scale, token.y - 13 * token.scale)
    return rim + (use("tick", *tick) if spot.chosen else "")


def _way(spot: Spot, drawn: Mapping[Way, Arrow], paint: Paint, *, double: bool) -> str:
    """The arrow; ``double`` sets it off from its neighbours by a light line within it."""
    arrow = drawn[SPACES.index(spot.space), _index(spot.target)]
    thick = 6.5 if spot.chosen else 4.5
    number = "pick-edge" if spot.chosen else "pick"
    disc = paint("pick" if spot.chosen else "pick-edge", "pick" if not spot.chosen else "pick-edge", 2)
    return (
        '<g class="way" pointer-events="none">'
        + path(arrow.line + arrow.head, f'{paint(None, "pick-edge", thick + 4)} stroke-linejoin="round"')
        + path(arrow.line, paint(None, "pick", thick))
        + (path(arrow.line, paint(None, "pick-edge", thick / 3)) if double else "")
        + path(arrow.head, paint("pick"))
        + circle(arrow.x, arrow.y, 11, disc)
        + label(arrow.x, arrow.y + 6, 17, str(spot.steps), paint(number))
        + "</g>"
    )


def _link(spot: Spot, way: str, token: Token | None, area: _Area, paint: Paint) -> str:
    chosen = " chosen" if spot.chosen else ""
    return (
        f'<a href="{escape(spot.href)}" class="spot{chosen}" aria-label="{escape(spot.label)}" data-swap="">'
        f"{_ring(spot, token, paint)}{rect(*area, _OVER, rx=12)}{way}</a>"
    )

"""Knights on their spaces: where each of them is drawn, and how."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from engine import CHAMBER, SPACES, View
from service.pictures.layout import BOXES, CHAMBER_SLOTS, NEST, Group, Token, pack
from service.pictures.marks import label, path, use
from service.pictures.palette import Paint
from service.pictures.text import standing

DARK_INK = 'fill="#1c1a18"'
"""On stone and plaque, which stay pale in either theme."""
_COMING_H = 22.0
"""A knight that is to enter the chamber stands so far above the middle of the slot, so that the chest is seen."""


class Leaving(NamedTuple):
    """A knight that is chosen to go from one space to another, or to ``CHAMBER``."""

    color: int
    space: int
    target: int


Places = Mapping[int, Sequence[Token]]
"""For every space, and ``CHAMBER``, the tokens on it. In the chamber only those that are chosen to come."""


def places(view: View, leaving: Sequence[Leaving] = (), rimmed: Collection[tuple[int, int]] = ()) -> Places:
    """Who stands where, with those chosen to go where they are and where they would be.

    ``rimmed`` are the groups that can be pressed: ``(space, colour)``.
    """
    going = Counter((knight.space, knight.color) for knight in leaving)
    coming: dict[int, list[Group]] = defaultdict(list)
    for knight in leaving:
        coming[knight.target].append(Group(knight.color, 1, coming=True, rimmed=True))
    found: dict[int, Sequence[Token]] = {}
    for space, box in enumerate(BOXES):
        groups = []
        for color, count in enumerate(standing(view, space)):
            if count:
                rest = count - going[space, color]
                groups.append(Group(color, max(rest, 1), gone=rest <= 0, rimmed=(space, color) in rimmed))
        found[space] = pack(box, groups + coming[space])
    inside = sum(view.chamber)
    slots = CHAMBER_SLOTS[inside:] or CHAMBER_SLOTS[-1:]
    found[CHAMBER] = [
        Token(group, slots[min(number, len(slots) - 1)].x, slots[0].y - _COMING_H, 1)
        for number, group in enumerate(coming[CHAMBER])
    ]
    return found


def draw_knights(view: View, standing_at: Places, paint: Paint) -> str:
    """Every knight on the board and in the nest.

    Those that have moved this turn are underlined; behind one that the dragon has caught is a burst of flame.
    """
    moved: dict[int, set[int]] = defaultdict(set)
    for color, at in view.moved:
        moved[at].add(color)
    lost = [Group(color, count) for color, count in enumerate(view.nest) if count]
    in_danger = SPACES.index(f"c{view.dragon}")
    nest = "".join(_token(token, paint("rock-ink")) for token in pack(NEST, lost))
    return nest + "".join(
        _token(
            token,
            DARK_INK,
            moved=token.group.color in moved[space] and not token.group.coming,
            caught=token.group.color == view.victim and space == in_danger,
        )
        for space, tokens in standing_at.items()
        for token in tokens
    )


def _token(token: Token, ink: str, *, moved: bool = False, caught: bool = False) -> str:
    """Each colour once with its number; ``ink`` fills the number."""
    group = token.group
    marks = (use("caught", 0, 0) if caught else "") + use(f"k{group.color}", 0, 0)
    if group.number > 1:
        marks += label(15.5, 7, 20, str(group.number), ink, middle=False)
    if moved:
        marks += path("M-11 18H11", 'stroke="#1c1a18" stroke-width="3" stroke-linecap="round"')
    faded = ' opacity=".35"' if group.gone else ""
    return f'<g transform="translate({token.x:.4g} {token.y:.4g}) scale({token.scale:.3g})"{faded}>{marks}</g>'

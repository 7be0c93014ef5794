"""How far a knight would go: an arrow from the space it leaves to the one it would come to.

Arrows keep to ways of their own, so that they stay readable where several meet: from the castle they come in from
above, within the meadow they bend below, in the cave they run beside the stones, the shorter ones inside.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engine import CHAMBER
from service.pictures.layout import (
    BOXES,
    CAVE_TOP,
    CHAMBER_TOP,
    PAD_H,
    PAD_W,
    PLAQUE_BOTTOM,
    STONE_H,
    STONE_W,
)

_FIRST_MEADOW: Final = 5
_FIRST_CAVE: Final = 11
_LAST_CAVE: Final = 19
_TIP: Final = 11.0
"""The length of an arrow's head."""

_BULGES: Final = (20, 38, 52, 62)
"""How far an arrow bends away from the stones, by how many run inside it."""

Way = tuple[int, int]
"""From which space to which, ``CHAMBER`` among them."""


class Arrow(NamedTuple):
    """The line of an arrow (path data), its head, and where its number stands."""

    line: str
    head: str
    x: float
    y: float


def arrows(ways: Iterable[Way]) -> Mapping[Way, Arrow]:
    """One arrow for each way, laid out so that they keep clear of each other."""
    drawn: dict[Way, Arrow] = {}
    kinds: dict[str, list[Way]] = defaultdict(list)
    for way in sorted(set(ways)):
        kinds[_kind(way)].append(way)
    drawn.update(_from_castle(kinds["castle"]))
    drawn.update(_in_meadow(kinds["meadow"]))
    drawn.update(_into_cave(kinds["into"], {way[0] for way in kinds["meadow"]}))
    drawn.update(_in_cave(kinds["cave"]))
    return drawn


def _kind(way: Way) -> str:
    source, target = way
    if source < _FIRST_MEADOW:
        return "castle"
    if source >= _FIRST_CAVE:
        return "cave"
    return "meadow" if target < _FIRST_CAVE else "into"


def _head(x: float, y: float, way: str) -> str:
    """A triangle whose tip is at a place, pointing ``down``, ``up``, ``left`` or ``right``."""
    back, half = _TIP, 7.5
    ends = {
        "down": (-half, -back, half, -back),
        "up": (-half, back, half, back),
        "right": (-back, -half, -back, half),
        "left": (back, -half, back, half),
    }[way]
    return f"M{x:.4g} {y:.4g}L{x + ends[0]:.4g} {y + ends[1]:.4g}L{x + ends[2]:.4g} {y + ends[3]:.4g}Z"


def _spread(number: int, count: int, room: float, widest: float = 22) -> float:
    """How far from the middle the ``number``-th of ``count`` arrives."""
    step = min(widest, room / max(count, 1))
    return (number - (count - 1) / 2) * step


def _again(way: Way, ways: Iterable[Way]) -> bool:
    """Whether another arrow leaves the same space for one nearer: a chosen knight takes a step from the rest."""
    return any(other[0] == way[0] and other[1] < way[1] for other in ways)


def _by_target(ways: Iterable[Way]) -> Mapping[int, list[Way]]:
    grouped: dict[int, list[Way]] = defaultdict(list)
    for way in ways:
        grouped[way[1]].append(way)
    return grouped


def _from_castle(ways: list[Way]) -> Mapping[Way, Arrow]:
    """Out at the foot of the tower, in from above; from farther away lower, so that none crosses another."""
    found = {}
    for target, group in _by_target(ways).items():
        pad = BOXES[target]
        top = pad.y - PAD_H / 2
        for number, way in enumerate(sorted(group, key=lambda way: BOXES[way[0]].x)):
            start, end = BOXES[way[0]], pad.x + _spread(number, len(group), 74)
            aside = 50 if start.width > PAD_W else 24
            x, y = start.x + (aside if (end > start.x) != _again(way, ways) else -aside), PLAQUE_BOTTOM + 2
            low = y + 28 + 18 * min(abs(end - x) / 420, 1)
            found[way] = Arrow(
                f"M{x:.4g} {y}C{x:.4g} {low + 6:.4g} {end:.4g} {low - 6:.4g} {end:.4g} {top - _TIP + 2:.4g}",
                _head(end, top + 1, "down"),
                x,
                y,
            )
    return found


def _foot(meadow: int, *, again: bool) -> tuple[float, float]:
    """Where an arrow leaves a pad: at its lower right, clear of the name below and the knights above.

    ``again``: for a second arrow from there.
    """
    pad = BOXES[meadow]
    return (pad.x + 42, pad.y + 12) if again else (pad.x + 32, pad.y + PAD_H / 2 + 3)


def _in_meadow(ways: list[Way]) -> Mapping[Way, Arrow]:
    """Below the pads and the names, from the right half of one to the left half of another."""
    found = {}
    for target, group in _by_target(ways).items():
        for number, way in enumerate(group):
            pad = BOXES[target]
            x, y = _foot(way[0], again=_again(way, ways))
            end, bottom = pad.x - 28 + 20 * number, pad.y + PAD_H / 2
            deep = max(y, bottom) + (22, 46, 58, 66)[min(target - way[0], 4) - 1]
            found[way] = Arrow(
                f"M{x:.4g} {y:.4g}C{x:.4g} {deep:.4g} {end:.4g} {deep:.4g} {end:.4g} {bottom + _TIP - 2:.4g}",
                _head(end, bottom - 1, "up"),
                x,
                y,
            )
    return found


def _side(space: int, right: bool) -> float:
    """The edge of a stone."""
    return BOXES[space].x + (STONE_W / 2 if right else -STONE_W / 2)


def _into_cave(ways: list[Way], passed: set[int]) -> Mapping[Way, Arrow]:
    """From the meadow: to c1 from above, farther down beside the stones, on the side where one comes from.

    ``passed`` are the pads that another arrow leaves.
    """
    found = {}
    lanes = {True: 0, False: 0}
    arrived: dict[tuple[int, bool], int] = defaultdict(int)
    # the nearest first: it has the inner lane
    for way in sorted(ways, key=lambda way: (way[1], -way[0])):
        start, stone = BOXES[way[0]], BOXES[way[1]]
        x, y = _foot(way[0], again=way[0] in passed)
        passed.add(way[0])
        right = start.x > stone.x - 30
        number = arrived[way[1], right]
        arrived[way[1], right] += 1
        if way[1] == _FIRST_CAVE:
            end = stone.x + (52 - 20 * number if right else -72 + 20 * number)
            top = stone.y - STONE_H / 2
            line = f"M{x:.4g} {y:.4g}C{x:.4g} {y + 36:.4g} {end:.4g} {top - 44:.4g} {end:.4g} {top - _TIP + 2:.4g}"
            found[way] = Arrow(line, _head(end, top + 1, "down"), x, y)
            continue
        sign = 1 if right else -1
        edge, at = _side(way[1], right), stone.y - 15 + 15 * number
        lane = _side(_FIRST_CAVE, right) + sign * (17 + 14 * lanes[right])
        lanes[right] += 1
        line = (
            f"M{x:.4g} {y:.4g}C{x:.4g} {y + 44:.4g} {lane:.4g} {CAVE_TOP - 24:.4g} {lane:.4g} {CAVE_TOP + 34:.4g}"
            f"V{at - 22:.4g}Q{lane:.4g} {at:.4g} {edge + sign * (_TIP - 2):.4g} {at:.4g}"
        )
        found[way] = Arrow(line, _head(edge - sign, at, "left" if right else "right"), x, y)
    return found


def _in_cave(ways: list[Way]) -> Mapping[Way, Arrow]:
    """Beside the stones, on the left; one that would cross another there runs on the right."""
    found = {}
    sides: dict[bool, list[Way]] = {False: [], True: []}
    # the nearest first: it has the inner lane and arrives above the others
    for way in sorted(ways, key=lambda way: (way[1] - way[0], way)):
        source, target = way
        right = target != CHAMBER and any(_interlock(way, other) or source == other[0] for other in sides[False])
        number = sum(other[1] == target for other in sides[right])
        level = sum(other[0] < target and source < other[1] for other in sides[right])
        sides[right].append(way)
        if target == CHAMBER:
            found[way] = _into_chamber(source, number)
            continue
        sign = 1 if right else -1
        x, y = _side(source, right), BOXES[source].y + 13
        outermost = max(_side(_FIRST_CAVE, right), _side(_LAST_CAVE - 1, right), key=lambda edge: sign * edge)
        edge, at = _side(target, right), BOXES[target].y - 17 + 13 * number
        lane = outermost + sign * _BULGES[min(level, len(_BULGES) - 1)]
        line = f"M{x:.4g} {y:.4g}C{lane:.4g} {y:.4g} {lane:.4g} {at:.4g} {edge + sign * (_TIP - 2):.4g} {at:.4g}"
        found[way] = Arrow(line, _head(edge - sign, at, "left" if right else "right"), x, y)
    return found


def _into_chamber(source: int, number: int) -> Arrow:
    """Down to the chamber's upper edge; from c9 straight, from farther up beside the stones."""
    end, top = 348 - 24.0 * number, CHAMBER_TOP + 2
    x, y = _side(source, right=False), BOXES[source].y + 13
    if source == _LAST_CAVE:
        line = f"M{x:.4g} {y:.4g}C{x - 22:.4g} {y + 30:.4g} {end:.4g} {y - 6:.4g} {end:.4g} {top - _TIP + 6:.4g}"
        return Arrow(line, _head(end, top + 5, "down"), x, y)
    lane = x - 26 - 6 * number
    low = CHAMBER_TOP - 14.0
    line = (
        f"M{x:.4g} {y:.4g}C{lane:.4g} {y:.4g} {lane:.4g} {y + 20:.4g} {lane:.4g} {y + 40:.4g}"
        f"V{low - 34:.4g}Q{lane:.4g} {low:.4g} {lane + 30:.4g} {low:.4g}H{end - 18:.4g}"
        f"Q{end:.4g} {low:.4g} {end:.4g} {top - _TIP + 6:.4g}"
    )
    return Arrow(line, _head(end, top + 5, "down"), x, y)


def _interlock(one: Way, other: Way) -> bool:
    """Whether two arrows on one side would have to cross."""
    (a, b), (c, d) = sorted((one, other))
    return a < c < b < d

"""The pictures of the rules: small positions, drawn by the renderer of every board, cut to what they are about.

The board's own words stand in them. Each is drawn once for each theme and language.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine import (
    CHAMBER,
    COLORS,
    GEMS,
    OVER,
    SPACES,
    TAKE,
    TO_CASTLE,
    TO_CHAMBER,
    View,
    crowd,
    deal,
    destination,
    start,
    view,
)
from service.i18n import DEFAULT, LANGUAGES, speaking
from service.pictures.layout import (
    BANNER_H,
    BOARD_BOTTOM,
    BOXES,
    CAVE_TOP,
    CHAMBER_TOP,
    NEST,
    RAIL_X,
    WIDTH,
    cave_y,
)
from service.pictures.marks import circle, label, path, rect, use
from service.pictures.palette import Paint, Theme
from service.pictures.shapes import definitions
from service.pictures.spots import Spot
from service.pictures.svg import FONT, board_svg

THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
_SEED: Final = bytes([11]) * 32
_NOBODY: Final = ("", "", "")
_DISC: Final = 'fill="#1457a6" stroke="#ffffff" stroke-width="2.5"'
_TRAIL: Final = (
    'fill="none" stroke="#ffffff" stroke-width="9" stroke-linejoin="round" stroke-linecap="round"',
    'fill="none" stroke="#1457a6" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"',
)
_WHITE: Final = 'fill="#ffffff"'
_UP: Final = RAIL_X - 46
_DOWN: Final = RAIL_X + 46
"""Where the trail of the dragon runs: left and right of the rail."""


class Picture(NamedTuple):
    """A drawing and its size in its own units."""

    svg: str
    width: int
    height: int


def drawn(name: str, theme: Theme, tongue: str) -> Picture | None:
    """The picture of this name in one of ``LANGUAGES``; None if there is none."""
    return _drawn(name, theme, tongue) if name in _PICTURES and tongue in LANGUAGES else None


def size(name: str) -> tuple[int, int]:
    """Width and height of a picture, so that a page keeps its place before it has come; in all languages the same."""
    found = _drawn(name, "light", DEFAULT)
    return found.width, found.height


@cache
def version(name: str, theme: Theme, tongue: str) -> str:
    """Changes when the picture does."""
    return hashlib.sha256(_drawn(name, theme, tongue).svg.encode()).hexdigest()[:10]


def _table(*knights: str, rail: int = 1, dragon: int = 4, facing: int = TO_CASTLE, **more: Any) -> View:
    """A table of three as all see it. ``knights``: where those of each colour stand."""
    dealt = start(deal(3, _SEED, _NOBODY, 0))
    placed = tuple(tuple(sorted(SPACES.index(space) for space in colour.split())) for colour in knights)
    return view(dealt._replace(knights=placed, rail=rail, dragon=dragon, facing=facing, **more), None)


def _turned_up(seen: View, **cards: str) -> View:
    """The same with these cards open: ``c1="3 ruby"``; ``-`` for a pile that is empty."""
    gold_up, gem_up = list(seen.gold_up), list(seen.gem_up)
    gold_left, gem_left = list(seen.gold_left), list(seen.gem_left)
    for cave, shown in cards.items():
        index = int(cave[1:]) - 1
        gold, gem = shown.split()
        gold_up[index], gold_left[index] = (0, 0) if gold == "-" else (int(gold), gold_left[index])
        gem_up[index], gem_left[index] = (-1, 0) if gem == "-" else (GEMS.index(gem), gem_left[index])
    return seen._replace(
        gold_up=tuple(gold_up), gem_up=tuple(gem_up), gold_left=tuple(gold_left), gem_left=tuple(gem_left)
    )


def _goes(seen: View, color: str, *spaces: str) -> list[Spot]:
    """The arrows of a colour's knights on these spaces: how far each goes is for the engine to say."""
    ways = [(space, destination(seen.knights, SPACES.index(space))) for space in spaces]
    return [
        Spot(
            kind="knight",
            href="#",
            label="",
            space=space,
            color=COLORS.index(color),
            target="chamber" if target == CHAMBER else SPACES[target],
            steps=crowd(seen.knights, SPACES.index(space)),
        )
        for space, target in ways
    ]


def _cut(seen: View, theme: Theme, top: float, bottom: float, spots: Sequence[Spot] = (), over: str = "") -> Picture:
    """The board between two heights, with more drawn over it."""
    whole = board_svg(seen, _NOBODY, theme=theme, bare=True, spots=spots)
    height = int(bottom - top)
    frame = f'viewBox="0 {top:g} {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    svg, cuts = re.subn(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"', frame, whole, count=1)
    if cuts != 1:
        raise RuntimeError("the board's own frame was not found in its drawing")
    return Picture(svg.removesuffix("</svg>") + over + "</svg>", WIDTH, height)


def _disc(x: float, y: float, words: str) -> str:
    return circle(x, y, 15, _DISC) + label(x, y + 6.5, 19, words, _WHITE)


def _trail(*caves: int) -> str:
    """The dragon's way from cave to cave, a disc a step: toward the castle left of the rail, back at its right."""
    ways = [_UP if after < before else _DOWN for before, after in pairwise(caves)]
    points = [(ways[0], cave_y(caves[0])), *((way, cave_y(cave)) for way, cave in zip(ways, caves[1:], strict=True))]
    corners = [points[0]]
    for x, y in points[1:]:
        if x != corners[-1][0]:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    line = "M" + "L".join(f"{x:g} {y:g}" for x, y in corners)
    discs = "".join(_disc(x, y, str(step)) for step, (x, y) in enumerate(points[1:], start=1))
    return path(line, _TRAIL[0]) + path(line, _TRAIL[1]) + discs


def _board(theme: Theme) -> Picture:
    """The whole board, its parts numbered."""
    marks = (
        (BOXES[0].x, 88),
        (BOXES[5].x - 28, BOXES[5].y - 24),
        (BOXES[11].x - 92, cave_y(1)),
        (119, cave_y(1) - 28),
        (RAIL_X + 34, cave_y(1)),
        (RAIL_X + 34, cave_y(4)),
        (26, CHAMBER_TOP + 18),
        (NEST.x - 78, NEST.y - 22),
    )
    numbers = "".join(_disc(x, y, str(number)) for number, (x, y) in enumerate(marks, start=1))
    return _cut(view(start(deal(3, _SEED, _NOBODY, 0)), None), theme, BANNER_H, BOARD_BOTTOM, over=numbers)


def _steps(theme: Theme) -> Picture:
    """Three knights on t1, two on t3, one on m4: so far they go."""
    seen = _table("t1 t2 t3 m4", "t1 t2 t3 hall", "t1 t4 hall")
    return _cut(seen, theme, BANNER_H, CAVE_TOP, _goes(seen, "black", "t1", "t3", "m4"))


def _turn_table() -> View:
    return _turned_up(
        _table("t2 hall m4", "t2 t3 m2 m4 m6", "m2 m4 t3 hall", rail=2, dragon=5),
        c1="1 garnet",
        c2="5 emerald",
    )


def _turn_before(theme: Theme) -> Picture:
    """What orange could move first."""
    seen = _turn_table()
    return _cut(seen, theme, BANNER_H, cave_y(2) + 30, _goes(seen, "orange", "t2", "t3", "m2", "m4", "m6"))


def _turn_after(theme: Theme) -> Picture:
    """The same after m2 went to m4: from there it is now four steps."""
    before = _turn_table()
    m2, m4 = SPACES.index("m2"), SPACES.index("m4")
    orange = tuple(sorted([*(space for space in before.knights[1] if space != m2), m4]))
    seen = before._replace(knights=(before.knights[0], orange, before.knights[2]), moved=((1, m4),))
    return _cut(seen, theme, BANNER_H, cave_y(2) + 30, _goes(seen, "orange", "t2", "t3", "m4", "m6"))


def _take(theme: Theme) -> Picture:
    """A knight came to c2: gold or gem."""
    seen = _turned_up(
        _table("c2 t1 t2", "c1 m5 m6", "c3 m1 m2", rail=5, dragon=7, phase=TAKE), c1="- ruby", c2="5 emerald"
    )
    spots = [Spot("gold", "#", "", "c2"), Spot("gem", "#", "", "c2")]
    return _cut(seen, theme, CAVE_TOP - 14, cave_y(3) + 30, spots)


def _throw(theme: Theme) -> Picture:
    """A 3: from c2 to c1, and back to c3."""
    seen = _table("c3 t1 t2", "c5 m5 m6", "m1 m2 m3", rail=1, dragon=2)
    return _cut(seen, theme, CAVE_TOP - 14, cave_y(5) + 30, over=_trail(2, 1, 2, 3))


def _catch(theme: Theme) -> Picture:
    """The dragon ended on c3, where three colours stand."""
    seen = _table("c3 t1 t2", "c3 c3 m6", "c3 m2 m3", rail=1, dragon=3, facing=TO_CHAMBER)
    spots = [Spot("catch", "#", "", "c3", color) for color in range(3)]
    return _cut(seen, theme, cave_y(1) - 30, cave_y(5) + 30, spots)


def _rail_before(theme: Theme) -> Picture:
    """The dragon on c1 with the rail beside c1 to c4."""
    seen = _table("c4 t1 t2", "c2 m5 m6", "m1 m2 m3", rail=1, dragon=1, facing=TO_CHAMBER)
    return _cut(seen, theme, CAVE_TOP - 14, cave_y(5) + 30)


def _rail_after(theme: Theme) -> Picture:
    """The rail went on: the dragon sits behind it."""
    seen = _table("c4 t1 t2", "c2 m5 m6", "m1 m2 m3", rail=2, dragon=1, facing=TO_CHAMBER)
    return _cut(seen, theme, CAVE_TOP - 14, cave_y(5) + 30)


def _end(theme: Theme) -> Picture:
    """Four treasures are gone; the nest has what the dragon took."""
    seen = _table(*("c8 c9", "c5 c7", "c9 m6"), rail=6, dragon=8, nest=(1, 2, 1), treasures=(2, 1, 1), phase=OVER)
    return _cut(seen, theme, cave_y(8) - 30, BOARD_BOTTOM)


def _score(theme: Theme) -> Picture:
    """A hand and what lies open, counted."""
    paint = Paint(theme)
    parts = [rect(0, 0, WIDTH, 128, paint("paper"))]

    def card(x: float, inside: str, role: str = "gemcard") -> None:
        parts.append(rect(x - 21, 14, 42, 58, paint(role, f"{role}-edge", 1.8), rx=7) + inside)

    for x, value in ((34, 5), (82, 5), (130, 1)):
        card(x, label(x, 53, 30, str(value), paint("card-ink")), "card")
    parts += [use("chest", x, 44, 1.15) for x in (200, 252)]
    parts += [use(f"g{gem}", x, 44, 1.2) for x, gem in ((316, 0), (352, 0), (388, 0), (424, 2))]
    card(496, use("bonus", 496, 44, 1.3))
    for x, sum_ in ((82, "11"), (226, "10"), (370, "4"), (496, "4"), (566, "29")):
        parts.append(label(x, 112, 26, sum_, paint("ink")))
    for x, sign in ((156, "+"), (300, "+"), (440, "+"), (532, "=")):
        parts.append(label(x, 112, 26, sign, paint("soft")))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} 128" width="{WIDTH}" height="128" '
    return Picture(f"{head}font-family=\"'{FONT}',sans-serif\">{definitions(theme)}{''.join(parts)}</svg>", WIDTH, 128)


_PICTURES: Final[Mapping[str, Callable[[Theme], Picture]]] = {
    "board": _board,
    "steps": _steps,
    "turn-before": _turn_before,
    "turn-after": _turn_after,
    "take": _take,
    "throw": _throw,
    "catch": _catch,
    "rail-before": _rail_before,
    "rail-after": _rail_after,
    "end": _end,
    "score": _score,
}


@cache
def _drawn(name: str, theme: Theme, tongue: str) -> Picture:
    with speaking(tongue):
        return _PICTURES[name](theme)

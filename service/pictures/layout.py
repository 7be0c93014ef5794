"""Where everything lies on the picture: 600 units wide, so that at phone width a unit is two thirds of a pixel.

From top to bottom, the way a knight goes: castle, meadow, cave, treasure chamber; below that the seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine import SPACES

WIDTH: Final = 600

BANNER_H: Final = 46
SKY_TOP: Final = BANNER_H
GROUND: Final = 212
MEADOW_Y: Final = 288
MEADOW_BOTTOM: Final = MEADOW_Y + 72
CAVE_TOP: Final = MEADOW_BOTTOM + 26
ROW_H: Final = 67
"""High enough to be pressed with a thumb at phone width."""
CHAMBER_TOP: Final = CAVE_TOP + 9 * ROW_H + 14
BOARD_BOTTOM: Final = CHAMBER_TOP + 122

PLAQUE_BOTTOM: Final = 185
PAD_W: Final = 92
PAD_H: Final = 70
RAIL_X: Final = 540
STONE_W: Final = 198
STONE_H: Final = 56
CARD_W: Final = 62
CARD_H: Final = 48
GOLD_X: Final = 70
GEM_X: Final = 168


class Box(NamedTuple):
    """A place for knights: centre, and the room inside it."""

    x: float
    y: float
    width: float
    height: float


def cave_y(cave: int) -> float:
    """The middle of the row of a cave space, 1–9."""
    return CAVE_TOP + ROW_H * (cave - 0.5)


def cave_x(cave: int) -> float:
    """The middle of a cave stone: the way down winds a little."""
    return 373 + (6 if cave % 2 else -6)


def _boxes() -> tuple[Box, ...]:
    towers = [Box(x, 150, 86, 66) for x in (60, 164, 436, 540)]
    hall = Box(300, 150, 132, 66)
    meadow = [Box(54 + 98.4 * i, MEADOW_Y + (5 if i % 2 else -5), 86, 66) for i in range(6)]
    caves = [Box(cave_x(cave), cave_y(cave), STONE_W - 14, STONE_H - 8) for cave in range(1, 10)]
    return (*towers, hall, *meadow, *caves)


BOXES: Final = _boxes()
"""For each space of ``engine.SPACES`` the room where its knights stand."""
assert len(BOXES) == len(SPACES)  # noqa: S101 - a board that gains a space must fail at import

CHAMBER_SLOTS: Final = tuple(Box(62 + 88 * i, CHAMBER_TOP + 66, 80, 60) for i in range(4))
NEST: Final = Box(488, CHAMBER_TOP + 62, 172, 40)

KNIGHT_W: Final = 29.0
COUNT_W: Final = 15.0
KNIGHT_H: Final = 34.0
_LARGEST: Final = 1.2
_RIM: Final = 5.0


class Group(NamedTuple):
    """``number`` knights of one colour on one space.

    ``gone``: all of them are chosen to leave it. ``coming``: one that is chosen to come here. ``rimmed``: it can be
    pressed, and stands a little apart.
    """

    color: int
    number: int
    gone: bool = False
    coming: bool = False
    rimmed: bool = False

    @property
    def width(self) -> float:
        """The room it takes, unscaled: a shield, and its number if they are several."""
        return KNIGHT_W + (COUNT_W if self.number > 1 else 0) + (_RIM if self.rimmed else 0)


class Token(NamedTuple):
    """A group and where to draw it: the middle of its shield."""

    group: Group
    x: float
    y: float
    scale: float


def pack(box: Box, groups: Sequence[Group]) -> list[Token]:
    """Place groups in a box: in as few rows and as large as they fit."""
    if not groups:
        return []
    best: list[Token] = []
    best_scale = 0.0
    for rows in (1, 2, 3):
        per_row = -(-len(groups) // rows)
        lines = [groups[i : i + per_row] for i in range(0, len(groups), per_row)]
        widths = [sum(group.width for group in line) for line in lines]
        scale = min(_LARGEST, box.width / max(widths), box.height / (KNIGHT_H * len(lines)))
        # the more rows must earn their place: one row reads best
        if scale <= best_scale + 0.05:
            continue
        best_scale, best = scale, []
        top = box.y - KNIGHT_H * scale * (len(lines) - 1) / 2
        for index, (line, width) in enumerate(zip(lines, widths, strict=True)):
            x = box.x - width * scale / 2
            for group in line:
                aside = KNIGHT_W + (_RIM if group.rimmed else 0)
                best.append(Token(group, x + aside * scale / 2, top + index * KNIGHT_H * scale, scale))
                x += group.width * scale
    return best

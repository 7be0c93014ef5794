"""The board as numbers: spaces, colours and seats (R-SET-1, R-SET-2, R-SET-3).

A space is a small int: 0–3 the towers, 4 the hall, 5–10 the meadow, 11–19 the cave, 20 the chamber.
A colour is an index into COLORS, a seat an int from 0. Names appear only where people or JSON do.
"""

from typing import Final

COLORS: Final[tuple[str, ...]] = ("black", "orange", "green", "purple", "yellow")

SPACES: Final[tuple[str, ...]] = (
    *("t1", "t2", "t3", "t4", "hall"),
    *("m1", "m2", "m3", "m4", "m5", "m6"),
    *("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"),
)
SPACE_INDEX: Final = {name: index for index, name in enumerate(SPACES)}
COLOR_INDEX: Final = {name: index for index, name in enumerate(COLORS)}

HALL: Final = 4
C1: Final = 11
CHAMBER: Final = 20
OFF_PATH: Final = -1
"""Where a moved knight is once it has left the path (nest or chamber)."""

CAVES: Final = 9
RAIL_LENGTH: Final = 4
LAST_RAIL: Final = 6
"""The rail's last place: it then lies beside c6–c9 (R-DRAG-8)."""

TO_CASTLE: Final = -1
TO_CHAMBER: Final = 1

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 5
TREASURES: Final = 4

_COLORS_OF: Final[tuple[tuple[tuple[int, ...], ...], ...]] = (
    (),
    (),
    ((0, 1), (2, 3)),
    ((0,), (1,), (2,)),
    ((0,), (1,), (2,), (3,)),
    ((0,), (1,), (2,), (3,), (4,)),
)
_OWNER: Final[tuple[tuple[int, ...], ...]] = ((), (), (0, 0, 1, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4))

Knights = tuple[tuple[int, ...], ...]
"""For each colour in play, the spaces of its knights on board, ascending."""


def colors_of(players: int, seat: int) -> tuple[int, ...]:
    """The colours that a seat plays: two with two players, else one (R-SET-2)."""
    return _COLORS_OF[players][seat]


def owner(players: int, color: int) -> int:
    """The seat that plays a colour (R-SET-2)."""
    return _OWNER[players][color]


def colors_in_play(players: int) -> int:
    """How many colours are on the board: four with two players, else one a seat (R-SET-2)."""
    return len(_OWNER[players])


def starting_spaces(players: int) -> tuple[int, ...]:
    """The starting spaces in use: the hall only with three or four players (R-SET-3)."""
    return (0, 1, 2, 3, HALL) if players in (3, 4) else (0, 1, 2, 3)


def cave_space(cave: int) -> int:
    """The space of a cave number: 1 is c1, 9 is c9."""
    return C1 - 1 + cave


def space_name(space: int) -> str:
    """The name of a space on board, or ``chamber``."""
    return "chamber" if space == CHAMBER else SPACES[space]


def crowd(knights: Knights, space: int) -> int:
    """How many knights of all colours stand on a space."""
    count = 0
    for spaces in knights:
        count += spaces.count(space)
    return count


def destination(knights: Knights, source: int) -> int:
    """Where a knight that leaves ``source`` arrives (R-MOVE-3, R-MOVE-4, R-MOVE-5).

    It goes as many steps as knights of all colours stand there, itself included, always toward the
    chamber; from a starting space the first step is m1, and steps beyond the chamber lapse.
    """
    steps = crowd(knights, source)
    target = HALL + steps if source <= HALL else source + steps
    return min(CHAMBER, target)

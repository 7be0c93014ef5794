"""One frozen value for each thing a seat can decide.

Each carries its verb in ``do``, so that values of two kinds are never equal. Every action that can
ever be legal exists once, in the tables below: the rules pick from them, so that listing and
comparing actions costs next to nothing.
"""

from typing import Final, Literal, NamedTuple

from engine.board import COLORS, SPACES
from engine.cards import CARD_KINDS, GOLD_VALUES


class Move(NamedTuple):
    """Move a knight of ``color`` from the space ``source`` (R-MOVE-1)."""

    color: int
    source: int
    do: Literal["move"] = "move"


class Stop(NamedTuple):
    """End the turn after one knight (R-MOVE-1)."""

    do: Literal["stop"] = "stop"


class Take(NamedTuple):
    """Take the face-up card of ``kind``, GOLD or GEM (R-CARD-1)."""

    kind: int
    do: Literal["take"] = "take"


class Catch(NamedTuple):
    """Let the dragon catch the knight of ``color`` (R-DRAG-4)."""

    color: int
    do: Literal["catch"] = "catch"


class Bribe(NamedTuple):
    """Give the dragon the gold card of value ``gold`` (R-DRAG-6)."""

    gold: int
    do: Literal["bribe"] = "bribe"


class Surrender(NamedTuple):
    """Give up the caught knight (R-DRAG-6)."""

    do: Literal["surrender"] = "surrender"


Action = Move | Stop | Take | Catch | Bribe | Surrender

MOVES: Final = tuple(tuple(Move(color, source) for source in range(len(SPACES))) for color in range(len(COLORS)))
"""MOVES[color][source]"""
STOP: Final = Stop()
TAKES: Final = tuple(Take(kind) for kind in range(len(CARD_KINDS)))
CATCHES: Final = tuple(Catch(color) for color in range(len(COLORS)))
BRIBES: Final = tuple(Bribe(gold) for gold in (0, *GOLD_VALUES))
"""BRIBES[gold]; index 0 is never legal."""
SURRENDER: Final = Surrender()
ACTIONS: Final[tuple[Action, ...]] = (
    *(move for row in MOVES for move in row),
    STOP,
    *TAKES,
    *CATCHES,
    *BRIBES[1:],
    SURRENDER,
)
"""Every action that can be legal in some game."""

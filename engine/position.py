"""A position: one immutable value with everything that decides how a game goes on.

It holds hidden cards and coming throws, so it never leaves the house: what people see of it is a
``View`` (engine.view). ``Draft`` is the position under the hands of the rules while they apply one
action; nobody else meets it.
"""

from typing import Final, NamedTuple, TypeVar

from engine.actions import Action
from engine.board import Knights
from engine.cards import Piles
from engine.events import Event

T = TypeVar("T")

PHASES: Final[tuple[str, ...]] = ("move", "take", "catch", "bribe", "over")
MOVE: Final = 0
TAKE: Final = 1
CATCH: Final = 2
BRIBE: Final = 3
OVER: Final = 4

NOBODY: Final = -1
"""No seat, or no colour."""

Moved = tuple[tuple[int, int], ...]
"""The knights moved this turn, in order: (colour, space where it stands or OFF_PATH)."""


class Position(NamedTuple):
    """A whole game at one moment, hidden things included.

    ``turn`` is the seat whose turn it is (kept when the game is over), ``knights`` the spaces of
    each colour, ``nest`` how many of each colour the dragon has, ``rail`` the first cave beside the
    rail (1–6), ``dragon`` its cave (1–9), ``facing`` TO_CASTLE or TO_CHAMBER. Piles run c1 to c9
    with the top card first. ``hands`` and ``given`` (gold given to the dragon) are ascending, one
    tuple a seat; ``gems`` counts ruby, emerald, garnet, turquoise for each seat. ``four_gems`` is a
    seat or NOBODY, ``victim`` the colour whose owner must answer the dragon or NOBODY. ``dice`` are
    all throws of the game, of which ``thrown`` have fallen. ``legal`` is derived: what the seat to
    act may do, computed once when the position is made, so the menu and the judge cannot disagree.
    """

    players: int
    turn: int
    phase: int
    knights: Knights
    nest: tuple[int, ...]
    rail: int
    dragon: int
    facing: int
    gold_piles: Piles
    gem_piles: Piles
    hands: tuple[tuple[int, ...], ...]
    given: tuple[tuple[int, ...], ...]
    gems: tuple[tuple[int, ...], ...]
    treasures: tuple[int, ...]
    four_gems: int
    moved: Moved
    took: bool
    victim: int
    dice: tuple[int, ...]
    thrown: int
    legal: tuple[Action, ...]


class Draft:
    """A position being changed by the rules; ``freeze`` makes it a Position again."""

    __slots__ = (
        *("players", "turn", "phase", "knights", "nest", "rail", "dragon", "facing"),
        *("gold_piles", "gem_piles", "hands", "given", "gems", "treasures", "four_gems"),
        *("moved", "took", "victim", "dice", "thrown", "legal", "events"),
    )

    def __init__(self, position: Position) -> None:
        self.players: int
        self.turn: int
        self.phase: int
        self.knights: Knights
        self.nest: tuple[int, ...]
        self.rail: int
        self.dragon: int
        self.facing: int
        self.gold_piles: Piles
        self.gem_piles: Piles
        self.hands: tuple[tuple[int, ...], ...]
        self.given: tuple[tuple[int, ...], ...]
        self.gems: tuple[tuple[int, ...], ...]
        self.treasures: tuple[int, ...]
        self.four_gems: int
        self.moved: Moved
        self.took: bool
        self.victim: int
        self.dice: tuple[int, ...]
        self.thrown: int
        self.legal: tuple[Action, ...]
        (
            self.players,
            self.turn,
            self.phase,
            self.knights,
            self.nest,
            self.rail,
            self.dragon,
            self.facing,
            self.gold_piles,
            self.gem_piles,
            self.hands,
            self.given,
            self.gems,
            self.treasures,
            self.four_gems,
            self.moved,
            self.took,
            self.victim,
            self.dice,
            self.thrown,
            self.legal,
        ) = position
        self.events: list[Event] = []

    def freeze(self) -> Position:
        """The position as it now stands. ``tuple.__new__``, as the constructor costs three times as much."""
        return tuple.__new__(
            Position,
            (
                self.players,
                self.turn,
                self.phase,
                self.knights,
                self.nest,
                self.rail,
                self.dragon,
                self.facing,
                self.gold_piles,
                self.gem_piles,
                self.hands,
                self.given,
                self.gems,
                self.treasures,
                self.four_gems,
                self.moved,
                self.took,
                self.victim,
                self.dice,
                self.thrown,
                self.legal,
            ),
        )


def put(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A copy of a tuple with one element replaced."""
    return row[:index] + (value,) + row[index + 1 :]  # noqa: RUF005 - in the innermost loop, and twice as fast

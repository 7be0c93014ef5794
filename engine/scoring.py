"""What everybody has won (R-END-3, R-END-4)."""

from typing import NamedTuple, Protocol

from engine.board import TREASURES
from engine.cards import GEMS
from engine.position import NOBODY, Draft, Position

TREASURE_VALUE = 5
BONUS_VALUE = 4


class Tally(Protocol):
    """All that counts for a score: of a position, or of a finished game as it lies open."""

    @property
    def players(self) -> int:
        """How many seats there are."""

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The gold of each seat."""

    @property
    def gems(self) -> tuple[tuple[int, ...], ...]:
        """How many gems of each type each seat has."""

    @property
    def treasures(self) -> tuple[int, ...]:
        """How many treasures each seat has."""

    @property
    def four_gems(self) -> int:
        """Who has the bonus card for four different gems: a seat or NOBODY."""


class Result(NamedTuple):
    """The score of a finished game, and how it came about.

    ``gold``, ``treasures``, ``gems`` and ``bonus`` are points, one number a seat; ``majority`` has
    the seat with the bonus card of each gem type or None; ``four_gems`` is a seat or None;
    ``winners`` has one seat, or several that share the win.
    """

    scores: tuple[int, ...]
    gold: tuple[int, ...]
    treasures: tuple[int, ...]
    gems: tuple[int, ...]
    bonus: tuple[int, ...]
    majority: tuple[int | None, ...]
    four_gems: int | None
    winners: tuple[int, ...]


def majority(gems: tuple[tuple[int, ...], ...]) -> tuple[int | None, ...]:
    """For each gem type the seat with strictly the most of it, or None (R-END-3)."""
    leaders: list[int | None] = []
    for gem in range(len(GEMS)):
        counts = [row[gem] for row in gems]
        most = max(counts)
        leaders.append(counts.index(most) if counts.count(most) == 1 else None)
    return tuple(leaders)


def score(position: Tally) -> Result:
    """The result, if the game ended with what lies on the table now (R-END-3, R-END-4)."""
    leaders = majority(position.gems)
    seats = range(position.players)
    gold = tuple(sum(hand) for hand in position.hands)
    treasures = tuple(TREASURE_VALUE * count for count in position.treasures)
    gems = tuple(sum(row) for row in position.gems)
    bonus = tuple(BONUS_VALUE * (leaders.count(seat) + (position.four_gems == seat)) for seat in seats)
    scores = tuple(gold[s] + treasures[s] + gems[s] + bonus[s] for s in seats)
    best = max((scores[s], treasures[s], gems[s]) for s in seats)
    return Result(
        scores=scores,
        gold=gold,
        treasures=treasures,
        gems=gems,
        bonus=bonus,
        majority=leaders,
        four_gems=None if position.four_gems == NOBODY else position.four_gems,
        winners=tuple(s for s in seats if (scores[s], treasures[s], gems[s]) == best),
    )


def all_treasures_taken(position: Position | Draft) -> bool:
    """Whether the chamber is empty, which ends the game (R-END-2)."""
    return sum(position.treasures) == TREASURES

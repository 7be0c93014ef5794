"""What everybody has at the end of a game, told from what lies open then."""

from __future__ import annotations

from typing import NamedTuple

from engine import OVER, View, knights_in_game, score
from engine.board import TREASURES
from engine.scoring import Result


class _Open(NamedTuple):
    """What a finished game is scored by; all of it lies open."""

    players: int
    hands: tuple[tuple[int, ...], ...]
    gems: tuple[tuple[int, ...], ...]
    treasures: tuple[int, ...]
    four_gems: int


def ending(view: View) -> Result | None:
    """What everybody has, once the game is over. Nobody wins one that its players broke off (R-END-2 has not come)."""
    if view.phase != OVER:
        return None
    hands = tuple(hand or () for hand in view.hands)
    result = score(_Open(view.players, hands, view.gems, view.treasures, view.four_gems))
    last_knight = any(knights_in_game(view, seat) == 1 for seat in range(view.players))
    ended = last_knight or sum(view.treasures) == TREASURES
    return result if ended else result._replace(winners=())

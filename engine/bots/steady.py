"""The level ``steady``: looks one ply ahead and takes what looks best on average.

Each legal action is tried on a few positions that could be behind the view, and what comes of it is
valued by hand-made terms: sensible, cheap, and the level that moves for someone who ran out of time.
"""

import random
import time
from typing import Final

from engine.actions import Action
from engine.board import C1, CHAMBER, RAIL_LENGTH, TREASURES, cave_space, colors_of, crowd
from engine.cards import GEMS
from engine.position import OVER, Position
from engine.redeal import redeal
from engine.scoring import BONUS_VALUE, TREASURE_VALUE, score
from engine.turn import apply
from engine.view import View

SAMPLES: Final = 12
_KNIGHT: Final = 2.5
"""What a knight on board is worth beyond its place: it can still reach cards and chamber."""
_STEP: Final = 0.12
_BESIDE_RAIL: Final = 0.6
_HURRY: Final = 1.0


def choose(seen: View, legal: tuple[Action, ...], budget: float, rng: random.Random) -> Action:
    """The legal action with the best average outcome over at most SAMPLES deals, or fewer in time.

    ``budget`` is in seconds. Every action is tried on the same deals, so that luck does not decide.
    """
    if len(legal) == 1 or seen.to_act is None:
        return legal[0]
    seat = seen.to_act
    totals = [0.0] * len(legal)
    until = time.monotonic() + budget
    for _ in range(SAMPLES):
        position = redeal(seen, rng)
        for index, action in enumerate(legal):
            totals[index] += _value(apply(position, action)[0], seat)
        if time.monotonic() > until:
            break
    return legal[totals.index(max(totals))]


def _value(position: Position, seat: int) -> float:
    """How a position looks for a seat: its own prospects less those of the best other seat."""
    if position.phase == OVER:
        result = score(position)
        lead = result.scores[seat] - max(s for i, s in enumerate(result.scores) if i != seat)
        return lead + (20.0 if seat in result.winners else -20.0)
    others = [_prospects(position, other) for other in range(position.players) if other != seat]
    return _prospects(position, seat) - 0.4 * max(others)


def _prospects(position: Position, seat: int) -> float:
    gems = position.gems[seat]
    value = float(sum(position.hands[seat]) + TREASURE_VALUE * position.treasures[seat] + sum(gems))
    value += BONUS_VALUE * (position.four_gems == seat)
    for gem in range(len(GEMS)):
        rival = max(row[gem] for other, row in enumerate(position.gems) if other != seat)
        value += 1.2 * max(-2, min(2, gems[gem] - rival)) if gems[gem] else 0.0
    near = range(cave_space(position.rail), cave_space(position.rail) + RAIL_LENGTH)
    treasures_left = TREASURES - sum(position.treasures)
    for color in colors_of(position.players, seat):
        for space in position.knights[color]:
            value += _KNIGHT + _STEP * space
            if space in near and not position.hands[seat]:
                value -= _BESIDE_RAIL
            if treasures_left and space >= C1 and space + crowd(position.knights, space) >= CHAMBER:
                value += _HURRY
    return value

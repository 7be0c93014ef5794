"""The level ``steady``: looks one ply ahead and takes what looks best on average.

Each legal action is tried on a few positions that could be behind the view, and what comes of it is
valued by hand-made terms: sensible, cheap, and the level that moves for someone who ran out of time.
"""

import random
import time
from typing import Final

from engine.actions import Action
from engine.board import C1, CHAMBER, RAIL_LENGTH, TREASURES, cave_space, colors_of, destination
from engine.cards import GEMS
from engine.position import MOVE, NOBODY, OVER, Position
from engine.redeal import redeal
from engine.scoring import BONUS_VALUE, TREASURE_VALUE, score
from engine.turn import apply
from engine.view import View

SAMPLES: Final = 12

_KNIGHT: Final = 1.0
"""What a knight on board is worth beyond its place: it can still reach cards and chamber."""
_STEP: Final = 0.1
"""For each space that it has come: little, because a knight in the chamber must be worth more than one before it."""
_DANGER: Final = 0.05
"""How likely a knight beside the rail is caught before its seat is to move again."""
_NEXT: Final = 0.3
"""How much of the best thing within reach of the next move counts already."""
_NOW: Final = 0.8
"""The same while a second knight may still move in this turn."""
_GEM: Final = 2.6
"""What a gem within reach is worth, with its share of the bonus cards."""
_LEAD: Final = 1.6
"""For each gem ahead of the best other seat, up to two: on the way to the bonus card."""
_KIND: Final = 0.5
"""For each kind of gem while the bonus card for four different ones is there to be had."""
_RIVAL: Final = 0.4
"""How much the prospects of the best other seat count against one's own."""
_WIN: Final = 20.0


def choose(seen: View, legal: tuple[Action, ...], budget: float, rng: random.Random) -> Action:
    """The legal action that turns out best on average, over deals that agree with what it may see.

    There are SAMPLES such deals, or as many as ``budget`` seconds allow. Every action is tried on the same deals, so
    that luck does not decide.
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
        return lead + (_WIN if seat in result.winners else -_WIN)
    others = [_prospects(position, other) for other in range(position.players) if other != seat]
    return _prospects(position, seat) - _RIVAL * max(others)


def _prospects(position: Position, seat: int) -> float:
    """What a seat has won so far and may yet win, in points."""
    hand = position.hands[seat]
    value = float(sum(hand) + TREASURE_VALUE * position.treasures[seat]) + _gems(position, seat)
    near = cave_space(position.rail)
    reach = 0.0
    for color in colors_of(position.players, seat):
        for space in position.knights[color]:
            worth = _KNIGHT + _STEP * space
            value += worth
            if near <= space < near + RAIL_LENGTH:
                value -= _DANGER * (min(worth, hand[0]) if hand else worth)
            reach = max(reach, _there(position, destination(position.knights, space)))
    now = position.moved and position.phase == MOVE and position.turn == seat
    return value + (_NOW if now else _NEXT) * reach


def _gems(position: Position, seat: int) -> float:
    """The gems of a seat, with what they promise of the bonus cards."""
    gems = position.gems[seat]
    value = float(sum(gems))
    for gem in range(len(GEMS)):
        if gems[gem]:
            rival = max(row[gem] for other, row in enumerate(position.gems) if other != seat)
            value += _LEAD * max(-2, min(2, gems[gem] - rival))
    if position.four_gems == NOBODY:
        return value + _KIND * sum(count > 0 for count in gems)
    return value + BONUS_VALUE * (position.four_gems == seat)


def _there(position: Position, space: int) -> float:
    """What is to be had on a space that a knight could reach."""
    if space == CHAMBER:
        return TREASURE_VALUE if sum(position.treasures) < TREASURES else 0.0
    if space < C1:
        return 0.0
    gold, gems = position.gold_piles[space - C1], position.gem_piles[space - C1]
    return max(gold[0] if gold else 0.0, _GEM if gems else 0.0)

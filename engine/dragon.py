"""The dragon and its rail (R-DRAG-1 … R-DRAG-12)."""

from typing import Final

from engine.board import (
    C1,
    LAST_RAIL,
    OFF_PATH,
    RAIL_LENGTH,
    TO_CASTLE,
    TO_CHAMBER,
    cave_space,
    owner,
)
from engine.cards import GOLD_VALUES
from engine.errors import OutOfDice
from engine.events import Bribed, Caught, DragonWent, RailWent, Surrendered, Threw
from engine.position import NOBODY, Draft, Position, put


def turned(rail: int, dragon: int, facing: int) -> int:
    """Which way the dragon faces once it stands there.

    On the last space beside the rail in the direction it faces it turns (R-DRAG-3, R-DRAG-10); one
    space behind the rail, and on entering it from there, it does not (R-DRAG-9).
    """
    if facing == TO_CHAMBER and dragon == rail + RAIL_LENGTH - 1:
        return TO_CASTLE
    if facing == TO_CASTLE and dragon == rail:
        return TO_CHAMBER
    return facing


def _walk(rail: int, dragon: int, facing: int, steps: int) -> tuple[int, int]:
    for _ in range(steps):
        dragon += facing
        facing = turned(rail, dragon, facing)
    return dragon, facing


_WALKS: Final[dict[tuple[int, int, int], tuple[tuple[int, int], ...]]] = {
    (rail, dragon, facing): tuple(_walk(rail, dragon, facing, steps) for steps in range(4))
    for rail in range(1, LAST_RAIL + 1)
    for dragon in range(max(rail - 1, 1), rail + RAIL_LENGTH)
    for facing in (TO_CASTLE, TO_CHAMBER)
    if turned(rail, dragon, facing) == facing and (dragon, facing) != (rail - 1, TO_CASTLE)
}
"""(rail, dragon, facing) -> where it stands and faces after 0, 1, 2 and 3 steps."""


def may_stand(rail: int, dragon: int, facing: int) -> bool:
    """Whether the dragon can ever stand there, facing so, with the rail there."""
    return (rail, dragon, facing) in _WALKS


def is_woken(draft: Draft) -> bool:
    """Whether the knight that has just moved ends beside the rail or on the dragon's space (R-DRAG-1)."""
    cave = draft.moved[-1][1] - C1 + 1
    return draft.rail <= cave < draft.rail + RAIL_LENGTH or cave == draft.dragon


def fly(draft: Draft) -> None:
    """The seat at turn throws the die and the dragon goes that far (R-DRAG-2, R-DRAG-3).

    Raises OutOfDice if the setup holds no further throw.
    """
    if draft.thrown == len(draft.dice):
        raise OutOfDice(f"the dragon wakes, and all {len(draft.dice)} throws of the die are used up")
    die = draft.dice[draft.thrown]
    draft.thrown += 1
    source = draft.dragon
    draft.dragon, draft.facing = _WALKS[draft.rail, source, draft.facing][die]
    draft.events.append(Threw(draft.turn, die))
    draft.events.append(DragonWent(source, draft.dragon, draft.facing))


def colors_beside(draft: Draft | Position) -> list[int]:
    """The colours of the knights on the dragon's space: whom it may catch (R-DRAG-4)."""
    space = cave_space(draft.dragon)
    return [color for color, spaces in enumerate(draft.knights) if space in spaces]


def catch(draft: Draft, color: int) -> None:
    """The dragon holds a knight of this colour, and its owner must answer (R-DRAG-4, R-DRAG-6)."""
    draft.victim = color
    seat = owner(draft.players, color)
    draft.events.append(Caught(seat, color, draft.turn, cave_space(draft.dragon)))


def bribe(draft: Draft, gold: int) -> None:
    """The caught knight's owner gives up a gold card, and the knight stays (R-DRAG-6, R-DRAG-12)."""
    seat = owner(draft.players, draft.victim)
    hand = list(draft.hands[seat])
    hand.remove(gold)
    draft.hands = put(draft.hands, seat, tuple(hand))
    draft.given = put(draft.given, seat, tuple(sorted((*draft.given[seat], gold))))
    draft.events.append(Bribed(seat, draft.victim, gold))


def surrender(draft: Draft) -> None:
    """The caught knight goes to the nest (R-DRAG-6).

    Of several alike it is one that has moved this turn, the first if both have (R-DRAG-5).
    """
    color, space = draft.victim, cave_space(draft.dragon)
    spaces = list(draft.knights[color])
    spaces.remove(space)
    draft.knights = put(draft.knights, color, tuple(spaces))
    draft.nest = put(draft.nest, color, draft.nest[color] + 1)
    if (color, space) in draft.moved:
        draft.moved = put(draft.moved, draft.moved.index((color, space)), (color, OFF_PATH))
    draft.events.append(Surrendered(owner(draft.players, color), color))


def shift_rail(draft: Draft) -> None:
    """The catch is settled: the rail goes on one space until it lies beside c6–c9 (R-DRAG-8).

    The dragon may be left one space behind it (R-DRAG-9), or has to turn (R-DRAG-10).
    """
    draft.victim = NOBODY
    if draft.rail < LAST_RAIL:
        draft.rail += 1
        draft.facing = turned(draft.rail, draft.dragon, draft.facing)
        draft.events.append(RailWent(draft.rail, draft.facing))


def gold_to_give(hand: tuple[int, ...]) -> list[int]:
    """The different values in a hand, ascending: what the dragon can be offered (R-DRAG-6)."""
    return [gold for gold in GOLD_VALUES if gold in hand]

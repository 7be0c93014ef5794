"""What one seat, a spectator or (after the end) anyone may see of a game.

An allow-list: a View is built field by field from what is open, so that a field nobody thought of
stays hidden. What is open and what is not stands in R-SET-4, R-CARD-3 and R-DRAG-7.
"""

from typing import NamedTuple

from engine.actions import Action
from engine.board import Knights, colors_in_play, colors_of, starting_spaces
from engine.cards import NO_GEM, NO_GOLD
from engine.position import OVER, Moved, Position
from engine.turn import to_act


class View(NamedTuple):
    """A game as ``viewer`` sees it: a seat, or None for a spectator.

    ``turn`` and ``to_act`` are None when the game is over. ``chamber`` and ``nest`` count the knights
    of each colour there. ``gold_up`` and ``gem_up`` are the face-up cards c1 to c9 (NO_GOLD, NO_GEM
    where a pile is empty), ``gold_left`` and ``gem_left`` the cards in each pile, face-up one
    counted. ``hands`` and ``given`` (gold given to the dragon) have one entry a seat: the cards,
    ascending, if the viewer may see them, else None; the counts are open. ``seen_gold`` is the gold
    that each seat was seen to take, ascending. ``legal`` is empty unless the viewer is to act.
    """

    viewer: int | None
    players: int
    turn: int | None
    phase: int
    to_act: int | None
    knights: Knights
    nest: tuple[int, ...]
    chamber: tuple[int, ...]
    rail: int
    dragon: int
    facing: int
    gold_up: tuple[int, ...]
    gem_up: tuple[int, ...]
    gold_left: tuple[int, ...]
    gem_left: tuple[int, ...]
    hands: tuple[tuple[int, ...] | None, ...]
    hand_counts: tuple[int, ...]
    given: tuple[tuple[int, ...] | None, ...]
    given_counts: tuple[int, ...]
    seen_gold: tuple[tuple[int, ...], ...]
    gems: tuple[tuple[int, ...], ...]
    treasures: tuple[int, ...]
    four_gems: int
    moved: Moved
    took: bool
    victim: int
    legal: tuple[Action, ...]


def view(position: Position, viewer: int | None) -> View:
    """The position as a seat (or None: a spectator) may see it (R-SET-4, R-CARD-3, R-DRAG-7)."""
    over = position.phase == OVER
    actor = to_act(position)
    seats = range(position.players)
    at_start = len(starting_spaces(position.players))
    return View(
        viewer=viewer,
        players=position.players,
        turn=None if over else position.turn,
        phase=position.phase,
        to_act=actor,
        knights=position.knights,
        nest=position.nest,
        chamber=tuple(
            at_start - len(position.knights[color]) - position.nest[color]
            for color in range(colors_in_play(position.players))
        ),
        rail=position.rail,
        dragon=position.dragon,
        facing=position.facing,
        gold_up=tuple(pile[0] if pile else NO_GOLD for pile in position.gold_piles),
        gem_up=tuple(pile[0] if pile else NO_GEM for pile in position.gem_piles),
        gold_left=tuple(len(pile) for pile in position.gold_piles),
        gem_left=tuple(len(pile) for pile in position.gem_piles),
        hands=tuple(position.hands[s] if over or s == viewer else None for s in seats),
        hand_counts=tuple(len(hand) for hand in position.hands),
        given=tuple(position.given[s] if over or s == viewer else None for s in seats),
        given_counts=tuple(len(gold) for gold in position.given),
        seen_gold=tuple(tuple(sorted(position.hands[s] + position.given[s])) for s in seats),
        gems=position.gems,
        treasures=position.treasures,
        four_gems=position.four_gems,
        moved=position.moved,
        took=position.took,
        victim=position.victim,
        legal=position.legal if actor is not None and actor == viewer else (),
    )


def knights_in_game(seen: View, seat: int) -> int:
    """How many knights a seat still has on the board (R-END-2)."""
    return sum(len(seen.knights[color]) for color in colors_of(seen.players, seat))

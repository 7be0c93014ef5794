"""What must hold in every position that a game can reach; each broken thing is named."""

from collections.abc import Sequence

from engine.board import (
    CHAMBER,
    COLORS,
    OFF_PATH,
    TREASURES,
    colors_in_play,
    colors_of,
    starting_spaces,
)
from engine.cards import GEM_DECK, GOLD_DECK, Piles, gem_cards, without
from engine.dragon import may_stand
from engine.knights import knights_left
from engine.position import NOBODY, OVER, Position
from engine.scoring import all_treasures_taken
from engine.turn import menu


def problems(position: Position) -> list[str]:
    """Every broken invariant of a position, in words; an empty list for a sound one.

    It checks conservation of knights, cards and treasures, the places of dragon and rail, and that
    the derived facts fit. It does not check that the position can be reached by legal play.
    """
    if len(position.knights) != colors_in_play(position.players):
        return ["R-SET-2: the wrong number of colours is on the board"]
    return [
        *_knights(position),
        *_cards("gold", GOLD_DECK, position.gold_piles, [*position.hands, *position.given]),
        *_cards("gem", GEM_DECK, position.gem_piles, [gem_cards(row) for row in position.gems]),
        *_turn(position),
    ]


def _knights(position: Position) -> list[str]:
    found = []
    at_start = len(starting_spaces(position.players))
    for color, spaces in enumerate(position.knights):
        if list(spaces) != sorted(spaces) or any(not 0 <= s < CHAMBER for s in spaces):
            found.append(f"R-SET-1: {COLORS[color]} knights stand in no order or on no space: {spaces}")
        if len(spaces) + position.nest[color] > at_start:
            found.append(f"R-SET-3: there are too many {COLORS[color]} knights")
    for seat, treasures in enumerate(position.treasures):
        colors = colors_of(position.players, seat)
        gone = sum(at_start - len(position.knights[c]) - position.nest[c] for c in colors)
        if gone != treasures:
            found.append(f"R-END-1: seat {seat} has {treasures} treasures for {gone} knights in the chamber")
    if sum(position.treasures) > TREASURES:
        found.append(f"R-SET-5: more than {TREASURES} treasures have been taken")
    return found


def _cards(name: str, deck: tuple[int, ...], piles: Piles, held: Sequence[Sequence[int]]) -> list[str]:
    cards = [card for pile in (*piles, *held) for card in pile]
    try:
        without(deck, cards)
    except ValueError:
        return [f"R-SET-4: there are {name} cards that the deck does not hold: {sorted(cards)}"]
    return []


def _turn(position: Position) -> list[str]:
    found = []
    if not may_stand(position.rail, position.dragon, position.facing):
        found.append("R-DRAG-3: the dragon cannot stand there, facing that way")
    alone = [s for s in range(position.players) if knights_left(position, s) <= 1]
    if (position.phase == OVER) != bool(alone or all_treasures_taken(position)):
        found.append("R-END-2: the game is over, or not, against the rules")
    if position.phase == OVER and (position.moved or position.took or position.victim != NOBODY):
        found.append("R-END-2: something is still open in a finished game")
    for color, stands in position.moved:
        if stands != OFF_PATH and stands not in position.knights[color]:
            found.append(f"R-MOVE-2: no {COLORS[color]} knight is where one has moved to")
    if position.legal != menu(position):
        found.append("the legal actions are not those of the position")
    if not position.legal and position.phase != OVER:
        found.append("nobody can act, and the game is not over")
    return found

"""Positions as tests tell them: who stands where, what lies beside the cave, what the die will show."""

import os
import random
from collections.abc import Iterator, Mapping, Sequence

from hypothesis import settings

from engine import Action, Event, Position, apply, deal, is_over, legal_actions, start
from engine.board import COLOR_INDEX, SPACE_INDEX, colors_in_play, starting_spaces
from engine.cards import GEM_INDEX
from engine.position import NOBODY
from engine.turn import menu

SEATS = (2, 3, 4, 5)

whole_games = settings(max_examples=int(os.environ.get("WHOLE_GAMES", "8")))
"""For tests that look at every position of a game: a handful of games in the suite, more in `make proof`."""


def position(
    players: int = 3,
    *,
    turn: int = 0,
    knights: Mapping[str, str] | None = None,
    gold: Mapping[str, Sequence[int]] | None = None,
    gems: Mapping[str, Sequence[str]] | None = None,
    no_cards: bool = False,
    hands: Mapping[int, Sequence[int]] | None = None,
    laid: Mapping[int, str] | None = None,
    treasures: Mapping[int, int] | None = None,
    four_gems: int = NOBODY,
    rail: int = 1,
    dragon: int = 4,
    facing: int = -1,
    dice: Sequence[int] = (),
) -> Position:
    """The start of a game with some of it put differently.

    ``knights`` gives the spaces of a colour (``"t1 m3 m3"``); those not on board are in the nest, less
    one for each treasure of the seat. ``gold`` and ``gems`` give piles by cave (``{"c1": [5, 1]}``);
    with ``no_cards`` all others are empty.
    """
    base = start(deal(players, bytes(32), [""] * players, turn))
    on_board = [list(spaces) for spaces in base.knights]
    for name, spaces in (knights or {}).items():
        on_board[COLOR_INDEX[name]] = sorted(SPACE_INDEX[space] for space in spaces.split())
    won = [(treasures or {}).get(seat, 0) for seat in range(players)]
    at_start = len(starting_spaces(players))
    nest = []
    for color in range(colors_in_play(players)):
        seat = color // 2 if players == 2 else color
        in_chamber = won[seat] if players != 2 or color % 2 == 0 else 0
        nest.append(at_start - len(on_board[color]) - in_chamber)
    gold_piles = [() if no_cards else pile for pile in base.gold_piles]
    gem_piles = [() if no_cards else pile for pile in base.gem_piles]
    for cave, cards in (gold or {}).items():
        gold_piles[int(cave[1]) - 1] = tuple(cards)
    for cave, names in (gems or {}).items():
        gem_piles[int(cave[1]) - 1] = tuple(GEM_INDEX[name] for name in names)
    counts = []
    for seat in range(players):
        names = (laid or {}).get(seat, "").split()
        counts.append(tuple(names.count(name) for name in GEM_INDEX))
    changed = base._replace(
        knights=tuple(tuple(spaces) for spaces in on_board),
        nest=tuple(nest),
        gold_piles=tuple(gold_piles),
        gem_piles=tuple(gem_piles),
        hands=tuple(tuple(sorted((hands or {}).get(seat, ()))) for seat in range(players)),
        gems=tuple(counts),
        treasures=tuple(won),
        four_gems=four_gems,
        rail=rail,
        dragon=dragon,
        facing=facing,
        dice=tuple(dice) + base.dice,
    )
    return changed._replace(legal=menu(changed))


def play(position: Position, *actions: Action) -> tuple[Position, list[Event]]:
    """Apply actions in order; the events of all of them."""
    events: list[Event] = []
    for action in actions:
        position, more = apply(position, action)
        events += more
    return position, events


def kinds(events: Sequence[Event]) -> list[str]:
    """What happened, by kind."""
    return [event.kind for event in events]


def game(players: int, seed: int) -> Iterator[tuple[Position, Action, Position, tuple[Event, ...]]]:
    """A whole random game from its seed: before, action, after, events of every step."""
    rng = random.Random(seed)
    entropy = [f"seat {seat}" for seat in range(players)]
    now = start(deal(players, rng.randbytes(32), entropy, None))
    while not is_over(now):
        action = rng.choice(legal_actions(now))
        then, events = apply(now, action)
        yield now, action, then, events
        now = then


def final(players: int, seed: int) -> Position:
    """The last position of a random game."""
    *_, (_, _, last, _) = game(players, seed)
    return last

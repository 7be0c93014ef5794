"""A view back to a position that could be behind it, drawn at random: for bots, and for the leak test."""

import random

from engine.cards import GEM_DECK, GOLD_DECK, NO_GEM, NO_GOLD, Piles, gem_cards, without
from engine.chance import most_throws
from engine.position import OVER, Position
from engine.turn import menu
from engine.view import View


def redeal(seen: View, rng: random.Random) -> Position:
    """A position that looks exactly like ``seen`` to its viewer, everything unseen drawn anew.

    Face-down cards come from those nobody has seen (R-SET-4); which of the gold it was seen to take
    another seat has given to the dragon is drawn too (R-DRAG-7); so are the coming throws.
    ``view(redeal(v, rng), v.viewer) == v`` for every view of a game.
    """
    taken_gold = [gold for row in seen.seen_gold for gold in row]
    taken_gems = [gem for row in seen.gems for gem in gem_cards(row)]
    hands, given = [], []
    for seat in range(seen.players):
        hand, gone = seen.hands[seat], seen.given[seat]
        if hand is None or gone is None:
            gold = list(seen.seen_gold[seat])
            rng.shuffle(gold)
            hand = tuple(sorted(gold[: seen.hand_counts[seat]]))
            gone = tuple(sorted(gold[seen.hand_counts[seat] :]))
        hands.append(hand)
        given.append(gone)
    position = behind(
        seen,
        gold_piles=_piles(GOLD_DECK, taken_gold, seen.gold_up, NO_GOLD, seen.gold_left, rng),
        gem_piles=_piles(GEM_DECK, taken_gems, seen.gem_up, NO_GEM, seen.gem_left, rng),
        hands=tuple(hands),
        given=tuple(given),
        dice=() if seen.phase == OVER else tuple(rng.choices((1, 2, 3), k=most_throws(seen.players))),
    )
    return position._replace(legal=menu(position))


def behind(
    seen: View,
    *,
    gold_piles: Piles,
    gem_piles: Piles,
    hands: tuple[tuple[int, ...], ...],
    given: tuple[tuple[int, ...], ...],
    dice: tuple[int, ...],
) -> Position:
    """The position with all that a view shows and, for what it hides, what is handed in; nothing is legal in it yet."""
    return Position(
        players=seen.players,
        turn=0 if seen.turn is None else seen.turn,
        phase=seen.phase,
        knights=seen.knights,
        nest=seen.nest,
        rail=seen.rail,
        dragon=seen.dragon,
        facing=seen.facing,
        gold_piles=gold_piles,
        gem_piles=gem_piles,
        hands=hands,
        given=given,
        gems=seen.gems,
        treasures=seen.treasures,
        four_gems=seen.four_gems,
        moved=seen.moved,
        took=seen.took,
        victim=seen.victim,
        dice=dice,
        thrown=0,
        legal=(),
    )


def _piles(
    deck: tuple[int, ...],
    taken: list[int],
    face_up: tuple[int, ...],
    empty: int,
    left: tuple[int, ...],
    rng: random.Random,
) -> Piles:
    """Piles with these top cards and sizes, the rest drawn from what is unseen of a deck."""
    shown = [card for card in face_up if card != empty]
    unseen = without(deck, [*taken, *shown])
    rng.shuffle(unseen)
    piles = []
    for top, count in zip(face_up, left, strict=True):
        hidden = [unseen.pop() for _ in range(count - 1)]
        piles.append((top, *hidden) if count else ())
    return tuple(piles)

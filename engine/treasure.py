"""Cards beside the cave, and the treasure chamber (R-CARD-1 … R-CARD-4, R-END-1)."""

from engine.board import C1, TREASURES
from engine.cards import GEM, GOLD
from engine.events import FourGems, Took, TreasureTaken, TurnedUp
from engine.position import NOBODY, Draft, put


def kinds_beside(draft: Draft, space: int) -> tuple[int, ...]:
    """Which kinds of card lie face up beside a space: GOLD, GEM, both or none (R-CARD-1)."""
    if space < C1:
        return ()
    gold, gem = draft.gold_piles[space - C1], draft.gem_piles[space - C1]
    if gold:
        return (GOLD, GEM) if gem else (GOLD,)
    return (GEM,) if gem else ()


def take(draft: Draft, space: int, kind: int) -> None:
    """The seat at turn takes the top card of a kind; the next one turns face up (R-CARD-1, R-CARD-3).

    From then on it may move no second knight (R-CARD-2).
    """
    draft.took = True
    pile = (draft.gold_piles if kind == GOLD else draft.gem_piles)[space - C1]
    card, rest = pile[0], pile[1:]
    draft.events.append(Took(draft.turn, space, kind, card))
    if kind == GOLD:
        draft.gold_piles = put(draft.gold_piles, space - C1, rest)
        hand = tuple(sorted((*draft.hands[draft.turn], card)))
        draft.hands = put(draft.hands, draft.turn, hand)
    else:
        draft.gem_piles = put(draft.gem_piles, space - C1, rest)
        _lay_gem(draft, card)
    if rest:
        draft.events.append(TurnedUp(space, kind, rest[0]))


def _lay_gem(draft: Draft, gem: int) -> None:
    """Lay a gem open; the first to have all four gets the bonus card at once (R-CARD-4)."""
    gems = put(draft.gems[draft.turn], gem, draft.gems[draft.turn][gem] + 1)
    draft.gems = put(draft.gems, draft.turn, gems)
    if draft.four_gems == NOBODY and 0 not in gems:
        draft.four_gems = draft.turn
        draft.events.append(FourGems(draft.turn))


def enter_chamber(draft: Draft) -> None:
    """The seat at turn, a knight of whom has just reached the chamber, takes a treasure (R-END-1)."""
    draft.treasures = put(draft.treasures, draft.turn, draft.treasures[draft.turn] + 1)
    draft.events.append(TreasureTaken(draft.turn, treasures_left(draft)))


def treasures_left(draft: Draft) -> int:
    """How many dragon treasures still lie in the chamber (R-SET-5)."""
    return TREASURES - sum(draft.treasures)

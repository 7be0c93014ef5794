"""Where a turn would lead, as far as everybody can see it before the die falls: for arrows, and for words beside them.

Made from a ``View``, so that nothing hidden can have a part in it, by the very rules that play the move.
"""

from typing import Final, Literal, NamedTuple

from engine.actions import Move
from engine.board import CHAMBER, crowd, destination, owner
from engine.cards import NO_GEM, NO_GOLD
from engine.dragon import fly, is_woken, shift_rail, surrender
from engine.knights import knights_left, moves, walk
from engine.position import MOVE, TAKE, Draft, Position
from engine.redeal import behind
from engine.treasure import kinds_beside
from engine.turn import refusal
from engine.view import View

DIE: Final = (1, 2, 3)


class Way(NamedTuple):
    """How far a knight would go now: so many ``steps`` (R-MOVE-3), to a space or CHAMBER, where what is left lapses."""

    move: Move
    steps: int
    target: int


class Ahead(NamedTuple):
    """What a knight's move leads to by itself, before anything that nobody can foresee.

    ``kinds`` are the kinds of card that lie where it ends: one of them is taken. ``wakes``: the dragon wakes, and the
    throws 1, 2, 3 of the die would bring it to the caves ``flights``. ``ends`` tells why no second knight follows:
    ``second`` (it is one already), ``chamber``, ``card``, or ``alone`` (none could move); empty where one may.
    ``then`` is the view with this knight moved and nothing else, so that ``ways(then, …)`` tells of the next.
    """

    way: Way
    kinds: tuple[int, ...]
    wakes: bool
    flights: tuple[int, ...]
    ends: Literal["", "second", "chamber", "card", "alone"]
    then: View


def ways(seen: View) -> tuple[Way, ...]:
    """Where each knight that may move now would go: all its ``Move`` actions, in the order of the legal ones.

    >>> from engine import SPACES, deal, start, view
    >>> seen = view(start(deal(3, bytes(32), ["", "", ""], 0)), 0)
    >>> [(SPACES[way.move.source], way.steps, SPACES[way.target]) for way in ways(seen)][:2]
    [('t1', 3, 'm3'), ('t2', 3, 'm3')]
    """
    return tuple(_way(seen, action) for action in seen.legal if isinstance(action, Move))


def ahead(seen: View, move: Move) -> Ahead:
    """What comes of moving this knight, for the seat that sees ``seen``.

    Raises IllegalAction, with the rule, if it is not among the legal moves of ``seen``.
    """
    if move not in seen.legal:
        raise refusal(_shadow(seen), move)
    way = _way(seen, move)
    draft = Draft(_shadow(seen))
    target = walk(draft, move)
    kinds = kinds_beside(draft, target) if target != CHAMBER else ()
    wakes = target != CHAMBER and is_woken(draft)
    legal = moves(draft) if len(draft.moved) == 1 else ()
    chamber = (
        seen.chamber
        if target != CHAMBER
        else tuple(count + (color == move.color) for color, count in enumerate(seen.chamber))
    )
    then = seen._replace(knights=draft.knights, moved=draft.moved, chamber=chamber, legal=legal)
    ends: Literal["", "second", "chamber", "card", "alone"] = ""
    if target == CHAMBER:
        ends = "chamber"
    elif kinds:
        ends = "card"
    elif len(draft.moved) > 1:
        ends = "second"
    elif not legal:
        ends = "alone"
    return Ahead(
        way, kinds, wakes, _flights(draft) if wakes else (), ends, then if not ends else then._replace(legal=())
    )


def after_dragon(seen: View, victim: int, *, stays: bool) -> View:
    """While the dragon waits for an answer: the view once it is settled what becomes of a knight of colour ``victim``.

    The rail has gone on by then (R-DRAG-8). ``legal`` holds the second knights; it is empty where none may follow.
    """
    draft = Draft(_shadow(seen))
    draft.victim = victim
    if not stays:
        surrender(draft)
    over = knights_left(draft, owner(seen.players, victim)) == 1
    shift_rail(draft)
    goes_on = not over and not seen.took and seen.turn == seen.viewer and len(draft.moved) == 1
    return seen._replace(
        phase=MOVE,
        knights=draft.knights,
        nest=draft.nest,
        rail=draft.rail,
        facing=draft.facing,
        moved=draft.moved,
        victim=draft.victim,
        legal=moves(draft) if goes_on else (),
    )


def flights(seen: View) -> tuple[int, ...]:
    """While a card is being chosen: where the throws 1, 2, 3 would then bring the dragon; nothing if it sleeps on."""
    draft = Draft(_shadow(seen))
    return _flights(draft) if seen.phase == TAKE and is_woken(draft) else ()


def _way(seen: View, move: Move) -> Way:
    return Way(move, crowd(seen.knights, move.source), destination(seen.knights, move.source))


def _flights(draft: Draft) -> tuple[int, ...]:
    """Where the dragon would end for each throw, from where it is."""
    caves = []
    for die in DIE:
        flown = Draft(draft.freeze())
        flown.dice, flown.thrown = (die,), 0
        fly(flown)
        caves.append(flown.dragon)
    return tuple(caves)


def _shadow(seen: View) -> Position:
    """A position with the board of a view, for rules that look at nothing hidden; nothing stands for what is."""
    nothing: tuple[tuple[int, ...], ...] = ((),) * seen.players
    position = behind(
        seen,
        gold_piles=tuple(() if card == NO_GOLD else (card,) for card in seen.gold_up),
        gem_piles=tuple(() if card == NO_GEM else (card,) for card in seen.gem_up),
        hands=nothing,
        given=nothing,
        dice=(),
    )
    return position._replace(legal=seen.legal)

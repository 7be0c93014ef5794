"""A turn from its first knight to the next seat: the one place where an action becomes a position.

The chapters (knights, treasure, dragon, scoring) say what each thing does; here stands in which order
it happens, and who decides next.
"""

from typing import Final, Literal

from engine.actions import (
    ACTIONS,
    BRIBES,
    CATCHES,
    SURRENDER,
    TAKES,
    Action,
    Bribe,
    Catch,
    Move,
    Stop,
    Take,
)
from engine.board import (
    CHAMBER,
    COLORS,
    TO_CASTLE,
    colors_in_play,
    owner,
    starting_spaces,
)
from engine.cards import CARD_KINDS
from engine.dragon import (
    bribe,
    catch,
    colors_beside,
    fly,
    gold_to_give,
    is_woken,
    shift_rail,
    surrender,
)
from engine.errors import IllegalAction
from engine.events import Event, GameOver, Stopped, TurnPassed
from engine.knights import knights_left, moves, violation, walk
from engine.position import BRIBE, CATCH, MOVE, NOBODY, OVER, TAKE, Draft, Position
from engine.scoring import all_treasures_taken, score
from engine.sentences import Sentence
from engine.setup import Setup
from engine.treasure import enter_chamber, kinds_beside, take


def start(setup: Setup) -> Position:
    """The position before the first move (R-SET-1 … R-SET-6)."""
    nothing: tuple[tuple[int, ...], ...] = ((),) * setup.players
    position = Position(
        players=setup.players,
        turn=setup.first,
        phase=MOVE,
        knights=(starting_spaces(setup.players),) * colors_in_play(setup.players),
        nest=(0,) * colors_in_play(setup.players),
        rail=1,
        dragon=4,
        facing=TO_CASTLE,
        gold_piles=setup.gold_piles,
        gem_piles=setup.gem_piles,
        hands=nothing,
        given=nothing,
        gems=((0, 0, 0, 0),) * setup.players,
        treasures=(0,) * setup.players,
        four_gems=NOBODY,
        moved=(),
        took=False,
        victim=NOBODY,
        dice=setup.dice,
        thrown=0,
        legal=(),
    )
    return position._replace(legal=menu(position))


def to_act(position: Position) -> int | None:
    """The seat that has to decide now; None when the game is over (R-DRAG-6, R-SET-6)."""
    if position.phase == BRIBE:
        return owner(position.players, position.victim)
    return None if position.phase == OVER else position.turn


def is_over(position: Position) -> bool:
    """Whether the game has ended (R-END-2)."""
    return position.phase == OVER


def legal_actions(position: Position) -> tuple[Action, ...]:
    """All that the seat to act may do, in a stable order; empty when the game is over.

    >>> from engine import SPACES, deal, start
    >>> position = start(deal(3, bytes(32), ["", "", ""], 0))
    >>> [SPACES[move.source] for move in legal_actions(position)]
    ['t1', 't2', 't3', 't4', 'hall']
    """
    return position.legal


def menu(position: Position | Draft) -> tuple[Action, ...]:
    """Work out the legal actions of a position from its phase."""
    if position.phase == MOVE:
        return moves(position)
    if position.phase == TAKE:
        return TAKES
    if position.phase == CATCH:
        return tuple([CATCHES[color] for color in colors_beside(position)])
    if position.phase == BRIBE:
        hand = position.hands[owner(position.players, position.victim)]
        return (*(BRIBES[gold] for gold in gold_to_give(hand)), SURRENDER)
    return ()


def apply(position: Position, action: Action) -> tuple[Position, tuple[Event, ...]]:
    """The position after an action and all that follows by itself, and what happened in between.

    Raises IllegalAction, with the rule it breaks and what is legal, if the seat to act may not do
    this. ``position`` itself never changes.
    """
    if action not in position.legal:
        raise refusal(position, action)
    draft = Draft(position)
    if isinstance(action, Move):
        _move(draft, action)
    elif isinstance(action, Stop):
        draft.events.append(Stopped(draft.turn))
        _pass_turn(draft)
    elif isinstance(action, Take):
        take(draft, draft.moved[-1][1], action.kind)
        _wake(draft)
    elif isinstance(action, Catch):
        _catch(draft, action.color)
    elif isinstance(action, Bribe):
        bribe(draft, action.gold)
        _settle(draft)
    else:
        _surrender(draft)
    return draft.freeze(), tuple(draft.events)


def _move(draft: Draft, move: Move) -> None:
    """A knight moves; then a card is taken, then the dragon wakes (R-MOVE-5, R-CARD-1, R-DRAG-1)."""
    space = walk(draft, move)
    if space == CHAMBER:
        enter_chamber(draft)
        if all_treasures_taken(draft):
            _end(draft, "last-treasure")
        elif knights_left(draft, draft.turn) == 1:
            _end(draft, "one-knight")
        else:
            _pass_turn(draft)
        return
    kinds = kinds_beside(draft, space)
    if len(kinds) > 1:
        draft.phase, draft.legal = TAKE, TAKES
        return
    if kinds:
        take(draft, space, kinds[0])
    _wake(draft)


def _wake(draft: Draft) -> None:
    """The dragon wakes if the knight ends beside it, flies, and catches where it ends (R-DRAG-1, R-DRAG-4)."""
    if not is_woken(draft):
        _go_on(draft)
        return
    fly(draft)
    colors = colors_beside(draft)
    if not colors:
        _settle(draft)
    elif len(colors) == 1:
        _catch(draft, colors[0])
    else:
        draft.phase = CATCH
        draft.legal = menu(draft)


def _catch(draft: Draft, color: int) -> None:
    """A knight is caught: its owner decides, unless it has no gold to give (R-DRAG-6)."""
    catch(draft, color)
    if draft.hands[owner(draft.players, color)]:
        draft.phase = BRIBE
        draft.legal = menu(draft)
    else:
        _surrender(draft)


def _surrender(draft: Draft) -> None:
    """A knight is lost; that may end the game, with the rail left where it lies (R-END-2)."""
    surrender(draft)
    if knights_left(draft, owner(draft.players, draft.victim)) == 1:
        _end(draft, "one-knight")
    else:
        _settle(draft)


def _settle(draft: Draft) -> None:
    """The dragon is done: the rail goes on, then the turn (R-DRAG-8, R-DRAG-11)."""
    shift_rail(draft)
    _go_on(draft)


def _go_on(draft: Draft) -> None:
    """A second knight may move, if no card was taken and one is left to move (R-CARD-2, R-MOVE-7)."""
    if not draft.took and len(draft.moved) == 1:
        draft.legal = moves(draft)
        if draft.legal:
            draft.phase = MOVE
            return
    _pass_turn(draft)


def _pass_turn(draft: Draft) -> None:
    """The next seat's turn begins (R-SET-6)."""
    draft.turn = (draft.turn + 1) % draft.players
    _clear(draft, MOVE)
    draft.legal = moves(draft)
    draft.events.append(TurnPassed(draft.turn))


def _end(draft: Draft, reason: Literal["last-treasure", "one-knight"]) -> None:
    """The game is over at once (R-END-2)."""
    _clear(draft, OVER)
    draft.legal = ()
    result = score(draft)
    draft.events.append(GameOver(reason, result.scores, result.winners))


def _clear(draft: Draft, phase: int) -> None:
    draft.phase = phase
    draft.moved = ()
    draft.took = False
    draft.victim = NOBODY


def break_off(position: Position) -> Position:
    """A game that its players end early: nothing more happens, and everything lies open (no rule of the game's own).

    ``score`` of it tells the points as they lie.
    """
    draft = Draft(position)
    _clear(draft, OVER)
    draft.legal = ()
    return draft.freeze()


def refusal(position: Position, action: Action) -> IllegalAction:
    """Why an action that is not legal is refused: the rule it breaks, in words, and what is legal."""
    rule, message = _violation(position, action)
    return IllegalAction(rule, message, position.legal)


ASKED: Final = {
    TAKE: ("R-CARD-1", Sentence("a card has to be taken first, gold or gem")),
    CATCH: ("R-DRAG-4", Sentence("the dragon's victim has to be chosen first")),
    BRIBE: ("R-DRAG-6", Sentence("the caught knight's owner has to answer the dragon first")),
}
"""For each phase in which no knight moves, what has to be done first: the rule's id and the words."""


# For values built by hand that name a colour, a space or a card which no game has.
_UNHEARD_OF = {"move": "R-MOVE-1", "take": "R-CARD-1", "catch": "R-DRAG-4", "bribe": "R-DRAG-6"}


def _violation(position: Position, action: Action) -> tuple[str, Sentence]:
    phase = position.phase
    if phase == OVER:
        return "R-END-2", Sentence("the game is over")
    if action not in ACTIONS:
        return _UNHEARD_OF[action.do], Sentence("no game has what this {action} names", action=action.do)
    if isinstance(action, Catch) and phase == CATCH:
        color = Sentence(COLORS[action.color])
        return "R-DRAG-4", Sentence("no {color} knight stands on the dragon's space", color=color)
    if isinstance(action, Bribe) and phase == BRIBE:
        return "R-DRAG-6", Sentence("there is no gold {gold} in the hand", gold=action.gold)
    if isinstance(action, Move) and phase == TAKE:
        return "R-CARD-2", Sentence(
            "a card has to be taken now, gold or gem, and that ends the knight moves of the turn"
        )
    if phase != MOVE:
        return ASKED[phase]
    if isinstance(action, Move):
        return violation(position, action)
    if isinstance(action, Stop):
        return "R-MOVE-1", Sentence("the first knight move of a turn is compulsory; one may stop after it")
    if isinstance(action, Take):
        kind = Sentence(CARD_KINDS[action.kind])
        return "R-CARD-1", Sentence(
            "no {kind} card is to be taken now; a knight has to end on a cave space first", kind=kind
        )
    if isinstance(action, Catch):
        return "R-DRAG-4", Sentence("the dragon has nobody to choose from now")
    return "R-DRAG-6", Sentence("the dragon holds no knight now")

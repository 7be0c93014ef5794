"""Playing what people write: one line a turn (docs/RECORD.md).

``t1 m3 gem`` moves the knight on t1, then the one on m3, and takes the gem. What may or may not come up
can be said ahead: ``t1 c3 gold catch purple>yellow bribe lowest``.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from engine.actions import BRIBES, CATCHES, MOVES, STOP, SURRENDER, TAKES, Action, Move
from engine.board import CHAMBER, COLORS, SPACES, colors_of
from engine.cards import CARD_KINDS
from engine.errors import AmbiguousMove, IllegalAction, NotationError
from engine.events import Event, Moved, Threw, Took, TurnedUp
from engine.lines import Words, action_notation, parse_line
from engine.position import BRIBE, CATCH, MOVE, OVER, TAKE, Position
from engine.turn import apply, refusal, to_act


class StepPlayed(NamedTuple):
    """One action of a line that was made: the position after it and what happened."""

    action: Action
    position: Position
    events: tuple[Event, ...]


class Dropped(NamedTuple):
    """Words of a line that came to nothing, and why, for people."""

    word: str
    reason: str


class LinePlayed(NamedTuple):
    """What became of a line: the actions made, in order (at least one), and what was dropped."""

    steps: tuple[StepPlayed, ...]
    dropped: tuple[Dropped, ...]


def play_line(position: Position, text: str) -> LinePlayed:
    """Play a line for the seat to act.

    Up to the first thing that comes to light (a throw, a card turned up) it is all or nothing; what
    was said for later is done if it is legal then, else dropped and reported, and the turn waits.
    Raises NotationError or IllegalAction, with what is legal, if nothing of it is played.
    """
    try:
        words = parse_line(text)
    except NotationError as error:
        raise NotationError(error.word, error.message, position.legal) from None
    if words.number is None:
        return _play(position, _Said(words))
    if not 1 <= words.number <= len(position.legal):
        raise NotationError(
            text.strip(),
            f"'{words.number}' is not in the list of what is legal, which has {len(position.legal)} entries",
            position.legal,
        )
    return _play(position, _Given([position.legal[words.number - 1]]))


def play_actions(position: Position, actions: Sequence[Action]) -> LinePlayed:
    """Play actions in order for the seat to act, on the same terms as ``play_line``."""
    if not actions:
        raise NotationError("", "at least one action is needed", position.legal)
    return _play(position, _Given(actions))


class _Script(Protocol):
    """What a seat wants to do, asked one decision at a time."""

    def next(self, position: Position) -> tuple[str, Action] | None:
        """The words and the action for the decision at hand; None if nothing was said about it.

        Raises IllegalAction or NotationError if what was said cannot be done.
        """

    def knights(self) -> list[str]:
        """Words that must not be left over before something has come to light."""

    def spare(self, steps: Sequence[StepPlayed]) -> list[Dropped]:
        """What was said for a case that did not come up."""


def _play(position: Position, script: _Script) -> LinePlayed:
    if position.phase == OVER:
        raise refusal(position, STOP)
    seat = to_act(position)
    before = position
    steps: list[StepPlayed] = []
    dropped: list[Dropped] = []
    revealed = False
    while to_act(position) == seat:
        try:
            said = script.next(position)
        except (IllegalAction, NotationError) as error:
            if not revealed:
                raise
            dropped.append(Dropped(error.word if isinstance(error, NotationError) else "", error.message))
            break
        if said is None:
            break
        word, action = said
        if action not in position.legal:
            refused = refusal(position, action)
            if not revealed:
                raise refused
            dropped.append(Dropped(word, refused.message))
            break
        position, events = apply(position, action)
        steps.append(StepPlayed(action, position, events))
        revealed = revealed or any(isinstance(event, Threw | TurnedUp) for event in events)
    left = script.knights()
    if left:
        rule, reason = _why_no_knight(before, position, seat, steps)
        if not revealed:
            raise IllegalAction(rule, f"'{left[0]}' cannot be done: {reason}", before.legal)
        dropped += [Dropped(word, f"{reason} ({rule})") for word in left]
    dropped += script.spare(steps)
    if not steps:
        raise NotationError(dropped[0].word, f"'{dropped[0].word}' does nothing now", before.legal)
    return LinePlayed(tuple(steps), tuple(dropped))


def _why_no_knight(
    before: Position, position: Position, seat: int | None, steps: Sequence[StepPlayed]
) -> tuple[str, str]:
    """Why a knight that was named does not move any more: the rule and the reason."""
    if not steps:
        refused = refusal(position, STOP)
        return refused.rule, refused.message
    events = steps[-1].events
    if position.phase == OVER:
        return "R-END-2", "the game is over"
    if any(isinstance(event, Moved) and event.target == CHAMBER for event in events):
        return "R-END-1", "entering the chamber ends the turn"
    if position.phase == TAKE or any(isinstance(e, Took) for step in steps for e in step.events):
        return "R-CARD-2", "a turn has no second knight once a card is to be taken"
    if position.phase == CATCH:
        return "R-DRAG-4", "the dragon's victim has to be chosen first"
    if position.phase == BRIBE:
        return "R-DRAG-6", "the caught knight's owner has to answer the dragon first"
    if position.turn != seat:
        return "R-MOVE-1", "the turn is over" if before.turn == seat else "it is not this seat's turn"
    return "R-MOVE-1", "what came before it was not done"


class _Given:
    """Actions as values, in order."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = list(actions)
        self._players = 0

    def next(self, position: Position) -> tuple[str, Action] | None:
        self._players = position.players
        if not self._actions:
            return None
        action = self._actions.pop(0)
        return action_notation(action, position.players), action

    def knights(self) -> list[str]:
        return [action_notation(action, self._players) for action in self._actions]

    def spare(self, steps: Sequence[StepPlayed]) -> list[Dropped]:
        return []


class _Said:
    """A line of words: knights and ``stop`` in order, the rest whenever it is asked for."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._moves = list(words.moves)
        self._stop = words.stop
        self._used: set[str] = set()

    def next(self, position: Position) -> tuple[str, Action] | None:
        words = self._words
        if position.phase == MOVE:
            if self._moves:
                color, space = self._moves.pop(0)
                return _knight_words(color, space), _knight(position, color, space)
            if not self._stop:
                return None
            self._stop = False
            return "stop", STOP
        if position.phase == TAKE:
            if words.card is None:
                return None
            self._used.add("card")
            return CARD_KINDS[words.card], TAKES[words.card]
        if position.phase == CATCH:
            if not words.catch:
                return None
            self._used.add("catch")
            wanted = [CATCHES[color] for color in words.catch]
            there = [action for action in wanted if action in position.legal]
            return _catch_words(words), (there or wanted)[0]
        return self._answer(position)

    def _answer(self, position: Position) -> tuple[str, Action] | None:
        """The answer to the dragon: a gold card or the knight."""
        bribe = self._words.bribe
        if bribe is None and not self._words.surrender:
            return None
        self._used.add("answer")
        if bribe is None:
            return "surrender", SURRENDER
        if isinstance(bribe, int):
            return f"bribe {bribe}", BRIBES[bribe]
        return f"bribe {bribe}", position.legal[0 if bribe == "lowest" else -2]

    def knights(self) -> list[str]:
        return [_knight_words(color, space) for color, space in self._moves]

    def spare(self, steps: Sequence[StepPlayed]) -> list[Dropped]:
        words = self._words
        spare = []
        if self._stop:
            spare.append(Dropped("stop", "there was nothing to stop"))
        if words.card is not None and "card" not in self._used:
            spare.append(Dropped(CARD_KINDS[words.card], _why_no_choice(words.card, steps)))
        if words.catch and "catch" not in self._used:
            spare.append(Dropped(_catch_words(words), "there was no choice of whom to catch"))
        if "answer" not in self._used:
            if words.surrender:
                spare.append(Dropped("surrender", "the dragon asked for no answer"))
            elif words.bribe is not None:
                spare.append(Dropped(f"bribe {words.bribe}", "the dragon asked for no answer"))
        return spare


def _why_no_choice(card: int, steps: Sequence[StepPlayed]) -> str:
    for step in steps:
        for event in step.events:
            if isinstance(event, Took):
                return f"only {CARD_KINDS[event.card]} lay at {SPACES[event.space]}, so it was taken"
    return f"no choice of card came up, so no {CARD_KINDS[card]} was asked for"


def _catch_words(words: Words) -> str:
    return "catch " + ">".join(COLORS[color] for color in words.catch)


def _knight_words(color: int | None, space: int) -> str:
    return SPACES[space] if color is None else f"{COLORS[color]} {SPACES[space]}"


def _knight(position: Position, color: int | None, space: int) -> Action:
    """The move that is meant by a space, with or without a colour.

    Raises AmbiguousMove where two colours could go from there, IllegalAction where none can.
    """
    found = [
        action
        for action in position.legal
        if isinstance(action, Move) and action.source == space and color in (None, action.color)
    ]
    if len(found) == 1:
        return found[0]
    name = SPACES[space]
    if found:
        first = COLORS[found[0].color]
        raise AmbiguousMove(
            name,
            f"knights of two colours stand on {name}: say which one goes, like '{first} {name}'",
            position.legal,
        )
    if color is not None:
        raise refusal(position, MOVES[color][space])
    colors = colors_of(position.players, position.turn)
    if position.moved:
        colors = (position.moved[0][0],)
    standing = [c for c in colors if space in position.knights[c]]
    if not standing and len(colors) > 1:
        raise IllegalAction("R-MOVE-1", f"none of this seat's knights stands on {name}", position.legal)
    raise refusal(position, MOVES[(standing or list(colors))[0]][space])

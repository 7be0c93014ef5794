"""Playing what people write: one line a turn (docs/RECORD.md).

``t1 m3 gem`` moves the knight on t1, then the one on m3, and takes the gem. What may or may not come up
can be said ahead: ``t1 c3 gold catch purple>yellow bribe lowest``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from engine.actions import BRIBES, CATCHES, MOVES, STOP, SURRENDER, TAKES, Action, Catch, Move, Stop, Take
from engine.board import CHAMBER, COLORS, SPACES, colors_of
from engine.cards import CARD_KINDS
from engine.errors import AmbiguousMove, IllegalAction, NotationError
from engine.events import Caught, Event, Moved, Surrendered, Threw, Took, TurnedUp
from engine.lines import AnswerWords, KnightWords, Words, action_notation, parse_line, quote
from engine.position import BRIBE, CATCH, MOVE, OVER, TAKE, Position
from engine.turn import ASKED, apply, refusal, to_act


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
    Raises NotationError or IllegalAction, with the word that is wrong and what is legal, if nothing
    of it is played.
    """
    if position.phase == OVER:
        raise refusal(position, STOP)
    try:
        words = parse_line(text)
    except NotationError as error:
        raise NotationError(error.word, error.message, position.legal) from None
    if isinstance(words, Words):
        return _play(position, _Spoken(words))
    if not 1 <= words <= len(position.legal):
        entries = "1 is the only entry" if len(position.legal) == 1 else f"it goes from 1 to {len(position.legal)}"
        message = f"'{words}' is not in the list of legal actions: {entries}"
        raise NotationError(str(words), message, position.legal)
    return _play(position, _Given([position.legal[words - 1]]))


def play_actions(position: Position, actions: Sequence[Action]) -> LinePlayed:
    """Play actions in order for the seat to act, on the same terms as ``play_line``."""
    if position.phase == OVER:
        raise refusal(position, STOP)
    if not actions:
        raise NotationError("", "at least one action is needed", position.legal)
    return _play(position, _Given(actions))


class _Said(NamedTuple):
    """An action, and the words that ask for it."""

    words: str
    action: Action


class _Script(Protocol):
    """What a seat wants to do, asked one decision at a time."""

    def next(self, position: Position) -> _Said | None:
        """What was said for the decision at hand; None if nothing was.

        Raises IllegalAction or AmbiguousMove if what was said is no action at all here.
        """

    def turn_passed(self) -> None:
        """The seat has answered the dragon in somebody's turn, and now its own begins."""

    def rest(self) -> list[_Said]:
        """What was said and never used, knights first."""


def _play(position: Position, script: _Script) -> LinePlayed:
    before, seat = position, to_act(position)
    steps: list[StepPlayed] = []
    dropped: list[Dropped] = []
    revealed = False
    while to_act(position) == seat:
        try:
            said = script.next(position)
            if said is None:
                break
            if said.action not in position.legal:
                refused = refusal(position, said.action)
                raise IllegalAction(refused.rule, refused.message, position.legal, said.words)
        except (IllegalAction, AmbiguousMove) as error:
            if not revealed:
                raise _refused(error, before, position, steps) from None
            dropped.append(Dropped(quote(error.word), _reason(error)))
            break
        turn = position.turn
        position, events = apply(position, said.action)
        steps.append(StepPlayed(said.action, position, events))
        revealed = revealed or any(isinstance(event, Threw | TurnedUp) for event in events)
        if position.turn != turn:
            script.turn_passed()
    stuck = bool(dropped)
    for said in script.rest():
        if not steps:
            unasked = refusal(position, said.action)
            raise _refused(IllegalAction(unasked.rule, unasked.message, (), said.words), before, position, steps)
        rule, reason = _why_unused(said.action, position, seat, steps, stuck)
        if isinstance(said.action, Move) and not revealed:
            raise _refused(IllegalAction(rule, reason, (), said.words), before, position, steps)
        dropped.append(Dropped(quote(said.words), f"{reason} ({rule})"))
    return LinePlayed(tuple(steps), tuple(dropped))


def _reason(error: IllegalAction | AmbiguousMove) -> str:
    return str(error) if isinstance(error, IllegalAction) else error.message


def _refused(
    error: IllegalAction | AmbiguousMove, before: Position, position: Position, steps: Sequence[StepPlayed]
) -> IllegalAction | NotationError:
    """The refusal of a whole line: it quotes the words, and holds what is legal as things still stand."""
    message = f"'{quote(error.word)}' cannot be done: {error.message}"
    if steps and to_act(position) == to_act(before):
        done = " ".join(action_notation(step.action, before.players) for step in steps)
        open_ = ", ".join(action_notation(action, before.players) for action in position.legal)
        message += f"; after '{done}' there could come {open_}"
    if isinstance(error, IllegalAction):
        return IllegalAction(error.rule, message, before.legal, quote(error.word))
    return AmbiguousMove(quote(error.word), message, before.legal)


_WAITS: Final = {
    **ASKED,
    TAKE: ("R-CARD-2", "a card has to be taken first, which ends the knight moves of the turn"),
    OVER: ("R-END-2", "the game is over by then"),
}


def _why_unused(
    action: Action, position: Position, seat: int | None, steps: Sequence[StepPlayed], stuck: bool
) -> tuple[str, str]:
    """Why something that was said found no use in what was played: the rule and the reason."""
    events = [event for step in steps for event in step.events]
    chosen = {type(step.action) for step in steps}
    if isinstance(action, Take):
        for event in events:
            if isinstance(event, Took) and Take not in chosen:
                return "R-CARD-1", f"only {CARD_KINDS[event.card]} lay at {SPACES[event.space]}, so it was taken"
        return "R-CARD-1", "no choice of card came up"
    if isinstance(action, Catch):
        for event in events:
            if isinstance(event, Caught) and Catch not in chosen:
                return "R-DRAG-4", f"only {COLORS[event.color]} stood beside the dragon, so there was no choice"
        return "R-DRAG-4", "the dragon met nobody to choose from"
    if isinstance(action, Move | Stop):
        return _why_no_knight(action, position, seat, events, stuck)
    if any(isinstance(event, Surrendered) and event.seat == seat for event in events):
        return "R-DRAG-6", "there was no gold to give, so the knight was lost"
    return "R-DRAG-6", "the dragon asked this seat for nothing"


def _why_no_knight(
    action: Action, position: Position, seat: int | None, events: Sequence[Event], stuck: bool
) -> tuple[str, str]:
    if position.phase in _WAITS:
        return _WAITS[position.phase]
    if stuck:
        return "R-MOVE-1", "what came before it was not done"
    if isinstance(action, Stop):
        return "R-MOVE-1", "the turn was over without it"
    if any(isinstance(event, Moved) and event.target == CHAMBER for event in events):
        return "R-END-1", "entering the chamber ends the turn"
    if any(isinstance(event, Took) for event in events):
        return "R-CARD-2", "taking a card ends the knight moves of the turn"
    if any(isinstance(event, Moved) and event.seat == seat for event in events):
        return "R-MOVE-7", "no second knight could move, so the turn was over"
    return "R-MOVE-1", "it is another seat's turn"


class _Given:
    """Actions as values, in order."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = list(actions)
        self._players = 0

    def next(self, position: Position) -> _Said | None:
        self._players = position.players
        return self._said(self._actions.pop(0)) if self._actions else None

    def turn_passed(self) -> None:
        pass

    def rest(self) -> list[_Said]:
        return [self._said(action) for action in self._actions]

    def _said(self, action: Action) -> _Said:
        return _Said(action_notation(action, self._players), action)


class _Spoken:
    """A line of words: knights and ``stop`` in order, the rest whenever it is asked for."""

    def __init__(self, words: Words) -> None:
        self._card, self._catch, self._answer = words.card, words.catch, words.answer
        self._knights = list(words.knights)
        self._stop = words.stop
        self._used: set[object] = set()

    def next(self, position: Position) -> _Said | None:
        if position.phase == MOVE:
            return self._next_knight(position)
        if position.phase == TAKE and self._card:
            self._used.add(self._card)
            return _Said(self._card.words, TAKES[self._card.kind])
        if position.phase == CATCH and self._catch:
            self._used.add(self._catch)
            for color in self._catch.colors:
                if CATCHES[color] in position.legal:
                    return _Said(self._catch.words, CATCHES[color])
            wanted = " or ".join(dict.fromkeys(COLORS[color] for color in self._catch.colors))
            message = f"no {wanted} knight stands on the dragon's space"
            raise IllegalAction("R-DRAG-4", message, position.legal, self._catch.words)
        if position.phase == BRIBE and self._answer:
            self._used.add(self._answer)
            return _Said(self._answer.words, _answer(self._answer, position))
        return None

    def _next_knight(self, position: Position) -> _Said | None:
        if self._knights:
            knight = self._knights.pop(0)
            return _Said(knight.words, _knight(position, knight))
        if self._stop is None or (self._used and not position.moved):
            return None
        stop, self._stop = self._stop, None
        return _Said(stop, STOP)

    def turn_passed(self) -> None:
        """``catch`` and ``bribe`` words serve one turn: what was used in another's is not used again."""
        if self._catch in self._used:
            self._catch = None
        if self._answer in self._used:
            self._answer = None

    def rest(self) -> list[_Said]:
        said = [_Said(knight.words, MOVES[knight.color or 0][knight.space]) for knight in self._knights]
        if self._stop is not None:
            said.append(_Said(self._stop, STOP))
        if self._card and self._card not in self._used:
            said.append(_Said(self._card.words, TAKES[self._card.kind]))
        if self._catch and self._catch not in self._used:
            said.append(_Said(self._catch.words, CATCHES[self._catch.colors[0]]))
        if self._answer and self._answer not in self._used:
            said.append(_Said(self._answer.words, SURRENDER))
        return said


def _answer(said: AnswerWords, position: Position) -> Action:
    """The answer to the dragon: a gold card or the knight. The legal ones are ascending, surrender last."""
    if said.answer == "surrender":
        return SURRENDER
    if isinstance(said.answer, int):
        return BRIBES[said.answer]
    return position.legal[0 if said.answer == "lowest" else -2]


def _knight(position: Position, said: KnightWords) -> Action:
    """The move that is meant by a space, with or without a colour.

    Raises AmbiguousMove where two colours could go from there, IllegalAction where the seat has none.
    """
    name = SPACES[said.space]
    if said.color is not None:
        return MOVES[said.color][said.space]
    colors = [position.moved[0][0]] if position.moved else colors_of(position.players, position.turn)
    standing = [color for color in colors if said.space in position.knights[color]]
    if len(standing) > 1:
        ways = " or ".join(f"'{COLORS[color]} {name}'" for color in standing)
        message = f"knights of two of this seat's colours stand on {name}: say {ways} (R-SET-2)"
        raise AmbiguousMove(said.words, message, position.legal)
    if not standing:
        whose = " or ".join(COLORS[color] for color in colors)
        raise IllegalAction("R-MOVE-1", f"no {whose} knight stands on {name}", position.legal, said.words)
    return MOVES[standing[0]][said.space]

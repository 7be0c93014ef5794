"""Playing what people write: one line a turn (docs/RECORD.md).

``t1 m3 gem`` moves the knight on t1, then the one on m3, and takes the gem. What may or may not come up
can be said ahead: ``t1 c3 gold catch purple>yellow bribe lowest``. Where the line says nothing, the standing orders of
whoever is asked answer (docs/ORDERS.md), and the line goes on.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from engine.actions import (
    BRIBES,
    CATCHES,
    MOVES,
    STOP,
    SURRENDER,
    TAKES,
    Action,
    Bribe,
    Catch,
    Move,
    Stop,
    Surrender,
    Take,
)
from engine.board import CHAMBER, COLORS, SPACES, colors_of
from engine.cards import CARD_KINDS
from engine.errors import AmbiguousMove, IllegalAction, NotationError
from engine.events import Caught, Event, Moved, Surrendered, Threw, Took, TurnedUp
from engine.lines import AnswerWords, CatchWords, KnightWords, Words, action_notation, parse_line, quote
from engine.orders import CatchOrder, Standing, answer_bribe, choose_catch
from engine.position import BRIBE, CATCH, MOVE, OVER, TAKE, Position
from engine.sentences import Sentence, chain
from engine.turn import ASKED, apply, refusal, to_act
from engine.view import view


class StepPlayed(NamedTuple):
    """One action that was made: the position after it and what happened.

    ``seat`` is who decided it; ``by_order`` tells that its standing order did, not the line.
    """

    action: Action
    position: Position
    events: tuple[Event, ...]
    seat: int
    by_order: bool


class Dropped(NamedTuple):
    """Words of a line that came to nothing, and why, for people."""

    word: str
    reason: Sentence


class LinePlayed(NamedTuple):
    """What became of a line: the actions made, in order (the line's own first), and what was dropped."""

    steps: tuple[StepPlayed, ...]
    dropped: tuple[Dropped, ...]


def play_line(position: Position, text: str, standing: Standing | None = None) -> LinePlayed:
    """Play a line for the seat to act, with the standing orders of the table.

    Up to the first thing that comes to light (a throw, a card turned up, another seat's order) it is all or nothing;
    what was said for later is done if it is legal then, else dropped and reported, and the turn waits. An order answers
    what the line does not, and never the decision that the line was written for.
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
        return _play(position, _Spoken(words), standing)
    if not 1 <= words <= len(position.legal):
        message = (
            Sentence("'{number}' is not in the list of legal actions: 1 is the only entry", number=words)
            if len(position.legal) == 1
            else Sentence(
                "'{number}' is not in the list of legal actions: it goes from 1 to {last}",
                number=words,
                last=len(position.legal),
            )
        )
        raise NotationError(str(words), message, position.legal)
    return _play(position, _Given([position.legal[words - 1]]), standing)


def play_actions(position: Position, actions: Sequence[Action], standing: Standing | None = None) -> LinePlayed:
    """Play actions in order for the seat to act, on the same terms as ``play_line``."""
    if position.phase == OVER:
        raise refusal(position, STOP)
    if not actions:
        raise NotationError("", Sentence("at least one action is needed"), position.legal)
    return _play(position, _Given(actions), standing)


class _Said(NamedTuple):
    """An action, and the words that ask for it; no action: the seat wants to be asked."""

    words: str
    action: Action | None


class _Unused(NamedTuple):
    """Words that were never needed, and an action of the kind that they ask for."""

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

    def rest(self) -> list[_Unused]:
        """What was said and never used, knights first."""


class _Played:
    """A line while it is played."""

    def __init__(self, position: Position, script: _Script, standing: Standing | None) -> None:
        self.before = self.position = position
        self.seat = to_act(position)
        self.steps: list[StepPlayed] = []
        self.dropped: list[Dropped] = []
        self.revealed = self.stuck = False
        self._script = script
        self._standing = standing

    def go_on(self) -> bool:
        """Play the next decision. False if nothing says what to do there, or what the line says cannot be done."""
        actor, said = to_act(self.position), None
        if actor is None:
            return False
        try:
            if actor == self.seat:
                said = self._said()
        except (IllegalAction, AmbiguousMove) as error:
            if not self.revealed:
                raise _refused(error, self.before, self.position, self.steps) from None
            dropped = Dropped(quote(error.word), _reason(error))
            if dropped not in self.dropped:
                self.dropped.append(dropped)
            # Whom the dragon met was not in the line's hand: with nobody there who is wanted, the order decides.
            order = self._order() if self.position.phase == CATCH else None
            self.stuck = order is None
            return self._apply(actor, order, by_order=True)
        if said is None:
            return self._apply(actor, self._order(), by_order=True)
        return self._apply(actor, said.action, by_order=False)

    def _said(self) -> _Said | None:
        said = self._script.next(self.position)
        if said is None:
            return None
        if said.action is None and not self.steps:
            rule, message = ASKED[self.position.phase]
            raise IllegalAction(rule, message, self.position.legal, said.words)
        if said.action is not None and said.action not in self.position.legal:
            refused = refusal(self.position, said.action)
            raise IllegalAction(refused.rule, refused.message, self.position.legal, said.words)
        return said

    def _order(self) -> Action | None:
        """What a standing order says. The decision that the line was written for is the line's own."""
        return self._standing(self.position) if self._standing is not None and self.steps else None

    def _apply(self, actor: int, action: Action | None, *, by_order: bool) -> bool:
        if action is None:
            return False
        turn = self.position.turn
        self.position, events = apply(self.position, action)
        self.steps.append(StepPlayed(action, self.position, events, actor, by_order))
        # Another seat's order tells what that seat does, which may depend on its hand.
        self.revealed = self.revealed or actor != self.seat or any(isinstance(one, Threw | TurnedUp) for one in events)
        if self.position.turn != turn:
            self._script.turn_passed()
        return True

    def drop_rest(self) -> None:
        """Report the words that were never used, or refuse the line for them."""
        for words, action in self._script.rest():
            if not self.steps:
                unasked = refusal(self.position, action)
                error = IllegalAction(unasked.rule, unasked.message, (), words)
                raise _refused(error, self.before, self.position, self.steps)
            rule, reason = _why_unused(action, self.position, self.seat, self.steps, self.stuck)
            if isinstance(action, Move) and not self.revealed:
                raise _refused(IllegalAction(rule, reason, (), words), self.before, self.position, self.steps)
            self.dropped.append(Dropped(quote(words), _by_rule(rule, reason)))


def _play(position: Position, script: _Script, standing: Standing | None) -> LinePlayed:
    line = _Played(position, script, standing)
    while line.go_on():
        pass
    line.drop_rest()
    return LinePlayed(tuple(line.steps), tuple(line.dropped))


def _reason(error: IllegalAction | AmbiguousMove) -> Sentence:
    return _by_rule(error.rule, error.message) if isinstance(error, IllegalAction) else error.message


def _by_rule(rule: str, reason: Sentence) -> Sentence:
    return Sentence("{reason} ({rule})", reason=reason, rule=rule)


def _refused(
    error: IllegalAction | AmbiguousMove, before: Position, position: Position, steps: Sequence[StepPlayed]
) -> IllegalAction | NotationError:
    """The refusal of a whole line: it quotes the words, and holds what is legal as things still stand."""
    message = Sentence("'{word}' cannot be done: {reason}", word=quote(error.word), reason=error.message)
    if steps and to_act(position) == to_act(before):
        done = " ".join(action_notation(step.action, before.players) for step in steps)
        open_ = ", ".join(action_notation(action, before.players) for action in position.legal)
        message = Sentence("{refusal}; after '{done}' there could come {open}", refusal=message, done=done, open=open_)
    if isinstance(error, IllegalAction):
        return IllegalAction(error.rule, message, before.legal, quote(error.word))
    return AmbiguousMove(quote(error.word), message, before.legal)


_WAITS: Final = {
    **ASKED,
    TAKE: ("R-CARD-2", Sentence("a card has to be taken first, which ends the knight moves of the turn")),
    OVER: ("R-END-2", Sentence("the game is over by then")),
}


def _why_unused(
    action: Action, position: Position, seat: int | None, steps: Sequence[StepPlayed], stuck: bool
) -> tuple[str, Sentence]:
    """Why something that was said found no use in what was played: the rule and the reason."""
    events = [event for step in steps for event in step.events]
    chosen = {type(step.action) for step in steps if step.seat == seat}
    if isinstance(action, Take):
        for event in events:
            if isinstance(event, Took) and Take not in chosen:
                kind = Sentence(CARD_KINDS[event.card])
                lay = Sentence("only {kind} lay at {space}, so it was taken", kind=kind, space=SPACES[event.space])
                return "R-CARD-1", lay
        return "R-CARD-1", Sentence("no choice of card came up")
    if isinstance(action, Catch):
        for event in events:
            if isinstance(event, Caught) and Catch not in chosen:
                color = Sentence(COLORS[event.color])
                stood = Sentence("only {color} stood beside the dragon, so there was no choice", color=color)
                return "R-DRAG-4", stood
        return "R-DRAG-4", Sentence("the dragon met nobody to choose from")
    if isinstance(action, Move | Stop):
        return _why_no_knight(action, position, seat, events, stuck)
    if any(isinstance(event, Surrendered) and event.seat == seat for event in events):
        return "R-DRAG-6", Sentence("there was no gold to give, so the knight was lost")
    return "R-DRAG-6", Sentence("the dragon asked this seat for nothing")


def _why_no_knight(
    action: Action, position: Position, seat: int | None, events: Sequence[Event], stuck: bool
) -> tuple[str, Sentence]:
    if position.phase in _WAITS:
        return _WAITS[position.phase]
    if stuck:
        return "R-MOVE-1", Sentence("what came before it was not done")
    if isinstance(action, Stop):
        return "R-MOVE-1", Sentence("the turn was over without it")
    if any(isinstance(event, Moved) and event.target == CHAMBER for event in events):
        return "R-END-1", Sentence("entering the chamber ends the turn")
    if any(isinstance(event, Took) for event in events):
        return "R-CARD-2", Sentence("taking a card ends the knight moves of the turn")
    if any(isinstance(event, Moved) and event.seat == seat for event in events):
        return "R-MOVE-7", Sentence("no second knight could move, so the turn was over")
    return "R-MOVE-1", Sentence("it is another seat's turn")


class _Given:
    """Actions as values, in order."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = list(actions)
        self._players = 0

    def next(self, position: Position) -> _Said | None:
        self._players = position.players
        answers = _ANSWERS.get(position.phase)
        if not self._actions or (answers is not None and not isinstance(self._actions[0], answers)):
            return None
        action = self._actions.pop(0)
        return _Said(action_notation(action, self._players), action)

    def turn_passed(self) -> None:
        pass

    def rest(self) -> list[_Unused]:
        return [_Unused(action_notation(action, self._players), action) for action in self._actions]


_ANSWERS: Final[dict[int, tuple[type, ...]]] = {CATCH: (Catch,), BRIBE: (Bribe, Surrender)}
"""What answers the dragon: with anything else nothing was said to it, and an order may answer."""


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
            return _Said(self._catch.words, _catch(self._catch, position))
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

    def rest(self) -> list[_Unused]:
        unused = [_Unused(knight.words, MOVES[knight.color or 0][knight.space]) for knight in self._knights]
        if self._stop is not None:
            unused.append(_Unused(self._stop, STOP))
        if self._card and self._card not in self._used:
            unused.append(_Unused(self._card.words, TAKES[self._card.kind]))
        if self._catch and self._catch not in self._used:
            unused.append(_Unused(self._catch.words, CATCHES[0]))
        if self._answer and self._answer not in self._used:
            unused.append(_Unused(self._answer.words, SURRENDER))
        return unused


def _answer(said: AnswerWords, position: Position) -> Action | None:
    """The answer to the dragon: a gold card or the knight."""
    if said.answer is None:
        return None
    if isinstance(said.answer, int):
        return BRIBES[said.answer]
    return answer_bribe(said.answer, view(position, to_act(position)))


def _catch(said: CatchWords, position: Position) -> Action | None:
    """Whom the dragon shall catch. Raises IllegalAction where nobody who is wanted stands."""
    if said.order is None:
        return None
    action = choose_catch(said.order, view(position, to_act(position)))
    if action is None:
        raise IllegalAction("R-DRAG-4", _nobody(said.order), position.legal, said.words)
    return action


def _nobody(order: CatchOrder) -> Sentence:
    if order.never_me or "leader" in order.wanted:
        return Sentence("only knights of this seat stand on the dragon's space")
    wanted = chain("{one} or {other}", [Sentence(COLORS[color]) for color in order.wanted if color != "leader"])
    return Sentence("no {color} knight stands on the dragon's space", color=wanted)


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
        ways = chain("{one} or {other}", [f"'{COLORS[color]} {name}'" for color in standing])
        message = Sentence(
            "knights of two of this seat's colours stand on {space}: say {ways} (R-SET-2)", space=name, ways=ways
        )
        raise AmbiguousMove(said.words, message, position.legal)
    if not standing:
        whose = chain("{one} or {other}", [Sentence(COLORS[color]) for color in colors])
        message = Sentence("no {color} knight stands on {space}", color=whose, space=name)
        raise IllegalAction("R-MOVE-1", message, position.legal, said.words)
    return MOVES[standing[0]][said.space]

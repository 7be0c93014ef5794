"""What a person writes: a line for the turn, an answer to the dragon, a plan for the next turn.

Everything is decided from the person's View. What is tried out ahead is tried on positions drawn anew behind it
(``engine.redeal``), so nobody here knows more than a player does.
"""

from random import Random
from typing import Final, NamedTuple, cast

from engine import (
    BRIBE,
    GEMS,
    GOLD,
    MOVE,
    NOBODY,
    OVER,
    SPACES,
    TAKE,
    Action,
    Move,
    Position,
    Take,
    View,
    action_notation,
    apply,
    colors_of,
    play_line,
    redeal,
    view,
)
from engine.actions import STOP, TAKES
from engine.board import C1, HALL, colors_in_play, destination, space_name
from engine.bots import LEVELS
from engine.events import Threw
from engine.orders import BribeOrder, CatchOrder, Orders, Standing, answer_bribe, choose_catch, order_text, standing
from engine.plans import MOST_CLAUSES
from engine.turn import menu

#: A bot that is cut short by the clock would not play the same game twice.
_THINKING_SECONDS: Final = 3600.0
#: How many throws of the die are tried before a second knight is named: hardly ever is one of the three not seen.
_THROWS: Final = 8

_BRIBES: Final = (
    BribeOrder("never"),
    BribeOrder("lowest"),
    BribeOrder("highest"),
    BribeOrder(2),
    BribeOrder("lowest", keep=2),
)

_PAYS: Final = Orders(BribeOrder("lowest"))


class Turn(NamedTuple):
    """A turn as it can be written down before it is played. ``first`` is a card where one waits to be taken."""

    players: int
    first: Action
    second: Action | None = None
    """The second knight or to stop; None where the turn ends with the first."""
    card: Action | None = None
    """Which card to take, should there be a choice."""
    dragon: bool = False
    """Whether the dragon may wake, and ask whom to catch."""

    @property
    def words(self) -> str:
        """Knights and card: the line of one who has never heard of orders."""
        return _words(self.players, self.first, self.second, self.card)

    @property
    def rest(self) -> str:
        """What is left of it once the first knight has moved."""
        return _words(self.players, self.second, self.card)


def _words(players: int, *actions: Action | None) -> str:
    return " ".join(action_notation(action, players) for action in actions if action is not None)


class _Ahead(NamedTuple):
    """A position tried out: what may be behind a view after an action of its owner."""

    position: Position
    woken: bool

    @property
    def card(self) -> bool:
        """Whether there is a card to choose."""
        return self.position.phase == TAKE

    @property
    def goes_on(self) -> bool:
        """Whether a second knight may move."""
        return self.position.phase == MOVE and bool(self.position.moved)


class Person:
    """Somebody at the table: a bot's taste in moves, and a mind of their own about bribes and whom to catch.

    Plans have, with ``else_too``, something to play whatever has changed; else only what the person saw coming.
    """

    def __init__(self, seat: int, players: int, level: str, rng: Random, *, else_too: bool = True) -> None:
        self.seat = seat
        self._else_too = else_too
        self._choose = LEVELS[level]
        mine = colors_of(players, seat)
        others = [color for color in range(colors_in_play(players)) if color not in mine]
        rng.shuffle(others)
        # Own colours come last: sooner another's knight than one's own, but no question is left open.
        wanted = (*others, *mine)
        self._catch = CatchOrder(("leader", *wanted) if rng.random() < 1 / 2 else wanted, never_me=False)
        self._bribe = rng.choice(_BRIBES)
        self.orders = Orders(self._bribe, self._catch)

    def answer(self, position: Position) -> str:
        """What this person says to the dragon: a bribe, the knight, or whom it catches."""
        seen = view(position, self.seat)
        said = answer_bribe(self._bribe, seen) if seen.phase == BRIBE else choose_catch(self._catch, seen)
        return action_notation(cast(Action, said), seen.players)  # never None: every colour is on the list

    def turn(self, position: Position, rng: Random) -> Turn:
        """What this person writes when a knight is to be moved or a card to be taken."""
        return self._turn(view(position, self.seat), rng)

    def line(self, turn: Turn) -> str:
        """The whole turn in one line: with orders, it says whom the dragon shall catch as well."""
        catch = f"catch {order_text(self._catch)}" if turn.dragon else ""
        return f"{turn.words} {catch}".strip()

    def plan(self, position: Position, rng: Random) -> str | None:
        """A plan for this person's next turn, made from the board as it lies now."""
        return self._plan(redeal(view(position, self.seat), rng), rng)

    def plan_after(self, position: Position, turn: Turn, rng: Random) -> str | None:
        """A plan for the turn after the one that is about to be played: both go out in one mail."""
        ahead = redeal(view(position, self.seat), rng)
        ahead = play_line(ahead, turn.words, standing=self._guess(position.players)).steps[-1].position
        return self._plan(ahead, rng)

    def _plan(self, imagined: Position, rng: Random) -> str | None:
        """What the bot would play if the turn were this person's now; else a step of any knight still there.

        ``imagined`` is a position that may be behind the person's View. None if that game is over.
        """
        if imagined.phase == OVER:
            return None
        mine = imagined._replace(turn=self.seat, phase=MOVE, moved=(), took=False, victim=NOBODY, thrown=0)
        mine = mine._replace(legal=menu(mine))
        turn = self._turn(view(mine, self.seat), rng)
        if turn.second is not None and turn.second == turn.first:  # that two stand there cannot be said in a plan
            turn = turn._replace(second=STOP, card=None)
        clauses = [f"if {' and '.join(_relies_on(mine, turn))} then {turn.words}"]
        if not self._else_too:
            return clauses[0]
        others = list(mine.legal)
        rng.shuffle(others)
        clauses += [
            f"if {_stands(mine, knight)} then {_words(mine.players, knight, STOP, rng.choice(TAKES))}"
            for knight in others[: MOST_CLAUSES - 2]
        ]
        safe = [knight for knight in others if isinstance(knight, Move) and knight.source <= HALL]
        if safe:  # nobody is caught before the first step, so this one can be moved whatever happens
            clauses.append(_words(mine.players, safe[0], STOP))
        return " else ".join(clauses)

    def _turn(self, seen: View, rng: Random) -> Turn:
        action = self._pick(seen, seen.legal, rng)
        turn = Turn(seen.players, action)
        if seen.phase == TAKE:
            return turn._replace(dragon=True)
        ahead = [self._after(seen, action, rng)]
        if ahead[0].woken:
            turn = turn._replace(dragon=True)
            ahead += [self._after(seen, action, rng) for _ in range(_THROWS - 1)]
        if ahead[0].card:
            return turn._replace(card=self._card(ahead[0].position, rng), dragon=True)
        goes_on = [one.position for one in ahead if one.goes_on]
        if not goes_on:
            return turn
        # What is named must be possible however the die falls: else a line would stop half-way and ask.
        safe = [legal for legal in goes_on[0].legal if all(legal in other.legal for other in goes_on)]
        second = self._pick(view(goes_on[0], self.seat), tuple(safe), rng)
        turn = turn._replace(second=second)
        for position in goes_on:
            after = apply(position, second)[0]
            turn = turn._replace(dragon=turn.dragon or after.thrown > position.thrown or after.phase == TAKE)
            if after.phase == TAKE and turn.card is None:
                turn = turn._replace(card=self._card(after, rng))
        return turn

    def _after(self, seen: View, action: Action, rng: Random) -> _Ahead:
        """What may come of an action, and of one's own orders; the others are taken to pay the dragon."""
        guess = self._guess(seen.players)
        position, events = apply(redeal(seen, rng), action)
        while answer := guess(position):
            position, _ = apply(position, answer)
        return _Ahead(position, woken=any(isinstance(event, Threw) for event in events))

    def _guess(self, players: int) -> Standing:
        return standing([self.orders if seat == self.seat else _PAYS for seat in range(players)])

    def _pick(self, seen: View, legal: tuple[Action, ...], rng: Random) -> Action:
        return self._choose(seen, legal, _THINKING_SECONDS, rng)

    def _card(self, position: Position, rng: Random) -> Action:
        return self._pick(view(position, self.seat), position.legal, rng)


def _stands(position: Position, knight: Action) -> str:
    """The condition that a knight stands where it stands now; its move says it in the same words."""
    return action_notation(knight, position.players)


def _relies_on(position: Position, turn: Turn) -> list[str]:
    """What has to hold for a turn to come as its person saw it."""
    target = destination(position.knights, cast(Move, turn.first).source)
    tests = [f"{_stands(position, turn.first)} to {space_name(target)}"]
    if isinstance(turn.second, Move):
        tests.append(_stands(position, turn.second))
    elif isinstance(turn.card, Take):
        piles = position.gold_piles if turn.card.kind == GOLD else position.gem_piles
        top = piles[target - C1][0]
        tests.append(f"{f'gold {top}' if turn.card.kind == GOLD else GEMS[top]} at {SPACES[target]}")
    return tests

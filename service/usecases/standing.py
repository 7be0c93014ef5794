"""How standing orders are carried out: within the move that calls for them, in its transaction.

An order for bribes or catches answers at once what its owner is asked; a plan plays its owner's turn as it begins. So
nothing can be read from a delay. They cannot chase each other for ever: an order makes a decision of the game, which
ends, and a plan is gone once it was looked at.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import TypeVar

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine import (
    MOVE,
    BribeOrder,
    Catch,
    CatchOrder,
    IllegalAction,
    LinePlayed,
    NotationError,
    Orders,
    Position,
    Sentence,
    StepPlayed,
    action_to_json,
    parse_bribe,
    parse_catch,
    play_line,
    standing,
    view,
)
from engine.events import TurnPassed
from engine.plans import parse_plan, plan_line
from engine.sentences import sentence_to_json
from service.models import Game, Order, Seat
from service.usecases import journal

Said = TypeVar("Said", BribeOrder, CatchOrder)

NO_CLAUSE = Sentence("None of its conditions held.")
OWN_WORDS = Sentence("You began that turn with a move of your own.")
HELD = Sentence("A bot holds your seat.")


class Standing:
    """The orders that stand in a locked game. Only a person's do: a seat that a bot holds plays by none."""

    def __init__(self, session: Session, game: Game) -> None:
        self._session = session
        self._game = game
        rows = session.scalars(select(Order).where(Order.game_id == game.id))
        self._rows = {(row.seat, row.kind): row for row in rows if game.seats[row.seat].person}
        self.answers = standing([self._orders(seat) for seat in range(game.players)])

    def told(self, step: StepPlayed, *, now: datetime) -> None:
        """Tell the owner of an order, and nobody else, what it decided."""
        kind = "catch" if isinstance(step.action, Catch) else "bribe"
        data = {"order": kind, "text": self._rows[step.seat, kind].text, "action": action_to_json(step.action)}
        journal.write(self._session, self._game, "order", seat=step.seat, data=data, private=True, now=now)

    def play_plan(self, position: Position, *, now: datetime) -> LinePlayed | None:
        """Play the plan of the seat whose turn begins in this position; None if there is none, or it does not fit.

        Either way it is gone, and its owner is told.
        """
        if position.phase != MOVE or position.moved:
            return None
        text = self._take_plan(position.turn)
        if text is None:
            return None
        try:
            line = plan_line(parse_plan(text), view(position, position.turn))
            if line is None:
                self._dropped(position.turn, text, NO_CLAUSE, now)
                return None
            played = play_line(position, line, self.answers)
        except (IllegalAction, NotationError) as error:
            self._dropped(position.turn, text, error.message, now)
            return None
        data = {
            "text": text,
            "line": line,
            "dropped": [
                {"word": one.word, "reason": one.reason, "said": sentence_to_json(one.reason)} for one in played.dropped
            ],
        }
        self._tell(position.turn, "plan_played", data, now)
        return played

    def overtake(self, steps: Sequence[StepPlayed], *, now: datetime) -> None:
        """Drop the plan of a turn that its player has begun in the same line that answered the dragon before it."""
        for before, after in pairwise(steps):
            if any(isinstance(event, TurnPassed) for event in before.events):
                text = self._take_plan(after.seat)
                if text is not None:
                    self._dropped(after.seat, text, OWN_WORDS, now)

    def _take_plan(self, seat: int) -> str | None:
        row = self._rows.pop((seat, "plan"), None)
        if row is None:
            return None
        self._session.delete(row)
        return row.text

    def _dropped(self, seat: int, text: str, why: Sentence, now: datetime) -> None:
        self._tell(seat, "plan_dropped", _gone(text, why), now)

    def _tell(self, seat: int, kind: str, data: Mapping[str, object], now: datetime) -> None:
        journal.write(self._session, self._game, kind, seat=seat, data=data, private=True, now=now)

    def _orders(self, seat: int) -> Orders | None:
        bribe, catch = self._rows.get((seat, "bribe")), self._rows.get((seat, "catch"))
        return Orders(
            bribe=None if bribe is None else _read(bribe, parse_bribe),
            catch=None if catch is None else _read(catch, parse_catch),
        )


def drop_plan(session: Session, game: Game, seat: Seat, *, why: Sentence, now: datetime) -> None:
    """Take a seat's plan away, and tell its owner why."""
    row = session.get(Order, (game.id, seat.number, "plan"))
    if row is not None:
        session.delete(row)
        data = _gone(row.text, why)
        journal.write(session, game, "plan_dropped", seat=seat.number, data=data, private=True, now=now)


def _gone(text: str, why: Sentence) -> dict[str, object]:
    """The log's words about a plan that was not played; with ``said`` the reason can be told in any language."""
    return {"text": text, "why": why, "said": sentence_to_json(why)}


def forget(session: Session, game: Game, seat: Seat | None = None) -> None:
    """Remove all orders of a seat (None: of all seats): its player has resigned, or the game is over."""
    gone = delete(Order).where(Order.game_id == game.id)
    session.execute(gone if seat is None else gone.where(Order.seat == seat.number))


def _read(row: Order, parse: Callable[[str], Said | None]) -> Said | None:
    try:
        return parse(row.text)
    except NotationError:  # written for a notation that is no more: a game must not stop at it
        return None

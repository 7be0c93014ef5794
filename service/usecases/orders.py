"""Standing orders: what a player wants done when they are asked, or when their turn comes, and are not there.

They are kept beside the game and never in the position. Nobody else gets to know them; what one did is told to its
owner by a log entry of their own. How they are carried out stands in ``standing``.
"""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import (
    COLORS,
    BribeOrder,
    CatchOrder,
    NotationError,
    colors_of,
    explain,
    order_text,
    parse_bribe,
    parse_catch,
)
from engine.plans import LONGEST_PLAN, Plan, explain_plan, parse_plan, plan_text
from service.db import reading, transaction
from service.errors import ALREADY_RESIGNED, BAD_NOTATION, GAME_NOT_PLAYING, SEAT_HELD, Refusal, invalid
from service.i18n import gettext as _
from service.i18n import marked, told
from service.models import Game, Order, Seat
from service.usecases import access, infos, words
from service.usecases.results import GAMES_PLAY, GAMES_READ, ORDER_KINDS, Caller, OrderInfo, OrderKind

#: The words that take an order back, whatever its kind.
TAKES_BACK = frozenset({"ask", "off", "none"})
LONGEST_ORDER = LONGEST_PLAN
_ASKED = {
    "bribe": marked("When the dragon catches a knight of yours, you are asked."),
    "catch": marked("When you have to choose whom the dragon catches, you are asked."),
    "plan": marked("When your next turn comes, you are asked."),
}
_NOT_PLAYING = {
    "waiting": marked("The game has not started yet; orders can be given once it has."),
    "over": marked("The game is over."),
}
_CALLED_OFF = marked("The game was called off.")
_NOT_NOW = marked("What you are asked just now waits for your answer all the same: the order is for the next time.")
_NOT_THIS_TURN = marked("It is your turn now; this plan is for the one after it.")


def set_order(*, caller: Caller, game_id: str, kind: str, text: str, now: datetime) -> OrderInfo:
    """Give a standing order in a game that is on, in place of the one of its kind; ``ask`` or ``off`` takes it back.

    The same order again changes nothing. A decision that is open already is not made by it, nor is a turn that is on
    played by a plan: both are for the next time, and the explanation says so. Refused as bad-notation where the words
    are no order.
    """
    words.require(caller, GAMES_PLAY)
    kind = _kind(kind)
    order = None if text.strip().lower() in TAKES_BACK else _read(kind, text)
    if order is None:
        clear(caller=caller, game_id=game_id, kind=kind, now=now)
        return _nothing(kind, now)
    with transaction() as session:
        game, seat = _own(session, caller, game_id)
        _require_player(seat)
        if isinstance(order, CatchOrder):
            _require_in_play(game, order)
        row = _put(session, game, seat, kind, _text(order), now)
        remark = _for_later(game, seat, kind)
        return OrderInfo(kind, row.text, f"{_explain(order)} {remark}".rstrip(), row.at, remark)


def clear(*, caller: Caller, game_id: str, kind: str, now: datetime) -> None:
    """Take an order back, if there is one."""
    words.require(caller, GAMES_PLAY)
    kind = _kind(kind)
    with transaction() as session:
        game, seat = _own(session, caller, game_id)
        row = session.get(Order, (game.id, seat.number, kind))
        if row is not None:
            session.delete(row)


def orders(*, caller: Caller, game_id: str) -> tuple[OrderInfo, ...]:
    """The caller's own standing orders: for bribes, for catches, the plan. None are left once the game is over."""
    words.require(caller, GAMES_READ)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        seat = access.own_seat(game, who)
        mine = session.scalars(select(Order).where(Order.game_id == game.id, Order.seat == seat.number))
        rows = {row.kind: row for row in mine}
    return tuple(_info(kind, rows[kind]) for kind in ORDER_KINDS if kind in rows)


_Read = BribeOrder | CatchOrder | Plan


def _kind(kind: str) -> OrderKind:
    for known in ORDER_KINDS:
        if kind == known:
            return known
    raise invalid("kind", _("An order is for one of {kinds}.").format(kinds=", ".join(ORDER_KINDS)))


def _read(kind: OrderKind, text: str) -> _Read | None:
    """Words as an order; None if they ask for none."""
    if len(text) > LONGEST_ORDER:
        raise invalid("text", _("An order has at most {most} characters.").format(most=LONGEST_ORDER))
    try:
        if kind == "plan":
            return parse_plan(text)
        return parse_bribe(text) if kind == "bribe" else parse_catch(text)
    except NotationError as error:
        raise Refusal(BAD_NOTATION, told(error), word=error.word) from None


def _text(order: _Read) -> str:
    return plan_text(order) if isinstance(order, Plan) else order_text(order)


def _explain(order: _Read) -> str:
    return told(explain_plan(order) if isinstance(order, Plan) else explain(order))


def _nothing(kind: OrderKind, now: datetime) -> OrderInfo:
    return OrderInfo(kind, "off" if kind == "plan" else "ask", _(_ASKED[kind]), now)


def _info(kind: OrderKind, row: Order) -> OrderInfo:
    try:
        order = _read(kind, row.text)
    except Refusal:  # given in words that a later notation does not have: it does nothing
        order = None
    return OrderInfo(kind, row.text, _(_ASKED[kind]) if order is None else _explain(order), row.at)


def _put(session: Session, game: Game, seat: Seat, kind: OrderKind, text: str, now: datetime) -> Order:
    row = session.get(Order, (game.id, seat.number, kind))
    if row is None:
        row = Order(game_id=game.id, seat=seat.number, kind=kind, text=text, at=now, ply=game.ply)
        session.add(row)
    elif row.text != text:
        row.text, row.at, row.ply = text, now, game.ply
    return row


def _own(session: Session, caller: Caller, game_id: str) -> tuple[Game, Seat]:
    """The locked game, which must be on, and the caller's seat."""
    game, who = access.locked_for(session, caller, game_id)
    seat = access.own_seat(game, who)
    if game.status != "playing":
        raise Refusal(GAME_NOT_PLAYING, _(_NOT_PLAYING.get(game.status, _CALLED_OFF)), status=game.status)
    return game, seat


def _require_player(seat: Seat) -> None:
    if seat.resigned_at is not None:
        raise Refusal(ALREADY_RESIGNED, _("You resigned; a bot moves for your seat, without orders."))
    if seat.held_at is not None:
        raise Refusal(SEAT_HELD, _("A bot holds your seat; resume takes it back. Then you can give orders."))


def _require_in_play(game: Game, order: CatchOrder) -> None:
    here = {color for seat in game.seats for color in colors_of(game.players, seat.number)}
    strange = [COLORS[color] for color in order.wanted if color != "leader" and color not in here]
    if strange:
        said = _("No {color} knights are in this game; its colours are {colors}.")
        raise invalid(
            "text", said.format(color=_(strange[0]), colors=", ".join(COLORS[color] for color in sorted(here)))
        )


def _for_later(game: Game, seat: Seat, kind: OrderKind) -> str:
    """What an order that is given now does not decide any more: what is open already. Empty if nothing is."""
    if kind == "plan":
        # Also while another has to answer the dragon in that turn.
        position = infos.position_of(game)
        return _(_NOT_THIS_TURN) if position is not None and position.turn == seat.number else ""
    return _(_NOT_NOW) if game.to_act == seat.number and game.phase == kind else ""

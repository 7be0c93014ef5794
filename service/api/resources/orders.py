"""The caller's standing orders in a game. Nobody else can ask for them."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.orders import Order, OrderList, OrderText
from service.clock import now
from service.errors import Refusal, invalid
from service.usecases import orders
from service.usecases.results import GAMES_PLAY, GAMES_READ

blueprint = Blueprint("Orders", __name__, description="What to do when you are asked and are not there.")

_ORDER = "/games/<id:game_id>/orders/<any(bribe, catch, plan):kind>"


@blueprint.route("/games/<id:game_id>/orders")
@contract("listOrders", scope=GAMES_READ, refuses=("not-found", "not-a-player"))
@blueprint.response(200, OrderList)
def list_orders(game_id: str) -> Any:
    """List your standing orders

    Yours alone: nobody else can see whether you have any.
    """
    return {"items": orders.orders(caller=caller(), game_id=game_id)}


@blueprint.route(_ORDER, methods=["PUT"])
@contract(
    "setOrder",
    scope=GAMES_PLAY,
    refuses=("not-found", "not-a-player", "already-resigned", "game-not-playing", "seat-held", "bad-notation"),
)
@blueprint.arguments(OrderText)
@blueprint.response(200, Order)
def set_order(body: dict[str, Any], game_id: str, kind: str) -> Any:
    """Give a standing order

    In place of the one of its kind. An order answers in the very move that asks you, so that nobody waits for you. A
    plan is for your next turn alone: it is played when that turn begins, and cancelled if it does not fit then; one
    given in a turn of yours is for the turn after that. What you are asked already is answered by a move of yours.
    The log tells you, and nobody else, what an order did.
    """
    try:
        return orders.set_order(caller=caller(), game_id=game_id, kind=kind, text=body["order"], now=now())
    except Refusal as refusal:
        if refusal.details.get("field") == "text":
            raise invalid("order", refusal.message) from None
        raise


@blueprint.route(_ORDER, methods=["DELETE"])
@contract("clearOrder", scope=GAMES_PLAY, refuses=("not-found", "not-a-player", "game-not-playing"))
@blueprint.response(204)
def clear_order(game_id: str, kind: str) -> Any:
    """Take a standing order back

    You are asked again. Harmless if there is none.
    """
    orders.clear(caller=caller(), game_id=game_id, kind=kind, now=now())

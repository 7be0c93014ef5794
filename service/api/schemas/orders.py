"""Standing orders."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.base import Input, Instant, Output, text
from service.api.schemas.log import order_kind
from service.usecases.orders import LONGEST_ORDER
from service.usecases.results import ORDER_KINDS


class OrderText(Input):
    """What a standing order shall say."""

    order = text(
        LONGEST_ORDER,
        about="In the words of docs/ORDERS.md. For a bribe `never`, `lowest`, `highest`, `at most 2`, "
        "`lowest while I have 2 cards`; for a catch `purple > yellow`, `leader`, `never me`; `ask` takes the order "
        "back. A plan: `if t1 and m3 then t1 m3 gem else t2 stop`, or just a line.",
    )


class Order(Output):
    """A standing order of yours."""

    kind = order_kind(*ORDER_KINDS)
    text = fields.String(
        required=True,
        metadata={"description": "What it says, in the one form it is kept in; `ask` (a plan: `off`): you are asked."},
    )
    explains = fields.String(required=True, metadata={"description": "What it does, for people."})
    since = Instant(required=True, metadata={"description": "When it was given."})


class OrderList(Output):
    """Your standing orders in a game."""

    items = fields.List(fields.Nested(Order), required=True)

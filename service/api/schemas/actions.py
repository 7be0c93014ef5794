"""Actions, as in the record format: told apart by ``do``."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.api.schemas.base import Input, Output, Union, color, one_of, space, whole


class AnyAction(Input):
    """What all actions may have."""

    seat = whole(0, 4, required=False, about="In a record: by whom. In a move it is not looked at.")


class MoveAction(AnyAction):
    """Move a knight of a colour from a space."""

    do = one_of("move")
    color = color()
    from_ = space(data_key="from", attribute="from")


class StopAction(AnyAction):
    """Move no second knight."""

    do = one_of("stop")


class TakeAction(AnyAction):
    """Take the gold or the gem that lies face up."""

    do = one_of("take")
    card = one_of("gold", "gem")


class CatchAction(AnyAction):
    """Say whose knight the dragon catches."""

    do = one_of("catch")
    color = color()


class BribeAction(AnyAction):
    """Give the dragon a gold card of this value from the hand."""

    do = one_of("bribe")
    gold = whole(1, 5)


class SurrenderAction(AnyAction):
    """Give up the caught knight."""

    do = one_of("surrender")


class Action(Union):
    """One decision of a player."""

    type_field = "do"
    type_schemas = {  # noqa: RUF012 - the library's own way to set it
        "move": MoveAction,
        "stop": StopAction,
        "take": TakeAction,
        "catch": CatchAction,
        "bribe": BribeAction,
        "surrender": SurrenderAction,
    }

    def get_obj_type(self, obj: Any) -> str:
        """The type of an action's JSON."""
        return str(obj["do"])


class LegalAction(Output):
    """One of the things that may be done now."""

    number = whole(1, about="Its number in the list; a line may say it instead of the notation.")
    notation = fields.String(required=True, metadata={"description": "How to say it in a line."})
    action = fields.Nested(Action, required=True, metadata={"description": "How to say it in JSON."})

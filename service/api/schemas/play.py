"""Moves and their answers."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from engine import PHASES
from service.api.schemas.actions import Action
from service.api.schemas.base import Input, Output, Pattern, ident, one_of, text, whole
from service.api.schemas.board import seat_number
from service.api.schemas.log import Dropped, Event
from service.usecases.play import MOST_ACTIONS
from service.usecases.words import LONGEST_LINE, LONGEST_TALK


class MoveHeaders(Input):
    """Headers of a move."""

    idempotency_key = fields.String(
        data_key="Idempotency-Key",
        load_default=None,
        validate=Pattern(r"^[ -~]{1,200}$", error="1 to 200 printable ASCII characters."),
        metadata={
            "description": "Any text of your own that names this request: sent again with it, the request "
            "gets the first answer. Without it, the same actions for the same ply count as sent again."
        },
    )


class MakeMove(Input):
    """What to do: ``actions`` or a ``line``, for the ply that was looked at."""

    ply = whole(0, 100_000, about="The `ply` of the game this answers; 409 if it has moved on.")
    actions = fields.List(
        fields.Nested(Action),
        validate=validate.Length(min=1, max=MOST_ACTIONS),
        metadata={"description": "What to do, in order. Or `line`, not both."},
    )
    line = text(
        LONGEST_LINE,
        required=False,
        about="What to do, in notation: `t1 m3 gem`, `stop`, `bribe lowest`, or the number of a legal action; it may "
        "carry what to do if: `t1 c3 gold catch purple>yellow bribe lowest`. Or `actions`, not both.",
    )

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **_: Any) -> None:
        if ("actions" in data) == ("line" in data):
            raise ValidationError("Say what to do by exactly one of actions and line.")


class Say(Input):
    """Something said to all who see the game, or noted for oneself."""

    text = text(LONGEST_TALK, about="What to say.")


class Applied(Output):
    """An action of yours that was made."""

    action = fields.Nested(Action, required=True)
    notation = fields.String(required=True)
    by = one_of("you", "order", about="Whether you said it, or a standing order of yours.")


class MoveAnswer(Output):
    """What came of a move; the same, byte for byte, for every repeat of the request."""

    game = ident("The game's id.")
    seat = seat_number("Your seat.")
    ply = whole(0, about="The ply that was answered.")
    next_ply = whole(0, about="The ply the game is at after the move.")
    applied = fields.List(fields.Nested(Applied), required=True, metadata={"description": "What you have done."})
    dropped = fields.List(
        fields.Nested(Dropped), required=True, metadata={"description": "What was said and not done, and why."}
    )
    events = fields.List(
        fields.Nested(Event),
        required=True,
        metadata={"description": "What happened, as you may see it; what orders of others did is among it."},
    )
    status = one_of("playing", "over")
    to_act = seat_number("Who must decide now; null when the game is over.", allow_none=True)
    phase = one_of(*PHASES, about="What is to be decided now.")

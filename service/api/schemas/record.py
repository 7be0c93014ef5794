"""A finished game as a record (docs/RECORD.md)."""

from __future__ import annotations

from marshmallow import fields, validate

from engine import FORMAT, GEMS
from service.api.schemas.actions import Action
from service.api.schemas.base import Output, whole
from service.api.schemas.board import seat_number


class Pile(Output):
    """The cards beside one cave space as they were dealt, top card first."""

    gold = fields.List(fields.Integer(), required=True)
    gem = fields.List(fields.String(validate=validate.OneOf(GEMS)), required=True)


class Setup(Output):
    """How the game was dealt."""

    players = whole(2, 5)
    first = seat_number("The seat that began.")
    piles = fields.List(fields.Nested(Pile), required=True, metadata={"description": "c1 to c9."})
    dice = fields.List(fields.Integer(), required=True, metadata={"description": "The throws, in order."})


class Step(Output):
    """A decision."""

    action = fields.Nested(Action, required=True, metadata={"description": "What was done; `seat` says by whom."})


class RecordResult(Output):
    """How it ended."""

    scores = fields.List(fields.Integer(), required=True)
    majority = fields.Dict(
        required=True,
        keys=fields.String(validate=validate.OneOf(GEMS)),
        values=fields.Integer(allow_none=True),
    )
    winners = fields.List(fields.Integer(), required=True, metadata={"description": "None if the game was broken off."})


class Record(Output):
    """A whole game, from which anyone can replay and check it."""

    format = fields.String(required=True, validate=validate.OneOf([FORMAT]))
    setup = fields.Nested(Setup, required=True)
    seed = fields.String(required=True, metadata={"description": "Hex."})
    commitment = fields.String(required=True, metadata={"description": "SHA-256 of the seed, hex."})
    entropy = fields.List(fields.String(), required=True)
    first_set = seat_number("The seat that was set to begin; null if it was drawn.", allow_none=True)
    broken_off = fields.Boolean(
        metadata={"description": "True if the players ended the game after the last step, early; else it is not there."}
    )
    steps = fields.List(fields.Nested(Step), required=True)
    result = fields.Nested(RecordResult, required=True)

"""The board as one viewer sees it; the keys are those of the record format as far as they go."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from engine import COLORS, GEMS, PHASES, SPACES
from service.api.schemas.base import Output, color, one_of, space, whole


def seat_number(about: str = "A seat, counted from 0.", **kwargs: object) -> fields.Integer:
    """A seat."""
    return fields.Integer(
        required=True,
        validate=validate.Range(min=0, max=4),
        metadata={"description": about},
        **kwargs,  # type: ignore[arg-type]
    )


def gem(**kwargs: object) -> fields.String:
    """A gem."""
    return fields.String(required=True, validate=validate.OneOf(GEMS), **kwargs)  # type: ignore[arg-type]


def gold(**kwargs: object) -> fields.Integer:
    """The value of a gold card."""
    return fields.Integer(required=True, validate=validate.Range(min=1, max=5), **kwargs)  # type: ignore[arg-type]


def by_color(values: fields.Field[Any], about: str) -> fields.Dict:
    """One entry for each colour in play."""
    return fields.Dict(
        required=True,
        keys=fields.String(validate=validate.OneOf(COLORS)),
        values=values,
        metadata={"description": about},
    )


class FaceUp(Output):
    """The cards that lie open beside a cave space."""

    gold = gold(allow_none=True)
    gem = gem(allow_none=True)


class PilesLeft(Output):
    """How many cards the two piles of a cave space have, the open one counted."""

    gold = whole(0, 3)
    gem = whole(0, 3)


class Cards(Output):
    """Gold cards of a seat."""

    count = whole(0, 25, about="How many.")
    cards = fields.List(
        fields.Integer(validate=validate.Range(min=1, max=5)),
        required=True,
        allow_none=True,
        metadata={"description": "Their values, ascending; null if you may not see them."},
    )


class MovedKnight(Output):
    """A knight that has moved this turn."""

    color = color()
    at = space(allow_none=True, about="Where it is; null once it has left the path.")


class Board(Output):
    """The board as one viewer sees it."""

    players = whole(2, 5, about="How many seats.")
    viewer = seat_number("Whose view this is; null for a spectator.", allow_none=True)
    turn = seat_number("Whose turn it is; null when the game is over.", allow_none=True)
    to_act = seat_number("Who must decide now; null when the game is over.", allow_none=True)
    phase = one_of(*PHASES, about="What is to be decided.")
    knights = by_color(
        fields.List(fields.String(validate=validate.OneOf(SPACES))), "Where each colour's knights are, in board order."
    )
    nest = by_color(fields.Integer(), "How many knights of each colour the dragon has.")
    chamber = by_color(fields.Integer(), "How many knights of each colour have reached the chamber.")
    rail = whole(1, 6, about="The first cave space beside the rail, which is four long.")
    dragon = whole(1, 9, about="The cave space the dragon stands on.")
    facing = one_of("castle", "chamber", about="Which way it goes.")
    face_up = fields.List(
        fields.Nested(FaceUp), required=True, metadata={"description": "The open cards beside c1 to c9."}
    )
    left = fields.List(fields.Nested(PilesLeft), required=True, metadata={"description": "The piles beside c1 to c9."})
    hands = fields.List(fields.Nested(Cards), required=True, metadata={"description": "The gold in each seat's hand."})
    given = fields.List(
        fields.Nested(Cards), required=True, metadata={"description": "The gold each seat has given to the dragon."}
    )
    gems = fields.List(
        fields.List(fields.String(validate=validate.OneOf(GEMS))),
        required=True,
        metadata={"description": "The gems of each seat, alphabetical."},
    )
    treasures = fields.List(
        fields.Integer(), required=True, metadata={"description": "How many dragon treasures each seat has."}
    )
    four_gems = seat_number("Who has the bonus card for four different gems.", allow_none=True)
    moved = fields.List(
        fields.Nested(MovedKnight), required=True, metadata={"description": "The knights moved this turn, in order."}
    )
    took = fields.Boolean(required=True, metadata={"description": "Whether a card was taken this turn."})
    victim = color(allow_none=True, about="The colour whose owner must answer the dragon.")

"""Whom a game waits for, how they usually answer, and what the others may vote on."""

from __future__ import annotations

from typing import Any, get_args

from marshmallow import fields

from service.api.schemas.base import Input, Instant, Output, ident, one_of, whole
from service.api.schemas.board import seat_number
from service.api.schemas.games import deadline, step
from service.api.schemas.log import vote_kind
from service.usecases.pace import Reply
from service.usecases.results import STATUSES
from service.usecases.votes import LONG_WAIT, MOST_EXTENSIONS


class SeatPace(Output):
    """How one seat answers."""

    number = seat_number("The seat.")
    reply = one_of(
        *get_args(Reply),
        allow_none=True,
        about="How soon its player mostly answers, over their last turns in all games: within `hours` (half a day), "
        "about `a day`, or `days`; null for bots and for players who have hardly played.",
    )
    waiting_since = Instant(
        required=True,
        allow_none=True,
        metadata={"description": "Since when the game waits for it; null if it does not."},
    )


class Pace(Output):
    """Whom a game waits for, and how its players usually answer."""

    game = ident("The game's id.")
    waiting_for = seat_number("The seat the game waits for; null if it waits for nobody.", allow_none=True)
    since = Instant(required=True, allow_none=True, metadata={"description": "Since when."})
    deadline = deadline()
    deadline_there = fields.DateTime(
        required=True,
        allow_none=True,
        metadata={
            "description": "The same instant with the offset of that player's time zone; told to the players of the "
            "game, null for everyone else.",
        },
    )
    step = step()
    seats = fields.List(fields.Nested(SeatPace), required=True)


class CastVote(Input):
    """What to vote for."""

    vote = vote_kind()
    turn_ply = whole(
        0,
        100_000,
        required=False,
        load_default=None,
        about="The `turn_ply` of the game you looked at; 409 if another turn is on. Not said: whichever is on.",
    )


def _seats(about: str) -> fields.Field[Any]:
    return fields.List(fields.Integer(), required=True, metadata={"description": about})


class Tally(Output):
    """How a vote stands."""

    voted = _seats("The seats that have voted for it.")
    voters = _seats("The seats that may vote.")
    needed = whole(1, about="How many votes decide: more than half of those who may; one, if only one may.")


class Votes(Output):
    """What may be voted on now."""

    game = ident("The game's id.")
    status = one_of(*STATUSES, about="`over` if the vote has just ended the game.")
    turn_ply = whole(0, about="The ply at which the present turn began; votes for more time are about it.")
    seat = seat_number("Whose turn that is: they would get the time.", allow_none=True)
    extend = fields.Nested(
        Tally,
        required=True,
        allow_none=True,
        metadata={
            "description": f"More time for whoever is to act, at most {MOST_EXTENSIONS} times a turn; null: not now."
        },
    )
    end = fields.Nested(
        Tally,
        required=True,
        allow_none=True,
        metadata={
            "description": "The end of the game, with no winner and the points as they lie; null: not now. It can be "
            "voted on once somebody's time is up, a bot holds somebody's seat, or (without a clock) all have waited "
            f"for {LONG_WAIT.days} days."
        },
    )

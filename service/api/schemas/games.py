"""Games as they are listed and as one caller sees them."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from engine import COLORS, GEMS, PHASES, view_to_json
from service.api.schemas.actions import LegalAction
from service.api.schemas.base import Instant, Output, Page, ident, one_of, whole
from service.api.schemas.board import Board, seat_number
from service.timekeeping.ladder import TIME_OVER
from service.usecases.clock_choice import MOST_BANK, MOST_DAYS, MOST_INCREMENT
from service.usecases.results import STATUSES, GameView

_NOTES = ("bot", "resigned", "held", "stood_in")
_NUMBERS = fields.List(fields.Integer(), required=True, metadata={"description": "One number a seat."})


def deadline() -> Instant:
    """When the time for a turn is up."""
    return Instant(
        required=True,
        allow_none=True,
        metadata={
            "description": "When the time for this turn is up; null if nothing is due yet. An answer counts a while "
            "longer, then a bot makes this turn."
        },
    )


def step() -> fields.String:
    """What has become of a turn whose time is up."""
    return one_of(
        *TIME_OVER,
        allow_none=True,
        about="`timed_out`: the time for this turn is up, and an answer counts until a bot moves; `standing_in`: the "
        "bot is to move; null before that.",
    )


class Seat(Output):
    """A seat as the caller may see it."""

    number = seat_number("Counted from 0, in the order of play.")
    colors = fields.List(
        fields.String(validate=validate.OneOf(COLORS)), required=True, metadata={"description": "What it plays."}
    )
    kind = one_of("open", "invited", "human", "bot", about="Who has it.")
    name = fields.String(
        required=True, allow_none=True, metadata={"description": "Who sits here, or is invited by name."}
    )
    user_id = ident("The account that sits here.", allow_none=True)
    bot_level = fields.String(
        required=True, allow_none=True, metadata={"description": "How the bot plays that moves for this seat."}
    )
    resigned = fields.Boolean(
        required=True, metadata={"description": "Whether the player resigned; a bot moves since."}
    )
    held = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether a bot holds the seat, as two turns in a row ran out; its player takes it back "
            "with POST /games/{game_id}/resume."
        },
    )
    you = fields.Boolean(required=True, metadata={"description": "Whether this is your seat."})
    invited_email = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The address that was invited; shown to the game's creator only."},
    )
    entropy = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "What the seat added to the shuffle; your own, and all once the game is over."},
    )
    mail_failing_since = Instant(
        required=True,
        allow_none=True,
        metadata={
            "description": "Since when no mail reaches the player, so that they may not know that it is their turn; "
            "told to the players of the game while it lasts, null for everyone else."
        },
    )
    away_until = Instant(
        required=True,
        allow_none=True,
        metadata={
            "description": "Until when the player is away; told to the players of the game while it lasts, null for "
            "everyone else."
        },
    )
    bank_seconds = whole(
        0, allow_none=True, about="What is left in its bank, without the turn that is on; null if the game has no bank."
    )


class Result(Output):
    """How a game ended, seat by seat."""

    reason = one_of(
        "last-treasure",
        "one-knight",
        "vote",
        about="`vote`: the players ended it early; nobody wins then, and the points are told as they lie.",
    )
    winners = fields.List(fields.Integer(), required=True, metadata={"description": "Seats; several if they tie."})
    scores = _NUMBERS
    gold = _NUMBERS
    treasures = _NUMBERS
    gems = _NUMBERS
    majority = fields.Dict(
        required=True,
        keys=fields.String(validate=validate.OneOf(GEMS)),
        values=fields.Integer(allow_none=True),
        metadata={"description": "For each gem the seat that has the most of it, null if there is no such seat."},
    )
    four_gems = seat_number("Who has the bonus card for four different gems.", allow_none=True)
    notes = fields.List(
        fields.String(allow_none=True, validate=validate.OneOf(_NOTES)),
        required=True,
        metadata={
            "description": "For each seat `bot`; `resigned` (a bot played on); `held` (a bot held it at the end); "
            "`stood_in` (a bot made at least one turn for it); or null. The points are the seat's in any case."
        },
    )


class GameClock(Output):
    """How long a turn may take; what its kind does not have is null."""

    kind = one_of("none", "days", "bank", about="No limit of the players' own, days for each turn, or a bank of hours.")
    days = whole(1, MOST_DAYS, allow_none=True, about="Days for each turn.")
    start_hours = whole(1, MOST_BANK, allow_none=True, about="What a bank starts with.")
    increment_hours = whole(1, MOST_INCREMENT, allow_none=True, about="What each turn of one's own adds to it.")
    cap_hours = whole(1, MOST_BANK, allow_none=True, about="The most that it holds; null: as much as comes together.")


class GameSummary(Output):
    """Everything about a game but its board."""

    id = ident("The game's id.")
    status = one_of(*STATUSES, about="`waiting` for players, `playing`, `over` or `cancelled`.")
    public = fields.Boolean(required=True)
    players = whole(2, 5, about="How many seats.")
    creator = fields.String(required=True, metadata={"description": "The name of who made it."})
    created_at = Instant(required=True)
    started_at = Instant(required=True, allow_none=True)
    ended_at = Instant(required=True, allow_none=True)
    first_set = seat_number("The seat that was set to begin; null if it is drawn.", allow_none=True)
    clock = fields.Nested(GameClock, required=True, metadata={"description": "How long a turn may take."})
    time_off = fields.Boolean(
        required=True, metadata={"description": "Whether days off and absences stop the clock; nights always do."}
    )
    commitment = fields.String(
        required=True,
        metadata={"description": "SHA-256 of the seed the cards are dealt from, in hex, shown from the start."},
    )
    seed = fields.String(
        required=True, allow_none=True, metadata={"description": "The seed, in hex, once the game is over."}
    )
    join_code = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "What others need to join a private game; shown to its players until it starts."},
    )
    seats = fields.List(fields.Nested(Seat), required=True)
    you = seat_number("Your seat; null if you have none.", allow_none=True)
    invited = fields.Boolean(required=True, metadata={"description": "Whether a seat is kept for you."})
    ply = whole(0, about="How many decisions have been made; a move names it.")
    to_act = seat_number("Who must decide now.", allow_none=True)
    phase = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(PHASES),
        metadata={"description": "What is to be decided; null before the start."},
    )
    turn_ply = whole(0, about="The ply at which the decision came to the seat that is to act.")
    turn_since = Instant(required=True, allow_none=True, metadata={"description": "When it came there."})
    deadline = deadline()
    step = step()
    result = fields.Nested(Result, required=True, allow_none=True)
    rematch = ident("The game that was made as this one's rematch.", allow_none=True)
    rematch_of = ident("The game this one is the rematch of.", allow_none=True)


class Game(GameSummary):
    """A game as the caller sees it."""

    board = fields.Nested(
        Board, required=True, allow_none=True, metadata={"description": "Your view; null before the start."}
    )
    legal = fields.List(
        fields.Nested(LegalAction),
        required=True,
        metadata={"description": "What you may do now, numbered; empty unless you are to act."},
    )


class GamePage(Page):
    """A page of games."""

    items = fields.List(fields.Nested(GameSummary), required=True)


class LegalActions(Output):
    """What the caller may do now."""

    game = ident("The game's id.")
    ply = whole(0, about="The ply a move must name.")
    to_act = seat_number("Who must decide now; null when nobody must.", allow_none=True)
    legal = fields.List(fields.Nested(LegalAction), required=True)


class Turn(Output):
    """A game that waits for the caller."""

    game = fields.Nested(GameSummary, required=True, attribute="info")
    seat = seat_number("Your seat there.")
    ply = whole(0, about="The ply a move must name.")
    phase = one_of(*PHASES[:-1], about="What is to be decided.")
    since = Instant(required=True, metadata={"description": "Since when it waits."})
    deadline = deadline()


class TurnPage(Page):
    """Games that wait for the caller, most urgent first."""

    items = fields.List(fields.Nested(Turn), required=True)


def shown(view: GameView) -> dict[str, Any]:
    """A game view as ``Game`` dumps it."""
    return {
        **vars(view.info),
        "board": None if view.view is None else view_to_json(view.view),
        "legal": view.legal,
    }

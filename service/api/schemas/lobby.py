"""Creating, finding and joining games."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from engine import MAX_ENTROPY
from engine.board import MAX_PLAYERS, MIN_PLAYERS
from engine.bots import LEVELS
from service.api.schemas.accounts import email
from service.api.schemas.base import Input, PageQuery, Pattern, Union, flag, one_of, text, whole
from service.usecases.clock_choice import MOST_BANK, MOST_DAYS, MOST_INCREMENT
from service.usecases.results import STATUSES


def entropy() -> fields.String:
    """What a seat adds to the shuffle."""
    return fields.String(
        load_default="",
        validate=[
            validate.Length(max=MAX_ENTROPY),
            Pattern(r"^[ -{}~]*$", error="Only the characters from space to tilde (U+0020 to U+007E), without |."),
        ],
        metadata={
            "description": "What your seat adds to the shuffle: any text that nobody can foresee, so that "
            "the deal cannot have been chosen. At most 64 characters from space to tilde, without |."
        },
    )


class MySeat(Input):
    """Your own seat."""

    kind = one_of("me")


class OpenSeat(Input):
    """A seat for whoever comes (of a private game: whoever has its join code)."""

    kind = one_of("open")


class InvitedSeat(Input):
    """A seat kept for one person, who gets a mail."""

    kind = one_of("invite")
    email = fields.String(
        validate=email().validate,
        metadata={"format": "email", "description": "The address to invite; or `name`, not both."},
    )
    name = text(32, least=2, required=False, about="The display name of an account; or `email`, not both.")

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **_: Any) -> None:
        if ("email" in data) == ("name" in data):
            raise ValidationError("Say whom to invite by exactly one of email and name.")


class BotSeat(Input):
    """A seat played by a bot."""

    kind = one_of("bot")
    level = one_of(*sorted(LEVELS), required=False, load_default="steady", about="How it plays.")


class SeatSpec(Union):
    """Who is to sit there, told apart by ``kind``."""

    type_field = "kind"
    type_schemas = {  # noqa: RUF012 - the library's own way to set it
        "me": MySeat,
        "open": OpenSeat,
        "invite": InvitedSeat,
        "bot": BotSeat,
    }

    def get_obj_type(self, obj: Any) -> str:
        """The type of a seat's JSON."""
        return str(obj["kind"])


class NoClock(Input):
    """No limit of your own: who does not answer for 30 days is stood in for all the same."""

    kind = one_of("none")


class DaysClock(Input):
    """Days for each turn."""

    kind = one_of("days")
    days = whole(1, MOST_DAYS, about="Days for each turn.")


class BankClock(Input):
    """A bank of hours for each seat, from which its turns are paid."""

    kind = one_of("bank")
    start_hours = whole(1, MOST_BANK, about="What it starts with.")
    increment_hours = whole(1, MOST_INCREMENT, about="What each turn of one's own adds to it.")
    cap_hours = whole(
        1,
        MOST_BANK,
        required=False,
        load_default=None,
        allow_none=True,
        about="The most that it holds, no less than the other two; no limit if null or not said.",
    )


class Clock(Union):
    """How long a turn may take, told apart by ``kind``."""

    type_field = "kind"
    type_schemas = {"none": NoClock, "days": DaysClock, "bank": BankClock}  # noqa: RUF012 - the library's own way

    def get_obj_type(self, obj: Any) -> str:
        """The type of a clock's JSON."""
        return str(obj["kind"])


class CreateGame(Input):
    """A new game."""

    seats = fields.List(
        fields.Nested(SeatSpec),
        required=True,
        validate=validate.Length(min=MIN_PLAYERS, max=MAX_PLAYERS),
        metadata={"description": "One entry a seat, in the order of play; just one of them is you."},
    )
    public = flag(load_default=True, metadata={"description": "Whether anyone may find and watch the game."})
    first = fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=0, max=4),
        metadata={"description": "The seat that begins (counted from 0); drawn at random if null or not said."},
    )
    entropy = entropy()
    clock = fields.Nested(
        Clock,
        load_default=lambda: {"kind": "none"},
        metadata={
            "description": "How long a turn may take; no limit of your own if not said. It is time that players are "
            "awake: 24 hours of it are one day without its night."
        },
    )
    time_off = flag(
        load_default=True,
        metadata={"description": "Whether days off and absences stop the clock; nights always do."},
    )


class JoinGame(Input):
    """Taking a seat."""

    seat = whole(0, 4, required=False, load_default=None, about="Which seat; the first free one if not said.")
    entropy = entropy()
    code = text(
        64,
        required=False,
        load_default=None,
        about="The join code of a private game, which its players see; an invitation needs none.",
    )


class BrowseQuery(PageQuery):
    """Which public games."""

    status = one_of(*STATUSES, required=False, load_default="waiting", about="Games of this status.")


class MyGamesQuery(PageQuery):
    """Which of the caller's games."""

    status = one_of(*STATUSES, required=False, load_default=None, about="Games of this status; all if not said.")

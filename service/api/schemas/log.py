"""What happened in a game: events, told apart by ``kind``, and the log they stand in."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from engine import GEMS, SPACES
from service.api.schemas.actions import Action
from service.api.schemas.base import (
    Input,
    Instant,
    KeptInstant,
    Output,
    Union,
    color,
    ident,
    one_of,
    query_number,
    space,
    whole,
)
from service.api.schemas.board import seat_number
from service.usecases.results import LogLine
from service.usecases.words import LARGEST_NUMBER, LONGEST_PAGE

VOTES = ("extend", "end")
_ORDERS = {
    "bribe": "what to give the dragon for a caught knight",
    "catch": "whose knight it catches",
    "plan": "your next turn",
}

_CARD_VALUE = {
    "oneOf": [{"type": "integer", "minimum": 1, "maximum": 5}, {"type": "string", "enum": list(GEMS)}],
    "description": "The value of a gold card, or the name of a gem.",
}


class Dropped(Output):
    """A word of a line that never came up or no longer fitted."""

    word = fields.String(required=True)
    reason = fields.String(required=True)


def _event(name: str, kind: str, about: str, **more: Any) -> type[Schema]:
    """The schema of one kind of event."""
    schema = Output.from_dict({"kind": one_of(kind), **more}, name=name)
    schema.__doc__ = about
    return schema


def _card() -> dict[str, Any]:
    return {"card": one_of("gold", "gem"), "value": fields.Raw(required=True, metadata=_CARD_VALUE)}


def _knight_place(key: str) -> fields.String:
    return fields.String(required=True, data_key=key, attribute=key, validate=validate.OneOf((*SPACES, "chamber")))


def _by() -> dict[str, Any]:
    return {"seat": fields.Integer(validate=validate.Range(min=0, max=4), metadata={"description": "Whose seat."})}


def _text(about: str = "What was said.") -> fields.String:
    return fields.String(required=True, metadata={"description": about})


def order_kind(*kinds: str) -> fields.String:
    """What a standing order is for."""
    return one_of(*kinds, about="; ".join(f"`{kind}`: {_ORDERS[kind]}" for kind in kinds) + ".")


def vote_kind() -> fields.String:
    """What is voted on."""
    return one_of(*VOTES, about="`extend`: more time for whoever is to act; `end`: the end of the game.")


EVENTS: dict[str, type[Schema]] = {
    "moved": _event(
        "MovedEvent",
        "moved",
        "A knight went from one space to another.",
        seat=seat_number(),
        color=color(),
        from_=_knight_place("from"),
        to=_knight_place("to"),
    ),
    "stopped": _event("StoppedEvent", "stopped", "A seat moved no second knight.", seat=seat_number()),
    "took": _event("TookEvent", "took", "A seat took a card.", seat=seat_number(), space=space(), **_card()),
    "turned_up": _event("TurnedUpEvent", "turned_up", "The next card of a pile lies open.", space=space(), **_card()),
    "four_gems": _event("FourGemsEvent", "four_gems", "A seat has four different gems first.", seat=seat_number()),
    "threw": _event("ThrewEvent", "threw", "A seat threw the die for the dragon.", seat=seat_number(), die=whole(1, 3)),
    "dragon": _event(
        "DragonEvent",
        "dragon",
        "The dragon went.",
        from_=_knight_place("from"),
        to=_knight_place("to"),
        facing=one_of("castle", "chamber"),
    ),
    "caught": _event(
        "CaughtEvent",
        "caught",
        "The dragon caught a knight of this seat.",
        seat=seat_number(),
        color=color(),
        by=seat_number("Who moved the dragon."),
        space=space(),
    ),
    "bribed": _event(
        "BribedEvent",
        "bribed",
        "A seat gave the dragon a gold card.",
        seat=seat_number(),
        color=color(),
        gold=fields.Integer(
            validate=validate.Range(min=1, max=5), metadata={"description": "Its value; told to the giver only."}
        ),
    ),
    "surrendered": _event(
        "SurrenderedEvent", "surrendered", "A knight went to the nest.", seat=seat_number(), color=color()
    ),
    "rail": _event(
        "RailEvent",
        "rail",
        "The rail went on.",
        first=whole(1, 6, about="The first cave space beside it now."),
        facing=one_of("castle", "chamber"),
    ),
    "treasure": _event(
        "TreasureEvent", "treasure", "A seat took a dragon treasure.", seat=seat_number(), left=whole(0, 4)
    ),
    "turn": _event("TurnEvent", "turn", "It is this seat's turn.", seat=seat_number()),
    "created": _event(
        "CreatedEvent",
        "created",
        "The game was made.",
        commitment=fields.String(required=True, metadata={"description": "SHA-256 of the seed, hex."}),
        **_by(),
    ),
    "joined": _event("JoinedEvent", "joined", "Someone took this seat.", **_by()),
    "left": _event("LeftEvent", "left", "Someone gave this seat back.", **_by()),
    "declined": _event("DeclinedEvent", "declined", "Someone turned the invitation to this seat down.", **_by()),
    "started": _event(
        "StartedEvent", "started", "The cards are dealt.", first=seat_number("The seat that begins."), **_by()
    ),
    "resigned": _event("ResignedEvent", "resigned", "This seat's player resigned; a bot plays on.", **_by()),
    "timed_out": _event(
        "TimedOutEvent",
        "timed_out",
        "This seat's time is up; an answer counts a while longer, then a bot moves.",
        **_by(),
    ),
    "held": _event("HeldEvent", "held", "Two turns in a row ran out: a bot holds this seat for its player.", **_by()),
    "resumed": _event("ResumedEvent", "resumed", "This seat's player took it back from the bot.", **_by()),
    "voted": _event("VotedEvent", "voted", "A seat votes for more time, or for the end.", vote=vote_kind(), **_by()),
    "extended": _event(
        "ExtendedEvent",
        "extended",
        "The others gave this seat more time.",
        deadline=KeptInstant(required=True, metadata={"description": "Until when an answer is waited for now."}),
        by=fields.List(fields.Integer(), required=True, metadata={"description": "The seats that voted for it."}),
        **_by(),
    ),
    "ended": _event(
        "EndedEvent",
        "ended",
        "The players ended the game by their votes.",
        by=fields.List(fields.Integer(), required=True, metadata={"description": "The seats that voted for it."}),
    ),
    "order": _event(
        "OrderEvent",
        "order",
        "A standing order of yours decided. Told to you only.",
        order=order_kind("bribe", "catch"),
        text=_text("What the order was."),
        action=fields.Nested(Action, required=True, metadata={"description": "What was done by it."}),
        **_by(),
    ),
    "plan_played": _event(
        "PlanPlayedEvent",
        "plan_played",
        "Your turn was begun by your plan. Told to you only.",
        text=_text("What the plan was."),
        line=_text("The line of it that was played."),
        dropped=fields.List(
            fields.Nested(Dropped), required=True, metadata={"description": "What of it was not done, and why."}
        ),
        **_by(),
    ),
    "plan_dropped": _event(
        "PlanDroppedEvent",
        "plan_dropped",
        "Your plan no longer fitted, and is gone. Told to you only.",
        text=_text("What the plan was."),
        why=_text("Why nothing was played."),
        **_by(),
    ),
    "cancelled": _event("CancelledEvent", "cancelled", "The game was called off.", **_by()),
    "rematch": _event("RematchEvent", "rematch", "A rematch was made.", game=ident("The new game's id."), **_by()),
    "say": _event("SayEvent", "say", "Someone said something to all.", text=_text(), **_by()),
    "note": _event("NoteEvent", "note", "You noted something to yourself.", text=_text(), **_by()),
    "over": _event(
        "OverEvent",
        "over",
        "The game ended.",
        reason=one_of("last-treasure", "one-knight"),
        scores=fields.List(fields.Integer(), required=True),
        winners=fields.List(fields.Integer(), required=True),
    ),
}


class Event(Union):
    """Something that happened."""

    type_field = "kind"
    type_schemas = EVENTS

    def get_obj_type(self, obj: Any) -> str:
        """The kind of an event's JSON."""
        return str(obj["kind"])


class LogEntry(Output):
    """One line of the log, as this reader may see it."""

    seq = whole(1, about="Counts the entries that are yours to read.")
    at = Instant(required=True)
    ply = whole(0, about="How many decisions had been made.")
    event = fields.Nested(Event, required=True)


class LogPage(Output):
    """A piece of the log, oldest first."""

    items = fields.List(fields.Nested(LogEntry), required=True)
    next = whole(0, about="Hand this to the next request as `after`; there may be nothing there yet.")


class LogQuery(Input):
    """From where to read the log."""

    after = query_number(0, LARGEST_NUMBER, 0, "The `next` of the page before; 0: from the start.")
    limit = query_number(1, LONGEST_PAGE, LONGEST_PAGE, "At most so many entries.")


def logged(line: LogLine) -> dict[str, Any]:
    """A log line as ``LogEntry`` dumps it."""
    return {"seq": line.seq, "at": line.at, "ply": line.ply, "event": line.data}

"""The addresses of one's feeds."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.base import Instant, Output


class FeedInfo(Output):
    """Whether you have feeds; their addresses are shown when they are made, and never again."""

    since = Instant(
        required=True,
        allow_none=True,
        metadata={"description": "When the present addresses were made; null: none are."},
    )


class NewFeed(Output):
    """The addresses of your feeds. Whoever has them can read them, without a token."""

    since = Instant(required=True)
    ics = fields.String(
        required=True, metadata={"format": "uri", "description": "For a calendar program to subscribe to (iCalendar)."}
    )
    atom = fields.String(required=True, metadata={"format": "uri", "description": "For a feed reader (Atom)."})

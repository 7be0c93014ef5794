"""What somebody wants by mail, and what was mailed."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.api.schemas.base import Input, Instant, Output, flag, ident, one_of, whole
from service.mail.tokens import KINDS
from service.usecases.wishes import LAST_HOUR


def off(**kwargs: Any) -> fields.Field[Any]:
    """Kinds of mails that are turned off."""
    return fields.List(
        fields.String(validate=validate.OneOf(KINDS)),
        validate=validate.Length(max=len(KINDS)),
        metadata={
            "description": "Kinds of mails that are turned off: `turn` (it is your turn), `reminder`, `news` (a game "
            "has begun, is over or off; a bot has moved for you), `invitation`."
        },
        **kwargs,
    )


class MailSettings(Output):
    """What you want by mail."""

    drawing = fields.Boolean(
        required=True, metadata={"description": "Whether mails draw the board in letters, beside its words."}
    )
    cards = fields.Boolean(
        required=True, metadata={"description": "Whether mails show what only you may see: your hand, your draws."}
    )
    digest_hour = whole(
        0, LAST_HOUR, about="The hour, in your time zone, of the daily digest, for the games that wait for it."
    )
    paused_since = Instant(
        required=True,
        allow_none=True,
        attribute="paused_at",
        metadata={"description": "Since when no mail goes to you but codes and answers to your own mails."},
    )
    off = off(required=True)


class MailChanges(Input):
    """What to change; what is not said stays."""

    drawing = flag()
    cards = flag()
    digest_hour = whole(0, LAST_HOUR, required=False)
    paused = flag(metadata={"description": "No mail at all but codes and answers; or mail again."})
    off = off()


class GameMail(Output):
    """How the mails about one game come."""

    digest = fields.Boolean(
        required=True,
        metadata={"description": "Whether they wait for the daily digest. Reminders never do."},
    )
    next_digest = Instant(
        required=True, allow_none=True, metadata={"description": "When the next digest goes out, if they wait for it."}
    )


class GameMailChange(Input):
    """How the mails about one game shall come."""

    digest = flag(required=True)


class SentMail(Output):
    """A mail to you, and how it fared."""

    kind = fields.String(required=True, metadata={"description": "What it was about, such as `turn` or `digest`."})
    email = fields.String(required=True, metadata={"description": "Which of your addresses it went to."})
    game = ident("The game it was about; null if it was about none, or several.", allow_none=True)
    sent_at = Instant(required=True)
    state = one_of("sent", "delayed", "bounced", "complained", about="`sent`, if nothing was heard of it since.")
    state_at = Instant(required=True, allow_none=True, metadata={"description": "When that was heard."})
    status = fields.String(
        required=True, allow_none=True, metadata={"description": "Of its bounce (RFC 3463), such as `5.1.1`."}
    )


class SentMailList(Output):
    """The newest mails to the caller."""

    items = fields.List(fields.Nested(SentMail), required=True)

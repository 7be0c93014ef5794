"""What a mail that came in says, as plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "command",
    "no-command",
    "auto-reply",
    "bounce-hard",
    "bounce-soft",
    "complaint",
    "receipt",
    "loop",
    "malformed",
]


@dataclass(frozen=True, slots=True)
class Report:
    """What a bounce or a complaint is about; each part None if the report does not say.

    ``recipient``: the address that did not get our mail (or complained); ``message_id``: of our mail, with its angle
    brackets; ``status``: like ``5.1.1``.
    """

    recipient: str | None
    message_id: str | None
    status: str | None


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail, read. Every text is a single safe line: no control characters, nothing that could become a header.

    ``lines``: the sender's own command lines, as typed but for white space. ``said``: all their own lines in order,
    commands and others. ``sender``: the one address in From, its domain in lower case; None if there is not just one.
    ``recipients``: whom it was sent to, the envelope's first (Delivered-To, X-Original-To, Envelope-To), then To and
    Cc. ``report`` is there for bounces and complaints.
    """

    kind: Kind
    lines: tuple[str, ...]
    said: tuple[str, ...]
    message_id: str | None
    in_reply_to: str | None
    sender: str | None
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    report: Report | None = None

"""A mail's bytes to a Letter: what the service reads, and `emerald mail-read` prints."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from service.mail.reading.addresses import Mailbox, mailboxes, unworded
from service.mail.reading.body import Own, own_text
from service.mail.reading.classify import envelope_recipients, is_automatic, is_calendar_reply, is_loop
from service.mail.reading.letter import Kind, Letter, Report
from service.mail.reading.parse import Part, parse
from service.mail.reading.reports import reported
from service.mail.reading.text import safe_line

_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,900}>")
_MOST_RECIPIENTS: Final = 100


def read(raw: bytes, *, own: Collection[str] = ()) -> Letter:
    """Read a mail; any bytes, never raises. ``own``: our own bare addresses: a mail from one of them is a loop.

    A mail that a machine wrote has no lines, whatever stands in it. A malformed one has those that a person would read.
    """
    whole = parse(raw)
    sender = _sender(whole)
    kind, report, text = _read(whole, sender, own)
    return Letter(
        kind=kind,
        lines=tuple(text.lines),
        said=tuple(text.said),
        message_id=_id(whole.first("message-id")),
        in_reply_to=_id(whole.first("in-reply-to")),
        sender=sender.address if sender else None,
        sender_name=sender.name if sender else "",
        recipients=_recipients(whole),
        subject=unworded(whole.first("subject")),
        report=report,
    )


def _read(whole: Part, sender: Mailbox | None, own: Collection[str]) -> tuple[Kind, Report | None, Own]:
    address = sender.address if sender else None
    if (found := reported(whole)) is not None:
        return found[0], found[1], Own()
    if is_loop(whole, address, own):
        return "loop", None, Own()
    if is_automatic(whole, address):
        return "auto-reply", None, Own()
    text = own_text(whole, _name(sender))
    if any(part.defects for part in whole.walk()):
        return "malformed", None, text
    if text.lines:
        return "command", None, text
    return ("auto-reply" if is_calendar_reply(whole) else "no-command"), None, text


def _sender(whole: Part) -> Mailbox | None:
    """The one mailbox in the one From header; whoever names several is nobody."""
    values = whole.all("from")
    boxes = mailboxes(values[0]) if len(values) == 1 else []
    return boxes[0] if len(boxes) == 1 else None


def _name(sender: Mailbox | None) -> str:
    """What the sender signs with: the name in From, or what the address says of it."""
    if sender is None:
        return ""
    return sender.name or re.sub("[._-]+", " ", sender.address.partition("@")[0])


def _recipients(whole: Part) -> tuple[str, ...]:
    found = envelope_recipients(whole)
    for name in ("to", "cc"):
        found += [box.address for value in whole.all(name) for box in mailboxes(value)]
    return tuple(dict.fromkeys(found))[:_MOST_RECIPIENTS]


def _id(value: str) -> str | None:
    found = _MESSAGE_ID.search(value)
    return (safe_line(found[0], 900) or None) if found else None

"""One mail as an EmailMessage: the same notice always gives the same bytes.

The mail server may take a mail just before the worker that sent it dies; it is then sent again. With the
Message-ID, the date and even the MIME boundaries fixed, the second copy is recognisably the first.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from typing import cast

from service.mail.errors import PermanentMailError
from service.pictures.names import tidy

_SUBJECT_LIMIT = 120
_NAME_LIMIT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a mail is made of. ``thread`` is the game's thread root, if it belongs to a game."""

    sender: str
    to: str
    to_name: str
    subject: str
    message_id: str
    date: datetime
    text: str
    html: str
    thread: str | None = None
    picture: bytes | None = None
    """A PNG that the HTML shows as ``cid:`` + ``picture_id(message_id)``."""


def thread_root(game_id: str, domain: str) -> str:
    """The Message-ID that all mails of a game refer to, so that mail programs show them as one thread."""
    return f"<game-{game_id}@{domain}>"


def picture_id(message_id: str) -> str:
    """The Content-ID of a mail's picture, without angle brackets."""
    return f"board-{_digest(message_id, 'picture')}@emerald.invalid"


def _digest(message_id: str, part: str) -> str:
    return hashlib.sha256(f"{part}|{message_id}".encode()).hexdigest()[:24]


def _address(name: str, spec: str) -> Address:
    """Raises PermanentMailError for an address that no header can hold; never quotes it."""
    try:
        if not spec.isascii() or len(spec) > 254:
            raise ValueError
        return Address(display_name=tidy(name, _NAME_LIMIT), addr_spec=spec)
    except (ValueError, IndexError, MessageError) as error:
        raise PermanentMailError("the address cannot be written in a mail") from error


def build(parts: Parts) -> EmailMessage:
    """The finished message: plain text, HTML, and the picture within the HTML's part."""
    message = EmailMessage(policy=policy.SMTP)
    sender_name, sender = parseaddr(parts.sender)
    message["From"] = _address(sender_name, sender)
    message["To"] = _address(parts.to_name, parts.to)
    message["Subject"] = tidy(parts.subject, _SUBJECT_LIMIT)
    message["Date"] = parts.date
    message["Message-ID"] = parts.message_id
    if parts.thread:
        message["In-Reply-To"] = parts.thread
        message["References"] = parts.thread
    # RFC 3834: no vacation responder shall answer a machine.
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message.set_content(parts.text)
    message.add_alternative(parts.html, subtype="html")
    message.set_boundary(f"=_alternative-{_digest(parts.message_id, 'alternative')}")
    if parts.picture is not None:
        page = cast(EmailMessage, message.get_payload()[1])  # type: ignore[index]  # a list: it is multipart
        page.add_related(
            parts.picture,
            maintype="image",
            subtype="png",
            cid=f"<{picture_id(parts.message_id)}>",
            filename="board.png",
            disposition="inline",
        )
        page.set_boundary(f"=_related-{_digest(parts.message_id, 'related')}")
    return message

"""One mail as an EmailMessage: the same notice always gives the same bytes.

The mail server may take a mail just before the worker that sent it dies; it is then sent again. With the
Message-ID, the date and even the MIME boundaries fixed, the second copy is recognisably the first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parseaddr
from typing import Any, Final, Literal, cast

from service.mail.errors import PermanentMailError
from service.pictures.names import tidy

_SUBJECT_LIMIT = 120
_NAME_LIMIT = 60
_LINE: Final = 76
#: Message-IDs that come from outside and are put into headers: nothing but this.
_MESSAGE_ID: Final = re.compile(r"<[\x21-\x3b=\x3f-\x7e]{1,250}>")
#: Headers that may hold other letters than ASCII, and are encoded by the library.
_OF_WORDS: Final = frozenset({"subject", "from", "to"})


class _Policy(EmailPolicy):
    """SMTP's, but tokens and links in headers stay whole: the library would encode those that are longer than a line.

    A program that reads a List-Unsubscribe or a Reply-To looks for the bare text.
    """

    def fold(self, name: str, value: Any) -> str:
        if _is_encoded(name, value):
            return str(super().fold(name, value))
        lines, line = [], f"{name}:"
        for word in str(value).split():
            if len(line) + len(word) >= _LINE and not line.endswith(":"):
                lines.append(line)
                line = ""
            line += f" {word}"
        return "\r\n".join([*lines, line]) + "\r\n"

    def fold_binary(self, name: str, value: Any) -> bytes:
        return super().fold_binary(name, value) if _is_encoded(name, value) else self.fold(name, value).encode("ascii")


def _is_encoded(name: str, value: Any) -> bool:
    """Whether the library writes this header. A long plain subject it would begin one line too low."""
    plain = name.lower() == "subject" and str(value).isascii() and "=?" not in str(value)
    return name.lower() in _OF_WORDS and not plain


POLICY: Final = _Policy(linesep="\r\n")


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that the HTML shows as ``cid:`` + ``cid``."""

    cid: str
    png: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a mail is made of."""

    sender: str
    to: str
    to_name: str
    subject: str
    message_id: str
    date: datetime
    text: str
    html: str
    language: str
    """The language of text and HTML, for Content-Language (RFC 3282)."""
    reply_to: str | None = None
    references: Sequence[str] = ()
    """The Message-IDs of the thread, the one that is answered last; what is no Message-ID is left out."""
    unsubscribe: Sequence[str] = ()
    """Links that turn mails of this kind off, the https one (for RFC 8058's one click) first."""
    submitted: Literal["auto-generated", "auto-replied"] = "auto-generated"
    marks: Sequence[tuple[str, str]] = ()
    """Further headers, for programs; ASCII without white space."""
    pictures: Sequence[Picture] = ()


def thread_root(game_id: str, domain: str) -> str:
    """The Message-ID that all mails of a game refer to, so that mail programs show them as one thread."""
    return f"<game-{game_id}@{domain}>"


def picture_id(message_id: str, number: int = 0) -> str:
    """The Content-ID of a mail's picture, without angle brackets."""
    return f"board-{_digest(message_id, f'picture {number}')}@emerald.invalid"


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
    """The finished message: plain text, HTML, and the pictures within the HTML's part."""
    message = EmailMessage(policy=POLICY)
    sender_name, sender = parseaddr(parts.sender)
    message["From"] = _address(sender_name, sender)
    message["To"] = _address(parts.to_name, parts.to)
    if parts.reply_to:
        message["Reply-To"] = _address("", parts.reply_to)
    message["Subject"] = tidy(parts.subject, _SUBJECT_LIMIT)
    message["Date"] = parts.date
    message["Message-ID"] = parts.message_id
    thread = [one for one in parts.references if _MESSAGE_ID.fullmatch(one)]
    if thread:
        message["In-Reply-To"] = thread[-1]
        message["References"] = " ".join(thread)
    # RFC 3834: no vacation responder shall answer a machine.
    message["Auto-Submitted"] = parts.submitted
    # Exchange's answers too, but for its bounces (NDR): those are what tells that an address fails.
    message["X-Auto-Response-Suppress"] = "DR, RN, NRN, OOF, AutoReply"
    if parts.unsubscribe:
        message["List-Unsubscribe"] = ", ".join(f"<{link}>" for link in parts.unsubscribe)
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    for name, value in parts.marks:
        message[name] = value
    # Quoted-printable: what has eight bits, or begins a line with "From ", may be changed on the way, and then no
    # signature holds.
    message.set_content(parts.text, cte="quoted-printable")
    message.add_alternative(parts.html, subtype="html", cte="quoted-printable")
    message.set_boundary(f"=_alternative-{_digest(parts.message_id, 'alternative')}")
    words, page = cast(list[EmailMessage], message.get_payload())
    for part in (words, page):
        part.set_payload(re.sub(r"(?m)^From ", "=46rom ", cast(str, part.get_payload())))
    for picture in parts.pictures:
        page.add_related(
            picture.png,
            maintype="image",
            subtype="png",
            cid=f"<{picture.cid}>",
            filename="board.png",
            disposition="inline",
        )
    if parts.pictures:
        page.set_boundary(f"=_related-{_digest(parts.message_id, 'related')}")
    # Last: what is said of the content before there is any goes with it into its first part.
    message["Content-Language"] = parts.language
    return message

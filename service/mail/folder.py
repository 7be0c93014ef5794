"""Reading back the mails that the folder transport wrote: what the development inbox shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesHeaderParser
from pathlib import Path

_ID = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9._@-]*\Z")


@dataclass(frozen=True, slots=True)
class Summary:
    """One line of the inbox. ``id`` is the file's name without ``.eml``."""

    id: str
    subject: str
    to: str
    date: datetime | None
    reply_to: str
    """Where an answer goes; empty if none is read."""
    message_id: str
    references: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part that the HTML refers to by its Content-ID."""

    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Mail:
    """A whole mail, taken apart. ``attachments`` by Content-ID without the angle brackets."""

    summary: Summary
    text: str
    html: str
    attachments: Mapping[str, Attachment]
    raw: bytes


def _summary(name: str, message: EmailMessage) -> Summary:
    date = message["Date"]
    return Summary(
        id=name,
        subject=str(message["Subject"] or ""),
        to=str(message["To"] or ""),
        date=date.datetime if date is not None else None,
        reply_to=str(message["Reply-To"] or ""),
        message_id=str(message["Message-ID"] or "").strip(),
        references=" ".join(str(message["References"] or "").split()),
    )


def list_messages(folder: Path, limit: int = 200) -> list[Summary]:
    """The newest mails first; an empty list if there is no folder yet."""
    if not folder.is_dir():
        return []
    files = sorted(folder.glob("*.eml"), key=lambda file: (file.stat().st_mtime_ns, file.name), reverse=True)
    parser = BytesHeaderParser(policy=policy.default)
    found = []
    for file in files[:limit]:
        with file.open("rb") as stream:
            found.append(_summary(file.stem, parser.parse(stream)))
    return found


def _content(part: MIMEPart | None) -> str:
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def read_message(folder: Path, message_id: str) -> Mail | None:
    """The mail of a Summary's ``id``; None if there is none, or if the id is no name of ours."""
    if not _ID.match(message_id):
        return None
    try:
        raw = (folder / f"{message_id}.eml").read_bytes()
    except OSError:
        return None
    message = message_from_bytes(raw, policy=policy.default)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    attachments = {
        str(part["Content-ID"]).strip("<> "): Attachment(part.get_content_type(), bytes(part.get_payload(decode=True)))
        for part in message.walk()
        if part["Content-ID"]
    }
    return Mail(
        summary=_summary(message_id, message),
        text=_content(text),
        html=_content(html),
        attachments=attachments,
        raw=raw,
    )

"""A mail is stored once, whichever doors it comes through and however often; it is read later.

A door gives a mail back to its server (IMAP: leaves it there; LMTP, SMTP, webhook: a temporary refusal) unless it was
stored: what is told of as received cannot be lost.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session

from service import outbox
from service.db import insert, settings, transaction
from service.errors import invalid
from service.i18n import gettext as _
from service.models import InboundMail

Via = Literal["imap", "lmtp", "smtp", "webhook", "pipe", "inbox"]
#: More recipients than that no mail to us has.
MOST_RECIPIENTS = 100
_LONGEST_ADDRESS = 320
_LONGEST_MESSAGE_ID = 400
_HEADERS_END = re.compile(rb"\r?\n\r?\n|\r\r")


@dataclass(frozen=True)
class Received:
    """A mail that is stored. ``new``: it was not before."""

    id: int
    new: bool


def receive(
    *,
    raw: bytes,
    via: Via,
    envelope_from: str | None,
    envelope_to: Sequence[str],
    now: datetime,
) -> Received:
    """Store a mail, once, and promise to read it; both or neither.

    A mail that is here already is told of as such; a recipient that only its second copy names is kept too, as long as
    nobody has read the first. Refused as ``invalid`` if it is too large, as ``unavailable`` if it could not be stored:
    then it must be offered again.
    """
    most = settings().inbound_max_bytes
    if len(raw) > most:
        raise invalid("raw", _("The mail has {number} bytes; {most} are the most.").format(number=len(raw), most=most))
    headers, body = _parts(raw)
    recipients = [_storable(address)[:_LONGEST_ADDRESS] for address in envelope_to[:MOST_RECIPIENTS]]
    values = {
        "fingerprint": _fingerprint(headers, body),
        "message_id": _storable(headers.get("message-id", b"").decode(errors="replace"))[:_LONGEST_MESSAGE_ID] or None,
        "raw": raw,
        "via": via,
        "envelope_from": None if envelope_from is None else _storable(envelope_from)[:_LONGEST_ADDRESS],
        "envelope_to": recipients,
        "received_at": now,
        "state": "received",
    }
    with transaction() as session:
        stored = session.scalar(
            insert(session, InboundMail)
            .values(**values)
            .on_conflict_do_nothing(index_elements=[InboundMail.fingerprint])
            .returning(InboundMail.id)
        )
        if stored is None:
            return Received(_again(session, str(values["fingerprint"]), recipients), new=False)
        outbox.put(session, topic="inbound.read", key=f"inbound:{stored}", payload={"mail": stored}, now=now)
        return Received(stored, new=True)


def forget(*, before: datetime, strangers_before: datetime) -> int:
    """Empty the texts of mails that came before this moment and were read; how many.

    ``strangers_before``: the same for those of nobody we know, of which anybody can send as many as they like.
    What is left says that the mail was here, so that a late copy of it does nothing.
    """
    strangers = and_(InboundMail.received_at < strangers_before, InboundMail.user_id.is_(None))
    with transaction() as session:
        emptied = session.scalars(
            update(InboundMail)
            .where(or_(InboundMail.received_at < before, strangers))
            .where(InboundMail.state != "received", InboundMail.raw != b"")
            .values(raw=b"", outcome=None, envelope_from=None, envelope_to=[])
            .returning(InboundMail.id)
        )
        return len(emptied.all())


def _again(session: Session, fingerprint: str, recipients: Sequence[str]) -> int:
    mail = session.scalars(select(InboundMail).where(InboundMail.fingerprint == fingerprint).with_for_update()).one()
    further = [address for address in recipients if address not in mail.envelope_to]
    if further and mail.state == "received":
        mail.envelope_to = [*mail.envelope_to, *further][:MOST_RECIPIENTS]
    return mail.id


def _fingerprint(headers: dict[str, bytes], body: bytes) -> str:
    """What two deliveries of one mail share: who wrote what. How each of them travelled is not part of it.

    The Message-ID alone would not do: some programs give two mails the same. Where there is none, date and subject
    tell two mails with the same words apart.
    """
    names = ["message-id", "from"] if headers.get("message-id") else ["from", "date", "subject"]
    parts = [*(headers.get(name, b"") for name in names), body]
    return hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hexdigest()


def _parts(raw: bytes) -> tuple[dict[str, bytes], bytes]:
    """The last header of each name, and the body; white space collapsed in both, as on the way it may be.

    A signature (DKIM) usually holds in spite of white space, and of headers put above those that it signs: whoever has
    seen a mail could otherwise have it read again as another one.
    """
    found = _HEADERS_END.search(raw)
    top, body = (raw, b"") if found is None else (raw[: found.start()], raw[found.end() :])
    headers: dict[str, bytes] = {}
    for line in re.sub(rb"(?:\r\n|\r|\n)[ \t]+", b" ", top).splitlines():
        name, colon, value = line.partition(b":")
        if colon:
            headers[name.strip().lower().decode(errors="replace")] = b" ".join(value.split())
    body = re.sub(rb"[ \t]+", b" ", re.sub(rb"\r\n|\r", b"\n", body))
    return headers, body.replace(b" \n", b"\n").rstrip()


def _storable(text: str) -> str:
    """Text that every database takes: no control characters, no half characters."""
    whole = text.encode(errors="replace").decode()
    return "".join(character for character in whole if character.isprintable()).strip()

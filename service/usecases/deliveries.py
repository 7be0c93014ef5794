"""Mails on their way: what is handed to the mail server, and what comes back about it.

A mail is recorded before it is handed over. Whoever dies in between leaves a record of a mail that is sent again
under the same Message-ID; the other way round, a bounce could come for a mail that nobody knows of.

What a report of a mail server says is believed only about a mail that was recorded, and that the report names by what
only those know who had the mail: the address that we gave it to come back to, or its Message-ID.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Literal

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from service import outbox
from service.db import insert, reading, transaction
from service.mail import kinds
from service.mail.errors import PermanentMailError, TemporaryMailError
from service.mail.reading.letter import Report
from service.mail.tokens import user_recipient
from service.models import Address, Delivery, OutboxRow
from service.outbox import Claimed, Ended
from service.usecases import notices, people, promises, words
from service.usecases.results import ACCOUNT, Caller

#: So many mails in a row that could not be delivered for now, and the address counts as failing.
SOFT_BOUNCES: Final = 3
#: An address that fails gets one mail in such a time, to see whether it still does.
TRY_AGAIN: Final = timedelta(days=1)
_STATUS: Final = re.compile(r"[245]\.[0-9]{1,3}\.[0-9]{1,3}(?![0-9])", re.ASCII)
_NOT_NOW: Final = "mail to its reader fails; one a day is tried"
_COMPLAINED: Final = "its reader complained about our mail"


@dataclass(frozen=True)
class Sent:
    """A mail to the caller, and how it fared. ``status``: of its bounce, like 5.1.1."""

    kind: str
    email: str
    game: str | None
    sent_at: datetime
    state: Literal["sent", "delayed", "bounced", "complained"]
    state_at: datetime | None
    status: str | None


def send(*, row: Claimed, now: datetime, post: Callable[[kinds.Notice], None]) -> Ended:
    """Look up what a begun ``mail.*`` row has to say now, and hand it over with ``post``; how the row ended.

    Raises what ``post`` raises. An address that the mail server does not know counts as failing from then on; if its
    account has another one, the mail goes there at the next attempt (TemporaryMailError).
    """
    composed = notices.compose(row=row, now=now)
    notice = composed.notice
    if notice is None:
        wished = composed.why != notices.MOVED_ON
        return Ended("dropped", composed.why, still=partial(_still_unsent, row=row, now=now) if wished else None)
    unsent = _record(row, notice, now)
    if unsent is not None:
        return Ended("dropped", unsent, still=partial(_still_fails, key=words.email_key(notice.envelope.to)))
    try:
        post(notice)
    except PermanentMailError as error:
        if error.no_mailbox is not None and _refused(row, notice, error.no_mailbox, now):
            raise TemporaryMailError(f"{error}; the reader has another address") from error
        raise
    return Ended("done", untold=composed.untold)


def heard(
    session: Session,
    *,
    kind: Literal["bounce-hard", "bounce-soft", "complaint"],
    report: Report | None,
    row: int | None,
    now: datetime,
) -> bool:
    """Take note of a bounce or a complaint; False if it is not believed, as no mail of ours is what it is about.

    ``row``: of the ``BounceToken`` that it came to, if it did. Otherwise the Message-ID that it names must be one of
    ours, sent to the address that it names.
    """
    delivery = _about(session, report, row)
    if delivery is None:
        return False
    said = None if report is None else _STATUS.match(report.status or "")
    status = None if said is None else said[0]
    if kind == "bounce-soft":
        _delayed(session, delivery, status, now)
    elif delivery.state not in ("bounced", "complained") or kind == "complaint":
        _lost(session, delivery, "complained" if kind == "complaint" else "bounced", status, now)
    return True


def arrived(session: Session, email_key: str, *, now: datetime) -> None:
    """Mail reaches this address: an answer came from it, provably, or a code came back.

    If it failed, its owner gets what was held back.
    """
    address = session.scalar(select(Address).where(Address.email_key == email_key))
    if address is None or (address.state == "ok" and address.soft_bounces == 0):
        return
    failed = address.state == "failing"
    people.arrived(session, email_key, now=now)
    session.expire(address)
    if failed:
        promises.present_turns(session, address.user_id, now=now)


def unwanted(session: Session, email_key: str) -> bool:
    """Whether mail to this address was complained about: nothing comes there but what is asked for."""
    found = select(Address.id).where(Address.email_key == email_key, Address.state == "complained")
    return session.scalar(found) is not None


def wanted_again(session: Session, email_key: str, *, now: datetime) -> None:
    """Whoever reads this address asks for mail there, provably: a complaint about it holds no more."""
    address = session.scalar(select(Address).where(Address.email_key == email_key, Address.state == "complained"))
    if address is not None:
        address.state, address.failing_since, address.last_status, address.verified_at = "ok", None, None, now
        session.flush()
        promises.present_turns(session, address.user_id, now=now)


def mails_to(*, caller: Caller, limit: int = 50) -> tuple[Sent, ...]:
    """The newest mails to the caller, and how they fared."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        found = session.scalars(
            select(Delivery)
            .where(Delivery.user_id == caller.user_id)
            .order_by(Delivery.sent_at.desc(), Delivery.outbox_id.desc())
            .limit(limit)
        )
        return tuple(map(_sent, found))


def forget(*, before: datetime) -> int:
    """Remove what was recorded of mails sent before this moment; how many."""
    with transaction() as session:
        old = delete(Delivery).where(Delivery.sent_at < before).returning(Delivery.outbox_id)
        return len(session.scalars(old).all())


def _record(row: Claimed, notice: kinds.Notice, now: datetime) -> str | None:
    """Record a mail that is about to be handed over; or why it must not be."""
    envelope = notice.envelope
    key = words.email_key(envelope.to)
    with transaction() as session:
        address = session.scalar(select(Address).where(Address.email_key == key).with_for_update())
        if address is not None and _of_itself(notice) and address.state != "ok":
            if address.state == "complained":
                return _COMPLAINED
            again = session.get(Delivery, row.id)
            same_mail = again is not None and again.email_key == key
            if not same_mail and address.tried_at is not None and now - address.tried_at < TRY_AGAIN:
                return _NOT_NOW
            address.tried_at = now
        values = {
            "message_id": envelope.message_id,
            "kind": _kind(row, notice),
            "email": envelope.to,
            "email_key": key,
            "user_id": None if address is None else address.user_id,
            "game_id": None if isinstance(notice, kinds.BundleNotice) else row.payload.get("game"),
            "sent_at": now,
            "state": "sent",
            "state_at": None,
            "status": None,
        }
        session.execute(
            insert(session, Delivery)
            .values(outbox_id=row.id, **values)
            .on_conflict_do_update(index_elements=[Delivery.outbox_id], set_=values)
        )
    return None


def _still_unsent(session: Session, *, row: Claimed, now: datetime) -> bool:
    return notices.compose_in(session, row, now).notice is None


def _still_fails(session: Session, *, key: str) -> bool:
    return session.scalar(select(Address.id).where(Address.email_key == key, Address.state == "ok")) is None


def _of_itself(notice: kinds.Notice) -> bool:
    """Whether the house sends this of itself: no code, and no answer to a mail."""
    return isinstance(notice, (kinds.BundleNotice, *notices.PARTS))


def _kind(row: Claimed, notice: kinds.Notice) -> str:
    if isinstance(notice, kinds.BundleNotice):
        return "digest" if notice.daily else "bundle"
    return row.topic.removeprefix("mail.")


def _refused(row: Claimed, notice: kinds.Notice, status: str, now: datetime) -> bool:
    """The mail server knows no such mailbox. Whether there is another address to try."""
    with transaction() as session:
        delivery = session.get(Delivery, row.id)
        if delivery is not None:
            _lost(session, delivery, "bounced", status, now, sent=False)
        if delivery is None or delivery.user_id is None or not _of_itself(notice):
            return False
        return _another(session, delivery.user_id)


def _about(session: Session, report: Report | None, row: int | None) -> Delivery | None:
    if row is not None:
        delivery = session.get(Delivery, row)
        return None if delivery is not None and _about_earlier_try(session, report, delivery) else delivery
    if report is None or report.message_id is None or report.recipient is None:
        return None
    return session.scalar(
        select(Delivery)
        .where(Delivery.message_id == report.message_id, Delivery.email_key == words.email_key(report.recipient))
        .limit(1)
    )


def _about_earlier_try(session: Session, report: Report | None, delivery: Delivery) -> bool:
    """Whether it names another address of the account, which had the mail before this one.

    An address that is none of the account's may be where its mail is forwarded to.
    """
    if report is None or report.recipient is None or words.email_key(report.recipient) == delivery.email_key:
        return False
    other = select(Address.id).where(
        Address.email_key == words.email_key(report.recipient), Address.user_id == delivery.user_id
    )
    return session.scalar(other) is not None


def _delayed(session: Session, delivery: Delivery, status: str | None, now: datetime) -> None:
    """Once for each mail: servers say it several times."""
    address = _address(session, delivery)
    if delivery.state != "sent":
        return
    delivery.state, delivery.state_at, delivery.status = "delayed", now, status
    if address is not None and address.state == "ok":
        address.soft_bounces += 1
        address.last_status = status
        if address.soft_bounces >= SOFT_BOUNCES:
            address.state, address.failing_since = "failing", now


def _lost(
    session: Session,
    delivery: Delivery,
    state: Literal["bounced", "complained"],
    status: str | None,
    now: datetime,
    *,
    sent: bool = True,
) -> None:
    address = _address(session, delivery)
    delivery.state, delivery.state_at, delivery.status = state, now, status
    if address is None or address.state == "complained":
        return
    worked = address.state == "ok"
    address.state = "complained" if state == "complained" else "failing"
    address.failing_since = address.failing_since or now
    address.last_status = status
    session.flush()
    if sent and worked and state == "bounced" and _another(session, address.user_id):
        _send_again(session, delivery, now)


def _address(session: Session, delivery: Delivery) -> Address | None:
    """The address that a mail went to, if it still is its account's and has not proved to work since."""
    found = session.scalar(select(Address).where(Address.email_key == delivery.email_key).with_for_update())
    if found is None or found.user_id != delivery.user_id or found.verified_at > delivery.sent_at:
        return None
    return found


def _another(session: Session, user_id: str) -> bool:
    works = select(Address.id).where(Address.user_id == user_id, Address.state == "ok").limit(1)
    return session.scalar(works) is not None


def _send_again(session: Session, delivery: Delivery, now: datetime) -> None:
    """What did not arrive goes to the account's other address, if it is still true."""
    recipient = user_recipient(delivery.user_id or "")
    key = session.scalar(
        select(OutboxRow.key).where(OutboxRow.id == delivery.outbox_id, OutboxRow.recipient == recipient)
    )
    if key is not None:
        outbox.hold(session, recipient)
        outbox.reopen(session, key=key, due_at=now, also_done=True)


def _sent(delivery: Delivery) -> Sent:
    return Sent(
        kind=delivery.kind,
        email=delivery.email,
        game=delivery.game_id,
        sent_at=delivery.sent_at,
        state=delivery.state,  # type: ignore[arg-type]  # a check constraint holds it to these
        state_at=delivery.state_at,
        status=delivery.status,
    )

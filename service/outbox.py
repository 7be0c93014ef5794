"""Effects are rows first: mail, reminders, clocks and bot turns are put here in the transaction that decides them.

A row is claimed for a while (the lease) and handed to a task; the task begins it, does it, and marks it. Where a
message or a worker is lost the lease runs out, and the row is claimed again: at least once, so every handler looks at
the world again and its key makes a second time harmless. Only one of the tasks told of a row can begin it. A row that
keeps failing waits longer each time and is at last kept as failed, in sight of the metrics. Rows hold ids only.
"""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Literal

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from service.db import after_commit, reading, settings, transaction
from service.logs import scrub
from service.models import OutboxRow

Outcome = Literal["done", "dropped"]
OPEN = ("pending", "queued", "running")
LONGEST_WAIT = timedelta(hours=1)

_waker: Callable[[], None] | None = None
_waker_lock = threading.Lock()


@dataclass(frozen=True)
class Claimed:
    """A row that is ours until the lease runs out. ``attempt``: how often it has been begun."""

    id: int
    topic: str
    key: str
    payload: Mapping[str, str | int | None]
    message_id: str | None
    attempt: int
    created_at: datetime


@dataclass(frozen=True)
class Row:
    """A row as it stands, for tests and tools."""

    id: int
    topic: str
    key: str
    payload: Mapping[str, str | int | None]
    message_id: str | None
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime
    ended_at: datetime | None
    last_error: str | None


def put(
    session: Session,
    *,
    topic: str,
    key: str,
    payload: Mapping[str, str | int | None],
    now: datetime,
    due_at: datetime | None = None,
    message_id: str | None = None,
    recipient: str | None = None,
    digested: bool = False,
) -> None:
    """Promise an effect, within the caller's transaction. A second put of the same key does nothing.

    ``recipient``: for whom a mail is that may be told in one with others for the same reader, when they pile up; None
    for one that never is. ``digested``: it has been put off to ``due_at`` for this reader's daily digest.

    The Message-ID of a mail is fixed here, so that a mail sent twice (a crash between the mail server's answer and our
    mark) is recognisably the same mail.
    """
    if message_id is None and topic.startswith("mail."):
        message_id = make_msgid(domain=settings().mail_domain)
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    session.execute(
        dialect.insert(OutboxRow)
        .values(
            topic=topic,
            key=key,
            payload=dict(payload),
            message_id=message_id,
            created_at=now,
            due_at=due_at or now,
            next_at=due_at or now,
            state="pending",
            attempts=0,
            recipient=recipient,
            digested=digested,
            alone=False,
        )
        .on_conflict_do_nothing(index_elements=[OutboxRow.key])
    )
    after_commit(session, _wake)


def claim(
    *, now: datetime, limit: int, topics: Collection[str] | None = None, lease: timedelta | None = None
) -> list[Claimed]:
    """Take up to ``limit`` rows that are due, oldest first, for ``lease`` (default: the settings'), to hand them out.

    Only rows of ``topics``, if given. A row whose task died in the last attempt ends here: what kills its worker must
    come to an end too.
    """
    chosen = settings()
    until = now + (lease or timedelta(seconds=chosen.outbox_lease_seconds))
    with transaction() as session:
        rows = session.scalars(
            select(OutboxRow)
            .where(OutboxRow.state.in_(OPEN), OutboxRow.next_at <= now, *_among(topics))
            .order_by(OutboxRow.next_at, OutboxRow.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        ).all()
        claimed: list[Claimed] = []
        for row in rows:
            if row.attempts >= chosen.outbox_max_attempts:
                row.state, row.ended_at = "failed", now
                row.last_error = row.last_error or "the lease of the last attempt ran out"
                continue
            row.state, row.next_at = "queued", until
            claimed.append(_claimed(row))
        return claimed


def begin(id: int, *, now: datetime) -> Claimed | None:
    """The row, for the one task that may work on it; None if another has it or it is over. Counts as an attempt.

    The lease starts anew: time spent in the queue is not the task's. A task that was told late, when the lease of its
    claim had run out, may begin all the same, as long as nobody else has.
    """
    until = now + timedelta(seconds=settings().outbox_lease_seconds)
    with transaction() as session:
        row = session.scalar(select(OutboxRow).where(OutboxRow.id == id).with_for_update())
        if row is None or row.state != "queued":
            return None
        row.state, row.next_at, row.attempts = "running", until, row.attempts + 1
        return _claimed(row)


def finish(id: int, *, now: datetime, outcome: Outcome) -> None:
    """Mark a row as done, or as dropped because the world had moved on. Harmless the second time."""
    with transaction() as session:
        session.execute(
            update(OutboxRow)
            .where(OutboxRow.id == id, OutboxRow.state.in_((*OPEN, "failed")))
            .values(state=outcome, ended_at=now)
        )


def fail(begun: Claimed, *, now: datetime, error: str, final: bool = False) -> None:
    """An attempt came to nothing: try again later, twice as late each time, or keep it as failed after the last.

    ``begun`` is what ``begin`` gave: whoever comes back after the lease ran out, while another works on the row, does
    not put it back under that one's hands. ``final``: another attempt would come to nothing too, so this was the last.

    ``error`` is scrubbed of addresses, codes and tokens; give the exception's type and the server's words.
    """
    chosen = settings()
    with transaction() as session:
        row = session.scalar(
            select(OutboxRow)
            .where(OutboxRow.id == begun.id, OutboxRow.state == "running", OutboxRow.attempts == begun.attempt)
            .with_for_update()
        )
        if row is None:
            return
        row.last_error = scrub(error)[:500]
        if final or row.attempts >= chosen.outbox_max_attempts:
            row.state, row.ended_at = "failed", now
        else:
            row.state = "pending"
            row.next_at = now + _wait(row.attempts, chosen.outbox_retry_seconds)


def peek(id: int) -> Row | None:
    """A row as it stands, or None."""
    with reading() as session:
        row = session.get(OutboxRow, id)
        return None if row is None else _row(row)


def next_due() -> datetime | None:
    """When the next open row may be claimed; None when there is none."""
    with reading() as session:
        return session.scalar(select(func.min(OutboxRow.next_at)).where(OutboxRow.state.in_(OPEN)))


def queued(*, now: datetime, topics: Collection[str] | None = None) -> int:
    """How many rows (of ``topics``, if given) have been handed out and wait for a task to begin them."""
    with reading() as session:
        count = select(func.count()).where(OutboxRow.state == "queued", OutboxRow.next_at > now, *_among(topics))
        return session.scalar(count) or 0


def rows(*, states: Sequence[str], limit: int) -> list[Row]:
    """The newest rows in these states, for operators."""
    with reading() as session:
        found = select(OutboxRow).where(OutboxRow.state.in_(states)).order_by(OutboxRow.id.desc()).limit(limit)
        return [_row(row) for row in session.scalars(found)]


def retry(id: int, *, now: datetime) -> bool:
    """Give a failed row all its attempts again, from now on; False if there is no such failed row."""
    with transaction() as session:
        row = session.scalar(select(OutboxRow).where(OutboxRow.id == id, OutboxRow.state == "failed").with_for_update())
        if row is None:
            return False
        row.state, row.attempts, row.next_at, row.ended_at = "pending", 0, now, None
        after_commit(session, _wake)
        return True


def prune(*, before: datetime) -> int:
    """Remove rows that ended well before this moment, and say how many. Failed ones stay until someone looks."""
    with transaction() as session:
        old = delete(OutboxRow).where(OutboxRow.state.in_(("done", "dropped")), OutboxRow.ended_at < before)
        return len(session.scalars(old.returning(OutboxRow.id)).all())


def set_waker(waker: Callable[[], None] | None) -> None:
    """Have ``waker`` called after each commit that put a row, so that the relay need not wait for its next round."""
    global _waker
    with _waker_lock:
        _waker = waker


def _wake() -> None:
    waker = _waker
    if waker is not None:
        waker()


def _wait(attempts: int, first_seconds: int) -> timedelta:
    return min(LONGEST_WAIT, timedelta(seconds=first_seconds * 2 ** min(attempts - 1, 20)))


def _among(topics: Collection[str] | None) -> list[ColumnElement[bool]]:
    return [] if topics is None else [OutboxRow.topic.in_(topics)]


def _claimed(row: OutboxRow) -> Claimed:
    return Claimed(
        id=row.id,
        topic=row.topic,
        key=row.key,
        payload=dict(row.payload),
        message_id=row.message_id,
        attempt=row.attempts,
        created_at=row.created_at,
    )


def _row(row: OutboxRow) -> Row:
    return Row(
        id=row.id,
        topic=row.topic,
        key=row.key,
        payload=dict(row.payload),
        message_id=row.message_id,
        state=row.state,
        attempts=row.attempts,
        created_at=row.created_at,
        next_at=row.next_at,
        ended_at=row.ended_at,
        last_error=row.last_error,
    )

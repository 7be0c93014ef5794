"""Effects are rows first: mail, reminders, clocks and bot turns are put here in the transaction that decides them.

A row is claimed for a while (the lease) and handed to a task; the task begins it, does it, and marks it. Where a
message or a worker is lost the lease runs out, and the row is claimed again: at least once, so every handler looks at
the world again and its key makes a second time harmless. Only one of the tasks told of a row can begin it. A row that
keeps failing waits longer each time and is at last kept as failed, in sight of the metrics. Rows hold ids only.

Mails for one reader that pile up become one: the first of them to be begun takes the others in, which are done with it.
A row whose last try may have reached its reader stays as it was: it takes in nothing and joins no other.
"""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Literal

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session, aliased

from service.db import after_commit, insert, lock_name, reading, settings, transaction
from service.logs import scrub
from service.models import OutboxRow

Outcome = Literal["done", "dropped"]
OPEN = ("pending", "queued", "running")
LONGEST_WAIT = timedelta(hours=1)
#: So many mails may become one; more of them become several.
MOST_TOGETHER = 20
#: In a payload: the ids of the rows that were taken in.
_WITH = "with"

_waker: Callable[[], None] | None = None
_waker_lock = threading.Lock()


@dataclass(frozen=True)
class Claimed:
    """A row that is ours until the lease runs out. ``attempt``: how often it has been begun.

    ``parts``: the rows that it has taken in, oldest first. ``alone``: it was on its own before this attempt.
    """

    id: int
    topic: str
    key: str
    payload: Mapping[str, str | int | None]
    message_id: str | None
    attempt: int
    created_at: datetime
    recipient: str | None = None
    digested: bool = False
    alone: bool = False
    parts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Ended:
    """How the work on a row ended. ``why``: a reason to keep; ``untold``: parts that it left out.

    ``still``: asked once more when it is marked, with its reader held (``hold``); if the reason holds no longer, the
    row is tried again. Otherwise a wish that changed in between would find nothing to bring back and lose the mail.
    """

    outcome: Outcome
    why: str | None = None
    untold: Collection[int] = field(default=())
    still: Callable[[Session], bool] | None = field(default=None, compare=False)


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
) -> bool:
    """Promise an effect, within the caller's transaction. A second put of the same key does nothing: False.

    ``recipient``: for whom a mail is that may be told in one with others for the same reader, when they pile up; None
    for one that never is. ``digested``: it has been put off to ``due_at`` for this reader's daily digest.

    The Message-ID of a mail is fixed here, so that a mail sent twice (a crash between the mail server's answer and our
    mark) is recognisably the same mail.
    """
    if message_id is None and topic.startswith("mail."):
        message_id = make_msgid(domain=settings().mail_domain)
    fresh = session.scalar(
        insert(session, OutboxRow)
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
        .returning(OutboxRow.id)
    )
    wake(session)
    return fresh is not None


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
                _give_up(session, row, now, row.last_error or "the lease of the last attempt ran out")
                continue
            row.state, row.next_at = "queued", until
            claimed.append(_claimed(row))
        return claimed


def begin(id: int, *, now: datetime) -> Claimed | None:
    """The row, for the one task that may work on it; None if another has it or it is over. Counts as an attempt.

    The lease starts anew: time spent in the queue is not the task's. A task that was told late, when the lease of its
    claim had run out, may begin all the same, as long as nobody else has.

    A mail that is late, or was put off to a digest, takes in what else is due for its reader.
    """
    chosen = settings()
    until = now + timedelta(seconds=chosen.outbox_lease_seconds)
    with transaction() as session:
        recipient = session.scalar(select(OutboxRow.recipient).where(OutboxRow.id == id))
        if recipient is not None:
            hold(session, recipient)
        row = session.scalar(select(OutboxRow).where(OutboxRow.id == id).with_for_update())
        if row is None or row.state != "queued":
            return None
        late = now - row.due_at > timedelta(seconds=chosen.mail_pile_seconds)
        if row.recipient is not None and not row.alone and (late or row.digested):
            _take_in_others(session, row, now)
        begun = replace(_claimed(row), attempt=row.attempts + 1)
        # Whoever dies from here on may have sent it; what is sent again must be the same mail.
        row.state, row.next_at, row.attempts, row.alone = "running", until, begun.attempt, True
        return begun


def hold(session: Session, recipient: str) -> None:
    """Hold what waits for this reader to the end of the transaction: nobody else begins any of it, or puts it off."""
    lock_name(session, f"mails to {recipient}")


def finish(id: int, *, now: datetime, outcome: Outcome | Ended) -> None:
    """Mark a row as done, or as dropped because the world had moved on. Harmless the second time.

    What a dropped row had taken in, or a done one left out, was told to nobody: it is dropped too.
    """
    ended = Ended(outcome) if isinstance(outcome, str) else outcome
    with transaction() as session:
        if ended.still is not None:
            hold(session, session.scalar(select(OutboxRow.recipient).where(OutboxRow.id == id)) or "nobody")
        row = session.scalar(
            select(OutboxRow).where(OutboxRow.id == id, OutboxRow.state.in_((*OPEN, "failed"))).with_for_update()
        )
        if row is None:
            return
        if ended.still is not None and not ended.still(session):
            row.state, row.next_at = "pending", now
            wake(session)
            return
        row.state, row.ended_at = ended.outcome, now
        if ended.why is not None:
            row.last_error = ended.why[:500]
        untold = _parts(row) if ended.outcome == "dropped" else ended.untold
        if untold:
            _part_with(session, row, untold, state="dropped", last_error=ended.why)


def fail(begun: Claimed, *, now: datetime, error: str, final: bool = False, unsure: bool = False) -> None:
    """An attempt came to nothing: try again later, twice as late each time, or keep it as failed after the last.

    ``begun`` is what ``begin`` gave: whoever comes back after the lease ran out, while another works on the row, does
    not put it back under that one's hands. ``final``: another attempt would come to nothing too, so this was the last.
    ``unsure``: perhaps it was done all the same.

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
        row.alone = begun.alone or unsure
        row.last_error = scrub(error)[:500]
        if final or row.attempts >= chosen.outbox_max_attempts:
            _give_up(session, row, now, row.last_error)
        else:
            row.state = "pending"
            row.next_at = now + _wait(row.attempts, chosen.outbox_retry_seconds)


def parts(session: Session, row: Claimed) -> list[Claimed]:
    """The row itself and those that it has taken in, oldest first."""
    taken_in = session.scalars(select(OutboxRow).where(OutboxRow.id.in_(row.parts)).order_by(OutboxRow.id))
    return sorted([row, *map(_claimed, taken_in)], key=lambda one: one.id)


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
    """Give a failed row all its attempts again, by itself, from now on; False if there is no such failed row."""
    with transaction() as session:
        row = session.scalar(select(OutboxRow).where(OutboxRow.id == id, OutboxRow.state == "failed").with_for_update())
        if row is None:
            return False
        row.state, row.attempts, row.next_at, row.ended_at, row.alone = "pending", 0, now, None, True
        wake(session)
        return True


def reopen(session: Session, *, key: str, due_at: datetime, digested: bool = False, also_done: bool = False) -> bool:
    """Have a mail that was dropped (``also_done``: or was sent, in vain) sent after all; False: there is no such row.

    A row that is still open, or ended otherwise, stays as it is. The caller holds the reader (``hold``).
    """
    row = session.scalar(select(OutboxRow).where(OutboxRow.key == key).with_for_update())
    if row is None:
        return False
    if row.state == "dropped" or (also_done and row.state == "done"):
        row.state, row.attempts, row.ended_at, row.last_error = "pending", 0, None, None
        row.due_at, row.next_at, row.digested, row.merged_into = due_at, due_at, digested, None
        wake(session)
    return True


def is_unsent(session: Session, *, key: str) -> bool:
    """Whether a mail was promised under this key that has not gone out, as far as is known: by itself or in another."""
    carrier = aliased(OutboxRow)
    states = select(func.coalesce(carrier.state, OutboxRow.state)).select_from(OutboxRow)
    state = session.scalar(states.outerjoin(carrier, carrier.id == OutboxRow.merged_into).where(OutboxRow.key == key))
    return state not in (None, "done")


def withdraw(session: Session, keys: Collection[str], *, now: datetime) -> None:
    """Drop what was put under these keys and nobody has begun: the reason for it is gone.

    Waits for nobody. A row that is being handed out at this very moment stays: its task looks at the world again.
    """
    unsent = select(OutboxRow).where(
        OutboxRow.key.in_(keys), OutboxRow.state.in_(("pending", "queued")), OutboxRow.attempts == 0
    )
    for row in session.scalars(unsent.with_for_update(skip_locked=True)):
        row.state, row.ended_at, row.last_error = "dropped", now, "withdrawn"


def hasten(session: Session, *, key: str, due_at: datetime) -> None:
    """What waits for a later time is due by then already."""
    waiting = select(OutboxRow).where(OutboxRow.key == key, OutboxRow.state == "pending", OutboxRow.due_at > due_at)
    for row in session.scalars(waiting.with_for_update()):
        row.due_at = row.next_at = due_at
        wake(session)


def wake(session: Session) -> None:
    """Have the relay look at once when this transaction has committed."""
    after_commit(session, _wake)


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


def _take_in_others(session: Session, row: OutboxRow, now: datetime) -> None:
    """Make the mail of ``row`` the mail of all that is due for its reader and is not being sent, or was perhaps.

    Called under ``hold``: of several tasks that begin rows of one reader, the first takes all. That those rows may be
    locked by a relay that claims them is no danger: a relay waits for nobody.
    """
    taken = list(_parts(row))
    others = session.scalars(
        select(OutboxRow)
        .where(
            OutboxRow.recipient == row.recipient,
            OutboxRow.state.in_(("pending", "queued")),
            OutboxRow.due_at <= now,
            OutboxRow.alone.is_(False),
            OutboxRow.id != row.id,
        )
        .order_by(OutboxRow.id)
        .limit(MOST_TOGETHER)
        .with_for_update()
    )
    for other in others:
        if 1 + len(taken) + 1 + len(_parts(other)) > MOST_TOGETHER:
            break
        taken += [other.id, *_parts(other)]
        row.digested = row.digested or other.digested
        other.state, other.ended_at = "done", now
        _set_parts(other, ())
    if taken:
        session.execute(update(OutboxRow).where(OutboxRow.id.in_(taken)).values(merged_into=row.id))
        _set_parts(row, taken)


def _give_up(session: Session, row: OutboxRow, now: datetime, error: str) -> None:
    """Keep a row as failed. What it had taken in falls apart again: none of it is lost with it."""
    row.state, row.ended_at, row.last_error = "failed", now, error
    apart = _parts(row)
    if apart:
        _part_with(session, row, apart, state="failed", ended_at=now, last_error=error)


def _part_with(session: Session, row: OutboxRow, parts: Collection[int], **fate: object) -> None:
    """These are no parts of the row any more, whatever becomes of it: each has this fate of its own."""
    _set_parts(row, [part for part in _parts(row) if part not in parts])
    session.execute(update(OutboxRow).where(OutboxRow.id.in_(parts)).values(merged_into=None, **fate))


def _parts(row: OutboxRow) -> tuple[int, ...]:
    return tuple(map(int, str(row.payload.get(_WITH) or "").split()))


def _set_parts(row: OutboxRow, parts: Collection[int]) -> None:
    rest = {name: value for name, value in row.payload.items() if name != _WITH}
    row.payload = {**rest, _WITH: " ".join(map(str, sorted(parts)))} if parts else rest


def _claimed(row: OutboxRow) -> Claimed:
    return Claimed(
        id=row.id,
        topic=row.topic,
        key=row.key,
        payload={name: value for name, value in row.payload.items() if name != _WITH},
        message_id=row.message_id,
        attempt=row.attempts,
        created_at=row.created_at,
        recipient=row.recipient,
        digested=row.digested,
        alone=row.alone,
        parts=_parts(row),
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

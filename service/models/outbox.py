"""The outbox: what is to be done once the transaction that decided it has committed."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from service.db import Base, Json, UtcDateTime

_IS_OPEN = text("state in ('pending', 'queued', 'running')")


class OutboxRow(Base, kw_only=True):
    """One promised effect: ids only, at least once. ``next_at`` is when it may be claimed (again).

    pending -> queued (claimed by the relay, told to a task) -> running (a task has begun) -> done, dropped, failed, or
    pending again.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        CheckConstraint("state in ('pending', 'queued', 'running', 'done', 'dropped', 'failed')", name="state"),
        # The relay reads the open rows that are due in this order; those that ended, and the far deadlines, are many.
        Index("ix_outbox_open", "next_at", "id", postgresql_where=_IS_OPEN, sqlite_where=_IS_OPEN),
        Index("ix_outbox_state_topic", "state", "topic"),
        # What else waits for the same person, to be told in one mail.
        Index("ix_outbox_open_recipient", "recipient", "next_at", postgresql_where=_IS_OPEN, sqlite_where=_IS_OPEN),
        {"sqlite_autoincrement": True},  # ids name rows in queues: a removed row's id must not come again
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    topic: Mapped[str] = mapped_column(String(40))
    key: Mapped[str] = mapped_column(String(100), unique=True)
    payload: Mapped[dict[str, str | int | None]] = mapped_column(Json)
    message_id: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: When it was to be done.
    due_at: Mapped[datetime] = mapped_column(UtcDateTime)
    next_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(String(10), default="pending")
    attempts: Mapped[int] = mapped_column(default=0)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    last_error: Mapped[str | None] = mapped_column(String(500), default=None)
    #: Whom a mail is for: ``user:<id>`` or ``mail:<hash of an address>``; None if it never joins another.
    recipient: Mapped[str | None] = mapped_column(String(80), default=None)
    #: Goes out by itself: a try whose end nobody saw may have reached the reader, or an operator wants it so.
    alone: Mapped[bool] = mapped_column(default=False)
    #: The row in whose mail this one is told.
    merged_into: Mapped[int | None] = mapped_column(default=None)
    #: Put off to its reader's daily digest.
    digested: Mapped[bool] = mapped_column(default=False)

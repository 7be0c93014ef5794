"""Mail: what came in, what went out and how it fared, and who does not want which kind."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from service.db import Base, Json, UtcDateTime


class InboundMail(Base, kw_only=True):
    """A mail as it came in: stored once, read later. ``fingerprint`` is what two deliveries of one mail share.

    ``outcome`` is what came of it, and what its answer tells: only what its sender may know.
    """

    __tablename__ = "inbound_mails"
    __table_args__ = (
        CheckConstraint("state in ('received', 'answered', 'noted')", name="state"),
        Index("ix_inbound_mails_game_id_seat_handled_at", "game_id", "seat", "handled_at"),
        Index("ix_inbound_mails_received_at", "received_at"),
        {"sqlite_autoincrement": True},  # ids are outbox keys: a removed row's id must not come again
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    fingerprint: Mapped[str] = mapped_column(String(64), unique=True)
    message_id: Mapped[str | None] = mapped_column(String(400))
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    via: Mapped[str] = mapped_column(String(10))
    envelope_from: Mapped[str | None] = mapped_column(String(320))
    envelope_to: Mapped[list[str]] = mapped_column(Json)
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(String(10), default="received")
    #: What it was (service.mail.reading.Kind), or why nothing was done with it; for operators.
    note: Mapped[str | None] = mapped_column(String(200), default=None)
    handled_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True, default=None)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), default=None)
    seat: Mapped[int | None] = mapped_column(default=None)
    outcome: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)


class Delivery(Base, kw_only=True):
    """A mail that was handed to the mail server, and what was heard of it since."""

    __tablename__ = "deliveries"
    __table_args__ = (
        CheckConstraint("state in ('sent', 'delayed', 'bounced', 'complained')", name="state"),
        Index("ix_deliveries_sent_at", "sent_at"),
    )

    #: The outbox row: a mail sent twice is one delivery.
    outbox_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    message_id: Mapped[str] = mapped_column(String(200), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    email: Mapped[str] = mapped_column(String(254))
    email_key: Mapped[str] = mapped_column(String(254), index=True)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), default=None)
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(String(10), default="sent")
    state_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    #: The status of a bounce (like 5.1.1); never the other server's words.
    status: Mapped[str | None] = mapped_column(String(20), default=None)


class OptOut(Base, kw_only=True):
    """A kind of mail that somebody does not want. ``who``: ``user:<id>``, or ``mail:<hash of an address>``."""

    __tablename__ = "opt_outs"

    who: Mapped[str] = mapped_column(String(80), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class Absence(Base, kw_only=True):
    """A time somebody said to be away, now or ahead: their clocks stand still. ``back`` ends it early."""

    __tablename__ = "absences"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    starts_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime)

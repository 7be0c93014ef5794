"""People: accounts, their verified addresses, bearer tokens, and the challenges behind mailed codes."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from service.db import Base, Json, UtcDateTime


class User(Base, kw_only=True):
    """An account. ``name_key`` is the display name folded, so that two names nobody can tell apart are one."""

    __tablename__ = "users"

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    display_name: Mapped[str] = mapped_column(String(64))
    name_key: Mapped[str] = mapped_column(String(200), unique=True)
    language: Mapped[str] = mapped_column(String(20))
    time_zone: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Address(Base, kw_only=True):
    """A verified e-mail address of an account. ``email_key`` is what two spellings of one mailbox share."""

    __tablename__ = "addresses"

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    email: Mapped[str] = mapped_column(String(254))
    email_key: Mapped[str] = mapped_column(String(254), unique=True)
    verified_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Token(Base, kw_only=True):
    """A bearer token, kept as its SHA-256. ``hint`` is its last four characters, to tell one from another."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    hint: Mapped[str] = mapped_column(String(4))
    scopes: Mapped[list[str]] = mapped_column(Json)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)


class Challenge(Base, kw_only=True):
    """A mailed code: derived from ``nonce`` when the mail is sent, never stored.

    A sign-up waits here whole, and becomes an account only when the code comes back: nobody can take an address, or a
    name, for someone else. There is one for an unknown address too, so that asking takes the same road for all.
    """

    __tablename__ = "challenges"
    __table_args__ = (
        Index("ix_challenges_email_key_created_at", "email_key", "created_at"),
        {"sqlite_autoincrement": True},  # ids are outbox keys: a removed row's id must not come again
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    email: Mapped[str] = mapped_column(String(254))
    email_key: Mapped[str] = mapped_column(String(254))
    nonce: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    tries: Mapped[int] = mapped_column(default=0)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    display_name: Mapped[str | None] = mapped_column(String(64), default=None)
    language: Mapped[str | None] = mapped_column(String(20), default=None)
    time_zone: Mapped[str | None] = mapped_column(String(64), default=None)

"""People: accounts, their verified addresses, bearer tokens, and the challenges behind mailed codes."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
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
    #: Whether mails draw the board in text (a screen reader may do better without).
    mail_drawing: Mapped[bool] = mapped_column(default=True)
    #: Whether mails may show what only this player sees: hand and own draws.
    mail_cards: Mapped[bool] = mapped_column(default=True)
    #: The hour, in the account's time zone, at which a daily digest is sent, for games that ask for one.
    digest_hour: Mapped[int] = mapped_column(default=8)
    #: Since when no mail is wanted but answers to one's own.
    mail_paused_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    #: From which to which hour on its wall a clock stands still; None: it has no night.
    night_from: Mapped[int | None] = mapped_column(default=22)
    night_to: Mapped[int | None] = mapped_column(default=7)
    #: Weekdays on which it stands still, Monday being 0.
    days_off: Mapped[list[int]] = mapped_column(Json, default_factory=list)


class Address(Base, kw_only=True):
    """A verified e-mail address of an account. ``email_key`` is what two spellings of one mailbox share.

    ``state`` is how mail to it fares; ``failing_since`` is set when it stops to arrive, and mended by a proof that it
    does again. Mail goes to the preferred address, else the oldest, of those that do not fail.
    """

    __tablename__ = "addresses"
    __table_args__ = (CheckConstraint("state in ('ok', 'failing', 'complained')", name="state"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    email: Mapped[str] = mapped_column(String(254))
    email_key: Mapped[str] = mapped_column(String(254), unique=True)
    verified_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(String(10), default="ok")
    failing_since: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    #: Soft bounces since mail last arrived.
    soft_bounces: Mapped[int] = mapped_column(default=0)
    #: The status of the last bounce, like 5.1.1.
    last_status: Mapped[str | None] = mapped_column(String(20), default=None)
    #: When it was last written to although it fails (once a day, to see whether it still does).
    tried_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    #: Where mail goes first, if it arrives there.
    preferred: Mapped[bool] = mapped_column(default=False)


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
    #: When it ends by itself; those that browsers are signed in with do.
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)


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
    #: The account that this address is to be added to (a second address, or a test of a failing one).
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True, default=None)
    #: The mail of a stranger whose commands wait for the confirmation.
    inbound_id: Mapped[int | None] = mapped_column(ForeignKey("inbound_mails.id"), default=None)

    def holds(self, now: datetime) -> bool:
        """Whether it waits for its answer still."""
        return self.used_at is None and self.expires_at > now


class Feed(Base, kw_only=True):
    """The secret address of an account's feeds of deadlines, kept as its SHA-256."""

    __tablename__ = "feeds"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)

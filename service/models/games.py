"""Games: the game with its position, its seats, the moves made, the log, and the answers given."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from service.db import Base, Json, UtcDateTime

_HAS_CLOCK = text("clock_at is not null")


class Game(Base, kw_only=True):
    """A game. ``position`` is the whole truth, hidden cards included, and never leaves as it is.

    ``ply`` counts the actions made. ``turn_ply`` is the ply at which the decision passed to the seat now to act: it
    names that seat's turn, and everything promised for the turn (mail, reminder, clock, bot) is bound to it.

    The clock of the turn that is on: ``budget_seconds`` and ``extra_seconds`` of clock time, counted from
    ``turn_since`` by the hours of whoever is to act (``hours``, as they were when the turn began), give ``deadline``;
    ``clock_step`` is the last step of the ladder that was taken, ``clock_at`` when the next is due.
    """

    __tablename__ = "games"
    __table_args__ = (
        CheckConstraint("status in ('waiting', 'playing', 'over', 'cancelled')", name="status"),
        CheckConstraint("clock in ('none', 'days', 'bank')", name="clock"),
        CheckConstraint(
            "clock_step in ('began', 'reminded', 'called', 'timed_out', 'standing_in')",
            name="clock_step",
        ),
        Index("ix_games_status_public_created_at_id", "status", "public", "created_at", "id"),
        # The scheduler asks for what is due, however many games run.
        Index("ix_games_clock_at", "clock_at", postgresql_where=_HAS_CLOCK, sqlite_where=_HAS_CLOCK),
    )

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    status: Mapped[str] = mapped_column(String(10))
    public: Mapped[bool]
    join_code: Mapped[str] = mapped_column(String(12), unique=True)
    creator_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    players: Mapped[int]
    first_set: Mapped[int | None]
    clock: Mapped[str] = mapped_column(String(4))
    days_per_move: Mapped[int | None]
    bank_hours: Mapped[int | None] = mapped_column(default=None)
    increment_hours: Mapped[int | None] = mapped_column(default=None)
    cap_hours: Mapped[int | None] = mapped_column(default=None)
    #: Whether days off and absences stop the clock; nights always do.
    time_off: Mapped[bool] = mapped_column(default=True)
    seed: Mapped[str] = mapped_column(String(64))
    commitment: Mapped[str] = mapped_column(String(64))
    rules_version: Mapped[int]
    rematch_of: Mapped[str | None] = mapped_column(ForeignKey("games.id"), unique=True, default=None)

    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)

    log_seq: Mapped[int] = mapped_column(default=0)
    position: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    ply: Mapped[int] = mapped_column(default=0)
    to_act: Mapped[int | None] = mapped_column(default=None)
    phase: Mapped[str | None] = mapped_column(String(10), default=None)
    turn_ply: Mapped[int] = mapped_column(default=0)
    turn_since: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    deadline: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    clock_step: Mapped[str | None] = mapped_column(String(12), default=None)
    clock_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    budget_seconds: Mapped[int | None] = mapped_column(default=None)
    extra_seconds: Mapped[int] = mapped_column(default=0)
    hours: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    result: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)

    seats: Mapped[list["Seat"]] = relationship(
        default_factory=list, order_by="Seat.number", lazy="selectin", cascade="all, delete-orphan"
    )


_IS_OPEN = text("kind = 'open'")


class Seat(Base, kw_only=True):
    """A seat at a game: open, invited (by account or by address), a person's, or a bot's.

    A person who resigns keeps the seat's name; ``resigned_at`` says that a bot of ``bot_level`` moves for it. So it
    does while ``held_at`` is set: its person let two turns in a row run out, and may take it back.
    """

    __tablename__ = "seats"
    __table_args__ = (
        CheckConstraint("kind in ('open', 'invited', 'human', 'bot')", name="kind"),
        UniqueConstraint("game_id", "user_id"),
        # Whoever browses asks for games with an open seat, and of all seats hardly any are open.
        Index("ix_seats_open", "game_id", postgresql_where=_IS_OPEN, sqlite_where=_IS_OPEN),
    )

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True, init=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(10))
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True, default=None)
    bot_level: Mapped[str | None] = mapped_column(String(20), default=None)
    invited_user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True, default=None)
    invited_email: Mapped[str | None] = mapped_column(String(254), default=None)
    invited_email_key: Mapped[str | None] = mapped_column(String(254), index=True, default=None)
    entropy: Mapped[str] = mapped_column(String(64), default="")
    joined_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    resigned_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    held_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)
    #: Turns that ran out since its person last moved.
    timeouts: Mapped[int] = mapped_column(default=0)
    #: What is left of its bank, in clock time; None if the game has none.
    bank_seconds: Mapped[int | None] = mapped_column(default=None)
    #: How far the log had come when this seat last acted: its next turn mail tells what happened since.
    acted_seq: Mapped[int] = mapped_column(default=0)
    #: How far the log had come when its last turn mail was promised: what was said after that is still to be told.
    told_seq: Mapped[int] = mapped_column(default=0)
    #: Mails about this game wait for the daily digest.
    digest: Mapped[bool] = mapped_column(default=False)
    #: When its player last wrote ``resign`` by mail and was asked back.
    resign_asked_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=None)

    @property
    def person(self) -> bool:
        """Moved by its person: not a bot's, not resigned, and not held by a bot."""
        return self.kind == "human" and self.resigned_at is None and self.held_at is None

    @property
    def bot(self) -> bool:
        """Moved by a bot, from the start, since its person resigned, or as long as they are lost."""
        return self.kind == "bot" or self.resigned_at is not None or self.held_at is not None


class Move(Base, kw_only=True):
    """One action made. Append-only: with the setup it is the game's record."""

    __tablename__ = "moves"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    action: Mapped[dict[str, Any]] = mapped_column(Json)
    by: Mapped[str] = mapped_column(String(10))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: How long the game had waited for it, if a person answered: the first decision of their turn.
    waited_seconds: Mapped[int | None] = mapped_column(default=None)


class LogEntry(Base, kw_only=True):
    """One thing that happened. ``private`` is for ``private_seat`` alone; ``public`` for everyone else, or nobody."""

    __tablename__ = "log_entries"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    ply: Mapped[int]
    kind: Mapped[str] = mapped_column(String(20))
    seat: Mapped[int | None] = mapped_column(default=None)
    public: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    private: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    private_seat: Mapped[int | None] = mapped_column(default=None)


class Submission(Base, kw_only=True):
    """The first answer to an accepted move, kept to the byte: the same request again gets it again."""

    __tablename__ = "submissions"
    __table_args__ = (UniqueConstraint("game_id", "seat", "key"), UniqueConstraint("game_id", "seat", "fingerprint"))

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    ply: Mapped[int]
    seat: Mapped[int]
    key: Mapped[str | None] = mapped_column(String(200))
    fingerprint: Mapped[str] = mapped_column(String(64))
    answer: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class Order(Base, kw_only=True):
    """A standing order of a seat: for bribes, for whom the dragon catches, or the plan for its next turn.

    Kept beside the game and never in the position. ``text`` is normalised (engine.orders, engine.plans).
    """

    __tablename__ = "orders"
    __table_args__ = (CheckConstraint("kind in ('bribe', 'catch', 'plan')", name="kind"),)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    text: Mapped[str] = mapped_column(String(500))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    #: Where the game was when it was given.
    ply: Mapped[int]


class Vote(Base, kw_only=True):
    """A seat's vote to give the one to act more time (for the turn that began at ``turn_ply``), or to end the game."""

    __tablename__ = "votes"
    __table_args__ = (CheckConstraint("kind in ('extend', 'end')", name="kind"),)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    turn_ply: Mapped[int]
    at: Mapped[datetime] = mapped_column(UtcDateTime)

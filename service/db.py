"""The database: base class and column types of the tables, and the one way into a transaction.

``transaction()`` is for use cases and the outbox alone: it commits once, at its end, or not at all. ``reading()`` is
for queries and sees one moment. Neither nests: what must be one fact goes into one block. Where several use cases must
be one fact (the commands of one mail), they are called inside ``together()``, which their transactions join.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from weakref import WeakKeyDictionary

import structlog
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import JSON, Connection, DateTime, Dialect, Engine, MetaData, event, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import DeclarativeBase, MappedAsDataclass, Session
from sqlalchemy.types import TypeDecorator

from service.config import Settings
from service.errors import UNAVAILABLE, Refusal
from service.i18n import gettext as _

_log = structlog.get_logger(__name__)
_AFTER_COMMIT = "after-commit"
_READING = "emerald_reading"
_inside: ContextVar[bool] = ContextVar("inside_a_database_block", default=False)
_together: ContextVar[Session | None] = ContextVar("the_transaction_that_blocks_join", default=None)
_settings: WeakKeyDictionary[Engine, Settings] = WeakKeyDictionary()


class Base(MappedAsDataclass, DeclarativeBase, repr=False, eq=False):
    """Base of all tables. No repr: rows hold cards, seeds and addresses, and a repr ends in a log."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(metadata=Base.metadata, disable_autonaming=True)

#: JSON on SQLite, JSONB on PostgreSQL; None is NULL on both.
Json = JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, timezone-aware and UTC in Python on every database; a naive datetime is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Aware to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """SQLite gives back what was stored without its zone, which was UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def attach(engine: Engine, settings: Settings) -> None:
    """Tie ``settings`` to the engine and, on SQLite, make it safe for several writers."""
    _settings[engine] = settings
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def connect(connection: sqlite3.Connection, record: object) -> None:
        connection.isolation_level = None  # the driver must not begin transactions of its own: ours says which kind
        connection.execute("pragma journal_mode=wal")
        connection.execute("pragma busy_timeout=15000")
        connection.execute("pragma foreign_keys=on")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # IMMEDIATE: two read-then-write transactions that both began as readers would lose one another's updates.
        reading_only = connection.get_execution_options().get(_READING, False)
        connection.exec_driver_sql("BEGIN" if reading_only else "BEGIN IMMEDIATE")


def settings() -> Settings:
    """The settings of the app whose context we are in."""
    return _settings[db.engine]


@contextmanager
def transaction() -> Iterator[Session]:
    """One unit of work: commits at the end, rolls back on any error, then runs what was left for after the commit.

    A database that is away or too busy becomes ``Refusal("unavailable")``: nothing was done, or (a connection lost
    while committing) it is not known, and the same request sent again will tell. Inside ``together()`` it is a part of
    that transaction, undone alone if it is refused.
    """
    outer = _together.get()
    if outer is not None:
        with _alone(), _part_of(outer):
            yield outer
        return
    with _alone(), _available(), Session(db.engine, expire_on_commit=False) as session, session.begin():
        yield session
    _run_after_commit(session)


@contextmanager
def together() -> Iterator[Session]:
    """Several use cases as one fact: what they do is committed at the end of this block, or none of it.

    A ``transaction()`` or ``reading()`` inside joins this one. Raises as ``transaction()`` does.
    """
    with _alone(), _available(), Session(db.engine, expire_on_commit=False) as session, session.begin():
        inside, mark = _inside.set(False), _together.set(session)
        try:
            yield session
        finally:
            _together.reset(mark)
            _inside.reset(inside)
    _run_after_commit(session)


@contextmanager
def reading() -> Iterator[Session]:
    """A look at one moment of the database; writes nothing."""
    outer = _together.get()
    if outer is not None:
        with _alone():
            yield outer
        return
    engine = db.engine
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    else:
        engine = engine.execution_options(**{_READING: True})
    with _alone(), _available(), Session(engine, expire_on_commit=False, autoflush=False) as session:
        yield session


@contextmanager
def undoable() -> Iterator[None]:
    """A part of ``together()`` that an error takes back whole, with all use cases in it; the rest stands.

    Raises RuntimeError outside of ``together()``.
    """
    outer = _together.get()
    if outer is None:
        raise RuntimeError("only what is done together can be taken back in part")
    with _part_of(outer):
        yield


@contextmanager
def _part_of(session: Session) -> Iterator[None]:
    """A savepoint; what was left for after the commit is forgotten with the rest."""
    before = dict(session.info.get(_AFTER_COMMIT, {}))
    try:
        with session.begin_nested():
            yield
    except BaseException:
        session.info[_AFTER_COMMIT] = before
        raise


def _run_after_commit(session: Session) -> None:
    for callback in session.info.get(_AFTER_COMMIT, ()):
        try:
            callback()
        except Exception:  # noqa: BLE001 - the work is committed; what fails here the relay catches up with
            _log.exception("after_commit_failed")


def after_commit(session: Session, callback: Callable[[], None]) -> None:
    """Run ``callback`` once when this transaction has committed; never when it has not."""
    waiting: dict[Callable[[], None], None] = session.info.setdefault(_AFTER_COMMIT, {})
    waiting[callback] = None


def insert(session: Session, table: type[Base]) -> postgresql.Insert:
    """An INSERT that can say what is to happen if the row is there already: both databases do, in the same words."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)  # type: ignore[return-value]  # it can do all that is asked of the other


def lock_name(session: Session, name: str) -> None:
    """Hold a named lock to the end of the transaction, where there is no row to lock yet."""
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
        session.execute(select(func.pg_advisory_xact_lock(number)))
    # On SQLite BEGIN IMMEDIATE has shut every other writer out already.


@contextmanager
def _alone() -> Iterator[None]:
    if _inside.get():
        raise RuntimeError("a database block inside another: make it one")
    mark = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(mark)


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        if not _is_outage(error):
            raise
        _log.warning("database_unavailable", error=type(getattr(error, "orig", None) or error).__name__)
        raise Refusal(
            UNAVAILABLE,
            _(
                "The database cannot be reached just now. Send the same request again in a moment; what was done "
                "already is not done twice."
            ),
        ) from error


def _is_outage(error: Exception) -> bool:
    if isinstance(error, PoolTimeout):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.OperationalError):
        text = str(error.orig)
        return any(word in text for word in ("locked", "busy", "unable to open", "disk I/O"))
    return isinstance(error, OperationalError | InterfaceError)

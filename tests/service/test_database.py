"""The one way into a transaction, and what is said when the database is away."""

import sqlite3
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import func, select, text

from service.bootstrap import create_base_app
from service.config import Settings
from service.db import after_commit, db, reading, together, transaction, undoable
from service.errors import UNAVAILABLE
from service.models import User
from service.usecases import accounts, queries
from tests.service.table import START, Table, refused
from tests.support.postgres import PostgresServer


def _user(number: int, at: datetime = START) -> User:
    return User(
        id=f"user{number}", display_name="x", name_key=str(number), language="en", time_zone="UTC", created_at=at
    )


def _users() -> int:
    with reading() as session:
        return session.scalar(select(func.count()).select_from(User)) or 0


def test_a_block_commits_whole_or_not_at_all(app: Flask) -> None:
    called: list[str] = []

    def work(error: Exception | None) -> None:
        with transaction() as session:
            session.add(_user(1))
            session.flush()
            after_commit(session, lambda: called.append("done"))
            if error is not None:
                raise error

    with pytest.raises(KeyError):
        work(KeyError("late"))
    assert (_users(), called) == (0, [])
    work(None)
    assert (_users(), called) == (1, ["done"])


def test_blocks_do_not_nest(app: Flask) -> None:
    def nested() -> None:
        with transaction(), reading():
            pass

    with pytest.raises(RuntimeError, match="inside another"):
        nested()
    with transaction():  # and the refusal leaves nothing behind
        pass


def _add(number: int, called: list[int], error: Exception | None = None) -> None:
    """A use case as they all are: its own block, something for after the commit, perhaps an error."""
    with transaction() as session:
        session.add(_user(number))
        session.flush()
        after_commit(session, lambda: called.append(number))
        if error is not None:
            raise error


def test_use_cases_done_together_are_one_fact(app: Flask) -> None:
    called: list[int] = []

    def work(error: Exception | None) -> None:
        with together():
            _add(1, called)
            assert _users() == 1  # what was done before is seen
            _add(2, called)
            if error is not None:
                raise error
            assert called == []

    with pytest.raises(KeyError):
        work(KeyError("late"))
    assert (_users(), called) == (0, [])
    work(None)
    assert (_users(), called) == (2, [1, 2])


def test_what_is_refused_among_others_is_undone_alone(app: Flask) -> None:
    called: list[int] = []
    with together():
        _add(1, called)
        with pytest.raises(KeyError):
            _add(2, called, KeyError("refused"))
        _add(3, called)
    assert (_users(), called) == (2, [1, 3])


def test_a_part_of_it_can_be_taken_back_whole(app: Flask) -> None:
    called: list[int] = []

    def part() -> None:
        with undoable():
            _add(2, called)
            _add(3, called)
            raise KeyError("all of it")

    with together():
        _add(1, called)
        with pytest.raises(KeyError):
            part()
        _add(4, called)
    assert (_users(), called) == (2, [1, 4])
    with pytest.raises(RuntimeError, match="together"):
        part()


def test_together_does_not_nest_either_and_ends_cleanly(app: Flask) -> None:
    def nested() -> None:
        with transaction(), together():
            pass

    with pytest.raises(RuntimeError, match="inside another"):
        nested()
    with together(), transaction(), pytest.raises(RuntimeError, match="inside another"), reading():
        pass
    with transaction():  # afterwards a block is one of its own again
        pass


def test_no_update_is_lost(app: Flask) -> None:
    """Read, then write, from several threads: SQLite begins IMMEDIATE, PostgreSQL locks the row."""
    with transaction() as session:
        session.add(_user(1))
        session.flush()
        session.execute(text("update users set name_key = '0'"))

    def count() -> None:
        with app.app_context():
            for _ in range(25):
                with transaction() as session:
                    user = session.scalars(select(User).with_for_update()).one()
                    user.name_key = str(int(user.name_key) + 1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with reading() as session:
        assert session.scalar(select(User.name_key)) == "100"


def test_a_reader_sees_one_moment(app: Flask) -> None:
    with reading() as session:
        before = session.scalar(select(func.count()).select_from(User))

        def write() -> None:
            with app.app_context(), transaction() as other:
                other.add(_user(1))

        thread = threading.Thread(target=write)
        thread.start()
        thread.join(30)
        assert session.scalar(select(func.count()).select_from(User)) == before == 0
    assert _users() == 1


def test_moments_are_utc_and_never_naive(app: Flask) -> None:
    tokyo = timezone(timedelta(hours=9))
    with transaction() as session:
        session.add(_user(1, at=datetime(2026, 3, 1, 9, tzinfo=tokyo)))
    with reading() as session:
        at = session.scalar(select(User.created_at))
    assert at == datetime(2026, 3, 1, 0, tzinfo=UTC)
    assert at is not None
    assert at.utcoffset() == timedelta(0)

    def naive() -> None:
        with transaction() as session:
            session.add(_user(2, at=datetime(2026, 3, 1)))  # noqa: DTZ001 - what must be refused

    with pytest.raises(Exception, match="time zone"):
        naive()


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_database_that_dies_is_unavailable_and_then_back(own_postgres: PostgresServer, table: Table) -> None:
    name = own_postgres.create()
    app = create_base_app(Settings(secret_key="k" * 32, database_url=own_postgres.url(name)))
    with app.app_context():
        db.create_all()
        queries.ready()
        own_postgres.kill()
        with refused(UNAVAILABLE):
            queries.ready()
        with refused(UNAVAILABLE):
            accounts.request_code(email="anna@example.org", now=START)
        own_postgres.start()
        queries.ready()
        accounts.request_code(email="anna@example.org", now=START)
        db.engine.dispose()


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_connection_cut_within_a_transaction_is_unavailable_and_nothing_stays(app: Flask) -> None:
    def work() -> None:
        with transaction() as session:
            session.add(_user(1))
            session.flush()
            pid = session.scalar(select(func.pg_backend_pid()))
            with db.engine.connect() as other:
                other.execute(text("select pg_terminate_backend(:pid)"), {"pid": pid})
            session.execute(select(User))

    with refused(UNAVAILABLE):
        work()
    assert _users() == 0


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_database_locked_by_another_program_is_unavailable(app: Flask, sqlite_url: str) -> None:
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("begin immediate")
    try:
        pooled = db.engine.raw_connection()  # the one the next block will get: not to wait its full time
        pooled.cursor().execute("pragma busy_timeout=100")
        pooled.close()
        with refused(UNAVAILABLE):
            accounts.request_code(email="anna@example.org", now=START)
        queries.ready()  # readers go on
    finally:
        other.execute("rollback")
        other.close()
    accounts.request_code(email="anna@example.org", now=START)


def test_a_relative_sqlite_file_is_where_the_operator_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = create_base_app(Settings(secret_key="k" * 32, database_url="sqlite:///var/emerald.db"))
    with app.app_context():
        with db.engine.connect():
            assert (tmp_path / "var" / "emerald.db").exists()
        db.engine.dispose()

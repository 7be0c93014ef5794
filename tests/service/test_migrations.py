"""The schema: up, down, up again, and the same as the tables in the code."""

import subprocess
import sys
from datetime import timedelta

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import create_engine, inspect, text

from service.bootstrap import migrate_database, migrations
from service.db import db
from service.mail import kinds
from service.models import TABLES
from service.usecases import absences
from service.usecases.results import ClockSpec
from tests.service.table import Table
from tests.service.test_ladder import log
from tests.support.postgres import PostgresServer


@pytest.fixture
def app(app: Flask) -> Flask:
    """The application, with its schema's history."""
    migrations(app)
    return app


def _tables() -> set[str]:
    return set(inspect(db.engine).get_table_names()) - {"alembic_version"}


def test_up_down_up_and_no_drift(app: Flask) -> None:
    assert _tables() == set(TABLES)
    flask_migrate.check()  # exits if the tables in the code and in the database differ
    flask_migrate.downgrade(revision="base")
    assert _tables() == set()
    flask_migrate.upgrade()
    assert _tables() == set(TABLES)
    flask_migrate.check()


def test_processes_that_start_together_migrate_once(postgres: PostgresServer) -> None:
    name = postgres.create()
    url = postgres.url(name)
    code = (
        "from service.bootstrap import *; from service.config import Settings;"
        f"migrate_database(create_base_app(Settings(secret_key='k' * 32, database_url={url!r})))"
    )
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    engine = create_engine(url)
    assert set(inspect(engine).get_table_names()) >= set(TABLES)
    engine.dispose()
    postgres.drop(name)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_migrating_what_is_migrated_changes_nothing(app: Flask) -> None:
    migrate_database(app)
    assert _tables() == set(TABLES)


@pytest.mark.parametrize("reminded", [True, False])
def test_a_game_from_before_the_ladder_is_neither_timed_out_unwarned_nor_reminded_twice(
    app: Flask, table: Table, reminded: bool
) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=4))
    table.post()
    flask_migrate.downgrade(revision="0003")
    with db.engine.begin() as connection:
        promised = (
            "insert into outbox (topic, key, payload, created_at, due_at, next_at, state, attempts, digested, alone) "
            "select :topic, :key, payload, created_at, due_at, next_at, :state, 0, digested, alone "
            "from outbox where topic = 'mail.turn'"
        )
        state = "done" if reminded else "pending"
        for topic, key, as_it_is in (("mail.reminder", "reminder", state), ("clock.timeout", "timeout", "pending")):
            row = {"topic": topic, "key": f"{key}:{game_id}:0", "state": as_it_is}
            connection.execute(text(promised), row)
        deadline = text("update games set deadline = :at")
        connection.execute(deadline, {"at": (table.now + timedelta(days=4)).replace(tzinfo=None)})
    flask_migrate.upgrade()
    table.wait(days=3, hours=3)
    later = table.now + timedelta(hours=1)  # her clock is reckoned anew
    absences.plan(caller=anna, starts_at=later, ends_at=later + timedelta(hours=1), now=table.now)
    table.post()
    assert [mail.last for mail in table.mails(kinds.ReminderNotice)] == ([] if reminded else [False])
    while not log(game_id, "timed_out"):
        table.wait(hours=1)
    assert [mail.last for mail in table.mails(kinds.ReminderNotice)] == [*([] if reminded else [False]), True]

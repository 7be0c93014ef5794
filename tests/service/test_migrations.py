"""The schema: up, down, up again, and the same as the tables in the code."""

import subprocess
import sys

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import create_engine, inspect

from service.bootstrap import migrate_database
from service.db import db
from service.models import TABLES
from tests.support.postgres import PostgresServer


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

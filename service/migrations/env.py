"""Run by Alembic, through Flask-Migrate: the app and its engine are those of the current app context."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import context
from flask import current_app
from sqlalchemy import Connection, text

#: Of several processes that start together one migrates, the others wait and find it done.
_LOCK = 0x656D6572616C64


def _run() -> None:
    migrate = current_app.extensions["migrate"]
    engine = migrate.db.engine
    with engine.connect() as connection, _tables_can_be_replaced(connection):
        context.configure(connection=connection, target_metadata=migrate.db.metadata, **migrate.configure_args)
        with context.begin_transaction():
            _take_turns(connection)
            context.run_migrations()
            if connection.dialect.name == "sqlite" and connection.execute(text("pragma foreign_key_check")).first():
                raise AssertionError("the migration has left rows that point to none")


@contextmanager
def _tables_can_be_replaced(connection: Connection) -> Iterator[None]:
    """SQLite alters a table by making another in its place, which rows that point to the first would forbid.

    The pragma does nothing within a transaction, so it is said to the driver, before and after ours.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    cursor = connection.connection.cursor()
    cursor.execute("pragma foreign_keys=off")
    try:
        yield
    finally:
        connection.rollback()
        cursor.execute("pragma foreign_keys=on")
        cursor.close()


def _take_turns(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    # On SQLite the transaction began IMMEDIATE and shuts others out by itself.


if context.is_offline_mode():
    raise SystemExit("Migrations look at the database they change: run them online.")
_run()

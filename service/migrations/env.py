"""Run by Alembic, through Flask-Migrate: the app and its engine are those of the current app context."""

from alembic import context
from flask import current_app
from sqlalchemy import Connection, text

#: Of several processes that start together one migrates, the others wait and find it done.
_LOCK = 0x656D6572616C64


def _run() -> None:
    migrate = current_app.extensions["migrate"]
    engine = migrate.db.engine
    with engine.connect() as connection:
        context.configure(connection=connection, target_metadata=migrate.db.metadata, **migrate.configure_args)
        with context.begin_transaction():
            _take_turns(connection)
            context.run_migrations()


def _take_turns(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    # On SQLite the transaction began IMMEDIATE and shuts others out by itself.


if context.is_offline_mode():
    raise SystemExit("Migrations look at the database they change: run them online.")
_run()

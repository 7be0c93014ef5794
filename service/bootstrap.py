"""The base app: settings, database and logging, no routes. Workers, the CLI and tests start here; api/ adds HTTP."""

from pathlib import Path

from flask import Flask
from sqlalchemy import URL, make_url

from service import logs
from service.config import Settings
from service.db import attach, db
from service.models import TABLES

MIGRATIONS = Path(__file__).parent / "migrations"

#: TABLES: importing them registers them.
__all__ = ["MIGRATIONS", "TABLES", "create_base_app", "migrate_database", "migrations"]


def create_base_app(settings: Settings) -> Flask:
    """A Flask app that knows its database; everything that touches it needs ``app.app_context()``."""
    logs.configure(settings.log_level)
    url = _absolute(make_url(settings.database_url))
    app = Flask("service", static_folder=None)
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SQLALCHEMY_DATABASE_URI=url,
        SQLALCHEMY_ENGINE_OPTIONS=_engine_options(url),
    )
    db.init_app(app)
    with app.app_context():
        attach(db.engine, settings)
    return app


def migrate_database(app: Flask) -> None:
    """Bring the database to the newest schema; harmless when it is there already."""
    migrations(app)
    import flask_migrate

    with app.app_context():
        flask_migrate.upgrade()


def migrations(app: Flask) -> None:
    """Tell Flask-Migrate of ``app`` and its schema, for those who migrate; all others start sooner without Alembic."""
    import flask_migrate

    flask_migrate.Migrate(app, db, directory=str(MIGRATIONS), compare_type=True, render_as_batch=True)


def _absolute(url: URL) -> URL:
    """A relative SQLite file is meant from where the operator stands, and its folder is made."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return url
    path = Path(url.database).absolute()
    path.parent.mkdir(parents=True, exist_ok=True)
    return url.set(database=str(path))


def _engine_options(url: URL) -> dict[str, object]:
    options: dict[str, object] = {
        "pool_pre_ping": True,
        "pool_timeout": 15,
        "pool_size": 8,
        "max_overflow": 8,
        # The text of an error ends in logs and on outbox rows: no statement's cards, seeds or addresses with it.
        "hide_parameters": True,
    }
    if url.get_backend_name() == "postgresql":
        # A session that hangs must not hold a game's row for ever.
        options["connect_args"] = {
            "connect_timeout": 5,
            "options": "-c timezone=UTC -c lock_timeout=15s -c statement_timeout=30s"
            " -c idle_in_transaction_session_timeout=60s",
        }
    return options

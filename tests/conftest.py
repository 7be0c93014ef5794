"""The fixtures everybody uses: real servers once for each test process, a fresh database for each test.

`database`, and all that is built on it, runs a test twice: on SQLite as in the embedded mode, and on PostgreSQL.
A test that wants one only says `@pytest.mark.parametrize("database", ["postgres"], indirect=True)`.
"""

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.bootstrap import create_base_app, migrate_database
from service.config import PREFIX, Settings
from service.db import db
from tests.support.memory import in_memory
from tests.support.postgres import PostgresServer
from tests.support.processes import ROOT
from tests.support.redis import RedisServer
from tests.support.smtp import SmtpServer

_serial = itertools.count(1)
SECRET_KEY = "a secret key for the tests, long enough for anybody"

# Nothing of the developer's own installation may reach a test. Code that reads the environment although settings were
# handed in shall find a database that is not there, rather than the developer's.
for name in [name for name in os.environ if name.startswith(PREFIX)]:
    del os.environ[name]
os.environ[f"{PREFIX}SECRET_KEY"] = SECRET_KEY
os.environ[f"{PREFIX}DATABASE_URL"] = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"

# No deadline: on a shared machine a slow moment is no fault.
hypothesis.settings.register_profile("emerald", deadline=None, print_blob=True)
hypothesis.settings.load_profile("emerald")


def pytest_report_header() -> str:
    """Which engine is under test."""
    return "engine: compiled" if _compiled() else "engine: pure Python"


def pytest_sessionstart() -> None:
    """A compiled module hides its source: one older than that would be tested instead of what was just written."""
    for binary in _compiled():
        source = binary.with_name(binary.name.split(".")[0] + ".py")
        if binary.stat().st_mtime < source.stat().st_mtime:
            pytest.exit(
                f"{source.name} was changed after it was compiled: `make compiled` or `make pure`", returncode=4
            )


def _compiled() -> list[Path]:
    return sorted((ROOT / "engine").rglob("*.so"))


# -- servers


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL. A test that kills it must restart it, or take `own_postgres`."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL for this test alone, to be killed at will."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def shared_redis() -> Iterator[RedisServer]:
    """The Redis of this test process; tests take `redis_server`, which is it, emptied."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def redis_server(shared_redis: RedisServer) -> RedisServer:
    """A running, empty Redis."""
    if not shared_redis.running:
        shared_redis.start()
    shared_redis.flush()
    return shared_redis


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis for this test alone, to be killed at will."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def smtp_server() -> Iterator[SmtpServer]:
    """A mail server that has received nothing yet."""
    with SmtpServer() as server:
        yield server


# -- databases


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """Which kind of database the test runs on."""
    return str(request.param)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that was migrated from nothing; each test gets a copy."""
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def sqlite_folder() -> Iterator[Path]:
    """Where the databases of this test process lie: waiting for a disk would prove nothing."""
    with tempfile.TemporaryDirectory(prefix="emerald-sqlite-", dir=in_memory()) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres_template(postgres: PostgresServer) -> str:
    """A PostgreSQL database that was migrated from nothing; each test gets a clone."""
    name = postgres.create()
    _migrate(postgres.url(name))
    return name


@pytest.fixture
def sqlite_url(sqlite_template: Path, sqlite_folder: Path) -> Iterator[str]:
    """The URL of a fresh migrated SQLite file."""
    path = sqlite_folder / f"{next(_serial)}.db"
    shutil.copyfile(sqlite_template, path)
    yield f"sqlite:///{path}"
    for file in sqlite_folder.glob(f"{path.name}*"):
        file.unlink()


@pytest.fixture
def postgres_url(postgres: PostgresServer, postgres_template: str) -> Iterator[str]:
    """The URL of a fresh migrated PostgreSQL database."""
    if not postgres.running:
        postgres.start()
    name = postgres.create(template=postgres_template)
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, database: str) -> str:
    """The URL of a fresh migrated database of the kind the test runs on."""
    return str(request.getfixturevalue(f"{database}_url"))


def _migrate(url: str) -> None:
    app = create_base_app(Settings.from_env({f"{PREFIX}SECRET_KEY": SECRET_KEY, f"{PREFIX}DATABASE_URL": url}))
    try:
        migrate_database(app)
    finally:
        _dispose(app)


def _dispose(app: Flask) -> None:
    """Close the connections: a template in use cannot be cloned, a database in use cannot be dropped quietly."""
    with app.app_context():
        db.engine.dispose()


# -- settings and applications


@pytest.fixture
def environment(database_url: str, tmp_path: Path) -> dict[str, str]:
    """The settings as environment variables, for this process and for those a test starts; change it before use."""
    return {
        f"{PREFIX}DATABASE_URL": database_url,
        f"{PREFIX}SECRET_KEY": SECRET_KEY,
        f"{PREFIX}MAIL_URL": f"folder:{tmp_path / 'mail'}",
        f"{PREFIX}RATE_LIMIT": "off",
    }


@pytest.fixture
def settings(environment: dict[str, str]) -> Settings:
    """The settings of this test."""
    return Settings.from_env(environment)


@pytest.fixture
def app(settings: Settings) -> Iterator[Flask]:
    """The application without routes, in its context: what use cases and workers run in."""
    app = create_base_app(settings)
    with app.app_context():
        yield app
    _dispose(app)


@pytest.fixture
def api_app(settings: Settings) -> Iterator[Flask]:
    """The whole application, without a context: each request makes its own, as in production."""
    from service.api.app import create_app  # only here: other tests need no HTTP layer

    app = create_app(settings)
    yield app
    _dispose(app)


@pytest.fixture
def client(api_app: Flask) -> FlaskClient:
    """A client of the whole application."""
    return api_app.test_client()

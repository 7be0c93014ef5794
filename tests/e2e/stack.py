"""The service as in production, on one machine: PostgreSQL, Redis, a mail server, a worker, beat, and ways in.

Each is a process of its own that a test may kill, together with all its children, and start again.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import URLError
from urllib.request import urlopen

import psycopg

from service.config import PREFIX
from tests.support.imap import SERVICE, MailHouse, imap_url
from tests.support.ports import HOST, accepts, free_port
from tests.support.postgres import PostgresServer
from tests.support.processes import Process, python_program, wait_until
from tests.support.redis import RedisServer
from tests.support.smtp import SmtpServer

# Seconds. Short, so that what a killed worker held comes back soon.
LEASE = 8

Installed = TypeVar("Installed", bound="Installation")


class Installation:
    """All that needs no HTTP: a worker and beat, on PostgreSQL, Redis and a mail server. ``parts`` start in order."""

    def __init__(
        self, folder: Path, postgres: PostgresServer, redis: RedisServer, mail_url: str, extra: Mapping[str, str]
    ) -> None:
        self.folder = folder
        self.postgres = postgres
        self.redis = redis
        self.database = postgres.create()
        self.env = {
            "EMERALD_DATABASE_URL": postgres.url(self.database),
            "EMERALD_BROKER_URL": redis.url(0),
            "EMERALD_RATE_LIMIT_URL": redis.url(1),
            "EMERALD_RATE_LIMIT": "100000/minute",
            "EMERALD_SECRET_KEY": "a key for the tests, and for nothing else",
            "EMERALD_MAIL_URL": mail_url,
            "EMERALD_OUTBOX_LEASE_SECONDS": str(LEASE),
            "EMERALD_OUTBOX_RETRY_SECONDS": "1",
            "EMERALD_RELAY_SECONDS": "1",
            **extra,
        }
        self.worker = self.process(
            "worker", "-m", "celery", "-A", "workers.celery_app", "worker", "--concurrency", "2", "-l", "INFO"
        )
        self.beat = self.process("beat", "-m", "celery", "-A", "workers.celery_app", "beat", "-l", "INFO")
        self.parts = [self.worker, self.beat]

    def process(self, name: str, *arguments: str) -> Process:
        """A Python program in this environment, not yet started."""
        return program(name, self.folder, self.env, *arguments)

    def emerald(self, *arguments: str) -> Process:
        """The `emerald` command in this environment, not yet started."""
        return self.process("emerald", "-m", "service.cli", *arguments)

    def start(self) -> None:
        """Migrate, then start everything that is ours."""
        migrate = self.emerald("migrate")
        migrate.start()
        wait_until(lambda: not migrate.running, seconds=60, what="emerald migrate")
        assert migrate.stop() == 0, migrate.log.read_text()
        for part in self.parts:
            part.start()

    def stop(self) -> None:
        """Stop what is ours, gently."""
        for part in reversed(self.parts):
            part.stop()

    def connect(self) -> psycopg.Connection[Any]:
        """A connection to the database, to look at what lies there."""
        return psycopg.connect(self.postgres.url(self.database).replace("+psycopg", ""), autocommit=True)

    def logs(self) -> str:
        """The last lines of every log, for a failure's message."""
        return "\n".join(
            f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}" for log in sorted(self.folder.glob("*.log"))
        )


class Stack(Installation):
    """With the API, which answers at ``url``, and a mail server that only keeps what it is sent."""

    def __init__(
        self, folder: Path, postgres: PostgresServer, redis: RedisServer, smtp: SmtpServer, extra: Mapping[str, str]
    ) -> None:
        self.smtp = smtp
        self.port = free_port()
        self.url = f"http://{HOST}:{self.port}"
        super().__init__(folder, postgres, redis, smtp.url, {"EMERALD_BASE_URL": self.url, **extra})
        self.api = self.process(
            "api",
            *("-m", "gunicorn", "--bind", f"{HOST}:{self.port}", "--workers", "2", "--threads", "8"),
            *("--worker-class", "gthread", "--graceful-timeout", "5", "service.cli:wsgi()"),
        )
        self.api.ready = self.healthy
        self.parts.insert(0, self.api)

    def healthy(self) -> bool:
        """Does the API answer?"""
        return answers(f"{self.url}/healthz")


class MailStack(Installation):
    """With a way in for mail and no API, as nobody who plays by mail needs it.

    ``way_in``: the URL of our mailbox, which is fetched by IMAP, or the port at which our LMTP listener is to be.
    """

    def __init__(
        self,
        folder: Path,
        postgres: PostgresServer,
        redis: RedisServer,
        mail_url: str,
        way_in: str | int,
    ) -> None:
        ours = {"EMERALD_MAIL_FROM": f"Emerald <{SERVICE}>", "EMERALD_MAIL_ANSWERS_PER_HOUR": "10000"}
        if isinstance(way_in, str):
            ours["EMERALD_INBOUND_IMAP_URL"] = way_in
        else:
            ours["EMERALD_INBOUND_LISTEN"] = f"lmtp://{HOST}:{way_in}"
        super().__init__(folder, postgres, redis, mail_url, ours)
        self.doorway = self.process(
            "doorway", "-m", "service.cli", "inbound", "imap" if isinstance(way_in, str) else "listen"
        )
        if isinstance(way_in, int):
            self.doorway.ready = lambda: accepts(way_in)
        self.parts.append(self.doorway)


def answers(url: str) -> bool:
    """Does a GET of this URL answer 200?"""
    try:
        with urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


def program(name: str, folder: Path, env: Mapping[str, str], *arguments: str) -> Process:
    """A Python program with these settings and none of whoever runs the tests; it prints to ``folder``."""
    foreign = [f"-u{name}" for name in os.environ if name.startswith(PREFIX)]
    given = [f"{name}={value}" for name, value in env.items()]
    return Process(["env", *foreign, *given, *python_program(*arguments)], log=folder / f"{name}.log")


@contextmanager
def production(extra: Mapping[str, str] | None = None) -> Iterator[Stack]:
    """A whole stack with servers of its own, which a test may kill; everything is gone afterwards."""
    with (
        PostgresServer() as postgres,
        RedisServer() as redis,
        SmtpServer() as smtp,
        _folder() as folder,
        _running(Stack(folder, postgres, redis, smtp, extra or {})) as stack,
    ):
        yield stack


@contextmanager
def by_mail(house: MailHouse, *, listen: int | None = None) -> Iterator[MailStack]:
    """The same for mail alone, beside a mail server that runs: it is fetched from there, or brought to ``listen``."""
    way_in = imap_url(house) if listen is None else listen
    with (
        PostgresServer() as postgres,
        RedisServer() as redis,
        _folder() as folder,
        _running(MailStack(folder, postgres, redis, house.smtp_url, way_in)) as stack,
    ):
        yield stack


@contextmanager
def with_listener() -> Iterator[tuple[MailStack, SmtpServer, int]]:
    """The same with nothing but our listener, at the port, and a mail server that only keeps what it is sent."""
    port = free_port()
    with (
        PostgresServer() as postgres,
        RedisServer() as redis,
        SmtpServer() as smtp,
        _folder() as folder,
        _running(MailStack(folder, postgres, redis, smtp.url, port)) as stack,
    ):
        yield stack, smtp, port


@contextmanager
def _running(installation: Installed) -> Iterator[Installed]:
    try:
        installation.start()
        yield installation
    finally:
        installation.stop()


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="emerald-e2e-") as name:
        yield Path(name)

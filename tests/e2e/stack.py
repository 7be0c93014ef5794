"""The service as in production, on one machine: PostgreSQL, Redis, a mail server, gunicorn, a worker and beat.

Each is a process of its own that a test may kill, together with all its children, and start again.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from service.config import PREFIX
from tests.support.ports import HOST, free_port
from tests.support.postgres import PostgresServer
from tests.support.processes import Process, python_program, wait_until
from tests.support.redis import RedisServer
from tests.support.smtp import SmtpServer

# Seconds. Short, so that what a killed worker held comes back soon.
LEASE = 8


class Stack:
    """All the parts, running. ``url`` is where the API answers."""

    def __init__(
        self,
        folder: Path,
        postgres: PostgresServer,
        redis: RedisServer,
        smtp: SmtpServer,
        extra: Mapping[str, str],
    ) -> None:
        self.folder = folder
        self.postgres = postgres
        self.redis = redis
        self.smtp = smtp
        self.port = free_port()
        self.url = f"http://{HOST}:{self.port}"
        self.database = postgres.create()
        self.env = {
            "EMERALD_DATABASE_URL": postgres.url(self.database),
            "EMERALD_BROKER_URL": redis.url(0),
            "EMERALD_RATE_LIMIT_URL": redis.url(1),
            "EMERALD_RATE_LIMIT": "100000/minute",
            "EMERALD_SECRET_KEY": "a key for the tests, and for nothing else",
            "EMERALD_BASE_URL": self.url,
            "EMERALD_MAIL_URL": smtp.url,
            "EMERALD_OUTBOX_LEASE_SECONDS": str(LEASE),
            "EMERALD_OUTBOX_RETRY_SECONDS": "1",
            "EMERALD_RELAY_SECONDS": "1",
            **extra,
        }
        self.api = self._process(
            "api",
            *("-m", "gunicorn", "--bind", f"{HOST}:{self.port}", "--workers", "2", "--threads", "8"),
            *("--worker-class", "gthread", "--graceful-timeout", "5", "service.cli:wsgi()"),
        )
        self.api.ready = self.healthy
        self.worker = self._process(
            "worker", "-m", "celery", "-A", "workers.celery_app", "worker", "--concurrency", "2", "-l", "INFO"
        )
        self.beat = self._process("beat", "-m", "celery", "-A", "workers.celery_app", "beat", "-l", "INFO")

    def _process(self, name: str, *arguments: str) -> Process:
        return program(name, self.folder, self.env, *arguments)

    def emerald(self, *arguments: str) -> Process:
        """The `emerald` command in this environment, not yet started."""
        return self._process("emerald", "-m", "service.cli", *arguments)

    def healthy(self) -> bool:
        """Does the API answer?"""
        return answers(f"{self.url}/healthz")

    def start(self) -> None:
        """Migrate, then start everything that is ours."""
        migrate = self.emerald("migrate")
        migrate.start()
        wait_until(lambda: not migrate.running, seconds=60, what="emerald migrate")
        assert migrate.stop() == 0, migrate.log.read_text()
        self.api.start()
        self.worker.start()
        self.beat.start()

    def stop(self) -> None:
        """Stop what is ours, gently."""
        for process in (self.beat, self.worker, self.api):
            process.stop()

    def logs(self) -> str:
        """The last lines of every log, for a failure's message."""
        return "\n".join(
            f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}" for log in sorted(self.folder.glob("*.log"))
        )


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
    postgres, redis, smtp = PostgresServer(), RedisServer(), SmtpServer()
    with tempfile.TemporaryDirectory(prefix="emerald-e2e-") as name:
        try:
            postgres.start()
            redis.start()
            smtp.start()
            stack = Stack(Path(name), postgres, redis, smtp, extra or {})
            try:
                stack.start()
                yield stack
            finally:
                stack.stop()
        finally:
            smtp.stop()
            redis.discard()
            postgres.discard()

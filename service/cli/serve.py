"""`emerald serve`: API, workers and scheduler in one process, for one machine and for development.

The same application, tasks and beat table as in production; only the broker lives in memory, and Celery's
worker and beat are threads beside the web server. What they lose when the process ends stands in the outbox.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any, Final, NoReturn

import click

from service.config import Settings

DEFAULT_URL: Final = "http://127.0.0.1:8000"
WEB_THREADS: Final = 32
WORKER_THREADS: Final = 4


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("var"),
    show_default=True,
    help="Folder for the database, the mails and the secret key; made if it is not there.",
)
def serve(host: str, port: int, data: Path) -> None:
    """Serve everything from one process: the API, the workers, the scheduler, and an inbox for the mails.

    EMERALD_* variables count here too: with EMERALD_MAIL_URL, say, the mails really go out.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.BadParameter(f"cannot keep anything in {data}: {error.strerror}", param_hint="--data") from None
    listener = _listen(host, port)
    url = f"http://{host if ':' not in host else f'[{host}]'}:{listener.getsockname()[1]}"
    _prepare(data.resolve(), url)

    # Only now: Celery's application is made from the environment when it is first imported.
    import waitress

    from service.bootstrap import migrate_database
    from service.cli.web import web_app

    settings = Settings.from_env(os.environ)
    app = web_app(settings)
    migrate_database(app)
    server = waitress.create_server(
        app,
        sockets=[listener],
        threads=WEB_THREADS,
        ident="emerald",
        # It takes a body whole before the application sees it; a little over the limit, the answer is the API's own.
        max_request_body_size=max(
            16 * settings.max_body_bytes, 2 * settings.inbound_max_bytes if settings.inbound_webhook_secret else 0
        ),
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    with _workers(app), _doorways(app, settings):
        _greet(url, settings, data)
        try:
            server.run()  # returns when a signal has raised SystemExit
            click.echo("Stopping ...", err=True)
        finally:
            server.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise click.ClickException(
            f"cannot listen on {host} port {port}: {error.strerror or error}. Another port: emerald serve --port 8001"
        ) from error
    return listener


def _prepare(data: Path, url: str) -> None:
    """Fill in whatever the environment leaves open."""
    defaults = {
        "EMERALD_DATABASE_URL": f"sqlite:///{data / 'emerald.db'}",
        "EMERALD_BROKER_URL": "memory://",
        "EMERALD_MAIL_URL": f"folder:{data / 'mail'}",
        "EMERALD_DEV_INBOX": "1",
        # A restart forgets the queue; what was in it comes again after this.
        "EMERALD_OUTBOX_LEASE_SECONDS": "30",
        "EMERALD_LOG_LEVEL": "WARNING",  # so that the greeting stays in sight
        "EMERALD_BASE_URL": url,
    }
    for name, value in defaults.items():
        os.environ[name] = os.environ.get(name) or value  # the secret key is kept beside the database by itself


@contextmanager
def _workers(app: Any) -> Iterator[None]:
    """Celery's worker and beat as threads, in the same application."""
    from celery.beat import EmbeddedService, Scheduler

    from workers import runtime
    from workers.celery_app import celery_app

    # A root shell in a container is a fair place to try things out; Celery's advice is for production.
    warnings.filterwarnings("ignore", message=".*superuser privileges.*")
    logging.getLogger("celery.worker.consumer.connection").setLevel(logging.WARNING)
    runtime.use(app)
    worker = celery_app.Worker(
        pool="threads",
        concurrency=WORKER_THREADS,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        hostname="embedded@localhost",
        quiet=True,
    )
    beat: Any = EmbeddedService(celery_app, max_interval=1, scheduler_cls=Scheduler, thread=True)
    beat.daemon = True
    Thread(target=worker.start, name="worker", daemon=True).start()
    beat.start()
    try:
        yield
    finally:
        beat.stop()
        worker.stop()
        runtime.use(None)


@contextmanager
def _doorways(app: Any, settings: Settings) -> Iterator[None]:
    """The ways in for mail that the settings name."""
    from service.cli import inbound

    with ExitStack() as stack:
        if settings.inbound_listen:
            stack.enter_context(inbound.listening(app, settings))
        if settings.inbound_imap_url:
            stack.enter_context(inbound.fetching(app, settings))
        yield


def _leave(_signal: int, _frame: object) -> NoReturn:
    raise SystemExit(0)


def _greet(url: str, settings: Settings, data: Path) -> None:
    mails = (
        f"every mail           {url}/dev/inbox"
        if settings.dev_inbox
        else "mails                go out by EMERALD_MAIL_URL"
    )
    command = "emerald" if which("emerald") else os.path.relpath(sys.argv[0])
    elsewhere = "" if url == DEFAULT_URL else f" --url {url}"
    lines = [
        f"Emerald is at {url}",
        "",
        f"  {mails}",
        f"  the API, described   {url}/api/v1/openapi.json",
        f"  kept in              {data}/",
        "",
        f"In another shell:  {command} demo{elsewhere}      (whole games, played before your eyes)",
        "Ctrl-C stops it; every game waits where it was.",
    ]
    click.echo("\n".join(lines))

"""`emerald inbound`: the ways in for mail, each a process that runs until SIGTERM, or a pipe for one mail."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from flask import Flask

    from service.config import Settings

# Of sysexits.h, as mail servers know them.
EX_DATAERR: Final = 65
EX_TEMPFAIL: Final = 75


@click.group()
def inbound() -> None:
    """Take in the mail of players: listen for it, fetch it, or be piped it."""


@inbound.command()
def listen() -> None:
    """Take mail by LMTP or SMTP, at EMERALD_INBOUND_LISTEN."""
    _run(listening, "EMERALD_INBOUND_LISTEN", "a place like lmtp://127.0.0.1:8024")


@inbound.command()
def imap() -> None:
    """Fetch mail from the mailbox EMERALD_INBOUND_IMAP_URL, as soon as it is there."""
    _run(fetching, "EMERALD_INBOUND_IMAP_URL", "a mailbox like imaps://user:password@imap.example.org/INBOX")


@inbound.command()
@click.option("--sender", envvar="SENDER", metavar="ADDRESS", help="From the envelope.  [default: the variable SENDER]")
@click.option(
    "--recipient",
    "recipients",
    envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"],
    multiple=True,
    metavar="ADDRESS",
    help="From the envelope; may repeat.  [default: the variable ORIGINAL_RECIPIENT or RECIPIENT]",
)
def pipe(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Take one mail from standard input, as a mail server's alias or procmail pipes it.

    Exit status 0: it is kept. 75: it could not be kept just now and must be offered again. 65: it is too big.
    """
    try:
        status = _pipe(sender, recipients)
    except Exception as error:  # noqa: BLE001 - whatever is wrong here, the mail shall wait until it is mended
        click.echo(f"Error: not kept: {type(error).__name__}", err=True)
        status = EX_TEMPFAIL
    sys.exit(status)


def _pipe(sender: str | None, recipients: tuple[str, ...]) -> int:
    from service import clock
    from service.errors import INVALID, Refusal
    from service.usecases.inbound import receive

    with _app() as (app, settings), app.app_context():
        # One byte more tells a mail that is too big; the rest of it is left unread.
        raw = sys.stdin.buffer.read(settings.inbound_max_bytes + 1)
        try:
            receive(raw=raw, via="pipe", envelope_from=sender, envelope_to=recipients, now=clock.now())
        except Refusal as refusal:
            click.echo(f"Error: {refusal.message}", err=True)
            return EX_DATAERR if refusal.code == INVALID else EX_TEMPFAIL
    return 0


@contextmanager
def listening(app: Flask, settings: Settings) -> Iterator[None]:
    """The listener, beside whatever else this process does."""
    from service.doorways.listener import Listener

    listener = Listener(app, settings)
    try:
        listener.start()
    except OSError as error:
        raise click.ClickException(
            f"cannot listen at EMERALD_INBOUND_LISTEN={settings.inbound_listen}: {error.strerror or error}"
        ) from error
    try:
        yield
    finally:
        listener.stop()


@contextmanager
def fetching(app: Flask, settings: Settings) -> Iterator[None]:
    """The fetcher, beside whatever else this process does."""
    from service.doorways.imap import Fetcher

    stop = Event()
    fetcher = Thread(target=Fetcher(app, settings, stop).run, name="imap", daemon=True)
    fetcher.start()
    try:
        yield
    finally:
        stop.set()
        fetcher.join(timeout=10)  # what it is at may be lost: the mail is still in its mailbox


def _run(doorway: Callable[[Flask, Settings], AbstractContextManager[None]], name: str, example: str) -> None:
    with _app() as (app, settings):
        if not getattr(settings, name.removeprefix("EMERALD_").lower()):
            raise click.ClickException(f"{name} is not set; it takes {example}")
        from service import outbox
        from workers.relay import Waker

        outbox.set_waker(Waker())
        ended = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ended.set())
        with doorway(app, settings):
            ended.wait()


@contextmanager
def _app() -> Iterator[tuple[Flask, Settings]]:
    from service import logs
    from service.bootstrap import create_base_app
    from service.config import Settings
    from service.db import db

    logs.configure("WARNING")  # what is wrong with the settings is said before they say how much is to be said
    settings = Settings.from_env(os.environ)
    app = create_base_app(settings)
    try:
        yield app, settings
    finally:
        with app.app_context():
            db.engine.dispose()

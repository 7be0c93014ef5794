"""What the tests of the doorways share: mails to bring, and a look at what was kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest
from flask import Flask
from sqlalchemy import select

from service import outbox
from service.bootstrap import create_base_app, migrate_database
from service.config import PREFIX, Settings
from service.db import db, reading
from service.models import InboundMail
from tests.support.dovecot import Dovecot, why_not
from tests.support.imap import SERVICE, MailDevel, MailHouse
from tests.support.postgres import PostgresServer

TAGGED = SERVICE.replace("@", "+abcdefgh234567@")


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """With the address that the mail servers of the tests know."""
    return {**environment, f"{PREFIX}MAIL_FROM": f"Emerald <{SERVICE}>", f"{PREFIX}INBOUND_MAX_BYTES": "200000"}


MakeApp = Callable[..., tuple[Flask, Settings]]


@pytest.fixture
def make_app(environment: dict[str, str]) -> Iterator[MakeApp]:
    """An application with some settings changed, and its settings."""
    with ExitStack() as ends:

        def make(**changed: str) -> tuple[Flask, Settings]:
            settings = Settings.from_env({**environment, **{f"{PREFIX}{name}": text for name, text in changed.items()}})
            app = create_base_app(settings)
            ends.callback(_dispose, app)
            return app, settings

        yield make


@pytest.fixture
def mortal_app(own_postgres: PostgresServer, make_app: MakeApp) -> tuple[Flask, Settings]:
    """The same on a PostgreSQL of this test's own, which it may kill."""
    url = own_postgres.url(own_postgres.create())
    app, settings = make_app(DATABASE_URL=url)
    migrate_database(app)
    return app, settings


def _dispose(app: Flask) -> None:
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(params=[MailDevel, Dovecot], ids=["mail-devel", "dovecot"])
def house(request: pytest.FixtureRequest) -> Iterator[MailHouse]:
    """A real mail server, of each kind there is."""
    if request.param is Dovecot and why_not():
        pytest.skip(why_not())
    with request.param() as server:
        yield server


@dataclass(frozen=True)
class Kept:
    """A mail as it lies in the database."""

    id: int
    raw: bytes
    via: str
    sender: str | None
    recipients: tuple[str, ...]


def kept(app: Flask) -> list[Kept]:
    """All mails that were kept, oldest first; each has its row in the outbox."""
    with app.app_context():
        with reading() as session:
            mails = [
                Kept(mail.id, mail.raw, mail.via, mail.envelope_from, tuple(mail.envelope_to))
                for mail in session.scalars(select(InboundMail).order_by(InboundMail.id))
            ]
        promised = {row.payload["mail"] for row in outbox.rows(states=(*outbox.OPEN, "done"), limit=1000)}
    assert {mail.id for mail in mails} <= promised
    return mails


def letter(number: int = 1, text: str = "place 3", *, to: str = TAGGED) -> bytes:
    """A mail from Ada as it comes over the wire."""
    lines = [
        "From: Ada <ada@example.org>",
        f"To: Emerald <{to}>",
        "Subject: Re: Your turn",
        f"Message-ID: <letter-{number}@example.org>",
        "Date: Mon, 30 Nov 2026 10:00:00 +0000",
        "",
        *text.split("\n"),
        "",
    ]
    return "\r\n".join(lines).encode()


@contextmanager
def started(thing: object) -> Iterator[None]:
    """Something with ``start`` and ``stop``."""
    thing.start()  # type: ignore[attr-defined]
    try:
        yield
    finally:
        thing.stop()  # type: ignore[attr-defined]

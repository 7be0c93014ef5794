"""The listener: takes mail for our addresses by LMTP or SMTP, from the mail server in front of it.

``250`` after the DATA means: kept, and committed. While the database is away the answer is ``451``, and the mail stays
with the server that brought it, which tries again.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask

from service import clock
from service.config import Settings
from service.errors import INVALID, Refusal
from service.usecases import inbound

#: Mails that are being stored at the same time; each holds a database connection.
STORING: Final = 4
MOST_CONNECTIONS: Final = 50
MOST_RECIPIENTS: Final = 100
#: Seconds of silence after which a connection is closed, and that a stop waits for mails in the middle of it.
IDLE: Final = 300
GRACE: Final = 15
#: RFC 5321 allows lines of 1,000; mail programs write longer ones, and a mail is not refused for that.
LONGEST_LINE: Final = 1024 * 1024

_CLOSING: Final = "421 4.3.2 Closing for a moment, come again"
_LATER: Final = "451 4.3.0 Cannot keep this mail just now, come again"

log = structlog.get_logger(__name__)
# Its own lines hold whole addresses at INFO, and whole mails at DEBUG.
logging.getLogger("mail.log").setLevel(logging.WARNING)


class Listener:
    """Listens at ``settings.inbound_listen`` in a thread of its own, from ``start`` to ``stop``."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        place = urlsplit(settings.inbound_listen)
        self._doorman = _Doorman(app, settings, "lmtp" if place.scheme == "lmtp" else "smtp")
        self._controller = _Controller(
            self._doorman,
            hostname=place.hostname,
            port=place.port or 0,
            data_size_limit=settings.inbound_max_bytes,
            enable_SMTPUTF8=True,
            timeout=IDLE,
            ident="Emerald",
            server_hostname=settings.mail_domain,
        )

    def start(self) -> None:
        """Listen. Raises OSError if the address cannot be had."""
        self._controller.start()

    def stop(self) -> None:
        """Take no more, let mails that are being stored be answered, and close."""
        loop = self._controller.loop
        try:
            asyncio.run_coroutine_threadsafe(self._doorman.close(self._controller.server), loop).result(GRACE + 5)
        finally:
            self._controller.stop()
            self._doorman.pool.shutdown()


class _Controller(Controller):
    """Makes a conversation of the right language for each connection."""

    def factory(self) -> SMTP:
        speaks = _Lmtp if self.handler.via == "lmtp" else _Smtp
        return speaks(self.handler, **self.SMTP_kwargs)


class _Doorman:
    """Answers for all connections; aiosmtpd calls its ``handle_*`` by name."""

    def __init__(self, app: Flask, settings: Settings, via: Literal["lmtp", "smtp"]) -> None:
        self.via = via
        self.pool = ThreadPoolExecutor(STORING, thread_name_prefix="inbound")
        self.connections: set[SMTP] = set()
        self._app = app
        self._settings = settings
        self._closing = False
        self._storing = 0

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._closing:
            return _CLOSING
        envelope.mail_from = address  # "<>" is the sender of bounces
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not self._settings.is_ours(address):
            return "550 5.1.1 There is nobody of this name here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients at once"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self._closing:
            return _CLOSING
        self._storing += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.pool, self._store, envelope)
        finally:
            self._storing -= 1

    async def handle_exception(self, error: Exception) -> str:
        """What was not foreseen is no fault of the mail: it is tried again."""
        log.error("inbound.unforeseen", via=self.via, error=type(error).__name__)
        return _LATER

    async def close(self, server: asyncio.AbstractServer | None) -> None:
        """Hang up, as soon as what is being stored is answered for."""
        self._closing = True
        if server is not None:
            server.close()
        end = asyncio.get_running_loop().time() + GRACE
        while self._storing and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.02)
        for connection in tuple(self.connections):
            if connection.transport is not None:
                connection.transport.close()

    def _store(self, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        try:
            with self._app.app_context():
                received = inbound.receive(
                    raw=content,
                    via=self.via,
                    envelope_from="" if envelope.mail_from == "<>" else envelope.mail_from,
                    envelope_to=tuple(envelope.rcpt_tos),
                    now=clock.now(),
                )
        except Refusal as refusal:
            if refusal.code == INVALID:
                log.warning("inbound.refused", via=self.via, bytes=len(content))
                return "552 5.3.4 This mail is too big"
            return _LATER
        log.info("inbound.received", via=self.via, mail=received.id, new=received.new)
        return "250 2.0.0 Kept"


class _Counted(SMTP):
    """A conversation that is known to the doorman while it lasts."""

    line_length_limit = LONGEST_LINE

    async def _handle_client(self) -> None:
        connections = self.event_handler.connections
        if len(connections) >= MOST_CONNECTIONS:
            await self.push("421 4.7.0 Too many at once, come again")
            self._writer.close()
            return
        connections.add(self)
        try:
            await super()._handle_client()
        finally:
            connections.discard(self)


class _Smtp(_Counted):
    pass


class _Lmtp(LMTP, _Counted):
    """LMTP answers the end of the DATA once for each recipient; aiosmtpd's own answers once."""

    _answers = 1

    async def push(self, status: Any) -> None:
        """Say it; after a DATA, once for each recipient."""
        times, self._answers = self._answers, 1
        if isinstance(status, str) and status.startswith("354") and self.envelope is not None:
            self._answers = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([status] * times) if isinstance(status, str) else status)

"""The listener: takes mail for our addresses by LMTP or SMTP, from the mail server in front of it.

``250`` after the DATA means: kept, and committed. While the database is away the answer is ``451``, and the mail stays
with the server that brought it, which tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import structlog
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
        self._host, self._port = place.hostname, place.port or 0
        self._doorman = _Doorman(app, settings, "lmtp" if place.scheme == "lmtp" else "smtp")
        self._ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="listener", daemon=True)

    @property
    def storing(self) -> int:
        """How many mails are being kept at this moment."""
        return self._doorman.storing

    def start(self) -> None:
        """Listen. Raises OSError if the address cannot be had."""
        self._thread.start()
        self._ready.result()

    def stop(self) -> None:
        """Take no more, let mails that are being kept be answered for, and hang up."""
        loop, ended = self._ready.result()
        loop.call_soon_threadsafe(ended.set)
        self._thread.join()

    async def _serve(self) -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        try:
            server = await loop.create_server(self._doorman.conversation, self._host, self._port)
        except OSError as error:
            self._ready.set_exception(error)
            return
        self._ready.set_result((loop, ended))
        await ended.wait()
        server.close()
        await self._doorman.close()


class _Doorman:
    """Answers for all connections; aiosmtpd calls its ``handle_*`` by name."""

    def __init__(self, app: Flask, settings: Settings, via: Literal["lmtp", "smtp"]) -> None:
        self.via = via
        self.pool = ThreadPoolExecutor(STORING, thread_name_prefix="inbound")
        self.connections: set[SMTP] = set()
        self._app = app
        self._settings = settings
        self._language = _Lmtp if via == "lmtp" else _Smtp
        self._closing = False
        self.storing = 0

    def conversation(self) -> SMTP:
        """The server's side of a new connection."""
        return self._language(
            self,
            data_size_limit=self._settings.inbound_max_bytes,
            enable_SMTPUTF8=True,
            timeout=IDLE,
            ident="Emerald",
            hostname=self._settings.mail_domain,
            loop=asyncio.get_running_loop(),
        )

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
        self.storing += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.pool, self._store, envelope)
        finally:
            self.storing -= 1

    async def handle_exception(self, error: Exception) -> str:
        """What was not foreseen is no fault of the mail: it is tried again."""
        log.error("inbound.unforeseen", via=self.via, error=type(error).__name__)
        return _LATER

    async def close(self) -> None:
        """Hang up, as soon as what is being kept is answered for."""
        self._closing = True
        await asyncio.sleep(0.05)  # who came in at the last moment is known by then
        await self._until(lambda: not self.storing, GRACE)
        for rudely in (False, True):
            for connection in tuple(self.connections):
                if isinstance(connection.transport, asyncio.WriteTransport):
                    (connection.transport.abort if rudely else connection.transport.close)()
            await self._until(lambda: not self.connections, 1)
        self.pool.shutdown()

    async def _until(self, quiet: Callable[[], bool], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not quiet() and loop.time() < end:
            await asyncio.sleep(0.02)

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
    _one_too_many = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there. Of many who come at the same moment the first are let in, not nobody."""
        self._one_too_many = len(self.event_handler.connections) >= MOST_CONNECTIONS
        if not self._one_too_many:
            self.event_handler.connections.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Nobody is there any more."""
        self.event_handler.connections.discard(self)
        super().connection_lost(error)

    def eof_received(self) -> bool:
        """Who has nothing more to say has left: aiosmtpd would keep the other half of the line."""
        super().eof_received()
        return False

    async def _handle_client(self) -> None:
        if self._one_too_many:
            await self.push("421 4.7.0 Too many at once, come again")
            self._writer.close()
            return
        await super()._handle_client()


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

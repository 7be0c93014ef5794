"""A real SMTP server on a free port that keeps what it is sent, and can be told to misbehave."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.listening import SmtpListener
from tests.support.processes import wait_until


@dataclass(frozen=True)
class Received:
    """One mail as the server got it: from and to are the envelope's."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """The parsed message."""
        parsed = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(parsed, EmailMessage)
        return parsed

    @property
    def text(self) -> str:
        """The plain text of the mail, with plain line ends."""
        part = self.message.get_body(("plain",))
        assert part is not None, "no plain text in this mail"
        return str(part.get_content()).replace("\r\n", "\n")

    @property
    def html(self) -> str:
        """The HTML of the mail, with plain line ends."""
        part = self.message.get_body(("html",))
        assert part is not None, "no HTML in this mail"
        return str(part.get_content()).replace("\r\n", "\n")


class SmtpServer(SmtpListener):
    """Accepts every mail until `refuse`, `fail` or `stop` says otherwise. Safe to use from several threads."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._received: list[Received] = []
        self._refused: dict[str, str] = {}
        self._failures = 0
        self._failure = ""
        self._hang_ups = 0

    # -- what came

    @property
    def received(self) -> Sequence[Received]:
        """All mails so far, oldest first."""
        with self._lock:
            return tuple(self._received)

    def to(self, address: str) -> list[Received]:
        """The mails for one address, oldest first."""
        return [mail for mail in self.received if address in mail.recipients]

    def wait_for(
        self,
        count: int = 1,
        *,
        to: str | None = None,
        seconds: float = 15.0,
        where: Callable[[Received], bool] | None = None,
    ) -> list[Received]:
        """Wait until so many mails (for this address, of this sort) are here, and return them."""

        def found() -> list[Received]:
            return [m for m in (self.received if to is None else self.to(to)) if where is None or where(m)]

        wait_until(lambda: len(found()) >= count, seconds=seconds, what=f"{count} mails to {to or 'anyone'}")
        return found()

    def forget(self) -> None:
        """Drop what came so far and behave well again."""
        with self._lock:
            self._received.clear()
            self._refused.clear()
            self._failures = self._hang_ups = 0

    # -- misbehaviour

    def refuse(self, address: str, answer: str = "550 5.1.1 No such person here") -> None:
        """Answer every RCPT for this address with this refusal."""
        with self._lock:
            self._refused[address] = answer

    def fail(self, times: int, answer: str = "451 4.3.0 Come back later") -> None:
        """Answer the next so many messages, after their DATA, with this instead of accepting them."""
        with self._lock:
            self._failures, self._failure = times, answer

    def hang_up(self, times: int) -> None:
        """Take the next so many messages, and close the connection instead of saying so."""
        with self._lock:
            self._hang_ups = times

    # -- aiosmtpd calls these by name

    async def handle_RCPT(  # noqa: N802 - the name is aiosmtpd's
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        with self._lock:
            refusal = self._refused.get(address)
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        with self._lock:
            if self._failures > 0:
                self._failures -= 1
                return self._failure
            self._received.append(Received(envelope.mail_from or "", tuple(envelope.rcpt_tos), content))
            hang_up, self._hang_ups = self._hang_ups > 0, max(0, self._hang_ups - 1)
        if hang_up and server.transport is not None:
            server.transport.close()
        return "250 OK"

"""A small post office: takes mail by SMTP and hands it on by LMTP, recipient by recipient.

Real ones keep what cannot be handed on, and try again; this one passes the answer of the last hop on to the sender.
"""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.listening import SmtpListener
from tests.support.ports import HOST

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Route = Callable[[str], int]


class Lmtp(smtplib.LMTP):
    """A client that hears the answers for all recipients; the library's own takes the second for the next command's.

    ``answers``: the codes after the last DATA, one for each recipient that was accepted.
    """

    def __init__(self, host: str, port: int, timeout: float = 20) -> None:
        self.accepted = 0
        self.answers: list[int] = []
        super().__init__(host, port, timeout=timeout)

    def mail(self, sender: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Begin."""
        self.accepted = 0
        return super().mail(sender, options)

    def rcpt(self, recip: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Name a recipient."""
        code, words = super().rcpt(recip, options)
        self.accepted += code == 250
        return code, words

    def data(self, msg: ReadableBuffer | str) -> tuple[int, bytes]:
        """The worst of the answers."""
        answers = [super().data(msg), *(self.getreply() for _ in range(self.accepted - 1))]
        self.answers = [code for code, _ in answers]
        return max(answers)


class PostOffice(SmtpListener):
    """``route`` says on which port LMTP takes the mail for an address."""

    def __init__(self, route: Route) -> None:
        super().__init__()
        self._route = route

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        content = envelope.content
        assert isinstance(content, bytes)
        return await asyncio.to_thread(self._hand_on, content, envelope.mail_from or "", tuple(envelope.rcpt_tos))

    def _hand_on(self, content: bytes, sender: str, recipients: Sequence[str]) -> str:
        worst = "250 OK"
        for recipient in recipients:
            try:
                with Lmtp(HOST, self._route(recipient)) as next_hop:
                    next_hop.sendmail(sender, [recipient], content)
            except smtplib.SMTPRecipientsRefused as error:
                code, words = error.recipients[recipient]
                worst = max(worst, f"{code} {words.decode()}")
            except smtplib.SMTPResponseException as error:
                worst = max(worst, f"{error.smtp_code} refused further on")
            except OSError:
                worst = max(worst, "451 4.4.1 Nobody answers further on")
        return worst

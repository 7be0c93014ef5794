"""A real IMAP and SMTP server in memory: mail-devel, from pip. Every address has a mailbox, made when it is first used.

It delivers by the headers To, Cc and Bcc, not by the envelope, and keeps a mail as text: what must lie in a mailbox to
the byte is put there with `append`. `tests.support.dovecot` is the same house with what real ones have beside it.
"""

from __future__ import annotations

import smtplib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from imap_tools import BaseMailBox, MailBoxUnencrypted

from tests.support.ports import HOST, accepts, free_port
from tests.support.processes import DataServer, python_program, wait_until

SERVICE = "emerald@example.org"
PASSWORD = "a-password-of-the-tests"


class MailHouse(Protocol):
    """A mail server with a mailbox for every address of example.org; ``SERVICE`` has one for all its +tags too."""

    @property
    def smtp_url(self) -> str:
        """The value of EMERALD_MAIL_URL for this server."""

    @property
    def imap_port(self) -> int:
        """Where its IMAP answers, on the loopback."""

    def post(self, raw: bytes, *, sender: str, to: Sequence[str]) -> None:
        """Hand in a mail by SMTP, as a mail program does."""


def imap_url(house: MailHouse, address: str = SERVICE, folder: str = "") -> str:
    """The value of EMERALD_INBOUND_IMAP_URL for a mailbox of this server."""
    return f"imap://{quote(address)}:{quote(PASSWORD)}@{HOST}:{house.imap_port}/{folder}"


@contextmanager
def mailbox(house: MailHouse, address: str = SERVICE) -> Iterator[BaseMailBox]:
    """This person's mailbox, as a mail program opens it."""
    with MailBoxUnencrypted(HOST, house.imap_port, timeout=20).login(address, PASSWORD) as box:
        yield box


def append(house: MailHouse, raw: bytes, address: str = SERVICE) -> None:
    """Put a mail into this mailbox to the byte."""
    with mailbox(house, address) as box:
        box.append(raw, "INBOX")


def contents(house: MailHouse, address: str = SERVICE, folder: str = "INBOX") -> list[bytes]:
    """All mails in a folder, oldest first and to the byte; none where there is no such folder."""
    with mailbox(house, address) as box:
        if folder != "INBOX" and not any(found.name == folder for found in box.folder.list()):
            return []
        box.folder.set(folder, readonly=True)
        return [raw_of(box, uid) for uid in box.uids("ALL")]


def raw_of(box: BaseMailBox, uid: str) -> bytes:
    """One mail as it lies in the mailbox; stays unread."""
    _, answer = box.client.uid("fetch", uid, "(BODY.PEEK[])")
    return next(bytes(part[1]) for part in answer if isinstance(part, tuple))


def wait_for(
    house: MailHouse, address: str, count: int = 1, *, folder: str = "INBOX", seconds: float = 20.0
) -> list[bytes]:
    """Wait until so many mails are in this folder, and return them all."""
    found: list[bytes] = []

    def enough() -> bool:
        found[:] = contents(house, address, folder)
        return len(found) >= count

    wait_until(enough, seconds=seconds, every=0.1, what=f"{count} mails in {folder} of {address}")
    return found


def post(port: int, raw: bytes, *, sender: str, to: Sequence[str], client: Callable[..., smtplib.SMTP]) -> None:
    """Hand a mail to a server on this port, speaking SMTP or LMTP."""
    with client(HOST, port) as server:
        server.sendmail(sender, list(to), raw)


class MailDevel(DataServer):
    """The server; what it holds is gone when it ends."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="emerald-mail-devel-"))
        self.imap_port = free_port()
        self.smtp_port = free_port()
        name, domain = SERVICE.split("@")
        super().__init__(
            [
                *python_program("-m", "mail_devel", "--host", HOST, "--no-http"),
                *("--imap-port", str(self.imap_port), "--smtp-port", str(self.smtp_port)),
                *("--multi-user", "--password", PASSWORD, "--alias", f"{name}+*@{domain}:{SERVICE}"),
            ],
            log=self.root / "log",
            ready=lambda: accepts(self.imap_port) and accepts(self.smtp_port),
            cwd=self.root,
        )

    @property
    def smtp_url(self) -> str:
        """The value of EMERALD_MAIL_URL for this server."""
        return f"smtp://{HOST}:{self.smtp_port}"

    def post(self, raw: bytes, *, sender: str, to: Sequence[str]) -> None:
        """Hand in a mail by SMTP, as a mail program does."""
        post(self.smtp_port, raw, sender=sender, to=to, client=smtplib.SMTP)

"""Post as people have it: mails that come, as a person reads them, and ways to send and fetch them."""

from __future__ import annotations

import re
import smtplib
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final, NamedTuple, Protocol

from service.cli import letters
from tests.support.imap import MailHouse, mailbox, raw_of
from tests.support.ports import HOST
from tests.support.smtp import SmtpServer

_CHOICE: Final = re.compile(r"^ *(\d+)\. +(\S+(?: \S+)*?) {2,}- +(.*(?:\n {7}\S.*)*)", re.MULTILINE)


PAUSE: Final = 0.2
"""Seconds between two looks into a mailbox: each is a login, and the machine has other things to do."""


class Choice(NamedTuple):
    """A line of the numbered list in a mail."""

    number: str
    notation: str
    told: str


class Letter:
    """A mail as a person reads it."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.message = letters.parse(raw)
        self.id = str(self.message["Message-ID"])
        self.subject = letters.subject_of(self.message)
        self.text = letters.text_of(self.message).replace("\r\n", "\n")
        self.decisions = letters.decisions_in(self.message)
        self.turn = letters.turn_in(self.message)
        """The decision it asks for, if it says that it is the reader's turn."""

    @property
    def answers(self) -> str | None:
        """The Message-ID of the mail that this one answers, as its program threads it."""
        return str(self.message["In-Reply-To"]) if self.message["In-Reply-To"] else None

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The actions to choose from, by number; none if it is not the reader's to decide."""
        found = _CHOICE.findall(self.text)
        return tuple(Choice(number, notation, " ".join(told.split())) for number, notation, told in found)

    def told(self, line: str) -> str:
        """What an answer tells of a line of one's mail; empty if it tells nothing."""
        found = re.search(rf"^> {re.escape(line)}\n(.*?)(?=^> |^[A-Z ]+$|\Z)", self.text, re.MULTILINE | re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    def did(self, line: str) -> bool:
        """Whether an answer says that this line of one's mail was done."""
        told = self.told(line)
        return bool(told) and not told.startswith("Not ")


class Post(Protocol):
    """How mail goes and comes."""

    def send(self, raw: bytes, *, sender: str, to: str) -> None:
        """Send a mail; returns when somebody has taken charge of it."""

    def fetch(self, address: str, seen: int) -> list[bytes]:
        """What has come to this address after the first ``seen`` mails, oldest first."""


class HousePost:
    """A mailbox on a real server: sent by SMTP, fetched by IMAP."""

    def __init__(self, house: MailHouse) -> None:
        self._house = house

    def send(self, raw: bytes, *, sender: str, to: str) -> None:
        """Hand it in."""
        self._house.post(raw, sender=sender, to=[to])

    def fetch(self, address: str, seen: int) -> list[bytes]:
        """Look into the mailbox."""
        with mailbox(self._house, address) as box:
            return [raw_of(box, uid) for uid in sorted(box.uids("ALL"), key=int)[seen:]]


class DoorstepPost:
    """What a mail server between the people and us does: hands a mail to our LMTP listener until that takes it.

    A listener that dies before it answers gets the same mail again, whether or not it has kept it.
    """

    def __init__(self, port: int, came: SmtpServer, *, seconds: float = 120.0, pause: float = 0.3) -> None:
        self._port = port
        self._came = came
        self._seconds = seconds
        self._pause = pause
        self.attempts = 0

    def send(self, raw: bytes, *, sender: str, to: str) -> None:
        """Try until it is taken. Raises TimeoutError if it never is."""
        end = time.monotonic() + self._seconds
        while time.monotonic() < end:
            self.attempts += 1
            with suppress(OSError, smtplib.SMTPException), smtplib.LMTP(HOST, self._port, timeout=20) as listener:
                listener.sendmail(sender, [to], raw)
                return
            time.sleep(self._pause)
        raise TimeoutError(f"the listener did not take a mail to {to} in {self._seconds:.0f} s")

    def fetch(self, address: str, seen: int) -> list[bytes]:
        """What the mail server was given for this address."""
        return [mail.raw for mail in self._came.to(address)[seen:]]


def wait_for(look: Callable[[], Sequence[Letter]], *, seconds: float, what: Callable[[], str]) -> Letter:
    """Wait until ``look`` finds a letter, and return the newest. Raises TimeoutError that says ``what`` was awaited."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found[-1]
        if time.monotonic() > end:
            raise TimeoutError(what())
        time.sleep(PAUSE)

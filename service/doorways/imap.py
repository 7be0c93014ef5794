"""The fetcher: takes mail out of an IMAP mailbox, as soon as it is there.

Each unread mail is kept first and moved to another folder after the commit. Killed in between, it finds the mail again
and moves it then: kept is kept once. While the database is away everything stays in the mailbox.
"""

from __future__ import annotations

import imaplib
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Final
from urllib.parse import unquote, urlsplit

import structlog
from flask import Flask
from imap_tools import BaseMailBox, MailBox, MailboxLoginError, MailBoxUnencrypted, MailMessageFlags
from imap_tools.errors import ImapToolsError

from service import clock
from service.config import Settings
from service.errors import INVALID, UNAVAILABLE, Refusal
from service.usecases import inbound

#: Seconds. Each answer of the server must come within these.
TIMEOUT: Final = 30
#: Where the server can tell of new mail (IDLE), it is asked all the same, so often.
IDLE: Final = 120
#: Where it cannot, it is asked so often.
POLL: Final = 15
#: A wait is looked up from so often, to see whether to stop.
LOOK_UP: Final = 1.0
LONGEST_PAUSE: Final = 30.0

_SIZE: Final = re.compile(rb"RFC822\.SIZE (\d+)")
_TROUBLE: Final = (imaplib.IMAP4.error, ImapToolsError, OSError)

log = structlog.get_logger(__name__)


class _NotNow(Exception):  # noqa: N818 - nothing is wrong with the mail
    """It cannot be kept at the moment."""


@dataclass(frozen=True)
class Mailbox:
    """Where mail is fetched from. ``folder``: the one it arrives in."""

    host: str
    port: int
    tls: bool
    user: str = field(repr=False)
    password: str = field(repr=False)
    folder: str

    @classmethod
    def at(cls, url: str) -> Mailbox:
        """The mailbox of ``settings.inbound_imap_url``."""
        parts = urlsplit(url)
        tls = parts.scheme == "imaps"
        return cls(
            host=parts.hostname or "",
            port=parts.port or (993 if tls else 143),
            tls=tls,
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            folder=unquote(parts.path.strip("/")) or "INBOX",
        )

    def open(self) -> BaseMailBox:
        """Log in and choose the folder. Raises OSError or an error of IMAP."""
        kind = MailBox if self.tls else MailBoxUnencrypted
        box = kind(self.host, self.port, timeout=TIMEOUT)
        try:
            plain = self.user.isascii() and self.password.isascii()
            (box.login if plain else box.login_utf8)(self.user, self.password, self.folder)
            # Servers tell more of what they can after the login; imap_tools looks at what was told before it.
            _, told = box.client.capability()
            box.client.capabilities = tuple(told[-1].decode().upper().split())
        except BaseException:
            box.client.shutdown()
            raise
        return box


class Fetcher:
    """Runs until ``stop`` is set, whatever the mail server and the database do meanwhile."""

    def __init__(self, app: Flask, settings: Settings, stop: Event) -> None:
        self._app = app
        self._mailbox = Mailbox.at(settings.inbound_imap_url)
        self._done = settings.inbound_imap_done
        self._most = settings.inbound_max_bytes
        self._stop = stop
        self._busy = False

    def run(self) -> None:
        """Fetch, wait for more, and come back after any trouble, with growing pauses."""
        pause = 0.0
        while not self._stop.wait(pause):
            began = time.monotonic()
            try:
                self._session()
            except MailboxLoginError:
                log.error("imap.login_refused", host=self._mailbox.host)
            except _NotNow:
                log.warning("imap.nothing_kept", why="the database is away; the mails stay where they are")
            except _TROUBLE as error:
                log.warning("imap.lost", host=self._mailbox.host, error=type(error).__name__)
            except Exception as error:  # noqa: BLE001 - whatever it was, mail must come in again
                log.error("imap.unforeseen", host=self._mailbox.host, error=type(error).__name__)
            if self._busy or time.monotonic() - began > LONGEST_PAUSE:  # it went well
                pause = 0.0
            pause = min(LONGEST_PAUSE, pause * 2 or 1.0)

    def _session(self) -> None:
        self._busy = False
        box = self._mailbox.open()
        try:
            folders = _Folders(box, self._mailbox.folder, self._done)
            log.info("imap.open", host=self._mailbox.host, idle=_can(box, "IDLE"), move=_can(box, "MOVE"))
            while not self._stop.is_set():
                while self._collect(box, folders):
                    pass
                self._wait(box)
        finally:
            with suppress(*_TROUBLE):
                box.logout()
            with suppress(OSError):
                box.client.shutdown()

    def _collect(self, box: BaseMailBox, folders: _Folders) -> bool:
        """Take what is unread; whether there may be more."""
        box.client.noop()
        _forget_news(box)
        taken = 0
        for uid in box.uids("UNSEEN", None):
            if self._stop.is_set():
                return False
            taken += self._take(box, folders, uid)
        self._busy = self._busy or taken > 0
        return taken > 0 or _forget_news(box)

    def _take(self, box: BaseMailBox, folders: _Folders, uid: str) -> bool:
        """Keep one mail, then put it away. False: it is still there."""
        size = _size(box, uid)
        if size is None:  # another fetcher was quicker
            return False
        if size > self._most:
            log.warning("inbound.refused", via="imap", bytes=size)
            folders.put_away(uid, refused=True)
            return True
        raw = _raw(box, uid)
        if raw is None:
            return False
        try:
            with self._app.app_context():
                received = inbound.receive(raw=raw, via="imap", envelope_from=None, envelope_to=(), now=clock.now())
        except Refusal as refusal:
            if refusal.code == UNAVAILABLE:
                raise _NotNow from refusal
            if refusal.code != INVALID:
                raise
            log.warning("inbound.refused", via="imap", bytes=size)
            folders.put_away(uid, refused=True)
            return True
        except Exception as error:  # noqa: BLE001 - one mail must not stop the others; it stays and is tried again
            log.error("inbound.unforeseen", via="imap", error=type(error).__name__)
            return False
        log.info("inbound.received", via="imap", mail=received.id, new=received.new)
        folders.put_away(uid, refused=False)
        return True

    def _wait(self, box: BaseMailBox) -> None:
        """Until there may be new mail, or it is time to look anyway, or to stop."""
        if not _can(box, "IDLE"):
            self._stop.wait(POLL)
            return
        box.idle.start()  # type: ignore[no-untyped-call]
        end = time.monotonic() + IDLE
        while not self._stop.is_set() and time.monotonic() < end:
            before = time.monotonic()
            if _told(box):
                break
            if time.monotonic() - before < LOOK_UP / 2:  # there is something to read, but nothing comes: hung up on
                break
        box.idle.stop()  # type: ignore[no-untyped-call]


class _Folders:
    """Where mails go that are done with. Where nothing can be moved they are flagged."""

    def __init__(self, box: BaseMailBox, inbox: str, done: str) -> None:
        self._box = box
        self._inbox = inbox
        self._done = self._made(done) if done else None
        self._refused = self._made(f"{done}-refused") if done else None

    def put_away(self, uid: str, *, refused: bool) -> None:
        """Move the mail out of the way; a refused one to a folder of its own."""
        folder = self._refused if refused else self._done
        if folder is not None:
            try:
                self._move(uid, folder)
                return
            except ImapToolsError as error:
                log.warning("imap.not_moved", error=type(error).__name__)
        self._box.flag(uid, [MailMessageFlags.SEEN, *([MailMessageFlags.FLAGGED] if refused else [])], True)

    def _move(self, uid: str, folder: str) -> None:
        if _can(self._box, "MOVE") or not _can(self._box, "UIDPLUS"):
            self._box.move(uid, folder)
            return
        # Only this mail is removed, not whatever somebody else has marked as deleted.
        self._box.copy(uid, folder)
        client = self._box.client
        client.uid("STORE", uid, "+FLAGS.SILENT", r"(\Deleted)")
        client.uid("EXPUNGE", uid)

    def _made(self, name: str) -> str | None:
        """The folder's name on this server, made if it is missing; None if it cannot be.

        Another fetcher may make it at the same moment, and a server that is just making the mailbox itself refuses: so
        it is looked for once more after a refusal, and tried again a moment later.
        """
        for pause in (0.0, 1.0):
            time.sleep(pause)
            listed = self._box.folder.list()
            delimiter = next((found.delim for found in listed if found.delim), "/")
            # Some servers allow folders below the INBOX only.
            names = (name, f"INBOX{delimiter}{name}")
            for candidate in names:
                if any(found.name == candidate for found in listed):
                    return candidate
            for candidate in names:
                with suppress(ImapToolsError):
                    self._box.folder.create(candidate)
                    return candidate
                if self._box.folder.exists(candidate):
                    return candidate
        log.warning("imap.no_folder", folder=name)
        return None


def _can(box: BaseMailBox, what: str) -> bool:
    return what in box.client.capabilities


def _told(box: BaseMailBox) -> bool:
    """Whether the server says something while we wait for it, within a moment."""
    try:
        return bool(box.idle.poll(timeout=LOOK_UP))
    except imaplib.IMAP4.abort as error:
        if "unterminated line" not in str(error):
            raise
        box.client.readline()  # only a piece of the line had come; this waits for the rest
        return True


def _forget_news(box: BaseMailBox) -> bool:
    """Whether the server has told of new mails since this was last asked."""
    _, told = box.client.response("EXISTS")
    return told != [None]


def _size(box: BaseMailBox, uid: str) -> int | None:
    """The size of a mail; None if it is gone."""
    found = next(filter(None, map(_SIZE.search, _lines(box, uid, "(RFC822.SIZE)"))), None)
    return int(found[1]) if found else None


def _raw(box: BaseMailBox, uid: str) -> bytes | None:
    """A mail to the byte, which stays unread; None if it is gone."""
    _, answer = box.client.uid("FETCH", uid, "(BODY.PEEK[])")
    return next((bytes(part[1]) for part in answer if isinstance(part, tuple)), None)


def _lines(box: BaseMailBox, uid: str, what: str) -> list[bytes]:
    _, answer = box.client.uid("FETCH", uid, what)
    return [part if isinstance(part, bytes) else b"".join(part) for part in answer if part]

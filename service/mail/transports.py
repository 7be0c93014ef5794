"""Ways to send a mail: an SMTP server, or a folder of .eml files that the development inbox shows."""

from __future__ import annotations

import hashlib
import os
import re
import smtplib
import ssl
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

from service.mail.errors import PermanentMailError, TemporaryMailError

TIMEOUT: Final = 20.0
"""Seconds for each answer of a mail server: well below the lease of an outbox row."""
_NO_MAILBOX: Final = re.compile(rb"\s*(5\.1\.(?:1|2|3|6|10)|5\.2\.1)\b")
"""What says that the address is bad. A bare 550 may as well mean us, and must not make all addresses look bad."""
_PORTS: Final = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}


class Transport(Protocol):
    """Sends one message; raises TemporaryMailError or PermanentMailError if it was not taken."""

    def send(self, message: EmailMessage, sender: str | None = None) -> None:
        """Hand the message over. Returning means that the other side has taken it.

        ``sender``: where it comes back to if it cannot be delivered; otherwise to its From.
        """


@dataclass(frozen=True)
class Smtp:
    """One connection a mail: slow, but nothing to keep alive and nothing to lose in a fork."""

    host: str
    port: int
    security: str
    """``smtp`` (plain), ``smtps`` (TLS from the start) or ``smtp+starttls`` (TLS demanded after hello)."""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    timeout: float = TIMEOUT

    def send(self, message: EmailMessage, sender: str | None = None) -> None:
        """Deliver to the server, which answers for the mail from then on."""
        try:
            server = self._connect()
        except (smtplib.SMTPException, OSError) as error:
            # Nothing about this mail is wrong: whatever it is, the operator or time will mend it.
            raise TemporaryMailError(f"no mail server: {_said(error)}") from error
        try:
            server.send_message(message, from_addr=sender)
        except smtplib.SMTPRecipientsRefused as error:
            code, said = max(error.recipients.values())
            raise _for_code(code, f"recipient refused: {code}", said) from error
        except smtplib.SMTPSenderRefused as error:
            raise TemporaryMailError(f"sender refused: {error.smtp_code}") from error
        except smtplib.SMTPResponseException as error:
            raise _for_code(error.smtp_code, f"mail refused: {error.smtp_code}") from error
        except (smtplib.SMTPException, OSError) as error:
            raise TemporaryMailError(f"connection lost: {_said(error)}", unsure=True) from error
        except UnicodeError as error:
            raise PermanentMailError("the address cannot be written in a mail") from error
        finally:
            # The mail is out or refused by now; a server rude at goodbye must not make us send it again.
            with suppress(smtplib.SMTPException, OSError):
                server.quit()
            server.close()

    def _connect(self) -> smtplib.SMTP:
        if self.security == "smtps":
            context = ssl.create_default_context()
            server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=self.timeout, context=context)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=self.timeout)
        try:
            if self.security == "smtp+starttls":
                server.starttls(context=ssl.create_default_context())
            server.ehlo_or_helo_if_needed()  # here, where a refusal is not one of this mail
            if self.user:
                server.login(self.user, self.password)
        except BaseException:
            server.close()
            raise
        return server


def _for_code(code: int, words: str, said: bytes = b"") -> TemporaryMailError | PermanentMailError:
    if not 500 <= code < 600:
        return TemporaryMailError(words)
    status = _NO_MAILBOX.match(said)
    return PermanentMailError(words, no_mailbox=None if status is None else status[1].decode())


def _said(error: Exception) -> str:
    """The error without the server's own words, which may quote an address."""
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{type(error).__name__} {error.smtp_code}"
    if isinstance(error, smtplib.SMTPException):
        return type(error).__name__
    return f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class Folder:
    """Writes each mail as a file named after its Message-ID: sent again, it is the same file again."""

    path: Path

    def send(self, message: EmailMessage, sender: str | None = None) -> None:
        """Write the file whole or not at all; the sender is a Return-Path on top, as delivery leaves it."""
        top = b"" if sender is None else f"Return-Path: <{sender}>\n".encode("ascii")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.path, suffix=".part", delete=False) as draft:
                try:
                    draft.write(top + message.as_bytes())
                    draft.flush()
                    os.fsync(draft.fileno())
                    Path(draft.name).replace(self.path / file_name(str(message["Message-ID"])))
                except BaseException:
                    Path(draft.name).unlink(missing_ok=True)  # on a full disk every try would leave one more
                    raise
        except OSError as error:
            raise TemporaryMailError(f"mail folder: {error.strerror}") from error


def file_name(message_id: str) -> str:
    """A safe file name for a Message-ID, different for different ids."""
    readable = re.sub(r"[^A-Za-z0-9.@-]", "_", message_id.strip("<> "))[:60].lstrip(".-") or "mail"
    return f"{readable}-{hashlib.sha256(message_id.encode()).hexdigest()[:10]}.eml"


def transport_from(url: str) -> Transport:
    """The transport that MAIL_URL asks for; ValueError says what is wrong with it, without its password."""
    scheme, _, rest = url.partition(":")
    if scheme == "folder" and rest:
        return Folder(Path(rest.removeprefix("//")))
    if scheme not in _PORTS:
        raise ValueError(
            "MAIL_URL must look like folder:var/mail, smtp://host:25, smtps://user:password@host or "
            "smtp+starttls://user:password@host:587"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ValueError("MAIL_URL has a port that is no number between 0 and 65535") from error
    if not parts.hostname:
        raise ValueError("MAIL_URL names no host")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("MAIL_URL ends after the host and port; write special characters of a password as %XX")
    return Smtp(
        host=parts.hostname,
        port=port or _PORTS[scheme],
        security=scheme,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )

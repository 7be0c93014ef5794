"""The domain's signature under a mail (DKIM, RFC 6376): who receives it can see that it is from us and unchanged."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import dkim

from service.mail.errors import TemporaryMailError

#: Signed if they are there. RFC 8058 wants the unsubscribe headers signed; From stands twice, so that no second one
#: can be put on top of it unnoticed.
_HEADERS: Final = (
    *("From", "From", "Reply-To", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
    *("List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted", "MIME-Version", "Content-Type"),
)


class KeyFileError(ValueError):
    """The key cannot be used; the message says why and holds nothing of it."""


class _Signer(dkim.DKIM):  # type: ignore[misc]  # dkimpy publishes no types
    """dkimpy's, with the time handed in: the same mail has the same signature each time."""

    signed_at = 0

    def gen_header(self, fields: list[tuple[bytes, bytes]], *args: Any, **options: Any) -> bytes:
        stamp = str(self.signed_at).encode("ascii")
        at = [(name, stamp if name == b"t" else value) for name, value in fields]
        made: bytes = super().gen_header(at, *args, **options)
        return made


@lru_cache(maxsize=4)
def _key(path: str) -> bytes:
    """The private key: RSA as PEM, as ``openssl genrsa`` and ``opendkim-genkey`` write it."""
    try:
        pem = Path(path).read_bytes()
    except OSError as error:
        raise KeyFileError(f"cannot be read: {error.strerror}") from None
    try:
        bits = int(dkim.parse_pem_private_key(pem)["modulus"]).bit_length()
    except Exception:  # noqa: BLE001 - a damaged key makes dkimpy fail in many ways, and none may quote the key
        raise KeyFileError("is no RSA private key in PEM form, like one that `openssl genrsa 2048` writes") from None
    if bits < 1024:
        raise KeyFileError(f"has a key of {bits} bits; mail servers believe none below 1024 (2048 is usual)")
    return pem


def check_key(path: str) -> None:
    """Whether mails can be signed with this file; KeyFileError says why not."""
    _key(path)


def sign(message: EmailMessage, *, key_file: str, selector: str, domain: str, at: datetime) -> None:
    """Put the signature into the message, whose bytes must be sent as they are from then on."""
    try:
        signer = _Signer(message.as_bytes(), linesep=b"\r\n")
        signer.signed_at = int(at.timestamp())
        there = {name.lower() for name in message}
        header = signer.sign(
            selector.encode("ascii"),
            domain.encode("ascii"),
            _key(key_file),
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[name.encode("ascii") for name in _HEADERS if name.lower() in there],
        )
    except (KeyFileError, dkim.DKIMException) as error:
        raise TemporaryMailError(f"not signed: {type(error).__name__}") from None
    value = header.decode("ascii").partition(":")[2]
    message["DKIM-Signature"] = "".join(value.splitlines()).strip()

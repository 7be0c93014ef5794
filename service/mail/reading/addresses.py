"""Addresses and encoded words in headers, as strangers write them."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final, NamedTuple

from service.mail.reading.charsets import decode
from service.mail.reading.text import safe_line

_LONGEST: Final = 10_000
_MOST: Final = 100
_WORD: Final = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,20})?\?([bBqQ])\?([^?]{0,2000})\?=")
_BETWEEN_WORDS: Final = re.compile(r"(\?=)\s+(=\?)")
#: A quoted text, a comment, an address in angle brackets, a sign that parts, anything else.
_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.){0,1000}"?|\((?:[^()\\]|\\.){0,1000}\)?|<[^<>]{0,400}>?|[,;:]|[^",;:<(]+', re.DOTALL
)
_ADDRESS: Final = re.compile(r'([^\s@<>()\[\],;:"\\]{1,64})@([^\s@<>()\[\],;:"\\]{1,255}|\[[0-9A-Fa-f.:IPv]{3,50}\])')


class Mailbox(NamedTuple):
    """A display name (a safe line, perhaps empty) and a bare address with its domain in lower case."""

    name: str
    address: str


def mailboxes(value: str) -> list[Mailbox]:
    """The addresses in a header that holds a list of them; what is none is left out."""
    found: list[Mailbox] = []
    name: list[str] = []
    angle: str | None = None
    for token in [*_TOKEN.findall(value[:_LONGEST]), ","]:
        if token in (",", ";"):
            bare = " ".join(name).strip()
            if address := bare_address(angle if angle is not None else bare):
                found.append(Mailbox(unworded("".join(name)) if angle is not None else "", address))
            name, angle = [], None
        elif token == ":":  # noqa: S105 - a sign, no secret
            name, angle = [], None  # the name of a group
        elif token.startswith("<"):
            angle = token.strip("<>")
        elif token.startswith('"'):
            name.append(re.sub(r"\\(.)", r"\1", token.strip('"')))
        elif not token.startswith("("):
            name.append(token)
        if len(found) >= _MOST:
            break
    return found


def bare_address(text: str) -> str | None:
    """The address, its domain in lower case; None if this is none or could not be shown."""
    text = text.strip().removeprefix("mailto:")
    match = _ADDRESS.fullmatch(text)
    if match is None or not text.isprintable():
        return None
    return f"{match[1]}@{match[2].lower()}"


def unworded(text: str) -> str:
    """Unstructured header text, its encoded words decoded (RFC 2047), as one safe line."""
    text = _BETWEEN_WORDS.sub(r"\1\2", text[:_LONGEST])
    pieces: list[str] = []
    at, held, held_charset = 0, b"", ""
    for match in _WORD.finditer(text):
        charset, data = match[1].lower(), _bytes_of(match[2], match[3])
        if held and (match.start() > at or charset != held_charset):
            pieces.append(decode(held, held_charset).text)
            held = b""
        pieces.append(text[at : match.start()])
        # Words that follow each other are joined before they are decoded: some programs cut letters in two.
        held, held_charset, at = held + data, charset, match.end()
    if held:
        pieces.append(decode(held, held_charset).text)
    return safe_line("".join([*pieces, text[at:]]), 500)


def _bytes_of(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return re.sub(rb"=([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), raw.replace(b"_", b" "))
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    try:
        return base64.b64decode(letters[: len(letters) - (len(letters) % 4 == 1)] + b"===")
    except (binascii.Error, ValueError):
        return b""

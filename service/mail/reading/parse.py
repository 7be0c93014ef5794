"""A mail's bytes taken apart: headers and parts. Tolerant, in time linear in its size, and without recursion limits.

The standard library's parser is not used here: it needs time quadratic in the depth of nesting, and raises for some
headers that strangers can write.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from service.mail.reading.charsets import decode

#: Parts inside parts inside parts: nobody nests deeper, and what is deeper is not read.
DEEPEST: Final = 25
#: Parts of one mail; further ones are not read.
MOST_PARTS: Final = 400
_MOST_HEADERS: Final = 2000
_LONGEST_HEADER: Final = 20_000
#: Bytes of all headers of a part, and of a body that is decoded: real ones are far shorter.
_LONGEST_HEADERS: Final = 256 * 1024
_LONGEST_CONTENT: Final = 2 * 1024 * 1024
_HEADER: Final = re.compile(rb"([!-9;-~]{1,200})[ \t]*:(.*)", re.DOTALL)
_PARAMETER: Final = re.compile(r";\s*([\w!#$%&'+^`{|}~.*-]+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"?|[^;]*)")
#: A line that begins a part, where no header says what such lines look like.
_BOUNDARY_LINE: Final = re.compile(rb"(?:(?<=\n)|\A)--([!-~]{1,100})[ \t]*\n(?=Content-)", re.IGNORECASE)
_ENCODINGS: Final = ("", "7bit", "8bit", "binary", "quoted-printable", "base64")
_NO_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]")


@dataclass(slots=True)
class Part:
    """A mail or a part of one. ``type`` is lower case, like ``text/plain``; ``defects`` says what is wrong with it."""

    headers: list[tuple[str, str]]
    body: bytes
    type: str = "text/plain"
    parameters: dict[str, str] = field(default_factory=dict)
    disposition: str = ""
    file_name: bool = False
    parts: list[Part] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        """The values of the headers of this name, the topmost first; unfolded, undecoded."""
        return [value for header, value in self.headers if header == name]

    def first(self, name: str) -> str:
        """The topmost header's value, or the empty string."""
        return next((value for header, value in self.headers if header == name), "")

    def walk(self) -> Iterator[Part]:
        """This part and all parts in it in the order of the mail, but nothing of a mail within the mail."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting.extend(reversed(part.parts))

    def content(self) -> bytes:
        """The body without its transfer encoding; of a long one, its beginning."""
        body = self.body[:_LONGEST_CONTENT]
        encoding = self.first("content-transfer-encoding").split(";")[0].strip().strip("\"'").lower()
        if encoding not in _ENCODINGS:
            self.defects.append("encoding")
        if encoding == "base64":
            return self._from_base64(body)
        if encoding == "quoted-printable":
            return _from_quoted_printable(body)
        return body

    def text(self) -> str:
        """The body as text, lines parted by ``\\n``. Adds to the defects what is wrong with it."""
        decoded = decode(self.content(), self.parameters.get("charset", ""))
        if not decoded.as_said:
            self.defects.append("charset")
        return decoded.text.replace("\r\n", "\n").replace("\r", "\n")

    def _from_base64(self, body: bytes) -> bytes:
        begin = body.lstrip()[:60].split(b"\n")[0].rstrip(b" \t=")
        if _NO_BASE64.search(begin):
            self.defects.append("base64")  # it only says that it is: people read what stands there
            return body
        # What follows the padding was put there by somebody else on the way, as footers of lists are.
        letters = _NO_BASE64.sub(b"", body.partition(b"=")[0])
        if len(letters) % 4 == 1 or (len(letters) % 4 and b"=" not in body):
            self.defects.append("base64")
        letters = letters[: len(letters) - (len(letters) % 4 == 1)]
        try:
            return base64.b64decode(letters + b"=" * (-len(letters) % 4))
        except (binascii.Error, ValueError):
            return b""


def parse(raw: bytes) -> Part:
    """The mail in these bytes; any bytes. The defects of all its parts are those that show before texts are decoded."""
    raw = raw.replace(b"\r\n", b"\n")
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    whole = _part(raw.lstrip(b"\n") if raw[:1] == b"\n" else raw, outermost=True)
    waiting, count = [(whole, 0)], 1
    while waiting:
        part, depth = waiting.pop()
        if not part.type.startswith("multipart/") or depth >= DEEPEST or count >= MOST_PARTS:
            continue
        pieces = _split(part, MOST_PARTS - count)
        part.parts = [_part(piece) for piece in pieces]
        count += len(pieces)
        waiting.extend((child, depth + 1) for child in part.parts)
    return whole


def _part(raw: bytes, *, outermost: bool = False) -> Part:
    headers, body, broken = _headers(raw, outermost=outermost)
    part = Part(headers, body)
    if broken:
        part.defects.append("headers")
    if said := part.first("content-type"):
        # A type that is none is to be taken for text (RFC 2045 §5.2).
        kind = re.match(r"\s*([\w.+-]+/[\w.+-]+)", said)
        part.type = kind[1].lower() if kind else "text/plain"
        part.parameters = _parameters(said)
    elif outermost and (guessed := _BOUNDARY_LINE.match(body)):
        part.defects.append("headers")
        part.type, part.parameters = "multipart/mixed", {"boundary": guessed[1].decode("utf-8", "replace")}
    disposition = part.first("content-disposition")
    part.disposition = disposition.split(";")[0].strip().lower()
    part.file_name = "filename" in _parameters(disposition) or "name" in part.parameters
    return part


def _headers(raw: bytes, *, outermost: bool) -> tuple[list[tuple[str, str]], bytes, bool]:
    """The header lines, what follows them, and whether the empty line between is missing."""
    headers: list[tuple[str, list[bytes]]] = []
    at = 0
    while at < len(raw):
        if at > _LONGEST_HEADERS or len(headers) > _MOST_HEADERS:
            return _unfolded(headers), b"", True
        end = raw.find(b"\n", at)
        end = len(raw) if end < 0 else end
        line = raw[at:end]
        if not line.strip(b" \t\r\x00"):
            return _unfolded(headers), raw[end + 1 :], outermost and not headers
        if line[:1] in b" \t" and headers:
            headers[-1][1].append(line)
        elif header := _HEADER.match(line):
            headers.append((header[1].decode("ascii").lower(), [header[2]]))
        elif not (at == 0 and re.match(rb">?From ", line)):  # the first line of a mail in a mailbox file
            cut_off = end == len(raw) and re.fullmatch(rb"[A-Za-z-]+", line) is not None
            return _unfolded(headers), b"" if cut_off else raw[at:], True
        at = end + 1
    return _unfolded(headers), b"", outermost and not headers


def _unfolded(headers: list[tuple[str, list[bytes]]]) -> list[tuple[str, str]]:
    whole = []
    for name, lines in headers:
        value = b"".join(lines)[:_LONGEST_HEADER].strip()
        try:
            text = value.decode("utf-8")
        except UnicodeDecodeError:
            text = value.decode("cp1252", "replace")
        whole.append((name, text))
    return whole


def _parameters(value: str) -> dict[str, str]:
    """``; name=value``, with the continuations and charsets of RFC 2231 only named, as no value of theirs is needed."""
    found: dict[str, str] = {}
    for name, given in _PARAMETER.findall(re.sub(r"\s*\([^()]*\)\s*$", "", value[:4000])):
        plain = name.lower().split("*")[0]
        text = re.sub(r"\\(.)", r"\1", given[1:].removesuffix('"')) if given.startswith('"') else given
        text = text.rsplit("'", 1)[-1] if "*" in name else text
        found[plain] = found.get(plain, "") + text.strip() if "*" in name else found.get(plain) or text.strip()
    return found


def _split(part: Part, most: int) -> list[bytes]:
    """The pieces between the boundary lines of a multipart; without a boundary that stands there, all as one text."""
    boundary = part.parameters.get("boundary", "").encode("utf-8", "replace").rstrip()
    pieces: list[bytes] = []
    start, closed = -1, False
    mark = b"--" + boundary
    at = part.body.find(mark) if boundary else -1
    while at >= 0 and len(pieces) < most:
        end = part.body.find(b"\n", at)
        end = len(part.body) if end < 0 else end
        rest = part.body[at + len(mark) : end].strip(b" \t\r")
        if (at == 0 or part.body[at - 1 : at] == b"\n") and rest in (b"", b"--"):
            if start >= 0:
                pieces.append(part.body[start : max(start, at - 1)])
            start, closed = end + 1, rest == b"--"
            if closed:
                break
        at = part.body.find(mark, at + len(mark))
    if start < 0:
        part.defects.append("boundary")
        guessed = _BOUNDARY_LINE.search(part.body)
        if guessed and guessed[1] != boundary:
            part.parameters["boundary"] = guessed[1].decode("utf-8", "replace")
            return _split(part, most)
        return [b"\n" + part.body] if part.body.strip() else []
    if not closed:
        part.defects.append("cut off")
        if len(pieces) < most:
            pieces.append(part.body[start:])
    return pieces


def _from_quoted_printable(body: bytes) -> bytes:
    # White space at the end of a line was added on the way; after a = it is a soft break all the same.
    lines = [line.rstrip(b" \t\r") for line in body.split(b"\n")]
    return binascii.a2b_qp(b"\n".join(lines))

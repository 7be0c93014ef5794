"""Mail programs: how what a person typed becomes a mail, with the quote, signature and MIME of each program.

Each is written after what the program really sends, so that reading replies is tried on the forms that people's
programs make, not on the form that suits the reader.
"""

from __future__ import annotations

import html
import quopri
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.message import EmailMessage
from email.utils import format_datetime, formataddr, parseaddr
from typing import ClassVar

from service.cli import letters


@dataclass(frozen=True)
class Writer:
    """Whose mail it is."""

    name: str
    address: str


@dataclass(frozen=True)
class Sheet:
    """What somebody is about to send: their own text, to whom, and the mail it answers if it answers one."""

    writer: Writer
    to: str
    subject: str
    text: str
    answered: EmailMessage | None = None

    @property
    def original(self) -> str:
        """The text of the mail that is answered."""
        return "" if self.answered is None else letters.text_of(self.answered).replace("\r\n", "\n").rstrip("\n")

    @property
    def original_html(self) -> str:
        """What stands in the body of the HTML of the mail that is answered."""
        body = None if self.answered is None else self.answered.get_body(("html",))
        whole = "" if body is None else str(body.get_content())
        inner = re.search(r"<body[^>]*>(.*)</body>", whole, re.DOTALL | re.IGNORECASE)
        return inner[1].strip() if inner else _as_html(self.original)

    @property
    def sender(self) -> str:
        """Who wrote the mail that is answered, as programs name them."""
        assert self.answered is not None
        return str(self.answered["From"])

    @property
    def sent(self) -> datetime:
        """When the mail that is answered was sent."""
        assert self.answered is not None
        found = self.answered["Date"].datetime
        assert isinstance(found, datetime)
        return found


def reply(writer: Writer, text: str, mail: EmailMessage) -> Sheet:
    """An answer to a mail, where the mail says that answers go."""
    return Sheet(writer, str(mail["Reply-To"] or mail["From"]), letters.subject_of(mail), text, mail)


class Program:
    """A mail program. ``write`` is all it does."""

    name: ClassVar[str]
    prefix: ClassVar[str] = "Re: "

    def write(self, sheet: Sheet) -> bytes:
        """The mail as the program hands it to its server."""
        kind, body = self.body(sheet)
        now = datetime.now(UTC)
        head = [
            ("From", formataddr((sheet.writer.name, sheet.writer.address))),
            ("To", sheet.to),
            ("Subject", Header(self._subject(sheet), maxlinelen=76).encode()),
            ("Date", format_datetime(now)),
            ("Message-ID", self.message_id(sheet.writer)),
            *self._thread(sheet),
            ("MIME-Version", "1.0"),
            *self.marks(),
            *kind,
        ]
        return _lines(f"{name}: {value}" for name, value in head) + b"\r\n" + body

    def body(self, sheet: Sheet) -> tuple[list[tuple[str, str]], bytes]:
        """The headers that say what the body is, and the body."""
        raise NotImplementedError

    def marks(self) -> list[tuple[str, str]]:
        """Headers by which the program can be told."""
        return []

    def message_id(self, writer: Writer) -> str:
        """A new Message-ID."""
        return f"<{secrets.token_hex(16)}@{writer.address.partition('@')[2]}>"

    def _subject(self, sheet: Sheet) -> str:
        if sheet.answered is None or re.match(r"(?i)(re|aw):", sheet.subject):
            return sheet.subject
        return self.prefix + sheet.subject

    def _thread(self, sheet: Sheet) -> list[tuple[str, str]]:
        if sheet.answered is None:
            return []
        answered = str(sheet.answered["Message-ID"])
        before = str(sheet.answered["References"] or "").split()
        return [("In-Reply-To", answered), ("References", "\r\n ".join([*before, answered]))]


class GmailWeb(Program):
    """Gmail in a browser: above the quote, its attribution broken in two, both forms."""

    name = "Gmail web"

    def message_id(self, writer: Writer) -> str:
        return f"<CA{secrets.token_urlsafe(36).replace('-', '+').replace('_', '=')}@mail.gmail.example>"

    def body(self, sheet: Sheet) -> tuple[list[tuple[str, str]], bytes]:
        plain, rich = sheet.text + "\n", f'<div dir="ltr">{_as_html(sheet.text)}</div>'
        if sheet.answered is not None:
            day = sheet.sent.strftime("%a, %b %-d, %Y at %-I:%M\u202f%p")
            name, address = parseaddr(sheet.sender)
            plain += f"\nOn {day} {name} <{address}>\nwrote:\n\n{_quoted(sheet.original)}\n"
            rich += (
                '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
                f'On {day} {html.escape(name)} &lt;<a href="mailto:{address}">{address}</a>&gt; wrote:<br></div>'
                '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
                f'rgb(204,204,204);padding-left:1ex">{sheet.original_html}</blockquote></div>'
            )
        return _alternative(f"000000000000{secrets.token_hex(8)}", plain, rich, "UTF-8")


class Outlook(Program):
    """Outlook for Windows: a signature, then the old mail under a block of headers, without any mark of a quote."""

    name = "Outlook"
    prefix = "RE: "

    def message_id(self, writer: Writer) -> str:
        mark = secrets.token_hex(16).upper()
        return f"\r\n <AM0PR37MB{mark}@AM0PR37MB8766.eurprd.example.net>"

    def marks(self) -> list[tuple[str, str]]:
        return [
            ("Thread-Index", "AdvQ" + secrets.token_urlsafe(18)),
            ("Accept-Language", "en-GB, en-US"),
            ("X-MS-Has-Attach", ""),
            ("x-originating-ip", "[192.0.2.130]"),
        ]

    def body(self, sheet: Sheet) -> tuple[list[tuple[str, str]], bytes]:
        name = sheet.writer.name
        regards = f"Kind regards,\n\n{name}\nNight scheduling, Hale Freight\nT: +44 20 7946 0303 | Desk 3"
        plain = f"{sheet.text}\n\n{regards}\n"
        rich = (
            '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal'
            " {margin:0cm}</style></head>"
            '<body lang="EN-GB"><div class="WordSection1">'
            + "".join(
                f'<p class="MsoNormal">{html.escape(line) or "<o:p>&nbsp;</o:p>"}</p>'
                for line in f"{sheet.text}\n\n{regards}\n".split("\n")
            )
        )
        if sheet.answered is not None:
            block = [
                ("From", sheet.sender),
                ("Sent", sheet.sent.strftime("%d %B %Y %H:%M")),
                ("To", formataddr((name, sheet.writer.address))),
                ("Subject", sheet.subject),
            ]
            plain += "\n" + "".join(f"{name}: {value}\n" for name, value in block) + f"\n{sheet.original}\n"
            rich += (
                '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
                '<p class="MsoNormal">'
                + "<br>".join(f"<b>{name}:</b> {html.escape(value)}" for name, value in block)
                + f'</p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>{sheet.original_html}'
            )
        return _alternative(
            f"_000_AM0PR03MB{secrets.token_hex(12)}_", plain, rich + "</div></body></html>", "windows-1252"
        )


class IPhone(Program):
    """Mail on an iPhone, as plain text: its signature has no dashes, the attribution stands in the quote."""

    name = "iPhone"

    def message_id(self, writer: Writer) -> str:
        mark = secrets.token_hex(16).upper()
        return f"<{mark[:8]}-{mark[8:12]}-{mark[12:16]}-{mark[16:20]}-{mark[20:]}@{writer.address.partition('@')[2]}>"

    def marks(self) -> list[tuple[str, str]]:
        return [("X-Mailer", "iPhone Mail (22D82)")]

    def body(self, sheet: Sheet) -> tuple[list[tuple[str, str]], bytes]:
        plain = f"{sheet.text}\n\nSent from my iPhone\n"
        if sheet.answered is not None:
            day = sheet.sent.strftime("%-d %b %Y, at %H:%M")
            plain += "\n" + _quoted(f"On {day}, {sheet.sender} wrote:\n\n\ufeff{sheet.original}") + "\n"
        return [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "quoted-printable"),
        ], _printable(plain, "utf-8")


class Thunderbird(Program):
    """Thunderbird: format=flowed, the answer below the quote, and a signature of the old kind that ends in numbers."""

    name = "Thunderbird"

    def message_id(self, writer: Writer) -> str:
        mark = secrets.token_hex(16)
        return f"<{mark[:8]}-{mark[8:12]}-{mark[12:16]}-{mark[16:20]}-{mark[20:]}@{writer.address.partition('@')[2]}>"

    def marks(self) -> list[tuple[str, str]]:
        return [("User-Agent", "Mozilla Thunderbird"), ("Content-Language", "en-GB")]

    def body(self, sheet: Sheet) -> tuple[list[tuple[str, str]], bytes]:
        plain = ""
        if sheet.answered is not None:
            name, _ = parseaddr(sheet.sender)
            plain = f"On {sheet.sent.strftime('%d/%m/%Y %H:%M')}, {name} wrote:\n{_quoted(sheet.original)}\n\n"
        plain += "\n".join(_flowed(line) for line in sheet.text.split("\n"))
        plain += f"\n\n-- \n{sheet.writer.name}\nTel. +34 555 010 203\nextension\n3\n7\n"
        return [
            ("Content-Type", "text/plain; charset=UTF-8; format=flowed"),
            ("Content-Transfer-Encoding", "8bit"),
        ], _lines(plain.split("\n"))


class Webmail(Program):
    """A provider's web page: HTML and nothing else, hard spaces between the words, the whole body one line."""

    name = "webmail, HTML only"

    def marks(self) -> list[tuple[str, str]]:
        return [("X-Mailer", "Open-Xchange Mailer v8.20.61")]

    def body(self, sheet: Sheet) -> tuple[list[tuple[str, str]], bytes]:
        own = "".join(
            f'<div class="default-style">{html.escape(line).replace(" ", "&nbsp;") or "&nbsp;"}</div>'
            for line in sheet.text.split("\n")
        )
        quote = ""
        if sheet.answered is not None:
            name, address = parseaddr(sheet.sender)
            quote = (
                f'<blockquote type="cite"><div>{sheet.sent.strftime("%d.%m.%Y %H:%M")} CET {html.escape(name)} '
                f'&lt;<a href="mailto:{address}">{address}</a>&gt; wrote:</div><div>&nbsp;</div>'
                f"<div>{sheet.original_html}</div></blockquote>"
            )
        whole = f'<!doctype html><html><head><meta charset="UTF-8"></head><body>{own}{quote}</body></html>'
        return [
            ("Content-Type", "text/html; charset=UTF-8"),
            ("Content-Transfer-Encoding", "quoted-printable"),
        ], _printable(whole.replace("\n", " "), "utf-8")


class Yahoo(Program):
    """Yahoo in a browser: the old mail in full below an indented attribution, not marked as a quote in any way."""

    name = "Yahoo web"

    def marks(self) -> list[tuple[str, str]]:
        return [("X-Mailer", "WebService/1.1.23665 YMailNorrin")]

    def body(self, sheet: Sheet) -> tuple[list[tuple[str, str]], bytes]:
        plain = f" {sheet.text}\n"
        rich = f'<div class="yahoo-style-wrap"><div dir="ltr">{_as_html(sheet.text)}</div><div><br></div></div>'
        if sheet.answered is not None:
            line = f"On {sheet.sent.strftime('%A, %B %d, %Y at %I:%M:%S %p')} GMT+2, {sheet.sender} wrote:"
            plain += f"   \n\n    {line}  \n \n {sheet.original}\n  "
            rich += (
                f'<div id="yahoo_quoted_{secrets.randbelow(10**10)}" class="yahoo_quoted"><div><div>'
                f"{html.escape(line)}</div><div><br></div><div>{sheet.original_html}</div></div></div>"
            )
        return _alternative(f"----=_Part_{secrets.randbelow(10**7)}_{secrets.randbelow(10**10)}", plain, rich, "UTF-8")


PROGRAMS = (GmailWeb(), Outlook(), IPhone(), Thunderbird(), Webmail(), Yahoo())


def _alternative(boundary: str, plain: str, rich: str, charset: str) -> tuple[list[tuple[str, str]], bytes]:
    whole = b""
    for kind, text in (("text/plain", plain), ("text/html", rich)):
        head = [
            f"--{boundary}",
            f'Content-Type: {kind}; charset="{charset}"',
            "Content-Transfer-Encoding: quoted-printable",
        ]
        whole += _lines([*head, ""]) + _printable(text, charset) + b"\r\n"
    return [("Content-Type", f'multipart/alternative;\r\n\tboundary="{boundary}"')], whole + _lines([f"--{boundary}--"])


def _printable(text: str, charset: str) -> bytes:
    # Text that the program's charset does not know is replaced, as old programs do.
    encoded = quopri.encodestring(text.encode(charset, "replace"))
    return b"\r\n".join(encoded.split(b"\n")) + b"\r\n"


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode()


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() if line != "-- " else "> -- " for line in text.split("\n"))


def _flowed(line: str) -> str:
    """Broken before 72 letters at a space that stays at the end; what could be taken for a quote is stuffed."""
    done = []
    while len(line) > 72 and " " in line[:72]:
        cut = line.rindex(" ", 0, 72) + 1
        done.append(line[:cut])
        line = line[cut:]
    return "\n".join(f" {part}" if part.startswith((" ", ">", "From ")) else part for part in [*done, line])


def _as_html(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")

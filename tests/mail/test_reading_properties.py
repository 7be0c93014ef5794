"""What holds for any mail: reading never fails, takes no time, and hears a command only in the sender's own text."""

import random
import time
from html import escape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.commands import read_line
from service.mail.reading import Letter, authenticated, read
from service.mail.reading.text import safe_line

LETTERS = sorted(Path(__file__).with_name("letters").glob("*/*.eml"))
COMMANDS = (
    "t1 m3 gem", "3", "stop", "surrender", "catch purple>yellow", "bribe lowest", "t1 c3 gold catch purple bribe 2",
    "status", "hand", "history 12", "say hello all", "note gem first", "resign", "accept", "away 5d", "digest on",
    "pause mail", "unsubscribe", "new 3 seats", "join ABCD2345",
)  # fmt: skip
HEAD = "From: Robin Vale <robin@example.org>\nTo: play+abc@emerald.example\nSubject: Re: Your turn\nMIME-Version: 1.0\n"
KINDS = {
    "command", "no-command", "auto-reply", "bounce-hard", "bounce-soft", "complaint", "receipt", "loop", "malformed"
}  # fmt: skip
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)


def is_safe(text: str | None) -> bool:
    return text is None or (text.isprintable() and text == " ".join(text.split()))


def check(letter: Letter) -> None:
    """What is promised about any letter."""
    assert letter.kind in KINDS
    texts: list[str | None] = [
        *letter.lines,
        *letter.said,
        *letter.recipients,
        letter.subject,
        letter.sender_name,
        letter.sender,
    ]
    texts += [letter.message_id, letter.in_reply_to]
    if letter.report is not None:
        texts += [letter.report.recipient, letter.report.message_id, letter.report.status]
    assert all(is_safe(text) for text in texts)
    assert all(read_line(line) is not None for line in letter.lines)
    assert letter.kind in ("command", "malformed") or not letter.lines
    assert (letter.report is not None) <= letter.kind.startswith(("bounce", "complaint"))


@slow
@given(st.binary(max_size=3000))
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    check(read(raw))
    check(read(HEAD.encode() + raw))
    assert not authenticated(raw, "robin@example.org", ["mx.emerald.example"])


@slow
@given(st.text(max_size=2000), st.sampled_from(["plain", "html"]))
def test_any_text_is_read_as_safe_lines(text: str, subtype: str) -> None:
    check(read(f"{HEAD}Content-Type: text/{subtype}; charset=utf-8\n\n{text}".encode("utf-8", "replace")))


@slow
@given(st.text(), st.text(), st.text())
def test_no_text_of_a_strangers_becomes_a_header(name: str, subject: str, text: str) -> None:
    raw = f"From: {name} <robin@example.org>\nSubject: {subject}\n\nsay {text}".encode("utf-8", "replace")
    check(read(raw))


@slow
@given(st.integers(0, 2**32), st.integers(0, len(LETTERS) - 1))
def test_a_mail_broken_on_its_way_is_still_a_letter(seed: int, number: int) -> None:
    chance = random.Random(seed)
    raw = bytearray(LETTERS[number].read_bytes())
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(raw) + 1)
        match chance.randrange(5):
            case 0:
                del raw[at:]
            case 1:
                del raw[at : at + chance.randint(1, 300)]
            case 2:
                raw[at:at] = chance.randbytes(chance.randint(1, 12))
            case 3:
                lines = bytes(raw).split(b"\n")
                chance.shuffle(lines)
                raw = bytearray(b"\n".join(lines))
            case _:
                raw[at:at] = chance.choice([b"\r", b"\x00", b"\xff\xfe", b"--", b"\n\n", b"=?x?q?", "\u202e".encode()])
    check(read(bytes(raw)))


# --- a command counts only where the sender wrote it

ATTRIBUTIONS = (
    "On Wed, Mar 12, 2025 at 10:02\u202fAM Emerald <turns@emerald.example>\nwrote:",
    "Am Mi., 12. März 2025 um 10:02 Uhr schrieb Emerald <turns@emerald.example>:",
    "Le mer. 12 mars 2025 à 10:02, Emerald <turns@emerald.example> a écrit :",
    "El 12/3/25 a las 10:02, Emerald escribió:",
    "2025年3月12日(水) 10:02 Emerald <turns@emerald.example>:",
    "Emerald <turns@emerald.example> 于2025年3月12日周三 10:02写道：",
    "ср, 12 мар. 2025 г. в 10:02, Emerald <turns@emerald.example>:",
    "12.03.2025 10:02 Emerald <turns@emerald.example> skribis:",
)
BLOCKS = (
    "From: Emerald <turns@emerald.example>\nSent: 12 March 2025 10:02\nTo: Robin\nSubject: Your turn",
    "-----Ursprüngliche Nachricht-----\nVon: Emerald <turns@emerald.example>\nGesendet: heute\nAn: Robin\nBetreff: Zug",
    "________________________________\nDe : Emerald <turns@emerald.example>\nEnvoyé : hier\nÀ : Robin\nObjet : Tour",
    "Xa: Emerald <turns@emerald.example>\nXb: 2025-03-12 10:02\nXc: Robin\nXd: Your turn",
    "---------- Forwarded message ---------\nFrom: Emerald <turns@emerald.example>",
)
ENDS = (
    "-- \nRobin Vale", "--\nRobin", "Kind regards,\nRobin", "Mit freundlichen Grüßen\n\nRobin Vale",
    "Robin Vale\nHale Freight", "_______________________________________________\nlist@example.org",
)  # fmt: skip

lines_of_commands = st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=4).map("\n".join)


@st.composite
def hidden(draw: st.DrawFn, command: str) -> str:
    """The end of a plain mail in which the command stands only where it is not the sender's own text."""
    block = draw(st.sampled_from(BLOCKS))
    attribution = draw(st.sampled_from(ATTRIBUTIONS))
    quoted = "\n".join(f"> {line}" for line in command.split("\n"))
    end = draw(st.sampled_from(ENDS))
    return draw(
        st.sampled_from(
            [
                f"{attribution}\n\n{quoted}\n",
                f"{attribution}\n{quoted}\n\nThanks!\n\n{end}\n{command}\n",
                f"{attribution}\n\n{command}\n",
                f"{block}\n\n{command}\n",
                f"{end}\n{command}\n",
                f"{end}\n{command}\n\n{attribution}\n\n{quoted}\n",
                f"{end}\n\n{block}\n\n{command}\n",
                f"{quoted}\n",
            ]
        )
    )


@slow
@given(st.data(), lines_of_commands, st.sampled_from(["", "Hello there,\n\nnice move!\n\n", "Hm.\n\n"]))
def test_no_command_is_heard_in_quotes_and_signatures(data: st.DataObject, command: str, before: str) -> None:
    text = before + data.draw(hidden(command))
    letter = read(f"{HEAD}Content-Type: text/plain; charset=utf-8\n\n{text}".encode())
    assert letter.lines == (), text


@slow
@given(st.data(), lines_of_commands, st.sampled_from(COMMANDS))
def test_the_senders_own_command_is_heard_above_them(data: st.DataObject, command: str, own: str) -> None:
    text = f"{own}\n\n{data.draw(hidden(command))}"
    letter = read(f"{HEAD}Content-Type: text/plain; charset=utf-8\n\n{text}".encode())
    assert (letter.kind, letter.lines) == ("command", (own,)), text


PAGES = (
    '<div class="gmail_quote"><div class="gmail_attr">X:<br></div><blockquote>{}</blockquote></div>',
    '<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------</div>{}</div>',
    "<blockquote type=cite>{}</blockquote>", "<blockquote><div><blockquote>{}</blockquote></div></blockquote>",
    '<div id="appendonsend"></div><hr>{}', '<div id="divRplyFwdMsg"><b>X:</b> Y</div><div>{}</div>',
    '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>A:</b> b<br><b>C:</b> d<br><b>E:</b> f</p>'
    "</div></div><p>{}</p>",
    '<div id="yahoo_quoted_1" class="yahoo_quoted"><div>{}</div></div>', '<div class="gmail_signature">{}</div>',
    '<div class="protonmail_quote">Emerald wrote:<br><blockquote>{}</blockquote></div>',
    '<div style="display:none">{}</div>',
    "<script>{}</script>", "<style>{}</style>", "<!-- {} -->", "<p>--<br>Robin<br>{}</p>",
    '<div class="moz-cite-prefix">X wrote:</div><blockquote type="cite"><pre>{}</pre></blockquote>',
    '<div>On 12 March 2025 at 10:02, Emerald &lt;<a href="mailto:turns@emerald.example">turns@emerald.example</a>&gt; '
    "wrote:</div><div>{}</div>",
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
@slow
@given(lines_of_commands, st.sampled_from(COMMANDS), st.sampled_from(["<p>{}</p>", "<div>{}</div>", "{}<br>"]))
def test_html_hides_no_less(page: str, command: str, own: str, element: str) -> None:
    body = page.format(escape(command).replace("\n", "<br>"))
    head = f"{HEAD}Content-Type: text/html; charset=utf-8\n\n"
    assert read(f"{head}<p>Hm.</p>{body}".encode()).lines == ()
    assert read(f"{head}{element.format(escape(own))}{body}".encode()).lines == (own,)


OTHER_PLACES = (
    "Subject: {0}\nContent-Type: text/plain\n\nHm.",
    "X-Note: {0}\nContent-Type: text/plain\n\nHm.",
    "Content-Type: multipart/mixed; boundary=b\n\n{0}\n--b\n\nHm.\n--b--\n{0}\n",
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHm.\n--b\nContent-Disposition: attachment\n\n{0}\n--b--\n",
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHm.\n--b\nContent-Type: message/rfc822\n\nX: y\n\n{0}\n--b--",
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHm.\n--b\nContent-Type: text/plain; name=a\n\n{0}\n--b--",
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHm.\n--b\nContent-Type: text/calendar\n\n{0}\n--b--",
    "Content-Type: multipart/signed; boundary=b\n\n--b\n\nHm.\n--b\nContent-Type: text/plain\n\n{0}\n--b--\n",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n{0}\n--b--\n",
    "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\n{0}\n--b--\n",
    "Content-Type: application/octet-stream\n\n{0}",
    "Auto-Submitted: auto-replied\nContent-Type: text/plain\n\n{0}",
    "Precedence: bulk\nContent-Type: text/plain\n\n{0}",
    "List-Id: <a.example.org>\nContent-Type: text/plain\n\n{0}",
    "Return-Path: <>\nContent-Type: text/plain\n\n{0}",
)


@pytest.mark.parametrize("place", OTHER_PLACES)
@pytest.mark.parametrize("command", ["t1 m3 gem", "3", "say hi", "surrender"])
def test_no_command_is_heard_elsewhere_in_a_mail(place: str, command: str) -> None:
    mail = (HEAD.replace("Subject: Re: Your turn\n", "") if "Subject" in place else HEAD) + place.format(command)
    assert read(mail.encode()).lines == ()


# --- time

MEGA = 1 << 20
PLAIN = f"{HEAD}Content-Type: text/plain; charset=utf-8\n\n".encode()
HTML = f"{HEAD}Content-Type: text/html; charset=utf-8\n\n".encode()
MIXED = f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n".encode()
HEAVY = {
    "ten megabytes of lines": PLAIN + b"hello my friend\n" * (10 * MEGA // 16),
    "ten megabytes of commands": PLAIN + b"t1 m3 gem\n" * MEGA,
    "one line": PLAIN + b"say x y " * MEGA,
    "colons": PLAIN + b"a b c:\n" * 400_000,
    "headers that are none": PLAIN + b"Xrom: a\nYto: b\n\n" * 100_000,
    "dashes": PLAIN + b"-" * MEGA,
    "flowing": PLAIN.replace(b"plain;", b"plain; format=flowed;") + b"word \n" * MEGA,
    "nested multiparts": HEAD.encode()
    + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(10_000)),
    "many parts": MIXED + b"--b\n\nt1\n" * 500_000,
    "many pages": MIXED + (b"--b\nContent-Type: text/html\n\n" + b"<p>x" * 6000 + b"\n") * 390,
    "nested quotes": HTML + b"<blockquote>" * 10_000 + b"x" + b"</blockquote>" * 10_000,
    "nested lists": HTML + b"<ul><li>x" * 200_000,
    "attributes": HTML + b"<p " + b" ".join(b"a%d=1" % n for n in range(200_000)) + b">",
    "open tags": HTML + b"<a " * MEGA,
    "nested quotes of Gmail": HTML + b"<div class=gmail_quote>" * 500 + b"<i>x</i>" * 50_000,
    "headers": b"X-A: b\n" * 500_000,
    "one header": b"Subject: " + b"=?utf-8?q?" * MEGA,
    "senders": b"From: " + b"<" * MEGA + b"\n\nx",
    "parameters": b"Content-Type: text/plain" + b"; a*0*=''" * MEGA + b"\n\nx",
    "report": MIXED + b"--b\nContent-Type: message/delivery-status\n\n"
    + b"Final-Recipient: rfc822; a@b\nAction: failed\n\n" * 200_000,
    "bounce": b"From: mailer-daemon@x\nReturn-Path: <>\nSubject: failure notice\n\n" + b"a@<5.1." * MEGA,
    "zeros": bytes(10 * MEGA),
}  # fmt: skip


@pytest.mark.parametrize("name", HEAVY)
def test_reading_takes_no_time(name: str) -> None:
    began = time.thread_time()
    check(read(HEAVY[name]))
    authenticated(HEAVY[name], "robin@example.org", ["mx.emerald.example"])
    assert time.thread_time() - began < 2


def test_safe_lines_hold_nothing_that_cannot_be_seen() -> None:
    assert safe_line("a\u200b\u00a0 b\r\nBcc: c\u202e\x00\u2028d\ud800 ") == "a b Bcc: c d"

"""What a letter says beside its lines: who and whom, reports, and what our own server found out about the sender."""

import json
from pathlib import Path

import pytest

from service.mail import render
from service.mail.reading import authenticated, read
from service.mail.reading.letter import Report
from tests.mail import samples

GIVEN = Path(__file__).with_name("letters") / "given"


def given(number: int) -> tuple[bytes, dict[str, str]]:
    (path,) = GIVEN.glob(f"{number:02d}-*.eml")
    return path.read_bytes(), json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def test_who_wrote_to_whom() -> None:
    letter = read(given(4)[0])
    assert (letter.sender, letter.sender_name) == ("maren@example.net", "Maren Petersen")
    assert letter.recipients == ("turns+m4c1x8r6j2q9v0te@emerald.example",)
    assert letter.message_id == "<003101db9446$1a2f7c10$4e8d7430$@example.net>"
    assert letter.in_reply_to == "<turn-11.game-dl7f3a@emerald.example>"
    assert letter.said == ("m2 stop", "say Grüße aus Köln – bis später… und für 5 € gibt’s Kuchen")


def test_encoded_line_breaks_are_no_line_breaks() -> None:
    letter = read(given(13)[0])
    assert letter.subject == 'Re: Your turn in "Moonlit Quarry" (turn 13) Bcc: crowd@example.net X-Note: hi'
    assert (letter.sender, letter.sender_name) == ("ansel@example.net", "Ansel Cc: crowd@example.net")


@pytest.mark.parametrize(
    ("header", "sender", "name"),
    [
        ("From: Robin <Robin@EXAMPLE.org>", "Robin@example.org", "Robin"),
        ('From: "Vale, Robin" <robin@example.org>', "robin@example.org", "Vale, Robin"),
        ("From: robin@example.org (Robin)", "robin@example.org", ""),
        ('From: "ada@example.org" <robin@example.org>', "robin@example.org", "ada@example.org"),
        ("From: =?utf-8?q?ada=40example=2Eorg=3E?= <robin@example.org>", "robin@example.org", "ada@example.org>"),
        ("From: =?utf-8?b?w4k=?= =?utf-8?b?bWlsZQ==?= <e@example.org>", "e@example.org", "Émile"),
        ("From: =?gb2312?b?ztI=?= <e@example.org>", "e@example.org", "我"),
        ("From: Robin <robin@example.org>, Ada <ada@example.org>", None, ""),
        ("From: robin@example.org\nFrom: ada@example.org", None, ""),
        ("From: undisclosed-recipients:;", None, ""),
        ("From: Robin", None, ""),
        ("From: <robin@@example.org>", None, ""),
        ("To: robin@example.org", None, ""),
    ],
)
def test_the_sender_is_the_one_address_in_the_one_from(header: str, sender: str | None, name: str) -> None:
    letter = read(f"{header}\n\nt1".encode())
    assert (letter.sender, letter.sender_name) == (sender, name)


def test_recipients_are_the_envelopes_first() -> None:
    letter = read(
        b"X-Original-To: a+1@emerald.example\nDelivered-To: b@emerald.example\nFrom: r@example.org\n"
        b"To: Game <a+2@emerald.example>, group: c@example.org;\nCc: A+1@Emerald.example\n\nt1"
    )
    assert letter.recipients == (
        "a+1@emerald.example", "b@emerald.example", "a+2@emerald.example", "c@example.org", "A+1@emerald.example"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "status", "message"),
    [
        (20, "5.1.1", "<turn-9.game-sf0c77@emerald.example>"),
        (21, "4.2.2", "<turn-17.game-dl7f3a@emerald.example>"),
        (22, None, "<turn-14.game-ck1b90@emerald.example>"),
    ],
)
def test_a_report_says_which_mail_and_whom(number: int, status: str | None, message: str) -> None:
    raw, expected = given(number)
    assert read(raw).report == Report(expected["player"], message, status)


@pytest.mark.parametrize("name", ["qmail", "exim", "gmx-bounce-de", "dsn-gmail", "dsn-two", "arf-abuse", "quota-text"])
def test_reports_of_other_programs_do_too(name: str) -> None:
    (path,) = (GIVEN.parent / "more").glob(f"*-{name}.eml")
    report = read(path.read_bytes()).report
    assert report is not None
    # Where our mail did not come back, what the report answers tells which it was.
    assert (report.recipient, report.message_id) == ("robin@example.org", "<turn-14.game-dl7f3a@emerald.example>")


def test_our_own_mails_are_loops_and_quoted_bare_they_ask_for_nothing() -> None:
    for notice in samples.every_kind():
        message = render.mail(notice, samples.SETTINGS)
        assert read(message.as_bytes(), own=["emerald@emerald.example"]).kind == "loop"
    for notice in (samples.turn(), samples.bribe(), samples.over()):
        body = render.mail(notice, samples.SETTINGS).get_body(("plain",))
        assert body is not None
        text = body.get_content()
        letter = read(f"From: Anna <anna@example.org>\nContent-Type: text/plain; charset=utf-8\n\n3\n\n{text}".encode())
        assert letter.lines == ("3",)


# --- Authentication-Results

FROM = "From: Robin <robin@example.org>\n\nt1"
BY_US = "Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.emerald.example (Postfix); today\n"
BY_THEM = "Received: from home by mail.example.org; today\n"
INNER = "Received: from mx.emerald.example by [127.0.0.1]; today\n"


def results(text: str, server: str = "mx.emerald.example") -> str:
    return f"Authentication-Results: {server}; {text}\n"


@pytest.mark.parametrize(
    "headers",
    [
        results("dmarc=pass header.from=example.org"),
        results("dmarc=pass (p=reject dis=none) header.from=Example.ORG"),
        results("spf=pass smtp.mailfrom=robin@example.org"),
        results("spf=pass smtp.mailfrom=example.org; dkim=fail header.d=example.org"),
        results("dkim=pass header.d=example.org header.s=x"),
        results("dkim=pass header.i=@mail.example.org"),
        results('spf=pass smtp.mailfrom="robin vale"@example.org'),
        results('spf=pass smtp.mailfrom="robin\\"s"@example.org; dkim=none'),
        results("dkim=fail header.d=a.example; dkim=pass header.d=example.org"),
        results(
            "spf=softfail smtp.mailfrom=x.example;\n\tdkim=pass (2048-bit key; unprotected)\n\theader.d=example.org"
        ),
        results("dmarc=pass", server='"MX.emerald.example" 1'),
        BY_US + results("dmarc=pass header.from=example.org") + BY_THEM,
        INNER + BY_US + results("dmarc=pass header.from=example.org"),
        results("dmarc=fail", server="other.example") + results("dmarc=pass"),
    ],
)
def test_a_sender_is_authentic_when_our_server_says_so(headers: str) -> None:
    assert authenticated((headers + FROM).encode(), "robin@example.org", ["mx.emerald.example"])


@pytest.mark.parametrize(
    "headers",
    [
        "",
        results("none"),
        results("dmarc=pass", server="mx.attacker.example"),
        results("dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=example.org"),
        results("dmarc=none header.from=example.org"),
        results("dmarc=pass header.from=attacker.example"),
        results("spf=pass smtp.mailfrom=robin@attacker.example"),
        results("spf=pass smtp.mailfrom=example.org.attacker.example"),
        results("spf=pass smtp.helo=example.org"),
        results("spf=fail smtp.mailfrom=example.org"),
        results("dkim=pass header.d=org"),
        results("dkim=pass header.d=notexample.org"),
        results("dkim=neutral (dkim=pass header.d=example.org) header.d=example.org"),
        results('spf=fail smtp.mailfrom="x; dkim=pass header.d=example.org"'),
        results('spf=pass smtp.mailfrom="robin@example.org"@attacker.example'),
        results('spf=pass smtp.mailfrom="a smtp.mailfrom=robin@example.org"@attacker.example'),
        results(r'spf=pass smtp.mailfrom="a\"; dmarc=pass header.from=example.org; x=\""@attacker.example'),
        results(r'spf=pass smtp.mailfrom="a\" smtp.mailfrom=robin@example.org x=\""@attacker.example'),
        results('spf=fail smtp.mailfrom="a@attacker.example; dmarc=pass header.from=example.org'),
        results('spf=pass smtp.mailfrom=a"b@attacker.example; dkim=pass header.d=example.org'),
        results('dkim=pass reason="header.d=example.org" header.d=attacker.example'),
        results("spf=pass smtp.mailfrom=attacker.example smtp.mailfrom=example.org"),
        results("dmarc=fail") + results("dmarc=pass"),
        BY_US + BY_THEM + results("dmarc=pass"),
        f"X-A: b\n\n{results('dmarc=pass')}",
    ],
)
def test_and_not_otherwise(headers: str) -> None:
    assert not authenticated((headers + FROM).encode(), "robin@example.org", ["mx.emerald.example"])


def test_only_the_one_sender_can_be_authentic() -> None:
    good = results("dmarc=pass")
    assert authenticated((good + FROM).encode(), "Robin@example.org", ["mx.emerald.example"])
    assert not authenticated((good + FROM).encode(), "ada@example.org", ["mx.emerald.example"])
    assert not authenticated((good + FROM).encode(), "robin@example.org", [])
    for twice in ("From: ada@example.org\n", "From: robin@example.org\n"):
        assert not authenticated((good + twice + FROM).encode(), "robin@example.org", ["mx.emerald.example"])
    both = "From: robin@example.org, ada@example.org\n\n"
    assert not authenticated((good + both).encode(), "robin@example.org", ["mx.emerald.example"])

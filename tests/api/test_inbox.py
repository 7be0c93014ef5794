"""The development inbox."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from service.config import Settings
from service.db import reading
from service.mail.transports import transport_from
from service.models import InboundMail
from tests.api.conftest import MakeApp

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

PICTURE = b"\x89PNG not really"


def _mail(to: str, subject: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Emerald <emerald@localhost>", to, subject
    mail["Date"], mail["Message-ID"] = "Sun, 29 Nov 2026 21:00:00 +0000", f"<{subject}@localhost>"
    mail.set_content(f"text of {subject} <script>alert(1)</script>")
    mail.add_alternative(f'<p>html of {subject}</p><img src="cid:board">', subtype="html")
    body = mail.get_body(("html",))
    assert body is not None
    body.add_related(PICTURE, "image", "png", cid="<board>")
    return mail


@pytest.fixture
def inbox(make_app: MakeApp, settings: Settings) -> Flask:
    """An application with two mails in its folder."""
    transport = transport_from(settings.mail_url)
    transport.send(_mail("anna@example.org", "first"))
    transport.send(_mail("bert@example.org", "second"))
    return make_app(DEV_INBOX="1")


def test_without_the_setting_there_is_no_inbox(api_app: Flask) -> None:
    assert api_app.test_client().get("/dev/inbox").status_code == 404


def test_an_empty_inbox_says_what_to_do(make_app: MakeApp) -> None:
    assert "No mail yet" in make_app(DEV_INBOX="1").test_client().get("/dev/inbox").get_data(as_text=True)


def test_mails_are_listed_newest_first_and_by_reader(inbox: Flask) -> None:
    page = inbox.test_client().get("/dev/inbox").get_data(as_text=True)
    assert page.index("second") < page.index("first")
    only = inbox.test_client().get("/dev/inbox?to=anna@example.org").get_data(as_text=True)
    assert "first" in only
    assert "second" not in only


def test_a_mail_is_shown_as_html_text_source_and_file(inbox: Flask, settings: Settings) -> None:
    client = inbox.test_client()
    folder = Path(settings.mail_url.removeprefix("folder:"))
    mail = next(path.stem for path in folder.glob("*.eml") if b"first" in path.read_bytes())
    page = client.get(f"/dev/inbox/{mail}")
    assert '<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"' in page.get_data(as_text=True)
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    html = client.get(f"/dev/inbox/{mail}/html")
    assert '<img src="data:image/png;base64,' in html.get_data(as_text=True)
    assert "sandbox" in html.headers["Content-Security-Policy"]
    text = client.get(f"/dev/inbox/{mail}?part=text").get_data(as_text=True)
    assert "text of first &lt;script&gt;" in text
    assert "Message-ID" in client.get(f"/dev/inbox/{mail}?part=source").get_data(as_text=True)
    raw = client.get(f"/dev/inbox/{mail}/raw")
    assert raw.mimetype == "message/rfc822"
    assert raw.data == (folder / f"{mail}.eml").read_bytes()


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p>x</p>", '<base target="_blank"><p>x</p>'),
        ("<!doctype html><p>x</p>", '<!doctype html><base target="_blank"><p>x</p>'),
        (
            '<!DOCTYPE html>\n<html><head lang="en"><title>x</title></head>x</html>',
            '<!DOCTYPE html>\n<html><head lang="en"><base target="_blank"><title>x</title></head>x</html>',
        ),
    ],
)
def test_a_link_of_a_mail_opens_in_a_window_of_its_own(inbox: Flask, settings: Settings, html: str, shown: str) -> None:
    mail = _mail("anna@example.org", "linking")
    body = mail.get_body(("html",))
    assert body is not None
    body.set_content(html, subtype="html")
    transport_from(settings.mail_url).send(mail)
    folder = Path(settings.mail_url.removeprefix("folder:"))
    id = next(path.stem for path in folder.glob("*.eml") if b"linking" in path.read_bytes())
    part = inbox.test_client().get(f"/dev/inbox/{id}/html")
    assert part.get_data(as_text=True).strip() == shown
    assert "sandbox allow-popups allow-popups-to-escape-sandbox;" in part.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fsecret-key", "nothing", "a/b", "%00"])
def test_nothing_but_mails_is_shown(inbox: Flask, name: str) -> None:
    for below in ("", "/html", "/raw"):
        response = inbox.test_client().get(f"/dev/inbox/{name}{below}")
        assert response.status_code == 404
        assert response.mimetype == "application/problem+json"


def _written(inbox: Flask) -> EmailMessage:
    """The one mail that came in by the forms, as a mail."""
    with inbox.app_context(), reading() as session:
        [kept] = session.scalars(select(InboundMail)).all()
        assert kept.via == "inbox"
        mail = message_from_bytes(kept.raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    assert kept.envelope_to == [mail["To"].addresses[0].addr_spec]
    return mail


def test_an_answer_is_a_real_mail_with_the_first_one_quoted(inbox: Flask, settings: Settings) -> None:
    asking = _mail("Änna <anna@example.org>", "asks")
    asking["Reply-To"] = "emerald+token@localhost"
    transport_from(settings.mail_url).send(asking)
    folder = Path(settings.mail_url.removeprefix("folder:"))
    mail = next(path.stem for path in folder.glob("*.eml") if b"asks" in path.read_bytes())
    client = inbox.test_client()
    assert f'action="/dev/inbox/{mail}/answer"' in client.get(f"/dev/inbox/{mail}").get_data(as_text=True)
    sent = client.post(f"/dev/inbox/{mail}/answer", data={"text": "catch blue\r\nGrüße"})
    assert sent.status_code == 303
    assert "Sent." in client.get(sent.headers["Location"]).get_data(as_text=True)
    answer = _written(inbox)
    assert (answer["From"], answer["To"]) == ("Änna <anna@example.org>", "emerald+token@localhost")
    assert (answer["Subject"], answer["In-Reply-To"]) == ("Re: asks", "<asks@localhost>")
    assert answer["References"] == "<asks@localhost>"
    typed, _, quoted = (
        answer.get_content().replace("\r\n", "\n").partition("\nOn Sun, 29 Nov 2026 at 21:00, Emerald wrote:\n")
    )
    assert typed.split() == ["catch", "blue", "Grüße"]
    assert quoted == "> text of asks <script>alert(1)</script>\n"


def test_a_first_mail_may_come_from_any_address(inbox: Flask, settings: Settings) -> None:
    form = {"from": "new@example.org", "subject": "Hello\r\nBcc: x@example.org", "text": "new 2 seats 1 bot"}
    assert inbox.test_client().post("/dev/inbox/write", data=form).status_code == 303
    mail = _written(inbox)
    assert (mail["From"], mail["To"]) == ("new@example.org", settings.service_address)
    assert (mail["Subject"], mail["Bcc"]) == ("Hello Bcc: x@example.org", None)
    assert mail.get_content().strip() == "new 2 seats 1 bot"


def test_what_is_no_mail_is_not_sent(inbox: Flask, settings: Settings) -> None:
    client = inbox.test_client()
    folder = Path(settings.mail_url.removeprefix("folder:"))
    silent = next(path.stem for path in folder.glob("*.eml"))  # has no Reply-To
    assert "/answer" not in client.get(f"/dev/inbox/{silent}").get_data(as_text=True)
    assert client.post(f"/dev/inbox/{silent}/answer", data={"text": "x"}).status_code == 400
    assert client.post("/dev/inbox/nothing/answer", data={"text": "x"}).status_code == 404
    for sender in ("", "nobody", "a@b.example\r\nBcc: c@d.example", "a@b.example\0"):
        assert client.post("/dev/inbox/write", data={"from": sender, "text": "x"}).status_code == 400
    good = {"from": "a@b.example", "text": "x"}
    for foreign in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/dev/inbox/write", data=good, headers=foreign).status_code == 400
    with inbox.app_context(), reading() as session:
        assert not session.scalars(select(InboundMail)).all()

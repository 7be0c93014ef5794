"""The development inbox."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from flask import Flask

from service.config import Settings
from service.mail.transports import transport_from
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
    assert '<iframe sandbox="allow-popups"' in page.get_data(as_text=True)
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


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fsecret-key", "nothing", "a/b", "%00"])
def test_nothing_but_mails_is_shown(inbox: Flask, name: str) -> None:
    for below in ("", "/html", "/raw"):
        response = inbox.test_client().get(f"/dev/inbox/{name}{below}")
        assert response.status_code == 404
        assert response.mimetype == "application/problem+json"

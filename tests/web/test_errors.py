"""Browsers that went astray get a page and programs a problem; what everybody asks for without being told."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from PIL import Image

from service.usecases import accounts
from service.web.headers import POLICY
from tests.api.conftest import MakeApp, make_app  # noqa: F401 - a fixture
from tests.service.table import Table
from tests.web.browsing import browser, signed_in_client

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
PROGRAMS: tuple[dict[str, str], ...] = (
    {},
    {"Accept": "*/*"},
    {"Accept": "application/json"},
    {"Accept": "application/problem+json, text/html;q=0.5"},
)
AWAY = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"


@pytest.mark.parametrize(("path", "status"), [("/nothing/here", 404), ("/sign-out", 405)])
def test_a_browser_that_went_astray_gets_a_page_and_a_program_a_problem(api_app: Flask, path: str, status: int) -> None:
    client = browser(api_app)
    page = client.get(path, headers=BROWSER)
    assert page.status_code == status
    assert page.mimetype == "text/html"
    assert page.headers["Content-Security-Policy"] == POLICY
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers.get("Allow", "").replace("OPTIONS", "").strip(", ") == ("POST" if status == 405 else "")
    assert 'href="/"' in page.text
    assert 'href="/sign-in"' in page.text
    for headers in PROGRAMS:
        answer = client.get(path, headers=headers)
        assert answer.status_code == status
        assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1/nothing", "/api/v2/games", "/api/v1/tokens"])
def test_the_api_answers_in_json_whoever_asks(api_app: Flask, path: str) -> None:
    answer = browser(api_app).get(path, headers=BROWSER)
    assert answer.status_code in (404, 405)
    assert answer.mimetype == "application/problem+json"


def test_who_is_signed_in_stays_so_on_the_way_into_nothing_and_is_told_so_in_their_language(
    api_app: Flask, table: Table
) -> None:
    ada = table.person("Ada")
    accounts.update_account(caller=ada, language="de-AT", now=table.now)
    client = signed_in_client(api_app, table, ada)
    page = client.get("/nothing", headers=BROWSER)
    assert page.status_code == 404
    assert '<html lang="de">' in page.text
    assert ">Ada</a>" in page.text
    assert "Ada" in client.get("/rules").text
    stranger = browser(api_app).get("/nothing", headers=BROWSER | {"Accept-Language": "fr-CA, en;q=0.5"})
    assert '<html lang="fr">' in stranger.text


def test_a_page_for_too_many_requests(make_app: MakeApp) -> None:  # noqa: F811 - the fixture
    client = make_app(RATE_LIMIT="2/minute").test_client()
    answers = [client.get(path, headers=BROWSER) for path in ("/rules", "/rules", "/rules", "/")]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    for answer in answers[2:]:
        assert answer.mimetype == "text/html"
        assert "Too many requests" in answer.text
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
        assert answer.headers["Content-Security-Policy"] == POLICY


def test_a_database_that_is_away_signs_nobody_out(
    make_app: MakeApp,  # noqa: F811 - the fixture
    api_app: Flask,
    table: Table,
) -> None:
    here = signed_in_client(api_app, table, "Ada")
    with here.session_transaction() as session:
        kept = dict(session)
    away = browser(make_app(DATABASE_URL=AWAY))
    with away.session_transaction() as session:
        session.update(kept)
    for path, status in (("/rules", 503), ("/", 503), ("/nothing", 404)):
        answer = away.get(path, headers=BROWSER)
        assert answer.status_code == status, path
        assert answer.mimetype == "text/html"
        assert ">Ada</a>" not in answer.text, "nobody knows who it is"
    with away.session_transaction() as session:
        assert dict(session) == kept
    assert browser(make_app(DATABASE_URL=AWAY)).get("/rules").status_code == 200


def test_what_is_asked_for_without_being_told(api_app: Flask) -> None:
    client = browser(api_app)
    icon = client.get("/favicon.ico")
    assert Image.open(io.BytesIO(icon.data)).size == (64, 64)
    robots = client.get("/robots.txt")
    assert robots.mimetype == "text/plain"
    assert {"Disallow: /", "Allow: /rules"} <= set(robots.text.splitlines())
    for path in ("/", "/rules", "/help/mail", "/docs/api"):
        assert client.get(path).headers["X-Robots-Tag"] == "all", path
    assert "noindex" in client.get("/games").headers["X-Robots-Tag"]

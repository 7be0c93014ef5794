"""Feeds of deadlines at secret addresses: made, read without a token, taken back; and the secret stays one."""

from __future__ import annotations

import io
import logging
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import icalendar
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.api.conftest import MakeApp
from tests.api.games import new_game
from tests.api.people import API, Person, person, refused, stranger

ONE_DATABASE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
ENTRY = "{http://www.w3.org/2005/Atom}entry"


@pytest.fixture
def people(api_app: Flask) -> list[Person]:
    """Two players."""
    return [person(api_app, name) for name in ("Anna", "Bert")]


def path(address: str) -> str:
    """The path of an address, from where the API begins."""
    parts = urlsplit(address)
    assert parts.scheme in ("http", "https")
    assert parts.path.startswith(API)
    return parts.path.removeprefix(API)


def events(answer: TestResponse) -> list[dict[str, Any]]:
    """The events of a calendar: what and when."""
    assert answer.status_code == 200
    assert answer.content_type == "text/calendar; charset=utf-8"
    found = icalendar.Calendar.from_ical(answer.data).walk("VEVENT")
    return [
        {"summary": str(one["summary"]), "description": str(one["description"]), "end": one.decoded("dtend")}
        for one in found
    ]


def test_feeds_tell_what_waits_and_until_when(api_app: Flask, people: list[Person]) -> None:
    anna, bert = people
    reader = stranger(api_app)
    assert anna.told("/me/feed") == {"since": None}
    response = anna.post("/me/feed")
    made = response.get_json()
    assert response.status_code == 201
    assert response.headers["Cache-Control"] == "no-store"
    assert anna.told("/me/feed") == {"since": made["since"]}
    ics, atom = path(made["ics"]), path(made["atom"])
    assert events(reader.get(ics)) == []
    game = new_game(people, first=0, clock={"kind": "days", "days": 3})
    endless = new_game(people, first=0)
    theirs = new_game(people, first=1, clock={"kind": "days", "days": 3})
    seen = anna.told(f"/games/{game}")
    (event,) = events(reader.get(ics))
    assert game in event["description"]
    assert "Bert" in event["summary"]
    assert abs(event["end"] - datetime.fromisoformat(seen["deadline"])).total_seconds() < 1
    answer = reader.get(atom)
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    entries = [ET.tostring(entry, "unicode") for entry in ET.fromstring(answer.data).iter(ENTRY)]
    assert len(entries) == 2
    assert game in entries[0], "most urgent first"
    assert endless in entries[1]
    assert theirs not in answer.text
    assert bert.email not in answer.text
    anna.does(f"/games/{game}/moves", {"ply": 0, "line": "black t1 stop"})
    assert events(reader.get(ics)) == []


def test_programs_that_look_often_are_told_that_nothing_has_changed(api_app: Flask, people: list[Person]) -> None:
    reader = stranger(api_app)
    made = people[0].does("/me/feed", status=201)
    game = new_game(people, first=0, clock={"kind": "days", "days": 3})
    for address in (path(made["ics"]), path(made["atom"])):
        first = reader.get(address)
        tag = first.headers["ETag"]
        assert first.headers["Referrer-Policy"] == "no-referrer"
        assert first.headers["Cache-Control"] == "private, no-cache"
        assert "noindex" in first.headers["X-Robots-Tag"]
        assert "Set-Cookie" not in first.headers
        again = reader.get(address, headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == tag
        head = reader.ask("HEAD", address)
        assert (head.status_code, head.data, head.headers["ETag"]) == (200, b"", tag)
        assert head.headers["Content-Length"] == str(len(first.data))
        since = {"If-Modified-Since": datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")}
        assert reader.get(address, headers=since).status_code == 200, "deadlines move without a trace of when"
        refused(reader.post(address), 405, "method-not-allowed")
    address, bert = path(made["ics"]), people[1]
    held = {"If-None-Match": reader.get(address).headers["ETag"]}
    bert.does(f"/games/{game}/says", {"text": "hello"}, 201)
    assert reader.get(address, headers=held).status_code == 304
    bert.does(f"/games/{game}/votes", {"vote": "extend"})
    assert len(events(reader.get(address, headers=held))) == 1, "its deadline has moved"


def test_new_addresses_end_the_old_ones_and_none_are_left_when_taken_back(api_app: Flask, people: list[Person]) -> None:
    anna, bert = people
    reader = stranger(api_app)
    old, others = anna.does("/me/feed", status=201), bert.does("/me/feed", status=201)
    new = anna.does("/me/feed", status=201)
    assert len({old["ics"], new["ics"], others["ics"]}) == 3
    for kind in ("ics", "atom"):
        refused(reader.get(path(old[kind])), 404, "not-found")
        assert reader.get(path(new[kind])).status_code == 200
    for _ in range(2):
        assert anna.ask("DELETE", "/me/feed").status_code == 204
    for kind in ("ics", "atom"):
        problem = refused(reader.get(path(new[kind])), 404, "not-found")
        assert new[kind].split("/")[-2] not in str(problem)
        assert reader.get(path(others[kind])).status_code == 200
        refused(reader.get(f"/feeds/{'x' * 40}/deadlines.{kind}"), 404, "not-found")
        refused(reader.get(f"/feeds/x/deadlines.{kind}"), 404, "not-found")
    assert reader.ask("HEAD", path(new["ics"])).status_code == 404


@ONE_DATABASE
def test_who_may_make_one(api_app: Flask) -> None:
    for method in ("GET", "POST", "DELETE"):
        refused(stranger(api_app).ask(method, "/me/feed"), 401, "unauthenticated")
    program = person(api_app, "Program", scopes=["games:read", "games:play"])
    for method in ("GET", "POST", "DELETE"):
        refused(program.ask(method, "/me/feed"), 403, "scope-missing")


@ONE_DATABASE
def test_addresses_cannot_be_guessed_at(make_app: MakeApp) -> None:
    app = make_app(RATE_LIMIT="600/minute")
    anna, reader = person(app, "Anna"), stranger(app)
    address = path(anna.does("/me/feed", status=201)["ics"])
    for _ in range(40):
        assert reader.get(address).status_code == 200
    for number in range(30):
        refused(reader.get(f"/feeds/emerald_feed_{number:043}/deadlines.ics"), 404, "not-found")
    answer = reader.get(f"/feeds/emerald_feed_{'x' * 43}/deadlines.atom")
    refused(answer, 429, "rate-limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert reader.get("/rules").status_code == 200


@ONE_DATABASE
def test_the_address_is_in_no_log_and_no_metric(make_app: MakeApp) -> None:
    app = make_app()
    handler = next(one for one in logging.getLogger().handlers if one.get_name() == "emerald")
    assert isinstance(handler, logging.StreamHandler)
    written = io.StringIO()
    handler.setStream(written)
    anna, reader = person(app, "Anna"), stranger(app)
    made = anna.does("/me/feed", status=201)
    secret = made["ics"].split("/")[-2]
    assert secret in made["atom"]
    for address in (path(made["ics"]), path(made["atom"]), f"/feeds/{secret}/nothing", f"/feeds/{secret}"):
        reader.get(address, headers={"Referer": made["ics"]})
    reader.get(path(made["ics"]), headers={"Authorization": f"Bearer {secret}"})
    lines = written.getvalue()
    assert "/api/v1/feeds/<string" in lines
    metrics = reader.client.get("/metrics").get_data(as_text=True)
    assert 'deadlines.ics",status="200"' in metrics
    for text in (lines, metrics):
        assert secret not in text
        assert secret[-20:] not in text

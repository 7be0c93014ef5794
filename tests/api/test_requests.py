"""What a hostile or clumsy client sends gets one clear problem, never a fault and never HTML."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.api.errors import TABLE
from service.errors import CODES
from tests.api.people import Person, person, refused, stranger

DOCS = Path(__file__).parents[2] / "docs" / "API.md"

# What a request must look like does not depend on the database; what is stored of it does (test_texts.py).
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def anna(api_app: Flask) -> Person:
    """Somebody with a token."""
    return person(api_app, "Anna")


def test_every_refusal_has_a_status(database: str) -> None:
    assert set(TABLE) >= CODES


def test_every_problem_is_told_of_in_the_docs_with_its_status(database: str) -> None:
    rows = re.findall(r"^\| ([0-9, ]+) \| (.+) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    told = {
        (int(status), code)
        for statuses, codes in rows
        for code in re.findall(r"`([a-z-]+)`", codes)
        for status in statuses.split(", ")
        if code in TABLE and TABLE[code].status == int(status)
    }
    assert told == {(kind.status, code) for code, kind in TABLE.items()}


@pytest.mark.parametrize("path", ["/nothing", "/games/ABC", "/games/%00", "/games/../me", "//games", "/games/"])
def test_an_unknown_address_is_a_problem(api_app: Flask, path: str) -> None:
    refused(stranger(api_app).get(path), 404, "not-found")


def test_a_wrong_method_says_which_are_right(api_app: Flask) -> None:
    response = stranger(api_app).ask("PUT", "/games", {})
    assert "GET" in response.headers["Allow"]
    assert "POST" in refused(response, 405, "method-not-allowed")["detail"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "line 1, column 2"),
        (b"", None),
        (b"\xff\xfe", "UTF-8"),
        (b"NaN", "NaN"),
        (b'{"email": Infinity}', "Infinity"),
    ],
)
def test_a_body_that_is_not_json(api_app: Flask, body: bytes, says: str | None) -> None:
    response = stranger(api_app).post("/sign-in", data=body, content_type="application/json")
    if says is None:
        assert refused(response, 422, "invalid")["errors"] == {"email": ["Missing data for required field."]}
    else:
        assert says in refused(response, 400, "bad-json")["detail"]


def test_a_body_of_another_type(api_app: Flask) -> None:
    response = stranger(api_app).post("/sign-in", data="email=a@b.example", content_type="text/plain")
    assert "application/json" in refused(response, 415, "unsupported-media-type")["detail"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"email": "a@b.example", "emial": 1}', "emial"),
        ('{"email": "a@b.example", "email": "c@d.example"}', "email"),
        ('{"email": "a\\u0000@b.example"}', "email"),
        ('{"email": "a\\ud800@b.example"}', "email"),
        ('{"\\ud800": 1}', "?"),
        ('{"email": 12}', "email"),
        ('{"email": null}', "email"),
        ('{"email": ["a@b.example"]}', "email"),
        ('{"email": "nobody"}', "email"),
        ('{"email": "' + "a" * 300 + '@b.example"}', "email"),
        ("[]", "body"),
        ("null", "body"),
        ('"text"', "body"),
        ("[" * 10_000 + "]" * 10_000, "body"),
        ('{"email":' + "[" * 40 + "]" * 40 + "}", "body"),
        ('{"email": ' + "9" * 5000 + "}", "body"),
    ],
)
def test_json_that_does_not_fit_names_the_place(api_app: Flask, text: str, place: str) -> None:
    response = stranger(api_app).post("/sign-in", data=text, content_type="application/json")
    assert place in refused(response, 422, "invalid")["errors"]


def test_a_body_that_is_too_large(api_app: Flask) -> None:
    refused(stranger(api_app).post("/sign-in", {"email": "a" * 70_000}), 413, "too-large")


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=ten", "limit"),
        ("limit=" + "9" * 30, "limit"),
        ("limit=5&limit=6", "limit"),
        ("after=", "after"),
        ("after=nonsense", "after"),
        ("after=%00", "after"),
        ("after=" + "x" * 300, "after"),
        ("status=odd", "status"),
        ("sort=name", "sort"),
        ("after=%ED%A0%80", "after"),
    ],
)
def test_a_query_that_does_not_fit_names_the_place(api_app: Flask, query: str, place: str) -> None:
    assert place in refused(stranger(api_app).get(f"/games?{query}"), 422, "invalid")["errors"]


_ME_AND_BOT = [{"kind": "me"}, {"kind": "bot", "level": "random"}]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "seats"),
        ({"seats": [{"kind": "me"}]}, "seats"),
        ({"seats": [{"kind": "me"}] * 6}, "seats"),
        ({"seats": [{"kind": "me"}, {"kind": "me"}]}, "seats"),
        ({"seats": [{"kind": "me"}, {"kind": "cat"}]}, "seats.1.kind"),
        ({"seats": [{"kind": "me"}, {"kind": ["bot"]}]}, "seats.1.kind"),
        ({"seats": [{"kind": "me"}, {}]}, "seats.1.kind"),
        ({"seats": [{"kind": "me"}, 5]}, "seats.1"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "level": "genius"}]}, "seats.1.level"),
        ({"seats": [{"kind": "me"}, {"kind": "invite"}]}, "seats.1"),
        ({"seats": [{"kind": "me"}, {"kind": "invite", "email": "x", "name": "Bert"}]}, "seats.1"),
        ({"seats": [{"kind": "me"}, {"kind": "open", "colour": "red"}]}, "seats.1.colour"),
        ({"seats": _ME_AND_BOT, "first": 2}, "first"),
        ({"seats": _ME_AND_BOT, "first": 1.5}, "first"),
        ({"seats": _ME_AND_BOT, "first": True}, "first"),
        ({"seats": _ME_AND_BOT, "entropy": "a|b"}, "entropy"),
        ({"seats": _ME_AND_BOT, "entropy": "x" * 65}, "entropy"),
        ({"seats": _ME_AND_BOT, "entropy": "ä"}, "entropy"),
        ({"seats": _ME_AND_BOT, "entropy": "ends\n"}, "entropy"),
        ({"seats": _ME_AND_BOT, "clock": {"kind": "days", "days": 0}}, "clock"),
        ({"seats": _ME_AND_BOT, "clock": {"kind": "days", "days": 10**17}}, "clock"),
        ({"seats": _ME_AND_BOT, "public": "yes"}, "public"),
    ],
)
def test_a_game_that_cannot_be_made_says_why(anna: Person, body: dict[str, Any], place: str) -> None:
    errors = refused(anna.post("/games", body), 422, "invalid")["errors"]
    assert any(key == place or key.startswith(f"{place}.") for key in errors), errors


@pytest.mark.parametrize(
    ("body", "right"),
    [
        ({"seats": [{"kind": "me"}, {"kind": "cat"}]}, "Must be one of: me, open, invite, bot."),
        ({"seats": _ME_AND_BOT, "first": 2}, "one from 0 to 1"),
    ],
)
def test_a_game_that_cannot_be_made_says_what_would_be_right(anna: Person, body: dict[str, Any], right: str) -> None:
    assert right in refused(anna.post("/games", body), 422, "invalid")["detail"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "ply"),
        ({"ply": 0}, "body"),
        ({"ply": 0, "line": "t1", "actions": [{"do": "stop"}]}, "body"),
        ({"ply": "0", "line": "t1"}, "ply"),
        ({"ply": -1, "line": "t1"}, "ply"),
        ({"ply": 0, "line": ""}, "line"),
        ({"ply": 0, "line": "t" * 301}, "line"),
        ({"ply": 0, "actions": []}, "actions"),
        ({"ply": 0, "actions": [{"do": "stop"}] * 13}, "actions"),
        ({"ply": 0, "actions": [{"do": "fly"}]}, "actions.0.do"),
        ({"ply": 0, "actions": [{"do": "move", "color": "black"}]}, "actions.0.from"),
        ({"ply": 0, "actions": [{"do": "move", "color": "black", "from": "z9"}]}, "actions.0.from"),
        ({"ply": 0, "actions": [{"do": "bribe", "gold": 6}]}, "actions.0.gold"),
        ({"ply": 0, "actions": [{"do": "stop", "now": True}]}, "actions.0.now"),
    ],
)
def test_a_move_that_fits_no_contract_names_the_place(anna: Person, body: dict[str, Any], place: str) -> None:
    assert place in refused(anna.post("/games/222222222222/moves", body), 422, "invalid")["errors"]


def test_an_action_that_is_none_is_told_which_there_are(anna: Person) -> None:
    problem = refused(anna.post("/games/222222222222/moves", {"ply": 0, "actions": [{"do": "fly"}]}), 422, "invalid")
    assert problem["errors"] == {"actions.0.do": ["Must be one of: move, stop, take, catch, bribe, surrender."]}


def test_an_idempotency_key_that_cannot_be_one(anna: Person) -> None:
    for key in ("", "x" * 201, "t\u00e4"):
        response = anna.post("/games/222222222222/moves", {"ply": 0, "line": "t1"}, headers={"Idempotency-Key": key})
        assert "Idempotency-Key" in refused(response, 422, "invalid")["errors"]


def test_the_answer_to_nonsense_is_json_of_the_problem_type(api_app: Flask) -> None:
    response = stranger(api_app).post("/sign-in", data=b"{", content_type="application/json")
    assert json.loads(response.data)["status"] == 400
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_a_fault_of_ours_is_a_problem_too_and_tells_nothing(api_app: Flask, capfd: pytest.CaptureFixture[str]) -> None:
    @api_app.get("/broken")
    def broken() -> str:
        raise ValueError("the seed is 4711")

    response = api_app.test_client().get("/broken")
    assert "4711" not in refused(response, 500, "internal")["detail"]
    assert "4711" not in capfd.readouterr().err

"""Accounts, sign-in and tokens over HTTP."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.api.people import answered, mailed_code, person, refused, stranger


def test_sign_up_then_code_then_token_then_account(api_app: Flask) -> None:
    anna = person(api_app, "Anna")
    assert anna.token is not None
    assert anna.token.startswith("emerald_")
    account = anna.told("/me")
    assert account["display_name"] == "Anna"
    assert account["email"] == "anna@example.org"
    assert account["created_at"].endswith("Z")


def test_a_code_holds_once(api_app: Flask) -> None:
    one = stranger(api_app)
    one.does("/accounts", {"email": "a@example.org", "display_name": "Anna"}, 202)
    code = mailed_code(api_app, "a@example.org")
    one.does("/tokens", {"email": "a@example.org", "code": code}, 201)
    refused(one.post("/tokens", {"email": "a@example.org", "code": code}), 403, "bad-code")


def test_the_answer_never_tells_whether_an_address_is_known(api_app: Flask) -> None:
    person(api_app, "Anna")
    one = stranger(api_app)
    known = one.post("/sign-in", {"email": "anna@example.org"})
    unknown = one.post("/sign-in", {"email": "nobody@example.org"})
    assert (known.status_code, known.data) == (unknown.status_code, unknown.data) == (202, unknown.data)
    fresh = one.post("/accounts", {"email": "new@example.org", "display_name": "New"})
    again = one.post("/accounts", {"email": "anna@example.org", "display_name": "Newer"})
    assert (fresh.status_code, fresh.data) == (again.status_code, again.data)


def test_too_many_codes_say_how_long_to_wait(api_app: Flask) -> None:
    one = stranger(api_app)
    for _ in range(5):
        one.does("/sign-in", {"email": "a@example.org"}, 202)
    response = one.post("/sign-in", {"email": "a@example.org"})
    refused(response, 429, "rate-limited")
    assert 3000 < int(response.headers["Retry-After"]) <= 3600


def test_tokens_are_listed_named_made_and_revoked(api_app: Flask) -> None:
    anna = person(api_app, "Anna")
    made = anna.post("/me/tokens", {"name": "my bot", "scopes": ["games:play", "games:read"]})
    bot = answered(made, 201)
    assert made.headers["Cache-Control"] == "no-store"
    names = {one["name"]: one for one in anna.told("/me/tokens")["items"]}
    assert names["my bot"]["hint"] == bot["token"][-4:]
    assert set(names["my bot"]["scopes"]) == {"games:read", "games:play"}
    assert bot["token"] not in anna.get("/me/tokens").get_data(as_text=True)
    revoked = anna.ask("DELETE", f"/me/tokens/{bot['info']['id']}")
    assert (revoked.status_code, revoked.data) == (204, b"")
    refused(anna.ask("DELETE", f"/me/tokens/{bot['info']['id']}"), 404, "not-found")
    anna.token = bot["token"]
    refused(anna.get("/me/turns"), 401, "unauthenticated")


def test_a_token_without_the_scope_is_told_which(api_app: Flask) -> None:
    reader = person(api_app, "Reader", scopes=["games:read"])
    response = reader.get("/me")
    problem = refused(response, 403, "scope-missing")
    assert problem["scope"] == "account"
    assert "account" in problem["detail"]
    assert 'error="insufficient_scope"' in response.headers["WWW-Authenticate"]
    refused(reader.post("/games", {"seats": [{"kind": "me"}, {"kind": "bot"}]}), 403, "scope-missing")


def test_a_token_makes_none_mightier_than_itself(api_app: Flask) -> None:
    anna = person(api_app, "Anna", scopes=["account"])
    refused(anna.post("/me/tokens", {"name": "more", "scopes": ["games:play"]}), 403, "scope-missing")
    assert answered(anna.post("/me/tokens", {"name": "same"}), 201)["info"]["scopes"] == ["account"]


def test_changing_the_account(api_app: Flask) -> None:
    anna, bert = person(api_app, "Anna"), person(api_app, "Bert")
    changed = answered(anna.ask("PATCH", "/me", {"display_name": "Annabel", "time_zone": "Europe/Berlin"}))
    assert (changed["display_name"], changed["time_zone"], changed["language"]) == ("Annabel", "Europe/Berlin", "en")
    refused(bert.ask("PATCH", "/me", {"display_name": "annabel"}), 409, "name-taken")
    problem = refused(bert.ask("PATCH", "/me", {"time_zone": "Mars/Base"}), 422, "invalid")
    assert list(problem["errors"]) == ["time_zone"]


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Basic YTpi", "Bearer emerald_nonsense", "Bearer " + "x" * 5000, "emerald_x", "Bearer ä"],
)
def test_a_bad_token_is_refused_also_where_none_is_needed(api_app: Flask, header: str) -> None:
    one = stranger(api_app)
    for path in ("/me", "/games"):
        response = one.get(path, headers={"Authorization": header})
        refused(response, 401, "unauthenticated")
        assert response.headers["WWW-Authenticate"].startswith("Bearer")

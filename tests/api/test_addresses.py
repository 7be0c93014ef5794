"""One's own addresses over HTTP, and what others see of mail that fails."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.api.conftest import MakeApp
from tests.api.games import new_game
from tests.api.people import Person, answered, fails, mailed_code, person, refused, stranger

ADDRESS_KEYS = {"id", "email", "state", "failing_since", "last_status", "preferred", "verified_at"}


def add(app: Flask, one: Person, email: str) -> str:
    """The id of an address that somebody has added."""
    one.does("/me/addresses", {"email": email}, 202)
    made = one.does("/me/addresses/confirm", {"email": email, "code": mailed_code(app, email)})
    return str(made["id"])


def test_an_address_is_added_preferred_and_removed(api_app: Flask) -> None:
    anna = person(api_app, "Anna")
    work = add(api_app, anna, "anna@work.example")
    assert answered(anna.post(f"/me/addresses/{work}/prefer"))["preferred"]
    listed = anna.told("/me/addresses")["items"]
    assert all(set(one) == ADDRESS_KEYS for one in listed)
    assert [(one["email"], one["preferred"]) for one in listed] == [
        ("anna@work.example", True),
        ("anna@example.org", False),
    ]
    home = listed[1]["id"]
    assert anna.ask("DELETE", f"/me/addresses/{home}").status_code == 204
    refused(anna.ask("DELETE", f"/me/addresses/{home}"), 404, "not-found")
    refused(anna.ask("DELETE", f"/me/addresses/{work}"), 403, "forbidden")
    assert anna.told("/me")["email"] == "anna@work.example"


def test_who_signs_in_is_told_which_addresses_fail_and_a_test_mends_them(api_app: Flask) -> None:
    anna = person(api_app, "Anna")
    add(api_app, anna, "anna@work.example")
    assert anna.told("/me")["failing_addresses"] == []
    fails(api_app, "anna@work.example")
    anna.does("/sign-in", {"email": anna.email}, 202)
    new = anna.does("/tokens", {"email": anna.email, "code": mailed_code(api_app, anna.email)}, 201)
    assert [(one["email"], one["last_status"]) for one in new["failing_addresses"]] == [("anna@work.example", "5.1.1")]
    assert anna.told("/me")["failing_addresses"] == new["failing_addresses"]
    anna.does(f"/me/addresses/{new['failing_addresses'][0]['id']}/test", status=202)
    code = {"email": "anna@work.example", "code": mailed_code(api_app, "anna@work.example")}
    assert anna.does("/me/addresses/confirm", code)["state"] == "ok"
    refused(anna.post("/me/addresses/confirm", code), 403, "bad-code")
    assert anna.told("/me")["failing_addresses"] == []


def test_the_answer_never_tells_whether_an_address_is_anothers(api_app: Flask) -> None:
    anna = person(api_app, "Anna")
    person(api_app, "Bert")
    answers = []
    for email in ("bert@example.org", "nobody@example.org"):
        asked = anna.post("/me/addresses", {"email": email})
        tried = anna.post("/me/addresses/confirm", {"email": email, "code": "00000000"})
        refused(tried, 403, "bad-code")
        answers.append((asked.status_code, asked.data, tried.data, anna.get("/me/addresses").data))
    assert answers[0] == answers[1]


def test_another_accounts_addresses_cannot_be_touched(api_app: Flask) -> None:
    anna, bert = person(api_app, "Anna"), person(api_app, "Bert")
    work = add(api_app, anna, "anna@work.example")
    for method, path in (("DELETE", ""), ("POST", "/prefer"), ("POST", "/test")):
        refused(bert.ask(method, f"/me/addresses/{work}{path}"), 404, "not-found")
        refused(stranger(api_app).ask(method, f"/me/addresses/{work}{path}"), 401, "unauthenticated")
    reader = person(api_app, "Reader", scopes=["games:read", "games:play"])
    refused(reader.get("/me/addresses"), 403, "scope-missing")


def test_players_see_since_when_anothers_mail_fails_spectators_do_not(api_app: Flask) -> None:
    people = [person(api_app, name) for name in ("Anna", "Bert")]
    anna, bert = people
    game = new_game(people, public=True)
    seen = anna.get(f"/games/{game}")
    watched = stranger(api_app).get(f"/games/{game}").data
    fails(api_app, "bert@example.org")
    again = anna.get(f"/games/{game}", headers={"If-None-Match": seen.headers["ETag"]})
    since = [seat["mail_failing_since"] for seat in answered(again)["seats"]]
    assert since[0] is None
    assert since[1].endswith("Z")
    assert "bert@example.org" not in again.get_data(as_text=True)
    assert "5.1.1" not in again.get_data(as_text=True)
    assert stranger(api_app).get(f"/games/{game}").data == watched
    assert person(api_app, "Eve").told(f"/games/{game}")["seats"][1]["mail_failing_since"] is None
    assert bert.told("/me/games")["items"][0]["seats"][1]["mail_failing_since"] == since[1]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_changing_addresses_has_the_stricter_limit_of_signing_in(make_app: MakeApp) -> None:
    app = make_app(RATE_LIMIT="600/minute")
    anna = person(app, "Anna")
    body = {"email": "anna@work.example", "code": "12345678"}
    statuses = [anna.post("/me/addresses/confirm", body).status_code for _ in range(31)]
    assert statuses == [403] * 30 + [429]
    assert anna.get("/me/addresses").status_code == 200

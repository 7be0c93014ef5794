"""What whoever means harm sends, and what they must not learn: odd requests, secrets in what is counted and kept."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from service.usecases import talk
from service.web.routes import home
from tests.service.table import Table
from tests.web.browsing import browser, signed_in_client

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
POSTGRES = pytest.mark.parametrize("database", ["postgres"], indirect=True)


@SQLITE
def test_the_pulse_of_ones_games_beats_for_what_one_may_see_and_for_nothing_else(table: Table, api_app: Flask) -> None:
    ada, bo = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Bo")
    game = table.game(ada.caller, bo.caller)

    def beat() -> str:
        return str(bo.get("/pulse").get_json()["version"])

    before = beat()
    talk.note(caller=ada.caller, game_id=game, text="my plan is secret", now=table.now)
    assert beat() == before, "that she writes notes is hers alone"
    talk.note(caller=bo.caller, game_id=game, text="mine", now=table.now)
    own = beat()
    assert own != before
    talk.say(caller=ada.caller, game_id=game, text="hello", now=table.now)
    said = beat()
    assert said != own
    table.move(ada.caller, game)
    assert beat() != said


@SQLITE
def test_what_anybody_may_keep_bears_no_cookie(table: Table, api_app: Flask) -> None:
    """A proxy that keeps an answer for all must not keep somebody's session with it."""
    guest = browser(api_app)
    guest.visit("/sign-in")
    guest.send("/sign-in", email="ada@example.org")
    files = re.findall(r'="(/[^"]*\.(?:svg|css|js))"', guest.visit("/rules"))
    assert {"svg", "css", "js"} == {path.rpartition(".")[2] for path in files}
    for path in ("/robots.txt", "/favicon.ico", *files):
        answer = guest.get(f"{path}?lang=de")
        assert answer.headers["Cache-Control"].startswith("public"), path
        assert "Set-Cookie" not in answer.headers, path
        assert "Cookie" not in answer.headers.get("Vary", ""), path


@SQLITE
def test_a_fault_of_ours_is_logged_without_what_it_was_about(
    api_app: Flask, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    def faulty() -> Any:
        raise KeyError("the hand 5 5 4 of ada")

    monkeypatch.setattr(home, "_welcome", faulty)
    answer = browser(api_app).get("/")
    assert answer.status_code == 500
    assert "the hand" not in answer.text
    logged = "".join(capfd.readouterr()) + caplog.text
    assert "KeyError" in logged
    assert "test_hostile.py" in logged, "where it was"
    assert "the hand" not in logged


@SQLITE
def test_numbers_and_ways_of_any_length_are_taken(table: Table, api_app: Flask) -> None:
    ada = signed_in_client(api_app, table, "Ada")
    digits = "9" * 5000
    ada.visit("/games/new")
    assert ada.post("/games/new", data=ada.page.forms[0].fields | {"bots": [digits]}).status_code == 422
    game = table.game(ada.caller, bots=1)
    for query in (f"ply={digits}", f"played={digits}&line=t1", f"step={digits}", f"upto=-{digits}", f"says={digits}"):
        for page in ("", "/replay", "/log", "/talk"):
            assert ada.get(f"/games/{game}{page}?{query}").status_code == 200
    guest = browser(api_app)
    guest.visit("/sign-in?next=/" + "x" * 4000)
    answer = guest.post("/sign-in", data=guest.form("/sign-in").fields | {"email": ["ada@example.org"]})
    assert answer.status_code == 303
    assert len(answer.headers["Set-Cookie"]) < 2000, "browsers drop cookies that are longer than 4 kB"


@SQLITE
def test_a_host_that_can_be_none_is_refused(api_app: Flask) -> None:
    for accept in ("text/html", "application/json"):
        answer = api_app.test_client().get("/rules", headers={"Host": "x" * 300, "Accept": accept})
        assert answer.status_code == 400
        assert answer.mimetype == "application/problem+json"


@POSTGRES
def test_what_no_database_can_hold_is_refused(table: Table, api_app: Flask) -> None:
    """PostgreSQL takes no NUL: whoever sends one is told that there is no such thing."""
    ada = signed_in_client(api_app, table, "Ada")
    ada.visit("/account")
    token = ada.page.forms[0].fields["csrf_token"]
    game = table.game(ada.caller, bots=1, public=True)
    form = {"csrf_token": token}
    for path in (
        *("/account/addresses/%00/test", "/account/addresses/%00/prefer", "/account/addresses/%00/remove"),
        *("/account/tokens/%00/revoke", "/account/time-off/%00/cancel", f"/games/{game}/votes/%00"),
        *("/games/%00/play", f"/games/{game}/orders/%00"),
    ):
        assert ada.post(path, data=form).status_code == 404, path
    for path in ("/games/%00", "/join/%00", "/join?code=a%00b", "/?finished=%00", "/games?after=WyIlMDAiXQ"):
        assert ada.get(path, follow_redirects=True).status_code < 500, path
    for path, fields in (
        (f"/games/{game}/says", {"said": "\0"}),
        (f"/games/{game}/notes", {"noted": "a\0b"}),
        (f"/games/{game}/orders/plan", {"text": "t1 \0"}),
        (f"/games/{game}/orders/bribe", {"text": "\0"}),
        (f"/games/{game}/play", {"line": "\0", "ply": "0"}),
        (f"/games/{game}/play", {"line": "t1", "ply": "0", "key": "\0"}),
        (f"/games/{game}/play", {"line": "t1", "ply": "9" * 30}),
        (f"/games/{game}/votes/extend", {"turn": "9" * 30}),
        (f"/games/{game}/join", {"code": "\0", "entropy": "\0"}),
        ("/account", {"name": "A\0da", "language": "en", "time_zone": "UTC"}),
        ("/account", {"name": "Ada", "language": "en", "time_zone": "\0"}),
        ("/account/addresses", {"email": "a\0@example.org"}),
        ("/account/addresses/code", {"address": "\0", "code": "\0"}),
        ("/account/tokens", {"name": "\0", "scope": "account"}),
        ("/account/mail", {"digest_hour": "99", "kind": "\0"}),
        ("/games/new", {"seat-0": "me", "seat-1": "invite", "who-1": "B\0"}),
        ("/games/new", {"seat-0": "me", "seat-1": "invite", "who-1": "b\0@example.org"}),
        ("/games/new", {"seat-0": "me", "seat-1": "bot:\0", "days": "0"}),
        ("/sign-in", {"email": "\0@example.org"}),
        ("/sign-in/code", {"email": "\0", "code": "12345678"}),
        ("/sign-up", {"name": "\0\0", "email": "x@example.org", "language": "\0", "time_zone": "UTC"}),
    ):
        answer = ada.post(path, data=form | fields)
        assert answer.status_code < 500, (path, fields)

"""Games that wait: made, found, joined and left by forms alone."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from service.usecases import lobby, queries
from service.usecases.results import ClockSpec, SeatSpec
from tests.service.table import ME, OPEN, Table
from tests.web.browsing import Browser, browser, signed_in_client

NEW = "/games/new"


def _made(guest: Browser) -> str:
    assert re.fullmatch(r"/games/[2-9a-z]{12}", guest.path), guest.path
    return guest.path.removeprefix("/games/")


def test_the_preset_form_is_a_game_against_two_bots(table: Table, api_app: Flask) -> None:
    ada = signed_in_client(api_app, table, "Ada")
    ada.visit(NEW)
    ada.send(NEW, clock="bank")
    info = queries.game_view(caller=ada.caller, game_id=_made(ada)).info
    assert [seat.kind for seat in info.seats] == ["human", "bot", "bot"]
    assert info.status == "playing"
    assert info.clock == ClockSpec("bank", start_hours=72, increment_hours=12)


def test_a_game_is_made_as_the_form_says_and_once(table: Table, api_app: Flask) -> None:
    table.person("Bo")
    ada = signed_in_client(api_app, table, "Ada")
    ada.visit(NEW)
    wanted = {
        "seat-0": "bot:random",
        "seat-1": "invite",
        "who-1": "bo",
        "seat-2": "none",
        "seat-3": "me",
        "seat-4": "invite",
        "who-4": "new@example.org",
        "public": "no",
        "clock": "days",
        "days": "5",
        "first": "3",
        "entropy": "seven swans",
    }
    sent = ada.form(NEW, fields=["entropy"]).filled({"time_off": [], **wanted})
    ada.send(NEW, wanted, time_off=[])
    game = _made(ada)
    info = queries.game_view(caller=ada.caller, game_id=game).info
    assert [seat.kind for seat in info.seats] == ["bot", "invited", "human", "invited"]
    assert (info.seats[1].name, info.seats[3].invited_email) == ("Bo", "new@example.org")
    assert (info.public, info.first_set, info.time_off) == (False, 2, False)
    assert info.clock == ClockSpec("days", days=5)
    assert info.seats[2].entropy == "seven swans"
    # pressed twice: the same game; gone back to and changed: another one
    ada.visit(NEW)
    for days, same in (("5", True), ("6", False)):
        answer = ada.post(NEW, data=sent | {"days": [days]})
        assert (answer.headers["Location"] == f"/games/{game}") is same


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_cannot_be_is_said_beside_its_field_and_what_was_typed_stays(table: Table, api_app: Flask) -> None:
    ada = signed_in_client(api_app, table, "Ada")
    for wrong, words in (
        ({"seat-1": "me"}, "Just one seat is yours"),
        ({"seat-0": "open"}, "Just one seat is yours"),
        ({"seat-1": "invite"}, "Whom do you want to invite?"),
        ({"seat-4": "invite", "who-4": "Nobody Known"}, "Nobody has that name here"),
        ({"seat-2": "none", "seat-4": "invite", "who-4": "ada@example.org"}, "That is your own address"),
        ({"seat-4": "invite", "who-4": "no@@address"}, "not an e-mail address"),
        ({"clock": "days", "days": "61"}, "A turn has 1 to 60 days."),
        ({"clock": "days", "days": "three"}, "A whole number, please."),
        ({"clock": "bank", "start_hours": "0"}, "A bank starts with 1 to 1440 hours."),
        ({"clock": "bank", "cap_hours": "5"}, "The cap is 72"),
        ({"first": "4"}, "Nobody sits there."),
        ({"entropy": "a|b"}, "Entropy is at most 64 characters"),
    ):
        ada.visit(NEW)
        text = ada.send(NEW, {"entropy": "my <b>word</b>"} | wrong, status=422)
        assert words in text
        kept = ada.form(NEW, fields=["entropy"]).fields
        assert all(kept[name] == [value] for name, value in wrong.items())
        if "entropy" not in wrong:
            assert kept["entropy"] == ["my <b>word</b>"]
        field = next(reversed(wrong))
        if field not in ("seat-0", "seat-1", "first"):
            assert f'id="e-{field}"' in text
    assert lobby.my_games(caller=ada.caller).items == ()
    forged = {"csrf_token": ada.page.forms[0].fields["csrf_token"], "seat-0": "king", "bots": "9"}
    assert ada.post(NEW, data=forged).status_code == 422


def test_a_public_game_is_found_joined_left_and_called_off(table: Table, api_app: Flask) -> None:
    ada, bo = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Bo")
    ada.visit(NEW)
    ada.send(NEW, {"seat-1": "open", "seat-2": "open"}, clock="none")
    game = _made(ada)
    assert "2 players are missing" in ada.answer.text
    assert f'value="http://127.0.0.1:8000/games/{game}"' in ada.answer.text
    stranger = browser(api_app)
    assert "Ada&#39;s game for 3" in stranger.visit("/games")
    assert "Sign in to join" in stranger.answer.text
    assert f"/sign-in?next=/games/{game}" in stranger.page.links
    assert "Join the game" not in stranger.visit(f"/games/{game}")
    bo.visit("/games")
    bo.send(f"/games/{game}/join")
    assert bo.path == f"/games/{game}"
    assert "1 player is missing" in bo.answer.text
    version = ada.get(f"/games/{game}/pulse").get_json()["version"]
    bo.send(f"/games/{game}/leave")
    assert bo.path == "/"
    assert ada.get(f"/games/{game}/pulse").get_json()["version"] != version
    bo.visit(f"/games/{game}")
    bo.send(f"/games/{game}/join", status=422, entropy="ö")
    assert bo.form(f"/games/{game}/join").fields["entropy"] == ["ö"]
    form = {"csrf_token": bo.page.forms[0].fields["csrf_token"]}
    for _ in range(2):
        assert bo.post(f"/games/{game}/join", data=form).headers["Location"] == f"/games/{game}"
    for closed in ("cancel", "leave"):
        token = {"csrf_token": stranger.visit("/sign-in") and stranger.page.forms[0].fields["csrf_token"]}
        assert "/sign-in" in stranger.post(f"/games/{game}/{closed}", data=token).headers["Location"]
    assert bo.post(f"/games/{game}/cancel", data=form).status_code == 403
    ada.visit(f"/games/{game}")
    ada.send(f"/games/{game}/cancel")
    for reader in (ada, bo, stranger):
        assert "was called off before it began" in reader.visit(f"/games/{game}")
    assert "No public game has a free seat" in stranger.visit("/games")


def test_a_private_game_opens_by_its_code_and_by_invitation(table: Table, api_app: Flask) -> None:
    ada, bo, eve = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Eve"))
    ada.visit(NEW)
    ada.send(NEW, {"seat-1": "open", "seat-2": "invite", "who-2": "bo@example.org"}, public="no")
    game = _made(ada)
    (code,) = re.findall(r'class="join-code">(\w+)<', ada.answer.text)
    assert "bo@example.org" in ada.answer.text
    assert "Ada" not in browser(api_app).visit("/games")
    eve.visit(f"/games/{game}", 404)
    assert "There is no such game" in eve.visit("/join/2222222222", 422)
    guest = browser(api_app)
    guest.visit(f"/join/{code}")
    assert "bo@example.org" not in guest.answer.text, "an address is shown to whoever wrote it"
    assert f"/sign-in?next=/join/{code}" in guest.page.links
    assert "You are invited" in bo.visit("/")
    bo.visit(f"/games/{game}")
    assert "bo@example.org" not in bo.answer.text
    assert code not in bo.answer.text
    bo.send(f"/games/{game}/decline")
    for spelled in (f" {code.upper()} ", f"{code[:4]} {code[4:]}", f"{code[:5]}-{code[5:]}".upper()):
        eve.visit("/games")
        eve.send("/join", code=spelled)
        assert eve.path.replace("-", "") == f"/join/{code}"
        assert f'action="/games/{game}/join"' in eve.answer.text
    eve.send(f"/games/{game}/join", entropy="eve's word")
    assert "You have a seat." in eve.answer.text
    assert "eve&#39;s word" not in ada.visit(f"/games/{game}")
    bo.visit(f"/join/{code}")
    bo.send(f"/games/{game}/join")
    assert "With you the game is complete and has begun." in bo.answer.text
    assert browser(api_app).get(f"/join/{code}").status_code == 409
    assert ada.get(f"/join/{code}").headers["Location"] == f"/games/{game}"


def test_the_first_page_shows_what_waits_first(table: Table, api_app: Flask) -> None:
    ada, bo = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Bo")
    assert "You have no game yet" in ada.visit("/")
    slow = table.game(ada.caller, bo.caller)
    soon = table.game(ada.caller, bo.caller, clock=ClockSpec("days", days=1))
    theirs = table.game(bo.caller, ada.caller)
    kept = lobby.create_game(caller=bo.caller, seats=[ME, SeatSpec("invite", name="Ada")], now=table.now)
    waits = lobby.create_game(caller=ada.caller, seats=[ME, OPEN], now=table.now)
    over = table.game(ada.caller, bo.caller)
    table.play_out([ada.caller, bo.caller], over)
    text = ada.visit("/")
    order = [text.index(f'href="/games/{game}"') for game in (soon, slow, kept, theirs, waits, over)]
    assert order == sorted(order)
    assert "2 games wait for you" in text
    assert "Bo is to act, since" in text
    assert text.count('class="tag urgent"') == 1
    (version,) = re.findall(r'data-version="(\w+)"', text)
    assert ada.get("/pulse").get_json() == {"version": version}
    table.move(bo.caller, theirs)
    assert ada.get("/pulse").get_json() != {"version": version}
    assert browser(api_app).get("/pulse").status_code == 303


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_long_lists_are_paged_and_anybody_may_look(table: Table, api_app: Flask) -> None:
    ada = table.person("Ada")
    games = [lobby.create_game(caller=ada, seats=[ME, OPEN], now=table.clock.forward(seconds=1)) for _ in range(23)]
    guest = browser(api_app)
    first = guest.visit("/games")
    (onward,) = [link for link in guest.page.links if "after=" in link]
    second = guest.visit(onward)
    shown = [[game for game in games if f'href="/games/{game}"' in text] for text in (first, second)]
    assert (shown[0], shown[1]) == (games[3:], games[:3])
    assert guest.get("/games?after=nonsense").status_code in (409, 422)
    for status in ("playing", "over", "cancelled", "x"):
        guest.visit(f"/games?status={status}")
    assert "<svg" in guest.visit("/")
    assert "Make an account" in guest.answer.text


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_players_words_are_escaped_everywhere(table: Table, api_app: Flask) -> None:
    nasty = signed_in_client(api_app, table, table.person("<script>alert(1)</script>", "nasty@example.org"))
    ada = signed_in_client(api_app, table, "Ada")
    nasty.visit(NEW)
    nasty.send(NEW, {"seat-1": "open", "seat-2": "invite", "who-2": "Ada"})
    game = _made(nasty)
    for page in ("/", "/games", f"/games/{game}", "/account", "/account/tokens"):
        for reader in (nasty, ada):
            text = reader.visit(page)
            assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in ada.visit("/games")

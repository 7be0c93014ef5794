"""Talk, notes, orders and the table of a game, through the forms of their pages."""

from __future__ import annotations

from html import unescape

import pytest
from flask import Flask

from service.usecases import lobby, orders, talk, votes, wishes
from service.usecases.results import Caller, ClockSpec, SeatSpec
from tests.service.table import Table
from tests.web.browsing import browser, signed_in_client

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

CHAPTERS = ("", "/talk", "/table", "/log", "/replay", "/verify")


def test_talk_is_for_all_and_notes_for_their_writer_whatever_stands_in_them(table: Table, api_app: Flask) -> None:
    ada, bo = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo"))
    game = table.game(ada.caller, bo.caller)
    path = f"/games/{game}/talk"
    ada.visit(path)
    said = "<script>alert(1)</script>\nsecond line & {{ 7 * 7 }}"
    ada.send(f"/games/{game}/says", said=said)
    assert ada.path == path
    ada.send(f"/games/{game}/notes", noted="Bo hoards <b>fives</b>")
    assert "Bo hoards &lt;b&gt;fives&lt;/b&gt;" in ada.visit(path)
    for reader in (bo, browser(api_app)):
        shown = reader.visit(path)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;\nsecond line &amp; {{ 7 * 7 }}" in shown
        assert "<script>alert" not in shown
        for chapter in CHAPTERS:
            assert "hoards" not in reader.visit(f"/games/{game}{chapter}"), chapter
    assert "hoards" in ada.visit(f"/games/{game}/log")


def test_what_is_sent_twice_is_said_once_and_what_cannot_be_said_stays_in_its_field(
    table: Table, api_app: Flask
) -> None:
    ada, bo = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo"))
    game = table.game(ada.caller, bo.caller)
    says = f"/games/{game}/says"
    ada.visit(f"/games/{game}/talk")
    ada.send(says, said="hello")
    ada.send(says, said="hello")
    assert talk.said(caller=None, game_id=game, kind="say").total == 1
    bo.visit(f"/games/{game}/talk")
    bo.send(says, said="hello")
    ada.send(says, said="hello")
    assert talk.said(caller=None, game_id=game, kind="say").total == 3
    shown = ada.send(says, said="ab\u202ec", status=422)
    assert "ab\u202ec</textarea>" in shown
    assert 'aria-invalid="true"' in shown
    assert talk.said(caller=None, game_id=game, kind="say").total == 3


def test_old_talk_is_on_older_pages(table: Table, api_app: Flask) -> None:
    ada, bo = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo"))
    game = table.game(ada.caller, bo.caller)
    for number in range(75):
        talk.say(caller=ada.caller, game_id=game, text=f"word {number}.", now=table.now)
    newest = bo.visit(f"/games/{game}/talk")
    assert ("word 74." in newest, "word 45." in newest, "word 44." in newest) == (True, True, False)
    older = next(link for link in bo.page.links if "says=" in link)
    assert "word 44." in bo.visit(older)
    oldest = next(link for link in bo.page.links if "says=15" in link)
    shown = bo.visit(oldest)
    assert ("word 0." in shown, "word 14." in shown, "word 15." in shown) == (True, True, False)


def test_without_a_seat_or_a_form_token_nothing_is_said_or_done(table: Table, api_app: Flask) -> None:
    ada, bo, eve = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Eve"))
    game = table.game(ada.caller, bo.caller)
    eve.visit(f"/games/{game}/talk")
    assert [form for form in eve.page.forms if game in form.action] == []
    posts = ("says", "notes", "orders/bribe", "votes/extend", "resume", "resign", "mail", "rematch", "orders/plan/off")
    said = {"said": "x", "noted": "x", "text": "lowest"}
    for post in posts:
        answer = ada.post(f"/games/{game}/{post}", data=said)
        assert answer.status_code == 400, post
    token = eve.visit("/").split('name="csrf_token" value="')[1].split('"')[0]
    for post in posts:
        answer = eve.post(f"/games/{game}/{post}", data={**said, "csrf_token": token})
        assert answer.status_code == 403, post
    assert not table.view(ada.caller, game).info.seats[0].resigned
    private = table.game(ada.caller, bo.caller, public=False)
    for who in (eve, browser(api_app)):
        for chapter in CHAPTERS:
            who.visit(f"/games/{private}{chapter}", status=404)


def test_orders_are_chosen_or_written_refused_beside_their_field_and_taken_back(table: Table, api_app: Flask) -> None:
    ada, bo = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo"))
    game = table.game(ada.caller, bo.caller)
    path = f"/games/{game}/orders"

    def kept() -> dict[str, str]:
        return {order.kind: order.text for order in orders.orders(caller=ada.caller, game_id=game)}

    ada.visit(path)
    ada.send(f"{path}/bribe/chosen", pays="at most 2", keep="while I have 3 cards")
    ada.send(f"{path}/catch/chosen", first="purple", second="leader")
    ada.send(f"{path}/plan/chosen", one="black t1", two="stop")
    assert kept() == {
        "bribe": "at most 2 while I have 3 cards",
        "catch": "purple>leader never me",
        "plan": "black t1 stop",
    }
    shown = unescape(ada.send(f"{path}/catch", text="pruple<b>", status=422))
    assert "did you mean 'purple'?" in shown
    assert "pruple<b></textarea>" in shown
    assert kept()["catch"] == "purple>leader never me"
    ada.send(f"{path}/catch/chosen", first="", second="", spare=[], status=422)
    ada.send(f"{path}/plan", text="if m3 to c1 then black m3 gold else orange t2 stop")
    assert kept()["plan"] == "if m3 to c1 then black m3 gold else orange t2 stop"
    for chapter in CHAPTERS:
        for reader in (bo, browser(api_app)):
            assert "at most 2 while" not in reader.visit(f"/games/{game}{chapter}"), chapter
    assert "at most" not in bo.visit(path).split("<main")[1].split("f-bribe-pays")[0]
    ada.visit(path)
    for kind in ("bribe", "catch", "plan"):
        ada.send(f"{path}/{kind}/off")
    assert kept() == {}


def test_those_who_wait_vote_on_the_table_and_whoever_was_lost_takes_the_seat_back(
    table: Table, api_app: Flask
) -> None:
    ada, bo, cy = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy"))
    game = table.game(ada.caller, bo.caller, cy.caller, clock=ClockSpec("days", days=1))
    path = f"/games/{game}/table"
    bo.visit(path)
    bo.send(f"/games/{game}/votes/extend")
    assert "For it so far: You." in bo.answer.text
    assert "For it so far: Bo." in ada.visit(path)
    assert not any("votes/extend" in form.action for form in ada.page.forms)
    bo.send(f"/games/{game}/votes/extend/back")
    bo.send(f"/games/{game}/votes/extend")
    cy.visit(path)
    cy.send(f"/games/{game}/votes/extend")
    assert votes.votes(caller=bo.caller, game_id=game, now=table.now).extend is not None
    # the page of a turn that is over: its vote is not counted for the next
    bo.visit(path)
    table.turn_over(ada.caller, game)
    bo_form = bo.form(f"/games/{game}/votes/extend")
    answer = bo.post(bo_form.action, data=bo_form.filled({}), follow_redirects=True)
    assert "That turn is over" in answer.text
    table.wait(days=5)
    held = next(client for client in (ada, bo, cy) if _held(table, client.caller, game))
    assert "A bot holds your seat" in held.visit(path)
    held.send(f"/games/{game}/resume")
    assert not _held(table, held.caller, game)


def _held(table: Table, caller: Caller, game: str) -> bool:
    info = table.view(caller, game).info
    return info.you is not None and info.seats[info.you].held


def test_resigning_asks_first_and_the_mails_of_a_game_can_wait_for_the_digest(table: Table, api_app: Flask) -> None:
    ada, bo = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo"))
    game = table.game(ada.caller, bo.caller)
    ada.visit(f"/games/{game}/table")
    ada.send(f"/games/{game}/mail", mail="digest")
    assert wishes.game_mail(caller=ada.caller, game_id=game, now=table.now).digest
    ada.send(f"/games/{game}/mail", mail="once")
    assert not wishes.game_mail(caller=ada.caller, game_id=game, now=table.now).digest
    assert f"/games/{game}/resign" in ada.page.links
    ada.visit(f"/games/{game}/resign")
    assert not table.view(ada.caller, game).info.seats[0].resigned
    ada.send(f"/games/{game}/resign")
    assert table.view(ada.caller, game).info.seats[0].resigned
    assert ada.visit(f"/games/{game}/resign")
    assert ada.path == f"/games/{game}/table"


def test_the_table_tells_of_a_game_that_waits_who_is_invited_to_its_maker_alone(table: Table, api_app: Flask) -> None:
    ada, bo = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo"))
    seats = [SeatSpec("me"), SeatSpec("invite", email="dora@example.org"), SeatSpec("open")]
    game = lobby.create_game(caller=ada.caller, seats=seats, now=table.now)
    assert "dora@example.org" in ada.visit(f"/games/{game}/table")
    assert "dora@example.org" not in bo.visit(f"/games/{game}/table")

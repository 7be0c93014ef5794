"""Move links: looking changes nothing, the button plays once, and whatever is too late says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from engine import action_notation, legal_actions
from service.db import reading
from service.mail import kinds
from service.mail.tokens import AccountToken, MoveLink, OptOutLink, SeatToken, Token, seal
from service.models import Move, OutboxRow
from service.usecases import access, inbound, infos, lobby, play
from service.usecases.results import ClockSpec
from tests.service.table import ME, OPEN, Table
from tests.web.conftest import Dump, bribing

Seal = Callable[[Token], str]


def moves(game: str) -> int:
    with reading() as session:
        return session.scalar(select(func.count()).select_from(Move).where(Move.game_id == game)) or 0


def test_programs_that_follow_every_link_of_every_mail_change_nothing(
    table: Table, client: FlaskClient, dump: Callable[[], Dump], links_of: Callable[[kinds.Notice], list[str]]
) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo, clock=ClockSpec("days", days=1))
    for _ in range(4):
        table.post()
        seen = table.view(ada, game)
        table.move(ada if seen.info.to_act == 0 else bo, game)
    table.post()
    table.clock.forward(hours=21)  # of the 15 h outside the night at least 12: past the reminder, whenever it began
    table.post()
    followed = set[str]()
    before = dump()
    for _, notice in table.sent:
        for link in links_of(notice):
            answers = [client.get(link), client.head(link), client.get(link)]
            assert answers[0].status_code in (200, 410), link
            assert answers[1].data == b""
            assert {answer.status_code for answer in answers} == {answers[0].status_code}
            followed.add(link.split("/")[1])
    assert followed == {"games", "m", "sign-in", "u"}
    assert len(table.mails(kinds.ReminderNotice)) == 1
    assert dump() == before


def test_every_numbered_action_has_a_page_that_tells_it_and_a_button_that_plays_it(
    table: Table, client: FlaskClient, sealed: Seal, links_of: Callable[[kinds.Notice], list[str]]
) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    table.post()
    (turn,) = table.mails(kinds.TurnNotice, "ada@example.org")
    rows = table.view(ada, game).legal
    pages = [sealed(MoveLink(game, 0, 0, row.number)) for row in rows]
    assert [f"/m/{token}" for token in pages] == [link for link in links_of(turn) if link.startswith("/m/")]
    for row, token in zip(rows, pages, strict=True):
        page = client.get(f"/m/{token}").get_data(as_text=True)
        assert row.notation.split()[-1] in page
        assert f"number {row.number} in the list" in page
        assert page.count("<form") == page.count("<button") == 1
    chosen = rows[-1]
    answer = client.post(f"/m/{pages[-1]}")
    assert answer.status_code == 200
    assert "This move is played" in answer.text
    assert f'<a href="/games/{game}">To the game</a>' in answer.text
    assert "<p>Ada moved a" in answer.text, "and nothing of what was before"
    with reading() as session:
        (made,) = session.scalars(select(Move).where(Move.game_id == game, Move.ply == 0)).all()
    assert made.action == chosen.action
    assert made.by == "player"


def test_a_button_pressed_again_and_by_ten_at_once_plays_once(
    table: Table, api_app: Flask, sealed: Seal, dump: Callable[[], Dump]
) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    path = f"/m/{sealed(MoveLink(game, 0, 0, 1))}"
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: api_app.test_client().post(path), range(10)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.data for answer in answers}) == 1
    assert moves(game) == 1
    before = dump()
    again = api_app.test_client().post(path)
    assert again.data == answers[0].data
    assert dump() == before
    used = api_app.test_client().get(path)
    assert used.status_code == 410
    assert "This move is played" in used.text


def test_a_turn_that_goes_on_is_told_of_by_mail_at_once(
    table: Table, client: FlaskClient, sealed: Seal, links_of: Callable[[kinds.Notice], list[str]]
) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    table.post()
    answer = client.post(f"/m/{sealed(MoveLink(game, 0, 0, 1))}")
    seen = table.view(ada, game)
    assert seen.info.to_act == 0, "the first knight of a turn leaves a second to move"
    assert "Your turn goes on" in answer.text
    assert "A mail with what you can do now is on its way" in answer.text
    table.clock.forward(seconds=30)
    table.post()
    first, second = table.mails(kinds.TurnNotice, "ada@example.org")
    assert (first.ply, second.ply) == (0, seen.info.ply)
    assert second.envelope.reply == SeatToken(game, 0, seen.info.ply)
    assert not second.started
    stop = next(row for row in seen.legal if row.notation == "stop")
    token = sealed(MoveLink(game, 0, seen.info.ply, stop.number))
    assert f"/m/{token}" in links_of(second)
    ended = client.post(f"/m/{token}")
    assert "Ada stopped after one knight." in ended.text
    assert "Your turn goes on" not in ended.text
    assert table.view(ada, game).info.to_act == 1
    client.post(f"/m/{token}")
    with reading() as session:
        keys = session.scalars(select(OutboxRow.key).where(OutboxRow.topic == "mail.turn")).all()
    assert len(keys) == len(set(keys)) == 3


def test_a_link_and_an_answer_that_says_the_same_are_one_move(table: Table, client: FlaskClient, sealed: Seal) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    play.submit(caller=ada, game_id=game, ply=0, line="1", now=table.now)
    answer = client.post(f"/m/{sealed(MoveLink(game, 0, 0, 1))}")
    assert answer.status_code == 200
    assert "This move is played" in answer.text
    other = client.post(f"/m/{sealed(MoveLink(game, 0, 0, 2))}")
    assert other.status_code == 410
    assert "Too late for this move" in other.text
    assert moves(game) == 1


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_is_too_late_says_so_and_shows_the_game_as_it_is(table: Table, client: FlaskClient, sealed: Seal) -> None:
    ada, bo, cy = table.person("Ada"), table.person("Bo"), table.person("Cy")
    game = table.game(ada, bo, cy)
    old = f"/m/{sealed(MoveLink(game, 0, 0, 3))}"
    table.move(ada, game, 1)
    for answer in (client.get(old), client.post(old), client.get(old)):
        assert answer.status_code == 410
        assert "Too late for this move" in answer.text
        assert "Ada is to move a second knight or stop" in answer.text
        assert "<svg" in answer.text
        assert "<button" not in answer.text
    lobby.resign(caller=ada, game_id=game, now=table.now)
    ply = table.view(bo, game).info.ply
    resigned = f"/m/{sealed(MoveLink(game, 0, ply, 1))}"
    for answer in (client.get(resigned), client.post(resigned)):
        assert answer.status_code == 410
        assert "A bot plays for this seat" in answer.text
    table.play_out([bo, cy], game)
    over = f"/m/{sealed(MoveLink(game, 1, table.view(bo, game).info.ply, 1))}"
    for answer in (client.get(over), client.post(over), client.post(old)):
        assert answer.status_code == 410
        assert "The game is over" in answer.text
        assert "The game ended, because" in answer.text


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_not_this_seats_turn_is_no_move(table: Table, client: FlaskClient, sealed: Seal) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    answer = client.post(f"/m/{sealed(MoveLink(game, 1, 0, 1))}")
    assert answer.status_code == 410
    assert moves(game) == 0


def test_forged_foreign_and_broken_links_lead_nowhere_and_do_not_say_why(
    table: Table, client: FlaskClient, sealed: Seal, dump: Callable[[], Dump]
) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    good = MoveLink(game, 0, 0, 1)
    waiting = lobby.create_game(caller=ada, seats=[ME, OPEN], now=table.now)
    wrong = [
        seal("another installation's secret key, long enough", good),
        sealed(good)[:-8] + ("a" if sealed(good)[-8] != "a" else "b") + sealed(good)[-7:],
        sealed(good)[:-4],
        sealed(good) + "a" * 8,
        sealed(good) * 40,
        sealed(SeatToken(game, 0, 0)),
        sealed(AccountToken(ada.user_id)),
        sealed(OptOutLink(f"user:{ada.user_id}", "turn")),
        sealed(MoveLink("222222222222", 0, 0, 1)),
        sealed(MoveLink(waiting, 0, 0, 1)),
        sealed(MoveLink(game, 4, 0, 1)),
        f"{sealed(good)}/more",
        f"{sealed(good)}/",
        "",
        "../../etc/passwd",
        "%00",
        "é",
    ]
    before = dump()
    said = set()
    for token in wrong:
        for answer in (client.get(f"/m/{token}"), client.post(f"/m/{token}")):
            assert answer.status_code == 404, token
            assert answer.mimetype == "text/html"
            assert not token or token not in answer.text
            said.add(answer.text)
    assert len(said) == 1
    assert dump() == before
    assert moves(game) == 0
    assert client.get(f"/m/{sealed(good).upper()}").status_code == 200, "case is lost on the way, and does not matter"


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_page_shows_what_everybody_may_see_and_never_the_value_of_a_gold_card(
    table: Table, client: FlaskClient, sealed: Seal
) -> None:
    players = [table.person(name) for name in ("Ada", "Bo", "Cy")]
    game, actor, link, value = bribing(table, players)
    with reading() as session:
        position = infos.position_of(access.find(session, game))
    assert position is not None
    notation = action_notation(legal_actions(position)[link.number - 1], 3)
    assert notation == f"bribe {value}"
    page = client.get(f"/m/{sealed(link)}").text
    assert "Give the dragon the gold card that your mail names" in page
    assert notation not in page
    other = client.get(f"/m/{sealed(replace(link, number=link.number - 1))}").text
    assert re.sub(r"number \d+ in", "", page) == re.sub(r"number \d+ in", "", other), "every bribe is told alike"
    for text in (page, client.post(f"/m/{sealed(link)}").text):
        assert "Your gold cards" not in text
        assert "Gold cards:" not in text
        assert "gave the dragon the gold card" not in text
    told = client.get(f"/m/{sealed(link)}").text
    assert "gave the dragon a gold card" in told
    assert table.view(actor, game).info.ply > link.ply


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", ['<b onclick="x">&amp;', "</svg><script>x", "'\"><img src=x"])
def test_names_are_text(table: Table, client: FlaskClient, sealed: Seal, name: str) -> None:
    ada, bo = table.person(name, "ada@example.org"), table.person("Bo")
    game = table.game(ada, bo)
    path = f"/m/{sealed(MoveLink(game, 0, 0, 1))}"
    for answer in (client.get(path), client.post(path)):
        assert name not in answer.text
        assert "<script" not in answer.text
        assert "<img" not in answer.text
        assert name in unescape(answer.text)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_private_games_are_shown_to_whoever_has_the_link(table: Table, client: FlaskClient, sealed: Seal) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo, public=False)
    assert client.get(f"/m/{sealed(MoveLink(game, 0, 0, 1))}").status_code == 200
    assert client.get(f"/api/v1/games/{game}").status_code == 404


def test_a_mail_read_while_the_button_is_pressed_makes_one_move(table: Table, api_app: Flask, sealed: Seal) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    path = f"/m/{sealed(MoveLink(game, 0, 0, 1))}"
    raw = (
        f"From: ada@example.org\r\nTo: emerald+{sealed(SeatToken(game, 0, 0))}@localhost\r\n"
        "Message-ID: <one@example.org>\r\nSubject: Re: turn\r\n\r\n2\r\n"
    ).encode()
    got = inbound.receive(raw=raw, via="lmtp", envelope_from="ada@example.org", envelope_to=[], now=table.now)

    def press(_: int) -> int:
        return int(api_app.test_client().post(path).status_code)

    def read(_: int) -> int:
        with api_app.app_context():
            inbound.read_mail(mail_id=got.id, now=table.now)
        return 0

    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(act, 0) for act in (press, read, press, read)]
        for one in done:
            one.result()
    assert moves(game) == 1

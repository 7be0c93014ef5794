"""Opt-out pages, and what all pages have in common: headers, errors for people, limits."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.mail import kinds
from service.mail.tokens import KINDS, MoveLink, OptOutLink, Token, address_recipient, user_recipient
from service.usecases import accounts, lobby, wishes
from service.usecases.results import SeatSpec
from service.web.headers import POLICY
from tests.api.conftest import MakeApp, make_app  # noqa: F401 - a fixture
from tests.service.table import ME, Table
from tests.web.conftest import Dump

Seal = Callable[[Token], str]
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.mark.parametrize("kind", KINDS)
def test_get_shows_and_post_acts_and_undo_takes_it_back(
    table: Table, client: FlaskClient, sealed: Seal, dump: Callable[[], Dump], kind: str
) -> None:
    ada = table.person("Ada")
    link = OptOutLink(user_recipient(ada.user_id), kind)
    path = f"/u/{sealed(link)}"
    before = dump()
    for look in (client.get(path), client.head(path), client.get(f"{path}/undo")):
        assert look.status_code == 200
    assert dump() == before
    assert f'action="{path}"' in client.get(path).text
    assert "Stop these mails" in client.get(path).text
    done = client.post(path)
    assert done.status_code == 200
    assert "Done: they are turned off." in done.text
    assert f'action="{path}/undo"' in done.text
    assert wishes.opted_out(link=link)
    off = dump()
    assert client.post(path).status_code == 200
    assert "are turned off" in client.get(path).text
    assert dump() == off
    assert "Done: they are turned on." in client.post(f"{path}/undo").text
    assert not wishes.opted_out(link=link)
    assert dump() == before


def test_a_mail_program_unsubscribes_with_one_click(
    table: Table, client: FlaskClient, links_of: Callable[[kinds.Notice], list[str]]
) -> None:
    """RFC 8058: the POST goes to the link in the header, with this body and nothing else, and is not redirected."""
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    table.post()
    (turn,) = table.mails(kinds.TurnNotice, "ada@example.org")
    (path,) = [link for link in links_of(turn) if link.startswith("/u/")]
    for content_type in ("application/x-www-form-urlencoded", "multipart/form-data"):
        answer = client.post(path, data=ONE_CLICK, content_type=content_type)
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
    table.move(ada, game, 1)
    stop = next(row for row in table.view(ada, game).legal if row.notation == "stop")
    table.move(ada, game, stop.number)
    table.move(bo, game, 1)
    while table.view(ada, game).info.to_act == 1:
        table.move(bo, game, 1)
    table.post()
    assert len(table.mails(kinds.TurnNotice, "ada@example.org")) == 1, "no mail about a turn came after that"


def test_somebody_without_an_account_can_stop_invitations(
    table: Table, client: FlaskClient, links_of: Callable[[kinds.Notice], list[str]]
) -> None:
    ada = table.person("Ada")
    stranger = SeatSpec("invite", email="stranger@example.org")
    lobby.create_game(caller=ada, seats=[ME, stranger], now=table.now)
    table.post()
    (invitation,) = table.mails(kinds.InvitationNotice, "stranger@example.org")
    (path,) = [link for link in links_of(invitation) if link.startswith("/u/")]
    page = client.get(path).text
    assert "No more invitations?" in page
    assert "stranger" not in page
    client.post(path, data=ONE_CLICK)
    assert wishes.opted_out(link=OptOutLink(address_recipient("stranger@example.org"), "invitation"))
    lobby.create_game(caller=ada, seats=[ME, stranger], now=table.now)
    table.post()
    assert len(table.mails(kinds.InvitationNotice, "stranger@example.org")) == 1


def test_opt_out_links_of_others_and_of_nobody(
    table: Table, client: FlaskClient, sealed: Seal, dump: Callable[[], Dump]
) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    game = table.game(ada, bo)
    before = dump()
    for token in (
        sealed(MoveLink(game, 0, 0, 1)),
        "x",
        sealed(OptOutLink(user_recipient(ada.user_id), "news"))[:-2] + "aa",
    ):
        for answer in (client.get(f"/u/{token}"), client.post(f"/u/{token}"), client.post(f"/u/{token}/undo")):
            assert answer.status_code == 404
            assert "This link leads nowhere" in answer.text
    assert "This link leads nowhere" in client.get("/u/").text
    gone = sealed(OptOutLink(user_recipient("222222222222"), "turn"))
    assert client.post(f"/u/{gone}").status_code == 200, "an account that is gone gets no mails either way"
    assert dump() == before


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_pages_behind_links_speak_as_the_mail_did(table: Table, client: FlaskClient, sealed: Seal) -> None:
    """To an account in its language, whatever the browser asks for; who had none, and who follows no link, is heard."""
    ada, bo = table.person("Ada"), table.person("Bo")
    accounts.update_account(caller=ada, language="de-AT", now=table.now)
    game = table.game(ada, bo)
    french = {"Accept-Language": "fr-CA, en;q=0.8"}
    for path, spoken in (
        (f"/m/{sealed(MoveLink(game, 0, 0, 1))}", "de"),
        (f"/m/{sealed(MoveLink(game, 1, 0, 1))}", "en"),
        (f"/u/{sealed(OptOutLink(user_recipient(ada.user_id), 'news'))}", "de"),
        (f"/u/{sealed(OptOutLink(address_recipient('stranger@example.org'), 'invitation'))}", "fr"),
        (f"/u/{sealed(OptOutLink(user_recipient('222222222222'), 'turn'))}", "fr"),
        ("/m/none", "fr"),
    ):
        page = client.get(path, headers=french).text
        assert f'<html lang="{spoken}">' in page, path
        if path.startswith("/m/") and path != "/m/none":
            assert f'href="/games/{game}"' in page
    assert '<html lang="en">' in client.get("/m/none").text


def dressed(answer: TestResponse) -> None:
    """What every page carries."""
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.content_type == "text/html; charset=utf-8"
    assert "Set-Cookie" not in answer.headers


def test_every_page_is_kept_by_nobody_and_runs_nothing(table: Table, client: FlaskClient, sealed: Seal) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    move = f"/m/{sealed(MoveLink(table.game(ada, bo), 0, 0, 1))}"
    leave = f"/u/{sealed(OptOutLink(user_recipient(ada.user_id), 'turn'))}"
    for answer in (
        client.get(move),
        client.head(move),
        client.post(move),
        client.get(move),
        client.get(leave),
        client.post(leave),
        client.post(f"{leave}/undo"),
        client.get("/m/none"),
        client.post("/u/none"),
        client.get("/m/"),
    ):
        dressed(answer)
        page = answer.text
        for forbidden in ("<script", " style=", "<style", " on", "javascript:"):
            assert not re.search(rf"<[^>]*{forbidden.lstrip('<')}[=\w]" if forbidden == " on" else forbidden, page)
        for token in (move, leave):
            assert page.count(token) == page.count(f'action="{token}'), "a token stands in the form's address alone"


def test_the_style_sheet_is_our_own_and_dark_where_dark_is_wanted(client: FlaskClient) -> None:
    (link,) = re.findall(r'rel="stylesheet" href="([^"]*)"', client.get("/m/none").text)
    sheet = client.get(link)
    assert sheet.mimetype == "text/css"
    assert sheet.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "prefers-color-scheme: dark" in sheet.text
    assert ".ef-paper{" in sheet.text, "the board's dark colours too"
    assert "url(" not in sheet.text
    assert "@import" not in sheet.text


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_pages_have_the_limits_of_the_api(make_app: MakeApp) -> None:  # noqa: F811 - the fixture
    client = make_app(RATE_LIMIT="3/minute").test_client()
    answers = [client.get("/m/none") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
    dressed(answers[-1])
    assert "Too many requests" in answers[-1].text
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60


def test_a_database_that_is_away_is_told_in_words(
    make_app: MakeApp,  # noqa: F811 - the fixture
    sealed: Seal,
) -> None:
    client = make_app(DATABASE_URL="postgresql+psycopg://nobody@127.0.0.1:1/nothing").test_client()
    for answer in (
        client.get(f"/m/{sealed(MoveLink('222222222222', 0, 0, 1))}"),
        client.post(f"/m/{sealed(MoveLink('222222222222', 0, 0, 1))}"),
        client.post(f"/u/{sealed(OptOutLink('user:222222222222', 'turn'))}"),
    ):
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert "press it again" in answer.text
        dressed(answer)


def test_pages_stand_in_no_document_of_the_api(api_app: Flask) -> None:
    document = api_app.test_client().get("/api/v1/openapi.json").get_json()
    assert not [path for path in document["paths"] if path.startswith(("/m", "/u", "/pages"))]
    assert {rule.rule for rule in api_app.url_map.iter_rules() if rule.endpoint.startswith("links.")} >= {
        "/m/<token>",
        "/u/<token>",
        "/u/<token>/undo",
    }
    assert {rule.rule for rule in api_app.url_map.iter_rules() if rule.endpoint.startswith("web.")} >= {
        "/",
        "/games/<game_id>",
        "/assets/<version>/<name>",
    }


def test_no_token_is_logged(
    table: Table, client: FlaskClient, sealed: Seal, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ada, bo = table.person("Ada"), table.person("Bo")
    token = sealed(MoveLink(table.game(ada, bo), 0, 0, 1))
    with caplog.at_level("DEBUG"):
        client.get(f"/m/{token}")
        client.post(f"/m/{token}")
        client.get(f"/m/{token}x")
    out, err = capfd.readouterr()
    assert token not in out + err + caplog.text

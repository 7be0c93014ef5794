"""Who gets in by the pages, who does not, and what nobody learns there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from service import clock
from service.db import reading, transaction
from service.errors import UNAUTHENTICATED, Refusal
from service.mail.tokens import SignInLink, SignUpToken, Token
from service.models import Address, Challenge
from service.usecases import accounts, addresses, tokens
from tests.api.conftest import MakeApp, make_app  # noqa: F401 - a fixture
from tests.service.table import Table
from tests.web.browsing import Browser, browser, mailed_code, signed_in_client
from tests.web.conftest import Dump

Seal = Callable[[Token], str]
ADA = "ada@example.org"


def _newest_challenge() -> int:
    with reading() as session:
        return session.scalars(select(Challenge.id).order_by(Challenge.id.desc())).first() or 0


def _asked(guest: Browser, address: str = ADA, path: str = "/sign-in") -> None:
    guest.visit(path)
    guest.send("/sign-in", email=address)
    assert guest.path == "/sign-in/code"


def test_signing_up_by_forms_alone_leads_to_a_started_game(table: Table, api_app: Flask) -> None:
    guest = browser(api_app)
    guest.visit("/", 200)
    guest.visit("/sign-up?next=/games/new")
    assert guest.form("/sign-up").fields["language"] == ["en"]
    guest.send("/sign-up", status=422, name="A", email=ADA, time_zone="Europe/Berlin", language="de")
    assert "A name has 2 to 32 characters." in guest.answer.text
    kept = guest.form("/sign-up").fields
    assert (kept["email"], kept["time_zone"], kept["language"]) == ([ADA], ["Europe/Berlin"], ["de"])
    guest.send("/sign-up", name="Ada", language="en")
    assert f"is on its way to {ADA}" in guest.answer.text
    code = mailed_code(table, ADA)
    wrong = f"{(int(code) + 1) % 10**8:08}"
    guest.send("/sign-in/code", status=422, code=wrong)
    assert "That code does not fit" in guest.answer.text
    guest.send("/sign-in/code", code=f"{code[:4]} {code[4:]}")
    assert guest.path == "/games/new", "where it was on its way to"
    guest.send("/games/new", button=("bots", "2"))
    assert guest.path.startswith("/games/")
    table.clock.now = clock.now()
    table.post()  # the bots play, if one of them begins
    assert "1 game waits for you" in guest.visit("/")


def test_the_answer_is_the_same_whether_an_address_is_known(table: Table, api_app: Flask) -> None:
    table.person("Ada")
    seen = []
    for address in (ADA, "ide@example.org"):
        guest = browser(api_app)
        _asked(guest, address)
        seen.append(guest.answer.text.replace(address, "?").replace(_token(guest), "?"))
    assert seen[0] == seen[1]
    guest = browser(api_app)
    guest.visit("/sign-up")
    guest.send("/sign-up", name="Somebody", email=ADA)
    assert f"is on its way to {ADA}" in guest.answer.text, "its owner learns by the mail that there is an account"


def _token(guest: Browser) -> str:
    return guest.page.forms[0].fields["csrf_token"][0]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_way_on_is_kept_and_never_leads_elsewhere(table: Table, api_app: Flask) -> None:
    ada = table.person("Ada")
    for to, expected in (
        ("/games?status=over", "/games?status=over"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("/%0d%0aSet-Cookie:a=b\r\nX: y", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ):
        guest = browser(api_app)
        guest.get("/sign-in", query_string={"next": to})
        guest.answer = guest.get("/sign-in", query_string={"next": to})
        assert guest.form("/sign-in").fields["next"] == [expected]
        # whoever forges the form itself does not get further
        form = {"csrf_token": _token(guest), "email": ADA, "next": to}
        answer = guest.post("/sign-in", data=form)
        if answer.status_code != 303:  # so many codes an hour, and no more
            assert answer.status_code == 429
            assert int(answer.headers["Retry-After"]) > 0
            continue
        form = {"csrf_token": _token(guest), "email": ADA, "next": to, "code": mailed_code(table, ADA)}
        entered = guest.post("/sign-in/code", data=form)
        assert entered.status_code == 303
        assert entered.headers["Location"] == expected
        assert "Set-Cookie" in entered.headers
        assert guest.get("/sign-in", query_string={"next": to}).headers["Location"] == expected
    assert accounts.me(caller=ada).email == ADA


def test_a_session_is_fresh_and_ends_with_sign_out(table: Table, api_app: Flask) -> None:
    guest = signed_in_client(api_app, table, "Bo")
    old = guest.visit("/") and _token(guest)
    with guest.session_transaction() as session:
        session["planted"], before = "by somebody", session["token"]
    table.person("Ada")
    guest.visit("/sign-in/code")
    with guest.session_transaction() as session:
        assert session["token"] == before
    accounts.request_code(email=ADA, now=table.now)
    guest.visit("/sign-in/code")
    guest.send("/sign-in/code", email=ADA, code=mailed_code(table, ADA))
    assert "Ada" in guest.answer.text
    with guest.session_transaction() as session:
        assert "planted" not in session
        assert session["token"] != before
        after = session["token"]
    assert guest.post("/sign-out", data={"csrf_token": old}).status_code == 400, "a form from before is of no use"
    assert _revoked(before), "who signs in as another was signed out"
    guest.visit("/")
    guest.send("/sign-out")
    assert _revoked(after)
    assert "Sign in" in guest.answer.text
    with guest.session_transaction() as session:
        assert "token" not in session


def _revoked(token: str) -> bool:
    try:
        tokens.authenticate(token=token, now=clock.now())
    except Refusal as refusal:
        return refusal.code == UNAUTHENTICATED
    return False


def test_a_link_shows_whom_it_signs_in_and_does_so_once(
    table: Table, api_app: Flask, sealed: Seal, dump: Callable[[], Dump]
) -> None:
    table.person("Ada")
    guest = browser(api_app)
    _asked(guest, path="/sign-in?next=/games")
    path = f"/sign-in/{sealed(SignInLink(_newest_challenge()))}"
    before = dump()
    for look in (guest.get(path), guest.head(path), browser(api_app).get(path)):
        assert look.status_code == 200
        assert "no-store" in look.headers["Cache-Control"]
    assert dump() == before, "programs that open every link of a mail change nothing"
    assert guest.post(path).status_code == 400, "nor does a form of somebody else's"
    victim = signed_in_client(api_app, table, "Victim")
    shown = victim.visit(path)
    assert "Sign in as Ada?" in shown
    assert "signed in as Victim now" in shown
    assert "Victim" in victim.visit("/"), "looking at a stranger's link signs nobody in or out"
    guest.visit(path)
    guest.send(path)
    assert guest.path == "/games"
    assert ">Ada<" in guest.answer.text
    for late in (guest.get(path), victim.get(path)):
        assert late.status_code == 410
        assert "signs nobody in any more" in late.text
    form = {"csrf_token": _token(victim)}
    victim.visit("/")
    form = {"csrf_token": _token(victim)}
    assert victim.post(path, data=form).status_code == 410
    assert "Victim" in victim.visit("/")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_links_that_are_late_forged_or_for_something_else(table: Table, api_app: Flask, sealed: Seal) -> None:
    ada = table.person("Ada")
    guest = browser(api_app)
    _asked(guest)
    good = _newest_challenge()
    addresses.add(caller=ada, email="more@example.org", now=table.now)
    for token in (
        "x",
        sealed(SignInLink(good))[:-2] + "22",
        sealed(SignUpToken(good)),
        sealed(SignInLink(good)) + "a" * 200,
    ):
        assert guest.get(f"/sign-in/{token}").status_code == 404
    for challenge in (_newest_challenge(), 999_999):
        assert guest.get(f"/sign-in/{sealed(SignInLink(challenge))}").status_code == 410
    path = f"/sign-in/{sealed(SignInLink(good))}"
    for _ in range(5):
        guest.visit("/sign-in/code")
        guest.send(
            "/sign-in/code", status=422, code="00000000" if mailed_code(table, ADA) != "00000000" else "00000001"
        )
    assert guest.get(path).status_code == 410, "a code that was guessed at five times is over, and its link too"
    accounts.request_code(email=ADA, now=table.now - timedelta(minutes=11))
    assert guest.get(f"/sign-in/{sealed(SignInLink(_newest_challenge()))}").status_code == 410


def test_a_link_makes_the_account_of_a_sign_up(table: Table, api_app: Flask, sealed: Seal) -> None:
    guest = browser(api_app)
    guest.visit("/sign-up")
    guest.send("/sign-up", name="Ada", email=ADA, time_zone="Asia/Tokyo")
    path = f"/sign-in/{sealed(SignInLink(_newest_challenge()))}"
    phone = browser(api_app)
    assert "Make this account?" in phone.visit(path)
    phone.send(path)
    assert "Welcome, Ada!" in phone.answer.text
    assert guest.get(path).status_code == 410


def test_failing_addresses_are_told_at_sign_in(table: Table, api_app: Flask) -> None:
    ada = table.person("Ada")
    addresses.add(caller=ada, email="old@example.org", now=table.now)
    table.post()
    with transaction() as session:
        session.add(
            Address(
                user_id=ada.user_id,
                email="old@example.org",
                email_key="old@example.org",
                verified_at=table.now,
                state="failing",
                failing_since=table.now,
            )
        )
    guest = browser(api_app)
    _asked(guest)
    guest.send("/sign-in/code", code=mailed_code(table, ADA))
    assert "Mail to old@example.org has failed since" in guest.answer.text
    assert 'class="flash error"' in guest.answer.text


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_forms_have_the_limit_of_the_api(make_app: MakeApp) -> None:  # noqa: F811 - the fixture
    guest = browser(make_app(RATE_LIMIT="1000/minute"))
    guest.visit("/sign-in")
    form = {"csrf_token": _token(guest), "email": "nobody", "next": "/"}
    paths = ["/sign-in", "/sign-up", "/sign-in/code"] * 11
    answers = [guest.post(path, data=form).status_code for path in paths]
    assert answers[:30] == [422] * 30
    assert answers[30:] == [429] * 3, "together, however they are spread"
    assert guest.get("/sign-in").status_code == 200
    assert "Too many requests" in guest.post("/sign-in", data=form).text


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_another_language_keeps_where_one_was_going(client: FlaskClient) -> None:
    page = client.get("/sign-in?next=/games/new").text
    assert 'href="?next=%2Fgames%2Fnew&amp;lang=fr"' in page

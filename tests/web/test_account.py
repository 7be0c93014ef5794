"""One's own account on pages: what is changed there is changed, and nobody else's is seen."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from service import clock
from service.db import transaction
from service.models import Address
from service.usecases import absences, accounts, addresses, feeds, hours, tokens, wishes
from tests.service.table import Table
from tests.web.browsing import Browser, browser, mailed_code, signed_in_client

TABS = ("", "/addresses", "/mail", "/time-off", "/tokens", "/feeds")


def test_the_profile_is_changed_and_the_site_speaks_the_language(table: Table, api_app: Flask) -> None:
    table.person("Bo")
    ada = signed_in_client(api_app, table, "Ada")
    ada.visit("/account")
    ada.send("/account", status=422, name="bo", time_zone="Asia/Tokyo")
    assert "Somebody has that name already" in ada.answer.text
    assert ada.form("/account").fields["time_zone"] == ["Asia/Tokyo"]
    ada.send("/account", name="Ada Lovelace", language="de")
    assert '<html lang="de">' in ada.answer.text
    me = accounts.me(caller=ada.caller)
    assert (me.display_name, me.language, me.time_zone) == ("Ada Lovelace", "de", "Asia/Tokyo")
    accounts.update_account(caller=ada.caller, language="de-AT", time_zone="US/Pacific", now=table.now)
    ada.visit("/account")
    ada.send("/account", name="Ada")
    me = accounts.me(caller=ada.caller)
    assert (me.display_name, me.language, me.time_zone) == ("Ada", "de-AT", "US/Pacific"), "what was not touched stays"
    forged = {"csrf_token": ada.page.forms[0].fields["csrf_token"], "name": "Ada", "language": "xx", "time_zone": "UTC"}
    assert ada.post("/account", data=forged).status_code == 422


def test_an_address_is_added_by_its_code_and_removed(table: Table, api_app: Flask) -> None:
    ada = signed_in_client(api_app, table, "Ada")
    ada.visit("/account/addresses")
    ada.send("/account/addresses", status=422, email="no@@address")
    assert "not an e-mail address" in ada.answer.text
    ada.send("/account/addresses", email="work@example.org")
    assert "is on its way to work@example.org" in ada.answer.text
    code = mailed_code(table, "work@example.org")
    ada.send("/account/addresses/code", status=422, code="12345678" if code != "12345678" else "12345679")
    assert "That code does not fit" in ada.answer.text
    ada.send("/account/addresses/code", code=code)
    assert "Mail arrives at work@example.org." in ada.answer.text
    work = next(one for one in addresses.list_addresses(caller=ada.caller) if one.email == "work@example.org")
    ada.send(f"/account/addresses/{work.id}/prefer")
    assert accounts.me(caller=ada.caller).email == "work@example.org"
    with transaction() as session:
        row = session.query(Address).filter_by(email="work@example.org").one()
        row.state, row.failing_since, row.last_status = "failing", table.now, "5.1.1"
    assert "Mail has not arrived since" in ada.visit("/account/addresses")
    assert "(5.1.1)" in ada.answer.text
    ada.send(f"/account/addresses/{work.id}/test")
    ada.send("/account/addresses/code", code=mailed_code(table, "work@example.org"))
    assert "Mail has not arrived" not in ada.answer.text
    ada.send(f"/account/addresses/{work.id}/remove")
    assert [one.email for one in addresses.list_addresses(caller=ada.caller)] == ["ada@example.org"]
    form = {"csrf_token": ada.page.forms[0].fields["csrf_token"]}
    (last,) = addresses.list_addresses(caller=ada.caller)
    refused = ada.post(f"/account/addresses/{last.id}/remove", data=form)
    assert (refused.status_code, "This is your only address" in refused.text) == (422, True)
    assert ada.post(f"/account/addresses/{work.id}/remove", data=form).status_code == 404


def test_a_token_is_shown_once_and_sessions_end(table: Table, api_app: Flask) -> None:
    table.person("Ada")
    laptop, phone = browser(api_app), browser(api_app)
    for client, agent in ((laptop, "Mozilla/5.0 (Windows NT 10.0) Firefox/130.0"), (phone, "")):
        client.environ_base["HTTP_USER_AGENT"] = agent
        accounts.request_code(email="ada@example.org", now=clock.now())
        client.visit("/sign-in/code")
        client.send("/sign-in/code", email="ada@example.org", code=mailed_code(table, "ada@example.org"))
    text = laptop.visit("/account/tokens")
    assert text.count("This browser") == 1
    assert "Firefox, Windows" in text
    laptop.send("/account/tokens", status=422, name="My <b>bot</b>", scope=[])
    assert "Choose what the token may do." in laptop.answer.text
    laptop.send("/account/tokens", scope=["games:read"])
    (token,) = re.findall(r'value="(emerald_[^"]+)"', laptop.answer.text)
    assert laptop.answer.headers["Cache-Control"] == "no-store"
    assert tokens.authenticate(token=token, now=clock.now()).scopes == {"games:read"}
    text = laptop.visit("/account/tokens")
    assert token not in text
    assert "My &lt;b&gt;bot&lt;/b&gt;" in text
    revokes = [form.action for form in laptop.page.forms if form.action.endswith("/revoke")]
    for action in revokes:
        laptop.visit("/account/tokens")
        laptop.send(action)
    assert len(revokes) == 3, "the phone, the program, and what the test made the account with"
    assert "/sign-in" in phone.get("/account").headers["Location"]
    assert "Ada" in laptop.visit("/account")


def test_time_off_is_set_and_what_cannot_be_is_said(table: Table, api_app: Flask) -> None:
    ada = signed_in_client(api_app, table, "Ada")
    accounts.update_account(caller=ada.caller, time_zone="Europe/Berlin", now=table.now)
    ada.visit("/account/time-off")
    assert "60 days" in ada.answer.text
    ada.send("/account/time-off/hours", night_from="23", night_to="6", day=["5", "6"])
    assert hours.hours(caller=ada.caller).night == (23, 6)
    assert hours.hours(caller=ada.caller).days_off == (5, 6)
    ada.send("/account/time-off/hours", status=422, day=["0", "1", "2", "3"])
    assert "3 days off" in ada.answer.text
    assert ada.form("/account/time-off/hours").fields["day"] == ["0", "1", "2", "3"]
    ada.send("/account/time-off/hours", no_night="on", day=[])
    assert hours.hours(caller=ada.caller).night is None
    start = (clock.now() + timedelta(days=3)).replace(hour=9, minute=0, second=0, microsecond=0, tzinfo=None)
    end = start + timedelta(days=5)
    ada.send("/account/time-off/away", starts=start.isoformat("T", "minutes"), ends=end.isoformat("T", "minutes"))
    (planned,) = absences.calendar(caller=ada.caller, now=clock.now()).absences
    assert planned.starts_at.astimezone(ZoneInfo("Europe/Berlin")).replace(tzinfo=None) == start
    for starts, ends, words in (
        ("", "", "A date and an hour"),
        ("", "0001-01-01T00:00", "That year is too far away."),
        ("9999-12-31T23:59", end.isoformat(), "That year is too far away."),
        (end.isoformat(), start.isoformat(), "lasts an hour at least"),
        ("", (start + timedelta(days=59)).isoformat(), "An absence still to come"),
    ):
        ada.send("/account/time-off/away", status=422, starts=starts, ends=ends)
        assert words in ada.answer.text
        assert ada.form("/account/time-off/away").fields["ends"] == [ends]
    ada.send(f"/account/time-off/{planned.id}/cancel")
    ada.send("/account/time-off/away", starts="", ends=start.isoformat("T", "minutes"))
    assert "You are away" in ada.answer.text
    ada.send("/account/time-off/back")
    assert absences.present(caller=ada.caller, now=clock.now()) is None


def test_wishes_for_mail_and_feeds(table: Table, api_app: Flask) -> None:
    ada = signed_in_client(api_app, table, "Ada")
    ada.visit("/account/mail")
    ada.send("/account/mail", kind=["turn", "news"], drawing=[], digest_hour="19")
    wanted = wishes.mail_wishes(caller=ada.caller)
    assert (wanted.off, wanted.drawing, wanted.cards, wanted.digest_hour) == (
        ("reminder", "invitation"),
        False,
        True,
        19,
    )
    ada.send("/account/mail/pause")
    assert "Mail is paused" in ada.answer.text
    ada.send("/account/mail/resume")
    assert wishes.mail_wishes(caller=ada.caller).paused_at is None
    assert ada.form("/account/mail").fields["kind"] == ["turn", "news"]
    ada.visit("/account/feeds")
    ada.send("/account/feeds")
    secrets = re.findall(r'value="http://127.0.0.1:8000(/api/v1/feeds/[^"]+)"', ada.answer.text)
    assert [address.rpartition(".")[2] for address in secrets] == ["ics", "atom"]
    assert browser(api_app).get(secrets[0]).status_code == 200
    assert secrets[0] not in ada.visit("/account/feeds"), "they are shown once"
    ada.send("/account/feeds/revoke")
    assert browser(api_app).get(secrets[0]).status_code == 404
    assert feeds.made(caller=ada.caller) is None


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_nobody_sees_or_changes_what_is_anothers(table: Table, api_app: Flask) -> None:
    ada, eve = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Eve")
    game = table.game(ada.caller, eve.caller)
    made = tokens.create_token(caller=ada.caller, name="Ada's program", scopes=["account"], now=table.now)
    absences.away(caller=ada.caller, time=timedelta(days=2), now=clock.now())
    (absence,) = absences.calendar(caller=ada.caller, now=clock.now()).absences
    (address,) = addresses.list_addresses(caller=ada.caller)
    for tab in TABS:
        for path in (f"/account{tab}", f"/games/{game}", "/"):
            text = eve.visit(path)
            assert "ada@example.org" not in text
            assert "Ada&#39;s program" not in text
            assert made.info.id not in text
        assert browser(api_app).get(f"/account{tab}").headers["Location"].startswith("/sign-in?next=/account")
    form = {"csrf_token": eve.page.forms[0].fields["csrf_token"]}
    for path in (
        f"/account/tokens/{made.info.id}/revoke",
        f"/account/addresses/{address.id}/remove",
        f"/account/addresses/{address.id}/prefer",
        f"/account/time-off/{absence.id}/cancel",
    ):
        assert eve.post(path, data=form).status_code == 404
    assert tokens.authenticate(token=made.token, now=clock.now()).user_id == ada.caller.user_id


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_every_form_wants_a_token_of_its_own_session(table: Table, api_app: Flask) -> None:
    ada, eve = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Eve")
    foreign = eve.visit("/account") and eve.page.forms[0].fields["csrf_token"][0]
    ours = sorted(
        rule.rule
        for rule in api_app.url_map.iter_rules()
        if rule.endpoint.startswith("web.") and "POST" in (rule.methods or ())
    )
    assert len(ours) > 30
    for rule in ours:
        path = re.sub(r"<[^>]*>", "222222222222", rule)
        for data in ({}, {"csrf_token": ""}, {"csrf_token": foreign}):
            answer = ada.post(path, data=data)
            assert answer.status_code == 400, f"{path} with {data}"
            assert "made for another session" in answer.text
    assert _name(ada) == "Ada"


def _name(client: Browser) -> str:
    return accounts.me(caller=client.caller).display_name

"""Sign-up, sign-in, tokens: who gets in, who does not, and what nobody learns."""

from datetime import timedelta
from threading import Thread

import pytest
from flask import Flask
from sqlalchemy import select

from service import outbox
from service.db import reading
from service.errors import (
    BAD_CODE,
    FORBIDDEN,
    INVALID,
    NAME_TAKEN,
    NOT_FOUND,
    RATE_LIMITED,
    SCOPE_MISSING,
    UNAUTHENTICATED,
    Refusal,
)
from service.mail import kinds
from service.models import Address, Challenge, Token, User
from service.usecases import accounts, challenges, tokens, words
from service.usecases.results import SCOPES
from tests.service.table import Table, refused, rows

ANNA = "anna@example.org"


def _wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**8:08}"


def test_sign_up_makes_the_account_only_when_the_code_comes_back(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", language="de", time_zone="Europe/Berlin", now=table.now)
    with reading() as session:
        assert session.scalars(select(User)).all() == []
    new = accounts.redeem_code(email=ANNA, code=table.code(ANNA), now=table.now)
    assert new.token.startswith("emerald_")
    assert len(new.token) >= 40
    assert new.info.scopes == SCOPES
    caller = tokens.authenticate(token=new.token, now=table.now)
    me = accounts.me(caller=caller)
    assert (me.display_name, me.email, me.language, me.time_zone) == ("Anna", ANNA, "de", "Europe/Berlin")


def test_a_code_may_be_typed_with_spaces_and_the_address_in_any_case(table: Table) -> None:
    accounts.sign_up(email="Anna@Example.ORG", display_name="Anna", now=table.now)
    code = table.code("Anna@example.org")
    accounts.redeem_code(email=" ANNA@example.org ", code=f"{code[:4]} {code[4:]}", now=table.now)


def test_a_code_is_single_use(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    code = table.code(ANNA)
    accounts.redeem_code(email=ANNA, code=code, now=table.now)
    with refused(BAD_CODE):
        accounts.redeem_code(email=ANNA, code=code, now=table.now)


def test_a_code_ends_after_ten_minutes(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    code = table.code(ANNA)
    with refused(BAD_CODE):
        accounts.redeem_code(email=ANNA, code=code, now=table.clock.forward(minutes=10))
    accounts.request_code(email=ANNA, now=table.now)
    code = table.code(ANNA)
    accounts.redeem_code(email=ANNA, code=code, now=table.clock.forward(minutes=9, seconds=59))


def test_five_tries_and_the_count_stays_though_the_call_is_refused(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    code = table.code(ANNA)
    for _ in range(4):
        with refused(BAD_CODE):
            accounts.redeem_code(email=ANNA, code=_wrong(code), now=table.now)
    with reading() as session:
        assert session.scalar(select(Challenge.tries)) == 4
    with refused(BAD_CODE):
        accounts.redeem_code(email=ANNA, code=_wrong(code), now=table.now)
    with refused(BAD_CODE):
        accounts.redeem_code(email=ANNA, code=code, now=table.now)


def test_the_fifth_try_may_be_right(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    code = table.code(ANNA)
    for _ in range(4):
        with refused(BAD_CODE):
            accounts.redeem_code(email=ANNA, code=_wrong(code), now=table.now)
    accounts.redeem_code(email=ANNA, code=code, now=table.now)


def test_asking_for_more_codes_does_not_multiply_the_tries(table: Table) -> None:
    table.person("Anna")
    table.clock.forward(hours=2)
    for _ in range(challenges.PER_WINDOW):
        accounts.request_code(email=ANNA, now=table.now)
    code = table.code(ANNA)
    for _ in range(5):  # each wrong try counts against every code that is out
        with refused(BAD_CODE):
            accounts.redeem_code(email=ANNA, code=_wrong(code), now=table.now)
    with refused(BAD_CODE):
        accounts.redeem_code(email=ANNA, code=code, now=table.now)
    with refused(RATE_LIMITED) as caught:
        accounts.request_code(email=ANNA, now=table.now)
    assert 0 < caught.value.details["retry_after"] <= 3600
    accounts.request_code(email=ANNA, now=table.clock.forward(hours=1))


def test_an_older_code_holds_beside_a_newer_one(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    first = table.code(ANNA)
    accounts.request_code(email=ANNA, now=table.clock.forward(minutes=1))
    second = table.code(ANNA)
    assert first != second
    accounts.redeem_code(email=ANNA, code=first, now=table.now)
    with refused(BAD_CODE):  # signed in: the others are void
        accounts.redeem_code(email=ANNA, code=second, now=table.now)


def test_nobody_learns_whether_an_address_is_known(table: Table) -> None:
    """The same answer and the same rows for a known and an unknown address; only the postman looks."""
    table.person("Anna")
    table.clock.forward(hours=2)
    before = len(rows())
    for address in (ANNA, "nobody@example.org"):
        accounts.request_code(email=address, now=table.now)
        accounts.sign_up(email=address, display_name="Somebody", now=table.now)
    assert len(rows()) == before + 4
    sent = [n.envelope.to for n in table.post() if isinstance(n, kinds.CodeNotice)]
    assert sorted(sent) == [ANNA, ANNA, "nobody@example.org"]  # the unknown one only as a sign-up
    refusals = []
    for address in (ANNA, "stranger@example.org"):
        with pytest.raises(Refusal) as caught:
            accounts.redeem_code(email=address, code="00000000", now=table.now)
        refusals.append((caught.value.code, caught.value.message, dict(caught.value.details)))
    assert refusals[0] == refusals[1]


def test_the_limit_of_codes_is_the_same_for_unknown_addresses(table: Table) -> None:
    for _ in range(challenges.PER_WINDOW):
        accounts.request_code(email="nobody@example.org", now=table.now)
    with refused(RATE_LIMITED):
        accounts.request_code(email="nobody@example.org", now=table.now)


def test_signing_up_again_signs_in_and_changes_nothing(table: Table) -> None:
    table.person("Anna")
    accounts.sign_up(email=ANNA, display_name="Mallory", now=table.clock.forward(minutes=1))
    new = accounts.redeem_code(email=ANNA, code=table.code(ANNA), now=table.now)
    caller = tokens.authenticate(token=new.token, now=table.now)
    assert accounts.me(caller=caller).display_name == "Anna"
    assert [mail.known for mail in table.mails(kinds.CodeNotice)] == [False, True]  # told by mail, and nowhere else


def test_a_name_that_was_taken_meanwhile_gets_a_number(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    accounts.sign_up(email="other@example.org", display_name="anna", now=table.now)
    names = []
    for address in ("other@example.org", ANNA):
        new = accounts.redeem_code(email=address, code=table.code(address), now=table.now)
        names.append(accounts.me(caller=tokens.authenticate(token=new.token, now=table.now)).display_name)
    assert names == ["anna", "Anna 2"]


def test_a_second_code_for_a_sign_up_still_makes_the_account(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    accounts.request_code(email=ANNA, now=table.clock.forward(minutes=15))
    new = accounts.redeem_code(email=ANNA, code=table.code(ANNA), now=table.now)
    assert accounts.me(caller=tokens.authenticate(token=new.token, now=table.now)).display_name == "Anna"


@pytest.mark.parametrize("name", ["ANNA", "Ａnna", " anna ", "an na", "Anna\ufe0f", "Anna\U000e0101"])
def test_names_that_look_alike_are_one(table: Table, name: str) -> None:
    table.person("Anna")
    with refused(NAME_TAKEN):
        accounts.sign_up(email="other@example.org", display_name=name, now=table.now)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "A",
        "x" * 33,
        "An\u200bna",
        "An\u202ena",
        "Anna\u3164",  # letters and marks that draw nothing
        "Anna\u115f",
        "Anna\u2800",
        "Anna\u034f",
        "An\nna",
        "An\x00na",
        "\u2028\u2028",
        "a@b",
        "---",
        "e" + "\u0301" * 9,
    ],
)
def test_names_that_are_refused(name: str) -> None:
    with refused(INVALID):
        words.display_name(name)


@pytest.mark.parametrize("name", ["Anna", "Ö2", "Jean-Luc P.", "Łukasz", "李小龍", "x" * 32, "O'Neil", "Anna ❤️"])
def test_names_that_are_fine(name: str) -> None:
    assert words.display_name(f"  {name} ") == name


@pytest.mark.parametrize(
    "address",
    [
        "",
        "anna",
        "anna@",
        "@example.org",
        "a b@example.org",
        "anna@exa mple.org",
        "anna@example..org",
        "anna@-example.org",
        ".anna@example.org",
        "anna@example.org\nBcc: x@example.org",
        "anna@example.org\r",
        "anna@[127.0.0.1]",
        '"a b"@example.org',
        "a@b@example.org",
        "x" * 65 + "@example.org",
        "anna@" + "x" * 250 + ".org",
        "an\x00na@example.org",
        "<anna@example.org>",
    ],
)
def test_addresses_that_are_refused(address: str) -> None:
    if address.strip() != address and "\n" not in address:
        assert words.email(address) == address.strip()  # white space around it is forgiven
        return
    with refused(INVALID):
        words.email(address)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("Anna@Example.ORG", "Anna@example.org"),
        (" a.b+c@mail.example.org ", "a.b+c@mail.example.org"),
        ("anna@localhost", "anna@localhost"),
        ("anna@bücher.example", "anna@xn--bcher-kva.example"),
    ],
)
def test_addresses_that_are_fine(address: str, kept: str) -> None:
    assert words.email(address) == kept


def test_tokens_are_stored_hashed_and_shown_once(table: Table) -> None:
    caller = table.person("Anna")
    new = tokens.create_token(caller=caller, name="bot", scopes=["games:read"], now=table.now)
    with reading() as session:
        for row in session.scalars(select(Token)):
            assert new.token not in repr([getattr(row, column.key) for column in row.__table__.columns])
    listed = tokens.list_tokens(caller=caller, now=table.now)
    assert {one.name for one in listed} >= {"bot"}
    assert new.token not in repr(listed)
    assert new.token not in repr(new)
    assert next(one for one in listed if one.name == "bot").hint == new.token[-4:]
    assert [one.current for one in listed].count(True) == 1


def test_a_revoked_token_is_of_no_use(table: Table) -> None:
    caller = table.person("Anna")
    new = tokens.create_token(caller=caller, name="old", scopes=["games:read"], now=table.now)
    tokens.revoke_token(caller=caller, token_id=new.info.id, now=table.now)
    with refused(UNAUTHENTICATED):
        tokens.authenticate(token=new.token, now=table.now)
    with refused(NOT_FOUND):
        tokens.revoke_token(caller=caller, token_id=new.info.id, now=table.now)


def test_a_session_that_ended_is_listed_no_more_and_in_time_forgotten(table: Table) -> None:
    caller = table.person("Anna")
    accounts.request_code(email=ANNA, now=table.now)
    life = timedelta(days=90)
    session_token = accounts.redeem_code(email=ANNA, code=table.code(ANNA), life=life, now=table.now)
    revoked = tokens.create_token(caller=caller, name="revoked", scopes=["account"], now=table.now)
    tokens.revoke_token(caller=caller, token_id=revoked.info.id, now=table.now)
    assert session_token.info.id in {one.id for one in tokens.list_tokens(caller=caller, now=table.now)}
    table.clock.forward(days=90)
    assert {one.id for one in tokens.list_tokens(caller=caller, now=table.now)} == {caller.token_id}
    with refused(UNAUTHENTICATED):
        tokens.authenticate(token=session_token.token, now=table.now)
    assert tokens.forget_ended(before=table.now - timedelta(days=30)) == 1, "the one that was revoked long ago"
    assert tokens.forget_ended(before=table.now + timedelta(days=1)) == 1
    with reading() as session:
        assert [row.id for row in session.scalars(select(Token))] == [caller.token_id]


def test_a_link_signs_in_once_although_two_come_at_once(table: Table, app: Flask) -> None:
    table.person("Anna")
    accounts.request_code(email=ANNA, now=table.now)
    with reading() as session:
        challenge = session.scalars(select(Challenge.id).order_by(Challenge.id.desc())).first()
    assert challenge is not None
    answers: list[str] = []

    def redeem() -> None:
        with app.app_context():
            try:
                answers.append(accounts.redeem_link(challenge_id=challenge, now=table.now).info.name)
            except Refusal as refusal:
                answers.append(refusal.code)

    threads = [Thread(target=redeem) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["Signed in 2026-03-01", *[BAD_CODE] * 3]
    with refused(BAD_CODE):
        accounts.redeem_code(email=ANNA, code=table.code(ANNA), now=table.now)


def test_nobody_revokes_anothers_token(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    with refused(NOT_FOUND):
        tokens.revoke_token(caller=bert, token_id=anna.token_id, now=table.now)


def test_a_token_may_not_make_a_stronger_one(table: Table) -> None:
    caller = table.person("Anna")
    new = tokens.create_token(caller=caller, name="weak", scopes=["account"], now=table.now)
    weak = tokens.authenticate(token=new.token, now=table.now)
    with refused(SCOPE_MISSING):
        tokens.create_token(caller=weak, name="strong", scopes=["games:play"], now=table.now)
    tokens.create_token(caller=weak, name="same", scopes=["account"], now=table.now)


def test_without_the_scope_the_account_is_closed(table: Table) -> None:
    caller = table.person("Anna")
    new = tokens.create_token(caller=caller, name="reader", scopes=["games:read"], now=table.now)
    reader = tokens.authenticate(token=new.token, now=table.now)
    with refused(SCOPE_MISSING):
        accounts.me(caller=reader)
    with refused(SCOPE_MISSING):
        tokens.list_tokens(caller=reader, now=table.now)
    tokens.revoke_token(caller=reader, token_id=reader.token_id, now=table.now)  # signing out is always possible


@pytest.mark.parametrize("token", ["", "emerald_", "emerald_short", "bearer x", "emerald_" + "\x00" * 43, "é" * 50])
def test_nonsense_is_no_token(table: Table, token: str) -> None:
    with refused(UNAUTHENTICATED):
        tokens.authenticate(token=token, now=table.now)


def test_the_last_use_is_noted_at_most_once_a_minute(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    new = accounts.redeem_code(email=ANNA, code=table.code(ANNA), now=table.now)

    def last_used() -> object:
        with reading() as session:
            return session.scalar(select(Token.last_used_at))

    assert last_used() is None
    tokens.authenticate(token=new.token, now=table.now)
    first = last_used()
    assert first == table.now
    tokens.authenticate(token=new.token, now=table.clock.forward(seconds=59))
    assert last_used() == first
    tokens.authenticate(token=new.token, now=table.clock.forward(seconds=1))
    assert last_used() == table.now


def test_the_number_of_tokens_is_bounded(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = table.person("Anna")
    monkeypatch.setattr(tokens, "TOKENS_PER_ACCOUNT", 2)
    tokens.create_token(caller=caller, name="", scopes=["account"], now=table.now)
    with refused(FORBIDDEN):
        tokens.create_token(caller=caller, name="", scopes=["account"], now=table.now)


def test_an_account_changes_and_keeps_what_is_not_given(table: Table) -> None:
    anna, _ = table.person("Anna"), table.person("Bert")
    changed = accounts.update_account(caller=anna, display_name="Änne", now=table.now)
    assert (changed.display_name, changed.language) == ("Änne", "en")
    changed = accounts.update_account(caller=anna, language="de", time_zone="Asia/Tokyo", now=table.now)
    assert (changed.display_name, changed.language, changed.time_zone) == ("Änne", "de", "Asia/Tokyo")
    accounts.update_account(caller=anna, display_name="ÄNNE", now=table.now)  # one's own name in another case
    with refused(NAME_TAKEN):
        accounts.update_account(caller=anna, display_name="BERT", now=table.now)
    for bad in ({"language": "english"}, {"time_zone": "../../etc/passwd"}, {"time_zone": "Europe"}):
        with refused(INVALID):
            accounts.update_account(caller=anna, **bad, now=table.now)


def test_challenges_are_forgotten_and_codes_go_out_all_the_same(table: Table) -> None:
    accounts.request_code(email="stranger@example.org", now=table.now)
    assert accounts.forget_challenges(before=table.now) == 0
    table.clock.forward(days=2)
    assert accounts.forget_challenges(before=table.now - timedelta(days=1)) == 1
    table.person("Anna")  # its challenge must not get the id, and so the outbox key, of one that was removed
    assert len({row.key for row in rows("mail.code")}) == 2


def test_the_outbox_holds_no_code_and_no_address(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    code = table.code(ANNA)
    for row in rows():
        text = repr([getattr(row, column.key) for column in row.__table__.columns])
        assert code not in text
        assert "anna" not in text
    with reading() as session:
        challenge = session.scalars(select(Challenge)).one()
        assert code not in repr([getattr(challenge, column.key) for column in challenge.__table__.columns])
        assert session.scalars(select(Address)).all() == []


def test_a_code_mail_is_dropped_when_its_time_is_over(table: Table) -> None:
    accounts.sign_up(email=ANNA, display_name="Anna", now=table.now)
    table.clock.forward(minutes=11)
    assert table.post() == []
    assert [row.state for row in rows("mail.code")] == ["dropped"]
    assert outbox.next_due() is None

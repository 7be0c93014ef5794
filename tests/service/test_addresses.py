"""Further addresses, and those that fail: who may add what, what mends one, and what nobody learns."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, update

from service.config import Settings
from service.db import reading, transaction
from service.errors import BAD_CODE, FORBIDDEN, NOT_FOUND, RATE_LIMITED, SCOPE_MISSING, Refusal
from service.mail import kinds
from service.mail.tokens import SignUpToken
from service.models import Address, Challenge
from service.usecases import accounts, addresses, challenges, lobby, tokens
from service.usecases.results import AddressInfo, Caller, SeatSpec
from tests.service.table import ME, OPEN, Table, refused, rows

WORK = "anna@work.example"
HOME = "anna@example.org"


def told(table: Table, to: str = WORK) -> kinds.AddressNotice:
    """The newest mail about an address."""
    table.post()
    newest: kinds.AddressNotice = table.mails(kinds.AddressNotice, to)[-1]
    return newest


def added(table: Table, caller: Caller, email: str = WORK) -> AddressInfo:
    addresses.add(caller=caller, email=email, now=table.now)
    return addresses.redeem(caller=caller, email=email, code=told(table, email).code, now=table.now)


def fails(table: Table, *emails: str, state: str = "failing") -> None:
    """Mail to these does not arrive from now on."""
    with transaction() as session:
        session.execute(
            update(Address)
            .where(Address.email.in_(emails))
            .values(state=state, failing_since=table.now, soft_bounces=3, last_status="5.1.1", tried_at=table.now)
        )


def listed(caller: Caller) -> list[tuple[str, str]]:
    return [(one.email, one.state) for one in addresses.list_addresses(caller=caller)]


def find(caller: Caller, email: str) -> AddressInfo:
    return next(one for one in addresses.list_addresses(caller=caller) if one.email == email)


def test_an_address_is_added_when_its_code_comes_back(table: Table) -> None:
    anna = table.person("Anna")
    addresses.add(caller=anna, email="Anna@WORK.example", now=table.now)
    assert listed(anna) == [(HOME, "ok")]
    mail = told(table, "Anna@work.example")
    assert (mail.new, mail.elsewhere, mail.envelope.name) == (True, False, "Anna")
    now = table.clock.forward(hours=23)
    made = addresses.redeem(caller=anna, email=WORK, code=f"{mail.code[:4]} {mail.code[4:]}", now=now)
    assert (made.email, made.state, made.preferred, made.verified_at) == ("Anna@work.example", "ok", False, now)
    assert listed(anna) == [(HOME, "ok"), ("Anna@work.example", "ok")]
    with refused(BAD_CODE):
        addresses.redeem(caller=anna, email=WORK, code=mail.code, now=now)


def test_one_signs_in_with_any_of_ones_addresses(table: Table) -> None:
    anna = table.person("Anna")
    added(table, anna)
    accounts.request_code(email=WORK, now=table.now)
    new = accounts.redeem_code(email=WORK, code=table.code(WORK), now=table.now)
    assert tokens.authenticate(token=new.token, now=table.now).user_id == anna.user_id


def test_a_code_for_an_address_signs_nobody_in_and_the_other_way_round(table: Table) -> None:
    anna = table.person("Anna")
    addresses.add(caller=anna, email=HOME, now=table.now)
    with refused(BAD_CODE):
        accounts.redeem_code(email=HOME, code=told(table, HOME).code, now=table.now)
    accounts.request_code(email=HOME, now=table.now)
    with refused(BAD_CODE):
        addresses.redeem(caller=anna, email=HOME, code=table.code(HOME), now=table.now)


def test_a_code_is_of_use_to_the_account_alone_that_asked(table: Table) -> None:
    anna, mallory = table.person("Anna"), table.person("Mallory")
    addresses.add(caller=anna, email=WORK, now=table.now)
    code = told(table).code
    with refused(BAD_CODE):
        addresses.redeem(caller=mallory, email=WORK, code=code, now=table.now)
    addresses.redeem(caller=anna, email=WORK, code=code, now=table.now)


def test_five_tries_and_a_day(table: Table) -> None:
    anna = table.person("Anna")
    addresses.add(caller=anna, email=WORK, now=table.now)
    code = told(table).code
    for _ in range(challenges.TRIES):
        with refused(BAD_CODE):
            addresses.redeem(caller=anna, email=WORK, code=f"{(int(code) + 1) % 10**8:08}", now=table.now)
    with refused(BAD_CODE):
        addresses.redeem(caller=anna, email=WORK, code=code, now=table.now)
    addresses.add(caller=anna, email=WORK, now=table.clock.forward(hours=1))
    code = told(table).code
    with refused(BAD_CODE):
        addresses.redeem(caller=anna, email=WORK, code=code, now=table.clock.forward(days=1))


def test_an_answer_to_the_mail_does_as_the_code_does(table: Table) -> None:
    anna = table.person("Anna")
    addresses.add(caller=anna, email=WORK, now=table.now)
    reply = told(table).envelope.reply
    assert isinstance(reply, SignUpToken)
    with refused(BAD_CODE):  # it came from another address
        addresses.confirm(challenge_id=reply.challenge, email_key="mallory@example.org", now=table.now)
    done = addresses.confirm(challenge_id=reply.challenge, email_key=WORK, now=table.now)
    assert (done.user_id, done.address.email, done.new) == (anna.user_id, WORK, True)
    # Answered twice (or the code was handed in meanwhile): it stands.
    again = addresses.confirm(challenge_id=reply.challenge, email_key=WORK, now=table.clock.forward(days=2))
    assert (again.user_id, again.new) == (anna.user_id, False)
    addresses.remove(caller=anna, address_id=done.address.id, now=table.now)
    with refused(BAD_CODE):
        addresses.confirm(challenge_id=reply.challenge, email_key=WORK, now=table.now)


def test_an_answer_that_comes_too_late_or_to_a_sign_up_adds_nothing(table: Table) -> None:
    anna = table.person("Anna")
    addresses.add(caller=anna, email=WORK, now=table.now)
    reply = told(table).envelope.reply
    assert isinstance(reply, SignUpToken)
    with refused(BAD_CODE):
        addresses.confirm(challenge_id=reply.challenge, email_key=WORK, now=table.clock.forward(days=1))
    accounts.sign_up(email="bert@example.org", display_name="Bert", now=table.now)
    with reading() as session:
        sign_up = session.scalars(select(Challenge.id).where(Challenge.email == "bert@example.org")).one()
    for challenge in (sign_up, 10**6):
        with refused(BAD_CODE):
            addresses.confirm(challenge_id=challenge, email_key="bert@example.org", now=table.now)


def test_somebody_elses_address_is_told_to_its_owner_alone(table: Table) -> None:
    anna = table.person("Anna")
    table.person("Bert")
    before = len(rows())
    answers = []
    for email in ("bert@example.org", "nobody@example.org"):
        addresses.add(caller=anna, email=email, now=table.now)
        with pytest.raises(Refusal) as caught:
            addresses.redeem(caller=anna, email=email, code="00000000", now=table.now)
        answers.append((caught.value.code, caught.value.message, dict(caught.value.details)))
    assert answers[0] == answers[1]
    assert len(rows()) == before + 2
    to_bert, to_nobody = told(table, "bert@example.org"), told(table, "nobody@example.org")
    assert (to_bert.envelope.name, to_bert.elsewhere, to_bert.code, to_bert.envelope.reply) == ("Bert", True, "", None)
    assert (to_nobody.envelope.name, to_nobody.elsewhere, len(to_nobody.code)) == ("Anna", False, 8)


def test_an_address_that_became_anothers_meanwhile_stays_theirs(table: Table, settings: Settings) -> None:
    anna = table.person("Anna")
    addresses.add(caller=anna, email=WORK, now=table.now)
    mail = told(table)
    bert = table.person("Bert", email=WORK)
    with refused(FORBIDDEN):
        addresses.redeem(caller=anna, email=WORK, code=mail.code, now=table.now)
    assert isinstance(mail.envelope.reply, SignUpToken)
    with refused(FORBIDDEN):
        addresses.confirm(challenge_id=mail.envelope.reply.challenge, email_key=WORK, now=table.now)
    assert (listed(anna), listed(bert)) == ([(HOME, "ok")], [(WORK, "ok")])


@pytest.mark.parametrize("state", ["failing", "complained"])
def test_a_test_mends_an_address_that_fails(table: Table, state: str) -> None:
    anna = table.person("Anna")
    fails(table, HOME, state=state)
    bad = find(anna, HOME)
    assert (bad.state, bad.failing_since, bad.last_status) == (state, table.now, "5.1.1")
    addresses.retest(caller=anna, address_id=bad.id, now=table.clock.forward(hours=1))
    mail = told(table, HOME)
    assert (mail.new, mail.elsewhere) == (False, False)
    mended = addresses.redeem(caller=anna, email=HOME, code=mail.code, now=table.now)
    assert (mended.id, mended.state, mended.failing_since, mended.last_status) == (bad.id, "ok", None, None)
    with reading() as session:
        row = session.scalars(select(Address)).one()
    assert (row.soft_bounces, row.tried_at) == (0, None)


def test_who_signs_in_is_told_what_fails_and_the_code_itself_proves_that_mail_arrives(table: Table) -> None:
    anna = table.person("Anna")
    added(table, anna)
    fails(table, HOME, WORK)
    assert [one.email for one in accounts.me(caller=anna).failing] == [HOME, WORK]
    accounts.request_code(email=WORK, now=table.clock.forward(hours=1))
    new = accounts.redeem_code(email=WORK, code=table.code(WORK), now=table.now)
    assert [(one.email, one.state) for one in new.failing] == [(HOME, "failing")]
    assert listed(anna) == [(HOME, "failing"), (WORK, "ok")]


@pytest.mark.parametrize("by", ["sign-in", "test"])
def test_whose_mail_arrives_again_gets_the_turns_that_were_held_back(table: Table, by: str) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    table.post()
    fails(table, HOME)
    game = table.game(anna, bert)
    assert [type(mail) for mail in table.post()] == [kinds.StartedNotice], "one a day is tried; it was today"
    table.clock.forward(hours=1)
    if by == "sign-in":
        accounts.request_code(email=HOME, now=table.now)
        accounts.redeem_code(email=HOME, code=table.code(HOME), now=table.now)
    else:
        addresses.retest(caller=anna, address_id=find(anna, HOME).id, now=table.now)
        addresses.redeem(caller=anna, email=HOME, code=told(table, HOME).code, now=table.now)
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert (mail.game.id, mail.envelope.to) == (game, HOME)


def test_signing_in_takes_no_complaint_back(table: Table) -> None:
    anna = table.person("Anna")
    fails(table, HOME, state="complained")
    accounts.request_code(email=HOME, now=table.clock.forward(hours=1))
    accounts.redeem_code(email=HOME, code=table.code(HOME), now=table.now)
    assert listed(anna) == [(HOME, "complained")]


def test_one_address_is_preferred(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    work = added(table, anna)
    assert addresses.prefer(caller=anna, address_id=work.id).preferred
    assert [(one.email, one.preferred) for one in addresses.list_addresses(caller=anna)] == [
        (WORK, True),
        (HOME, False),
    ]
    addresses.prefer(caller=anna, address_id=find(anna, HOME).id)
    assert [(one.email, one.preferred) for one in addresses.list_addresses(caller=anna)] == [
        (HOME, True),
        (WORK, False),
    ]
    with refused(NOT_FOUND):
        addresses.prefer(caller=bert, address_id=work.id)


def test_the_account_shows_where_mail_goes_now(table: Table) -> None:
    anna = table.person("Anna")
    addresses.prefer(caller=anna, address_id=added(table, anna).id)
    assert accounts.me(caller=anna).email == WORK
    fails(table, WORK)
    assert accounts.me(caller=anna).email == HOME
    fails(table, HOME)
    assert accounts.me(caller=anna).email == WORK


def test_the_last_address_and_the_last_that_works_stay(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    home = find(anna, HOME)
    with refused(FORBIDDEN):
        addresses.remove(caller=anna, address_id=home.id, now=table.now)
    work = added(table, anna)
    fails(table, WORK)
    with refused(FORBIDDEN):
        addresses.remove(caller=anna, address_id=home.id, now=table.now)
    for attempt in (addresses.remove, addresses.retest):
        with refused(NOT_FOUND):
            attempt(caller=bert, address_id=work.id, now=table.now)
    addresses.retest(caller=anna, address_id=work.id, now=table.now)
    code = told(table).code
    addresses.remove(caller=anna, address_id=work.id, now=table.now)
    with refused(BAD_CODE):  # a code that is still out does not bring it back
        addresses.redeem(caller=anna, email=WORK, code=code, now=table.now)
    assert listed(anna) == [(HOME, "ok")]
    table.person("Wanda", email=WORK)  # whoever has the mailbox may use it elsewhere


def test_codes_are_limited_by_address_and_by_account(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    for _ in range(3):
        addresses.add(caller=anna, email="flooded@example.org", now=table.now)
    accounts.request_code(email="flooded@example.org", now=table.now)
    addresses.add(caller=bert, email="flooded@example.org", now=table.now)
    with refused(RATE_LIMITED) as caught:
        addresses.add(caller=bert, email="flooded@example.org", now=table.clock.forward(minutes=10))
    assert caught.value.details["retry_after"] == 50 * 60
    for number in range(challenges.PER_ACCOUNT - 3):
        addresses.add(caller=anna, email=f"other{number}@example.org", now=table.now)
    with refused(RATE_LIMITED) as caught:
        addresses.add(caller=anna, email="one.more@example.org", now=table.now)
    assert caught.value.details["retry_after"] == 50 * 60
    addresses.add(caller=anna, email="one.more@example.org", now=table.clock.forward(minutes=50))


def test_an_account_has_so_many_addresses_and_no_more(table: Table) -> None:
    anna = table.person("Anna")
    waiting = "last@example.org"
    addresses.add(caller=anna, email=waiting, now=table.now)
    code = told(table, waiting).code
    for number in range(addresses.MOST_ADDRESSES - 1):
        added(table, anna, f"anna{number}@example.org")
    with refused(FORBIDDEN):
        addresses.add(caller=anna, email=WORK, now=table.now)
    with refused(FORBIDDEN):
        addresses.redeem(caller=anna, email=waiting, code=code, now=table.now)
    addresses.add(caller=anna, email=HOME, now=table.clock.forward(hours=1))  # one's own may be tested all the same


def test_addresses_need_the_scope(table: Table) -> None:
    anna = table.person("Anna")
    player = Caller(anna.user_id, anna.token_id, frozenset({"games:read", "games:play"}))
    attempts: list[Callable[[], Any]] = [
        lambda: addresses.list_addresses(caller=player),
        lambda: addresses.add(caller=player, email=WORK, now=table.now),
        lambda: addresses.redeem(caller=player, email=WORK, code="12345678", now=table.now),
        lambda: addresses.retest(caller=player, address_id="x", now=table.now),
        lambda: addresses.prefer(caller=player, address_id="x"),
        lambda: addresses.remove(caller=player, address_id="x", now=table.now),
    ]
    for attempt in attempts:
        with refused(SCOPE_MISSING):
            attempt()


def test_players_see_whose_mail_fails_and_nobody_else_does(table: Table) -> None:
    anna, bert, eve = table.person("Anna"), table.person("Bert"), table.person("Eve")
    added(table, bert, "bert@work.example")
    game = table.game(anna, bert)
    waiting = lobby.create_game(caller=bert, seats=[ME, OPEN, SeatSpec("invite", name="Anna")], now=table.now)

    def seen(who: Caller | None, game_id: str = game) -> list[object]:
        return [seat.mail_failing_since for seat in table.view(who, game_id).info.seats]

    fails(table, "bert@example.org")
    assert seen(anna) == [None, None], "mail goes to the other address"
    since = table.clock.forward(hours=5)
    fails(table, "bert@work.example", state="complained")
    assert seen(anna) == seen(bert) == [None, since]
    assert seen(eve) == seen(None) == [None, None]
    assert seen(bert, waiting) == [since, None, None]
    assert seen(anna, waiting) == [None, None, None], "who is only invited does not sit there yet"
    assert [s.mail_failing_since for s in lobby.my_games(caller=anna).items[0].seats] == [None, since]
    lobby.resign(caller=bert, game_id=game, now=table.now)
    assert seen(anna) == [None, None]

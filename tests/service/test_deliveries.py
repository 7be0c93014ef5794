"""How mails fare: bounces and complaints that are believed, and to which address the next mail goes."""

from collections.abc import Callable

import pytest

from service import outbox
from service.db import transaction
from service.mail import kinds
from service.mail.errors import PermanentMailError, TemporaryMailError
from service.mail.reading.letter import Report
from service.usecases import accounts, addresses, deliveries, people
from service.usecases.results import AddressInfo, Caller
from tests.service.table import Table, rows

ANNA, SECOND = "anna@example.org", "anna@example.net"


def _second_address(table: Table, caller: Caller) -> None:
    addresses.add(caller=caller, email=SECOND, now=table.now)
    (mail,) = table.post()
    assert isinstance(mail, kinds.AddressNotice)
    addresses.redeem(caller=caller, email=SECOND, code=mail.code, now=table.now)


def _first(caller: Caller) -> AddressInfo:
    return next(one for one in addresses.list_addresses(caller=caller) if one.email == ANNA)


def _turn_mail(table: Table, anna: Caller, bert: Caller) -> kinds.TurnNotice:
    """A new game, and the mail that it is Anna's turn in it."""
    game = table.game(anna, bert)
    (mail,) = [mail for mail in table.post() if isinstance(mail, kinds.TurnNotice) and mail.game.id == game]
    return mail


def _hear(table: Table, mail: kinds.Notice, kind: str = "bounce-hard", status: str | None = "5.1.1") -> bool:
    """The mail comes back to its return path."""
    with transaction() as session:
        return deliveries.heard(
            session,
            kind=kind,  # type: ignore[arg-type]  # one of the three
            report=Report(None, None, status),
            row=mail.envelope.row,
            now=table.now,
        )


def test_what_is_sent_is_remembered(table: Table) -> None:
    anna, bert = table.pair()
    mail = _turn_mail(table, anna, bert)
    assert deliveries.mails_to(caller=anna) == (
        deliveries.Sent("turn", ANNA, mail.game.id, table.now, "sent", None, None),
    )  # the code of the sign-up was a stranger's
    table.game(anna, bert)
    table.game(anna, bert)
    table.clock.forward(minutes=2)
    table.post()
    assert [one.kind for one in deliveries.mails_to(caller=anna, limit=2)] == ["bundle", "turn"]
    assert deliveries.forget(before=table.now) > 0
    assert [one.kind for one in deliveries.mails_to(caller=anna)] == ["bundle"]


def test_a_bounce_makes_the_address_fail_and_says_so(table: Table) -> None:
    anna, bert = table.pair()
    mail = _turn_mail(table, anna, bert)
    table.clock.forward(minutes=1)
    assert _hear(table, mail)
    assert (_first(anna).state, _first(anna).failing_since, _first(anna).last_status) == ("failing", table.now, "5.1.1")
    since = table.now
    table.clock.forward(minutes=1)
    assert _hear(table, mail)  # once more
    assert _first(anna).failing_since == since
    sent = deliveries.mails_to(caller=anna)[0]
    assert (sent.state, sent.state_at, sent.status) == ("bounced", since, "5.1.1")


@pytest.mark.parametrize(
    "forge",
    [
        lambda mail: (Report(ANNA, "<never@emerald.test>", "5.1.1"), None),
        lambda mail: (Report(ANNA, None, "5.1.1"), None),
        lambda mail: (Report("bert@example.org", mail.envelope.message_id, "5.1.1"), None),
        lambda mail: (Report(None, mail.envelope.message_id, "5.1.1"), None),
        lambda mail: (Report(ANNA, mail.envelope.message_id, "5.1.1"), 10**6),
        lambda mail: (None, None),
    ],
    ids=["other Message-ID", "address alone", "other recipient", "no recipient", "other row", "nothing"],
)
def test_a_forged_bounce_mutes_nobody(
    table: Table, forge: Callable[[kinds.Notice], tuple[Report | None, int | None]]
) -> None:
    anna, bert = table.pair()
    report, row = forge(_turn_mail(table, anna, bert))
    with transaction() as session:
        assert not deliveries.heard(session, kind="bounce-hard", report=report, row=row, now=table.now)
    assert _first(anna).state == "ok"


def test_a_bounce_without_our_return_path_is_known_by_message_id_and_address(table: Table) -> None:
    anna, bert = table.pair()
    mail = _turn_mail(table, anna, bert)
    report = Report("ANNA@example.org", mail.envelope.message_id, "5.2.2")
    with transaction() as session:
        assert deliveries.heard(session, kind="bounce-hard", report=report, row=None, now=table.now)
    assert _first(anna).state == "failing"


def test_an_address_that_fails_is_tried_once_a_day(table: Table) -> None:
    anna, bert = table.pair()
    assert _hear(table, _turn_mail(table, anna, bert))
    _turn_mail(table, anna, bert)  # the first try
    table.clock.forward(hours=23)
    game = table.game(anna, bert)
    assert [mail.envelope.to for mail in table.post()] == ["bert@example.org"]
    assert [row.last_error for row in rows("mail.turn", "dropped")] == ["mail to its reader fails; one a day is tried"]
    accounts.request_code(email=ANNA, now=table.now)
    assert [type(mail) for mail in table.post()] == [kinds.CodeNotice]  # codes always come
    table.clock.forward(hours=1)
    _turn_mail(table, anna, bert)
    with transaction() as session:
        deliveries.arrived(session, ANNA, now=table.now)
    assert _first(anna).state == "ok"
    (mail,) = table.post()  # what was held back is told
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == game
    with transaction() as session:
        deliveries.arrived(session, ANNA, now=table.now)
        deliveries.arrived(session, "nobody@example.org", now=table.now)
    assert table.post() == []


def test_a_retry_is_no_second_mail_to_an_address_that_fails(table: Table) -> None:
    anna, bert = table.pair()
    assert _hear(table, _turn_mail(table, anna, bert))
    table.game(anna, bert)
    rows_ = [row for row in outbox.claim(now=table.now, limit=10) if row.topic == "mail.turn"]
    begun = outbox.begin(rows_[0].id, now=table.now)
    assert begun is not None

    def no_server(notice: kinds.Notice) -> None:
        raise TemporaryMailError("no mail server")

    for _ in range(2):
        with pytest.raises(TemporaryMailError):
            deliveries.send(row=begun, now=table.now, post=no_server)


def test_mail_goes_to_the_other_address_and_says_why(table: Table) -> None:
    anna, bert = table.pair()
    _second_address(table, anna)
    mail = _turn_mail(table, anna, bert)
    assert (mail.envelope.to, mail.envelope.remark) == (ANNA, "")
    assert _hear(table, mail)
    (again,) = table.post()  # the one that came back
    assert isinstance(again, kinds.TurnNotice)
    assert again.game == mail.game
    assert again.envelope.to == SECOND
    assert ANNA in again.envelope.remark
    assert [one.state for one in deliveries.mails_to(caller=anna) if one.game == mail.game.id] == ["sent"]
    assert _turn_mail(table, anna, bert).envelope.to == SECOND
    assert _hear(table, again)
    assert table.post() == []  # nowhere to go
    with transaction() as session:
        people.arrived(session, ANNA, now=table.now)
    assert _turn_mail(table, anna, bert).envelope.to == ANNA


def test_a_second_report_about_the_first_address_does_not_harm_the_other(table: Table) -> None:
    anna, bert = table.pair()
    _second_address(table, anna)
    mail = _turn_mail(table, anna, bert)
    assert _hear(table, mail)
    table.post()
    with transaction() as session:
        report = Report(ANNA, mail.envelope.message_id, "5.1.1")
        assert not deliveries.heard(session, kind="bounce-hard", report=report, row=mail.envelope.row, now=table.now)
    assert [one.state for one in addresses.list_addresses(caller=anna)] == ["failing", "ok"]
    with transaction() as session:  # where the other one is forwarded to
        report = Report("anna@forwarded.example", mail.envelope.message_id, "5.1.1")
        assert deliveries.heard(session, kind="bounce-hard", report=report, row=mail.envelope.row, now=table.now)
    assert [one.state for one in addresses.list_addresses(caller=anna)] == ["failing", "failing"]


def test_what_came_back_is_not_sent_again_when_it_is_true_no_longer(table: Table) -> None:
    anna, bert = table.pair()
    _second_address(table, anna)
    mail = _turn_mail(table, anna, bert)
    table.move(anna, mail.game.id)
    assert _hear(table, mail)
    assert table.post() == []
    assert [row.state for row in rows("mail.turn")] == ["dropped"]


def test_three_mails_in_a_row_that_are_delayed_and_the_address_fails(table: Table) -> None:
    anna, bert = table.pair()
    for number in range(1, 4):
        assert _first(anna).state == "ok"
        mail = _turn_mail(table, anna, bert)
        for _ in range(5):  # servers say it again and again
            assert _hear(table, mail, "bounce-soft", "4.2.2")
        if number == 2:
            with transaction() as session:
                deliveries.arrived(session, ANNA, now=table.now)  # not in a row
    assert _first(anna).state == "ok"
    for _ in range(2):
        assert _hear(table, _turn_mail(table, anna, bert), "bounce-soft", "4.2.2")
    assert (_first(anna).state, _first(anna).last_status) == ("failing", "4.2.2")


def test_a_delay_that_ends_in_a_bounce(table: Table) -> None:
    anna, bert = table.pair()
    mail = _turn_mail(table, anna, bert)
    assert _hear(table, mail, "bounce-soft", "4.4.1")
    assert _hear(table, mail, "bounce-hard", "5.4.7")
    assert _hear(table, mail, "bounce-soft", "4.4.1")  # overtaken on its way
    assert (_first(anna).state, _first(anna).last_status) == ("failing", "5.4.7")
    assert deliveries.mails_to(caller=anna)[0].state == "bounced"


def test_who_complains_gets_no_more_but_what_they_ask_for(table: Table) -> None:
    anna, bert = table.pair()
    assert _hear(table, _turn_mail(table, anna, bert), "complaint", None)
    assert _first(anna).state == "complained"
    table.clock.forward(days=3)
    table.game(anna, bert)
    assert [mail.envelope.to for mail in table.post()] == ["bert@example.org"]
    assert rows("mail.turn", "dropped")[0].last_error == "its reader complained about our mail"
    accounts.request_code(email=ANNA, now=table.now)
    assert [type(mail) for mail in table.post()] == [kinds.CodeNotice]
    addresses.retest(caller=anna, address_id=_first(anna).id, now=table.now)
    (mail,) = table.post()
    assert isinstance(mail, kinds.AddressNotice)
    addresses.redeem(caller=anna, email=ANNA, code=mail.code, now=table.now)
    assert _first(anna).state == "ok"


def test_a_bounce_from_before_the_address_was_tested_counts_no_more(table: Table) -> None:
    anna, bert = table.pair()
    old = _turn_mail(table, anna, bert)
    table.clock.forward(hours=1)
    addresses.retest(caller=anna, address_id=_first(anna).id, now=table.now)
    (mail,) = table.post()
    assert isinstance(mail, kinds.AddressNotice)
    addresses.redeem(caller=anna, email=ANNA, code=mail.code, now=table.now)
    assert _hear(table, old)
    assert _first(anna).state == "ok"


def test_a_code_to_nobody_that_bounces_harms_nobody(table: Table) -> None:
    accounts.sign_up(email="cleo@example.org", display_name="Cleo", now=table.now)
    (mail,) = table.post()
    assert _hear(table, mail)
    cleo = table.person("Cleo", "cleo@example.org")
    assert [one.state for one in addresses.list_addresses(caller=cleo)] == ["ok"]


def test_a_bounce_is_known_although_the_worker_died_before_it_could_mark_its_mail(table: Table) -> None:
    anna, bert = table.pair()
    table.game(anna, bert)
    claimed = [row for row in outbox.claim(now=table.now, limit=10) if row.topic == "mail.turn"]
    begun = outbox.begin(claimed[0].id, now=table.now)
    assert begun is not None
    sent: list[kinds.Notice] = []
    deliveries.send(row=begun, now=table.now, post=sent.append)  # and here it dies
    assert _hear(table, sent[0])
    assert _first(anna).state == "failing"
    table.clock.forward(seconds=61)
    table.post()
    assert rows("mail.turn")[0].state == "done"


def test_a_mailbox_that_is_not_there_is_known_at_once(table: Table) -> None:
    anna, bert = table.pair()
    table.game(anna, bert)
    claimed = [row for row in outbox.claim(now=table.now, limit=10) if row.topic == "mail.turn"]
    begun = outbox.begin(claimed[0].id, now=table.now)
    assert begun is not None

    def unknown(notice: kinds.Notice) -> None:
        raise PermanentMailError("recipient refused: 550", no_mailbox="5.1.1")

    with pytest.raises(PermanentMailError):
        deliveries.send(row=begun, now=table.now, post=unknown)
    assert (_first(anna).state, _first(anna).last_status) == ("failing", "5.1.1")
    _second_address(table, anna)
    with transaction() as session:
        people.arrived(session, ANNA, now=table.now)
    with pytest.raises(TemporaryMailError, match="another address"):
        deliveries.send(row=begun, now=table.now, post=unknown)
    sent: list[kinds.Notice] = []
    assert deliveries.send(row=begun, now=table.now, post=sent.append) == outbox.Ended("done")
    assert sent[0].envelope.to == SECOND


@pytest.mark.parametrize(
    ("status", "kept"), [("5.1.1 <b>unknown</b>", "5.1.1"), ("<b>5.1.1</b>", None), ("5.1.1000", None), (None, None)]
)
def test_of_what_others_say_of_a_mail_the_status_alone_is_kept(
    table: Table, status: str | None, kept: str | None
) -> None:
    anna, bert = table.pair()
    assert _hear(table, _turn_mail(table, anna, bert), status=status)
    assert _first(anna).last_status == deliveries.mails_to(caller=anna)[0].status == kept

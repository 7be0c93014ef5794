"""The tasks on real games, with a real mail server: what goes out, what is dropped, what is tried again."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from service import clock, outbox
from service.db import reading, settings, transaction
from service.mail import kinds
from service.mail.tokens import BounceToken, unseal
from service.models import Delivery, Game, InboundMail, OutboxRow
from service.usecases import addresses, deliveries, inbound, queries, turn_clock
from service.usecases.results import Caller, ClockSpec
from tests.service.table import Table
from tests.support.smtp import SmtpServer
from workers.tasks import mail as mail_tasks
from workers.tasks.housekeeping import housekeeping
from workers.tasks.mail import send_mail
from workers.tasks.play import bot_turn, look_at_clocks, stand_in


@pytest.fixture
def environment(environment: dict[str, str], smtp_server: SmtpServer) -> dict[str, str]:
    """Mails go to the mail server."""
    environment["EMERALD_MAIL_URL"] = smtp_server.url
    return environment


@pytest.fixture
def table(worker_app: Flask) -> Table:
    """People, with their sign-in codes done by hand."""
    table = Table()
    table.clock.now = clock.now()
    return table


@pytest.fixture
def players(table: Table) -> tuple[Caller, Caller]:
    return table.person("Ada"), table.person("Ben")


def waiting(topic: str) -> outbox.Row:
    """The one open row of this topic."""
    [row] = [row for row in outbox.rows(states=outbox.OPEN, limit=1000) if row.topic == topic]
    return row


def hand_out(row: outbox.Row, *, later: timedelta = timedelta(0)) -> None:
    assert row.id in [claimed.id for claimed in outbox.claim(now=clock.now() + later, limit=100)]


def an_hour_goes_by() -> None:
    now = clock.now()
    with transaction() as session:
        session.execute(update(OutboxRow).values(due_at=now - timedelta(hours=1), next_at=now))


def state(row: outbox.Row) -> outbox.Row:
    found = outbox.peek(row.id)
    assert found is not None
    return found


def test_a_turn_brings_its_mail_once(table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer) -> None:
    table.game(*players)
    row = waiting("mail.turn")
    hand_out(row)
    for _ in range(3):  # the message came several times
        send_mail(row.id)
    [mail] = smtp_server.received
    assert mail.recipients == ("ada@example.org",)
    assert mail.message["Message-ID"] == row.message_id
    assert state(row).state == "done"


def test_a_turn_that_is_over_or_begun_brings_none(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    begun, over = (table.game(*players) for _ in range(2))
    rows = [row for row in outbox.rows(states=outbox.OPEN, limit=100) if row.topic == "mail.turn"]
    assert {row.payload["game"] for row in rows} == {begun, over}
    table.move(players[0], begun)
    table.move(players[0], over)
    while table.view(players[0], over).info.to_act == 0:
        table.move(players[0], over)
    for row in rows:
        if row is rows[0]:
            outbox.claim(now=clock.now(), limit=100)
        send_mail(row.id)
        assert state(row).state == "dropped"
    assert not smtp_server.received


def test_a_mail_sent_again_after_a_crash_is_the_same_to_the_byte(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    table.game(*players)
    row = waiting("mail.turn")
    hand_out(row)
    claimed = outbox.begin(row.id, now=clock.now())
    assert claimed is not None
    mail_tasks.send(claimed)  # the server has it, and here the worker is killed
    hand_out(row, later=timedelta(seconds=61))
    send_mail(row.id)
    first, second = smtp_server.received
    assert first.raw == second.raw
    assert state(row).state == "done"


def test_a_mail_server_that_asks_for_patience_gets_it(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    table.game(*players)
    row = waiting("mail.turn")
    smtp_server.fail(1)
    hand_out(row)
    send_mail(row.id)
    failed = state(row)
    assert (failed.state, failed.attempts) == ("pending", 1)
    assert failed.next_at > clock.now() + timedelta(seconds=5)
    assert failed.last_error is not None
    assert "451" in failed.last_error
    hand_out(row, later=timedelta(seconds=11))
    send_mail(row.id)
    [mail] = smtp_server.received
    assert mail.message["Message-ID"] == row.message_id
    assert state(row).state == "done"


def test_a_mail_server_that_is_away_is_waited_for_and_the_row_kept_as_failed_and_counted(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    table.game(*players)
    row = waiting("mail.turn")
    smtp_server.stop()
    now = clock.now()
    for attempt in range(1, 13):
        assert row.id in [claimed.id for claimed in outbox.claim(now=now, limit=100)]
        send_mail(row.id)
        assert state(row).attempts == attempt
        now = state(row).next_at
    assert state(row).state == "failed"
    assert queries.counts(now=clock.now()).outbox["mail.turn", "failed"] == 1


def test_an_address_that_is_refused_is_not_tried_again(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    table.game(*players)
    row = waiting("mail.turn")
    smtp_server.refuse("ada@example.org")
    hand_out(row)
    send_mail(row.id)
    assert (state(row).state, state(row).attempts) == ("failed", 1)
    assert "ada@" not in (state(row).last_error or "")


def test_an_address_that_is_not_there_fails_and_the_other_one_gets_the_mail(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    ada = players[0]
    addresses.add(caller=ada, email="ada@example.net", now=table.now)
    (asked,) = table.post()
    assert isinstance(asked, kinds.AddressNotice)
    addresses.redeem(caller=ada, email="ada@example.net", code=asked.code, now=table.now)
    table.game(*players)
    row = waiting("mail.turn")
    smtp_server.refuse("ada@example.org")
    hand_out(row)
    send_mail(row.id)
    assert state(row).state == "pending"
    hand_out(row, later=timedelta(seconds=11))
    send_mail(row.id)
    (mail,) = smtp_server.received
    assert mail.recipients == ("ada@example.net",)
    assert "ada@example.org" in mail.text
    assert [one.state for one in addresses.list_addresses(caller=ada)] == ["failing", "ok"]


def test_a_mail_comes_back_to_an_address_of_its_own(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    table.game(*players)
    row = waiting("mail.turn")
    hand_out(row)
    send_mail(row.id)
    (mail,) = smtp_server.received
    token = settings().token_in(mail.sender)
    assert token is not None
    assert unseal(settings().secret_key, token) == BounceToken(row.id)


def test_what_piled_up_while_the_mail_server_was_away_is_one_mail(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    games = [table.game(*players) for _ in range(3)]
    turns = [row for row in outbox.rows(states=outbox.OPEN, limit=100) if row.topic == "mail.turn"]
    smtp_server.stop()
    for row in turns:
        outbox.claim(now=clock.now(), limit=100)
        send_mail(row.id)
    smtp_server.start()
    an_hour_goes_by()
    outbox.claim(now=clock.now(), limit=100)
    for row in turns:
        send_mail(row.id)
    (mail,) = smtp_server.received
    assert all(game in mail.text for game in games)
    assert {state(row).state for row in turns} == {"done"}


def test_a_lost_answer_keeps_a_mail_as_it_was(
    table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer
) -> None:
    """The mail server may have it: with others in it, it would be another mail under the same Message-ID."""
    table.game(*players)
    table.game(*players)
    first, second = sorted(
        (row for row in outbox.rows(states=outbox.OPEN, limit=100) if row.topic == "mail.turn"), key=lambda row: row.id
    )
    hand_out(first)
    smtp_server.hang_up(1)
    send_mail(first.id)
    assert state(first).state == "pending"
    an_hour_goes_by()
    outbox.claim(now=clock.now(), limit=100)
    send_mail(second.id)
    send_mail(first.id)
    assert len(smtp_server.received) == 3
    assert {mail.message["Message-ID"] for mail in smtp_server.received} == {first.message_id, second.message_id}
    by_first = [mail.raw for mail in smtp_server.received if mail.message["Message-ID"] == first.message_id]
    assert len(by_first) == 2
    assert len(set(by_first)) == 1


def test_what_is_long_ago_is_forgotten(table: Table, players: tuple[Caller, Caller], smtp_server: SmtpServer) -> None:
    table.game(*players)
    row = waiting("mail.turn")
    hand_out(row)
    send_mail(row.id)
    received = inbound.receive(
        raw=b"From: x@example.org\n\nhello", via="smtp", envelope_from="x@example.org", envelope_to=[], now=clock.now()
    )
    inbound.read_mail(mail_id=received.id, now=clock.now())
    ages = {8: (1, True), 10: (1, False), 89: (1, False), 91: (0, False)}  # the mail is two days younger
    for days, (deliveries_left, text_left) in ages.items():
        with transaction() as session:
            session.execute(update(Delivery).values(sent_at=clock.now() - timedelta(days=days)))
            session.execute(update(InboundMail).values(received_at=clock.now() - timedelta(days=days - 2)))
        housekeeping()
        assert len(deliveries.mails_to(caller=players[0])) == deliveries_left
        with reading() as session:
            kept = session.get(InboundMail, received.id)
            assert kept is not None
            assert bool(kept.raw) is text_left


def test_a_bot_plays_its_turn_and_passes_it_on(table: Table) -> None:
    ada = table.person("Ada")
    game = table.game(ada, bots=1, first=1)
    row = waiting("bot.turn")
    hand_out(row)
    bot_turn(row.id)
    assert state(row).state == "done"
    seen = table.view(ada, game)
    assert seen.info.to_act == 0
    assert seen.info.ply >= 1
    plies = seen.info.ply
    bot_turn(row.id)
    assert table.view(ada, game).info.ply == plies


def test_a_look_at_the_clocks_takes_what_is_due_and_a_bot_moves_in_the_end(
    table: Table, players: tuple[Caller, Caller]
) -> None:
    game_id = table.game(*players, clock=ClockSpec("days", days=1))
    for topic in ("mail.reminder", "mail.last_call", None, "clock.stand_in"):
        with transaction() as session:
            game = session.get(Game, game_id)
            assert game is not None
            assert game.turn_since is not None
            game.hours = {"zone": "UTC", "night": None, "days_off": []}
            turn_clock.reckon(session, game)
            assert game.clock_at is not None
            # What is to come in hours came a second ago: the turn began so much earlier.
            game.turn_since -= game.clock_at - clock.now() + timedelta(seconds=1)
            turn_clock.reckon(session, game)
        look_at_clocks()
        if topic is not None:
            assert waiting(topic).state == "pending"
    row = waiting("clock.stand_in")
    hand_out(row)
    stand_in(row.id)
    assert state(row).state == "done"
    assert table.view(players[0], game_id).info.to_act == 1
    look_at_clocks()
    assert waiting("mail.moved_for_you").state == "pending"

"""The tasks on real games, with a real mail server: what goes out, what is dropped, what is tried again."""

from datetime import timedelta

import pytest
from flask import Flask

from service import clock, outbox
from service.usecases import queries
from service.usecases.results import Caller
from tests.service.table import Table
from tests.support.smtp import SmtpServer
from workers.tasks import mail as mail_tasks
from workers.tasks.mail import send_mail
from workers.tasks.play import bot_turn, time_out


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


def test_a_time_out_told_of_too_early_comes_again(table: Table, players: tuple[Caller, Caller]) -> None:
    """The relay may run where the clock is ahead: dropped, the row would leave the game waiting for ever."""
    table.game(*players, days_per_move=1)
    row = waiting("clock.timeout")
    outbox.claim(now=clock.now() + timedelta(days=1), limit=100)
    time_out(row.id)
    assert (state(row).state, state(row).attempts) == ("pending", 1)

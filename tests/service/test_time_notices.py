"""Mails about time are looked at again when they are sent: nobody is pressed who has time, or has moved."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from service import outbox
from service.db import reading
from service.mail import kinds
from service.models import Game
from service.usecases import absences, clocks, notices, orders, votes, wishes
from service.usecases.notices import MOVED_ON
from service.usecases.results import Caller, ClockSpec
from tests.service.table import Table, rows

ANNA, BERT = "anna@example.org", "bert@example.org"
THREE_DAYS = ClockSpec("days", days=3)


def step(game_id: str) -> str | None:
    with reading() as session:
        return session.scalar(select(Game.clock_step).where(Game.id == game_id))


def wait_for(table: Table, game_id: str, wanted: str) -> None:
    """Let time pass until this step of the ladder is taken, with nobody at work but the scheduler."""
    for _ in range(2000):
        if step(game_id) == wanted:
            return
        table.clock.forward(minutes=15)
        clocks.sweep(now=table.now)
    raise AssertionError(f"never {wanted}")


def composed(table: Table, topic: str) -> notices.Composed:
    """What the newest mail of a topic has to say now."""
    [claimed] = [row for row in outbox.claim(now=table.now, limit=50) if row.topic == topic][-1:]
    return notices.compose(row=claimed, now=table.now)


@pytest.mark.parametrize("topic", ["mail.reminder", "mail.last_call"])
def test_whoever_has_moved_meanwhile_is_not_pressed(table: Table, topic: str) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=THREE_DAYS)
    table.post()
    wait_for(table, game, "reminded" if topic == "mail.reminder" else "called")
    [claimed] = [row for row in outbox.claim(now=table.now, limit=50) if row.topic == topic]
    assert isinstance(notices.compose(row=claimed, now=table.now).notice, kinds.ReminderNotice)
    table.turn_over(anna, game)
    assert notices.compose(row=claimed, now=table.now) == notices.Composed(None, MOVED_ON)


def test_more_time_makes_a_last_call_untrue_that_is_on_its_way(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=THREE_DAYS)
    table.post()
    wait_for(table, game, "called")
    [claimed] = [row for row in outbox.claim(now=table.now, limit=50) if row.topic == "mail.last_call"]
    votes.cast(caller=bert, game_id=game, kind="extend", now=table.now)
    assert notices.compose(row=claimed, now=table.now).notice is None
    [mail] = [mail for mail in table.post() if mail.envelope.to == ANNA]
    assert isinstance(mail, kinds.ExtendedNotice)
    assert mail.by == ("Bert",)
    assert mail.deadline == table.view(anna, game).info.deadline
    assert mail.envelope.opt_out is not None
    assert mail.envelope.opt_out.kind == "reminder"


def test_a_last_call_names_the_deadline_and_the_end_of_the_grace(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=THREE_DAYS)
    table.post()
    wait_for(table, game, "called")
    mail = composed(table, "mail.last_call").notice
    assert isinstance(mail, kinds.ReminderNotice)
    assert mail.last
    assert mail.deadline == table.view(anna, game).info.deadline
    assert mail.grace_until is not None
    assert mail.deadline is not None
    assert not mail.holds
    wait_for(table, game, "timed_out")
    assert mail.deadline <= table.now < mail.grace_until
    wait_for(table, game, "standing_in")
    assert mail.grace_until <= table.now < mail.grace_until + timedelta(minutes=30)


def test_a_last_call_is_true_until_the_grace_is_over(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=THREE_DAYS)
    table.post()
    wait_for(table, game, "called")
    [claimed] = [row for row in outbox.claim(now=table.now, limit=50) if row.topic == "mail.last_call"]
    wait_for(table, game, "timed_out")
    mail = notices.compose(row=claimed, now=table.now).notice
    assert isinstance(mail, kinds.ReminderNotice)
    assert mail.late
    wait_for(table, game, "standing_in")
    assert notices.compose(row=claimed, now=table.now).notice is None


def test_a_digest_delays_no_last_call(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=THREE_DAYS)
    wishes.set_digest(caller=anna, game_id=game, on=True, hour=12, now=table.now)
    table.post()
    wait_for(table, game, "called")
    assert any(isinstance(mail, kinds.ReminderNotice) and mail.last for mail in table.post())


def twice_run_out(table: Table) -> tuple[Caller, Caller, str]:
    """Anna has let two turns run out."""
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=THREE_DAYS)
    table.wait(days=5)
    while table.view(anna, game).info.to_act == 1:
        table.move(bert, game)
    table.wait(days=5)
    assert table.view(anna, game).info.seats[0].held
    return anna, bert, game


def test_the_first_time_out_warns_the_second_tells_that_a_bot_holds_the_seat(table: Table) -> None:
    anna, _, game = twice_run_out(table)
    [moved] = table.mails(kinds.MovedForYouNotice, to=ANNA)
    assert moved.chances == 1
    assert moved.log[0].kind == "timed_out"
    assert {entry.seat for entry in moved.log if entry.kind == "moved"} == {0}
    calls = [mail for mail in table.mails(kinds.ReminderNotice, to=ANNA) if mail.last]
    assert [mail.holds for mail in calls] == [False, True]
    [held] = table.mails(kinds.HeldNotice, to=ANNA)
    assert {"timed_out", "held"} <= {entry.kind for entry in held.log}
    assert held.game.held == (0,)
    assert held.envelope.opt_out is not None
    assert held.envelope.opt_out.kind == "reminder"
    row = rows("mail.held")[-1]
    again = outbox.Claimed(
        row.id, row.topic, row.key, row.payload, row.message_id, row.attempts, row.created_at, row.recipient
    )
    assert isinstance(notices.compose(row=again, now=table.now).notice, kinds.HeldNotice)
    clocks.resume(caller=anna, game_id=game, now=table.now)
    assert notices.compose(row=again, now=table.now).notice is None


def test_a_vote_asks_those_who_may_vote_and_have_not_by_both_clocks(table: Table) -> None:
    anna, bert = table.pair()
    carl, dora = table.person("Carl"), table.person("Dora")
    game = table.game(anna, bert, carl, dora, clock=THREE_DAYS)
    table.post()
    votes.cast(caller=bert, game_id=game, kind="extend", now=table.now)
    sent = [mail for mail in table.post() if isinstance(mail, kinds.VoteNotice)]
    assert {mail.envelope.to for mail in sent} == {"carl@example.org", "dora@example.org"}
    mail = sent[0]
    assert (mail.vote, mail.by, mail.about, mail.needed, mail.held) == ("extend", ("Bert",), "Anna", 1, False)
    assert mail.deadline == table.view(anna, game).info.deadline
    assert mail.envelope.opt_out is not None
    assert mail.envelope.opt_out.kind == "news"


def test_a_vote_that_was_taken_back_asks_nobody(table: Table) -> None:
    anna, bert = table.pair()
    carl = table.person("Carl")
    game = table.game(anna, bert, carl, table.person("Dora"), clock=THREE_DAYS)
    table.post()
    votes.cast(caller=bert, game_id=game, kind="extend", now=table.now)
    votes.take_back(caller=bert, game_id=game, kind="extend", now=table.now)
    assert table.post() == []
    votes.cast(caller=carl, game_id=game, kind="extend", now=table.now)
    table.turn_over(anna, game)
    assert not [mail for mail in table.post() if isinstance(mail, kinds.VoteNotice)]


def test_an_end_by_vote_is_told_without_a_winner(table: Table) -> None:
    anna, bert, game = twice_run_out(table)
    table.post()
    votes.cast(caller=bert, game_id=game, kind="end", now=table.now)
    ends = [mail for mail in table.post() if isinstance(mail, kinds.OverNotice)]
    assert {mail.envelope.to for mail in ends} == {ANNA, BERT}
    info = table.view(anna, game).info
    assert info.result is not None
    assert info.result.reason == "vote"
    for mail in ends:
        assert mail.result.winners == ()
        assert mail.result.scores == info.result.scores
        assert mail.game.held == (0,)
        assert mail.view.legal == ()
        assert all(hand is not None for hand in mail.view.hands)
        assert any(entry.kind == "ended" for entry in mail.log)


def test_a_turn_tells_ones_orders_and_bank_and_what_became_of_the_plan(table: Table) -> None:
    anna, bert = table.pair()
    bank = ClockSpec("bank", start_hours=72, increment_hours=12, cap_hours=120)
    game = table.game(anna, bert, clock=bank)
    table.post()
    orders.set_order(caller=bert, game_id=game, kind="bribe", text="at most 2", now=table.now)
    orders.set_order(caller=bert, game_id=game, kind="plan", text="if c9 then c9", now=table.now)
    wishes.change(caller=bert, cards=False, now=table.now)
    table.turn_over(anna, game)
    [mail] = [mail for mail in table.post() if mail.envelope.to == BERT]
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.bank == 72 * 3600
    assert mail.orders == (kinds.StandingOrder("bribe", "at most 2"),)
    [dropped] = [entry for entry in mail.log if entry.kind == "plan_dropped"]
    assert dropped.data["why"]
    table.turn_over(bert, game)
    [mail] = [mail for mail in table.post() if mail.envelope.to == ANNA]
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.orders == ()
    assert not [entry for entry in mail.log if entry.kind == "plan_dropped"]


def test_whoever_is_away_is_not_reminded_and_the_last_call_names_the_later_deadline(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=THREE_DAYS)
    table.post()
    wait_for(table, game, "reminded")
    before = table.view(anna, game).info.deadline
    [claimed] = [row for row in outbox.claim(now=table.now, limit=50) if row.topic == "mail.reminder"]
    assert isinstance(notices.compose(row=claimed, now=table.now).notice, kinds.ReminderNotice)
    absences.away(caller=anna, time=timedelta(days=2), now=table.now)
    assert notices.compose(row=claimed, now=table.now).notice is None
    wait_for(table, game, "called")
    mail = composed(table, "mail.last_call").notice
    assert isinstance(mail, kinds.ReminderNotice)
    assert before is not None
    assert mail.deadline is not None
    assert mail.deadline >= before + timedelta(days=2)

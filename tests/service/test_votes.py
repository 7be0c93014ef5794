"""Votes of those who wait: more time, or the end; who may, when, how many, and what comes of it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask

from engine import OVER, verify
from service import outbox
from service.errors import GAME_NOT_PLAYING, NO_VOTE, NOT_A_PLAYER, NOT_FOUND, SEAT_HELD, STALE_PLY, Refusal
from service.mail import kinds
from service.usecases import absences, clocks, lobby, queries, votes
from service.usecases.results import Caller, ClockSpec
from tests.service.table import ME, OPEN, Table, refused, rows
from tests.service.test_ladder import held, moves, stored
from tests.service.test_races import at_once

DAYS_2 = ClockSpec("days", days=2)
SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
POSTGRES = pytest.mark.parametrize("database", ["postgres"], indirect=True)


@pytest.fixture
def people(table: Table) -> tuple[Caller, Caller, Caller, Caller]:
    """Anna, who is to act first, and three who wait for her."""
    anna, bert, carl, dora = (table.person(name) for name in ("Anna", "Bert", "Carl", "Dora"))
    return anna, bert, carl, dora


def vote(table: Table, who: Caller, game_id: str, kind: votes.VoteKind, **more: Any) -> votes.Votes:
    return votes.cast(caller=who, game_id=game_id, kind=kind, now=table.now, **more)


def told(game_id: str, kind: str) -> list[dict[str, Any]]:
    """What the log tells to all, of this kind."""
    return [dict(line.data) for line in queries.events(caller=None, game_id=game_id).items if line.kind == kind]


def test_more_than_half_of_those_who_wait_give_more_time(table: Table, people: tuple[Caller, ...]) -> None:
    anna, bert, _, dora = people
    game_id = table.game(*people, clock=DAYS_2)
    table.wait(days=1, hours=20)  # reminded already
    before = votes.votes(caller=anna, game_id=game_id, now=table.now)
    assert before.extend == votes.Tally((), (1, 2, 3), 2)
    assert before.end is None
    after = vote(table, bert, game_id, "extend")
    assert after.extend == votes.Tally((1,), (1, 2, 3), 2)
    assert vote(table, bert, game_id, "extend") == after  # a second time is none
    assert table.view(anna, game_id).info.deadline == datetime(2026, 3, 3, 12, tzinfo=UTC)
    table.post()
    assert sorted(mail.envelope.to for mail in table.mails(kinds.VoteNotice)) == [
        "carl@example.org",
        "dora@example.org",
    ]
    decided = vote(table, dora, game_id, "extend", turn_ply=0)
    assert decided.extend == votes.Tally((), (1, 2, 3), 2)  # once more can be voted on
    deadline = datetime(2026, 3, 5, 12, tzinfo=UTC)
    assert table.view(anna, game_id).info.deadline == deadline
    table.post()
    (mail,) = table.mails(kinds.ExtendedNotice)
    assert (mail.envelope.to, mail.deadline, mail.by) == ("anna@example.org", deadline, ("Bert", "Dora"))
    assert told(game_id, "voted") == [
        {"kind": "voted", "seat": 1, "vote": "extend"},
        {"kind": "voted", "seat": 3, "vote": "extend"},
    ]
    (extended,) = told(game_id, "extended")
    assert extended == {"kind": "extended", "seat": 0, "deadline": deadline.isoformat(), "by": [1, 3]}
    table.wait(days=2, hours=2)
    assert told(game_id, "timed_out") == []
    assert [mail.last for mail in table.mails(kinds.ReminderNotice)] == [False, True]


def test_more_time_withdraws_what_was_queued_about_the_old_deadline(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_2)
    table.post()
    for _ in range(2):  # reminded, and called; nobody sends mail
        table.clock.now = stored(game_id).clock_at or table.now
        clocks.sweep(now=table.now)
    assert [row.state for row in rows("mail.reminder") + rows("mail.last_call")] == ["dropped", "pending"]
    vote(table, bert, game_id, "extend")
    assert [row.state for row in rows("mail.reminder") + rows("mail.last_call")] == ["dropped", "dropped"]
    (mail,) = table.post()
    assert isinstance(mail, kinds.ExtendedNotice)
    assert mail.deadline == datetime(2026, 3, 5, 12, tzinfo=UTC)


def test_a_last_call_that_waits_in_another_mail_has_not_gone_out(table: Table) -> None:
    """More time comes while the mail server is down: the call that it took back is made at the new deadline."""
    anna, bert = table.pair()
    other, game_id = (table.game(anna, bert, clock=DAYS_2) for _ in range(2))
    table.post()
    for _ in range(2):  # reminded, and called; nobody sends mail
        table.clock.now = stored(game_id).clock_at or table.now
        clocks.sweep(now=table.now)
    first, second = rows("mail.last_call")
    outbox.claim(now=table.clock.forward(minutes=5), limit=50)
    begun = outbox.begin(first.id, now=table.now)
    assert begun is not None
    assert (first.payload["game"], begun.parts) == (other, (second.id,))
    outbox.fail(begun, now=table.now, error="the server is down")
    vote(table, bert, game_id, "extend")
    while not told(game_id, "timed_out"):
        table.wait(hours=1)
    deadline = datetime(2026, 3, 5, 12, tzinfo=UTC)
    assert deadline in [mail.deadline for mail in table.mails(kinds.ReminderNotice) if mail.last]


def test_a_vote_carries_when_whoever_had_not_voted_resigns(table: Table, people: tuple[Caller, ...]) -> None:
    anna, bert, carl, _ = people
    game_id, lost = (table.game(anna, bert, carl, clock=DAYS_2) for _ in range(2))
    vote(table, bert, game_id, "extend")
    table.wait(days=2, hours=1)
    vote(table, bert, lost, "end")
    assert told(game_id, "extended") == told(lost, "ended") == []
    for one in (game_id, lost):
        lobby.resign(caller=carl, game_id=one, now=table.now)
    assert [entry["by"] for entry in told(game_id, "extended")] == [[1]]
    assert [entry["by"] for entry in told(lost, "ended")] == [[1]]


def test_a_vote_said_again_carries_when_fewer_may_vote_by_then(table: Table, people: tuple[Caller, ...]) -> None:
    anna, bert, carl, _ = people
    game_id = held(table, anna, bert, carl)
    while table.view(anna, game_id).info.to_act != 1:
        table.post()
        if table.view(anna, game_id).info.to_act == 2:
            table.turn_over(carl, game_id)
    vote(table, carl, game_id, "end")
    assert votes.votes(caller=carl, game_id=game_id, now=table.now).end == votes.Tally((2,), (1, 2), 2)
    table.wait(days=4, hours=1)
    assert votes.votes(caller=carl, game_id=game_id, now=table.now).end == votes.Tally((2,), (2,), 1)
    vote(table, carl, game_id, "end")
    assert [entry["by"] for entry in told(game_id, "ended")] == [[2]]


def test_each_vote_for_still_more_time_is_told(table: Table, people: tuple[Caller, ...]) -> None:
    anna, bert, carl, _ = people
    game_id = table.game(anna, bert, carl, clock=DAYS_2)
    for number in (1, 2):
        vote(table, bert, game_id, "extend")
        table.post()
        assert [mail.envelope.to for mail in table.mails(kinds.VoteNotice)] == ["carl@example.org"] * number
        vote(table, carl, game_id, "extend")


def test_in_the_grace_more_time_puts_off_the_bot(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_2)
    table.wait(days=2, hours=1)
    assert table.view(anna, game_id).info.step == "timed_out"
    deadline = table.view(anna, game_id).info.deadline
    vote(table, bert, game_id, "extend")
    assert table.view(anna, game_id).info.deadline == deadline  # it is over all the same
    (extended,) = told(game_id, "extended")
    table.wait(days=2)
    assert moves(game_id) == []
    assert (until := datetime.fromisoformat(extended["deadline"])) > table.now
    table.wait(days=1)
    assert {by for _, by in moves(game_id)} == {"clock"}
    assert len(told(game_id, "timed_out")) == 1
    assert until <= table.now


def test_a_turn_is_given_more_time_three_times_at_most(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("bank", start_hours=24, increment_hours=3))
    for _ in range(votes.MOST_EXTENSIONS):
        vote(table, bert, game_id, "extend")
    assert table.view(anna, game_id).info.deadline == table.now + timedelta(days=1 + votes.MOST_EXTENSIONS)
    with refused(NO_VOTE):
        vote(table, bert, game_id, "extend")
    table.clock.forward(days=2)
    table.turn_over(anna, game_id)  # the bank does not pay for what was given
    assert table.view(anna, game_id).info.seats[0].bank_seconds == (24 + 3) * 3600
    vote(table, anna, game_id, "extend")  # Bert's turn is another


def test_a_vote_is_about_the_turn_that_is_on(table: Table, people: tuple[Caller, ...]) -> None:
    anna, bert, carl, _ = people
    game_id = table.game(*people, clock=DAYS_2)
    vote(table, bert, game_id, "extend")
    table.turn_over(anna, game_id)
    with refused(STALE_PLY):
        vote(table, carl, game_id, "extend", turn_ply=0)
    stands = vote(table, carl, game_id, "extend")
    assert stands.extend == votes.Tally((2,), (0, 2, 3), 2)  # Bert's vote was for Anna
    table.post()
    assert {mail.about for mail in table.mails(kinds.VoteNotice)} == {"Bert"}


def test_who_may_not_vote_is_told_why(table: Table, people: tuple[Caller, ...]) -> None:
    anna, bert, carl, dora = people
    game_id = table.game(anna, bert, carl, clock=DAYS_2, public=False)
    with refused(NOT_FOUND):
        vote(table, dora, game_id, "extend")
    for who, kind in ((anna, "extend"), (bert, "end")):
        with refused(NO_VOTE):
            vote(table, who, game_id, kind)  # type: ignore[arg-type]
    with refused("invalid"):
        vote(table, bert, game_id, "skip")  # type: ignore[arg-type]
    lobby.resign(caller=bert, game_id=game_id, now=table.now)
    with refused(NO_VOTE):
        vote(table, bert, game_id, "extend")
    public = table.game(anna, bert)
    with refused(NOT_A_PLAYER):
        votes.votes(caller=dora, game_id=public, now=table.now)
    with refused(NO_VOTE):
        vote(table, bert, public, "extend")  # it has no clock
    waiting = lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now)
    with refused(GAME_NOT_PLAYING):
        vote(table, anna, waiting, "end")


def test_a_vote_can_be_taken_back(table: Table, people: tuple[Caller, ...]) -> None:
    _, bert, carl, _ = people
    game_id = table.game(*people, clock=DAYS_2)
    vote(table, bert, game_id, "extend")
    table.post()
    after = votes.take_back(caller=bert, game_id=game_id, kind="extend", now=table.now)
    assert after.extend == votes.Tally((), (1, 2, 3), 2)
    assert vote(table, carl, game_id, "extend").extend == votes.Tally((2,), (1, 2, 3), 2)


def test_a_game_whose_player_is_lost_can_be_ended(table: Table, people: tuple[Caller, ...]) -> None:
    anna, bert, carl, dora = people
    game_id = table.game(*people, clock=DAYS_2)
    table.turn_over(anna, game_id)
    table.wait(days=2, hours=1)
    with refused(NO_VOTE):
        vote(table, bert, game_id, "end")  # it is he for whom they wait
    vote(table, anna, game_id, "end")
    with refused(STALE_PLY):
        vote(table, carl, game_id, "end", turn_ply=0)
    over = vote(table, carl, game_id, "end")
    assert (over.status, over.extend, over.end) == ("over", None, None)
    info = table.view(None, game_id).info
    assert (info.status, info.to_act, info.phase, info.deadline) == ("over", None, "over", None)
    assert info.result is not None
    assert (info.result.reason, info.result.winners) == ("vote", ())
    assert len(info.result.scores) == 4
    assert told(game_id, "ended") == [{"kind": "ended", "by": [0, 2]}]
    view = table.view(bert, game_id)
    assert view.view is not None
    assert view.legal == ()
    assert view.view.phase == OVER
    assert all(hand is not None for hand in view.view.hands)  # all is open now
    table.post()
    assert len(table.mails(kinds.OverNotice)) == 4
    assert [row.state for row in rows("clock.stand_in")] == []
    with refused(GAME_NOT_PLAYING):
        vote(table, dora, game_id, "end")
    assert clocks.sweep(now=table.clock.forward(days=9)) == 0
    record = queries.record(caller=None, game_id=game_id)
    verify(record)
    assert record["broken_off"] is True
    assert record["result"]["winners"] == []


def test_votes_for_the_end_add_up_over_turns_while_a_seat_is_held(table: Table) -> None:
    anna, bert, carl = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    game_id = held(table, anna, bert, carl)
    table.post()
    with refused(SEAT_HELD):
        vote(table, anna, game_id, "end")
    assert table.view(None, game_id).info.to_act == 1
    # Bert is to act, and may vote all the same: it is not for him that there is a vote.
    assert vote(table, bert, game_id, "end").end == votes.Tally((1,), (1, 2), 2)
    table.turn_over(bert, game_id)
    assert votes.votes(caller=carl, game_id=game_id, now=table.now).end == votes.Tally((1,), (1, 2), 2)
    clocks.resume(caller=anna, game_id=game_id, now=table.now)
    assert votes.votes(caller=carl, game_id=game_id, now=table.now).end is None
    with refused(NO_VOTE):
        vote(table, carl, game_id, "end")


@SQLITE
def test_without_a_clock_a_week_s_wait_is_reason_enough_but_no_absence(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    absences.away(caller=anna, time=timedelta(days=3), now=table.now)
    table.wait(days=9, hours=23)
    with refused(NO_VOTE):
        vote(table, bert, game_id, "end")
    timed = table.game(anna, bert, clock=ClockSpec("days", days=30))
    table.wait(hours=1)
    vote(table, bert, game_id, "end")
    assert table.view(None, game_id).info.status == "over"
    table.wait(days=10)
    with refused(NO_VOTE):
        vote(table, bert, timed, "end")  # thirty days were agreed on


@POSTGRES
def test_votes_race_the_move_they_are_about(app: Flask, table: Table, people: tuple[Caller, ...]) -> None:
    """Either the move is first, and the votes are about the next turn or refused; or the game is over, and no move."""
    anna, bert, carl, dora = people
    for _ in range(4):
        game_id = table.game(*people, clock=DAYS_2)
        table.wait(days=2, hours=1)
        calls: list[Callable[[], object]] = [partial(table.turn_over, anna, game_id)]
        calls += [partial(vote, table, who, game_id, "end", turn_ply=0) for who in (bert, carl, dora)]
        at_once(app, calls)
        info = table.view(None, game_id).info
        if info.status == "over":
            assert info.result is not None
            assert info.result.reason == "vote"
            verify(queries.record(caller=None, game_id=game_id))
        else:
            assert info.to_act == 1
        assert len(told(game_id, "ended")) == (info.status == "over")


@POSTGRES
def test_the_same_majority_extends_once(app: Flask, table: Table, people: tuple[Caller, ...]) -> None:
    _, bert, carl, dora = people
    game_id = table.game(*people, clock=DAYS_2)
    calls = [partial(vote, table, who, game_id, "extend") for who in (bert, carl, dora, bert, carl, dora)]
    results = at_once(app, calls)
    assert not [result for result in results if isinstance(result, Refusal)]
    with_effect = len(told(game_id, "extended"))
    assert with_effect in (1, 2, 3)  # six votes of three people, two at a time: as many as found a majority
    assert table.view(bert, game_id).info.deadline == table.now + timedelta(days=2 * (1 + with_effect))

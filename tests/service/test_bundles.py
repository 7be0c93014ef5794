"""Several mails for one reader told in one: what piled up, and the daily digest."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from service import outbox
from service.db import transaction
from service.mail import kinds
from service.mail.tokens import AccountToken, SeatToken
from service.models import User
from service.usecases import deliveries, lobby, notices, posting, talk, wishes
from service.usecases.results import ClockSpec, SeatSpec
from tests.service.table import ME, START, Table, rows

LATE = timedelta(seconds=61)


def _to(notices_: list[kinds.Notice], address: str) -> list[kinds.Notice]:
    return [notice for notice in notices_ if notice.envelope.to == address]


def test_what_comes_in_time_comes_by_itself(table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(3)]
    mails = _to(table.post(), "anna@example.org")
    assert [mail.game.id for mail in mails if isinstance(mail, kinds.TurnNotice)] == games


def test_what_has_piled_up_is_one_mail(table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(3)]
    table.clock.now += LATE
    sent = table.post()
    assert len(sent) == 2
    (mail,), (news,) = _to(sent, "anna@example.org"), _to(sent, "bert@example.org")
    assert isinstance(mail, kinds.BundleNotice)
    assert not mail.daily
    assert [part.game.id for part in mail.parts] == games
    assert [part.envelope.reply for part in mail.parts] == [SeatToken(game, 0, 0) for game in games]
    assert mail.envelope.reply == AccountToken(anna.user_id)
    first, *others = rows("mail.turn")
    assert (mail.envelope.row, mail.envelope.message_id) == (first.id, first.message_id)
    assert [row.merged_into for row in others] == [first.id] * 2
    assert all(row.state == "done" for row in (first, *others))
    assert isinstance(news, kinds.BundleNotice)
    assert all(isinstance(part, kinds.StartedNotice) for part in news.parts)


def test_a_bundle_of_one_is_that_mail_and_of_none_is_dropped(table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(3)]
    for game in games[:2]:
        table.move(anna, game)  # begun: whoever has begun a turn needs no mail about it
    table.clock.now += LATE
    (mail,) = _to(table.post(), "anna@example.org")
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == games[2]
    first, second, third = rows("mail.turn")
    assert mail.envelope.message_id == first.message_id  # the mail of the row that it goes out with
    assert mail.envelope.reply == SeatToken(games[2], 0, 0)
    assert [row.state for row in (first, second, third)] == ["done", "dropped", "done"]

    for game in games[:2]:
        table.turn_over(anna, game)
    table.move(bert, games[0])
    table.move(bert, games[1])
    table.clock.now += LATE
    assert _to(table.post(), "bert@example.org") == []
    assert [row.state for row in rows("mail.turn")][3:] == ["dropped", "dropped"]


def test_a_bundle_sent_again_after_a_crash_is_the_same_mail(table: Table) -> None:
    anna, bert = table.pair()
    for _ in range(2):
        table.game(anna, bert)
    table.clock.now += LATE
    outbox.claim(now=table.now, limit=50)
    lead = rows("mail.turn")[0]
    begun = outbox.begin(lead.id, now=table.now)
    assert begun is not None
    first = notices.compose(row=begun, now=table.now).notice
    third = table.game(anna, bert)  # and the worker dies
    table.clock.now += LATE
    outbox.claim(now=table.now, limit=50)
    again = outbox.begin(lead.id, now=table.now)
    assert again is not None
    assert again.parts == begun.parts != ()
    assert notices.compose(row=again, now=table.now).notice == first
    outbox.finish(lead.id, now=table.now, outcome="done")
    table.clock.now += LATE
    (mail,) = _to(table.post(), "anna@example.org")
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == third


def test_of_tasks_that_begin_at_once_one_gets_all(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    for _ in range(6):
        table.game(anna, bert)
    table.clock.now += LATE
    ids = [row.id for row in outbox.claim(now=table.now, limit=50) if row.topic == "mail.turn"]
    begun: list[outbox.Claimed] = []
    together = threading.Barrier(len(ids))

    def task(row_id: int) -> None:
        with app.app_context():
            together.wait(30)
            row = outbox.begin(row_id, now=table.now)
            if row is not None:
                begun.append(row)

    threads = [threading.Thread(target=task, args=(row_id,)) for row_id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    (one,) = begun
    assert sorted((one.id, *one.parts)) == sorted(ids)


def _put(number: int, recipient: str = "user:a") -> None:
    with transaction() as session:
        outbox.put(session, topic="mail.test", key=f"k{number}", payload={"game": "g"}, now=START, recipient=recipient)


def test_no_more_than_so_many_become_one_and_none_is_left(app: Flask) -> None:
    for number in range(2 * outbox.MOST_TOGETHER + 3):
        _put(number)
    now = START + LATE
    sizes = []
    while claimed := outbox.claim(now=now, limit=100):
        for row in claimed:
            begun = outbox.begin(row.id, now=now)
            if begun is not None:
                sizes.append(1 + len(begun.parts))
                outbox.finish(row.id, now=now, outcome="done")
    assert sizes == [outbox.MOST_TOGETHER, outbox.MOST_TOGETHER, 3]
    assert {row.state for row in rows()} == {"done"}


def test_others_mails_and_what_is_due_later_stay_out(app: Flask) -> None:
    _put(1)
    _put(2, "user:b")
    with transaction() as session:
        outbox.put(
            session,
            topic="mail.test",
            key="later",
            payload={},
            now=START,
            due_at=START + timedelta(hours=1),
            recipient="user:a",
        )
        outbox.put(session, topic="mail.code", key="code", payload={}, now=START)
    now = START + LATE
    begun = [outbox.begin(row.id, now=now) for row in outbox.claim(now=now, limit=100)]
    assert [row.parts for row in begun if row is not None] == [(), (), ()]


def test_a_mail_server_that_was_away_gets_one_mail_for_what_it_missed(app: Flask) -> None:
    """Tries that surely came to nothing do not keep mails apart; and a bundle can still grow."""
    now = START
    for number in range(3):
        _put(number)
    for row in outbox.claim(now=now, limit=10):
        begun = outbox.begin(row.id, now=now)
        assert begun is not None
        outbox.fail(begun, now=now, error="no mail server")
    now = START + timedelta(minutes=10)
    first, *_ = outbox.claim(now=now, limit=10)
    begun = outbox.begin(first.id, now=now)
    assert begun is not None
    assert len(begun.parts) == 2
    outbox.fail(begun, now=now, error="no mail server")
    _put(3)
    now += timedelta(minutes=10)
    fourth = next(row for row in outbox.claim(now=now, limit=10) if row.key == "k3")
    begun = outbox.begin(fourth.id, now=now)
    assert begun is not None
    assert begun.parts == tuple(row.id for row in rows()[:3])
    assert {row.merged_into for row in rows()[:3]} == {fourth.id}
    assert outbox.claim(now=now + timedelta(days=1), limit=10)[0].id == fourth.id


def test_what_may_have_been_sent_stays_by_itself(app: Flask) -> None:
    _put(1)
    _put(2)
    (first, second) = outbox.claim(now=START, limit=10)
    begun = outbox.begin(first.id, now=START)
    assert begun is not None
    outbox.fail(begun, now=START, error="connection lost", unsure=True)
    now = START + timedelta(minutes=10)
    outbox.claim(now=now, limit=10)
    for row in (second, first):
        again = outbox.begin(row.id, now=now)
        assert again is not None
        assert again.parts == ()
        outbox.fail(again, now=now, error="no mail server")  # this time surely not: but the first time perhaps
    now += timedelta(hours=1)
    outbox.claim(now=now, limit=10)
    assert [row.parts for row in (outbox.begin(second.id, now=now), outbox.begin(first.id, now=now)) if row] == [(), ()]


def test_a_bundle_that_fails_for_good_falls_apart_and_nothing_is_lost(app: Flask) -> None:
    for number in range(3):
        _put(number)
    now = START + LATE
    (lead, *_) = outbox.claim(now=now, limit=10)
    begun = outbox.begin(lead.id, now=now)
    assert begun is not None
    outbox.fail(begun, now=now, error="mail refused: 554", final=True)
    assert [(row.state, row.last_error, row.merged_into) for row in rows()] == [
        ("failed", "mail refused: 554", None)
    ] * 3
    assert all("with" not in row.payload for row in rows())
    for row in rows():
        assert outbox.retry(row.id, now=now)
    claimed = outbox.claim(now=now, limit=10)
    assert [row.parts for row in (outbox.begin(row.id, now=now) for row in claimed) if row] == [(), (), ()]


def test_a_bundle_whose_every_worker_dies_falls_apart_too(app: Flask) -> None:
    for number in range(2):
        _put(number)
    now = START + LATE
    for _ in range(12):
        outbox.claim(now=now, limit=10)
        assert outbox.begin(rows()[0].id, now=now) is not None
        now += timedelta(seconds=60)
    assert outbox.claim(now=now, limit=10) == []
    assert [row.state for row in rows()] == ["failed", "failed"]


def test_a_turn_tells_what_its_reminder_would(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=ClockSpec("days", days=2))
    table.clock.forward(days=1, hours=13)
    (mail,) = _to(table.post(), "anna@example.org")
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == game
    assert [row.state for row in (*rows("mail.turn"), *rows("mail.reminder"))] == ["done", "done"]


def test_a_stranger_invited_twice_gets_one_mail(table: Table) -> None:
    anna = table.person("Anna")
    for _ in range(2):
        lobby.create_game(caller=anna, seats=[ME, SeatSpec("invite", email="cleo@example.org")], now=table.now)
    table.clock.now += LATE
    (mail,) = table.post()
    assert isinstance(mail, kinds.BundleNotice)
    assert (mail.envelope.to, mail.envelope.reply) == ("cleo@example.org", None)
    assert mail.envelope.opt_out == mail.parts[0].envelope.opt_out is not None


# -- the daily digest


def test_mails_wait_for_the_digest_and_come_in_one(table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(2)]
    table.post()
    for game in games:
        assert wishes.set_digest(caller=bert, game_id=game, on=True, hour=7, now=table.now) == datetime(
            2026, 3, 2, 7, tzinfo=UTC
        )
        table.turn_over(anna, game)
    assert _to(table.post(), "bert@example.org") == []
    table.clock.now = datetime(2026, 3, 2, 6, 59, tzinfo=UTC)
    assert table.post() == []
    table.clock.now = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
    (mail,) = table.post()
    assert isinstance(mail, kinds.BundleNotice)
    assert mail.daily
    assert [part.game.id for part in mail.parts] == games


def test_the_digest_of_one_game_leaves_the_others_alone_and_reminders_too(table: Table) -> None:
    anna, bert = table.pair()
    daily, at_once = table.game(anna, bert, clock=ClockSpec("days", days=1)), table.game(anna, bert)
    table.post()
    wishes.set_digest(caller=bert, game_id=daily, on=True, hour=11, now=table.now)
    for game in (daily, at_once):
        table.turn_over(anna, game)
    (mail,) = _to(table.post(), "bert@example.org")
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == at_once
    table.clock.forward(hours=21)  # of which the clock stood still for nine, at night
    (mail,) = _to(table.post(), "bert@example.org")
    assert isinstance(mail, kinds.ReminderNotice)
    assert mail.game.id == daily


def test_a_digest_switched_off_brings_at_once_what_waits_for_it(table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(2)]
    table.post()
    for game in games:
        wishes.set_digest(caller=bert, game_id=game, on=True, now=table.now)
        table.turn_over(anna, game)
    table.clock.forward(hours=3)
    assert wishes.set_digest(caller=bert, game_id=games[0], on=False, now=table.now) is None
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == games[0]
    table.clock.now = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == games[1]


def test_another_hour_holds_for_what_waits(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert)
    table.post()
    wishes.set_digest(caller=bert, game_id=game, on=True, now=table.now)
    table.turn_over(anna, game)
    wishes.change(caller=bert, digest_hour=15, now=table.now)
    table.clock.forward(hours=2, minutes=59)
    assert table.post() == []
    table.clock.forward(minutes=1)
    assert len(table.post()) == 1


@pytest.mark.parametrize(
    ("zone", "hour", "after", "due"),
    [
        ("UTC", 8, "2026-03-01T07:59", "2026-03-01T08:00"),
        ("UTC", 8, "2026-03-01T08:00", "2026-03-02T08:00"),
        ("Europe/Berlin", 8, "2026-03-28T12:00", "2026-03-29T06:00"),  # summer time began in the night
        ("Europe/Berlin", 2, "2026-03-28T12:00", "2026-03-29T01:00"),  # there is no 2 o'clock: it is 3
        ("Europe/Berlin", 2, "2026-10-24T12:00", "2026-10-25T00:00"),  # there are two: the first
        ("Europe/Berlin", 2, "2026-10-25T00:30", "2026-10-26T01:00"),
        ("Pacific/Kiritimati", 0, "2026-03-01T09:00", "2026-03-01T10:00"),  # 14 hours ahead
        ("Pacific/Pago_Pago", 23, "2026-03-01T09:00", "2026-03-01T10:00"),  # 11 behind: there it is still February
        ("Asia/Kathmandu", 8, "2026-03-01T00:00", "2026-03-01T02:15"),
    ],
)
def test_the_hour_of_a_digest_is_the_readers(zone: str, hour: int, after: str, due: str) -> None:
    user = User(
        id="u", display_name="U", name_key="u", language="en", time_zone=zone, created_at=START, digest_hour=hour
    )
    moment = datetime.fromisoformat(after).replace(tzinfo=UTC)
    assert posting.digest_at(user, after=moment) == datetime.fromisoformat(due).replace(tzinfo=UTC)


def test_a_retry_of_a_digest_is_still_the_digest(table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(2)]
    table.post()
    for game in games:
        wishes.set_digest(caller=bert, game_id=game, on=True, now=table.now)
        table.turn_over(anna, game)
    table.clock.now = datetime(2026, 3, 2, 8, tzinfo=UTC)
    lead, _ = outbox.claim(now=table.now, limit=10)
    first = outbox.begin(lead.id, now=table.now)
    assert first is not None
    outbox.claim(now=table.now + LATE, limit=10)
    again = outbox.begin(lead.id, now=table.now + LATE)
    assert again == replace(first, attempt=2, alone=True)
    assert again is not None
    assert notices.compose(row=again, now=table.now + LATE).notice == notices.compose(row=first, now=table.now).notice


def test_a_bundle_that_was_not_wanted_comes_apart_and_tells_nothing_twice(table: Table) -> None:
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(3)]
    table.clock.now += LATE
    wishes.pause(caller=anna, now=table.now)
    assert _to(table.post(), "anna@example.org") == []
    assert {row.state for row in rows("mail.turn")} == {"dropped"}
    wishes.resume(caller=anna, now=table.now)
    assert sorted(_turns(table.post())) == sorted((game, 0) for game in games)


def test_wishes_change_while_mails_are_begun_and_every_turn_is_told_at_most_once(app: Flask, table: Table) -> None:
    """Nobody waits for another in a ring, and who changes their mind all the time misses no turn in the end."""
    anna, bert = table.pair()
    games = [table.game(anna, bert) for _ in range(4)]
    table.clock.now += LATE
    told: list[tuple[str, int]] = []
    faults: list[BaseException] = []

    def post() -> None:
        for row in outbox.claim(now=table.now, limit=3):
            begun = outbox.begin(row.id, now=table.now)
            if begun is not None:
                sent: list[kinds.Notice] = []
                outbox.finish(
                    row.id, now=table.now, outcome=deliveries.send(row=begun, now=table.now, post=sent.append)
                )
                told.extend(_turns(sent))

    def mind() -> None:
        wishes.pause(caller=anna, now=table.now)
        wishes.resume(caller=anna, now=table.now)
        wishes.turn_off(caller=anna, kinds=["turn"], now=table.now)
        wishes.turn_on(caller=anna, kinds=["turn"], now=table.now)

    def digest() -> None:
        for on in (True, False):
            wishes.set_digest(caller=anna, game_id=games[0], on=on, hour=9 if on else 10, now=table.now)

    def chat() -> None:
        talk.say(caller=bert, game_id=games[0], text="Hello", now=table.now)

    def keep_on(work: Callable[[], None]) -> None:
        with app.app_context():
            try:
                for _ in range(8):
                    work()
            except BaseException as error:  # noqa: BLE001 - shown by the assertion below
                faults.append(error)

    threads = [threading.Thread(target=keep_on, args=(work,)) for work in (post, post, mind, digest, chat)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert faults == []
    told.extend(_turns(table.post()))
    assert sorted(told) == sorted((game, 0) for game in games)


def _turns(sent: Sequence[kinds.Notice]) -> list[tuple[str, int]]:
    parts = [part for mail in sent for part in (mail.parts if isinstance(mail, kinds.BundleNotice) else (mail,))]
    return [(part.game.id, part.ply) for part in parts if isinstance(part, kinds.TurnNotice)]

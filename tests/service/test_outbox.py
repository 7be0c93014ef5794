"""Claims, leases, waits, and what is kept when nothing helps."""

import threading
from datetime import timedelta

import pytest
from flask import Flask

from service import outbox
from service.db import transaction
from tests.service.table import START, Table, rows


def _put(key: str, **more: object) -> None:
    with transaction() as session:
        outbox.put(session, topic="mail.test", key=key, payload={"game": "g", "seat": 1}, now=START, **more)  # type: ignore[arg-type]


def _later(**by: float) -> object:
    return START + timedelta(**by)


def test_a_key_is_put_once(app: Flask) -> None:
    _put("a")
    first = rows()[0].message_id
    _put("a")
    assert [(row.key, row.message_id) for row in rows()] == [("a", first)]
    assert first is not None
    assert first.startswith("<")


def test_a_row_belongs_to_the_transaction_it_was_put_in(app: Flask) -> None:
    def work() -> None:
        with transaction() as session:
            outbox.put(session, topic="mail.test", key="a", payload={}, now=START)
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        work()
    assert rows() == []


def test_a_claimed_row_is_nobody_elses_until_the_lease_runs_out(app: Flask) -> None:
    _put("a")
    (claimed,) = outbox.claim(now=START, limit=10)
    assert dict(claimed.payload) == {"game": "g", "seat": 1}
    assert outbox.claim(now=START + timedelta(seconds=59), limit=10) == []
    (again,) = outbox.claim(now=START + timedelta(seconds=60), limit=10)
    assert (again.id, again.message_id) == (claimed.id, claimed.message_id)


def test_only_one_task_begins_a_row(app: Flask) -> None:
    _put("a")
    (claimed,) = outbox.claim(now=START, limit=10)
    assert outbox.begin(claimed.id, now=START) is not None
    assert outbox.begin(claimed.id, now=START) is None
    outbox.finish(claimed.id, now=START, outcome="done")
    assert outbox.begin(claimed.id, now=START) is None
    assert outbox.claim(now=START + timedelta(days=1), limit=10) == []


def test_what_is_due_later_waits(app: Flask) -> None:
    _put("later", due_at=START + timedelta(hours=1))
    assert outbox.claim(now=START, limit=10) == []
    assert outbox.next_due() == START + timedelta(hours=1)
    assert len(outbox.claim(now=START + timedelta(hours=1), limit=10)) == 1


def test_failures_wait_twice_as_long_each_time_and_end_in_sight(app: Flask) -> None:
    _put("a")
    now, waits = START, []
    for _ in range(50):
        claimed = outbox.claim(now=now, limit=1)
        if not claimed:
            break
        row = outbox.begin(claimed[0].id, now=now)
        assert row is not None
        outbox.fail(row, now=now, error="ConnectionRefusedError: bob@example.org said 12345678 emerald_abcdefghijkl")
        due = outbox.next_due()
        if due is None:
            break
        waits.append(int((due - now).total_seconds()))
        assert outbox.claim(now=due - timedelta(seconds=1), limit=1) == []
        now = due
    assert waits == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
    (row_now,) = rows()
    assert (row_now.state, row_now.attempts) == ("failed", 12)
    assert row_now.last_error == "ConnectionRefusedError: ***@*** said ******** emerald_***"


def test_a_row_that_kills_its_worker_comes_to_an_end(app: Flask) -> None:
    _put("a")
    now = START
    for _ in range(12):
        (claimed,) = outbox.claim(now=now, limit=1)
        assert outbox.begin(claimed.id, now=now) is not None  # and the worker dies here
        now += timedelta(seconds=60)
    assert outbox.claim(now=now, limit=1) == []
    assert [row.state for row in rows()] == ["failed"]


def test_two_relays_never_claim_the_same_row(app: Flask) -> None:
    for number in range(40):
        _put(f"k{number}")
    claimed: list[int] = []

    def relay() -> None:
        with app.app_context():
            while batch := outbox.claim(now=START, limit=3):
                claimed.extend(row.id for row in batch)

    threads = [threading.Thread(target=relay) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(claimed) == len(set(claimed)) == 40


def test_the_relay_is_woken_after_the_commit_and_only_then(app: Flask) -> None:
    woken: list[int] = []
    outbox.set_waker(lambda: woken.append(len(rows())))
    try:
        with transaction() as session:
            outbox.put(session, topic="mail.test", key="a", payload={}, now=START)
            outbox.put(session, topic="mail.test", key="b", payload={}, now=START)
            assert woken == []
        assert woken == [2]  # once a commit, with the rows there
    finally:
        outbox.set_waker(None)


def test_a_waker_that_fails_does_not_reach_the_caller(app: Flask) -> None:
    def broken() -> None:
        raise ConnectionError("the broker is away")

    outbox.set_waker(broken)
    try:
        _put("a")
    finally:
        outbox.set_waker(None)
    assert [row.key for row in rows()] == ["a"]


def test_whoever_comes_back_too_late_does_not_disturb_the_next(app: Flask) -> None:
    _put("a")
    lease = timedelta(seconds=60)
    (claimed,) = outbox.claim(now=START, limit=1)
    late = outbox.begin(claimed.id, now=START)
    (again,) = outbox.claim(now=START + lease, limit=1)
    second = outbox.begin(again.id, now=START + lease)
    assert late is not None
    assert second is not None
    outbox.fail(late, now=START + lease, error="TimeoutError: at last")
    running = outbox.peek(claimed.id)
    assert running is not None
    assert (running.state, running.attempts) == ("running", 2)
    outbox.fail(second, now=START + lease, error="TimeoutError")
    waiting = outbox.peek(claimed.id)
    assert waiting is not None
    assert waiting.state == "pending"


def test_marking_twice_is_harmless(table: Table) -> None:
    _put("a")
    (claimed,) = outbox.claim(now=START, limit=1)
    begun = outbox.begin(claimed.id, now=START)
    assert begun is not None
    outbox.finish(claimed.id, now=START, outcome="done")
    outbox.finish(claimed.id, now=START, outcome="dropped")
    outbox.fail(begun, now=START, error="late")
    peeked = outbox.peek(claimed.id)
    assert peeked is not None
    assert peeked.state == "done"
    assert outbox.peek(10**6) is None

"""Outbox rows and tasks: who may begin, what counts as an attempt, and how it ends."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Literal

import pytest
from flask import Flask

from service import clock, outbox
from service.config import Settings
from tests.workers.conftest import PutRow
from workers.tasks.rows import work_on


def test_of_many_tasks_told_of_one_row_one_begins_it(worker_app: Flask, put: PutRow) -> None:
    row_id = put()
    outbox.claim(now=clock.now(), limit=10)

    def begin(_: int) -> bool:
        with worker_app.app_context():
            return outbox.begin(row_id, now=clock.now()) is not None

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(begin, range(24))) == 1


def test_a_row_that_is_not_handed_out_cannot_be_begun(worker_app: Flask, put: PutRow) -> None:
    assert outbox.begin(put(), now=clock.now()) is None
    assert outbox.begin(424242, now=clock.now()) is None


def test_work_is_done_once_and_marked(worker_app: Flask, put: PutRow) -> None:
    row_id = put()
    outbox.claim(now=clock.now(), limit=10)
    done: list[int] = []

    def work(row: outbox.Claimed) -> Literal["done"]:
        done.append(row.attempt)
        return "done"

    work_on(row_id, work)
    work_on(row_id, work)  # the message came twice
    assert done == [1]
    assert _state(row_id) == ("done", 1)


def test_waiting_in_the_queue_costs_no_attempt(worker_app: Flask, settings: Settings, put: PutRow) -> None:
    row_id = put()
    later = clock.now()
    for _ in range(settings.outbox_max_attempts + 3):
        assert [row.id for row in outbox.claim(now=later, limit=10)] == [row_id]
        later += timedelta(seconds=settings.outbox_lease_seconds + 1)
    work_on(row_id, lambda row: "done")
    assert _state(row_id) == ("done", 1)


def test_a_row_whose_worker_died_comes_again_after_its_lease(
    worker_app: Flask, settings: Settings, put: PutRow
) -> None:
    row_id = put()
    now = clock.now()
    outbox.claim(now=now, limit=10)
    assert outbox.begin(row_id, now=now) is not None  # and here the worker dies
    lease = timedelta(seconds=settings.outbox_lease_seconds)
    assert outbox.claim(now=now + lease - timedelta(seconds=1), limit=10) == []
    [again] = outbox.claim(now=now + lease, limit=10)
    assert again.id == row_id
    work_on(row_id, lambda row: "done")
    assert _state(row_id) == ("done", 2)


def test_a_row_that_kills_every_worker_ends_as_failed(worker_app: Flask, settings: Settings, put: PutRow) -> None:
    row_id = put()
    now = clock.now()
    for _ in range(settings.outbox_max_attempts):
        assert len(outbox.claim(now=now, limit=10)) == 1
        assert outbox.begin(row_id, now=now) is not None
        now += timedelta(seconds=settings.outbox_lease_seconds)
    assert outbox.claim(now=now, limit=10) == []
    assert _state(row_id) == ("failed", settings.outbox_max_attempts)


def test_an_error_is_tried_again_later_and_later_and_then_kept(
    worker_app: Flask, settings: Settings, put: PutRow
) -> None:
    row_id = put()
    waits: list[float] = []

    def broken(row: outbox.Claimed) -> Literal["done"]:
        raise OSError("the mail server of someone@example.org is away")

    now = clock.now()
    for _ in range(settings.outbox_max_attempts):
        assert [row.id for row in outbox.claim(now=now, limit=10)] == [row_id]
        before = clock.now()
        work_on(row_id, broken)
        row = outbox.peek(row_id)
        assert row is not None
        waits.append((row.next_at - before).total_seconds())
        now = row.next_at
    assert _state(row_id) == ("failed", settings.outbox_max_attempts)
    first = settings.outbox_retry_seconds
    for index, wait in enumerate(waits[:-1]):
        assert wait == pytest.approx(min(first * 2**index, 3600), abs=2)
    row = outbox.peek(row_id)
    assert row is not None
    assert row.last_error is not None
    assert "someone@" not in row.last_error
    assert "is away" in row.last_error
    assert outbox.claim(now=now + timedelta(days=365), limit=10) == []


def test_a_failed_row_can_be_tried_again_by_hand(worker_app: Flask, settings: Settings, put: PutRow) -> None:
    row_id = put()
    assert not outbox.retry(row_id, now=clock.now())  # it has not failed
    now = clock.now()
    for _ in range(settings.outbox_max_attempts + 1):
        outbox.claim(now=now, limit=10)
        outbox.begin(row_id, now=now)
        now += timedelta(seconds=settings.outbox_lease_seconds)
    assert _state(row_id)[0] == "failed"
    assert outbox.retry(row_id, now=clock.now())
    outbox.claim(now=clock.now(), limit=10)
    work_on(row_id, lambda row: "done")
    assert _state(row_id) == ("done", 1)


def test_what_is_over_is_dropped(worker_app: Flask, put: PutRow) -> None:
    row_id = put()
    outbox.claim(now=clock.now(), limit=10)
    work_on(row_id, lambda row: "dropped")
    assert _state(row_id) == ("dropped", 1)


def _state(row_id: int) -> tuple[str, int]:
    row = outbox.peek(row_id)
    assert row is not None
    return row.state, row.attempts

"""The relay: from rows that are due to messages, and the nudge after a commit."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask

from service import clock, outbox
from tests.support.ports import HOST
from tests.support.processes import python_program, wait_until
from tests.workers.conftest import PutRow, queue_length
from workers import relay as relaying
from workers.celery_app import INBOUND_QUEUE, MAIL_QUEUE, PLAY_QUEUE, QUEUES, RELAY_QUEUE, celery_app
from workers.relay import Waker, relay
from workers.topics import TASKS


@pytest.fixture
def no_waker() -> Iterator[None]:
    """Whatever waker a test sets is gone afterwards."""
    yield
    outbox.set_waker(None)


def test_every_topic_has_a_task_and_every_task_of_ours_a_use() -> None:
    celery_app.loader.import_default_modules()
    ours = {name for name in celery_app.tasks if not name.startswith("celery.")}
    assert ours == {*TASKS.values(), "relay", "clocks", "housekeeping"}
    for entry in celery_app.conf.beat_schedule.values():
        assert entry["task"] in ours


def test_due_rows_become_messages_in_their_queues(worker_app: Flask, put: PutRow) -> None:
    put("mail.turn", key="a")
    put("bot.turn", key="b")
    put("clock.stand_in", key="c", delay=timedelta(days=1))
    relay()
    assert queue_length(MAIL_QUEUE) == 1
    assert queue_length(PLAY_QUEUE) == 1
    states = {row.key: row.state for row in outbox.rows(states=outbox.OPEN, limit=10)}
    assert states == {"a": "queued", "b": "queued", "c": "pending"}


def test_mail_that_came_in_has_a_queue_of_its_own(worker_app: Flask, put: PutRow) -> None:
    put("inbound.read", key="a", mail="1")
    relay()
    assert [queue_length(queue) for queue in (INBOUND_QUEUE, MAIL_QUEUE, PLAY_QUEUE)] == [1, 0, 0]


def test_what_waits_in_the_queue_is_not_sent_again_and_again(worker_app: Flask, put: PutRow) -> None:
    put()
    for _ in range(5):
        relay()
    assert queue_length(MAIL_QUEUE) == 1


def test_a_flooded_queue_gets_no_more_than_it_has_room_for(
    worker_app: Flask, put: PutRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaying, "MOST_QUEUED", 7)
    for number in range(20):
        put(key=f"row {number}")
    for _ in range(3):
        relay()
    assert queue_length(MAIL_QUEUE) == 7
    assert len(outbox.rows(states=("pending",), limit=100)) == 13


def test_a_queue_full_of_mail_does_not_hold_up_bots(
    worker_app: Flask, put: PutRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaying, "MOST_QUEUED", 5)
    for number in range(9):
        put("mail.turn", key=f"mail {number}")
    relay()
    put("bot.turn", key="bot")
    relay()
    assert (queue_length(MAIL_QUEUE), queue_length(PLAY_QUEUE)) == (5, 1)


def test_a_burst_of_commits_costs_a_few_nudges(worker_app: Flask, put: PutRow, no_waker: None) -> None:
    outbox.set_waker(Waker())
    for number in range(50):
        put(key=f"row {number}")
    wait_until(lambda: queue_length(RELAY_QUEUE) >= 1, what="a nudge")
    time.sleep(3 * relaying.NUDGE_PAUSE)
    assert 1 <= queue_length(RELAY_QUEUE) < 50


COMMIT_AND_TELL = """
import time
from service import clock, outbox
from service.bootstrap import create_base_app
from service.config import Settings
from service.db import transaction
from workers.relay import Waker

outbox.set_waker(Waker())
with create_base_app(Settings.from_env()).app_context():
    for number in range(3):
        started = time.monotonic()
        with transaction() as session:
            outbox.put(session, topic="mail.code", key=f"row {number}", payload={}, now=clock.now())
        print(time.monotonic() - started)
        time.sleep(0.2)
time.sleep(3)  # for the nudges, on a busy machine
"""


@pytest.mark.parametrize("silent", [False, True], ids=["refuses", "is silent"])
def test_a_broker_that_is_away_neither_stops_nor_delays_a_commit(environment: dict[str, str], silent: bool) -> None:
    with socket.socket() as broker:
        broker.bind((HOST, 0))
        if silent:
            broker.listen()  # takes the connection, and never says a word
        environment["EMERALD_BROKER_URL"] = f"redis://{HOST}:{broker.getsockname()[1]}/0"
        done = subprocess.run(
            python_program("-c", COMMIT_AND_TELL),
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    commits = [float(seconds) for seconds in done.stdout.splitlines()]
    assert len(commits) == 3
    assert max(commits) < 1
    assert silent or "relay.not-nudged" in done.stderr


def test_old_rows_that_ended_well_are_forgotten_and_failed_ones_kept(worker_app: Flask, put: PutRow) -> None:
    done, failed, open_ = put(key="done"), put(key="failed"), put(key="open")
    now = clock.now()
    outbox.finish(done, now=now, outcome="done")
    for _ in range(13):
        outbox.claim(now=now, limit=10)
        outbox.begin(failed, now=now)
        now += timedelta(seconds=61)
    assert outbox.prune(before=clock.now() - timedelta(days=1)) == 0
    assert outbox.prune(before=clock.now() + timedelta(days=1)) == 1
    assert outbox.peek(done) is None
    assert outbox.peek(failed) is not None
    assert outbox.peek(open_) is not None


def test_every_queue_is_its_own() -> None:
    queues = celery_app.amqp.queues
    assert {name: (queue.exchange.name, queue.routing_key) for name, queue in queues.items()} == {
        name: (name, name) for name in QUEUES
    }

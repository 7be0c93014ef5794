"""What the worker tests share: tasks running in the test's own application, and a look into the queue."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from flask import Flask

from service import clock, outbox
from service.db import transaction
from workers import runtime
from workers.celery_app import celery_app

PutRow = Callable[..., int]


@pytest.fixture
def worker_app(app: Flask) -> Iterator[Flask]:
    """The application that the tasks of this process run in; nothing is left in the queues."""
    runtime.use(app)
    celery_app.loader.import_default_modules()  # all tasks, whichever test is the first of its process
    empty_queues()
    yield app
    empty_queues()
    runtime.use(None)


@pytest.fixture
def put(app: Flask) -> PutRow:
    """Put an outbox row, and return its id."""

    def put_row(topic: str = "mail.code", *, key: str = "row", delay: timedelta = timedelta(0), **payload: str) -> int:
        with transaction() as session:
            now = clock.now()
            outbox.put(session, topic=topic, key=key, payload=payload, now=now, due_at=now + delay)
        [row] = [row for row in outbox.rows(states=outbox.OPEN, limit=1000) if row.key == key]
        return row.id

    return put_row


def queue_length(name: str) -> int:
    """How many messages wait in a queue of the broker in memory."""
    with celery_app.connection_for_write() as connection, connection.SimpleQueue(name) as queue:
        return queue.qsize()


def empty_queues() -> None:
    """Throw away what waits."""
    with celery_app.connection_for_write() as connection:
        for queue in celery_app.conf.task_queues:
            with connection.SimpleQueue(queue.name) as simple:
                simple.clear()

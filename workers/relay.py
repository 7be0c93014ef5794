"""From outbox rows to tasks.

Runs every ``RELAY_SECONDS`` by beat, and at once when a commit has put rows (``Waker``). Claiming leases a row:
if the message is lost, or the worker that got it dies, the lease runs out and the row comes again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from threading import Event, Lock, Thread
from typing import Final

import structlog
from celery.signals import worker_init

from service import clock, outbox
from workers.celery_app import celery_app
from workers.topics import QUEUED_TOGETHER, TASKS

log = structlog.get_logger(__name__)

BATCH: Final = 50
# Rows handed to one queue that no task has begun yet. Once so many wait there, more would only wait there too; and a
# mail server that is slow to answer fills the queue of mails alone.
MOST_QUEUED: Final = 200
# Seconds between two nudges of one process: a burst of commits costs the relay a few runs, not one each.
NUDGE_PAUSE: Final = 0.05


@celery_app.task(name="relay")
def relay() -> None:
    """Hand every row that is due to its task, as far as its queue has room."""
    for topics in QUEUED_TOGETHER:
        while _hand_out(topics) == BATCH:
            pass


def _hand_out(topics: Collection[str]) -> int:
    """One batch of these topics; how many rows it had."""
    room = min(BATCH, MOST_QUEUED - outbox.queued(now=clock.now(), topics=topics))
    rows = outbox.claim(now=clock.now(), limit=room, topics=topics) if room > 0 else []
    for row in rows:
        celery_app.tasks[TASKS[row.topic]].apply_async((row.id,))
    return len(rows)


class Waker:
    """Nudges the relay after a commit, for ``outbox.set_waker``.

    The caller never waits and never sees an error: a thread of its own talks to the broker, and when that is away
    the next beat makes up for it. Nudges coalesce: however many commits come while one is being sent, one follows.
    """

    def __init__(self) -> None:
        self._due = Event()
        self._lock = Lock()
        self._pid = 0

    def __call__(self) -> None:
        """Ask for a run of the relay soon."""
        self._due.set()
        if self._pid != os.getpid():  # the first time in this process; threads do not survive a fork
            with self._lock:
                if self._pid != os.getpid():
                    self._pid = os.getpid()
                    Thread(target=self._run, name="relay-waker", daemon=True).start()

    def _run(self) -> None:
        while True:
            self._due.wait()
            self._due.clear()
            try:
                relay.delay()
            except Exception as error:  # noqa: BLE001 - whatever is wrong with the broker, beat comes again
                log.warning("relay.not-nudged", error=type(error).__name__)
            time.sleep(NUDGE_PAUSE)


@worker_init.connect
def _nudge_after_commits(**_: object) -> None:
    # What tasks commit (a bot's move, say) puts rows too; set before the pool forks, so that all children have it.
    outbox.set_waker(Waker())

"""What all tasks about an outbox row have in common: begin it, work, mark it."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from service import clock, outbox
from service.mail.errors import PermanentMailError, TemporaryMailError

log = structlog.get_logger(__name__)


def work_on(row_id: int, work: Callable[[outbox.Claimed], outbox.Outcome | outbox.Ended]) -> None:
    """Run ``work`` on the row, unless another task has it or had it; then mark it, or have it tried again later.

    A row is begun by one task only. Whoever dies between the work and the mark leaves it to its lease: the work is
    done a second time, which every ``work`` must bear (a mail keeps its Message-ID, a move its ply).
    """
    row = outbox.begin(row_id, now=clock.now())
    if row is None:
        return
    try:
        ended = work(row)
    except PermanentMailError as error:
        log.warning("outbox.refused", row=row.id, topic=row.topic, attempt=row.attempt)
        outbox.fail(row, now=clock.now(), error=str(error), final=True)
    except Exception as error:  # noqa: BLE001 - any failure is kept on the row and tried again with backoff
        log.warning("outbox.failed", row=row.id, topic=row.topic, attempt=row.attempt, error=type(error).__name__)
        unsure = isinstance(error, TemporaryMailError) and error.unsure
        outbox.fail(row, now=clock.now(), error=f"{type(error).__name__}: {error}", unsure=unsure)
    else:
        outbox.finish(row.id, now=clock.now(), outcome=ended)

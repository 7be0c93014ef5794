"""Mail that came in, read and carried out."""

from __future__ import annotations

from typing import Literal

from service import clock
from service.outbox import Claimed
from service.usecases import inbound
from workers import topics
from workers.celery_app import celery_app
from workers.tasks.rows import work_on


@celery_app.task(name=topics.INBOUND)
def read_mail(row_id: int) -> None:
    """Read the mail that this row names, and do what it says."""
    work_on(row_id, _read)


def _read(row: Claimed) -> Literal["done"]:
    inbound.read_mail(mail_id=int(row.payload["mail"] or 0), now=clock.now())
    return "done"

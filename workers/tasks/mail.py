"""Mail of every kind, looked at again at the moment it is sent."""

from __future__ import annotations

from typing import Literal

from service import clock
from service.outbox import Claimed
from service.usecases import notices
from workers import topics
from workers.celery_app import MAIL_QUEUE, celery_app
from workers.tasks.rows import work_on


@celery_app.task(name=topics.MAIL, queue=MAIL_QUEUE)
def send_mail(row_id: int) -> None:
    """Send the mail that this row promises, unless the world has moved on."""
    work_on(row_id, _send)


def _send(row: Claimed) -> Literal["done", "dropped"]:
    notice = notices.build(row=row, now=clock.now())
    if notice is None:
        return "dropped"
    raise NotImplementedError

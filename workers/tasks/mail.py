"""Mail of every kind, looked at again at the moment it is sent."""

from __future__ import annotations

from typing import Literal

from service import clock
from service.db import settings
from service.mail import render
from service.mail.transports import transport_from
from service.outbox import Claimed
from service.usecases import notices
from workers import topics
from workers.celery_app import celery_app
from workers.tasks.rows import work_on


@celery_app.task(name=topics.MAIL)
def send_mail(row_id: int) -> None:
    """Send the mail that this row promises, unless the world has moved on."""
    work_on(row_id, send)


def send(row: Claimed) -> Literal["done", "dropped"]:
    """Look up what there is to say now, and hand it to the mail server."""
    notice = notices.build(row=row, now=clock.now())
    if notice is None:
        return "dropped"
    chosen = settings()
    transport_from(chosen.mail_url).send(render.mail(notice, chosen))
    return "done"

"""Mail of every kind, looked at again at the moment it is sent."""

from __future__ import annotations

from service import clock
from service.db import settings
from service.mail import kinds, render
from service.mail.transports import transport_from
from service.outbox import Claimed, Ended
from service.usecases import deliveries
from workers import topics
from workers.celery_app import celery_app
from workers.tasks.rows import work_on


@celery_app.task(name=topics.MAIL)
def send_mail(row_id: int) -> None:
    """Send the mail that this row promises, unless the world has moved on."""
    work_on(row_id, send)


def send(row: Claimed) -> Ended:
    """Look up what there is to say now, and hand it to the mail server."""
    return deliveries.send(row=row, now=clock.now(), post=_post)


def _post(notice: kinds.Notice) -> None:
    chosen = settings()
    message = render.mail(notice, chosen)
    transport_from(chosen.mail_url).send(message, sender=render.return_path(notice, chosen))

"""The loop breaker: whatever two machines write to each other, one of them stops answering."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.db import lock_name, settings
from service.models import InboundMail
from service.usecases.inbound.work import Place

WINDOW = timedelta(hours=1)
#: What is noted of a mail that made a move. It is always answered, and does not count: its answer may be all that tells
#: what can be done next, and the end of the game ends these too.
MOVED = "a move"


def may_answer(session: Session, mail: InboundMail, place: Place, now: datetime) -> Literal["yes", "last", "no"]:
    """Whether a mail from this place is answered still, in this hour. ``mail`` says by then where it came from.

    Not for a mail that made a move.
    """
    if place.game_id is not None and place.seat is not None:
        where = f"{place.game_id}:{place.seat}"
        same = (InboundMail.game_id == place.game_id, InboundMail.seat == place.seat)
    elif place.user_id is not None:
        where = place.user_id
        same = (InboundMail.user_id == place.user_id, InboundMail.seat.is_(None))
    else:
        where = mail.note or ""
        same = (InboundMail.note == mail.note, InboundMail.user_id.is_(None))
    lock_name(session, f"answers:{where}")
    count = select(func.count()).where(
        InboundMail.state == "answered",
        InboundMail.note != MOVED,
        InboundMail.handled_at > now - WINDOW,
        InboundMail.id != mail.id,
        *same,
    )
    left = settings().mail_answers_per_hour - (session.scalar(count) or 0)
    if left <= 0:
        return "no"
    return "last" if left == 1 else "yes"

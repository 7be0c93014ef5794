"""A mail put into the outbox for a seat: when it goes out, and for whom it is."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from service import outbox
from service.mail.tokens import address_recipient, user_recipient
from service.models import Game, Seat, User


def mail(
    session: Session,
    kind: str,
    key: str,
    game: Game,
    seat: Seat,
    now: datetime,
    facts: Mapping[str, int | str] | None = None,
    *,
    due_at: datetime | None = None,
) -> bool:
    """Promise a ``mail.<kind>`` for this seat; with its digest, if it has one and ``due_at`` is not given.

    False: it was promised before, and stays as it is.
    """
    digested = False
    if due_at is None:
        due_at, digested = due(session, seat, now)
    return outbox.put(
        session,
        topic=f"mail.{kind}",
        key=key,
        payload={"game": game.id, "seat": seat.number, **(facts or {})},
        now=now,
        due_at=due_at,
        recipient=recipient(seat),
        digested=digested,
    )


def recap(game: Game, seat: Seat) -> dict[str, int]:
    """Which part of the log a mail tells: all from ``log`` to ``upto``, and what was said from ``said`` on.

    Fixed when the mail is promised, so that a mail sent again is the same mail, and nothing said goes untold.
    """
    return {"log": seat.acted_seq, "said": seat.told_seq, "upto": game.log_seq}


def due(session: Session, seat: Seat, now: datetime) -> tuple[datetime, bool]:
    """When a mail to this seat goes out, and whether that is with a digest."""
    user = session.get(User, seat.user_id) if seat.digest and seat.user_id is not None else None
    return (now, False) if user is None else (digest_at(user, after=now), True)


def digest_at(user: User, *, after: datetime) -> datetime:
    """The next time that the digest of this account is due: its hour by the clock on its wall.

    An hour that a change of clocks leaves out comes when the clocks have changed; one that comes twice, the first time.
    """
    zone = ZoneInfo(user.time_zone)
    day = after.astimezone(zone).date()
    while True:
        at = datetime.combine(day, time(user.digest_hour), zone).astimezone(UTC)
        if at > after:
            return at
        day += timedelta(days=1)


def recipient(seat: Seat) -> str | None:
    """For whom a mail to this seat is. Whoever is invited by address is an address: that is where the mail goes."""
    if seat.invited_email_key is not None:
        return address_recipient(seat.invited_email_key)
    user_id = seat.user_id or seat.invited_user_id
    return None if user_id is None else user_recipient(user_id)

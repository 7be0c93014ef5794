"""People looked up: by address, their names; and how mail to them fares."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import case, func, select, update
from sqlalchemy.orm import Session

from service.models import Address, User


def at_address(session: Session, email_key: str) -> User | None:
    """Whose verified address this is, by its key (``words.email_key``)."""
    return session.scalar(select(User).join(Address, Address.user_id == User.id).where(Address.email_key == email_key))


def names_of(session: Session, user_ids: Collection[str]) -> dict[str, str]:
    """Display names by account."""
    return dict(session.execute(select(User.id, User.display_name).where(User.id.in_(user_ids))).all())


def arrived(session: Session, email_key: str, *, now: datetime) -> None:
    """Mail to this address arrives (its code came back, say): it fails no more. What its owner complained of stays.

    Bounces of mails that were sent before are old news. Nothing happens for an address that is nobody's.
    """
    session.execute(
        update(Address)
        .where(Address.email_key == email_key, Address.state != "complained")
        .values(state="ok", failing_since=None, soft_bounces=0, last_status=None, tried_at=None, verified_at=now)
    )


def unreachable_since(session: Session, user_ids: Collection[str]) -> dict[str, datetime]:
    """Since when mail reaches an account at none of its addresses; accounts that can be written to are not in it."""
    working = func.sum(case((Address.state == "ok", 1), else_=0))
    since = func.max(Address.failing_since)
    found = select(Address.user_id, since).where(Address.user_id.in_(user_ids)).group_by(Address.user_id)
    return {user_id: at for user_id, at in session.execute(found.having(working == 0)) if at is not None}

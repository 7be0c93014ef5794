"""People looked up: by address, their names; and how mail to them fares."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Select, case, func, select, update
from sqlalchemy.orm import Session

from service.errors import UNAUTHENTICATED, Refusal
from service.i18n import gettext as _
from service.models import Absence, Address, User
from service.usecases.results import AddressInfo, Caller

Own = TypeVar("Own", Address, AddressInfo)


def at_address(session: Session, email_key: str) -> User | None:
    """Whose verified address this is, by its key (``words.email_key``)."""
    return session.scalar(select(User).join(Address, Address.user_id == User.id).where(Address.email_key == email_key))


def account(session: Session, caller: Caller, *, hold: bool = False) -> User:
    """The caller's account; ``hold``: nobody else changes it to the end of the transaction."""
    # Not the whole lock: whoever sits down at a game needs the account to stay, no more.
    user = session.get(User, caller.user_id, with_for_update={"key_share": True} if hold else None)
    if user is None:
        raise Refusal(UNAUTHENTICATED, _("This account is gone."))
    return user


def zone(session: Session, user_id: str | None) -> ZoneInfo:
    """The time zone of an account; UTC where there is none."""
    user = None if user_id is None else session.get(User, user_id)
    return ZoneInfo("UTC" if user is None else user.time_zone)


def in_order(user_id: str) -> Select[Address]:
    """An account's addresses: the preferred one first, then by age."""
    return select(Address).where(Address.user_id == user_id).order_by(Address.preferred.desc(), Address.id)


def written_to(own: Sequence[Own]) -> Own:
    """Where mail goes, of an account's addresses in their order: to the first that works, if none does to the first."""
    return next((address for address in own if address.state == "ok"), own[0])


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


def away_until(session: Session, user_ids: Collection[str], *, now: datetime) -> dict[str, datetime]:
    """Until when those of these accounts are away who are away now."""
    found = select(Absence.user_id, func.max(Absence.ends_at)).where(
        Absence.user_id.in_(user_ids), Absence.starts_at <= now, Absence.ends_at > now
    )
    return dict(session.execute(found.group_by(Absence.user_id)).all())

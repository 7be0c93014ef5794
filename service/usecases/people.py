"""People looked up: by address, their address, their names."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.models import Address, User


def at_address(session: Session, email_key: str) -> User | None:
    """Whose verified address this is, by its key (``words.email_key``)."""
    return session.scalar(select(User).join(Address, Address.user_id == User.id).where(Address.email_key == email_key))


def address_of(session: Session, user_id: str) -> str | None:
    """The address that an account is written to: the first it verified."""
    return session.scalar(select(Address.email).where(Address.user_id == user_id).order_by(Address.id).limit(1))


def names_of(session: Session, user_ids: Collection[str]) -> dict[str, str]:
    """Display names by account."""
    return dict(session.execute(select(User.id, User.display_name).where(User.id.in_(user_ids))).all())

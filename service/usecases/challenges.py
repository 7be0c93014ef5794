"""Challenges: mailed codes, how many may be asked for, and which of those that are out a code fits.

A challenge signs in (or up), or it adds an address to an account; a code for the one is none for the other.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.codes import DIGITS, same, sign_in_code
from service.db import lock_name, settings
from service.errors import RATE_LIMITED, Refusal, invalid
from service.i18n import gettext as _
from service.models import Challenge

TRIES = 5
#: Codes per address and window, whatever they are for. With the tries this bounds guessing: 25 of 100,000,000 an hour.
PER_WINDOW = 5
#: Codes that one account may ask for, to add addresses to itself.
PER_ACCOUNT = 10
WINDOW = timedelta(hours=1)


def digits_of(code: str) -> str:
    """A code as people type it, in its digits alone. Raises ``Refusal("invalid")``."""
    digits = re.sub(r"[\s-]", "", code)
    if not re.fullmatch(rf"[0-9]{{{DIGITS}}}", digits):
        raise invalid("code", _("A code is the {digits} digits from the mail.").format(digits=DIGITS))
    return digits


def lock(session: Session, email_key: str) -> None:
    """Hold an address, known or not, to the end of the transaction: codes for it are made and redeemed one by one."""
    lock_name(session, f"address:{email_key}")


def room_for_another(session: Session, email_key: str, now: datetime) -> Sequence[Challenge]:
    """The challenges of the last hour for a locked address, newest first. Raises ``Refusal("rate-limited")``."""
    recent = session.scalars(
        select(Challenge)
        .where(Challenge.email_key == email_key, Challenge.created_at > now - WINDOW)
        .order_by(Challenge.created_at.desc(), Challenge.id.desc())
    ).all()
    if len(recent) >= PER_WINDOW:
        said = _("{number} codes were asked for at this address within the hour. Use the newest one, or wait.")
        raise _wait(said.format(number=PER_WINDOW), recent[PER_WINDOW - 1].created_at, now)
    return recent


def room_for_account(session: Session, user_id: str, now: datetime) -> None:
    """Nobody sends codes to address after address. Raises ``Refusal("rate-limited")``."""
    times = session.scalars(
        select(Challenge.created_at)
        .where(Challenge.user_id == user_id, Challenge.created_at > now - WINDOW)
        .order_by(Challenge.created_at.desc())
        .limit(PER_ACCOUNT)
    ).all()
    if len(times) >= PER_ACCOUNT:
        said = _("You asked for {number} codes within the hour. Use one of them, or wait.")
        raise _wait(said.format(number=PER_ACCOUNT), times[-1], now)


def out(session: Session, email_key: str, *, user_id: str | None, now: datetime) -> Sequence[Challenge]:
    """The challenges whose codes hold now, oldest first: to sign in, or (``user_id``) to add the address there."""
    return session.scalars(
        select(Challenge)
        .where(
            Challenge.email_key == email_key,
            Challenge.user_id.is_(None) if user_id is None else Challenge.user_id == user_id,
            Challenge.inbound_id.is_(None),  # no code was mailed for those: an answer confirms them
            Challenge.used_at.is_(None),
            Challenge.expires_at > now,
            Challenge.tries < TRIES,
        )
        .order_by(Challenge.id)
    ).all()


def fitting(live: Sequence[Challenge], digits: str) -> Challenge | None:
    """The newest of ``live`` that these digits are the code of."""
    secret = settings().secret_key
    found = [challenge for challenge in live if same(sign_in_code(secret, challenge.nonce), digits)]
    return found[-1] if found else None


def _wait(message: str, since: datetime, now: datetime) -> Refusal:
    seconds = ceil((since + WINDOW - now).total_seconds())
    return Refusal(RATE_LIMITED, message, retry_after=max(1, seconds))

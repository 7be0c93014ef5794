"""Accounts made by mail alone: by the answer to a confirmation, or to an invitation."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import func, select

from service import outbox
from service.db import transaction
from service.errors import BAD_CODE, Refusal
from service.i18n import gettext as _
from service.ids import new_nonce
from service.models import Challenge
from service.usecases import accounts, challenges, deliveries, people, words

#: People answer mails when they read them.
LIFE = timedelta(days=3)
#: Confirmations an hour that are asked of one address: whoever forges it must not fill its mailbox, nor use up the
#: codes by which it signs in.
PER_WINDOW = challenges.PER_WINDOW - 2
#: And a day, of those that nobody answers.
PER_DAY = 6
_NAMELESS: Final = "Player"


@dataclass(frozen=True)
class Confirmed:
    """An address that answered. ``inbound_id``: the mail whose commands waited. ``new``: it had no account before."""

    user_id: str
    inbound_id: int
    new: bool


def ask(*, email: str, name: str, inbound_id: int, now: datetime) -> bool:
    """Ask whoever wrote from ``email`` whether it was really they; False if they were asked often enough.

    The commands of the mail ``inbound_id`` wait for the answer; if there is no account then, it makes one that is
    called ``name``, as far as that can be. The same road for a known and an unknown address.
    """
    address = words.email(email)
    key = words.email_key(address)
    with transaction() as session:
        challenges.lock(session, key)
        asked = select(func.count()).where(Challenge.email_key == key)
        recent = asked.where(Challenge.created_at > now - challenges.WINDOW)
        unanswered = asked.where(
            Challenge.created_at > now - timedelta(days=1),
            Challenge.inbound_id.is_not(None),
            Challenge.used_at.is_(None),
        )
        if (session.scalar(recent) or 0) >= PER_WINDOW or (session.scalar(unanswered) or 0) >= PER_DAY:
            return False
        challenge = Challenge(
            email=address,
            email_key=key,
            nonce=new_nonce(),
            created_at=now,
            expires_at=now + LIFE,
            display_name=presentable(name, address),
            inbound_id=inbound_id,
        )
        session.add(challenge)
        session.flush()
        outbox.put(
            session, topic="mail.confirm", key=f"confirm:{challenge.id}", payload={"challenge": challenge.id}, now=now
        )
        return True


def confirm(*, challenge_id: int, email_key: str, now: datetime) -> Confirmed:
    """The account of an address that answered a confirmation, made if there is none. Once.

    Raises ``Refusal("bad-code")`` if it is over, was answered before, or is another address's.
    """
    with transaction() as session:
        challenges.lock(session, email_key)
        challenge = session.get(Challenge, challenge_id, populate_existing=True)
        if challenge is None or challenge.inbound_id is None or challenge.email_key != email_key:
            raise Refusal(BAD_CODE, _("There is nothing to be confirmed by this answer."))
        if challenge.used_at is not None:
            raise Refusal(BAD_CODE, _("That was confirmed already, and done."))
        if challenge.expires_at <= now:
            said = _("That was not confirmed within {days} days, so it was not done.")
            raise Refusal(BAD_CODE, said.format(days=LIFE.days))
        challenge.used_at = now
        user = people.at_address(session, email_key)
        new = user is None
        if user is None:
            user = accounts.new_user(session, name=challenge.display_name or _NAMELESS, email=challenge.email, now=now)
        deliveries.arrived(session, email_key, now=now)
        return Confirmed(user.id, challenge.inbound_id, new)


def invited(*, email: str, name: str, language: str, now: datetime) -> str:
    """The account of an address whose reader answered an invitation sent there, made if there is none; its id.

    ``language``: of the invitation, which a new account keeps.
    """
    address = words.email(email)
    key = words.email_key(address)
    with transaction() as session:
        challenges.lock(session, key)
        user = people.at_address(session, key)
        if user is None:
            made = presentable(name, address)
            user = accounts.new_user(session, name=made, email=address, language=language, now=now)
        return user.id


def presentable(name: str, email: str) -> str:
    """A name that others may see, from what a mail program puts beside an address, else from the address."""
    local = re.split(r"[+]", email.rpartition("@")[0])[0]
    for candidate in (_turned(name), " ".join(part.capitalize() for part in re.split(r"[._-]+", local) if part)):
        try:
            return words.display_name(_cleaned(candidate))
        except Refusal:
            continue
    return _NAMELESS


def _turned(name: str) -> str:
    """``Vale, Robin`` as people say it; nothing if it is an address."""
    if "@" in name:
        return ""
    last, comma, first = name.partition(",")
    return f"{first} {last}" if comma and first.strip() and "," not in first else name


def _cleaned(name: str) -> str:
    seen = (char if unicodedata.category(char)[0] not in "CZ" else " " for char in unicodedata.normalize("NFC", name))
    clean = " ".join("".join(seen).replace('"', " ").split())
    longest = words.NAME_LENGTHS[1]
    if len(clean) > longest:  # whole words, if there are several
        clean = clean[: longest + 1].rpartition(" ")[0] or clean[:longest]
    return clean.strip(" ,;'")

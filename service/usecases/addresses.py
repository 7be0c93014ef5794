"""The addresses of an account: further ones, those that fail, the one that is preferred.

An address is added, and a failing one proves that it works again, by a code mailed to it, or by an answer to that mail.
Whether an address is somebody else's is told to its owner alone, by mail: asking takes the same road for all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service import outbox
from service.codes import sign_in_code
from service.db import lock_name, reading, settings, transaction
from service.errors import BAD_CODE, FORBIDDEN, Refusal, not_found
from service.i18n import gettext as _
from service.ids import id_for, new_nonce
from service.mail import kinds
from service.mail.tokens import SignUpToken
from service.models import Address, Challenge, User
from service.outbox import Claimed
from service.usecases import challenges, envelopes, people, promises, words
from service.usecases.results import ACCOUNT, AddressInfo, Caller

#: The answer to the mail does as the code does, and people answer mails when they read them.
CODE_LIFE = timedelta(days=1)
MOST_ADDRESSES = 5


@dataclass(frozen=True)
class Confirmed:
    """An address that proved to be its account's. ``new``: it was none of the account's before."""

    user_id: str
    address: AddressInfo
    new: bool


def list_addresses(*, caller: Caller) -> tuple[AddressInfo, ...]:
    """The caller's own addresses, the one that mail goes to first (if it arrives there) at the head."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        return of_account(session, caller.user_id)


def add(*, caller: Caller, email: str, now: datetime) -> None:
    """Mail a code to a further address, or to one of the caller's own, which shows whether mail arrives there.

    The same answer, by the same road, if the address is somebody else's: its owner is told by that mail.
    """
    words.require(caller, ACCOUNT)
    address = words.email(email)
    with transaction() as session:
        _lock(session, caller)
        own = _own(session, caller)
        if words.email_key(address) not in {one.email_key for one in own}:
            _check_room(own)
        _challenge(session, caller, address, now)


def retest(*, caller: Caller, address_id: str, now: datetime) -> None:
    """Mail a code to one of the caller's addresses: if it comes back, mail arrives there (again)."""
    words.require(caller, ACCOUNT)
    with transaction() as session:
        _lock(session, caller)
        _challenge(session, caller, _find(_own(session, caller), address_id).email, now)


def redeem(*, caller: Caller, email: str, code: str, now: datetime) -> AddressInfo:
    """The address that the code was mailed to, as one of the caller's that works.

    A wrong code counts against every code that is out for the address at this account, and the count stays though the
    call is refused.
    """
    words.require(caller, ACCOUNT)
    key = words.email_key(words.email(email))
    digits = challenges.digits_of(code)
    confirmed = None
    with transaction() as session:
        _lock(session, caller)
        challenges.lock(session, key)
        live = challenges.out(session, key, user_id=caller.user_id, now=now)
        fits = challenges.fitting(live, digits)
        if fits is not None:
            confirmed = _confirm(session, fits, now)
        else:
            for challenge in live:
                challenge.tries += 1
    if confirmed is None:  # raised only now: the count of tries has to be committed
        said = _(
            "That code does not fit. A code for a further address holds for a day, once, and for {tries} tries, with "
            "the account that asked for it; ask for a new one if in doubt."
        )
        raise Refusal(BAD_CODE, said.format(tries=challenges.TRIES))
    return confirmed.address


def confirm(*, challenge_id: int, email_key: str, now: datetime) -> Confirmed:
    """The same by an answer to the mail, which came from this address, provably as far as that can be known.

    Raises ``Refusal("bad-code")`` if the challenge is over, is another address's, or is none to add an address. One
    that was redeemed is confirmed once more as long as the address is still that account's.
    """
    with transaction() as session:
        challenge = session.get(Challenge, challenge_id)
        if challenge is None or challenge.user_id is None or challenge.email_key != email_key:
            raise _over()
        lock_name(session, f"addresses:{challenge.user_id}")
        challenges.lock(session, email_key)
        session.refresh(challenge)
        if challenge.holds(now):
            return _confirm(session, challenge, now)
        kept = session.scalar(select(Address).where(Address.email_key == email_key))
        if challenge.used_at is None or kept is None or kept.user_id != challenge.user_id:
            raise _over()
        return Confirmed(kept.user_id, _info(kept), new=False)


def prefer(*, caller: Caller, address_id: str) -> AddressInfo:
    """Have mail go to this address first, as long as it arrives there."""
    words.require(caller, ACCOUNT)
    with transaction() as session:
        _lock(session, caller)
        own = _own(session, caller)
        chosen = _find(own, address_id)
        for address in own:
            address.preferred = address is chosen
        return _info(chosen)


def remove(*, caller: Caller, address_id: str, now: datetime) -> None:
    """Take an address off the account; never the last one, nor the last one that works."""
    words.require(caller, ACCOUNT)
    with transaction() as session:
        _lock(session, caller)
        own = _own(session, caller)
        gone = _find(own, address_id)
        left = [address for address in own if address is not gone]
        if not left:
            raise Refusal(FORBIDDEN, _("This is your only address: add another one first, or you could not sign in."))
        if gone.state == "ok" and not any(address.state == "ok" for address in left):
            raise Refusal(
                FORBIDDEN, _("Mail arrives at this address alone: add another one, or test one that fails, first.")
            )
        challenges.lock(session, gone.email_key)
        session.delete(gone)
        # A code that is still out would bring it back.
        session.execute(
            update(Challenge)
            .where(Challenge.email_key == gone.email_key, Challenge.used_at.is_(None))
            .where(Challenge.user_id == caller.user_id)
            .values(used_at=now)
        )


def of_account(session: Session, user_id: str) -> tuple[AddressInfo, ...]:
    """An account's addresses for its owner's eyes, the preferred one first, then by age."""
    return tuple(map(_info, _in_order(session, user_id)))


def failing(own: Sequence[AddressInfo]) -> tuple[AddressInfo, ...]:
    """Those of an account's addresses at which mail does not arrive."""
    return tuple(address for address in own if address.state != "ok")


def _lock(session: Session, caller: Caller) -> None:
    """One change of an account's addresses at a time; always before the lock of an address."""
    lock_name(session, f"addresses:{caller.user_id}")


def _own(session: Session, caller: Caller) -> list[Address]:
    return _in_order(session, caller.user_id)


def _in_order(session: Session, user_id: str) -> list[Address]:
    return list(session.scalars(people.in_order(user_id).execution_options(populate_existing=True)))


def _find(own: list[Address], address_id: str) -> Address:
    found = next((address for address in own if _id(address) == address_id), None)
    if found is None:
        raise not_found("address")
    return found


def _check_room(own: list[Address]) -> None:
    if len(own) >= MOST_ADDRESSES:
        said = _("An account has at most {most} addresses; remove one first.")
        raise Refusal(FORBIDDEN, said.format(most=MOST_ADDRESSES))


def _challenge(session: Session, caller: Caller, address: str, now: datetime) -> None:
    key = words.email_key(address)
    challenges.room_for_account(session, caller.user_id, now)
    challenges.lock(session, key)
    challenges.room_for_another(session, key, now)
    challenge = Challenge(
        email=address,
        email_key=key,
        nonce=new_nonce(),
        created_at=now,
        expires_at=now + CODE_LIFE,
        user_id=caller.user_id,
    )
    session.add(challenge)
    session.flush()
    outbox.put(
        session, topic="mail.address", key=f"address:{challenge.id}", payload={"challenge": challenge.id}, now=now
    )


def _confirm(session: Session, challenge: Challenge, now: datetime) -> Confirmed:
    """What a challenge of a locked account and address was for. All others of it are void then."""
    user_id = challenge.user_id or ""
    address = session.scalar(select(Address).where(Address.email_key == challenge.email_key))
    if address is not None and address.user_id != user_id:
        raise Refusal(
            FORBIDDEN, _("This address belongs to another account; it can be added when it is removed there.")
        )
    new, failed = address is None, address is not None and address.state != "ok"
    if address is None:
        own = _in_order(session, user_id)
        _check_room(own)
        address = Address(
            user_id=user_id, email=challenge.email, email_key=challenge.email_key, verified_at=now, preferred=False
        )
        session.add(address)
    address.state, address.failing_since, address.last_status = "ok", None, None
    address.soft_bounces, address.tried_at, address.verified_at = 0, None, now
    for other in challenges.out(session, challenge.email_key, user_id=user_id, now=now):
        other.used_at = now
    challenge.used_at = now
    session.flush()
    if failed:
        promises.present_turns(session, user_id, now=now)
    return Confirmed(user_id, _info(address), new)


def _over() -> Refusal:
    return Refusal(BAD_CODE, _("That was for an address that waits to be confirmed no longer. Ask for a new code."))


def _info(address: Address) -> AddressInfo:
    return AddressInfo(
        id=_id(address),
        email=address.email,
        state=address.state,  # type: ignore[arg-type]  # a check constraint holds it to these
        failing_since=address.failing_since,
        last_status=address.last_status,
        preferred=address.preferred,
        verified_at=address.verified_at,
    )


def _id(address: Address) -> str:
    """What an address is called in URLs, which are written into logs: neither the address nor its number."""
    return id_for(f"{address.user_id}|{address.email_key}")


def _notice(session: Session, row: Claimed, now: datetime) -> kinds.AddressNotice | None:
    """While the code holds. If the address is somebody else's, the mail is for that one, and brings no code."""
    challenge = session.get(Challenge, row.payload["challenge"])
    if challenge is None or not challenge.holds(now):
        return None
    asker = session.get(User, challenge.user_id)
    owner = people.at_address(session, challenge.email_key)
    if asker is None:
        return None
    elsewhere = owner is not None and owner.id != asker.id
    reader = owner if owner is not None and elsewhere else asker
    return kinds.AddressNotice(
        envelope=envelopes.to_address(
            row, challenge.email, reader, reply=None if elsewhere else SignUpToken(challenge.id)
        ),
        code="" if elsewhere else sign_in_code(settings().secret_key, challenge.nonce),
        expires_at=challenge.expires_at,
        new=owner is None,
        elsewhere=elsewhere,
    )


CHAPTERS: Final[dict[str, Callable[[Session, Claimed, datetime], kinds.Notice | None]]] = {"mail.address": _notice}
"""What mails this module puts in the outbox, for ``notices``."""

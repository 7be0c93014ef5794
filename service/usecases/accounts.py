"""Accounts: sign-up and sign-in by a mailed code, one's own settings.

Whether an address is known is told to nobody but its owner, by mail. Both ways of asking for a code take the same road
for a known and an unknown address: the same rows are written, and only the worker that sends the mail looks which it
is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from service import outbox
from service.db import reading, transaction
from service.errors import BAD_CODE, NAME_TAKEN, Refusal
from service.i18n import gettext as _
from service.ids import new_id, new_nonce
from service.models import Address, Challenge, User
from service.usecases import addresses, challenges, deliveries, people, promises, tokens, words
from service.usecases.results import ACCOUNT, SCOPES, Account, Caller, Identity, NewToken

CODE_LIFE = timedelta(minutes=10)


@dataclass(frozen=True)
class LinkOffer:
    """Whom a mailed link signs in: the name of an account, or (``new``) of the one it will make, and its address."""

    name: str
    email: str
    new: bool


def sign_up(*, email: str, display_name: str, language: str = "en", time_zone: str = "UTC", now: datetime) -> None:
    """Mail a code that will make this account. The same answer, by the same road, if the address has one already.

    The account is made when the code comes back, so nobody can take an address that is not theirs. A name that is taken
    is said at once; if it is taken meanwhile, the account gets it with a number.
    """
    address = words.email(email)
    name = words.display_name(display_name)
    language, time_zone = words.language(language), words.time_zone(time_zone)
    with transaction() as session:
        _check_name_free(session, name)
        _challenge(session, address, (name, language, time_zone), now)


def request_code(*, email: str, now: datetime) -> None:
    """Mail a sign-in code. The same answer, by the same road, whether the address is known or not.

    For a sign-up that waits for its code this sends another one.
    """
    address = words.email(email)
    with transaction() as session:
        _challenge(session, address, None, now)


def redeem_code(
    *,
    email: str,
    code: str,
    token_name: str = "",
    scopes: Sequence[str] | None = None,
    life: timedelta | None = None,
    now: datetime,
) -> NewToken:
    """A token for a code. ``scopes``: all, unless some are asked for. ``life``: it ends by itself after so long.

    A wrong code counts against every code that is out for the address, and the count stays though the call is refused.
    """
    address = words.email(email)
    digits = challenges.digits_of(code)
    wanted = words.scopes(SCOPES if scopes is None else scopes)
    name = words.label(token_name, field="token_name", default=f"Signed in {now:%Y-%m-%d}")
    with transaction() as session:
        challenges.lock(session, words.email_key(address))
        user = _redeem(session, address, digits, now)
        new = None if user is None else _signed_in(session, user, name, wanted, now, life)
    if new is None:  # raised only now: the count of tries has to be committed
        said = _(
            "That code does not fit. A code holds for {minutes} minutes, once, and for {tries} tries; ask for a new "
            "one if in doubt."
        )
        raise Refusal(BAD_CODE, said.format(minutes=CODE_LIFE.seconds // 60, tries=challenges.TRIES))
    return new


def look_at_link(*, challenge_id: int, now: datetime) -> LinkOffer:
    """Whom the link beside a code would sign in. Raises ``Refusal("bad-code")`` once the code holds no more.

    Whoever has the link has the mail: it tells them nothing that they do not know.
    """
    with reading() as session:
        challenge = _of_link(session, challenge_id, now)
        user = people.at_address(session, challenge.email_key)
        name = challenge.display_name if user is None else user.display_name
        if name is None:
            raise _link_over()
        return LinkOffer(name=name, email=challenge.email, new=user is None)


def redeem_link(*, challenge_id: int, token_name: str = "", life: timedelta | None = None, now: datetime) -> NewToken:
    """A token for the link beside a code, which does what the code does, once, and as long as it would."""
    name = words.label(token_name, field="token_name", default=f"Signed in {now:%Y-%m-%d}")
    with transaction() as session:
        key = _of_link(session, challenge_id, now).email_key
        challenges.lock(session, key)
        session.expire_all()  # another may have had the lock until now, and have redeemed it
        challenge = _of_link(session, challenge_id, now)
        user = _enter(session, challenge, now)
        if user is None:
            raise _link_over()
        for other in challenges.out(session, key, user_id=None, now=now):
            other.used_at = now
        return _signed_in(session, user, name, list(SCOPES), now, life)


def me(*, caller: Caller) -> Account:
    """The caller's own account."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        return _account(session, people.account(session, caller))


def identity(*, caller: Caller) -> Identity:
    """What a page needs of whoever looks at it, by one row."""
    with reading() as session:
        user = people.account(session, caller)
        return Identity(user.display_name, user.language, user.time_zone)


def update_account(
    *,
    caller: Caller,
    display_name: str | None = None,
    language: str | None = None,
    time_zone: str | None = None,
    now: datetime,
) -> Account:
    """Change what is given (None: leave it). Digests that wait come at their hour in the new zone."""
    words.require(caller, ACCOUNT)
    with transaction() as session:
        user = people.account(session, caller)
        if display_name is not None:
            name = words.display_name(display_name)
            if words.name_key(name) != user.name_key:
                _check_name_free(session, name)
            user.display_name, user.name_key = name, words.name_key(name)
        if language is not None:
            user.language = words.language(language)
        if time_zone is not None:
            user.time_zone = words.time_zone(time_zone)
            promises.digests_moved(session, user, now=now)
        try:
            session.flush()
        except IntegrityError:
            raise _taken() from None
        return _account(session, user)


def forget_challenges(*, before: datetime) -> int:
    """Remove challenges that expired before this moment, addresses of strangers with them; how many."""
    with transaction() as session:
        expired = delete(Challenge).where(Challenge.expires_at < before).returning(Challenge.id)
        return len(session.scalars(expired).all())


def _challenge(session: Session, address: str, pending: tuple[str, str, str] | None, now: datetime) -> None:
    key = words.email_key(address)
    challenges.lock(session, key)
    recent = challenges.room_for_another(session, key, now)
    if pending is None:
        pending = next(
            (
                (one.display_name, one.language or "en", one.time_zone or "UTC")
                for one in recent
                if one.display_name is not None
            ),
            None,
        )
    name, language, time_zone = pending or (None, None, None)
    challenge = Challenge(
        email=address,
        email_key=key,
        nonce=new_nonce(),
        created_at=now,
        expires_at=now + CODE_LIFE,
        display_name=name,
        language=language,
        time_zone=time_zone,
    )
    session.add(challenge)
    session.flush()
    outbox.put(session, topic="mail.code", key=f"code:{challenge.id}", payload={"challenge": challenge.id}, now=now)


def _redeem(session: Session, address: str, digits: str, now: datetime) -> User | None:
    key = words.email_key(address)
    live = challenges.out(session, key, user_id=None, now=now)
    fits = challenges.fitting(live, digits)
    user = None if fits is None else _enter(session, fits, now)
    if user is None:
        for challenge in live:
            challenge.tries += 1
        return None
    for challenge in live:
        challenge.used_at = now
    return user


def _enter(session: Session, proved: Challenge, now: datetime) -> User | None:
    """The account of a locked address that was proved, made now if a sign-up waits; None if there is neither."""
    user = people.at_address(session, proved.email_key)
    if user is not None:
        deliveries.arrived(session, proved.email_key, now=now)
    elif proved.display_name is not None:
        user = new_user(
            session,
            name=proved.display_name,
            email=proved.email,
            language=proved.language or "en",
            time_zone=proved.time_zone or "UTC",
            now=now,
        )
    return user


def _of_link(session: Session, challenge_id: int, now: datetime) -> Challenge:
    """The challenge that a link is about, if its code was mailed to sign in and still holds."""
    challenge = session.get(Challenge, challenge_id)
    if (
        challenge is None
        or challenge.user_id is not None
        or challenge.inbound_id is not None
        or challenge.tries >= challenges.TRIES
        or not challenge.holds(now)
    ):
        raise _link_over()
    return challenge


def _link_over() -> Refusal:
    said = _("This link signs nobody in any more. It holds for {minutes} minutes, and once; ask for a new one.")
    return Refusal(BAD_CODE, said.format(minutes=CODE_LIFE.seconds // 60))


def new_user(
    session: Session, *, name: str, email: str, language: str = "en", time_zone: str = "UTC", now: datetime
) -> User:
    """The account of an address that was proved, and is nobody's yet (``challenges.lock`` holds it). Never commits.

    If the name is taken, it gets the nearest one: the person can change it.
    """
    given, number = name, 1
    while True:
        user = User(
            id=new_id(),
            display_name=given,
            name_key=words.name_key(given),
            language=language,
            time_zone=time_zone,
            created_at=now,
        )
        try:
            with session.begin_nested():
                session.add(user)
            break
        except IntegrityError:
            number += 1
            given = f"{name[: words.NAME_LENGTHS[1] - len(str(number)) - 1].rstrip()} {number}"
    session.add(Address(user_id=user.id, email=email, email_key=words.email_key(email), verified_at=now))
    session.flush()
    return user


def _check_name_free(session: Session, name: str) -> None:
    if session.scalar(select(User.id).where(User.name_key == words.name_key(name))) is not None:
        raise _taken()


def _taken() -> Refusal:
    return Refusal(
        NAME_TAKEN, _("Somebody has that name already. Choose another; if it is you, ask for a sign-in code instead.")
    )


def _signed_in(
    session: Session, user: User, token_name: str, scopes: list[str], now: datetime, life: timedelta | None
) -> NewToken:
    failing = addresses.failing(addresses.of_account(session, user.id))
    return replace(tokens.issue(session, user.id, token_name, scopes, now, life=life), failing=failing)


def _account(session: Session, user: User) -> Account:
    own = addresses.of_account(session, user.id)
    return Account(
        id=user.id,
        display_name=user.display_name,
        email=people.written_to(own).email,
        language=user.language,
        time_zone=user.time_zone,
        created_at=user.created_at,
        failing=addresses.failing(own),
    )

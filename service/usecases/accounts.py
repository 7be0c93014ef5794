"""Accounts: sign-up and sign-in by a mailed code, bearer tokens, one's own settings.

Whether an address is known is told to nobody but its owner, by mail. Both ways of asking for a code take the same road
for a known and an unknown address: the same rows are written, and only the worker that sends the mail looks which it
is.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from service import outbox
from service.codes import DIGITS, same, sign_in_code, token_hash
from service.db import lock_name, reading, settings, transaction
from service.errors import (
    BAD_CODE,
    FORBIDDEN,
    NAME_TAKEN,
    RATE_LIMITED,
    UNAUTHENTICATED,
    Refusal,
    invalid,
    not_found,
)
from service.ids import TOKEN_PREFIX, new_id, new_nonce, new_token
from service.models import Address, Challenge, Token, User
from service.usecases import words
from service.usecases.results import ACCOUNT, SCOPES, Account, Caller, NewToken, TokenInfo

CODE_LIFE = timedelta(minutes=10)
CODE_TRIES = 5
#: Codes per address and window. With the tries this bounds guessing: 25 of 100,000,000 in an hour.
CODES_PER_WINDOW = 5
CODE_WINDOW = timedelta(hours=1)
TOKENS_PER_ACCOUNT = 100
_TOUCH_EVERY = timedelta(minutes=1)
_TOKEN = re.compile(TOKEN_PREFIX + r"[A-Za-z0-9_-]{32,200}")


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
    *, email: str, code: str, token_name: str = "", scopes: Sequence[str] | None = None, now: datetime
) -> NewToken:
    """A token for a code. ``scopes``: all, unless some are asked for.

    A wrong code counts against every code that is out for the address, and the count stays though the call is refused.
    """
    address = words.email(email)
    digits = re.sub(r"[\s-]", "", code)
    if not re.fullmatch(rf"[0-9]{{{DIGITS}}}", digits):
        raise invalid("code", f"A code is the {DIGITS} digits from the mail.")
    wanted = words.scopes(SCOPES if scopes is None else scopes)
    name = words.label(token_name, field="token_name", default=f"Signed in {now:%Y-%m-%d}")
    with transaction() as session:
        lock_name(session, f"address:{words.email_key(address)}")
        user = _redeem(session, address, digits, now)
        new = None if user is None else _new_token(session, user.id, name, wanted, now)
    if new is None:  # raised only now: the count of tries has to be committed
        raise Refusal(
            BAD_CODE,
            f"That code does not fit. A code holds for {CODE_LIFE.seconds // 60} minutes, once, and for {CODE_TRIES} "
            "tries; ask for a new one if in doubt.",
        )
    return new


def authenticate(*, token: str, now: datetime) -> Caller:
    """Who bears ``token``; notes the use, at most once a minute."""
    refusal = Refusal(UNAUTHENTICATED, "This token is not valid (any more). Sign in again for a new one.")
    if not _TOKEN.fullmatch(token):
        raise refusal
    with reading() as session:
        row = session.scalar(select(Token).where(Token.hash == token_hash(token), Token.revoked_at.is_(None)))
    if row is None:
        raise refusal
    if row.last_used_at is None or now - row.last_used_at >= _TOUCH_EVERY:
        untouched = or_(Token.last_used_at.is_(None), Token.last_used_at <= now - _TOUCH_EVERY)
        with transaction() as session:
            session.execute(update(Token).where(Token.id == row.id, untouched).values(last_used_at=now))
    return Caller(user_id=row.user_id, token_id=row.id, scopes=frozenset(row.scopes))


def me(*, caller: Caller) -> Account:
    """The caller's own account."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        return _account(session, _user(session, caller))


def update_account(
    *,
    caller: Caller,
    display_name: str | None = None,
    language: str | None = None,
    time_zone: str | None = None,
    now: datetime,
) -> Account:
    """Change what is given (None: leave it)."""
    words.require(caller, ACCOUNT)
    with transaction() as session:
        user = _user(session, caller)
        if display_name is not None:
            name = words.display_name(display_name)
            if words.name_key(name) != user.name_key:
                _check_name_free(session, name)
            user.display_name, user.name_key = name, words.name_key(name)
        if language is not None:
            user.language = words.language(language)
        if time_zone is not None:
            user.time_zone = words.time_zone(time_zone)
        try:
            session.flush()
        except IntegrityError:
            raise _taken(display_name or "") from None
        return _account(session, user)


def list_tokens(*, caller: Caller) -> tuple[TokenInfo, ...]:
    """The caller's tokens that are in force, newest first."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        in_force = select(Token).where(Token.user_id == caller.user_id, Token.revoked_at.is_(None))
        rows = session.scalars(in_force.order_by(Token.created_at.desc(), Token.id)).all()
        return tuple(_info(row, current=row.id == caller.token_id) for row in rows)


def create_token(*, caller: Caller, name: str, scopes: Sequence[str], now: datetime) -> NewToken:
    """Another token, with no more scopes than the caller's own."""
    words.require(caller, ACCOUNT)
    wanted = words.scopes(scopes)
    for scope in wanted:
        words.require(caller, scope)
    given = words.label(name, field="name", default=f"Made {now:%Y-%m-%d}")
    with transaction() as session:
        lock_name(session, f"tokens:{caller.user_id}")
        in_force = select(func.count()).where(Token.user_id == caller.user_id, Token.revoked_at.is_(None))
        if (session.scalar(in_force) or 0) >= TOKENS_PER_ACCOUNT:
            raise Refusal(FORBIDDEN, f"There are {TOKENS_PER_ACCOUNT} tokens in force; revoke one first.")
        return _new_token(session, caller.user_id, given, wanted, now)


def revoke_token(*, caller: Caller, token_id: str, now: datetime) -> None:
    """End a token of the caller's, its own included (which is signing out and needs no scope)."""
    if token_id != caller.token_id:
        words.require(caller, ACCOUNT)
    with transaction() as session:
        ended = session.execute(
            update(Token)
            .where(Token.id == token_id, Token.user_id == caller.user_id, Token.revoked_at.is_(None))
            .values(revoked_at=now)
            .returning(Token.id)
        ).first()
        if ended is None:
            raise not_found("token")


def forget_challenges(*, before: datetime) -> int:
    """Remove challenges that expired before this moment, addresses of strangers with them; how many."""
    with transaction() as session:
        expired = delete(Challenge).where(Challenge.expires_at < before).returning(Challenge.id)
        return len(session.scalars(expired).all())


def _challenge(session: Session, address: str, pending: tuple[str, str, str] | None, now: datetime) -> None:
    key = words.email_key(address)
    lock_name(session, f"address:{key}")
    recent = session.scalars(
        select(Challenge)
        .where(Challenge.email_key == key, Challenge.created_at > now - CODE_WINDOW)
        .order_by(Challenge.created_at.desc(), Challenge.id.desc())
    ).all()
    if len(recent) >= CODES_PER_WINDOW:
        wait = recent[CODES_PER_WINDOW - 1].created_at + CODE_WINDOW - now
        raise Refusal(
            RATE_LIMITED,
            f"{CODES_PER_WINDOW} codes were asked for at this address within the hour. Use the newest one, or wait.",
            retry_after=max(1, ceil(wait.total_seconds())),
        )
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
    live = session.scalars(
        select(Challenge)
        .where(
            Challenge.email_key == key,
            Challenge.used_at.is_(None),
            Challenge.expires_at > now,
            Challenge.tries < CODE_TRIES,
        )
        .order_by(Challenge.id)
    ).all()
    secret = settings().secret_key
    fitting = [challenge for challenge in live if same(sign_in_code(secret, challenge.nonce), digits)]
    user = _owner(session, key) if fitting else None
    if fitting and user is None and fitting[-1].display_name is not None:
        user = _new_user(session, fitting[-1], now)
    if user is None:
        for challenge in live:
            challenge.tries += 1
        return None
    for challenge in live:
        challenge.used_at = now
    return user


def _owner(session: Session, key: str) -> User | None:
    return session.scalar(select(User).join(Address, Address.user_id == User.id).where(Address.email_key == key))


def _new_user(session: Session, challenge: Challenge, now: datetime) -> User:
    wanted = challenge.display_name or ""
    name, number = wanted, 1
    while True:
        user = User(
            id=new_id(),
            display_name=name,
            name_key=words.name_key(name),
            language=challenge.language or "en",
            time_zone=challenge.time_zone or "UTC",
            created_at=now,
        )
        try:
            with session.begin_nested():
                session.add(user)
            break
        except IntegrityError:
            # Taken since the sign-up began. The person has proved the address: give the nearest name, to be changed.
            number += 1
            name = f"{wanted[: words.NAME_LENGTHS[1] - len(str(number)) - 1]} {number}"
    session.add(Address(user_id=user.id, email=challenge.email, email_key=challenge.email_key, verified_at=now))
    session.flush()
    return user


def _check_name_free(session: Session, name: str) -> None:
    if session.scalar(select(User.id).where(User.name_key == words.name_key(name))) is not None:
        raise _taken(name)


def _taken(name: str) -> Refusal:
    return Refusal(
        NAME_TAKEN, "Somebody has that name already. Choose another; if it is you, ask for a sign-in code instead."
    )


def _user(session: Session, caller: Caller) -> User:
    user = session.get(User, caller.user_id)
    if user is None:
        raise Refusal(UNAUTHENTICATED, "This account is gone.")
    return user


def _account(session: Session, user: User) -> Account:
    address = session.scalar(select(Address.email).where(Address.user_id == user.id).order_by(Address.id).limit(1))
    return Account(
        id=user.id,
        display_name=user.display_name,
        email=address or "",
        language=user.language,
        time_zone=user.time_zone,
        created_at=user.created_at,
    )


def _new_token(session: Session, user_id: str, name: str, scopes: list[str], now: datetime) -> NewToken:
    token = new_token()
    row = Token(
        id=new_id(),
        user_id=user_id,
        name=name,
        hash=token_hash(token),
        hint=token[-4:],
        scopes=scopes,
        created_at=now,
    )
    session.add(row)
    return NewToken(token=token, info=_info(row, current=False))


def _info(row: Token, *, current: bool) -> TokenInfo:
    return TokenInfo(
        id=row.id,
        name=row.name,
        prefix=TOKEN_PREFIX,
        hint=row.hint,
        scopes=tuple(row.scopes),
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        current=current,
    )

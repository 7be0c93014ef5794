"""Bearer tokens: who bears one, and making, listing and revoking them. Kept as hashes; shown once."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from service.codes import token_hash
from service.db import lock_name, reading, transaction
from service.errors import FORBIDDEN, UNAUTHENTICATED, Refusal, not_found
from service.i18n import gettext as _
from service.ids import ID_PATTERN, TOKEN_PREFIX, new_id, new_token
from service.models import Token
from service.usecases import words
from service.usecases.results import ACCOUNT, Caller, NewToken, TokenInfo

TOKENS_PER_ACCOUNT = 100
SESSION_LIFE = timedelta(days=90)
"""How long a browser stays signed in."""
_TOUCH_EVERY = timedelta(minutes=1)
_TOKEN = re.compile(TOKEN_PREFIX + r"[A-Za-z0-9_-]{32,200}")


def authenticate(*, token: str, now: datetime) -> Caller:
    """Who bears ``token``; notes the use, at most once a minute."""
    refusal = Refusal(UNAUTHENTICATED, _("This token is not valid (any more). Sign in again for a new one."))
    if not _TOKEN.fullmatch(token):
        raise refusal
    with reading() as session:
        row = session.scalar(select(Token).where(Token.hash == token_hash(token), Token.revoked_at.is_(None)))
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        raise refusal
    if row.last_used_at is None or now - row.last_used_at >= _TOUCH_EVERY:
        untouched = or_(Token.last_used_at.is_(None), Token.last_used_at <= now - _TOUCH_EVERY)
        with transaction() as session:
            session.execute(update(Token).where(Token.id == row.id, untouched).values(last_used_at=now))
    return Caller(user_id=row.user_id, token_id=row.id, scopes=frozenset(row.scopes))


def list_tokens(*, caller: Caller, now: datetime) -> tuple[TokenInfo, ...]:
    """The caller's tokens that are in force, newest first."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        newest = select(Token).where(_in_force(caller, now)).order_by(Token.created_at.desc(), Token.id)
        rows = session.scalars(newest).all()
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
        if (session.scalar(select(func.count()).where(_in_force(caller, now))) or 0) >= TOKENS_PER_ACCOUNT:
            said = _("There are {number} tokens in force; revoke one first.")
            raise Refusal(FORBIDDEN, said.format(number=TOKENS_PER_ACCOUNT))
        return issue(session, caller.user_id, given, wanted, now)


def revoke_token(*, caller: Caller, token_id: str, now: datetime) -> None:
    """End a token of the caller's, its own included (which is signing out and needs no scope)."""
    if token_id != caller.token_id:
        words.require(caller, ACCOUNT)
    if not re.fullmatch(ID_PATTERN, token_id):
        raise not_found("token")
    with transaction() as session:
        ended = session.execute(
            update(Token)
            .where(Token.id == token_id, Token.user_id == caller.user_id, Token.revoked_at.is_(None))
            .values(revoked_at=now)
            .returning(Token.id)
        ).first()
        if ended is None:
            raise not_found("token")


def forget_ended(*, before: datetime) -> int:
    """Remove tokens that were revoked, or ended by themselves, before this moment; how many."""
    with transaction() as session:
        ended = delete(Token).where(or_(Token.revoked_at < before, Token.expires_at < before)).returning(Token.id)
        return len(session.scalars(ended).all())


def issue(
    session: Session, user_id: str, name: str, scopes: list[str], now: datetime, *, life: timedelta | None = None
) -> NewToken:
    """A new token for an account, within the caller's transaction; ``life``: it ends by itself after so long."""
    token = new_token()
    row = Token(
        id=new_id(),
        user_id=user_id,
        name=name,
        hash=token_hash(token),
        hint=token[-4:],
        scopes=scopes,
        created_at=now,
        expires_at=None if life is None else now + life,
    )
    session.add(row)
    return NewToken(token=token, info=_info(row, current=False))


def _in_force(caller: Caller, now: datetime) -> ColumnElement[bool]:
    lasts = or_(Token.expires_at.is_(None), Token.expires_at > now)
    return and_(Token.user_id == caller.user_id, Token.revoked_at.is_(None), lasts)


def _info(row: Token, *, current: bool) -> TokenInfo:
    return TokenInfo(
        id=row.id,
        name=row.name,
        prefix=TOKEN_PREFIX,
        hint=row.hint,
        scopes=tuple(row.scopes),
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        expires_at=row.expires_at,
        current=current,
    )

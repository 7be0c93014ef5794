"""Who wrote a mail, and what it answers.

A mail that answers one of ours bears a token, and counts if it comes from a verified address of the token's owner, and
if the receiving server says so where it is trusted to. Without a token it comes from whoever the From says, as far as
the receiving server can say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from service.db import settings
from service.errors import Refusal
from service.mail import reading
from service.mail.reading.letter import Letter
from service.mail.tokens import AccountToken, InviteToken, SeatToken, SignUpToken, Token, unseal
from service.models import Game, InboundMail, LogEntry, Seat, User
from service.usecases import people, words
from service.usecases.inbound.work import Place

NOT_FROM_OWNER = "another address"
NOT_AUTHENTICATED = "not authenticated"


@dataclass(frozen=True)
class Known:
    """Somebody who may have things done. ``proved``: by a token or by the receiving server, not by the From alone."""

    place: Place
    proved: bool


@dataclass(frozen=True)
class Confirming:
    """The answer to a confirmation, from the address that it was sent to."""

    challenge: int
    place: Place


@dataclass(frozen=True)
class Stranger:
    """Somebody we do not know, who wrote to the service address."""

    place: Place


@dataclass(frozen=True)
class Nobody:
    """A mail that counts for nothing. ``owners``: the accounts whose tokens it bore, who are to know of it."""

    why: str
    owners: tuple[str, ...] = ()


Who = Known | Confirming | Stranger | Nobody


def who_wrote(session: Session, mail: InboundMail, letter: Letter) -> Who:
    """The writer of a mail that was written by a person, as far as it can be known."""
    tokens = tokens_of(mail, letter)
    answering = [token for token in tokens if isinstance(token, SeatToken | InviteToken | AccountToken | SignUpToken)]
    if tokens and not answering:
        return Nobody("written to a return path")
    place = _sender(session, letter)
    if place is None:
        return Nobody("no single sender", _owners(session, answering))
    trusted = settings().inbound_authserv_ids
    if trusted and not reading.authenticated(mail.raw, letter.sender or "", trusted):
        return Nobody(NOT_AUTHENTICATED, _owners(session, answering))
    for token in answering:
        found = _by_token(session, token, place)
        if found is not None:
            return found
    if any(not _spent(session, token) for token in answering):
        return Nobody(NOT_FROM_OWNER, _owners(session, answering))
    return Stranger(place) if place.user_id is None else Known(place, proved=bool(trusted))


def tokens_of(mail: InboundMail, letter: Letter) -> list[Token]:
    """The genuine tokens in the addresses that a mail was sent to, the envelope's first."""
    chosen = settings()
    found: dict[Token, None] = {}
    for address in (*mail.envelope_to, *letter.recipients):
        sealed = chosen.token_in(address)
        token = None if sealed is None else unseal(chosen.secret_key, sealed)
        if token is not None:
            found[token] = None
    return list(found)


def address_key(address: str) -> tuple[str, str] | None:
    """An address as it is kept, and its key; None for one that cannot be anybody's here."""
    try:
        kept = words.email(address)
    except Refusal:
        return None
    return kept, words.email_key(kept)


def _sender(session: Session, letter: Letter) -> Place | None:
    keyed = None if letter.sender is None else address_key(letter.sender)
    if keyed is None:
        return None
    user = people.at_address(session, keyed[1])
    return Place(user_id=None if user is None else user.id, email=keyed[0], email_key=keyed[1], name=letter.sender_name)


def _by_token(session: Session, token: Token, place: Place) -> Known | Confirming | None:
    """The writer as the token's owner; None if the address is not the owner's."""
    match token:
        case AccountToken(user):
            return Known(place, proved=True) if place.user_id == user else None
        case SeatToken(game_id, number, ply):
            seat = _seat(session, game_id, number)
            if seat is None or place.user_id is None or seat.user_id != place.user_id:
                return None
            return _at(place, game_id, number, ply)
        case InviteToken(game_id, number):
            return _by_invitation(session, game_id, number, place)
        case SignUpToken(challenge):
            return Confirming(challenge, place)
    return None


def _by_invitation(session: Session, game_id: str, number: int, place: Place) -> Known | None:
    seat = _seat(session, game_id, number)
    if seat is None:
        return None
    if place.user_id is not None and seat.user_id == place.user_id:  # accepted meanwhile
        return _at(place, game_id, number, None)
    by_account = place.user_id is not None and seat.invited_user_id == place.user_id
    if seat.kind != "invited" or not (by_account or _invited_at(session, seat, place)):
        return None
    return _at(place, game_id, number, None, invited=True)


def _spent(session: Session, token: Token) -> bool:
    """Whether it is a token of an invitation that nobody has any more: it proves nothing, for or against its bearer."""
    if not isinstance(token, InviteToken):
        return False
    seat = _seat(session, token.game, token.seat)
    return seat is None or seat.kind != "invited"


def _invited_at(session: Session, seat: Seat, place: Place) -> bool:
    """Whether the seat is kept for an address of the writer."""
    if seat.invited_email_key is None:
        return False
    if seat.invited_email_key == place.email_key:
        return True
    owner = people.at_address(session, seat.invited_email_key)
    return owner is not None and owner.id == place.user_id


def _at(place: Place, game_id: str, number: int, ply: int | None, *, invited: bool = False) -> Known:
    at = Place(
        user_id=place.user_id,
        email=place.email,
        email_key=place.email_key,
        name=place.name,
        game_id=game_id,
        seat=number,
        ply=ply,
        invited=invited,
    )
    return Known(at, proved=True)


def _seat(session: Session, game_id: str, number: int) -> Seat | None:
    return session.get(Seat, (game_id, number))


def _owners(session: Session, tokens: Iterable[Token]) -> tuple[str, ...]:
    """The accounts that these tokens were made for."""
    owners: dict[str, None] = {}
    for token in tokens:
        owner = None
        if isinstance(token, AccountToken):
            owner = token.user
        elif isinstance(token, SeatToken | InviteToken):
            owner = _owner_of_seat(session, token.game, token.seat)
        if owner is not None and session.get(User, owner) is not None:
            owners[owner] = None
    return tuple(owners)


def _owner_of_seat(session: Session, game_id: str, number: int) -> str | None:
    """Whose seat this is; nobody's if it changed hands: whoever had it before has tokens by right."""
    seat = _seat(session, game_id, number)
    if seat is None or session.get(Game, game_id) is None:
        return None
    changed = select(LogEntry.seq).where(
        LogEntry.game_id == game_id,
        LogEntry.kind.in_(("left", "declined")),
        or_(LogEntry.seat == number, LogEntry.seat.is_(None)),
    )
    if session.scalar(changed.limit(1)) is not None:
        return None
    return seat.user_id or seat.invited_user_id

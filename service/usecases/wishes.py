"""What somebody wants by mail: kinds turned off, a pause, a daily digest, what mails show.

All of it is asked when a mail is about to go out (``why_not``), so a wish holds for what waits already. It holds for
mails that the house sends of itself; codes and answers to one's own mails always come.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from service.db import insert, reading, transaction
from service.errors import invalid
from service.i18n import gettext as _
from service.mail.tokens import KINDS, OptOutLink, address_recipient, user_recipient
from service.models import Address, OptOut, User
from service.usecases import access, people, posting, promises, words
from service.usecases.results import ACCOUNT, GAMES_PLAY, GAMES_READ, Caller

_USER: Final = user_recipient("")
LAST_HOUR: Final = 23


@dataclass(frozen=True)
class MailWishes:
    """What an account wants by mail. ``off``: the kinds that are turned off (of ``tokens.KINDS``)."""

    drawing: bool
    cards: bool
    digest_hour: int
    paused_at: datetime | None
    off: tuple[str, ...]


@dataclass(frozen=True)
class GameMail:
    """How the mails about one game come. ``next_digest``: when, if they wait for it."""

    digest: bool
    next_digest: datetime | None


def why_not(session: Session, who: str, kind: str) -> str | None:
    """Why mail of this kind does not go to this reader, for operators; None: it does."""
    if who.startswith(_USER):
        user = session.get(User, who.removeprefix(_USER))
        if user is not None and user.mail_paused_at is not None:
            return "its reader has paused mail"
    return f"its reader has turned off mails of the kind {kind}" if kind in _off(session, [who]) else None


def mail_wishes(*, caller: Caller) -> MailWishes:
    """What the caller wants by mail."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        return wishes_of(session, people.account(session, caller))


def change(
    *,
    caller: Caller,
    drawing: bool | None = None,
    cards: bool | None = None,
    digest_hour: int | None = None,
    paused: bool | None = None,
    off: Collection[str] | None = None,
    now: datetime,
) -> MailWishes:
    """Change what is given (None: leave it): what mails show, when the digest comes (an hour of 0 to 23), and the rest.

    ``paused``: as ``pause`` and ``resume``. ``off``: just these kinds are turned off, all others on.
    """
    words.require(caller, ACCOUNT)
    _check_kinds(off or ())
    with transaction() as session:
        user = people.account(session, caller, hold=True)
        user.mail_drawing = user.mail_drawing if drawing is None else drawing
        user.mail_cards = user.mail_cards if cards is None else cards
        _set_hour(session, user, digest_hour, now)
        if off is not None:
            for kind in sorted(off):
                _opt_out(session, user_recipient(user.id), kind, now)
            _opt_in(session, _names(session, user), set(KINDS) - set(off), now)
        _set_paused(session, user, paused, now)
        return wishes_of(session, user)


def pause(*, caller: Caller, now: datetime) -> MailWishes:
    """No mail from now on but codes and answers; what waits is not sent either."""
    return change(caller=caller, paused=True, now=now)


def resume(*, caller: Caller, now: datetime) -> MailWishes:
    """Mail again: of what was missed, the turns that are on now."""
    return change(caller=caller, paused=False, now=now)


def turn_off(*, caller: Caller, kinds: Collection[str], now: datetime) -> MailWishes:
    """No mails of these kinds."""
    words.require(caller, ACCOUNT)
    _check_kinds(kinds)
    with transaction() as session:
        user = people.account(session, caller, hold=True)
        for kind in sorted(kinds):
            _opt_out(session, user_recipient(user.id), kind, now)
        return wishes_of(session, user)


def turn_on(*, caller: Caller, kinds: Collection[str], now: datetime) -> MailWishes:
    """Mails of these kinds again, also where they were turned off for one of the caller's addresses."""
    words.require(caller, ACCOUNT)
    _check_kinds(kinds)
    with transaction() as session:
        user = people.account(session, caller, hold=True)
        _opt_in(session, _names(session, user), kinds, now)
        return wishes_of(session, user)


def set_digest(*, caller: Caller, game_id: str, on: bool, hour: int | None = None, now: datetime) -> datetime | None:
    """Have the mails about a game wait for the daily digest, or not; the next digest's time, if they do.

    ``hour``: for all digests of the caller. Mails that wait are sent at the new hour, or (off) at once; a reminder
    never waits.
    """
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        user = people.account(session, caller, hold=True)
        access.own_seat(game, who).digest = on
        _set_hour(session, user, hour, now)
        session.flush()
        if not on:
            promises.digest_ended(session, user.id, game.id, now=now)
            return None
        return posting.digest_at(user, after=now)


def game_mail(*, caller: Caller, game_id: str, now: datetime) -> GameMail:
    """How the mails about a game come to the caller."""
    words.require(caller, GAMES_READ)
    with reading() as session:
        user, who = session.get(User, caller.user_id), access.viewer(session, caller)
        seat = access.own_seat(access.seen(session, who, game_id), who)
        if user is None or not seat.digest:
            return GameMail(digest=False, next_digest=None)
        return GameMail(digest=True, next_digest=posting.digest_at(user, after=now))


def opt_out(*, link: OptOutLink, now: datetime) -> None:
    """Turn off what the link of a mail names. Whoever has the mail may do that, and take it back."""
    with transaction() as session:
        if _exists(session, link.who):
            _opt_out(session, link.who, link.kind, now)


def opt_in(*, link: OptOutLink, now: datetime) -> None:
    """Take that back."""
    with transaction() as session:
        _opt_in(session, [link.who], [link.kind], now)


def opted_out(*, link: OptOutLink) -> bool:
    """Whether what the link names is turned off."""
    with reading() as session:
        return link.kind in _off(session, [link.who])


def wishes_of(session: Session, user: User) -> MailWishes:
    """What an account wants by mail."""
    off = _off(session, _names(session, user))
    return MailWishes(
        drawing=user.mail_drawing,
        cards=user.mail_cards,
        digest_hour=user.digest_hour,
        paused_at=user.mail_paused_at,
        off=tuple(kind for kind in KINDS if kind in off),
    )


def _set_hour(session: Session, user: User, hour: int | None, now: datetime) -> None:
    if hour is None or hour == user.digest_hour:
        return
    if not 0 <= hour <= LAST_HOUR:
        said = _("The hour of a digest is a whole number from 0 to {last}.")
        raise invalid("digest_hour", said.format(last=LAST_HOUR))
    user.digest_hour = hour
    session.flush()
    promises.digests_moved(session, user, now=now)


def _set_paused(session: Session, user: User, paused: bool | None, now: datetime) -> None:
    if paused:
        user.mail_paused_at = user.mail_paused_at or now
    elif paused is False and user.mail_paused_at is not None:
        user.mail_paused_at = None
        session.flush()
        promises.present_turns(session, user.id, now=now)


def _opt_out(session: Session, who: str, kind: str, now: datetime) -> None:
    session.execute(insert(session, OptOut).values(who=who, kind=kind, at=now).on_conflict_do_nothing())


def _opt_in(session: Session, whos: Sequence[str], kinds: Collection[str], now: datetime) -> None:
    gone = delete(OptOut).where(OptOut.who.in_(whos), OptOut.kind.in_(kinds)).returning(OptOut.kind)
    if "turn" not in session.scalars(gone).all():
        return
    for who in whos:
        if who.startswith(_USER):
            promises.present_turns(session, who.removeprefix(_USER), now=now)


def _off(session: Session, whos: Sequence[str]) -> set[str]:
    return set(session.scalars(select(OptOut.kind).where(OptOut.who.in_(whos))))


def _names(session: Session, user: User) -> list[str]:
    """The account as a reader, and each of its addresses as one that had no account."""
    keys = session.scalars(select(Address.email_key).where(Address.user_id == user.id)).all()
    return [user_recipient(user.id), *map(address_recipient, keys)]


def _exists(session: Session, who: str) -> bool:
    return not who.startswith(_USER) or session.get(User, who.removeprefix(_USER)) is not None


def _check_kinds(kinds: Collection[str]) -> None:
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        said = _("There are no mails of the kind {unknown}; the kinds are {kinds}.")
        raise invalid("kinds", said.format(unknown=unknown[0], kinds=", ".join(KINDS)))

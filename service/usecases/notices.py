"""What each mail has to say, looked up at the moment it is sent, as its reader may see it.

A mail is promised when something happens and sent later: the world may have moved on. Each chapter below says when its
mail is still true; if it is not, there is no notice and the row is dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import score
from service import outbox
from service.codes import sign_in_code
from service.db import reading, settings
from service.i18n import DEFAULT
from service.mail import kinds
from service.mail.tokens import AccountToken, SignInLink, seal, user_recipient
from service.models import Challenge, Game, Move, Seat, User
from service.outbox import Claimed
from service.usecases import addresses, answers, envelopes, infos, journal, people, time_notices
from service.usecases.envelopes import number, seat_of

PARTS: Final = get_args(kinds.Part)
MOVED_ON: Final = "the world has moved on"
"""Why a mail is not sent that is true no longer; every other reason is the reader's wish."""


@dataclass(frozen=True)
class Composed:
    """What a row's mail has to say. ``notice`` None: nothing, and ``why``; ``untold``: parts that it leaves out."""

    notice: kinds.Notice | None
    why: str = ""
    untold: tuple[int, ...] = ()


def compose(*, row: Claimed, now: datetime) -> Composed:
    """What a claimed ``mail.*`` row has to say now. A row that has taken others in tells of all that is still true.

    If only one of them is, that is a mail as if it had gone out by itself; but it is the mail of this row.
    """
    with reading() as session:
        return compose_in(session, row, now)


def compose_in(session: Session, row: Claimed, now: datetime) -> Composed:
    """The same inside a transaction."""
    if not row.parts:
        return _chapter(session, row, now)
    told: dict[int, kinds.Part] = {}
    why = MOVED_ON
    for one in outbox.parts(session, row):
        composed = _chapter(session, one, now)
        if isinstance(composed.notice, PARTS):
            told[one.id] = composed.notice
        elif composed.why != MOVED_ON:
            why = composed.why
    parts = _without_repeats(tuple(told.values()))
    untold = tuple(one for one in row.parts if one not in told)
    return Composed(_bundle(row, parts), why, untold)


def _chapter(session: Session, row: Claimed, now: datetime) -> Composed:
    try:
        return Composed(_CHAPTERS[row.topic](session, row, now), MOVED_ON)
    except envelopes.Unsent as error:
        return Composed(None, str(error))


def _bundle(row: Claimed, parts: tuple[kinds.Part, ...]) -> kinds.Notice | None:
    if not parts:
        return None
    first = parts[0].envelope
    alike = {part.envelope.opt_out for part in parts}
    outer = replace(
        first,
        message_id=row.message_id or "",
        date=row.created_at,
        row=row.id,
        opt_out=first.opt_out if len(alike) == 1 else None,
    )
    if len(parts) == 1:
        return replace(parts[0], envelope=outer)
    user_id = (row.recipient or "").removeprefix(user_recipient(""))
    return kinds.BundleNotice(
        envelope=replace(outer, reply=AccountToken(user_id) if user_id != row.recipient else None),
        parts=parts,
        daily=row.digested,
    )


def _without_repeats(parts: tuple[kinds.Part, ...]) -> tuple[kinds.Part, ...]:
    """A turn tells what its reminder tells, and more; and of a start that this turn came with. A last call stays."""
    turns = {part.game.id for part in parts if isinstance(part, kinds.TurnNotice)}
    return tuple(part for part in parts if not (_repeats_the_turn(part) and part.game.id in turns))


def _repeats_the_turn(part: kinds.Part) -> bool:
    return isinstance(part, kinds.StartedNotice) or (isinstance(part, kinds.ReminderNotice) and not part.last)


def _code(session: Session, row: Claimed, now: datetime) -> kinds.CodeNotice | None:
    """While the code holds, and if it leads anywhere: to an account, or to one that waits to be made."""
    challenge = session.get(Challenge, row.payload["challenge"])
    if challenge is None or not challenge.holds(now):
        return None
    user = people.at_address(session, challenge.email_key)
    if user is None and challenge.display_name is None:
        return None
    envelope = envelopes.to_address(row, challenge.email, user)
    if user is None:
        envelope = replace(
            envelope,
            name=challenge.display_name or "",
            zone=challenge.time_zone or "UTC",
            language=challenge.language or DEFAULT,
        )
    house = settings()
    return kinds.CodeNotice(
        envelope=envelope,
        code=sign_in_code(house.secret_key, challenge.nonce),
        link=house.address(f"/sign-in/{seal(house.secret_key, SignInLink(challenge.id))}"),
        expires_at=challenge.expires_at,
        known=user is not None and challenge.display_name is not None,
    )


def _invitation(session: Session, row: Claimed, now: datetime) -> kinds.InvitationNotice | None:
    """While the game waits and the seat is still kept for whoever was invited."""
    game, seat = seat_of(session, row)
    if game.status != "waiting" or seat.kind != "invited":
        return None
    envelope = envelopes.envelope(session, row, game, seat, kind="invitation")
    inviter = session.get(User, game.creator_id)
    if envelope is None or inviter is None:
        return None
    return kinds.InvitationNotice(envelope, envelopes.facts(session, game), seat.number, inviter.display_name)


def _started(session: Session, row: Claimed, now: datetime) -> kinds.StartedNotice | None:
    """While the game is on and the seat has not had a turn, whose mail would have told."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="news")
    board = envelopes.board(game, seat.number)
    if game.status != "playing" or not seat.person or seat.acted_seq or envelope is None or board is None:
        return None
    return kinds.StartedNotice(envelope, envelopes.facts(session, game), seat.number, board)


def _turn(session: Session, row: Claimed, now: datetime) -> kinds.TurnNotice | None:
    """While the very turn is on that it was promised for, and nothing of it is played.

    Whoever has begun the turn knows of it; and a mail sent again after a crash must not show another position.
    """
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="turn")
    board = envelopes.board(game, seat.number)
    begun = game.ply != number(row, "ply")
    if begun or not time_notices.turn_is_on(game, seat, row) or envelope is None or board is None:
        return None
    return kinds.TurnNotice(
        envelope=envelope,
        game=envelopes.facts(session, game),
        seat=seat.number,
        view=board,
        ply=game.ply,
        log=_recap(session, game, seat, row, after=number(row, "log"), cards=envelope.cards),
        deadline=game.deadline,
        started=number(row, "ply") == 0,
        bank=seat.bank_seconds,
        orders=envelopes.orders(session, game, seat),
    )


def _over(session: Session, row: Claimed, now: datetime) -> kinds.OverNotice | None:
    """Always true: what is over stays over."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="news")
    board, position = envelopes.board(game, seat.number), infos.position_of(game)
    if envelope is None or board is None or position is None or game.status != "over":
        return None
    return kinds.OverNotice(
        envelope=envelope,
        game=envelopes.facts(session, game),
        seat=seat.number,
        view=board,
        log=_recap(session, game, seat, row, after=_last_own_turn(session, game, seat), cards=True),
        result=score(position)._replace(winners=tuple((game.result or {})["winners"])),
        seed=game.seed,
        entropy=tuple(other.entropy for other in game.seats),
    )


def _cancelled(session: Session, row: Claimed, now: datetime) -> kinds.CancelledNotice | None:
    """Always true for whoever had a seat or an invitation when it was called off."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="news")
    creator = session.get(User, game.creator_id)
    if game.status != "cancelled" or envelope is None:
        return None
    by = creator.display_name if creator is not None else ""
    return kinds.CancelledNotice(envelope, envelopes.facts(session, game), by)


_CHAPTERS: Final[dict[str, Callable[[Session, Claimed, datetime], kinds.Notice | None]]] = {
    "mail.code": _code,
    "mail.invitation": _invitation,
    "mail.started": _started,
    "mail.turn": _turn,
    "mail.over": _over,
    "mail.cancelled": _cancelled,
    **addresses.CHAPTERS,
    **answers.CHAPTERS,
    **time_notices.CHAPTERS,
}
TOPICS: Final = frozenset(_CHAPTERS)
"""Every topic that is a mail."""


def _recap(
    session: Session, game: Game, seat: Seat, row: Claimed, *, after: int, cards: bool
) -> tuple[kinds.Entry, ...]:
    """What is to be told of the log, as far as it had come when the mail was promised (promises._recap)."""
    said, upto = number(row, "said"), number(row, "upto")
    return envelopes.recap(session, game, seat, after=after, said=said, upto=upto, cards=cards)


def _last_own_turn(session: Session, game: Game, seat: Seat) -> int:
    """How far the log had come before its player's last move, or (if that did not end the game) after it."""
    own = select(Move.ply).where(Move.game_id == game.id, Move.seat == seat.number, Move.by == "player")
    last = session.scalar(own.order_by(Move.ply.desc()).limit(1))
    if last is None or last != game.ply - 1:
        return seat.acted_seq
    return journal.seq_before(session, game, last)

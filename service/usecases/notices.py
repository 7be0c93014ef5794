"""What each mail has to say, looked up at the moment it is sent, as its reader may see it.

A mail is promised when something happens and sent later: the world may have moved on. Each chapter below says when its
mail is still true; if it is not, there is no notice and the row is dropped.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import View, score, view
from service.codes import sign_in_code
from service.db import reading, settings
from service.mail import kinds
from service.models import Challenge, Game, Move, Seat, User
from service.outbox import Claimed
from service.pictures.names import bot_name
from service.usecases import access, infos, journal, people
from service.usecases.results import LogLine

#: A mail repeats so many of the newest things said; all of them stand in the log.
MOST_TALK = 30


def build(*, row: Claimed, now: datetime) -> kinds.Notice | None:
    """The notice for a claimed ``mail.*`` row, its Message-ID and date in the envelope; None: drop the row."""
    with reading() as session:
        return _CHAPTERS[row.topic](session, row, now)


def _code(session: Session, row: Claimed, now: datetime) -> kinds.CodeNotice | None:
    """While the code holds, and if it leads anywhere: to an account, or to one that waits to be made."""
    challenge = session.get(Challenge, row.payload["challenge"])
    if challenge is None or challenge.used_at is not None or challenge.expires_at <= now:
        return None
    user = people.at_address(session, challenge.email_key)
    if user is None and challenge.display_name is None:
        return None
    return kinds.CodeNotice(
        envelope=kinds.Envelope(
            to=challenge.email,
            name=user.display_name if user is not None else challenge.display_name or "",
            zone=user.time_zone if user is not None else challenge.time_zone or "UTC",
            message_id=row.message_id or "",
            date=row.created_at,
        ),
        code=sign_in_code(settings().secret_key, challenge.nonce),
        expires_at=challenge.expires_at,
        known=user is not None and challenge.display_name is not None,
    )


def _invitation(session: Session, row: Claimed, now: datetime) -> kinds.InvitationNotice | None:
    """While the game waits and the seat is still kept for whoever was invited."""
    game, seat = _seat(session, row)
    if game.status != "waiting" or seat.kind != "invited":
        return None
    envelope = _envelope(session, row, seat)
    inviter = session.get(User, game.creator_id)
    if envelope is None or inviter is None:
        return None
    return kinds.InvitationNotice(envelope, _facts(session, game), seat.number, inviter.display_name)


def _started(session: Session, row: Claimed, now: datetime) -> kinds.StartedNotice | None:
    """While the game is on and the seat has not had a turn, whose mail would have told."""
    game, seat = _seat(session, row)
    envelope = _envelope(session, row, seat)
    board = _board(game, seat)
    if game.status != "playing" or not seat.person or seat.acted_seq or envelope is None or board is None:
        return None
    return kinds.StartedNotice(envelope, _facts(session, game), seat.number, board)


def _turn(session: Session, row: Claimed, now: datetime) -> kinds.TurnNotice | None:
    """While the very turn is on that it was promised for, and nothing of it is played.

    Whoever has begun the turn knows of it; and a mail sent again after a crash must not show another position.
    """
    game, seat = _seat(session, row)
    envelope = _envelope(session, row, seat)
    board = _board(game, seat)
    begun = game.ply != _number(row, "ply")
    if begun or not _turn_is_on(game, seat, row) or envelope is None or board is None:
        return None
    return kinds.TurnNotice(
        envelope=envelope,
        game=_facts(session, game),
        seat=seat.number,
        view=board,
        ply=game.ply,
        log=_recap(session, game, seat, row, after=_number(row, "log")),
        deadline=game.deadline,
        started=_number(row, "ply") == 0,
    )


def _reminder(session: Session, row: Claimed, now: datetime) -> kinds.ReminderNotice | None:
    """While that turn is on and its time not over."""
    game, seat = _seat(session, row)
    envelope = _envelope(session, row, seat)
    board = _board(game, seat)
    if not _turn_is_on(game, seat, row) or envelope is None or board is None:
        return None
    if game.deadline is None or game.turn_since is None or now >= game.deadline:
        return None
    facts = _facts(session, game)
    return kinds.ReminderNotice(envelope, facts, seat.number, board, game.ply, game.turn_since, game.deadline)


def _moved_for_you(session: Session, row: Claimed, now: datetime) -> kinds.MovedForYouNotice | None:
    """Always true: a move was made in somebody's place."""
    game, seat = _seat(session, row)
    envelope = _envelope(session, row, seat)
    board = _board(game, seat)
    if envelope is None or board is None:
        return None
    began = journal.first_of(session, game, "timed_out", since=_number(row, "ply"))
    lines = journal.lines(session, game.id, seat.number, after=(began or 1) - 1, talk=MOST_TALK)
    told = tuple(_entry(line) for line in lines if line.ply < _number(row, "until"))
    return kinds.MovedForYouNotice(envelope, _facts(session, game), seat.number, board, told)


def _over(session: Session, row: Claimed, now: datetime) -> kinds.OverNotice | None:
    """Always true: what is over stays over."""
    game, seat = _seat(session, row)
    envelope = _envelope(session, row, seat)
    position = infos.position_of(game)
    if envelope is None or position is None or game.status != "over":
        return None
    return kinds.OverNotice(
        envelope=envelope,
        game=_facts(session, game),
        seat=seat.number,
        view=view(position, seat.number),
        log=_recap(session, game, seat, row, after=_last_own_turn(session, game, seat)),
        result=score(position),
        seed=game.seed,
        entropy=tuple(other.entropy for other in game.seats),
    )


def _cancelled(session: Session, row: Claimed, now: datetime) -> kinds.CancelledNotice | None:
    """Always true for whoever had a seat or an invitation when it was called off."""
    game, seat = _seat(session, row)
    envelope = _envelope(session, row, seat)
    creator = session.get(User, game.creator_id)
    if game.status != "cancelled" or envelope is None:
        return None
    return kinds.CancelledNotice(envelope, _facts(session, game), creator.display_name if creator is not None else "")


_CHAPTERS: Final[dict[str, Callable[[Session, Claimed, datetime], kinds.Notice | None]]] = {
    "mail.code": _code,
    "mail.invitation": _invitation,
    "mail.started": _started,
    "mail.turn": _turn,
    "mail.reminder": _reminder,
    "mail.moved_for_you": _moved_for_you,
    "mail.over": _over,
    "mail.cancelled": _cancelled,
}
TOPICS: Final = frozenset(_CHAPTERS)
"""Every topic that is a mail."""


def _seat(session: Session, row: Claimed) -> tuple[Game, Seat]:
    game = access.find(session, str(row.payload["game"]))
    return game, game.seats[_number(row, "seat")]


def _number(row: Claimed, name: str) -> int:
    return int(row.payload[name] or 0)


def _turn_is_on(game: Game, seat: Seat, row: Claimed) -> bool:
    """The seat is to act, and it is still the turn that began at the row's ply."""
    same_turn = game.to_act == seat.number and game.turn_ply == _number(row, "ply")
    return game.status == "playing" and same_turn and seat.person


def _board(game: Game, seat: Seat) -> View | None:
    position = infos.position_of(game)
    return None if position is None else view(position, seat.number)


def _envelope(session: Session, row: Claimed, seat: Seat) -> kinds.Envelope | None:
    """To whoever has the seat or is invited to it; a stranger is written to without a name, in UTC."""
    user_id = seat.user_id or seat.invited_user_id
    if user_id is None and seat.invited_email_key is not None:
        known = people.at_address(session, seat.invited_email_key)
        user_id = None if known is None else known.id
    user = None if user_id is None else session.get(User, user_id)
    to = seat.invited_email
    if user is not None and to is None:
        to = people.address_of(session, user.id)
    if to is None:
        return None
    return kinds.Envelope(
        to=to,
        name=user.display_name if user is not None else "",
        zone=user.time_zone if user is not None else "UTC",
        message_id=row.message_id or "",
        date=row.created_at,
    )


def _facts(session: Session, game: Game) -> kinds.Game:
    names = people.names_of(session, [seat.user_id for seat in game.seats if seat.user_id is not None])
    return kinds.Game(
        id=game.id,
        names=tuple(_name(seat, names) for seat in game.seats),
        bots=tuple(seat.bot_level for seat in game.seats),
        resigned=tuple(seat.number for seat in game.seats if seat.resigned_at is not None),
        commitment=game.commitment,
        days_per_move=game.days_per_move,
    )


def _name(seat: Seat, names: dict[str, str]) -> str:
    if seat.kind == "bot":
        return bot_name(seat.number)
    return "" if seat.user_id is None else names.get(seat.user_id, "")


def _recap(session: Session, game: Game, seat: Seat, row: Claimed, *, after: int) -> tuple[kinds.Entry, ...]:
    """The log from ``after`` on and what was said since the last mail, as far as the log had come (promises._recap)."""
    said, upto = _number(row, "said"), _number(row, "upto")
    lines = journal.lines(session, game.id, seat.number, after=min(after, said), upto=upto, talk=MOST_TALK)
    return tuple(_entry(line) for line in lines if line.seq > after or line.kind == "say")


def _entry(line: LogLine) -> kinds.Entry:
    return kinds.Entry(line.kind, line.seat, line.data)


def _last_own_turn(session: Session, game: Game, seat: Seat) -> int:
    """How far the log had come before this seat's last move, or (if others ended the game) after it."""
    last = session.scalar(
        select(Move.ply).where(Move.game_id == game.id, Move.seat == seat.number).order_by(Move.ply.desc()).limit(1)
    )
    if last is None or last != game.ply - 1:
        return seat.acted_seq
    return journal.seq_before(session, game, last)

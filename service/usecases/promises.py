"""What a change of a game promises to do later, as outbox rows: which mail, which bot, which clock, and when.

Everything promised for a turn is bound to (game, turn_ply), the ply at which the turn came to its seat, so each is
promised once and can be looked at again when its time comes.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from service import outbox
from service.mail.tokens import address_recipient, user_recipient
from service.models import Game, Move, Seat

#: When this part of the time is left, whoever has not moved is reminded.
REMIND_AT_LEFT = 4


def invitation(session: Session, game: Game, seat: Seat, *, now: datetime) -> None:
    """An invitation mail for this seat."""
    _mail(session, "invitation", f"invitation:{game.id}:{seat.number}", game, seat, now)


def started(session: Session, game: Game, *, now: datetime) -> None:
    """The news of the start, for all but the seat whose turn mail brings it."""
    for seat in game.seats:
        if seat.person and seat.number != game.to_act:
            _mail(session, "started", f"started:{game.id}:{seat.number}", game, seat, now)


def over(session: Session, game: Game, *, now: datetime) -> None:
    """The final mail, for everyone who sat down, also those who resigned."""
    for seat in game.seats:
        if seat.kind == "human":
            _mail(session, "over", f"over:{game.id}:{seat.number}", game, seat, now, _recap(game, seat))


def cancelled(session: Session, game: Game, *, now: datetime) -> None:
    """The news that it is off, for everyone but the creator, the invited too."""
    for seat in game.seats:
        if seat.kind == "invited" or (seat.kind == "human" and seat.user_id != game.creator_id):
            _mail(session, "cancelled", f"cancelled:{game.id}:{seat.number}", game, seat, now)


def turn_began(session: Session, game: Game, *, now: datetime) -> None:
    """The decision has passed to another seat: bind the turn to this ply and promise what goes with it."""
    seat = game.seats[_actor(game)]
    game.turn_ply, game.turn_since, game.deadline = game.ply, now, None
    if seat.bot:
        bot_turn(session, game, now=now)
        return
    _mail(
        session,
        "turn",
        f"turn:{game.id}:{game.ply}",
        game,
        seat,
        now,
        {"ply": game.ply, **_recap(game, seat)},
    )
    seat.told_seq = game.log_seq
    if game.days_per_move is not None:
        allowance = timedelta(days=game.days_per_move)
        game.deadline = now + allowance
        remind_at = game.deadline - allowance / REMIND_AT_LEFT
        _mail(
            session,
            "reminder",
            f"reminder:{game.id}:{game.ply}",
            game,
            seat,
            now,
            {"ply": game.ply},
            due_at=remind_at,
        )
        outbox.put(
            session,
            topic="clock.timeout",
            key=f"timeout:{game.id}:{game.ply}",
            payload={"game": game.id, "ply": game.ply},
            now=now,
            due_at=game.deadline,
        )


def bot_turn(session: Session, game: Game, *, now: datetime) -> None:
    """A bot is to play the turn that is on."""
    outbox.put(
        session,
        topic="bot.turn",
        key=f"bot:{game.id}:{game.turn_ply}",
        payload={"game": game.id, "ply": game.turn_ply},
        now=now,
    )


def turn_ended(session: Session, game: Game, seat: Seat, *, now: datetime) -> None:
    """The turn of ``seat`` is over: if the clock had a part in it, its player is to be told what was played."""
    if game.days_per_move is None or not seat.person:
        return
    by_clock = select(Move.ply).where(Move.game_id == game.id, Move.ply >= game.turn_ply, Move.by == "clock").limit(1)
    if session.scalar(by_clock) is not None:
        key = f"moved-for-you:{game.id}:{game.turn_ply}"
        _mail(session, "moved_for_you", key, game, seat, now, {"ply": game.turn_ply, "until": game.ply})


def _recap(game: Game, seat: Seat) -> dict[str, int]:
    """Which part of the log a mail tells: all from ``log`` to ``upto``, and what was said from ``said`` on.

    Fixed when the mail is promised, so that a mail sent again is the same mail, and nothing said goes untold.
    """
    return {"log": seat.acted_seq, "said": seat.told_seq, "upto": game.log_seq}


def _actor(game: Game) -> int:
    if game.to_act is None:
        raise AssertionError(f"game {game.id}: nobody is to act")
    return game.to_act


def _mail(
    session: Session,
    kind: str,
    key: str,
    game: Game,
    seat: Seat,
    now: datetime,
    facts: Mapping[str, int] | None = None,
    *,
    due_at: datetime | None = None,
) -> None:
    outbox.put(
        session,
        topic=f"mail.{kind}",
        key=key,
        payload={"game": game.id, "seat": seat.number, **(facts or {})},
        now=now,
        due_at=due_at,
        recipient=_recipient(seat),
    )


def _recipient(seat: Seat) -> str | None:
    """For whom a mail to this seat is. Whoever is invited by address is an address: that is where the mail goes."""
    if seat.invited_email_key is not None:
        return address_recipient(seat.invited_email_key)
    user_id = seat.user_id or seat.invited_user_id
    return None if user_id is None else user_recipient(user_id)

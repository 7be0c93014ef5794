"""What a change of a game promises to do later, as outbox rows: which mail, which bot, which clock, and when.

Everything promised for a turn is bound to (game, turn_ply), the ply at which the turn came to its seat, so each is
promised once and can be looked at again when its time comes.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from service import outbox
from service.mail.tokens import address_recipient, user_recipient
from service.models import Game, Move, OutboxRow, Seat, User

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
    _turn_mail(session, game, seat, now)
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


def turn_goes_on(session: Session, game: Game, *, now: datetime) -> None:
    """The seat to act has made one decision of its turn, and cannot see the next: a mail with it, digest or not."""
    seat = game.seats[_actor(game)]
    facts = {"ply": game.ply, "turn": game.turn_ply, **_recap(game, seat)}
    _mail(session, "turn", f"turn:{game.id}:{game.ply}", game, seat, now, facts, due_at=now)
    seat.told_seq = game.log_seq


def present_turns(session: Session, user_id: str, *, now: datetime) -> None:
    """Bring the mails of the turns that are on for somebody, as far as they did not go out: they were not wanted then.

    What was promised for other turns meanwhile stays untold. A mail that did go out is not sent again.
    """
    mine = (
        select(Game, Seat)
        .join(Seat, (Seat.game_id == Game.id) & (Seat.number == Game.to_act))
        .where(Seat.user_id == user_id, Seat.resigned_at.is_(None))
        .where(Game.status == "playing", Game.ply == Game.turn_ply)
        .order_by(Game.id)
    )
    outbox.hold(session, user_recipient(user_id))
    for game, seat in session.execute(mine):
        due, digested = _due(session, seat, now)
        if not outbox.reopen(session, key=_turn_key(game), due_at=due, digested=digested):
            _turn_mail(session, game, seat, now)


def digest_at(user: User, *, after: datetime) -> datetime:
    """The next time that the digest of this account is due: its hour by the clock on its wall.

    An hour that a change of clocks leaves out comes when the clocks have changed; one that comes twice, the first time.
    """
    zone = ZoneInfo(user.time_zone)
    day = after.astimezone(zone).date()
    while True:
        due = datetime.combine(day, time(user.digest_hour), zone).astimezone(UTC)
        if due > after:
            return due
        day += timedelta(days=1)


def digests_moved(session: Session, user: User, *, now: datetime) -> None:
    """The hour of an account has changed: what waits for its digest comes at the new one."""
    due = digest_at(user, after=now)
    for row in _waiting(session, user.id, now):
        row.due_at = row.next_at = due


def digest_ended(session: Session, user_id: str, game_id: str, *, now: datetime) -> None:
    """A game's mails wait for the digest no longer: those that do are due now."""
    for row in _waiting(session, user_id, now):
        if row.payload.get("game") == game_id:
            row.due_at, row.next_at, row.digested = now, now, False
            outbox.wake(session)


def _waiting(session: Session, user_id: str, now: datetime) -> list[OutboxRow]:
    recipient = user_recipient(user_id)
    outbox.hold(session, recipient)
    waiting = select(OutboxRow).where(
        OutboxRow.recipient == recipient,
        OutboxRow.state == "pending",
        OutboxRow.digested.is_(True),
        OutboxRow.due_at > now,
    )
    return list(session.scalars(waiting.order_by(OutboxRow.id).with_for_update()))


def tell_more(session: Session, game: Game) -> None:
    """Something was said: mails about the turn that is on, or the end, which nobody has begun to send tell it too.

    Whoever writes a move and a word in one go has them told together.
    """
    ends = [f"over:{game.id}:{seat.number}" for seat in game.seats]
    unsent = select(OutboxRow).where(
        OutboxRow.key.in_([_turn_key(game), *ends]),
        OutboxRow.state.in_(("pending", "queued")),
        OutboxRow.attempts == 0,
    )
    hold_all(session, game)
    for row in session.scalars(unsent.with_for_update()):
        row.payload = {**row.payload, "upto": game.log_seq}
        game.seats[int(row.payload["seat"] or 0)].told_seq = game.log_seq


def hold_all(session: Session, game: Game, *, also: str | None = None) -> None:
    """Hold what waits for all players of a held game (and for ``also``), in the order in which everybody does."""
    for one in sorted({one for one in (also, *map(_recipient, game.seats)) if one is not None}):
        outbox.hold(session, one)


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
    if game.clock == "none" or not seat.person:
        return
    by_clock = select(Move.ply).where(Move.game_id == game.id, Move.ply >= game.turn_ply, Move.by == "clock").limit(1)
    if session.scalar(by_clock) is not None:
        key = f"moved-for-you:{game.id}:{game.turn_ply}"
        _mail(session, "moved_for_you", key, game, seat, now, {"ply": game.turn_ply, "until": game.ply})


def _turn_key(game: Game) -> str:
    return f"turn:{game.id}:{game.turn_ply}"


def _turn_mail(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    _mail(session, "turn", _turn_key(game), game, seat, now, {"ply": game.ply, **_recap(game, seat)})


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
    digested = False
    if due_at is None:  # a reminder has its own time, and cannot wait for a digest
        due_at, digested = _due(session, seat, now)
    outbox.put(
        session,
        topic=f"mail.{kind}",
        key=key,
        payload={"game": game.id, "seat": seat.number, **(facts or {})},
        now=now,
        due_at=due_at,
        recipient=_recipient(seat),
        digested=digested,
    )


def _due(session: Session, seat: Seat, now: datetime) -> tuple[datetime, bool]:
    """When a mail to this seat goes out, and whether that is with a digest."""
    user = session.get(User, seat.user_id) if seat.digest and seat.user_id is not None else None
    return (now, False) if user is None else (digest_at(user, after=now), True)


def _recipient(seat: Seat) -> str | None:
    """For whom a mail to this seat is. Whoever is invited by address is an address: that is where the mail goes."""
    if seat.invited_email_key is not None:
        return address_recipient(seat.invited_email_key)
    user_id = seat.user_id or seat.invited_user_id
    return None if user_id is None else user_recipient(user_id)

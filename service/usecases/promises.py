"""What a change of a game promises to do later: which mail, which bot, and when, as outbox rows; and whose clock runs.

Everything promised for a turn is bound to (game, turn_ply), the ply at which the turn came to its seat, so each is
promised once and can be looked at again when its time comes.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from service import outbox
from service.mail.tokens import user_recipient
from service.models import Game, Move, OutboxRow, Seat, User
from service.usecases import posting, turn_clock

#: At a table that everybody has left, a bot waits so long before its turn: whoever comes back still finds a game.
LONELY_PAUSE: Final = timedelta(hours=1)


def invitation(session: Session, game: Game, seat: Seat, *, now: datetime) -> None:
    """An invitation mail for this seat."""
    posting.mail(session, "invitation", f"invitation:{game.id}:{seat.number}", game, seat, now)


def started(session: Session, game: Game, *, now: datetime) -> None:
    """The news of the start, for all but the seat whose turn mail brings it."""
    for seat in game.seats:
        if seat.person and seat.number != game.to_act:
            posting.mail(session, "started", f"started:{game.id}:{seat.number}", game, seat, now)


def over(session: Session, game: Game, *, now: datetime) -> None:
    """The final mail, for everyone who sat down, also those who resigned."""
    for seat in game.seats:
        if seat.kind == "human":
            posting.mail(session, "over", f"over:{game.id}:{seat.number}", game, seat, now, posting.recap(game, seat))


def cancelled(session: Session, game: Game, *, now: datetime) -> None:
    """The news that it is off, for everyone but the creator, the invited too."""
    for seat in game.seats:
        if seat.kind == "invited" or (seat.kind == "human" and seat.user_id != game.creator_id):
            posting.mail(session, "cancelled", f"cancelled:{game.id}:{seat.number}", game, seat, now)


def turn_began(session: Session, game: Game, *, now: datetime) -> None:
    """The decision has passed to another seat: bind the turn to this ply and promise what goes with it."""
    seat = game.seats[_actor(game)]
    game.turn_ply, game.turn_since = game.ply, now
    turn_clock.clear(game)
    if seat.bot:
        bot_turn(session, game, now=now)
        return
    turn_clock.start(session, game, seat, now=now)
    # Whoever takes back a turn in which the bot had done nothing had its mail; what was said since is still to be told.
    if _turn_mail(session, game, seat, now):
        seat.told_seq = game.log_seq


def turn_goes_on(session: Session, game: Game, *, now: datetime) -> None:
    """The seat to act has made one decision of its turn, and cannot see the next: a mail with it, digest or not."""
    seat = game.seats[_actor(game)]
    facts = {"ply": game.ply, "turn": game.turn_ply, **posting.recap(game, seat)}
    posting.mail(session, "turn", f"turn:{game.id}:{game.ply}", game, seat, now, facts, due_at=now)
    seat.told_seq = game.log_seq


def present_turns(session: Session, user_id: str, *, now: datetime) -> None:
    """Bring the mails of the turns that are on for somebody, as far as they did not go out: they were not wanted then.

    What was promised for other turns meanwhile stays untold. A mail that did go out is not sent again.
    """
    mine = (
        select(Game, Seat)
        .join(Seat, (Seat.game_id == Game.id) & (Seat.number == Game.to_act))
        .where(Seat.user_id == user_id, Seat.resigned_at.is_(None), Seat.held_at.is_(None))
        .where(Game.status == "playing", Game.ply == Game.turn_ply)
        .order_by(Game.id)
    )
    outbox.hold(session, user_recipient(user_id))
    for game, seat in session.execute(mine):
        due, digested = posting.due(session, seat, now)
        if not outbox.reopen(session, key=_turn_key(game), due_at=due, digested=digested):
            _turn_mail(session, game, seat, now)


def digests_moved(session: Session, user: User, *, now: datetime) -> None:
    """The hour of an account has changed: what waits for its digest comes at the new one."""
    due = posting.digest_at(user, after=now)
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
    for one in sorted({one for one in (also, *map(posting.recipient, game.seats)) if one is not None}):
        outbox.hold(session, one)


def bot_turn(session: Session, game: Game, *, now: datetime) -> None:
    """A bot is to play the turn that is on: its own, or that of somebody who has just resigned or is lost."""
    outbox.put(
        session,
        topic="bot.turn",
        key=_bot_key(game),
        payload={"game": game.id, "ply": game.turn_ply},
        now=now,
        due_at=now + LONELY_PAUSE if _is_lonely(game) else now,
    )


def somebody_is_back(session: Session, game: Game, *, now: datetime) -> None:
    """A bot that took its time, as nobody was at the table, waits no longer."""
    if game.seats[_actor(game)].bot:
        outbox.hasten(session, key=_bot_key(game), due_at=now)


def turn_ended(session: Session, game: Game, seat: Seat, *, now: datetime) -> None:
    """The turn of ``seat`` is over: its clock stops, and if a bot had a part in it, its player is told what it did."""
    if not seat.person:
        return
    stood_in = game.clock_step == "standing_in"
    turn_clock.stop(session, game, seat, now=now)
    if not stood_in:
        return
    by_clock = select(Move.ply).where(Move.game_id == game.id, Move.ply >= game.turn_ply, Move.by == "clock").limit(1)
    if session.scalar(by_clock) is not None:
        key = f"moved-for-you:{game.id}:{game.turn_ply}"
        posting.mail(session, "moved_for_you", key, game, seat, now, {"ply": game.turn_ply, "until": game.ply})


def _is_lonely(game: Game) -> bool:
    """Bots are alone at the table, and somebody may come back to it."""
    held = any(seat.held_at is not None for seat in game.seats)
    return held and not any(seat.person for seat in game.seats)


def _bot_key(game: Game) -> str:
    """Once a turn, and once more for each time that a turn that is on is handed to a bot."""
    seat = game.seats[_actor(game)]
    handed_over = seat.resigned_at or seat.held_at
    suffix = "" if handed_over is None else f":{int(handed_over.timestamp())}"
    return f"bot:{game.id}:{game.turn_ply}{suffix}"


def _turn_key(game: Game) -> str:
    return f"turn:{game.id}:{game.turn_ply}"


def _turn_mail(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    facts = {"ply": game.ply, **posting.recap(game, seat)}
    return posting.mail(session, "turn", _turn_key(game), game, seat, now, facts)


def _actor(game: Game) -> int:
    if game.to_act is None:
        raise AssertionError(f"game {game.id}: nobody is to act")
    return game.to_act

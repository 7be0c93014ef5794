"""The ladder of a turn, walked by the scheduler alone: reminder, last call, time out, a bot's move, a seat held.

Which step comes when is ``timekeeping.ladder``'s business. Here each is taken once: the game is locked, everything is
reckoned anew from the facts, and a step and what it asks for are one transaction. However many schedulers look, and
whatever moves, absences or votes come in between, there is one outcome.
"""

from datetime import datetime, timedelta
from typing import Final, assert_never

import structlog
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from service import outbox
from service.db import after_commit, reading, transaction
from service.errors import ALREADY_RESIGNED, GAME_NOT_PLAYING, NOT_HELD, UNAVAILABLE, Refusal
from service.i18n import gettext as _
from service.metrics import CLOCK_FAILURES, StepTaken
from service.models import Game, Seat
from service.timekeeping import ladder
from service.usecases import access, journal, posting, promises, standing, turn_clock, words
from service.usecases.results import GAMES_PLAY, Caller
from service.usecases.stand_in import STAND_IN, Outcome, play_turn

BATCH: Final = 100
#: With so many turns in a row that ran out, a bot does not move once more but holds the seat.
TIMEOUTS_TO_HOLD: Final = 2
#: A game whose clock cannot be read is looked at again after this; meanwhile it stands in nobody's way.
PUT_OFF: Final = timedelta(minutes=10)

_log = structlog.get_logger(__name__)


def sweep(*, now: datetime, limit: int = BATCH) -> int:
    """Take the steps that are due, in up to ``limit`` games, those first that have been due longest; how many games.

    Each game is a transaction of its own. A game that another scheduler is at is left to it.
    """
    with reading() as session:
        found = session.scalars(due(now, limit)).all()
    for game_id in found:
        try:
            _walk(game_id, now)
        except Exception as error:
            if isinstance(error, Refusal) and error.code == UNAVAILABLE:
                raise
            CLOCK_FAILURES.inc()
            _log.error("clock_failed", game=game_id, error=type(error).__name__)
            _put_off(game_id, now)
    return len(found)


def due(now: datetime, limit: int) -> Select[str]:
    """The games in which a step is due. The index of ``clock_at`` answers it, however many games are stored."""
    return select(Game.id).where(Game.clock_at <= now).order_by(Game.clock_at).limit(limit)


def stand_in(*, game_id: str, ply: int, now: datetime) -> Outcome:
    """Have a steady bot play the turn that came to a person at ``ply`` (a ``clock.stand_in`` row): their grace is over.

    The person keeps the seat and is told what was played (the mail ``moved_for_you``).
    """
    return play_turn(game_id=game_id, ply=ply, by="clock", wanted=_level, now=now)


def resume(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Take one's seat back from the bot that holds it, at any moment; a turn that is on begins anew."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        seat = access.own_seat(game, who)
        if game.status != "playing":
            raise Refusal(GAME_NOT_PLAYING, _("The game is not being played."), status=game.status)
        if seat.resigned_at is not None:
            raise Refusal(ALREADY_RESIGNED, _("You resigned: the bot has your seat for good."))
        if seat.held_at is None:
            raise Refusal(NOT_HELD, _("Nobody has taken your seat: it is yours to play."))
        if game.to_act != seat.number:
            promises.somebody_is_back(session, game, now=now)
        seat.held_at, seat.bot_level, seat.timeouts = None, None, 0
        journal.write(session, game, "resumed", seat=seat.number, now=now)
        if game.to_act == seat.number:
            promises.turn_began(session, game, now=now)


def _walk(game_id: str, now: datetime) -> None:
    with transaction() as session:
        game = session.scalar(
            select(Game)
            .where(Game.id == game_id, Game.clock_at <= now)
            .with_for_update(skip_locked=True)
            .execution_options(populate_existing=True)
        )
        if game is None or game.clock_step is None or game.to_act is None:
            return
        turn, step = ladder.take(turn_clock.turn_of(session, game), now)
        if step is None:
            turn_clock.reckon(session, game)  # an absence, or more time, that nobody had reckoned with
            return
        turn_clock.advance(session, game, turn)
        _do(session, game, game.seats[game.to_act], step, now)
        after_commit(session, StepTaken(step))


def _do(session: Session, game: Game, seat: Seat, step: ladder.Step, now: datetime) -> None:
    match step:
        case "reminded":
            _warn(session, "reminder", game, seat, now)
        case "called":
            _warn(session, "last_call", game, seat, now)
        case "timed_out":
            seat.timeouts += 1
            journal.write(session, game, "timed_out", seat=seat.number, now=now)
        case "standing_in":
            turn_clock.withdraw_warnings(session, game, now=now)
            if seat.timeouts >= TIMEOUTS_TO_HOLD:
                _hold(session, game, seat, now)
            else:
                key = turn_clock.warning_key(game, "stand-in")
                outbox.put(
                    session,
                    topic="clock.stand_in",
                    key=key,
                    payload={"game": game.id, "ply": game.turn_ply},
                    now=now,
                )
        case "began":
            raise AssertionError("a turn begins by itself")
        case _:
            assert_never(step)


def _warn(session: Session, kind: str, game: Game, seat: Seat, now: datetime) -> None:
    """A mail with a time of its own: it waits for no digest."""
    facts = {"ply": game.turn_ply, "extra": game.extra_seconds}
    key, reader = turn_clock.warning_key(game, kind), posting.recipient(seat)
    if reader is not None:
        outbox.hold(session, reader)  # before any mail of theirs: whoever sends takes them in this order too
    if kind == "last_call":
        turn_clock.withdraw_warnings(session, game, now=now)
    # A last call that was withdrawn, as its deadline had moved, is made after all.
    if not outbox.reopen(session, key=key, due_at=now):
        posting.mail(session, kind, key, game, seat, now, facts, due_at=now)


def _hold(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """A bot has the seat until its person says otherwise; this turn is its first."""
    turn_clock.stop(session, game, seat, now=now)
    seat.held_at, seat.bot_level = now, STAND_IN
    journal.write(session, game, "held", seat=seat.number, now=now)
    standing.drop_plan(session, game, seat, why=standing.HELD, now=now)
    key = turn_clock.warning_key(game, "held")
    facts = {"ply": game.turn_ply, **posting.recap(game, seat)}
    posting.mail(session, "held", key, game, seat, now, facts, due_at=now)
    promises.bot_turn(session, game, now=now)


def _level(game: Game, seat: Seat) -> str | None:
    return STAND_IN if seat.person and game.clock_step == "standing_in" else None


def _put_off(game_id: str, now: datetime) -> None:
    with transaction() as session:
        game = session.scalar(select(Game).where(Game.id == game_id, Game.clock_at <= now).with_for_update())
        if game is not None:
            game.clock_at = now + PUT_OFF

"""What the mails say that are about time: reminder, last call, a bot's turn, a held seat, more time, a vote.

Each is looked at again when it is sent, as all mails are (``notices``); the clock may have been moved meanwhile by an
absence or by more time, and whoever has time again is not pressed.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final, Literal, get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.mail import kinds
from service.mail.words import names_of
from service.models import Game, Seat, User, Vote
from service.outbox import Claimed
from service.timekeeping import ladder
from service.usecases import clocks, envelopes, journal, turn_clock
from service.usecases.envelopes import number, seat_of

_VoteKind = Literal["extend", "end"]


def turn_is_on(game: Game, seat: Seat, row: Claimed) -> bool:
    """The seat is to act, and it is still the turn that began at the row's ply (or, in its midst, at ``turn``)."""
    began = number(row, "turn" if "turn" in row.payload else "ply")
    same_turn = game.to_act == seat.number and game.turn_ply == began
    return game.status == "playing" and same_turn and seat.person


def _reminder(session: Session, row: Claimed, now: datetime) -> kinds.ReminderNotice | None:
    """While that turn is on and so much of its time is gone; the last call, once it was made, takes its place."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="reminder")
    board = envelopes.board(game, seat.number)
    if not turn_is_on(game, seat, row) or game.clock_step != "reminded" or envelope is None or board is None:
        return None
    turn = turn_clock.turn_of(session, game)
    if not _is_due(turn, "began", now) or now >= ladder.deadline(turn):
        return None
    facts = envelopes.facts(session, game)
    return kinds.ReminderNotice(envelope, facts, seat.number, board, game.ply, turn.began, game.deadline)


def _last_call(session: Session, row: Claimed, now: datetime) -> kinds.ReminderNotice | None:
    """While that turn is on, so much of its time is gone, and an answer still counts."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="reminder")
    board = envelopes.board(game, seat.number)
    called = game.clock_step in ("called", "timed_out")
    if not turn_is_on(game, seat, row) or not called or envelope is None or board is None:
        return None
    turn = turn_clock.turn_of(session, game)
    grace_until = ladder.grace_until(turn)
    if not _is_due(turn, "reminded", now) or now >= grace_until:
        return None
    run_out = seat.timeouts + (game.clock_step == "called")
    return kinds.ReminderNotice(
        envelope=envelope,
        game=envelopes.facts(session, game),
        seat=seat.number,
        view=board,
        ply=game.ply,
        since=turn.began,
        deadline=ladder.deadline(turn),
        last=True,
        grace_until=grace_until,
        holds=run_out >= clocks.TIMEOUTS_TO_HOLD,
    )


def _moved_for_you(session: Session, row: Claimed, now: datetime) -> kinds.MovedForYouNotice | None:
    """A turn was played in somebody's place. Whoever lost the seat since is told that by a mail of its own."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="news")
    board = envelopes.board(game, seat.number)
    if envelope is None or board is None or not seat.person:
        return None
    began = journal.first_of(session, game, "timed_out", since=number(row, "ply"))
    lines = envelopes.entries(session, game, seat, after=(began or 1) - 1, cards=envelope.cards)
    told = tuple(envelopes.entry(line) for line in lines if line.ply < number(row, "until"))
    chances = clocks.TIMEOUTS_TO_HOLD - seat.timeouts if seat.timeouts else None
    return kinds.MovedForYouNotice(envelope, envelopes.facts(session, game), seat.number, board, told, chances)


def _held(session: Session, row: Claimed, now: datetime) -> kinds.HeldNotice | None:
    """While a bot holds the seat."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="reminder")
    board = envelopes.board(game, seat.number)
    if game.status != "playing" or seat.held_at is None or envelope is None or board is None:
        return None
    said, upto = number(row, "said"), number(row, "upto")
    log = envelopes.recap(session, game, seat, after=number(row, "log"), said=said, upto=upto, cards=envelope.cards)
    return kinds.HeldNotice(envelope, envelopes.facts(session, game), seat.number, board, log)


def _extended(session: Session, row: Claimed, now: datetime) -> kinds.ExtendedNotice | None:
    """While that turn is on and its time not over."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="reminder")
    board = envelopes.board(game, seat.number)
    if not turn_is_on(game, seat, row) or game.deadline is None or envelope is None or board is None:
        return None
    since = journal.seq_before(session, game, game.turn_ply)
    given = [line for line in journal.lines(session, game.id, None, after=since) if line.kind == "extended"]
    if now >= game.deadline or not given:
        return None
    facts = envelopes.facts(session, game)
    by = tuple(names_of(facts)[voter] for voter in given[-1].data["by"])
    return kinds.ExtendedNotice(envelope, facts, seat.number, board, game.ply, game.deadline, by)


def _vote(session: Session, row: Claimed, now: datetime) -> kinds.VoteNotice | None:
    """While that turn is on, the vote stands, and the reader has not voted and may."""
    game, seat = seat_of(session, row)
    kind = _vote_kind(row)
    envelope = envelopes.envelope(session, row, game, seat, kind="news")
    if game.status != "playing" or game.turn_ply != number(row, "ply") or game.to_act is None or envelope is None:
        return None
    may = {other.number for other in game.seats if other.person and other.number != game.to_act}
    cast = may & set(
        session.scalars(
            select(Vote.seat).where(Vote.game_id == game.id, Vote.kind == kind, Vote.turn_ply == game.turn_ply)
        )
    )
    needed = len(may) // 2 + 1 - len(cast)
    if game.turn_since is None or not cast or needed < 1 or seat.number not in may - cast:
        return None
    facts = envelopes.facts(session, game)
    names, about = names_of(facts), game.seats[game.to_act]
    player = session.get(User, about.user_id) if about.user_id is not None else None
    return kinds.VoteNotice(
        envelope=envelope,
        game=facts,
        seat=seat.number,
        vote=kind,
        by=tuple(names[voter] for voter in sorted(cast)),
        about=names[about.number],
        needed=needed,
        since=game.turn_since,
        deadline=game.deadline,
        about_zone=envelope.zone if player is None else player.time_zone,
    )


CHAPTERS: Final[dict[str, Callable[[Session, Claimed, datetime], kinds.Notice | None]]] = {
    "mail.reminder": _reminder,
    "mail.last_call": _last_call,
    "mail.moved_for_you": _moved_for_you,
    "mail.held": _held,
    "mail.extended": _extended,
    "mail.vote": _vote,
}
"""Mails about time, for ``notices``."""


def _is_due(turn: ladder.Turn, before: ladder.Step, now: datetime) -> bool:
    """Whether the step that follows ``before`` would be due now: more time than there was may have been given."""
    coming = ladder.next_step(replace(turn, step=before))
    return coming is not None and coming[1] <= now


def _vote_kind(row: Claimed) -> _VoteKind:
    kind: _VoteKind
    for kind in get_args(_VoteKind):
        if row.payload["vote"] == kind:
            return kind
    raise ValueError(f"outbox row {row.id}: there is no such vote")

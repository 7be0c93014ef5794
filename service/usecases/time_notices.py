"""What the mails say that are about time: reminder, last call, a bot's turn, a held seat, more time, a vote.

Each is looked at again when it is sent, as all mails are (``notices``); the clock may have been moved meanwhile by an
absence or by more time, and whoever has time again is not pressed.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session

from service.i18n import speaking
from service.mail import kinds
from service.mail.words import names_of
from service.models import Game, Seat, User
from service.outbox import Claimed
from service.timekeeping import ladder
from service.usecases import clocks, envelopes, journal, turn_clock, votes
from service.usecases.envelopes import number, seat_of


def turn_is_on(game: Game, seat: Seat, row: Claimed) -> bool:
    """The seat is to act, and it is still the turn that began at the row's ply (or, in its midst, at ``turn``)."""
    began = number(row, "turn" if "turn" in row.payload else "ply")
    same_turn = game.to_act == seat.number and game.turn_ply == began
    return game.status == "playing" and same_turn and seat.person


def _reminder(session: Session, row: Claimed, now: datetime) -> kinds.ReminderNotice | None:
    """While that turn is on, its time runs, and so much of it is gone; the last call, once made, takes its place."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="reminder")
    board = envelopes.board(game, seat.number)
    if not turn_is_on(game, seat, row) or game.clock_step != "reminded" or envelope is None or board is None:
        return None
    turn = turn_clock.turn_of(session, game)
    away = any(start <= now < end for start, end in turn.absences)
    if away or not _is_due(turn, "began", now):
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
        late=game.clock_step == "timed_out",
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
    """While that turn is on and an answer still counts. What comes in the grace makes the grace longer."""
    game, seat = seat_of(session, row)
    envelope = envelopes.envelope(session, row, game, seat, kind="reminder")
    board = envelopes.board(game, seat.number)
    running = game.clock_step not in (None, "standing_in")
    if not turn_is_on(game, seat, row) or not running or envelope is None or board is None:
        return None
    turn = turn_clock.turn_of(session, game)
    until = ladder.answer_until(turn)
    since = journal.seq_before(session, game, game.turn_ply)
    given = [line for line in journal.lines(session, game.id, None, after=since) if line.kind == "extended"]
    if now >= until or not given:
        return None
    facts = envelopes.facts(session, game)
    with speaking(envelope.language):
        by = tuple(names_of(facts)[voter] for voter in given[-1].data["by"])
    return kinds.ExtendedNotice(envelope, facts, seat.number, board, game.ply, until, by)


def _vote(session: Session, row: Claimed, now: datetime) -> kinds.VoteNotice | None:
    """While the vote stands, and the reader may vote and has not; one for more time, while that turn is on."""
    game, seat = seat_of(session, row)
    kind = _vote_kind(row)
    envelope = envelopes.envelope(session, row, game, seat, kind="news")
    tally = votes.tally(session, game, kind, now=now)
    if envelope is None or tally is None or (kind == "extend" and game.turn_ply != number(row, "ply")):
        return None
    if not tally.voted or seat.number not in tally.voters or seat.number in tally.voted:
        return None
    facts = envelopes.facts(session, game)
    with speaking(envelope.language):
        names = names_of(facts)
    about = _lost(game) if kind == "end" else None
    held = about is not None
    about = about or game.seats[game.to_act or 0]
    since = about.held_at if held else game.turn_since
    player = session.get(User, about.user_id) if about.user_id is not None else None
    if player is None or since is None:
        return None
    return kinds.VoteNotice(
        envelope=envelope,
        game=facts,
        seat=seat.number,
        vote=kind,
        by=tuple(names[voter] for voter in tally.voted),
        about=names[about.number],
        needed=max(1, tally.needed - len(tally.voted)),
        since=since,
        deadline=None if held else game.deadline,
        about_zone=player.time_zone,
        held=held,
        more=votes.more_time(game),
    )


def _lost(game: Game) -> Seat | None:
    """The seat that a bot holds, of several the one that it has held longest."""
    held = [(seat.held_at, seat.number) for seat in game.seats if seat.held_at is not None]
    return game.seats[min(held)[1]] if held else None


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


def _vote_kind(row: Claimed) -> votes.VoteKind:
    for kind in votes.VOTE_KINDS:
        if row.payload["vote"] == kind:
            return kind
    raise ValueError(f"outbox row {row.id}: there is no such vote")

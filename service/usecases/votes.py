"""Votes of those who wait: more time for whoever is to act, or the end of a game that somebody has left.

More than half of those who may vote decide; where one alone may, that one does. A vote for more time holds for the turn
that is on. A vote for the end holds while there is a reason to end: that turn, or as long as a seat is held.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, get_args

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from service.db import insert, reading, transaction
from service.errors import GAME_NOT_PLAYING, NO_VOTE, SEAT_HELD, STALE_PLY, Refusal, invalid
from service.i18n import gettext as _
from service.models import Game, LogEntry, Seat, Vote
from service.timekeeping import hours, ladder
from service.usecases import access, endings, journal, posting, turn_clock, words
from service.usecases.results import GAMES_PLAY, GAMES_READ, Caller

VoteKind = Literal["extend", "end"]
VOTE_KINDS: Final[tuple[VoteKind, ...]] = get_args(VoteKind)
#: So often one turn can be given more time.
MOST_EXTENSIONS: Final = 3
#: The least that a vote adds to a turn that is played from a bank.
LEAST_FROM_BANK: Final = timedelta(hours=24)
#: In a game without a clock, whoever makes the others wait for so long (and is not away) may be left.
LONG_WAIT: Final = timedelta(days=7)
_ALWAYS: Final = hours.Hours("UTC", None, frozenset())


@dataclass(frozen=True)
class Tally:
    """How a vote stands: the seats ``voted`` for it, of the ``voters``; ``needed`` of them decide."""

    voted: tuple[int, ...]
    voters: tuple[int, ...]
    needed: int

    @property
    def carried(self) -> bool:
        """Whether so many are for it that it is decided."""
        return len(self.voted) >= self.needed


@dataclass(frozen=True)
class Votes:
    """What can be voted on in a game now; None: that cannot be.

    ``seat`` is to act in the turn that began at ``turn_ply``: more time would be theirs.
    """

    game: str
    status: str
    turn_ply: int
    seat: int | None
    extend: Tally | None
    end: Tally | None


def votes(*, caller: Caller, game_id: str, now: datetime) -> Votes:
    """What can be voted on, and how it stands: for those who sit in the game."""
    words.require(caller, GAMES_READ)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        access.own_seat(game, who)
        return _votes(session, game, now)


def cast(*, caller: Caller, game_id: str, kind: VoteKind, turn_ply: int | None = None, now: datetime) -> Votes:
    """Vote for it; the vote that decides has its effect at once. A second vote of the same seat counts no more.

    ``turn_ply``: the turn that the voter has in mind; refused as stale if another is on.
    """
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game, seat = _voter(session, caller, game_id, kind)
        if turn_ply not in (None, game.turn_ply):
            raise Refusal(STALE_PLY, _("That turn is over: look at the game again."), ply=game.ply, to_act=game.to_act)
        tally = _open_tally(session, game, seat, kind, now)
        if seat.number not in tally.voted:
            _keep(session, game, seat, kind, now)
            journal.write(session, game, "voted", seat=seat.number, data={"vote": kind}, now=now)
            tally = _open_tally(session, game, seat, kind, now)
            if not tally.carried:
                _tell_others(session, game, kind, tally, now)
        # Also by a vote said again: those who may vote may have become fewer since it was cast.
        if tally.carried:
            _carry_out(session, game, kind, tally, now)
        return _votes(session, game, now)


def take_back(*, caller: Caller, game_id: str, kind: VoteKind, now: datetime) -> Votes:
    """Take one's vote back, if it has not decided yet; harmless if there is none."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game, seat = _voter(session, caller, game_id, kind)
        session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.seat == seat.number, Vote.kind == kind))
        return _votes(session, game, now)


def recount(session: Session, game: Game, *, now: datetime) -> None:
    """One who may vote has left: what the others are for already may be more than half by that."""
    for kind in VOTE_KINDS:
        found = tally(session, game, kind, now=now)
        if found is not None and found.carried:
            _carry_out(session, game, kind, found, now)


def tally(session: Session, game: Game, kind: VoteKind, *, now: datetime) -> Tally | None:
    """How a vote stands; None if it cannot be held now."""
    if game.status != "playing" or game.to_act is None:
        return None
    return _extend_tally(session, game) if kind == "extend" else _end_tally(session, game, now)


def more_time(game: Game) -> timedelta:
    """What a vote for more time adds to a turn, in clock time."""
    if game.clock == "days":
        return timedelta(days=game.days_per_move or 0)
    return max(timedelta(hours=game.increment_hours or 0), LEAST_FROM_BANK)


def _votes(session: Session, game: Game, now: datetime) -> Votes:
    return Votes(
        game=game.id,
        status=game.status,
        turn_ply=game.turn_ply,
        seat=game.to_act,
        extend=tally(session, game, "extend", now=now),
        end=tally(session, game, "end", now=now),
    )


def _extend_tally(session: Session, game: Game) -> Tally | None:
    actor = game.seats[game.to_act or 0]
    if not actor.person or game.clock == "none" or game.clock_step in (None, "standing_in"):
        return None
    if _extensions(session, game) >= MOST_EXTENSIONS:
        return None
    cast = select(Vote.seat).where(Vote.game_id == game.id, Vote.kind == "extend", Vote.turn_ply == game.turn_ply)
    return _tally([seat for seat in game.seats if seat.person and seat is not actor], session.scalars(cast).all())


def _end_tally(session: Session, game: Game, now: datetime) -> Tally | None:
    actor = game.seats[game.to_act or 0]
    held = [seat.held_at for seat in game.seats if seat.held_at is not None]
    lost = actor.person and _is_lost(session, game, now)
    if not held and not lost:
        return None
    cast = select(Vote.seat).where(Vote.game_id == game.id, Vote.kind == "end")
    this_turn = Vote.turn_ply == game.turn_ply
    cast = cast.where(this_turn | (Vote.at >= min(held)) if held else this_turn)
    may = [seat for seat in game.seats if seat.person and not (lost and seat is actor)]
    return _tally(may, session.scalars(cast).all())


def _tally(may: Sequence[Seat], cast: Sequence[int]) -> Tally | None:
    voters = tuple(seat.number for seat in may)
    if not voters:
        return None
    return Tally(tuple(number for number in voters if number in cast), voters, len(voters) // 2 + 1)


def _is_lost(session: Session, game: Game, now: datetime) -> bool:
    """Whether the person to act has let their time run out or, where there is no clock, everybody wait for long."""
    if game.clock_step in ladder.TIME_OVER:
        return True
    if game.clock != "none" or game.clock_step is None:
        return False
    turn = turn_clock.turn_of(session, game)
    return hours.running(turn.began, now, _ALWAYS, turn.absences) >= LONG_WAIT


def _extensions(session: Session, game: Game) -> int:
    given = select(func.count()).where(
        LogEntry.game_id == game.id, LogEntry.kind == "extended", LogEntry.ply >= game.turn_ply
    )
    return session.scalar(given) or 0


def _voter(session: Session, caller: Caller, game_id: str, kind: str) -> tuple[Game, Seat]:
    if kind not in VOTE_KINDS:
        raise invalid("kind", _("One can vote to extend or to end."))
    game, who = access.locked_for(session, caller, game_id)
    seat = access.own_seat(game, who)
    if game.status != "playing":
        raise Refusal(
            GAME_NOT_PLAYING, _("The game is not being played: there is nothing to vote on."), status=game.status
        )
    if seat.held_at is not None:
        raise Refusal(SEAT_HELD, _("A bot holds your seat; take it back first, with resume."))
    return game, seat


def _open_tally(session: Session, game: Game, seat: Seat, kind: VoteKind, now: datetime) -> Tally:
    found = tally(session, game, kind, now=now)
    if found is None or seat.number not in found.voters:
        raise Refusal(NO_VOTE, _why_not(session, game, seat, kind, found))
    return found


def _why_not(session: Session, game: Game, seat: Seat, kind: VoteKind, found: Tally | None) -> str:
    if not seat.person:
        return _("You resigned, so the others vote without you.")
    if kind == "extend":
        if game.to_act == seat.number:
            return _("It is you who is to act: only the others can give you more time.")
        if game.clock == "none":
            return _("This game has no clock: nobody needs more time.")
        if _extensions(session, game) >= MOST_EXTENSIONS:
            return _("This turn was given more time {number} times already.").format(number=MOST_EXTENSIONS)
        return _("A bot makes this move: it needs no more time.")
    if found is not None:
        return _("It is you for whom the others wait: they decide, and a move of yours ends it all.")
    return _(
        "A game can be ended early once somebody's time has run out, a bot holds somebody's seat, or (without a clock) "
        "all have waited {days} days."
    ).format(days=LONG_WAIT.days)


def _keep(session: Session, game: Game, seat: Seat, kind: VoteKind, now: datetime) -> None:
    values = {"turn_ply": game.turn_ply, "at": now}
    session.execute(
        insert(session, Vote)
        .values(game_id=game.id, seat=seat.number, kind=kind, **values)
        .on_conflict_do_update(index_elements=[Vote.game_id, Vote.seat, Vote.kind], set_=values)
    )


def _tell_others(session: Session, game: Game, kind: VoteKind, tally: Tally, now: datetime) -> None:
    again = _extensions(session, game) if kind == "extend" else 0
    for number in tally.voters:
        if number not in tally.voted:
            # Once more time was given, a vote for still more is another one.
            key = f"vote:{kind}:{game.id}:{game.turn_ply}:{again}:{number}"
            facts: dict[str, int | str] = {"ply": game.turn_ply, "vote": kind}
            posting.mail(session, "vote", key, game, game.seats[number], now, facts)


def _carry_out(session: Session, game: Game, kind: VoteKind, tally: Tally, now: datetime) -> None:
    if kind == "extend":
        _extend(session, game, tally, now)
    else:
        journal.write(session, game, "ended", data={"by": list(tally.voted)}, now=now)
        endings.finish_early(session, game, now=now)


def _extend(session: Session, game: Game, tally: Tally, now: datetime) -> None:
    session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.kind == "extend"))
    seat, number = game.seats[game.to_act or 0], _extensions(session, game) + 1
    turn_clock.give(session, game, more_time(game))
    turn_clock.put_off(session, game, now=now)
    until = ladder.answer_until(turn_clock.turn_of(session, game)).astimezone(UTC)
    data = {"deadline": until.isoformat(), "by": list(tally.voted)}
    journal.write(session, game, "extended", seat=seat.number, data=data, now=now)
    key = turn_clock.warning_key(game, f"extended-{number}")
    posting.mail(session, "extended", key, game, seat, now, {"ply": game.turn_ply}, due_at=now)

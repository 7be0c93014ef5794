"""Games before they start and when they are left: create, browse, join, leave, decline, cancel, resign, rematch.

A game starts by itself, in the very transaction that fills its last seat.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session, defer

from engine import PHASES, RULES_VERSION, commitment, deal, position_to_json, start, to_act
from engine.board import MAX_PLAYERS, MIN_PLAYERS
from service.codes import same
from service.db import UtcDateTime, lock_name, reading, transaction
from service.errors import (
    ALREADY_JOINED,
    ALREADY_RESIGNED,
    BAD_JOIN_CODE,
    FORBIDDEN,
    GAME_FULL,
    GAME_NOT_OVER,
    GAME_NOT_PLAYING,
    GAME_NOT_WAITING,
    NOT_FOUND,
    SEAT_TAKEN,
    Refusal,
    invalid,
    not_found,
)
from service.i18n import gettext as _
from service.ids import id_for, new_id, new_seed
from service.models import Game, LogEntry, Seat
from service.usecases import (
    access,
    clock_choice,
    infos,
    journal,
    paging,
    promises,
    seating,
    standing,
    turn_clock,
    votes,
    words,
)
from service.usecases.access import Viewer
from service.usecases.results import GAMES_PLAY, GAMES_READ, STATUSES, Caller, ClockSpec, GameInfo, Page, SeatSpec
from service.usecases.stand_in import STAND_IN

NO_CLOCK = ClockSpec()


@dataclass(frozen=True)
class _Plan:
    """A game about to be made."""

    seats: list[Seat]
    public: bool
    first: int | None
    clock: ClockSpec
    time_off: bool
    rematch_of: str | None = None
    id: str | None = None


def create_game(
    *,
    caller: Caller,
    seats: Sequence[SeatSpec],
    public: bool = True,
    first: int | None = None,
    entropy: str = "",
    clock: ClockSpec = NO_CLOCK,
    time_off: bool = True,
    key: str | None = None,
    now: datetime,
) -> str:
    """A new game; its id. Just one seat is the caller's. It starts at once when no seat is left to fill.

    ``first`` is the seat that begins; None: it is drawn. ``key``: asked again by the caller with the same one, the
    answer is the game that was made the first time; nobody else may be able to guess it.
    """
    words.require(caller, GAMES_PLAY)
    if not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
        said = _("A game has {fewest} to {most} seats, not {number}.")
        raise invalid("seats", said.format(fewest=MIN_PLAYERS, most=MAX_PLAYERS, number=len(seats)))
    if sum(spec.kind == "me" for spec in seats) != 1:
        raise invalid("seats", _('Just one seat is yours: give one of them the kind "me".'))
    if first is not None and not 0 <= first < len(seats):
        said = _("The seat that begins is one from 0 to {last}; left out, it is drawn.")
        raise invalid("first", said.format(last=len(seats) - 1))
    clock_choice.check(clock)
    entropy = words.entropy(entropy)
    id = None if key is None else id_for(f"game|{caller.user_id}|{key}")
    with transaction() as session:
        if id is not None:
            lock_name(session, f"making:{id}")
            if session.get(Game, id) is not None:
                return id
        who = access.viewer(session, caller)
        rows = [seating.seat_for(session, number, spec, caller, who, entropy, now) for number, spec in enumerate(seats)]
        seating.refuse_twice_invited(rows)
        seating.refuse_too_many_invitations(session, caller, rows, now)
        return _make(session, caller, _Plan(rows, public, first, clock, time_off, id=id), now)


def browse(
    *, caller: Caller | None = None, status: str = "waiting", after: str | None = None, limit: int = 20
) -> Page[GameInfo]:
    """Public games in this status, newest first; waiting ones only while a seat is open."""
    if status not in STATUSES:
        raise invalid("status", _("status is one of {statuses}.").format(statuses=", ".join(STATUSES)))
    wanted = and_(Game.public.is_(True), Game.status == status)
    if status == "waiting":
        wanted = and_(wanted, Game.seats.any(Seat.kind == "open"))
    with reading() as session:
        return _page(session, wanted, access.viewer(session, caller), after, limit)


def my_games(*, caller: Caller, status: str | None = None, after: str | None = None, limit: int = 20) -> Page[GameInfo]:
    """Games the caller sits in, newest first. ``status``: one of a game's, or "invited" for open invitations."""
    words.require(caller, GAMES_READ)
    if status not in (None, "invited", *STATUSES):
        raise invalid("status", _("status is invited or one of {statuses}.").format(statuses=", ".join(STATUSES)))
    with reading() as session:
        who = access.viewer(session, caller)
        if status == "invited":
            wanted = _invited(who)
        else:
            wanted = Game.seats.any(Seat.user_id == who.user_id)
            if status is not None:
                wanted = and_(wanted, Game.status == status)
        return _page(session, wanted, who, after, limit)


def stirred(*, caller: Caller) -> str:
    """A word that changes when something does in the caller's games that are on or wait for them: one query."""
    words.require(caller, GAMES_READ)
    with reading() as session:
        who = access.viewer(session, caller)
        own = and_(Seat.game_id == Game.id, Seat.user_id == who.user_id)
        # Whatever happens in a game is written into its log. From others' notes and failed plans nobody hears.
        read = select(func.count()).where(LogEntry.game_id == Game.id, journal.readable(Seat.number)).scalar_subquery()
        facts = select(Game.id, Game.status, read, Game.clock_step, Game.deadline).outerjoin(Seat, own)
        mine = and_(Game.status.in_(("waiting", "playing")), Seat.number.is_not(None))
        rows = session.execute(facts.where(or_(mine, _invited(who))).order_by(Game.id)).all()
    return hashlib.sha256(repr([tuple(row) for row in rows]).encode()).hexdigest()[:16]


def look_by(*, caller: Caller | None, code: str) -> GameInfo:
    """The game with this join code, as long as it waits, as all who have the code may see it."""
    words.require_reader(caller)
    with reading() as session:
        game = session.scalar(select(Game).where(Game.join_code == _spelled(code)))
        if game is None:
            raise _wrong_code()
        who = access.viewer(session, caller)
        if not who.may_see(game):
            _require_not_full(game)
        return infos.info(session, game, who)


def join(
    *, caller: Caller, game_id: str, seat: int | None = None, entropy: str = "", code: str | None = None, now: datetime
) -> None:
    """Take a seat: the one you name, else the one kept for you, else the first open one.

    An open seat of a private game needs its join code; an invitation needs none.
    """
    words.require(caller, GAMES_PLAY)
    entropy = words.entropy(entropy)
    with transaction() as session:
        game, who = _locked_for_joining(session, game_id, code), access.viewer(session, caller)
        if not who.may_see(game):
            _check_code(game, code)
        own = who.seat_in(game)
        if own is not None:
            said = _("You have seat {seat} in this game already.").format(seat=own.number)
            raise Refusal(ALREADY_JOINED, said, seat=own.number)
        _require_not_full(game)
        chosen = _chosen(game, who, seat)
        if chosen.kind == "open" and not game.public:
            if code is None:
                raise Refusal(BAD_JOIN_CODE, _("An open seat of a private game needs its join code, as code."))
            _check_code(game, code)
        seating.sit(chosen, caller.user_id, entropy, now)
        for other in game.seats:
            if who.invited_to(other):  # kept for someone who now sits elsewhere: nobody could ever take it
                seating.open_up(other)
        journal.write(session, game, "joined", seat=chosen.number, now=now)
        _start_if_full(session, game, now)


def join_by(*, caller: Caller, code: str, now: datetime) -> str:
    """Take a seat in the game with this id or this join code, whichever it is; the game's id.

    By its id alone a private game is open to the invited; its join code opens it to all.
    """
    words.require(caller, GAMES_PLAY)
    said = _spelled(code)
    with reading() as session:
        found = session.scalar(select(Game.id).where(Game.join_code == said))
    try:
        join(caller=caller, game_id=found or said, code=None if found is None else said, now=now)
    except Refusal as refusal:
        if refusal.code in (NOT_FOUND, BAD_JOIN_CODE):
            raise _wrong_code() from None
        raise
    return found or said


def leave(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Give the seat back before the start. The creator's leaving cancels the game."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        seat = access.own_seat(game, who)
        _require_waiting(game, _("You can resign from it instead.") if game.status == "playing" else "")
        if game.creator_id == caller.user_id:
            _cancel(session, game, now)
            return
        seating.open_up(seat)
        journal.vacate(session, game, seat.number)
        journal.write(session, game, "left", seat=seat.number, now=now)


def decline(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Turn an invitation down: the seat is open then."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        _decline(session, game, [seat for seat in game.seats if who.invited_to(seat)], now)


def decline_unknown(*, email_key: str, game_id: str, now: datetime) -> None:
    """The same for somebody without an account, who was invited at this address and has proved to read it."""
    with transaction() as session:
        game = access.locked(session, game_id)
        kept = [seat for seat in game.seats if seat.kind == "invited" and seat.invited_email_key == email_key]
        _decline(session, game, kept, now)


def cancel(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Call the game off before it starts; its creator only."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game = access.locked_for(session, caller, game_id)[0]
        if game.creator_id != caller.user_id:
            raise Refusal(FORBIDDEN, _("Only whoever created the game can call it off; you can leave it."))
        _require_waiting(game)
        _cancel(session, game, now)


def resign(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Hand the seat to a steady bot for the rest of the game; the result will say so."""
    words.require(caller, GAMES_PLAY)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        seat = access.own_seat(game, who)
        if game.status != "playing":
            hints = {
                "waiting": _("The game is not being played: leave it instead."),
                "cancelled": _("The game is not being played: it was called off."),
            }
            hint = hints.get(game.status, _("The game is not being played: it is over."))
            raise Refusal(GAME_NOT_PLAYING, hint, status=game.status)
        if seat.resigned_at is not None:
            raise Refusal(ALREADY_RESIGNED, _("You have resigned already."))
        if game.to_act == seat.number:
            turn_clock.stop(session, game, seat, now=now)
        seat.resigned_at, seat.held_at, seat.bot_level = now, None, STAND_IN
        journal.write(session, game, "resigned", seat=seat.number, now=now)
        standing.forget(session, game, seat)
        if game.to_act == seat.number:
            promises.bot_turn(session, game, now=now)
        votes.recount(session, game, now=now)


def rematch(*, caller: Caller, game_id: str, entropy: str = "", now: datetime) -> str:
    """The id of the one rematch of a finished game: made by the first player who asks, the same for all after.

    Same seats: its maker sits, the other people are invited, bots are bots. A first seat that was set goes round.
    """
    words.require(caller, GAMES_PLAY)
    entropy = words.entropy(entropy)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        own = access.own_seat(game, who)
        if game.status != "over":
            raise Refusal(GAME_NOT_OVER, _("A rematch can be had once the game is over."), status=game.status)
        made = session.scalar(select(Game.id).where(Game.rematch_of == game.id))
        if made is not None:
            return made
        seats = [seating.seat_again(old, caller, entropy, now) for old in game.seats]
        first = None if game.first_set is None else (game.first_set + 1) % game.players
        plan = _Plan(seats, game.public, first, infos.clock_of(game), game.time_off, game.id)
        new = _make(session, caller, plan, now)
        journal.write(session, game, "rematch", seat=own.number, data={"game": new}, now=now)
        return new


def _decline(session: Session, game: Game, kept: Sequence[Seat], now: datetime) -> None:
    _require_waiting(game)
    if not kept:
        raise not_found("invitation")
    for seat in kept:
        seating.open_up(seat)
        journal.write(session, game, "declined", seat=seat.number, now=now)


def _make(session: Session, caller: Caller, plan: _Plan, now: datetime) -> str:
    seed = new_seed()
    game = Game(
        id=plan.id or new_id(),
        status="waiting",
        public=plan.public,
        join_code=new_id(10),
        creator_id=caller.user_id,
        players=len(plan.seats),
        first_set=plan.first,
        clock=plan.clock.kind,
        days_per_move=plan.clock.days,
        bank_hours=plan.clock.start_hours,
        increment_hours=plan.clock.increment_hours,
        cap_hours=plan.clock.cap_hours,
        time_off=plan.time_off,
        seed=seed.hex(),
        commitment=commitment(seed),
        rules_version=RULES_VERSION,
        rematch_of=plan.rematch_of,
        created_at=now,
        seats=plan.seats,
    )
    session.add(game)
    session.flush()
    maker = next(seat.number for seat in game.seats if seat.user_id == caller.user_id)
    journal.write(session, game, "created", seat=maker, data={"commitment": game.commitment}, now=now)
    for seat in game.seats:
        if seat.kind == "invited":
            promises.invitation(session, game, seat, now=now)
    _start_if_full(session, game, now)
    return game.id


def _start_if_full(session: Session, game: Game, now: datetime) -> None:
    if any(seat.kind in ("open", "invited") for seat in game.seats):
        return
    setup = deal(game.players, bytes.fromhex(game.seed), [seat.entropy for seat in game.seats], game.first_set)
    position = start(setup)
    game.status, game.started_at = "playing", now
    game.position = position_to_json(position)
    game.to_act, game.phase = to_act(position), PHASES[position.phase]
    journal.write(session, game, "started", data={"first": setup.first}, now=now)
    for seat in game.seats:
        if seat.person:
            turn_clock.fill_bank(game, seat)
    promises.started(session, game, now=now)
    promises.turn_began(session, game, now=now)


def _chosen(game: Game, who: Viewer, wanted: int | None) -> Seat:
    if wanted is not None:
        if not 0 <= wanted < game.players:
            raise invalid("seat", _("Seats go from 0 to {last}.").format(last=game.players - 1))
        seat = game.seats[wanted]
        if seat.kind == "open" or who.invited_to(seat):
            return seat
        free = [other.number for other in game.seats if other.kind == "open" or who.invited_to(other)]
        said = _("Seat {seat} is taken or kept for someone else.").format(seat=wanted)
        raise Refusal(SEAT_TAKEN, said, free=free)
    for seat in game.seats:
        if who.invited_to(seat):
            return seat
    for seat in game.seats:
        if seat.kind == "open":
            return seat
    raise Refusal(GAME_FULL, _("The seats that are left are kept for people who were invited."), status=game.status)


def _locked_for_joining(session: Session, game_id: str, code: str | None) -> Game:
    """The locked game; one that is not there is refused in the words for a private one that the code does not open."""
    try:
        return access.locked(session, game_id)
    except Refusal as missing:
        raise _wrong_code() if code is not None else missing from None


def _check_code(game: Game, code: str | None) -> None:
    """Without a code a private game does not exist; with a wrong one it may."""
    if code is None:
        raise not_found()
    if not same(_spelled(code), game.join_code):
        raise _wrong_code()


def _spelled(code: str) -> str:
    """A join code (or an id) as it is kept, however it was typed. Whatever cannot be one is a wrong one."""
    if not (spelled := "".join(code.lower().replace("-", "").split())).isascii() or not spelled.isalnum():
        raise _wrong_code()
    return spelled


def _wrong_code() -> Refusal:
    return Refusal(BAD_JOIN_CODE, _("There is no such game, or that is not its join code. Ask whoever gave it to you."))


def _require_not_full(game: Game) -> None:
    if game.status == "cancelled":
        raise Refusal(GAME_NOT_WAITING, _("This game was called off."), status=game.status)
    if game.status != "waiting":
        raise Refusal(GAME_FULL, _("Every seat is taken."), status=game.status)


def _require_waiting(game: Game, hint: str = "") -> None:
    if game.status != "waiting":
        what = {"playing": _("The game has started."), "over": _("The game is over.")}
        said = what.get(game.status, _("The game was called off."))
        raise Refusal(GAME_NOT_WAITING, f"{said} {hint}".strip(), status=game.status)


def _cancel(session: Session, game: Game, now: datetime) -> None:
    game.status, game.ended_at = "cancelled", now
    game.rematch_of = None  # so that a rematch can be made after all
    journal.write(session, game, "cancelled", now=now)
    promises.cancelled(session, game, now=now)


def _invited(who: Viewer) -> ColumnElement[bool]:
    """Games that keep a seat for this viewer."""
    mine = or_(Seat.invited_user_id == who.user_id, Seat.invited_email_key.in_(who.email_keys))
    return and_(Game.status == "waiting", Game.seats.any(and_(Seat.kind == "invited", mine)))


def _page(session: Session, wanted: ColumnElement[bool], who: Viewer, after: str | None, limit: int) -> Page[GameInfo]:
    limit = words.limit(limit)
    query = select(Game).options(defer(Game.position)).where(wanted)
    if after is not None:
        (created,), last = paging.moments_and_id(after, 1)
        place = tuple_(literal(created, UtcDateTime), literal(last))
        query = query.where(tuple_(Game.created_at, Game.id) < place)
    rows = session.scalars(query.order_by(Game.created_at.desc(), Game.id.desc()).limit(limit + 1)).all()
    games = rows[:limit]
    more = paging.cursor(games[-1].created_at, games[-1].id) if len(rows) > limit else None
    return Page(infos.infos(session, games, who), more)

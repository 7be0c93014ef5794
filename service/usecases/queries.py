"""Looking: a game as one may see it, its log, whose turn it is, the record. Nothing here writes."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, literal, select, tuple_
from sqlalchemy.orm import defer

from engine import Provenance, action_from_json, deal, record_of
from service import outbox
from service.db import UtcDateTime, reading
from service.errors import GAME_NOT_OVER, Refusal
from service.i18n import gettext as _
from service.models import Game, Move, OutboxRow, Seat
from service.usecases import access, endings, infos, journal, paging, words
from service.usecases.results import GAMES_READ, Caller, Counts, GameInfo, GameView, LogLine, Page, Turn

#: Sorts after every deadline there is: games without one are less urgent than those with.
_NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def game_view(*, caller: Caller | None, game_id: str, now: datetime | None = None) -> GameView:
    """The game as this caller (None: a stranger) may see it; ``now``: tell players which of them are away then."""
    words.require_reader(caller)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        return infos.game_view(session, game, who, now=now)


def events(*, caller: Caller | None, game_id: str, after: int = 0, limit: int = 100) -> Page[LogLine]:
    """The log after entry ``after``, oldest first, as this caller may see it; they count the entries that are theirs.

    ``next`` is always there: the number to ask from next time, also when nothing is new.
    """
    words.require_reader(caller)
    after, limit = words.number(after, field="after"), words.limit(limit)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        own = who.seat_in(game)
        seat = None if own is None else own.number
        found = journal.page(session, game.id, seat, after=after, limit=limit)
        return Page(found, str(found[-1].seq if found else after))


def turns(*, caller: Caller, after: str | None = None, limit: int = 20) -> Page[Turn]:
    """The games that wait for the caller, most urgent first: by deadline, then by how long they have waited."""
    words.require(caller, GAMES_READ)
    limit = words.limit(limit)
    never = literal(_NEVER, UtcDateTime)
    order = (func.coalesce(Game.deadline, never, type_=UtcDateTime), Game.turn_since, Game.id)
    query = (
        select(Game)
        .options(defer(Game.position))
        .join(Seat, (Seat.game_id == Game.id) & (Seat.number == Game.to_act))
        .where(Game.status == "playing", Seat.user_id == caller.user_id)
        .where(Seat.resigned_at.is_(None), Seat.held_at.is_(None))
    )
    if after is not None:
        (deadline, since), last = paging.moments_and_id(after, 2)
        place = tuple_(literal(deadline, UtcDateTime), literal(since, UtcDateTime), literal(last))
        query = query.where(tuple_(*order) > place)
    with reading() as session:
        games = session.scalars(query.order_by(*order).limit(limit + 1)).all()
        shown = games[:limit]
        who = access.viewer(session, caller)
        items = tuple(_turn(game, info) for game, info in zip(shown, infos.infos(session, shown, who), strict=True))
    more = None
    if len(games) > limit:
        more = paging.cursor(items[-1].deadline or _NEVER, items[-1].since, items[-1].info.id)
    return Page(items, more)


def record(*, caller: Caller | None, game_id: str) -> dict[str, Any]:
    """The whole game as an emerald-record/1, seed and all, once it is over."""
    words.require_reader(caller)
    with reading() as session:
        game = access.seen(session, access.viewer(session, caller), game_id)
        if game.status != "over":
            raise Refusal(
                GAME_NOT_OVER,
                _("The record tells everything, so it is there once the game is over."),
                status=game.status,
            )
        actions = session.scalars(select(Move.action).where(Move.game_id == game.id).order_by(Move.ply)).all()
        seed, entropy = bytes.fromhex(game.seed), [seat.entropy for seat in game.seats]
        setup = deal(game.players, seed, entropy, game.first_set)
        made = [action_from_json(action) for action in actions]
        early = game.result is not None and game.result["reason"] == endings.VOTED
        return record_of(setup, made, Provenance(seed, tuple(entropy), game.first_set), broken_off=early)


def ready() -> None:
    """Whether the database answers and has its tables; refused as unavailable if it is away."""
    with reading() as session:
        session.execute(select(Game.id).limit(1))


def counts(*, now: datetime) -> Counts:
    """The numbers that only the database has."""
    with reading() as session:
        games = session.execute(select(Game.status, func.count()).group_by(Game.status)).all()
        by_state = select(OutboxRow.topic, OutboxRow.state, func.count()).group_by(OutboxRow.topic, OutboxRow.state)
        rows = session.execute(by_state).all()
        due = select(func.min(OutboxRow.next_at)).where(OutboxRow.state.in_(outbox.OPEN), OutboxRow.next_at <= now)
        oldest = session.scalar(due)
        clock = session.scalar(select(func.min(Game.clock_at)).where(Game.clock_at <= now))
    return Counts(
        games=dict(games),
        outbox={(topic, state): number for topic, state, number in rows},
        oldest_due_seconds=0.0 if oldest is None else (now - oldest).total_seconds(),
        clock_late_seconds=0.0 if clock is None else (now - clock).total_seconds(),
    )


def _turn(game: Game, info: GameInfo) -> Turn:
    return Turn(
        info=info,
        seat=game.to_act or 0,
        ply=game.ply,
        phase=game.phase or "",
        since=game.turn_since or game.created_at,
        deadline=game.deadline,
    )

"""A game's row as what one viewer may see of it: built field by field, so that a new column stays hidden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import (
    COLORS,
    Position,
    action_notation,
    action_to_json,
    colors_of,
    legal_actions,
    position_from_json,
    view,
)
from service.i18n import gettext as _
from service.models import Game, Seat
from service.pictures.names import bot_name
from service.timekeeping import ladder
from service.usecases import people
from service.usecases.access import Viewer
from service.usecases.results import ClockSpec, GameInfo, GameResult, GameView, LegalRow, SeatInfo


@dataclass(frozen=True)
class _Told:
    """What is told of players to those who sit with them, by account."""

    failing: Mapping[str, datetime]
    away: Mapping[str, datetime]


_NOTHING = _Told({}, {})


def position_of(game: Game) -> Position | None:
    """The stored position; None before the start."""
    return None if game.position is None else position_from_json(game.position)


def clock_of(game: Game) -> ClockSpec:
    """The clock that was chosen for a game."""
    return ClockSpec(
        kind=game.clock,  # type: ignore[arg-type]  # a check constraint holds it to these
        days=game.days_per_move,
        start_hours=game.bank_hours,
        increment_hours=game.increment_hours,
        cap_hours=game.cap_hours,
    )


def legal_rows(position: Position) -> tuple[LegalRow, ...]:
    """The numbered list of what the seat to act may do: the same in answers, refusals and mails."""
    return tuple(
        LegalRow(number, action_notation(action, position.players), action_to_json(action))
        for number, action in enumerate(legal_actions(position), start=1)
    )


def infos(session: Session, games: Sequence[Game], who: Viewer, *, now: datetime | None = None) -> tuple[GameInfo, ...]:
    """Games as ``who`` may see them; two queries for all of them, two more for those that ``who`` sits in.

    ``now``: tell who is away then; None: tell nothing of it.
    """
    known = {game.creator_id for game in games} | {
        user_id for game in games for seat in game.seats for user_id in (seat.user_id, seat.invited_user_id) if user_id
    }
    names = people.names_of(session, known)
    ids = [game.id for game in games]
    rematches = select(Game.rematch_of, Game.id).where(Game.rematch_of.in_(ids))
    rematch_ids = dict(session.execute(rematches).all())
    own = [game for game in games if game.status in ("waiting", "playing") and who.seat_in(game) is not None]
    players = {seat.user_id for game in own for seat in game.seats if seat.user_id is not None and seat.person}
    told = _Told(
        failing=people.unreachable_since(session, players) if players else {},
        away=people.away_until(session, players, now=now) if players and now is not None else {},
    )
    return tuple(_info(game, who, names, told if game in own else _NOTHING, rematch_ids.get(game.id)) for game in games)


def info(session: Session, game: Game, who: Viewer, *, now: datetime | None = None) -> GameInfo:
    """One game as ``who`` may see it; ``now`` as in ``infos``."""
    return infos(session, [game], who, now=now)[0]


def names(info: GameInfo) -> tuple[str, ...]:
    """What to call every seat, a free one by its number."""
    return tuple(
        seat.name
        or (bot_name(seat.number) if seat.kind == "bot" else _("Seat {number}").format(number=seat.number + 1))
        for seat in info.seats
    )


def game_view(session: Session, game: Game, who: Viewer, *, now: datetime | None = None) -> GameView:
    """One game with its board as ``who`` may see it, and what they may do now; ``now`` as in ``infos``."""
    shown, position = info(session, game, who, now=now), position_of(game)
    if position is None:
        return GameView(info=shown, view=None, legal=())
    board = view(position, shown.you)
    actor = shown.seats[board.to_act or 0]
    mine = board.legal and not actor.resigned and not actor.held
    return GameView(info=shown, view=board, legal=legal_rows(position) if mine else ())


def _info(game: Game, who: Viewer, names: dict[str, str], told: _Told, rematch: str | None) -> GameInfo:
    own = who.seat_in(game)
    over = game.status == "over"
    return GameInfo(
        id=game.id,
        status=game.status,  # type: ignore[arg-type]  # a check constraint holds it to these
        public=game.public,
        players=game.players,
        creator=names.get(game.creator_id, ""),
        created_at=game.created_at,
        started_at=game.started_at,
        ended_at=game.ended_at,
        first_set=game.first_set,
        clock=clock_of(game),
        time_off=game.time_off,
        commitment=game.commitment,
        seed=game.seed if over else None,
        join_code=game.join_code if own is not None and game.status == "waiting" and not game.public else None,
        seats=tuple(_seat(game, seat, who, names, told) for seat in game.seats),
        you=None if own is None else own.number,
        invited=any(map(who.invited_to, game.seats)) and game.status == "waiting",
        ply=game.ply,
        turn_ply=game.turn_ply,
        to_act=game.to_act,
        phase=game.phase,
        turn_since=game.turn_since,
        deadline=game.deadline,
        step=game.clock_step if game.clock_step in ladder.TIME_OVER else None,
        result=_result(game) if over else None,
        rematch=rematch,
        rematch_of=game.rematch_of,
    )


def _seat(game: Game, seat: Seat, who: Viewer, names: dict[str, str], told: _Told) -> SeatInfo:
    you = seat.user_id is not None and seat.user_id == who.user_id
    shown_user = seat.user_id or seat.invited_user_id
    return SeatInfo(
        number=seat.number,
        colors=tuple(COLORS[color] for color in colors_of(game.players, seat.number)),
        kind=seat.kind,  # type: ignore[arg-type]  # a check constraint holds it to these
        name=None if shown_user is None else names.get(shown_user),
        user_id=seat.user_id,
        bot_level=seat.bot_level,
        resigned=seat.resigned_at is not None,
        you=you,
        invited_email=seat.invited_email if who.user_id == game.creator_id else None,
        entropy=seat.entropy if you or game.status == "over" else None,
        held=seat.held_at is not None,
        bank_seconds=seat.bank_seconds,
        mail_failing_since=told.failing.get(seat.user_id or "") if seat.person else None,
        away_until=told.away.get(seat.user_id or "") if seat.person and game.time_off else None,
    )


def _result(game: Game) -> GameResult | None:
    if game.result is None:
        return None
    kept = game.result
    return GameResult(
        reason=kept["reason"],
        winners=tuple(kept["winners"]),
        scores=tuple(kept["scores"]),
        gold=tuple(kept["gold"]),
        treasures=tuple(kept["treasures"]),
        gems=tuple(kept["gems"]),
        majority=dict(kept["majority"]),
        four_gems=kept["four_gems"],
        notes=tuple(kept["notes"]),
    )

"""How a game ends: played to its end by the rules, or early because those at the table want it so."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import GEMS, PHASES, Position, break_off, position_to_json, score
from service.models import Game, Move, Seat
from service.usecases import infos, promises, standing, turn_clock

#: The reason of a result that a vote brought about. All others are the engine's.
VOTED = "vote"


def finish(session: Session, game: Game, position: Position, reason: str, *, now: datetime) -> None:
    """The game is over by the rules: its result stands."""
    _close(session, game, position, reason, score(position).winners, now)


def finish_early(session: Session, game: Game, *, now: datetime) -> None:
    """The game is over before its end: the points are told as they lie, and nobody wins."""
    position = infos.position_of(game)
    if position is None or game.to_act is None:
        raise AssertionError(f"game {game.id} is not being played")
    seat = game.seats[game.to_act]
    if seat.person:
        turn_clock.stop(session, game, seat, now=now)
    closed = break_off(position)
    game.position, game.to_act, game.phase = position_to_json(closed), None, PHASES[closed.phase]
    _close(session, game, closed, VOTED, (), now)


def _close(
    session: Session, game: Game, position: Position, reason: str, winners: tuple[int, ...], now: datetime
) -> None:
    result = score(position)
    turn_clock.clear(game)
    game.status, game.ended_at = "over", now
    game.result = {
        "reason": reason,
        "winners": list(winners),
        "scores": list(result.scores),
        "gold": list(result.gold),
        "treasures": list(result.treasures),
        "gems": list(result.gems),
        "majority": dict(zip(GEMS, result.majority, strict=True)),
        "four_gems": result.four_gems,
        "notes": _notes(session, game),
    }
    standing.forget(session, game)
    promises.over(session, game, now=now)


def _notes(session: Session, game: Game) -> list[str | None]:
    by_clock = select(Move.seat).where(Move.game_id == game.id, Move.by == "clock").distinct()
    stood_in = frozenset(session.scalars(by_clock))
    return [_note(seat, stood_in) for seat in game.seats]


def _note(seat: Seat, stood_in: frozenset[int]) -> str | None:
    if seat.kind == "bot":
        return "bot"
    if seat.resigned_at is not None:
        return "resigned"
    if seat.held_at is not None:
        return "held"
    return "stood_in" if seat.number in stood_in else None

"""The one gate for every move, whoever sends it: a person, a bot, the clock.

A move names the ply it answers. Whatever comes late does nothing and says so; whatever comes again gets the first
answer, to the byte.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from engine import (
    GEMS,
    PHASES,
    RULES,
    Action,
    Dropped,
    IllegalAction,
    LinePlayed,
    NotationError,
    Position,
    StepPlayed,
    action_from_json,
    action_notation,
    action_to_json,
    event_to_json,
    is_over,
    play_actions,
    play_line,
    position_to_json,
    score,
    to_act,
)
from engine.events import GameOver
from service.db import after_commit, transaction
from service.errors import (
    ALREADY_RESIGNED,
    BAD_NOTATION,
    GAME_NOT_PLAYING,
    IDEMPOTENCY_MISMATCH,
    ILLEGAL_MOVE,
    NOT_YOUR_TURN,
    STALE_PLY,
    Refusal,
    invalid,
)
from service.metrics import MovesMade
from service.models import Game, Move, Seat, Submission
from service.usecases import access, infos, journal, promises, words
from service.usecases.results import GAMES_PLAY, Answer, Caller

By = Literal["player", "bot", "clock"]
MOST_ACTIONS = 12


def submit(
    *,
    caller: Caller,
    game_id: str,
    ply: int,
    actions: Sequence[Mapping[str, Any]] | None = None,
    line: str | None = None,
    idempotency_key: str | None = None,
    now: datetime,
) -> Answer:
    """A player's move: ``actions`` as JSON or a ``line`` of notation, for exactly this ply."""
    words.require(caller, GAMES_PLAY)
    key = words.idempotency_key(idempotency_key)
    parsed = None if actions is None else _parse(actions)
    if (parsed is None) == (line is None):
        raise invalid("line", "Say what to do either as a line or as actions.")
    if line is not None and len(line) > words.LONGEST_LINE:
        raise invalid("line", f"A line has at most {words.LONGEST_LINE} characters.")
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        seat = access.own_seat(game, who)
        return accept(
            session, game, seat=seat.number, ply=ply, actions=parsed, line=line, by="player", key=key, now=now
        )


def accept(
    session: Session,
    game: Game,
    *,
    seat: int,
    ply: int,
    actions: Sequence[Action] | None = None,
    line: str | None = None,
    by: By,
    key: str | None = None,
    now: datetime,
) -> Answer:
    """Make a move in a game that the caller has locked (``access.locked``); never commits.

    Position, moves, log, promises and the answer are written together; the caller's transaction makes them one fact
    with whatever else it did.
    """
    fingerprint = _fingerprint(ply, actions, line)
    first = _first_answer(session, game, seat, key, fingerprint)
    if first is not None:
        return Answer(first, repeated=True)
    position = _open_position(game, ply, seat, by)
    played = _play(game, position, actions, line)
    for number, step in enumerate(played.steps, start=ply):
        action = action_to_json(step.action)
        session.add(Move(game_id=game.id, ply=number, seat=seat, action=action, by=by, at=now))
        journal.write_events(session, game, number, step.events, now=now)
    _store(session, game, seat, played.steps, now)
    answer = _answer(game, seat, ply, played)
    session.add(
        Submission(game_id=game.id, ply=ply, seat=seat, key=key, fingerprint=fingerprint, answer=answer, at=now)
    )
    after_commit(session, MovesMade(by, len(played.steps)))
    return Answer(answer, repeated=False)


def made_before(session: Session, game: Game, *, seat: int, ply: int, line: str) -> Answer | None:
    """The answer to this very line, if the seat has played it at this ply."""
    text = _first_answer(session, game, seat, None, _fingerprint(ply, None, line))
    return None if text is None else Answer(text, repeated=True)


def _parse(actions: Sequence[Mapping[str, Any]]) -> tuple[Action, ...]:
    if not 1 <= len(actions) <= MOST_ACTIONS:
        raise invalid("actions", f"Give 1 to {MOST_ACTIONS} actions.")
    try:
        return tuple(action_from_json(action) for action in actions)
    except NotationError as error:
        raise Refusal(BAD_NOTATION, error.message, word=error.word) from None


def _fingerprint(ply: int, actions: Sequence[Action] | None, line: str | None) -> str:
    if actions is not None:
        said = json.dumps([action_to_json(action) for action in actions], sort_keys=True)
    else:
        said = re.sub(r"[\s,]+", " ", line or "").strip().lower()
    kind = "line" if actions is None else "actions"
    return hashlib.sha256(f"{ply}|{kind}|{said}".encode(errors="surrogatepass")).hexdigest()


def _first_answer(session: Session, game: Game, seat: int, key: str | None, fingerprint: str) -> str | None:
    """The answer this request got before. Looked up under the game's lock, before anything can be called stale."""
    same = Submission.fingerprint == fingerprint
    if key is not None:
        same = or_(same, Submission.key == key)
    rows = session.scalars(select(Submission).where(Submission.game_id == game.id, Submission.seat == seat, same)).all()
    for row in rows:
        if key is not None and row.key == key and row.fingerprint != fingerprint:
            raise Refusal(
                IDEMPOTENCY_MISMATCH,
                "This idempotency key came with another move before. Use a new key for a new move.",
                ply=row.ply,
            )
    return next((row.answer for row in rows if row.fingerprint == fingerprint), None)


def _open_position(game: Game, ply: int, seat: int, by: By) -> Position:
    """The position, if this ply is open and this seat is the one to answer it."""
    position = infos.position_of(game)
    state = {"ply": game.ply, "to_act": game.to_act, "status": game.status}
    if position is None:
        why = "has not started yet" if game.status == "waiting" else "was called off"
        raise Refusal(GAME_NOT_PLAYING, f"The game {why}.", **state)
    if ply != game.ply:
        raise Refusal(
            STALE_PLY,
            f"The game is at ply {game.ply}, and this move is for ply {ply}. Look at the game again and decide anew.",
            **state,
        )
    if game.status != "playing":
        raise Refusal(GAME_NOT_PLAYING, "The game is over.", **state)
    if game.to_act != seat:
        raise Refusal(NOT_YOUR_TURN, f"Seat {game.to_act} is to act; yours is seat {seat}.", **state)
    if by == "player" and not game.seats[seat].person:
        raise Refusal(ALREADY_RESIGNED, "You resigned; a bot moves for your seat.", **state)
    return position


def _play(game: Game, position: Position, actions: Sequence[Action] | None, line: str | None) -> LinePlayed:
    try:
        return play_line(position, line or "") if actions is None else play_actions(position, actions)
    except IllegalAction as error:
        raise Refusal(
            ILLEGAL_MOVE,
            error.message,
            rule=error.rule,
            rule_text=RULES.get(error.rule),
            legal=_legal(position),
            ply=game.ply,
        ) from None
    except NotationError as error:
        raise Refusal(BAD_NOTATION, error.message, word=error.word, legal=_legal(position), ply=game.ply) from None


def _legal(position: Position) -> list[dict[str, Any]]:
    return [
        {"number": row.number, "notation": row.notation, "action": row.action} for row in infos.legal_rows(position)
    ]


def _store(session: Session, game: Game, seat: int, steps: Sequence[StepPlayed], now: datetime) -> None:
    position = steps[-1].position
    game.position = position_to_json(position)
    game.ply += len(steps)
    game.to_act, game.phase = to_act(position), PHASES[position.phase]
    actor = game.seats[seat]
    actor.acted_seq = game.log_seq
    if is_over(position):
        promises.turn_ended(session, game, actor, now=now)
        reason = next(event.reason for event in steps[-1].events if isinstance(event, GameOver))
        _finish(session, game, position, reason, now)
    elif game.to_act != seat:
        promises.turn_ended(session, game, actor, now=now)
        promises.turn_began(session, game, now=now)


def _finish(session: Session, game: Game, position: Position, reason: str, now: datetime) -> None:
    result = score(position)
    game.status, game.ended_at, game.deadline = "over", now, None
    game.result = {
        "reason": reason,
        "winners": list(result.winners),
        "scores": list(result.scores),
        "gold": list(result.gold),
        "treasures": list(result.treasures),
        "gems": list(result.gems),
        "majority": dict(zip(GEMS, result.majority, strict=True)),
        "four_gems": result.four_gems,
        "notes": [_note(seat) for seat in game.seats],
    }
    promises.over(session, game, now=now)


def _note(seat: Seat) -> str | None:
    if seat.kind == "bot":
        return "bot"
    return None if seat.resigned_at is None else "resigned"


def _answer(game: Game, seat: int, ply: int, played: LinePlayed) -> str:
    def applied(step: StepPlayed) -> dict[str, Any]:
        return {"action": action_to_json(step.action), "notation": action_notation(step.action, game.players)}

    def dropped(one: Dropped) -> dict[str, str]:
        return {"word": one.word, "reason": one.reason}

    return json.dumps(
        {
            "game": game.id,
            "seat": seat,
            "ply": ply,
            "next_ply": game.ply,
            "applied": [applied(step) for step in played.steps],
            "dropped": [dropped(one) for one in played.dropped],
            "events": [event_to_json(event, seat) for step in played.steps for event in step.events],
            "status": game.status,
            "to_act": game.to_act,
            "phase": game.phase,
        },
        ensure_ascii=False,
    )

"""A game step by step: the board after every decision, and the log turn by turn, as this viewer may see them.

The setup and the moves are played again; what leaves is ``engine.view`` of the viewer. While a game is on nobody is
shown more of its past than they were shown when it was the present. Once it is over everything lies open.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from engine import (
    RULES_VERSION,
    Bribe,
    EngineError,
    Position,
    View,
    action_from_json,
    action_notation,
    apply,
    deal,
    start,
    view,
)
from service.db import reading
from service.errors import GAME_NOT_PLAYING, Refusal, invalid
from service.i18n import gettext as _
from service.models import Game, LogEntry, Move
from service.usecases import access, infos, journal, words
from service.usecases.results import Caller, GameInfo, LogLine

TURNS_A_PAGE: Final = 20
#: A bribe whose value is its giver's alone.
_BRIBE: Final = "bribe"


@dataclass(frozen=True)
class Turn:
    """A turn of ``seat``, the ``number``-th of the game from 1; at its beginning ``step`` decisions had been made."""

    number: int
    seat: int
    step: int


@dataclass(frozen=True)
class Made:
    """A decision as notation. The value of a bribe stands there only if the viewer may know it (R-DRAG-7)."""

    seat: int
    notation: str
    at: datetime


@dataclass(frozen=True)
class Step:
    """The board after ``step`` of the ``last`` decisions that have been made.

    ``made`` is the last of these (None before the first), ``lines`` what came of it, talk left out. ``turns``: all
    that have begun. ``view`` has every hand once the game is over.
    """

    info: GameInfo
    step: int
    last: int
    view: View
    made: Made | None
    lines: tuple[LogLine, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Chapter:
    """A turn with its part of the log, oldest first; ``turn`` is None for what came before the first."""

    turn: Turn | None
    lines: tuple[LogLine, ...]


@dataclass(frozen=True)
class Story:
    """The log of a game from turn ``first`` to turn ``upto`` of its ``turns``, a chapter a turn, oldest first."""

    info: GameInfo
    chapters: tuple[Chapter, ...]
    first: int
    upto: int
    turns: int


def at_step(*, caller: Caller | None, game_id: str, step: int | None = None) -> Step:
    """The board after so many decisions (None: all), as the caller may see it.

    A number beyond the last decision means the last. Refused if the game has not started, or (but for the last
    step) if it was begun under rules that the engine plays no more.
    """
    words.require_reader(caller)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        last = game.ply
        now = _started(game)
        wanted = last if step is None else min(max(step, 0), last)
        info = infos.info(session, game, who)
        moves = session.scalars(_moves(game, wanted)).all()
        position = now if wanted == last else _replayed(game, moves)
        made = moves[-1] if moves else None
        lines: tuple[LogLine, ...] = ()
        if made is not None:
            after, upto = journal.seq_before(session, game, wanted - 1), journal.seq_before(session, game, wanted)
            told = _lines(session, game, info.you, after, upto)
            lines = tuple(line for line in told if line.kind not in journal.TALK)
        return Step(
            info=info,
            step=wanted,
            last=last,
            view=_view(game, position, info.you),
            made=None if made is None else _made(game, made, info.you),
            lines=_unnumbered(lines),
            turns=tuple(turn for turn, _seq in _turns(session, game)),
        )


def story(*, caller: Caller | None, game_id: str, upto: int | None = None) -> Story:
    """What happened in the turns up to ``upto`` (None: the newest), at most ``TURNS_A_PAGE`` of them.

    With the first turn comes what was before it. In a game that has not started there is nothing else.
    """
    words.require_reader(caller)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        info = infos.info(session, game, who)
        turns = _turns(session, game)
        last = len(turns) if upto is None else min(max(upto, 1), len(turns))
        first = max(last - TURNS_A_PAGE, 0)
        chosen = turns[first:last]
        after = chosen[0][1] - 1 if first else 0
        end = turns[last][1] - 1 if last < len(turns) else game.log_seq
        lines = _lines(session, game, info.you, after, end)
    begins = [seq for _turn, seq in chosen] + [end + 1]
    chapters = [Chapter(None, _between(lines, 0, begins[0]))] if not first else []
    for (turn, seq), then in zip(chosen, begins[1:], strict=True):
        chapters.append(Chapter(turn, _between(lines, seq, then)))
    shown = tuple(Chapter(chapter.turn, _unnumbered(chapter.lines)) for chapter in chapters)
    return Story(info=info, chapters=shown, first=first + 1, upto=last, turns=len(turns))


def _started(game: Game) -> Position:
    position = infos.position_of(game)
    if position is None:
        raise Refusal(GAME_NOT_PLAYING, _("The game has not started: there is nothing to replay."), status=game.status)
    return position


def _moves(game: Game, upto: int) -> Select[Move]:
    return select(Move).where(Move.game_id == game.id, Move.ply < upto).order_by(Move.ply)


def _replayed(game: Game, moves: Sequence[Move]) -> Position:
    other_rules = invalid("step", _("This game was begun under other rules; of its boards only the last can be shown."))
    if game.rules_version != RULES_VERSION:
        raise other_rules
    try:
        entropy = [seat.entropy for seat in game.seats]
        position = start(deal(game.players, bytes.fromhex(game.seed), entropy, game.first_set))
        for move in moves:
            position, _events = apply(position, action_from_json(move.action))
    except EngineError:  # a mend of the rules that left their version as it was
        raise other_rules from None
    return position


def _view(game: Game, position: Position, seat: int | None) -> View:
    """What the seat may see of it now: once the game is over, what lay hidden then too."""
    seen = view(position, seat)
    return seen._replace(hands=position.hands, given=position.given) if game.status == "over" else seen


def _made(game: Game, move: Move, seat: int | None) -> Made:
    action = action_from_json(move.action)
    hidden = isinstance(action, Bribe) and move.seat != seat and game.status != "over"
    return Made(move.seat, _BRIBE if hidden else action_notation(action, game.players), move.at)


def _turns(session: Session, game: Game) -> list[tuple[Turn, int]]:
    """Every turn that has begun, with the number of the entry that began it."""
    began = (
        select(LogEntry.seq, LogEntry.kind, LogEntry.ply, LogEntry.public)
        .where(LogEntry.game_id == game.id, LogEntry.kind.in_(("started", "turn")))
        .order_by(LogEntry.seq)
    )
    found = []
    for number, (seq, kind, ply, told) in enumerate(session.execute(began), start=1):
        first = kind == "started"
        found.append((Turn(number, told["first" if first else "seat"], ply if first else ply + 1), seq))
    return found


def _lines(session: Session, game: Game, seat: int | None, after: int, upto: int) -> tuple[LogLine, ...]:
    """The entries after one number up to another; once the game is over with the value of every bribe."""
    lines = journal.lines(session, game.id, seat, after=after, upto=upto)
    if game.status != "over":
        return lines
    paid = select(LogEntry).where(
        LogEntry.game_id == game.id, LogEntry.kind == "bribed", LogEntry.seq > after, LogEntry.seq <= upto
    )
    open_now = {entry.seq: journal.line(entry, entry.private_seat) for entry in session.scalars(paid)}
    return tuple(open_now.get(line.seq, line) for line in lines)


def _between(lines: Sequence[LogLine], begin: int, end: int) -> tuple[LogLine, ...]:
    return tuple(line for line in lines if begin <= line.seq < end)


def _unnumbered(lines: Sequence[LogLine]) -> tuple[LogLine, ...]:
    """Entries as they leave: from the numbers of the whole log one could tell what is kept from one."""
    return tuple(replace(line, seq=number) for number, line in enumerate(lines, start=1))

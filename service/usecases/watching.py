"""A running game as its page shows it: the board, what happened since, what was said, and whether that is still so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from service.db import reading
from service.errors import not_found
from service.models import Game, LogEntry, Seat
from service.usecases import access, infos, journal, words
from service.usecases.results import Caller, GameView, LogLine

#: A page repeats so many of the newest entries; all of them stand in the log.
_MOST: Final = 150
_TALK: Final = 4


@dataclass(frozen=True)
class Watched:
    """A game as this caller may see it now.

    ``since``: what happened on the board since the caller's last turn, of the turn that is on if it is the caller's and
    has begun; of one who does not play, the newest entries.
    ``said``: the last few things said. ``version`` changes whenever something happens that the caller may see.
    """

    seen: GameView
    since: tuple[LogLine, ...]
    said: tuple[LogLine, ...]
    version: str


def watch(*, caller: Caller | None, game_id: str, now: datetime, from_ply: int | None = None) -> Watched:
    """The game; ``since`` reaches back to ``from_ply``, if that is given and later. Refused as not-found."""
    words.require_reader(caller)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        seen = infos.game_view(session, game, who, now=now)
        if game.status != "playing":
            return Watched(seen, (), (), "")
        own = who.seat_in(game)
        seat = None if own is None else own.number
        return Watched(
            seen,
            since=_since(session, game, own, from_ply),
            said=_said(session, game, seat),
            version=_version(session, game.id, game.ply, seat),
        )


def version(*, caller: Caller | None, game_id: str) -> str:
    """What ``Watched.version`` would be now, at the price of two queries.

    It counts the entries of the log that the caller may read, so it tells no more than the log does.
    """
    words.require_reader(caller)
    user_id = None if caller is None else caller.user_id
    query = (
        select(Game.ply, Game.public, Seat.number)
        .outerjoin(Seat, (Seat.game_id == Game.id) & (Seat.user_id == user_id))
        .where(Game.id == words.game_id(game_id))
    )
    with reading() as session:
        row = session.execute(query).first()
        if row is None:
            raise not_found()
        ply, public = row[0], row[1]
        seat: int | None = row[2]
        if not public and seat is None:
            # Whoever is invited may look as well.
            access.seen(session, access.viewer(session, caller), game_id)
        return _version(session, game_id, ply, seat)


def _version(session: Session, game_id: str, ply: int, seat: int | None) -> str:
    mine = select(func.count()).select_from(LogEntry).where(LogEntry.game_id == game_id, journal.readable(seat))
    return f"{ply}.{session.scalar(mine) or 0}"


def _since(session: Session, game: Game, own: Seat | None, from_ply: int | None) -> tuple[LogLine, ...]:
    seat = None if own is None else own.number
    mine = [LogEntry.game_id == game.id, LogEntry.kind.not_in(journal.TALK), journal.readable(seat)]
    if from_ply is not None and 0 <= from_ply <= game.ply:
        mine += [LogEntry.ply >= from_ply, LogEntry.kind.not_in(journal.BEFORE_PLAY)]
    elif own is not None and game.to_act == seat and game.ply > game.turn_ply:
        # In the middle of a turn of one's own it is that turn which is to be told.
        mine.append(or_(LogEntry.seq > own.acted_seq, LogEntry.ply >= game.turn_ply))
    elif own is not None:
        mine.append(LogEntry.seq > own.acted_seq)
    newest = session.scalars(select(LogEntry).where(*mine).order_by(LogEntry.seq.desc()).limit(_MOST)).all()
    return tuple(journal.line(entry, seat) for entry in reversed(newest))


def _said(session: Session, game: Game, seat: int | None) -> tuple[LogLine, ...]:
    query = select(LogEntry).where(LogEntry.game_id == game.id, LogEntry.kind == "say", journal.readable(seat))
    newest = session.scalars(query.order_by(LogEntry.seq.desc()).limit(_TALK)).all()
    return tuple(journal.line(entry, seat) for entry in reversed(newest))

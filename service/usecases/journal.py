"""The log of a game: one numbered list, of which everyone reads the part that is theirs.

Inside, an entry's number counts them all. Whoever reads the log from outside is given numbers that count what is theirs
to read (``page``, ``shown``): from a number that is missing one could tell that a plan of somebody's has failed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from engine import Event, event_to_json
from service.models import Game, LogEntry
from service.usecases.results import LogLine

#: Kinds of entries that people write.
TALK = ("say", "note")
#: Kinds that tell how a game came about.
BEFORE_PLAY = ("created", "joined", "left", "declined", "started")


def write(
    session: Session,
    game: Game,
    kind: str,
    *,
    now: datetime,
    seat: int | None = None,
    data: Mapping[str, Any] | None = None,
    private: bool = False,
) -> LogEntry:
    """Add an entry of the house (joined, started, say, ...), public or for ``seat`` alone."""
    whole: dict[str, Any] = {**({} if seat is None else {"seat": seat}), **(data or {}), "kind": kind}
    return _add(
        session,
        LogEntry(
            game_id=game.id,
            seq=game.log_seq + 1,
            at=now,
            ply=game.ply,
            kind=kind,
            seat=seat,
            public=None if private else whole,
            private=whole if private else None,
            private_seat=seat if private else None,
        ),
        game,
    )


def write_events(session: Session, game: Game, ply: int, events: Iterable[Event], *, now: datetime) -> None:
    """Add what the engine says happened, with what only one seat may know of it kept apart."""
    for event in events:
        public = event_to_json(event, None)
        own = {seat: told for seat in range(game.players) if (told := event_to_json(event, seat)) != public}
        if len(own) > 1:
            raise AssertionError(f"{public['kind']}: the log holds one private part an entry")
        private_seat, private = next(iter(own.items()), (None, None))
        entry = LogEntry(
            game_id=game.id,
            seq=game.log_seq + 1,
            at=now,
            ply=ply,
            kind=public["kind"],
            seat=public.get("seat"),
            public=public,
            private=private,
            private_seat=private_seat,
        )
        _add(session, entry, game)


def lines(
    session: Session,
    game_id: str,
    seat: int | None,
    *,
    after: int = 0,
    upto: int | None = None,
    talk: int | None = None,
) -> tuple[LogLine, ...]:
    """The entries after ``after`` (up to ``upto``) that this seat (None: a spectator) may read, oldest first.

    ``talk``: of what was said and noted only so many, the newest.
    """
    wanted = [LogEntry.game_id == game_id, LogEntry.seq > after, readable(seat)]
    if upto is not None:
        wanted.append(LogEntry.seq <= upto)
    if talk is not None:
        newest_first = select(LogEntry.seq).where(*wanted, LogEntry.kind.in_(TALK)).order_by(LogEntry.seq.desc())
        too_old = session.scalar(newest_first.offset(talk).limit(1)) or 0
        wanted.append(or_(LogEntry.kind.not_in(TALK), LogEntry.seq > too_old))
    query = select(LogEntry).where(*wanted).order_by(LogEntry.seq)
    return tuple(line(entry, seat) for entry in session.scalars(query))


def page(session: Session, game_id: str, seat: int | None, *, after: int, limit: int) -> tuple[LogLine, ...]:
    """The entries that come after the first ``after`` of those this seat may read, as ``shown`` numbers them."""
    mine = select(LogEntry).where(LogEntry.game_id == game_id, readable(seat)).order_by(LogEntry.seq)
    found = session.scalars(mine.offset(after).limit(limit))
    return tuple(replace(line(entry, seat), seq=number) for number, entry in enumerate(found, start=after + 1))


def count_of(session: Session, game_id: str, kind: str, seat: int | None) -> int:
    """How many entries of a kind this seat (None: a spectator) may read."""
    wanted = (LogEntry.game_id == game_id, LogEntry.kind == kind, readable(seat))
    return session.scalar(select(func.count()).where(*wanted)) or 0


def stretch_of(
    session: Session, game_id: str, kind: str, seat: int | None, *, after: int, upto: int
) -> tuple[LogLine, ...]:
    """Of the entries of a kind that this seat may read, those after the ``after``-th, numbered among themselves."""
    wanted = (LogEntry.game_id == game_id, LogEntry.kind == kind, readable(seat))
    found = session.scalars(select(LogEntry).where(*wanted).order_by(LogEntry.seq).offset(after).limit(upto - after))
    return tuple(replace(line(entry, seat), seq=number) for number, entry in enumerate(found, start=after + 1))


def last_of(session: Session, game_id: str, kind: str, seat: int) -> LogLine | None:
    """The newest entry of a kind that this seat may read, as ``shown`` numbers it."""
    wanted = (LogEntry.game_id == game_id, LogEntry.kind == kind, readable(seat))
    entry = session.scalar(select(LogEntry).where(*wanted).order_by(LogEntry.seq.desc()).limit(1))
    return None if entry is None else shown(session, entry, seat)


def shown(session: Session, entry: LogEntry, seat: int) -> LogLine:
    """An entry as this seat is shown it: numbered from 1 among those that it may read."""
    upto = select(func.count()).where(LogEntry.game_id == entry.game_id, LogEntry.seq <= entry.seq, readable(seat))
    return replace(line(entry, seat), seq=session.scalar(upto) or 0)


def vacate(session: Session, game: Game, seat: int) -> None:
    """The seat was given back: its notes go with whoever wrote them, and what they said is not the next one's."""
    session.execute(
        delete(LogEntry).where(LogEntry.game_id == game.id, LogEntry.private_seat == seat, LogEntry.kind == "note")
    )
    for entry in session.scalars(select(LogEntry).where(LogEntry.game_id == game.id, LogEntry.seat == seat)):
        entry.seat = None
        entry.public = {key: value for key, value in (entry.public or {}).items() if key != "seat"}


def first_of(session: Session, game: Game, kind: str, *, since: int) -> int | None:
    """The number of the first entry of this kind at ply ``since`` or later."""
    query = select(func.min(LogEntry.seq)).where(
        LogEntry.game_id == game.id, LogEntry.kind == kind, LogEntry.ply >= since
    )
    return session.scalar(query)


def first_told(session: Session, game: Game, *, since: int) -> int | None:
    """The number of the first entry, from ply ``since`` on, of what came after the start of the game."""
    query = select(func.min(LogEntry.seq)).where(
        LogEntry.game_id == game.id, LogEntry.ply >= since, LogEntry.kind.not_in(BEFORE_PLAY)
    )
    return session.scalar(query)


def seq_before(session: Session, game: Game, ply: int) -> int:
    """The number of the last entry written before ``ply`` was answered."""
    earlier = select(func.max(LogEntry.seq)).where(LogEntry.game_id == game.id, LogEntry.ply < ply)
    return session.scalar(earlier) or 0


def line(entry: LogEntry, seat: int | None) -> LogLine:
    """An entry as this seat may read it: its own part if it has one, else the public one."""
    own = seat is not None and entry.private_seat == seat
    data = entry.private if own else entry.public
    return LogLine(seq=entry.seq, at=entry.at, ply=entry.ply, kind=entry.kind, seat=entry.seat, data=data or {})


def readable(seat: int | InstrumentedAttribute[int] | None) -> ColumnElement[bool]:
    """The condition that this seat (None: a spectator), or that of a query, may read an entry."""
    public = LogEntry.public.is_not(None)
    return public if seat is None else or_(public, LogEntry.private_seat == seat)


def _add(session: Session, entry: LogEntry, game: Game) -> LogEntry:
    game.log_seq = entry.seq
    session.add(entry)
    return entry

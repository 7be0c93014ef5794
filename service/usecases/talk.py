"""Words in a game: ``say`` to everyone who may see it, ``note`` to oneself. Both stand in the log."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from service.db import reading, transaction
from service.usecases import access, journal, promises, words
from service.usecases.results import GAMES_PLAY, Caller, LogLine

TalkKind = Literal["say", "note"]
#: The same words again within this time, with nothing said in between, are a form that was sent twice.
TWICE: Final = timedelta(minutes=1)


@dataclass(frozen=True)
class Talk:
    """A stretch of what was said, or noted, oldest first: of ``total`` in all, those up to the ``upto``-th.

    The entries' ``seq`` counts what is of their kind and the reader's to read, from 1.
    """

    lines: tuple[LogLine, ...]
    upto: int
    total: int


def said(*, caller: Caller | None, game_id: str, kind: TalkKind, upto: int | None = None, limit: int = 30) -> Talk:
    """What was said in a game, or what the caller noted, up to the ``upto``-th entry (None: the newest)."""
    words.require_reader(caller)
    with reading() as session:
        who = access.viewer(session, caller)
        game = access.seen(session, who, game_id)
        own = who.seat_in(game)
        seat = None if own is None else own.number
        total = journal.count_of(session, game.id, kind, seat)
        last = total if upto is None else min(max(upto, 0), total)
        lines = journal.stretch_of(session, game.id, kind, seat, after=max(last - words.limit(limit), 0), upto=last)
        return Talk(lines, last, total)


def say(*, caller: Caller, game_id: str, text: str, once: bool = False, now: datetime) -> LogLine:
    """Say something to everyone who may see the game; ``once``: not if it is what was just said (``TWICE``)."""
    return _write(caller, game_id, "say", text, once, now)


def note(*, caller: Caller, game_id: str, text: str, once: bool = False, now: datetime) -> LogLine:
    """Write something down that only you will see; ``once`` as in ``say``."""
    return _write(caller, game_id, "note", text, once, now)


def _write(caller: Caller, game_id: str, kind: TalkKind, text: str, once: bool, now: datetime) -> LogLine:
    words.require(caller, GAMES_PLAY)
    spoken = words.talk(text)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        seat = access.own_seat(game, who).number
        if once:
            last = journal.last_of(session, game.id, kind, seat)
            if last is not None and last.seat == seat and last.data["text"] == spoken and last.at > now - TWICE:
                return last
        entry = journal.write(session, game, kind, seat=seat, data={"text": spoken}, private=kind == "note", now=now)
        if kind == "say":
            promises.tell_more(session, game)
        return journal.shown(session, entry, seat)

"""Words in a game: ``say`` to everyone who may see it, ``note`` to oneself. Both stand in the log."""

from datetime import datetime

from service.db import transaction
from service.usecases import access, journal, promises, words
from service.usecases.results import GAMES_PLAY, Caller, LogLine


def say(*, caller: Caller, game_id: str, text: str, now: datetime) -> LogLine:
    """Say something to everyone who may see the game."""
    return _write(caller, game_id, "say", text, now)


def note(*, caller: Caller, game_id: str, text: str, now: datetime) -> LogLine:
    """Write something down that only you will see."""
    return _write(caller, game_id, "note", text, now)


def _write(caller: Caller, game_id: str, kind: str, text: str, now: datetime) -> LogLine:
    words.require(caller, GAMES_PLAY)
    said = words.talk(text)
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        seat = access.own_seat(game, who).number
        entry = journal.write(session, game, kind, seat=seat, data={"text": said}, private=kind == "note", now=now)
        if kind == "say":
            promises.tell_more(session, game)
        return journal.shown(session, entry, seat)

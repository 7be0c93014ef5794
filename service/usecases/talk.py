"""Words in a game: ``say`` to everyone who may see it, ``note`` to oneself."""

from datetime import datetime

from service.usecases.results import Caller, LogLine


def say(*, caller: Caller, game_id: str, text: str, now: datetime) -> LogLine:
    """Say something to everyone who may see the game."""
    raise NotImplementedError


def note(*, caller: Caller, game_id: str, text: str, now: datetime) -> LogLine:
    """Write something down that only you will see."""
    raise NotImplementedError

"""Looking: a game as one may see it, its log, whose turn it is, the record. Nothing here writes."""

from typing import Any

from service.usecases.results import Caller, GameView, Health, LogLine, Page, Turn


def game_view(*, caller: Caller | None, game_id: str) -> GameView:
    """The game as this caller (None: a stranger) may see it."""
    raise NotImplementedError


def etag(*, caller: Caller | None, game_id: str) -> str:
    """What ``game_view`` would give as its etag, for less work."""
    raise NotImplementedError


def events(*, caller: Caller | None, game_id: str, after: int = 0, limit: int = 100) -> Page[LogLine]:
    """The log after entry ``after``, oldest first, as this caller may see it; ``next`` is the last seq looked at."""
    raise NotImplementedError


def turns(*, caller: Caller, after: str | None = None, limit: int = 20) -> Page[Turn]:
    """The games that wait for the caller, most urgent first: by deadline, then by how long they have waited."""
    raise NotImplementedError


def record(*, caller: Caller | None, game_id: str) -> dict[str, Any]:
    """The whole game as an emerald-record/1, once it is over."""
    raise NotImplementedError


def health() -> Health:
    """The numbers that only the database has; an answer means that the database answers."""
    raise NotImplementedError

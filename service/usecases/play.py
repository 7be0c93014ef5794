"""The one gate for moves."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from service.usecases.results import Answer, Caller


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
    raise NotImplementedError

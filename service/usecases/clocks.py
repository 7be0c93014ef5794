"""Time that ran out."""

from datetime import datetime
from typing import Literal


def time_out(*, game_id: str, ply: int, now: datetime) -> Literal["played", "stale"]:
    """Have a steady bot play the turn that came to a person at ``ply`` (a ``clock.timeout`` row), if it is too late."""
    raise NotImplementedError

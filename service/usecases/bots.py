"""A bot's turn."""

from datetime import datetime
from typing import Literal


def think_and_play(*, game_id: str, ply: int, now: datetime) -> Literal["played", "stale"]:
    """Play the whole turn that came to a bot's seat at ``ply`` (a ``bot.turn`` row), thinking outside transactions."""
    raise NotImplementedError

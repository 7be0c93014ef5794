"""A bot's turn."""

from datetime import datetime

from service.models import Game, Seat
from service.usecases.stand_in import Outcome, play_turn


def think_and_play(*, game_id: str, ply: int, now: datetime) -> Outcome:
    """Play the whole turn that came to a bot's seat at ``ply`` (a ``bot.turn`` row), thinking outside transactions."""
    return play_turn(game_id=game_id, ply=ply, by="bot", wanted=_level, now=now)


def _level(game: Game, seat: Seat) -> str | None:
    return seat.bot_level if seat.bot else None

"""Time that ran out."""

from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from service.models import Game, Seat
from service.usecases import journal
from service.usecases.stand_in import STAND_IN, Outcome, play_turn


def time_out(*, game_id: str, ply: int, now: datetime) -> Outcome | Literal["early"]:
    """Have a steady bot play the turn that came to a person at ``ply`` (a ``clock.timeout`` row), if it is too late.

    The person keeps the seat and is told what was played (the mail ``moved_for_you``). "early": the turn is on and its
    time not over, because the clock of whoever handed the row out is ahead of ours. Ask again later.
    """
    early = False

    def level(game: Game, seat: Seat) -> str | None:
        nonlocal early
        if game.deadline is None or not seat.person:
            return None
        early = now < game.deadline
        return None if early else STAND_IN

    def note(session: Session, game: Game, seat: Seat) -> None:
        if journal.first_of(session, game, "timed_out", since=game.turn_ply) is None:
            journal.write(session, game, "timed_out", seat=seat.number, now=now)

    outcome = play_turn(game_id=game_id, ply=ply, by="clock", wanted=level, now=now, before=note)
    return "early" if early else outcome

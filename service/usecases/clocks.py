"""Time that ran out."""

from datetime import datetime

from sqlalchemy.orm import Session

from service.models import Game, Seat
from service.usecases import journal
from service.usecases.stand_in import STAND_IN, Outcome, play_turn


def time_out(*, game_id: str, ply: int, now: datetime) -> Outcome:
    """Have a steady bot play the turn that came to a person at ``ply`` (a ``clock.timeout`` row), if it is too late.

    The person keeps the seat and is told what was played (the mail ``moved_for_you``).
    """

    def level(game: Game, seat: Seat) -> str | None:
        late = game.deadline is not None and now >= game.deadline
        return STAND_IN if late and seat.person else None

    def note(session: Session, game: Game, seat: Seat) -> None:
        if journal.first_of(session, game, "timed_out", since=game.turn_ply) is None:
            journal.write(session, game, "timed_out", seat=seat.number, now=now)

    return play_turn(game_id=game_id, ply=ply, by="clock", wanted=level, now=now, before=note)

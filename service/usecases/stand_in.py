"""A bot plays out a turn: for its own seat, or for a person whose time is up.

It thinks from the view of its seat and outside of any transaction, one decision at a time; each decision is made by
the one gate, if the game is still where it was when the thinking began. A worker killed in between has cost nothing
but time: the turn is picked up where it stands.
"""

import random
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from engine import Action, view
from engine.bots import LEVELS
from service.db import reading, transaction
from service.errors import NOT_FOUND, Refusal
from service.models import Game, Seat
from service.usecases import access, infos, play

Outcome = Literal["played", "stale"]
#: The level that moves for a person: one who resigned, or whose time is up.
STAND_IN = "steady"
#: Seconds to think about one decision.
BUDGET = 0.5
#: More decisions than any turn has, and room for a few that someone else was faster with.
LONGEST_TURN = 32

Wanted = Callable[[Game, Seat], str | None]
"""The level that is to move for this seat now; None: nobody is."""


def play_turn(
    *,
    game_id: str,
    ply: int,
    by: play.By,
    wanted: Wanted,
    now: datetime,
    before: Callable[[Session, Game, Seat], None] | None = None,
) -> Outcome:
    """Play all decisions of the turn that came to a seat at ``ply``; "stale" if there was none to make.

    ``before`` is called in the transaction of each decision, ahead of it.
    """
    outcome: Outcome = "stale"
    for _ in range(LONGEST_TURN):
        look = _look(game_id, ply, wanted)
        if look is None:
            break
        at, action = look
        with transaction() as session:
            game = access.locked(session, game_id)
            seat = _seat(game, ply)
            if seat is None or wanted(game, seat) is None or game.ply != at:
                continue
            if before is not None:
                before(session, game, seat)
            play.accept(session, game, seat=seat.number, ply=at, actions=(action,), by=by, now=now)
        outcome = "played"
    return outcome


def _look(game_id: str, ply: int, wanted: Wanted) -> tuple[int, Action] | None:
    """The ply that is open and what the bot would do there; None if this turn is not a bot's to play (any more)."""
    with reading() as session:
        try:
            game = access.find(session, game_id)
        except Refusal as refusal:
            if refusal.code != NOT_FOUND:
                raise
            return None
        seat = _seat(game, ply)
        level = None if seat is None else wanted(game, seat)
        position = infos.position_of(game)
        if seat is None or level is None or position is None:
            return None
        seen, at = view(position, seat.number), game.ply
    # Its own luck, not the game's: nobody can foresee the bot from the seed, nor the seed from the bot.
    rng = random.Random(secrets.randbits(128))  # noqa: S311
    return at, LEVELS[level](seen, seen.legal, BUDGET, rng)


def _seat(game: Game, ply: int) -> Seat | None:
    """The seat whose turn began at ``ply``, if that turn is still on."""
    if game.status != "playing" or game.turn_ply != ply or game.to_act is None:
        return None
    return game.seats[game.to_act]

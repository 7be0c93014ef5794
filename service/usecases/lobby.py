"""Games before they start and when they are left: create, browse, join, leave, decline, cancel, resign, rematch."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from service.usecases.results import Caller, GameInfo, Page, SeatSpec


def create_game(
    *,
    caller: Caller,
    seats: Sequence[SeatSpec],
    public: bool = True,
    first: Literal["random"] | int = "random",
    entropy: str = "",
    days_per_move: int | None = None,
    now: datetime,
) -> str:
    """A new game; its id. It starts at once when no seat is left to fill."""
    raise NotImplementedError


def browse(
    *, caller: Caller | None = None, status: str = "waiting", after: str | None = None, limit: int = 20
) -> Page[GameInfo]:
    """Public games in this status, newest first."""
    raise NotImplementedError


def my_games(
    *, caller: Caller, status: str | None = None, after: str | None = None, limit: int = 20
) -> Page[GameInfo]:
    """Games the caller sits in, newest first. ``status``: one of a game's, or "invited" for open invitations."""
    raise NotImplementedError


def join(
    *, caller: Caller, game_id: str, seat: int | None = None, entropy: str = "", code: str | None = None, now: datetime
) -> None:
    """Take a seat: the one you are invited to, else the open one you name, else the first open one."""
    raise NotImplementedError


def leave(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Give the seat back before the start. The creator's leaving cancels the game."""
    raise NotImplementedError


def decline(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Turn an invitation down: the seat is open then."""
    raise NotImplementedError


def cancel(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Call the game off before it starts; its creator only."""
    raise NotImplementedError


def resign(*, caller: Caller, game_id: str, now: datetime) -> None:
    """Hand the seat to a steady bot for the rest of the game."""
    raise NotImplementedError


def rematch(*, caller: Caller, game_id: str, now: datetime) -> str:
    """The id of the one rematch of a finished game: made by the first player who asks, the same for all after."""
    raise NotImplementedError

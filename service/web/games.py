"""What every page about one game needs of it: its players' names, its title, where its chapters are."""

from __future__ import annotations

from collections.abc import Sequence

from service.clock import now
from service.i18n import gettext as _
from service.i18n.dates import listed
from service.pictures.names import bot_name
from service.usecases import queries
from service.usecases.results import GameInfo, GameView
from service.web.visitor import visitor


def seen(game_id: str) -> GameView:
    """The game as the visitor may see it. Refused as not-found if they may not."""
    return queries.game_view(caller=visitor().caller, game_id=game_id, now=now())


def names(info: GameInfo) -> tuple[str, ...]:
    """What to call every seat."""
    return tuple(
        seat.name
        or (bot_name(seat.number) if seat.kind == "bot" else _("Seat {number}").format(number=seat.number + 1))
        for seat in info.seats
    )


def title(info: GameInfo) -> str:
    """A game is called by whom one plays with: ``You, Bert and Bot 3``."""
    shown: Sequence[str] = [_("You") if seat.you else name for seat, name in zip(info.seats, names(info), strict=True)]
    return listed(sorted(shown, key=lambda name: name != _("You")))

"""What every page about one game needs of it: what its players are called, its title."""

from __future__ import annotations

from service.clock import now
from service.i18n import gettext as _
from service.i18n.dates import listed
from service.usecases import queries
from service.usecases.infos import names
from service.usecases.results import GameInfo, GameView
from service.web.visitor import visitor

__all__ = ["names", "seen", "title"]


def seen(game_id: str) -> GameView:
    """The game as the visitor may see it. Refused as not-found if they may not."""
    return queries.game_view(caller=visitor().caller, game_id=game_id, now=now())


def title(info: GameInfo) -> str:
    """A game is called by whom one plays with: ``You, Bert and Bot 3``."""
    shown = [_("You") if seat.you else name for seat, name in zip(info.seats, names(info), strict=True)]
    return listed(sorted(shown, key=lambda name: name != _("You")))

"""The seats of a running game as its page shows them: what lies open, and of the viewer's own seat the hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine import COLORS, GEMS, View, colors_of
from service.i18n import gettext as _
from service.usecases.results import GameInfo, SeatInfo


@dataclass(frozen=True)
class Count:
    """So many of a thing: the name of its shape in the picture of the board, and what it is called."""

    shape: str
    words: str
    number: int


@dataclass(frozen=True)
class SeatRow:
    """One seat. ``hand`` is None where it may not be seen; ``away`` is told to those who sit in the game."""

    name: str
    you: bool
    acts: bool
    knights: tuple[Count, ...]
    cards: tuple[Count, ...]
    hand: tuple[int, ...] | None
    tags: tuple[str, ...]
    away: datetime | None


def rows(info: GameInfo, seen: View, names: Sequence[str]) -> list[SeatRow]:
    """All seats, in seat order."""
    return [
        SeatRow(
            name=names[seat.number],
            you=seat.you,
            acts=seat.number == seen.to_act,
            knights=tuple(
                Count(f"k{color}", _(COLORS[color]), len(seen.knights[color]))
                for color in colors_of(seen.players, seat.number)
            ),
            cards=tuple(_cards(seen, seat.number)),
            hand=seen.hands[seat.number] if seat.you else None,
            tags=tuple(_tags(seat)),
            away=seat.away_until,
        )
        for seat in info.seats
    ]


def _cards(seen: View, seat: int) -> Iterator[Count]:
    for gem, count in enumerate(seen.gems[seat]):
        yield Count(f"g{gem}", _(GEMS[gem]), count)
    yield Count("gold", _("gold cards"), seen.hand_counts[seat])
    yield Count("box", _("treasures"), seen.treasures[seat])
    yield Count("bonus", _("bonus cards"), int(seen.four_gems == seat))


def _tags(seat: SeatInfo) -> Iterator[str]:
    if seat.you:
        yield _("you")
    if seat.kind == "bot":
        yield _("bot")
    elif seat.resigned:
        yield _("resigned, a bot plays")
    elif seat.held:
        yield _("a bot holds the seat")
    if seat.mail_failing_since is not None:
        yield _("mail does not arrive")

"""The seats below the board: for each its knights, open gems, counts of cards, and the gold its reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from engine import OVER, View, colors_of
from engine.scoring import Result, majority
from service.i18n import gettext as _
from service.i18n import ngettext
from service.pictures.ending import ending
from service.pictures.layout import BOARD_BOTTOM, WIDTH
from service.pictures.marks import label, path, rect, use
from service.pictures.palette import Paint

_ROW_H: Final = 66
_HAND_H: Final = 42
_MARGIN: Final = 8
_GEMS_X: Final = 224
_GEM_STEP: Final = 50
_GOLD_X, _BOX_X, _BONUS_X = 434, 497, 560
_HAND_X: Final = 104
_HAND_STEP: Final = 34.0
_HAND_ROOM: Final = 374
"""So far apart lie the first and the last card at most: what is right of them is for the points."""


def _shows_hand(view: View, seat: int) -> bool:
    return seat == view.viewer or view.phase == OVER or bool(view.hands[seat])


def _height(view: View, seat: int) -> int:
    return _ROW_H + (_HAND_H if _shows_hand(view, seat) else 0)


def seats_height(view: View) -> int:
    """How much room the seats take below the board."""
    return sum(_height(view, seat) + _MARGIN for seat in range(view.players)) + _MARGIN


def bonus_cards(view: View, seat: int) -> int:
    """The bonus cards of a seat: four different gems during the game, the majorities at its end (R-CARD-4, R-END-3)."""
    won = majority(view.gems).count(seat) if view.phase == OVER else 0
    return won + (view.four_gems == seat)


def _hand(view: View, seat: int, y: float, paint: Paint) -> str:
    hand = view.hands[seat] or ()
    step = min(_HAND_STEP, _HAND_ROOM / max(len(hand), 1))
    cards = "".join(
        rect(_HAND_X + step * i, y - 16, 28, 34, paint("card", "card-edge", 1.6), rx=4)
        + label(_HAND_X + 14 + step * i, y + 8, 22, str(card), paint("card-ink"))
        for i, card in enumerate(hand)
    )
    if seat == view.viewer:
        words = _("your gold") if hand else _("your gold: none")
    else:
        words = _("gold") if hand else _("gold: none")
    return label(22, y + 6, 18, words, paint("soft"), bold=False, middle=False) + cards


def _counted(shape: str, x: float, y: float, count: int, paint: Paint, *, scale: float = 1, gap: float = 15) -> str:
    """A shape and how many of it; faded where there is none."""
    icon = use(shape, x, y, scale)
    number = label(x + gap, y + 8, 22, str(count), paint("ink" if count else "soft"), bold=count > 0, middle=False)
    return (icon if count else f'<g opacity=".35">{icon}</g>') + number


def _open_cards(view: View, seat: int, y: float, paint: Paint) -> str:
    gems = (
        _counted(f"g{gem}", _GEMS_X + _GEM_STEP * gem, y, count, paint) for gem, count in enumerate(view.gems[seat])
    )
    return (
        "".join(gems)
        + _counted("gold", _GOLD_X, y, view.hand_counts[seat], paint)
        + _counted("box", _BOX_X, y, view.treasures[seat], paint, scale=0.62, gap=20)
        + _counted("bonus", _BONUS_X, y, bonus_cards(view, seat), paint, gap=16)
    )


def _points(number: int, y: float, paint: Paint) -> str:
    words = ngettext("{number} point", "{number} points", number).format(number=number)
    look = f'{paint("ink")} text-anchor="end"'
    return label(WIDTH - 20, y, 22, words, look, middle=False)


def _seat(view: View, seat: int, name: str, top: float, paint: Paint, result: Result | None) -> str:
    acts = view.to_act == seat
    won = result is not None and seat in result.winners
    card = paint("turn", "banner", 2.5) if acts or won else paint("paper", "line", 1.5)
    knights = "".join(
        use(f"k{color}", 33 + 62 * i, top + 47, 0.82)
        + label(47 + 62 * i, top + 53, 19, str(len(view.knights[color])), paint("ink"), bold=False, middle=False)
        for i, color in enumerate(colors_of(view.players, seat))
    )
    return (
        rect(_MARGIN, top, WIDTH - 2 * _MARGIN, _height(view, seat), card, rx=10)
        + (path(f"M16 {top + 13:g}l12 8l-12 8Z", paint("ink")) if acts else "")
        + (use("crown", 33, top + 22) if won else "")
        + label(54 if won else 34 if acts else 20, top + 28, 21, escape(name), paint("ink"), middle=False)
        + knights
        + _open_cards(view, seat, top + _ROW_H / 2, paint)
        + (_hand(view, seat, top + _ROW_H + 16, paint) if _shows_hand(view, seat) else "")
        + (_points(result.scores[seat], top + _height(view, seat) - 18, paint) if result else "")
    )


def seats_panel(view: View, names: Sequence[str], paint: Paint) -> str:
    """All seats, in seat order."""
    parts = []
    result = ending(view)
    top = BOARD_BOTTOM + _MARGIN
    for seat in range(view.players):
        parts.append(_seat(view, seat, names[seat], top, paint, result))
        top += _height(view, seat) + _MARGIN
    return "".join(parts)

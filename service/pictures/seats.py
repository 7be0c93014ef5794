"""The seats below the board: for each its knights, open gems, counts of cards, and the gold its reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from engine import OVER, View, colors_of
from engine.scoring import majority
from service.pictures.layout import BOARD_BOTTOM, WIDTH
from service.pictures.palette import Paint

_ROW_H = 66
_HAND_H = 42
_MARGIN = 8
_GEMS_X = 224
_GEM_STEP = 50
_GOLD_X, _CHEST_X, _BONUS_X = 434, 497, 560
_HAND_STEP = 34
_HAND_ROOM = 15
"""So many cards lie side by side; more lie closer together."""


def _shows_hand(view: View, seat: int) -> bool:
    return seat == view.viewer or bool(view.hands[seat])


def seats_height(view: View) -> int:
    """How much room the seats take below the board."""
    rows = sum(_ROW_H + (_HAND_H if _shows_hand(view, seat) else 0) for seat in range(view.players))
    return rows + _MARGIN * (view.players + 1)


def bonus_cards(view: View, seat: int) -> int:
    """The bonus cards of a seat: four different gems during the game, the majorities at its end (R-CARD-4, R-END-3)."""
    won = majority(view.gems).count(seat) if view.phase == OVER else 0
    return won + (view.four_gems == seat)


def _hand(view: View, seat: int, y: float, paint: Paint) -> str:
    hand = view.hands[seat] or ()
    step = _HAND_STEP if len(hand) <= _HAND_ROOM else _HAND_STEP * _HAND_ROOM / len(hand)
    whose = "your gold" if seat == view.viewer else "gold"
    if not hand:
        whose += ": none"
    cards = "".join(
        f'<rect x="{104 + step * i:g}" y="{y - 16:g}" width="28" height="34" rx="4" {paint("card", "card-edge", 1.6)}/>'
        f'<text x="{118 + step * i:g}" y="{y + 8:g}" font-size="22" font-weight="bold" text-anchor="middle" {paint("card-ink")}>{card}</text>'
        for i, card in enumerate(hand)
    )
    return f'<text x="22" y="{y + 6:g}" font-size="18" {paint("soft")}>{whose}</text>{cards}'


def _number(x: float, y: float, number: int, paint: Paint) -> str:
    role = "ink" if number else "soft"
    weight = ' font-weight="bold"' if number else ""
    return f'<text x="{x:g}" y="{y + 8:g}" font-size="22"{weight} {paint(role)}>{number}</text>'


def _seat(view: View, seat: int, name: str, top: float, paint: Paint) -> str:
    acts = view.to_act == seat
    height = _ROW_H + (_HAND_H if _shows_hand(view, seat) else 0)
    middle = top + _ROW_H / 2
    colors = colors_of(view.players, seat)
    shields = "".join(
        f'<use href="#e-k{color}" transform="translate({33 + 62 * i} {top + 47}) scale(.82)"/>'
        f'<text x="{47 + 62 * i}" y="{top + 53:g}" font-size="19" {paint("ink")}>{len(view.knights[color])}</text>'
        for i, color in enumerate(colors)
    )
    gems = "".join(
        f'<g opacity="{1 if count else 0.35:g}"><use href="#e-g{gem}" x="{_GEMS_X + _GEM_STEP * gem}" y="{middle:g}"/></g>'
        f"{_number(_GEMS_X + 15 + _GEM_STEP * gem, middle, count, paint)}"
        for gem, count in enumerate(view.gems[seat])
    )
    shown = f'<path d="M16 {top + 13:g}l12 8l-12 8Z" {paint("ink")}/>' if acts else ""
    return (
        f'<rect x="{_MARGIN}" y="{top:g}" width="{WIDTH - 2 * _MARGIN}" height="{height}" rx="10" {paint("turn" if acts else "paper", "banner" if acts else "line", 2.5 if acts else 1.5)}/>'
        f'{shown}<text x="{34 if acts else 20}" y="{top + 28:g}" font-size="21" font-weight="bold" {paint("ink")}>{escape(name)}</text>'
        f"{shields}{gems}"
        f'<use href="#e-gold" x="{_GOLD_X}" y="{middle:g}"/>{_number(_GOLD_X + 15, middle, view.hand_counts[seat], paint)}'
        f'<use href="#e-chest" transform="translate({_CHEST_X} {middle:g}) scale(.62)"/>{_number(_CHEST_X + 20, middle, view.treasures[seat], paint)}'
        f'<use href="#e-bonus" x="{_BONUS_X}" y="{middle:g}"/>{_number(_BONUS_X + 16, middle, bonus_cards(view, seat), paint)}'
        f"{_hand(view, seat, top + _ROW_H + 16, paint) if _shows_hand(view, seat) else ''}"
    )


def seats_panel(view: View, names: Sequence[str], paint: Paint) -> str:
    """All seats, in seat order."""
    parts = []
    top: float = BOARD_BOTTOM + _MARGIN
    for seat in range(view.players):
        parts.append(_seat(view, seat, names[seat], top, paint))
        top += _ROW_H + (_HAND_H if _shows_hand(view, seat) else 0) + _MARGIN
    return "".join(parts)

"""A View as an SVG picture: everything on the table that its reader may see, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from engine import TO_CASTLE, View
from service.pictures.layout import (
    BOARD_BOTTOM,
    BOXES,
    CHAMBER_SLOTS,
    GEM_X,
    GOLD_X,
    NEST,
    RAIL_X,
    STONE_H,
    STONE_W,
    WIDTH,
    Box,
    cave_x,
    cave_y,
    pack,
)
from service.pictures.names import seat_names
from service.pictures.palette import Paint, Theme, dark_rules
from service.pictures.scenery import scenery
from service.pictures.seats import seats_height, seats_panel
from service.pictures.shapes import definitions
from service.pictures.text import board_lines, headline, standing

FONT = "Source Sans Pro"
_FAMILIES = f"'{FONT}','Source Sans 3',Lato,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
_BANNER_NAME = 18
_SEAT_NAME = 15


def _knights(counts: Sequence[int], box: Box, number: str, moved: Collection[int] = ()) -> str:
    """Knights of every colour on one space, each colour once with its number; those moved this turn are underlined.

    ``number`` holds the attributes for the numbers, ``moved`` the colours that have moved to this space.
    """
    parts = []
    for token in pack(box, [(color, count) for color, count in enumerate(counts) if count]):
        many = (
            f'<text x="15.500" y="7" font-size="20" font-weight="bold" {number}>{token.count}</text>'
            if token.count > 1
            else ""
        )
        trail = (
            f'<path d="M-11 18H11" {number} stroke="#1c1a18" stroke-width="3" stroke-linecap="round"/>'
            if token.color in moved
            else ""
        )
        parts.append(
            f'<g transform="translate({token.x:g} {token.y:g}) scale({token.scale:.3g})"><use href="#e-k{token.color}"/>{many}{trail}</g>'
        )
    return "".join(parts)


def _all_knights(view: View, paint: Paint) -> str:
    moved: dict[int, list[int]] = {}
    for color, at in view.moved:
        moved.setdefault(at, []).append(color)
    on_board = "".join(
        _knights(standing(view, space), box, 'fill="#1c1a18"', moved.get(space, ())) for space, box in enumerate(BOXES)
    )
    return _knights(view.nest, NEST, paint("rock-ink")) + on_board


def _pile(x: float, y: float, left: int, face: str, paint: Paint, role: str) -> str:
    """A pile of cards: an edge for every card beneath, the face of the top one, and how many lie beneath."""
    if not left:
        return f'<rect x="{x - 29:g}" y="{y - 20:g}" width="58" height="40" rx="6" {paint(None, "stone-edge", 1.5)} stroke-dasharray="4 5" opacity=".45"/>'
    beneath = "".join(
        f'<rect x="{x - 29 + 4 * depth:g}" y="{y - 20 + 3 * depth:g}" width="58" height="40" rx="6" {paint("beneath", "rock-dark", 1.2)}/>'
        for depth in range(left - 1, 0, -1)
    )
    count = (
        f'<text x="{x + 40:g}" y="{y + 5:g}" font-size="16.500" {paint("rock-ink")}>+{left - 1}</text>'
        if left > 1
        else ""
    )
    return f'{beneath}<rect x="{x - 29:g}" y="{y - 20:g}" width="58" height="40" rx="6" {paint(role, role + "-edge", 1.8)}/>{face}{count}'


def _cards(view: View, paint: Paint) -> str:
    parts = []
    for index in range(9):
        y = cave_y(index + 1)
        coin = (
            f'<circle cx="{GOLD_X}" cy="{y:g}" r="16.500" {paint(None, "card-edge", 1.5)}/>'
            f'<text x="{GOLD_X}" y="{y + 9:g}" font-size="27" font-weight="bold" text-anchor="middle" {paint("card-ink")}>{view.gold_up[index]}</text>'
        )
        gem = f'<use href="#e-g{view.gem_up[index]}" transform="translate({GEM_X} {y:g}) scale(1.250)"/>'
        parts.append(_pile(GOLD_X, y, view.gold_left[index], coin, paint, "card"))
        parts.append(_pile(GEM_X, y, view.gem_left[index], gem, paint, "gemcard"))
    return "".join(parts)


def _rail(view: View, paint: Paint) -> str:
    """The rail with its sleepers, and a bright rim round each of the four spaces beside it."""
    first, last = view.rail, view.rail + 3
    top, bottom = cave_y(first) - 22, cave_y(last) + 22
    sleepers = "".join(f"M{RAIL_X - 15} {y:g}h30" for y in _steps(top + 5, bottom - 5, 12))
    rims = "".join(
        f'<rect x="{cave_x(cave) - STONE_W / 2:g}" y="{cave_y(cave) - STONE_H / 2:g}" width="{STONE_W}" height="{STONE_H}" rx="20" {paint(None, "beside", 4)}/>'
        f'<path d="M{cave_x(cave) + STONE_W / 2 + 2:g} {cave_y(cave):g}H{RAIL_X - 12}" {paint(None, "beside", 3)} stroke-dasharray="3 5"/>'
        for cave in range(first, last + 1)
    )
    return (
        f'{rims}<path d="{sleepers}" {paint(None, "sleeper", 4)}/>'
        f'<path d="M{RAIL_X - 9} {top:g}V{bottom:g}M{RAIL_X + 9} {top:g}V{bottom:g}" {paint(None, "beside", 4)}/>'
        f'<path d="M{RAIL_X - 17} {top:g}h34M{RAIL_X - 17} {bottom:g}h34" {paint(None, "beside", 5)} stroke-linecap="round"/>'
    )


def _steps(start: float, stop: float, step: float) -> list[float]:
    return [start + step * i for i in range(int((stop - start) // step) + 1)]


def _dragon(view: View) -> str:
    turn = "" if view.facing == TO_CASTLE else " rotate(180)"
    # the arrow ahead of the head says the heading to those who see a small picture only
    return (
        f'<g transform="translate({RAIL_X} {cave_y(view.dragon):g}){turn}"><use href="#e-arrow" y="-54"/>'
        '<use href="#e-dragon" transform="scale(.96)"/></g>'
    )


def _chamber(view: View, paint: Paint) -> str:
    """Each treasure space shows its treasure, or the knight that came for it."""
    arrived = [color for color, count in enumerate(view.chamber) for _ in range(count)]
    parts = []
    for index, slot in enumerate(CHAMBER_SLOTS):
        if index < len(arrived):
            parts.append(
                f'<rect x="{slot.x - 22:g}" y="{slot.y - 24:g}" width="44" height="50" rx="8" {paint("plaque")}/>'
                f'<use href="#e-k{arrived[index]}" x="{slot.x:g}" y="{slot.y:g}"/>'
            )
        else:
            parts.append(f'<use href="#e-chest" transform="translate({slot.x:g} {slot.y:g}) scale(1.150)"/>')
    return "".join(parts)


def _described(view: View, names: Sequence[str]) -> str:
    title = escape(f"Emerald: {headline(view, names)}")
    told = escape(" ".join(f"{head}: {' '.join(lines)}" for head, lines in board_lines(view, names)))
    return f'<title id="emerald-title">{title}</title><desc id="emerald-desc">{told}</desc>'


def board_svg(view: View, names: Sequence[str], *, theme: Theme = "light") -> str:
    """The picture as one ``<svg>`` element, to stand alone or within a page.

    ``theme="auto"`` adds a style that follows the reader's dark setting; ``light`` and ``dark`` need no
    style at all, so they also pass where a page forbids inline styles.
    """
    paint = Paint(theme)
    shown = seat_names(names, view.players, _SEAT_NAME)
    height = BOARD_BOTTOM + seats_height(view)
    style = f"<style>@media (prefers-color-scheme:dark){{{dark_rules()}}}</style>" if theme == "auto" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-labelledby="emerald-title emerald-desc" font-family="{_FAMILIES}">'
        f"{_described(view, names)}{style}{definitions(theme)}"
        f'<rect width="{WIDTH}" height="{height}" {paint("paper")}/>{scenery(theme)}'
        f'<text x="{WIDTH / 2:g}" y="31" font-size="23" font-weight="bold" text-anchor="middle" {paint("banner-ink")}>'
        f"{escape(headline(view, names, _BANNER_NAME))}</text>"
        f"{_rail(view, paint)}{_cards(view, paint)}{_chamber(view, paint)}{_all_knights(view, paint)}"
        f"{_dragon(view)}{seats_panel(view, shown, paint)}</svg>"
    )

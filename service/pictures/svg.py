"""A View as an SVG picture: everything on the table that its reader may see, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from engine import TO_CASTLE, View
from service.pictures.knights import draw_knights, places
from service.pictures.layout import (
    BANNER_H,
    BOARD_BOTTOM,
    CARD_H,
    CARD_W,
    CHAMBER_SLOTS,
    GEM_X,
    GOLD_X,
    RAIL_X,
    STONE_W,
    WIDTH,
    cave_x,
    cave_y,
)
from service.pictures.marks import circle, label, path, rect, use
from service.pictures.names import seat_names
from service.pictures.palette import Paint, Theme, dark_rules
from service.pictures.scenery import scenery, stone
from service.pictures.seats import seats_height, seats_panel
from service.pictures.shapes import definitions
from service.pictures.spots import Spot, leaving, rimmed, spots_layer
from service.pictures.text import board_lines, headline

FONT: Final = "Source Sans Pro"
_FAMILIES: Final = f"'{FONT}','Source Sans 3',Lato,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
_IDENT: Final = "e"
_BANNER_NAME: Final = 18
_SEAT_NAME: Final = 15


def _pile(x: float, y: float, left: int, face: str, role: str, paint: Paint) -> str:
    """A pile of cards: an edge for every card beneath, the face of the top one, and how many lie beneath."""
    left_edge, top_edge = x - CARD_W / 2, y - CARD_H / 2
    if not left:
        bare = f'{paint(None, "stone-edge", 1.5)} stroke-dasharray="4 5" opacity=".45"'
        return rect(left_edge, top_edge, CARD_W, CARD_H, bare, rx=6)
    beneath = "".join(
        rect(left_edge + 4 * depth, top_edge + 3 * depth, CARD_W, CARD_H, paint("beneath", "rock-dark", 1.2), rx=6)
        for depth in range(left - 1, 0, -1)
    )
    top = rect(left_edge, top_edge, CARD_W, CARD_H, paint(role, f"{role}-edge", 1.8), rx=6)
    more = label(x + 41, y + 5, 16.5, f"+{left - 1}", paint("rock-ink"), bold=False, middle=False) if left > 1 else ""
    return beneath + top + face + more


def _cards(view: View, paint: Paint) -> str:
    parts = []
    for index in range(9):
        y = cave_y(index + 1)
        coin = circle(GOLD_X, y, 16.5, paint(None, "card-edge", 1.5))
        coin += label(GOLD_X, y + 9, 27, str(view.gold_up[index]), paint("card-ink"))
        gem = use(f"g{view.gem_up[index]}", GEM_X, y, 1.25)
        parts.append(_pile(GOLD_X, y, view.gold_left[index], coin, "card", paint))
        parts.append(_pile(GEM_X, y, view.gem_left[index], gem, "gemcard", paint))
    return "".join(parts)


def _rail(view: View, paint: Paint) -> str:
    """The rail with its sleepers, and a bright rim round each of the four spaces beside it."""
    beside = range(view.rail, view.rail + 4)
    top, bottom = cave_y(beside[0]) - 22, cave_y(beside[-1]) + 22
    sleepers = "".join(f"M{RAIL_X - 15} {top + 5 + 12 * i:g}h30" for i in range(int(bottom - top - 10) // 12 + 1))
    rims = "".join(stone(cave, paint(None, "beside", 4)) for cave in beside)
    ties = "".join(f"M{cave_x(cave) + STONE_W / 2 + 2:g} {cave_y(cave):g}H{RAIL_X - 12}" for cave in beside)
    bars = f"M{RAIL_X - 9} {top:g}V{bottom:g}M{RAIL_X + 9} {top:g}V{bottom:g}"
    buffers = f"M{RAIL_X - 17} {top:g}h34M{RAIL_X - 17} {bottom:g}h34"
    return (
        rims
        + path(ties, f'{paint(None, "beside", 3)} stroke-dasharray="3 5"')
        + path(sleepers, paint(None, "sleeper", 4))
        + path(bars, paint(None, "beside", 4))
        + path(buffers, f'{paint(None, "beside", 5)} stroke-linecap="round"')
    )


def _dragon(view: View) -> str:
    """The dragon beside its space; head and arrow point the way it goes."""
    up = view.facing == TO_CASTLE
    y = cave_y(view.dragon)
    return use("arrow", RAIL_X, y - 54 if up else y + 54, 1, turned=not up) + use(
        "dragon", RAIL_X, y, 0.96, turned=not up
    )


def _chamber(view: View, paint: Paint) -> str:
    """Each treasure space shows its treasure, or the knight that came for it."""
    arrived = [color for color, count in enumerate(view.chamber) for _ in range(count)]
    parts = []
    for index, slot in enumerate(CHAMBER_SLOTS):
        if index < len(arrived):
            parts.append(rect(slot.x - 22, slot.y - 24, 44, 50, paint("plaque"), rx=8))
            parts.append(use(f"k{arrived[index]}", slot.x, slot.y))
        else:
            parts.append(use("chest", slot.x, slot.y, 1.15))
    return "".join(parts)


def _described(view: View, names: Sequence[str], ident: str) -> str:
    title = escape(f"Emerald: {headline(view, names)}")
    told = escape(" ".join(f"{head}: {' '.join(lines)}" for head, lines in board_lines(view, names)))
    return f'<title id="{ident}-title">{title}</title><desc id="{ident}-desc">{told}</desc>'


def board_svg(
    view: View,
    names: Sequence[str],
    *,
    theme: Theme = "light",
    bare: bool = False,
    spots: Sequence[Spot] = (),
    ident: str = "e",
) -> str:
    """The picture as one ``<svg>`` element, to stand alone or within a page.

    ``theme="auto"`` adds a style that follows the reader's dark setting; ``page`` leaves that style to the page. That,
    ``light`` and ``dark`` bring none, so they pass where a page forbids inline styles. ``bare``: the board alone,
    without the banner above and the seats below, where these stand in words beside it. ``spots`` can be pressed.
    Two pictures on one page need different ``ident``: a letter, then letters or digits.
    """
    drawn = _drawn(view, names, theme, bare, spots)
    words = _described(view, names, ident)
    # what can be pressed lies within: an image would hide it from those who cannot see it
    role = "group" if spots else "img"
    top, height = _frame(view, bare)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top} {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="{role}" aria-labelledby="{ident}-title" aria-describedby="{ident}-desc" font-family="{_FAMILIES}">'
    )
    if ident != _IDENT:
        drawn = drawn.replace(f'id="{_IDENT}-', f'id="{ident}-').replace(f'href="#{_IDENT}-', f'href="#{ident}-')
    return f"{head}{words}{drawn}</svg>"


def picture_only(view: View, names: Sequence[str], *, bare: bool = False) -> str:
    """The light picture without title and description: the same for all who see the same."""
    top, height = _frame(view, bare)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top} {WIDTH} {height}" font-family="{_FAMILIES}">'
        f"{_drawn(view, names, 'light', bare, ())}</svg>"
    )


def _frame(view: View, bare: bool) -> tuple[int, int]:
    """The upper edge of the picture and its height."""
    return (BANNER_H, BOARD_BOTTOM - BANNER_H) if bare else (0, BOARD_BOTTOM + seats_height(view))


def _drawn(view: View, names: Sequence[str], theme: Theme, bare: bool, spots: Sequence[Spot]) -> str:
    """All that is seen, without the words for those who do not see it."""
    paint = Paint(theme)
    standing_at = places(view, leaving(spots), rimmed(spots))
    top, height = _frame(view, bare)
    style = f"<style>@media (prefers-color-scheme:dark){{{dark_rules()}}}</style>" if theme == "auto" else ""
    parts = [
        rect(0, top, WIDTH, height, paint("paper")),
        scenery(theme),
        _rail(view, paint),
        _cards(view, paint),
        _chamber(view, paint),
        draw_knights(view, standing_at, paint),
        _dragon(view),
    ]
    if not bare:
        banner = escape(headline(view, names, _BANNER_NAME))
        parts.append(label(WIDTH / 2, 31, 23, banner, paint("banner-ink")))
        parts.append(seats_panel(view, seat_names(names, view.players, _SEAT_NAME), paint))
    drawing = "".join(parts)
    if spots:
        # letters and numbers on the drawing say nothing by themselves: the links and the description do
        drawing = f'<g aria-hidden="true">{drawing}</g>{spots_layer(spots, standing_at, paint)}'
    return f"{style}{definitions(theme)}{drawing}"

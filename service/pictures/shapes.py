"""Small shapes that the board is put together from, drawn once and used by reference.

Each is centred on 0,0. Colour never carries the meaning alone: knights bear a letter, gems a letter
and an outline of their own.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from service.pictures.marks import circle, ellipse, label, path, rect, use
from service.pictures.palette import (
    GEM_FILL,
    GEM_INK,
    GEM_LETTERS,
    KNIGHT_INK,
    KNIGHT_LETTERS,
    KNIGHTS,
    Paint,
    Theme,
)

_SHIELD: Final = "M-12-14H12V0C12 8 6 13 0 16C-6 13-12 8-12 0Z"
_RIM: Final = "M-15-17H15V1C15 11 8 17 0 20C-8 17-15 11-15 1Z"
"""Round the shield, clear of its own white rim."""
_BURST: Final = (
    "M0-26L6-16L16-21L15-10L26-7L18 1L26 9L15 12L16 23L6 18L0 28L-6 18"
    "L-16 23L-15 12L-26 9L-18 1L-26-7L-15-10L-16-21L-6-16Z"
)
"""Flames round the shield of a knight that the dragon has caught."""
_GEMS: Final = (
    "M-7-11H7L13-3L0 13L-13-3Z",  # ruby: a brilliant, pointed below
    "M-6-12H6L11-7V7L6 12H-6L-11 7V-7Z",  # emerald: the emerald cut
    "M0-12L8.5-8.5L12 0L8.5 8.5L0 12L-8.5 8.5L-12 0L-8.5-8.5Z",  # garnet: round
    "M0-14C7-5 11 0 11 4A11 9.5 0 0 1-11 4C-11 0-7-5 0-14Z",  # turquoise: a drop
)
_GEM_BASE: Final = (5.2, 5.2, 5.2, 6.5)
"""The base line of the letter on each gem."""
_STAR: Final = "M0-10L2.9-3.9L9.5-3.1L4.7 1.5L5.9 8.1L0 4.9L-5.9 8.1L-4.7 1.5L-9.5-3.1L-2.9-3.9Z"
_ROUND: Final = 'stroke-linejoin="round"'
_CAP: Final = 'stroke-linecap="round"'
_COIN: Final = 'fill="#ffe28a" stroke="#9c7414"'


def _group(name: str, *parts: str) -> str:
    return f'<g id="e-{name}">{"".join(parts)}</g>'


def _knight(color: int) -> str:
    return _group(
        f"k{color}",
        path(_SHIELD, f'fill="#fff" stroke="#fff" stroke-width="4.5" {_ROUND}'),
        path(_SHIELD, f'fill="{KNIGHTS[color]}" stroke="#1c1a18" stroke-width="1.4" {_ROUND}'),
        label(0, 6.5, 18, KNIGHT_LETTERS[color], f'fill="{KNIGHT_INK[color]}"'),
    )


def _gem(gem: int) -> str:
    return _group(
        f"g{gem}",
        path(_GEMS[gem], f'fill="{GEM_FILL[gem]}" stroke="#1c1a18" stroke-width="1.2" {_ROUND}'),
        label(0, _GEM_BASE[gem], 14.5, GEM_LETTERS[gem], f'fill="{GEM_INK[gem]}"'),
    )


def _dragon(paint: Paint) -> str:
    """Seen from above, heading up the page (to the castle)."""
    skin = f"{paint('dragon', 'dragon-edge', 2)} {_ROUND}"
    ribs = "M7-6L44-13M8-3L38 3M8 1L26 10"
    wing = path(
        "M5-9C14-30 36-31 47-14C40-11 39-4 42 6C34 0 28 3 26 13C20 5 12 5 5 11Z",
        f"{paint('dragon-wing', 'dragon-edge', 2)} {_ROUND}",
    ) + path(ribs, f"{paint(None, 'dragon', 1.8)} {_CAP}")
    return _group(
        "dragon",
        f'{wing}<g transform="scale(-1 1)">{wing}</g>',
        # tail with its barb, body, head: one after the other, so that each lies on the one before
        path("M0 12C-1 24 9 27 5 37", f"{paint(None, 'dragon-edge', 10)} {_CAP}"),
        path("M5 30L13 41L4 39L-3 43Z", skin),
        path("M0 12C-1 24 9 27 5 35", f"{paint(None, 'dragon', 6.5)} {_CAP}"),
        ellipse(0, 0, 10, 19, skin),
        path("M-5-22L-12-14L-7-13ZM5-22L12-14L7-13Z", paint("dragon-edge")),
        path("M0-43C5-41 6-37 8-32C10-26 7-19 0-17C-7-19-10-26-8-32C-6-37-5-41 0-43Z", skin),
        circle(-4, -29, 2.6, 'fill="#ffe169"'),
        circle(4, -29, 2.6, 'fill="#ffe169"'),
        path("M-1.5-39.5L-2.2-37M1.5-39.5L2.2-37", 'stroke="#0c3324" stroke-width="1.3"'),
        path("M0-9V13M-4-4L0-8L4-4M-4 3L0-1L4 3M-4 10L0 6L4 10", f"{paint(None, 'dragon-wing', 2)} {_ROUND}"),
    )


def _hatchling(paint: Paint) -> str:
    """A little dragon that looks over the rim of the nest; its base line is 0."""
    eye = 'fill="#fff"'
    return _group(
        "hatchling",
        path("M-18 0C-28-22-18-46 0-45C18-46 28-22 18 0Z", paint("dragon-wing", "dragon-edge", 2)),
        path("M-14-37L-20-49L-7-44ZM14-37L20-49L7-44Z", paint("dragon", "dragon-edge", 1.5)),
        circle(-8, -28, 5, eye) + circle(8, -28, 5, eye),
        circle(-8, -27, 2.5, 'fill="#111"') + circle(8, -27, 2.5, 'fill="#111"'),
        path("M-7-16q7 5 14 0", 'fill="none" stroke="#0c3324" stroke-width="2"'),
    )


def _chest(paint: Paint) -> str:
    """A dragon treasure on its space, with what it is worth; ``box`` is the same without the number."""
    box = _group(
        "box",
        path("M-20-5C-15-13-8-17-2-15C4-20 13-14 20-5Z", 'fill="#f6c945" stroke="#9c7414" stroke-width="1.5"'),
        circle(-9, -9, 4.5, _COIN) + circle(8, -9, 4.5, _COIN),
        path("M-25-5H25L22 17H-22Z", f"{paint('chest', 'chest-dark', 2)} {_ROUND}"),
        path("M-15-5L-13.5 17M15-5L13.5 17", paint(None, "chest-dark", 3.5)),
        rect(-4, -5, 8, 10, _COIN, rx=2),
    )
    worth = circle(0, 5, 9.5, 'fill="#fff3c9" stroke="#9c7414" stroke-width="1.5"')
    return box + _group("chest", use("box", 0, 0), worth, label(0, 10.5, 15.5, "5", 'fill="#3a2a05"'))


def _small_icons(paint: Paint) -> str:
    gold = rect(-10, -14, 20, 28, paint("card", "card-edge", 1.6), rx=3) + circle(
        0, 0, 6, paint(None, "card-edge", 1.8)
    )
    star = path(_STAR, 'transform="scale(.9)" fill="#c2410c"')
    rims = (
        _group(name, path(_RIM, f"{paint(None, 'pick', wide)} {_ROUND}"))
        for name, wide in (("rim", 3), ("rim-chosen", 5))
    )
    tick = circle(0, 0, 8.5, paint("pick", "pick-edge", 2)) + path(
        "M-4 0L-1 3.4L4-3.4", f"{paint(None, 'pick-edge', 2.6)} {_ROUND} {_CAP}"
    )
    return (
        _group("gold", gold)
        + "".join(rims)
        + _group("crown", path("M-12 9L-15-7L-6 0L0-11L6 0L15-7L12 9Z", f"{paint('card', 'card-edge', 1.8)} {_ROUND}"))
        + _group("tick", tick)
        + _group("caught", path(_BURST, f"{paint('flame', 'pick-edge', 1.5)} {_ROUND}"))
        + _group("bonus", rect(-11, -14, 22, 28, paint("gemcard", "gemcard-edge", 1.6), rx=3), star)
        + _group("arrow", path("M0-8L8 6H-8Z", f"{paint('beside', 'rock-dark', 1.5)} {_ROUND}"))
    )


@cache
def definitions(theme: Theme) -> str:
    """The ``<defs>`` of a board: everything that is drawn more than once, or is a figure of its own."""
    paint = Paint(theme)
    knights = "".join(_knight(color) for color in range(5))
    gems = "".join(_gem(gem) for gem in range(4))
    return f"<defs>{knights}{gems}{_dragon(paint)}{_hatchling(paint)}{_chest(paint)}{_small_icons(paint)}</defs>"

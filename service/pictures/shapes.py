"""Small shapes that the board is put together from, drawn once and used by reference.

Each is centred on 0,0. Colour never carries the meaning alone: knights bear a letter, gems a letter
and an outline of their own.
"""

from __future__ import annotations

from functools import cache
from typing import Final

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
_GEMS: Final = (
    "M-7-11H7L13-3L0 13L-13-3Z",  # ruby: a brilliant, pointed below
    "M-6-12H6L11-7V7L6 12H-6L-11 7V-7Z",  # emerald: the emerald cut
    "M0-12L8.500-8.500L12 0L8.500 8.500L0 12L-8.500 8.500L-12 0L-8.500-8.500Z",  # garnet: round
    "M0-14C7-5 11 0 11 4A11 9.500 0 0 1-11 4C-11 0-7-5 0-14Z",  # turquoise: a drop
)
_STAR: Final = (
    "M0-10L2.900-3.900L9.500-3.100L4.700 1.500L5.900 8.100L0 4.900L-5.900 8.100L-4.700 1.500L-9.500-3.100L-2.900-3.900Z"
)


def _knight(color: int) -> str:
    return (
        f'<g id="e-k{color}"><path d="{_SHIELD}" fill="#fff" stroke="#fff" stroke-width="4.500" stroke-linejoin="round"/>'
        f'<path d="{_SHIELD}" fill="{KNIGHTS[color]}" stroke="#1c1a18" stroke-width="1.400" stroke-linejoin="round"/>'
        f'<text y="6.500" font-size="18" font-weight="bold" text-anchor="middle" fill="{KNIGHT_INK[color]}">'
        f"{KNIGHT_LETTERS[color]}</text></g>"
    )


def _gem(gem: int) -> str:
    return (
        f'<g id="e-g{gem}"><path d="{_GEMS[gem]}" fill="{GEM_FILL[gem]}" stroke="#1c1a18" stroke-width="1.200" stroke-linejoin="round"/>'
        f'<text y="{6.5 if gem == 3 else 5.2}" font-size="14.500" font-weight="bold" text-anchor="middle" fill="{GEM_INK[gem]}">'
        f"{GEM_LETTERS[gem]}</text></g>"
    )


def _dragon(paint: Paint) -> str:
    """Seen from above, heading up the page (to the castle)."""
    wing = "M5-9C14-30 36-31 47-14C40-11 39-4 42 6C34 0 28 3 26 13C20 5 12 5 5 11Z"
    ribs = "M7-6L44-13M8-3L38 3M8 1L26 10"
    wings = (
        f'<path d="{wing}" {paint("dragon-wing", "dragon-edge", 2)} stroke-linejoin="round"/>'
        f'<path d="{ribs}" {paint(None, "dragon", 1.8)} stroke-linecap="round"/>'
    )
    return (
        f'<g id="e-dragon">{wings}<g transform="scale(-1 1)">{wings}</g>'
        # tail with its barb, body, head: one after the other, so that each lies on the one before
        f'<path d="M0 12C-1 24 9 27 5 37" {paint(None, "dragon-edge", 10)} stroke-linecap="round"/>'
        f'<path d="M5 30L13 41L4 39L-3 43Z" {paint("dragon", "dragon-edge", 2)} stroke-linejoin="round"/>'
        f'<path d="M0 12C-1 24 9 27 5 35" {paint(None, "dragon", 6.5)} stroke-linecap="round"/>'
        f'<ellipse rx="10" ry="19" {paint("dragon", "dragon-edge", 2)}/>'
        f'<path d="M-5-22L-12-14L-7-13ZM5-22L12-14L7-13Z" {paint("dragon-edge")}/>'
        f'<path d="M0-43C5-41 6-37 8-32C10-26 7-19 0-17C-7-19-10-26-8-32C-6-37-5-41 0-43Z" {paint("dragon", "dragon-edge", 2)}/>'
        '<circle cx="-4" cy="-29" r="2.600" fill="#ffe169"/><circle cx="4" cy="-29" r="2.600" fill="#ffe169"/>'
        '<path d="M-1.500-39.500L-2.200-37M1.500-39.500L2.200-37" stroke="#0c3324" stroke-width="1.300"/>'
        f'<path d="M0-9V13M-4-4L0-8L4-4M-4 3L0-1L4 3M-4 10L0 6L4 10" {paint(None, "dragon-wing", 2)} stroke-linejoin="round"/></g>'
    )


def _chest(paint: Paint) -> str:
    return (
        '<g id="e-chest">'
        '<path d="M-20-5C-15-13-8-17-2-15C4-20 13-14 20-5Z" fill="#f6c945" stroke="#9c7414" stroke-width="1.500"/>'
        '<circle cx="-9" cy="-9" r="4.500" fill="#ffe28a" stroke="#9c7414"/><circle cx="8" cy="-9" r="4.500" fill="#ffe28a" stroke="#9c7414"/>'
        f'<path d="M-25-5H25L22 17H-22Z" {paint("chest", "chest-dark", 2)} stroke-linejoin="round"/>'
        f'<path d="M-15-5L-13.500 17M15-5L13.500 17" {paint(None, "chest-dark", 3.5)}/>'
        '<circle cy="4" r="10" fill="#fff3c9" stroke="#9c7414" stroke-width="1.500"/>'
        '<text y="9.800" font-size="16" font-weight="bold" text-anchor="middle" fill="#3a2a05">5</text></g>'
    )


def _small_icons(paint: Paint) -> str:
    return (
        f'<g id="e-gold"><rect x="-10" y="-14" width="20" height="28" rx="3" {paint("card", "card-edge", 1.6)}/>'
        f'<circle r="6" {paint(None, "card-edge", 1.8)}/></g>'
        f'<g id="e-bonus"><rect x="-11" y="-14" width="22" height="28" rx="3" {paint("gemcard", "gemcard-edge", 1.6)}/>'
        f'<path d="{_STAR}" transform="scale(.9)" fill="#c2410c"/></g>'
        f'<g id="e-arrow"><path d="M0-8L8 6H-8Z" {paint("beside", "rock-dark", 1.5)} stroke-linejoin="round"/></g>'
    )


@cache
def definitions(theme: Theme) -> str:
    """The ``<defs>`` of a board: everything that is drawn more than once."""
    paint = Paint(theme)
    knights = "".join(_knight(color) for color in range(5))
    gems = "".join(_gem(gem) for gem in range(4))
    return f"<defs>{knights}{gems}{_dragon(paint)}{_chest(paint)}{_small_icons(paint)}</defs>"

"""The board without a single knight or card on it: drawn once for each theme and then kept."""

from __future__ import annotations

from functools import cache
from html import escape

from service.i18n import gettext as _
from service.pictures.layout import (
    BANNER_H,
    BOARD_BOTTOM,
    BOXES,
    CAVE_TOP,
    CHAMBER_SLOTS,
    CHAMBER_TOP,
    GROUND,
    MEADOW_BOTTOM,
    NEST,
    PAD_H,
    PAD_W,
    ROW_H,
    SKY_TOP,
    STONE_H,
    STONE_W,
    WIDTH,
    cave_x,
    cave_y,
)
from service.pictures.marks import circle, ellipse, label, path, rect, use
from service.pictures.palette import Paint, Theme

_ROUND = 'stroke-linejoin="round"'
_MOUTH = 399
"""Where the road enters the mountain: between the names of m4 and m5."""


def _sky(paint: Paint) -> str:
    hills = f"M0 150C80 120 140 128 210 140S380 118 460 128S560 120 600 132V{GROUND}H0Z"
    clouds = (
        "M432 92a11 11 0 0 1 4-21a16 16 0 0 1 29-3a12 12 0 0 1 17 8a8.5 8.5 0 0 1-2 16Z"
        "M196 104a8 8 0 0 1 3-15a12 12 0 0 1 22-2a9 9 0 0 1 12 6a6 6 0 0 1-1 11Z"
    )
    return (
        rect(0, SKY_TOP, WIDTH, GROUND - SKY_TOP, paint("sky"))
        + path(hills, paint("far"))
        + circle(112, 76, 17, paint("sun"))
        + path(clouds, paint("cloud"))
    )


def _tower(paint: Paint, x: float, name: str) -> str:
    merlons = "h14v-9h14v9" * 3 + "h14"
    return (
        path(f"M{x} 56L{x + 36} 100H{x - 36}Z", paint("roof", "wall-dark", 1))
        + path(f"M{x} 57V50", paint(None, "wall-dark", 2))
        + path(f"M{x - 49} {GROUND}V109{merlons}V{GROUND}Z", paint("wall", "wall-dark", 1.5))
        + rect(x - 45, 115, 90, 70, paint("plaque", "wall-dark", 1.2), rx=7)
        + label(x, 204, 18, name, paint("ink"))
    )


def _castle(paint: Paint) -> str:
    battlement = "M214 112" + "h12v-9h12v9" * 7 + "h4"
    return (
        # curtain wall between the towers, then the hall with its gable and gate
        rect(100, 136, 400, GROUND - 136, paint("wall-dark"))
        + path("M300 52L378 106H222Z", paint("roof", "wall-dark", 1))
        + path(f"{battlement}V{GROUND}H214Z", paint("wall", "wall-dark", 1.5))
        + rect(230, 115, 140, 70, paint("plaque", "wall-dark", 1.2), rx=7)
        + path(f"M264 {GROUND}V201Q264 189 276 189H324Q336 189 336 201V{GROUND}Z", paint("rock-dark"))
        + label(300, 206, 18, "hall", paint("rock-ink"))
        + "".join(_tower(paint, BOXES[tower].x, f"t{tower + 1}") for tower in range(4))
    )


def _road() -> str:
    """From the gate round to m1, through the meadow, and round again to the mouth of the cave."""
    spaces = BOXES[5:11]
    first, low = spaces[0], MEADOW_BOTTOM
    through = " ".join(f"L{box.x:g} {box.y:g}" for box in spaces)
    return (
        f"M300 {GROUND}V{GROUND + 9}H24Q2 {GROUND + 8} 8 {GROUND + 34}"
        f"Q12 {first.y:g} {first.x:g} {first.y:g} {through} "
        f"Q596 {spaces[5].y:g} 588 {low - 6}Q580 {low + 4} 480 {low + 3}"
        f"H{_MOUTH + 16}Q{_MOUTH} {low + 3} {_MOUTH} {CAVE_TOP + 2}"
    )


def _meadow(paint: Paint) -> str:
    spaces = BOXES[5:11]
    low, sill = MEADOW_BOTTOM, CAVE_TOP + 2
    tufts = "".join(
        f"M{x} {y}l3-8l2 8l4-6l1 6" for x, y in ((110, 238), (206, 324), (298, 240), (494, 240), (92, 326), (306, 328))
    )
    mountain = f"M0 {low + 8}Q60 {low - 8} 150 {low + 4}T300 {low + 2}T460 {low - 2}T600 {low + 10}V{BOARD_BOTTOM}H0Z"
    mouth = (
        f"M{_MOUTH - 31} {sill}V{sill - 14}Q{_MOUTH - 31} {sill - 48} {_MOUTH} {sill - 48}"
        f"T{_MOUTH + 31} {sill - 14}V{sill}Z"
    )
    pads = "".join(
        rect(box.x - PAD_W / 2, box.y - PAD_H / 2, PAD_W, PAD_H, paint("stone", "road-edge", 2), rx=22)
        + label(box.x, box.y + 51, 17, f"m{number}", paint("ink"))
        for number, box in enumerate(spaces, start=1)
    )
    return (
        rect(0, GROUND, WIDTH, low - GROUND + 20, paint("grass"))
        + path(tufts, paint(None, "grass-dark", 2))
        + path(mountain, paint("rock"))
        + path(mouth, paint("rock-dark", "rock", 5))
        + path(_road(), f"{paint(None, 'road-edge', 20)} {_ROUND}")
        + path(_road(), f"{paint(None, 'road', 16)} {_ROUND}")
        + pads
    )


def _hollow() -> str:
    """The outline of the cave within the mountain, its roof with a few dripstones."""
    top, bottom = CAVE_TOP - 6, CHAMBER_TOP - 2
    right = "".join(
        f"Q{594 - 10 * (i % 2)} {top + 70 + ROW_H * i} {584 + 8 * (i % 2)} {top + 96 + ROW_H * i}" for i in range(8)
    )
    left = "".join(
        f"Q{224 + 10 * (i % 2)} {bottom - 70 - ROW_H * i} {236 - 8 * (i % 2)} {bottom - 100 - ROW_H * i}"
        for i in range(8)
    )
    return (
        f"M262 {top + 14}l14 18l10-20l12 12l10-14Q340 {top - 4} 430 {top + 2}l10 26l12-26l20 2l9 16l10-14"
        f"Q560 {top + 10} 584 {top + 40}{right}Q590 {bottom - 8} 560 {bottom - 4}H300"
        f"Q238 {bottom} 236 {bottom - 44}{left}Q236 {top + 26} 262 {top + 14}Z"
    )


def _cave(paint: Paint) -> str:
    """The hollow in the mountain, the way down through it, and its nine stones."""
    caves = range(1, 10)
    last = cave_y(9)
    way = "M" + "L".join(f"{cave_x(c):g} {cave_y(c):g}" for c in caves)
    way += f"C{cave_x(9):g} {last + 34:g} 340 {last + 20:g} 330 {CHAMBER_TOP + 12}"
    strata = "".join(
        f"M0 {CAVE_TOP + down}q60 {bend} 118 0t112 {-bend}" for down, bend in ((112, 9), (313, -8), (514, 8))
    )
    stones = "".join(
        rect(cave_x(c) - STONE_W / 2, cave_y(c) - STONE_H / 2 + 4, STONE_W, STONE_H, paint("rock-dark"), rx=20)
        + stone(c, paint("stone", "stone-edge", 2))
        + label(11, cave_y(c) + 6, 18, f"c{c}", paint("rock-ink"), middle=False)
        for c in caves
    )
    return (
        path(strata, paint(None, "rock-dark", 2.5))
        + path(_hollow(), paint("hollow"))
        + path(way, f"{paint(None, 'shaft', 46)} {_ROUND}")
        + stones
    )


def stone(cave: int, look: str) -> str:
    """The stone of a cave space, 1–9."""
    return rect(cave_x(cave) - STONE_W / 2, cave_y(cave) - STONE_H / 2, STONE_W, STONE_H, look, rx=20)


def _chamber(paint: Paint, name: str) -> str:
    slots = "".join(
        rect(slot.x - 40, slot.y - 33, 80, 68, paint("rock-dark", "card-edge", 1.5), rx=10) for slot in CHAMBER_SLOTS
    )
    return (
        rect(8, CHAMBER_TOP, 372, 114, paint("hall-light", "card", 2), rx=18)
        + slots
        + label(194, CHAMBER_TOP + 22, 17, name, paint("rock-ink"))
    )


def _nest(paint: Paint, name: str) -> str:
    x, y = NEST.x, NEST.y
    twigs = (
        f"M398 {y + 6:g}l30 15M402 {y - 12:g}l-11 22M586 {y + 4:g}l-30 17M582 {y - 14:g}l11 20"
        f"M440 {y + 27:g}l50 4M500 {y + 31:g}l44-7"
    )
    return (
        ellipse(x - 40, y - 26, 17, 22, paint("egg", "nest-dark", 1.5))
        + path(f"M{x - 53:g} {y - 34:g}l7 5l6-6l7 7l6-5", paint(None, "nest-dark", 1.5))
        + use("hatchling", x + 30, y - 12)
        + ellipse(x, y, 102, 32, paint("nest", "nest-edge", 3))
        + path(twigs, f'{paint(None, "nest-edge", 3)} stroke-linecap="round"')
        + ellipse(x, y - 2, 92, 24, paint("nest-dark"))
        + label(x, y + 51, 17, name, paint("rock-ink"))
    )


def _banner(paint: Paint) -> str:
    return rect(0, 0, WIDTH, BANNER_H, paint("banner"))


def scenery(theme: Theme) -> str:
    """Everything that is the same in each game, labelled in the language that is spoken now."""
    return _scenery(theme, _("treasure chamber"), _("nest"))


@cache
def _scenery(theme: Theme, chamber: str, nest: str) -> str:
    paint = Paint(theme)
    land = "".join(part(paint) for part in (_sky, _castle, _meadow, _cave))
    return land + _chamber(paint, escape(chamber)) + _nest(paint, escape(nest)) + _banner(paint)

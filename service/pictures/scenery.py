"""The board without a single knight or card on it: drawn once for each theme and then kept."""

from __future__ import annotations

from functools import cache

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
    SKY_TOP,
    STONE_H,
    STONE_W,
    WIDTH,
    cave_x,
    cave_y,
)
from service.pictures.palette import Paint, Theme


def _sky(paint: Paint) -> str:
    return (
        f'<rect y="{SKY_TOP}" width="{WIDTH}" height="{GROUND - SKY_TOP}" {paint("sky")}/>'
        f'<path d="M0 150C80 120 140 128 210 140S380 118 460 128S560 120 600 132V{GROUND}H0Z" {paint("far")}/>'
        f'<circle cx="112" cy="76" r="17" {paint("sun")}/>'
        f'<path d="M432 92a11 11 0 0 1 4-21a16 16 0 0 1 29-3a12 12 0 0 1 17 8a8.500 8.500 0 0 1-2 16Z" {paint("cloud")}/>'
        f'<path d="M196 104a8 8 0 0 1 3-15a12 12 0 0 1 22-2a9 9 0 0 1 12 6a6 6 0 0 1-1 11Z" {paint("cloud")}/>'
    )


def _tower(paint: Paint, x: float, label: str) -> str:
    left = x - 49
    merlons = "".join(f"h14v-9h14v9" for _ in range(3)) + "h14"
    return (
        f'<path d="M{x} 56L{x + 36} 100H{x - 36}Z" {paint("roof", "wall-dark", 1)}/>'
        f'<path d="M{x} 57V50" {paint(None, "wall-dark", 2)}/>'
        f'<path d="M{left} {GROUND}V109{merlons}V{GROUND}Z" {paint("wall", "wall-dark", 1.5)}/>'
        f'<rect x="{x - 45}" y="115" width="90" height="70" rx="7" {paint("plaque", "wall-dark", 1.2)}/>'
        f'<text x="{x}" y="204" font-size="18" font-weight="bold" text-anchor="middle" {paint("ink")}>{label}</text>'
    )


def _castle(paint: Paint) -> str:
    towers = "".join(_tower(paint, BOXES[i].x, f"t{i + 1}") for i in range(4))
    battlement = "M214 112" + "h12v-9h12v9" * 7 + "h4"
    return (
        # curtain wall between the towers, then the hall with its gable
        f'<rect x="100" y="136" width="400" height="{GROUND - 136}" {paint("wall-dark")}/>'
        f'<path d="M300 52L378 106H222Z" {paint("roof", "wall-dark", 1)}/>'
        f'<path d="{battlement}V{GROUND}H214Z" {paint("wall", "wall-dark", 1.5)}/>'
        f'<rect x="230" y="115" width="140" height="70" rx="7" {paint("plaque", "wall-dark", 1.2)}/>'
        f'<path d="M264 {GROUND}V201Q264 189 276 189H324Q336 189 336 201V{GROUND}Z" {paint("rock-dark")}/>'
        f'<text x="300" y="206" font-size="18" font-weight="bold" text-anchor="middle" {paint("rock-ink")}>hall</text>'
        f"{towers}"
    )


def _meadow(paint: Paint) -> str:
    spaces = BOXES[5:11]
    through = " ".join(f"L{box.x:g} {box.y:g}" for box in spaces)
    mouth, sill = 399.0, CAVE_TOP + 2  # between the names of m4 and m5
    road = (
        f"M300 {GROUND}V{GROUND + 9}H24Q2 {GROUND + 8} 8 {GROUND + 34}Q12 {spaces[0].y:g} {spaces[0].x:g} {spaces[0].y:g} {through} "
        f"Q596 {spaces[5].y:g} 588 {MEADOW_BOTTOM - 6}Q580 {MEADOW_BOTTOM + 4} 480 {MEADOW_BOTTOM + 3}H{mouth + 16:g}Q{mouth:g} {MEADOW_BOTTOM + 3} {mouth:g} {sill}"
    )
    tufts = "".join(
        f'<path d="M{x} {y}l3-8l2 8l4-6l1 6" {paint(None, "grass-dark", 2)}/>'
        for x, y in ((110, 238), (206, 324), (298, 240), (400, 326), (494, 240), (92, 326), (306, 328))
    )
    pads = "".join(
        f'<rect x="{box.x - 46:g}" y="{box.y - 35:g}" width="92" height="70" rx="22" {paint("stone", "road-edge", 2)}/>'
        for box in spaces
    )
    labels = "".join(
        f'<text x="{box.x:g}" y="{box.y + 51:g}" font-size="17" font-weight="bold" text-anchor="middle" {paint("ink")}>m{i}</text>'
        for i, box in enumerate(spaces, start=1)
    )
    return (
        f'<rect y="{GROUND}" width="{WIDTH}" height="{MEADOW_BOTTOM - GROUND + 20}" {paint("grass")}/>'
        f"{tufts}"
        f'<path d="M0 {MEADOW_BOTTOM + 8}Q60 {MEADOW_BOTTOM - 8} 150 {MEADOW_BOTTOM + 4}T300 {MEADOW_BOTTOM + 2}T460 {MEADOW_BOTTOM - 2}T600 {MEADOW_BOTTOM + 10}V{BOARD_BOTTOM}H0Z" {paint("rock")}/>'
        f'<path d="M{mouth - 31:g} {sill}V{sill - 14}Q{mouth - 31:g} {sill - 48} {mouth:g} {sill - 48}T{mouth + 31:g} {sill - 14}V{sill}Z" {paint("rock-dark", "rock", 5)}/>'
        f'<path d="{road}" {paint(None, "road-edge", 20)} stroke-linejoin="round"/>'
        f'<path d="{road}" {paint(None, "road", 16)} stroke-linejoin="round"/>'
        f"{pads}{labels}"
    )


def _cave(paint: Paint) -> str:
    """The hollow in the mountain, the way down through it, and its nine stones."""
    top, bottom = CAVE_TOP - 6, CHAMBER_TOP - 2
    right = "".join(
        f"Q{594 - 10 * (i % 2):g} {top + 40 + 56 * i + 30:g} {584 + 8 * (i % 2):g} {top + 40 + 56 * (i + 1):g}"
        for i in range(8)
    )
    left = "".join(
        f"Q{224 + 10 * (i % 2):g} {bottom - 44 - 56 * i - 26:g} {236 - 8 * (i % 2):g} {bottom - 44 - 56 * (i + 1):g}"
        for i in range(8)
    )
    hollow = (
        f"M262 {top + 14}l14 18l10-20l12 12l10-14Q340 {top - 4} 430 {top + 2}l10 26l12-26l20 2l9 16l10-14"
        f"Q560 {top + 10} 584 {top + 40}{right}Q590 {bottom - 8} 560 {bottom - 4}H300Q238 {bottom} 236 {bottom - 44}{left}Q236 {top + 26} 262 {top + 14}Z"
    )
    way = f"M{cave_x(1):g} {cave_y(1):g}" + "".join(f"L{cave_x(c):g} {cave_y(c):g}" for c in range(1, 10))
    last = cave_y(9)
    way += f"C{cave_x(9):g} {last + 34:g} 340 {last + 20:g} 330 {CHAMBER_TOP + 12}"
    stones = "".join(
        f'<rect x="{cave_x(c) - STONE_W / 2:g}" y="{cave_y(c) - STONE_H / 2 + 4:g}" width="{STONE_W}" height="{STONE_H}" rx="20" {paint("rock-dark")}/>'
        f'<rect x="{cave_x(c) - STONE_W / 2:g}" y="{cave_y(c) - STONE_H / 2:g}" width="{STONE_W}" height="{STONE_H}" rx="20" {paint("stone", "stone-edge", 2)}/>'
        f'<text x="11" y="{cave_y(c) + 6:g}" font-size="18" font-weight="bold" {paint("rock-ink")}>c{c}</text>'
        for c in range(1, 10)
    )
    strata = "".join(
        f"M0 {y}q60 {d} 118 0t112 {-d}" for y, d in ((CAVE_TOP + 112, 9), (CAVE_TOP + 280, -8), (CAVE_TOP + 448, 8))
    )
    return (
        f'<path d="{strata}" {paint(None, "rock-dark", 2.5)}/><path d="{hollow}" {paint("hollow")}/>'
        f'<path d="{way}" {paint(None, "shaft", 46)} stroke-linejoin="round"/>{stones}'
    )


def _chamber(paint: Paint) -> str:
    slots = "".join(
        f'<rect x="{s.x - 40:g}" y="{s.y - 33:g}" width="80" height="68" rx="10" {paint("rock-dark", "card-edge", 1.5)}/>'
        for s in CHAMBER_SLOTS
    )
    x, y = NEST.x, NEST.y
    twigs = f"M398 {y + 6:g}l30 15M402 {y - 12:g}l-11 22M586 {y + 4:g}l-30 17M582 {y - 14:g}l11 20M440 {y + 27:g}l50 4M500 {y + 31:g}l44-7"
    return (
        f'<rect x="8" y="{CHAMBER_TOP}" width="372" height="114" rx="18" {paint("hall-light", "card", 2)}/>{slots}'
        f'<text x="194" y="{CHAMBER_TOP + 22}" font-size="17" font-weight="bold" text-anchor="middle" {paint("rock-ink")}>treasure chamber</text>'
        # behind the bowl of the nest: an egg and a little dragon that hopes for a knight
        f'<ellipse cx="{x - 40:g}" cy="{y - 26:g}" rx="17" ry="22" {paint("egg", "nest-dark", 1.5)}/>'
        f'<path d="M{x - 53:g} {y - 34:g}l7 5l6-6l7 7l6-5" {paint(None, "nest-dark", 1.5)}/>'
        f'<path d="M{x + 12:g} {y - 12:g}C{x + 2:g} {y - 34:g} {x + 12:g} {y - 58:g} {x + 30:g} {y - 57:g}C{x + 48:g} {y - 58:g} {x + 58:g} {y - 34:g} {x + 48:g} {y - 12:g}Z" {paint("dragon-wing", "dragon-edge", 2)}/>'
        f'<path d="M{x + 16:g} {y - 49:g}l-6-12l13 5ZM{x + 44:g} {y - 49:g}l6-12l-13 5Z" {paint("dragon", "dragon-edge", 1.5)}/>'
        f'<circle cx="{x + 22:g}" cy="{y - 40:g}" r="5" fill="#fff"/><circle cx="{x + 38:g}" cy="{y - 40:g}" r="5" fill="#fff"/>'
        f'<circle cx="{x + 22:g}" cy="{y - 39:g}" r="2.500" fill="#111"/><circle cx="{x + 38:g}" cy="{y - 39:g}" r="2.500" fill="#111"/>'
        f'<path d="M{x + 23:g} {y - 28:g}q7 5 14 0" fill="none" stroke="#0c3324" stroke-width="2"/>'
        f'<ellipse cx="{x:g}" cy="{y:g}" rx="102" ry="32" {paint("nest", "nest-edge", 3)}/>'
        f'<path d="{twigs}" {paint(None, "nest-edge", 3)} stroke-linecap="round"/>'
        f'<ellipse cx="{x:g}" cy="{y - 2:g}" rx="92" ry="24" {paint("nest-dark")}/>'
        f'<text x="{x:g}" y="{y + 51:g}" font-size="17" font-weight="bold" text-anchor="middle" {paint("rock-ink")}>nest</text>'
    )


def _banner(paint: Paint) -> str:
    return f'<rect width="{WIDTH}" height="{BANNER_H}" {paint("banner")}/>'


@cache
def scenery(theme: Theme) -> str:
    """Everything that is the same in each game."""
    paint = Paint(theme)
    return "".join(part(paint) for part in (_sky, _castle, _meadow, _cave, _chamber, _banner))

"""The board drawn with letters, for plain-text mails: at most 77 wide, for a fixed-width font; in English ASCII alone.

Whoever listens to their mail turns it off; ``service.pictures.text`` says the same in words.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from engine import COLORS, GEMS, SPACES, TO_CASTLE, View
from service.i18n import gettext as _
from service.pictures.text import LINE, standing

_CELL = 11


def board_sketch(view: View) -> str:
    """The whole board as lines of text, ending in a newline."""
    gold, gem, knights, nest = _("gold"), _("gem"), _("knights"), _("nest")
    lines = [
        *_row(view, ("t1", "t2", "hall", "t3", "t4")),
        "",
        *_row(view, SPACES[5:11]),
        "",
        f"      {gold:<8}  {gem:<15}  {knights}",
        *(_cave_line(view, cave) for cave in range(1, 10)),
        "",
        _chamber_line(view),
        f"{nest}: {_knights(view.nest) or '-'}",
        "",
        *_legend(view),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _knights(counts: Sequence[int], gap: str = " ") -> str:
    """``B2 O``: two black knights and an orange one."""
    return gap.join(
        f"{COLORS[color][0].upper()}{count if count > 1 else ''}" for color, count in enumerate(counts) if count
    )


def _row(view: View, spaces: Sequence[str]) -> list[str]:
    edge = "+" + "+".join("-" * _CELL for _ in spaces) + "+"
    cells = []
    for name in spaces:
        counts = standing(view, SPACES.index(name))
        spaced = _knights(counts)
        cells.append(spaced if len(spaced) < _CELL else _knights(counts, gap=""))
    return [
        " " + " ".join(f"{name:^{_CELL}}" for name in spaces),
        edge,
        "|" + "|".join(f"{cell:^{_CELL}}" for cell in cells) + "|",
        edge,
    ]


def _pile(face: str, left: int) -> str:
    if not left:
        return "-"
    return f"{face} +{left - 1}" if left > 1 else face


def _cave_line(view: View, cave: int) -> str:
    index = cave - 1
    gold = _pile(str(view.gold_up[index]), view.gold_left[index])
    gem = _pile(_(GEMS[view.gem_up[index]]) if view.gem_left[index] else "", view.gem_left[index])
    knights = _knights(standing(view, SPACES.index(f"c{cave}"))) or "."
    rail = "#" if view.rail <= cave < view.rail + 4 else " "
    dragon = ""
    if view.dragon == cave:
        dragon = _("dragon, to the castle") if view.facing == TO_CASTLE else _("dragon, to the chamber")
    return f"  c{cave}  {gold:<8}  {gem:<15}  {knights:<18} {rail} {dragon}"


def _chamber_line(view: View) -> str:
    left = 4 - sum(view.treasures)
    chamber, inside = _("treasure chamber"), _("arrived")
    treasures = "$ " * left or _("no treasure left")
    arrived = _knights(view.chamber)
    line = f"{chamber}: {treasures}"
    return f"{line}  {inside}: {arrived}" if arrived else line


def _legend(view: View) -> list[str]:
    letters = ", ".join(f"{COLORS[color][0].upper()} {_(COLORS[color])}" for color in range(len(view.knights)))
    colors = _("{letters}; B2: two of them.").format(letters=letters)
    signs = _("+2: two cards beneath. # beside the rail. $ a treasure.")
    return [*textwrap.wrap(colors, LINE), *textwrap.wrap(signs, LINE)]

"""The board in words: one sentence a space and a seat, in the order in which a knight travels.

It says all that the picture says and needs no fixed-width font, so that it serves plain-text mails, screen
readers (it is the picture's description too) and terminals alike.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from engine import BRIBE, CATCH, COLORS, GEMS, MOVE, OVER, SPACES, TAKE, TO_CASTLE, View, colors_of
from service.pictures.names import seat_names

LINE = 77
NAME_LIMIT = 30

_ASKED = {
    TAKE: "choose gold or gem",
    CATCH: "choose whom the dragon catches",
    BRIBE: "bribe the dragon or give up the knight",
}


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 knight``, ``2 knights``, ``no knights``."""
    if number == 1:
        return f"1 {one}"
    return f"{number or 'no'} {many or one + 's'}"


def headline(view: View, names: Sequence[str], limit: int = NAME_LIMIT) -> str:
    """Who is asked for what, in one short line."""
    if view.phase == OVER or view.to_act is None:
        return "The game is over"
    if view.phase == MOVE:
        task = "move a second knight or stop" if view.moved else "move a knight"
    else:
        task = _ASKED[view.phase]
    if view.to_act == view.viewer:
        return f"You are to {task}"
    return f"{seat_names(names, view.players, limit)[view.to_act]} is to {task}"


def by_color(counts: Sequence[int]) -> str:
    """``2 black, 1 green`` for counts in colour order."""
    return ", ".join(f"{count} {COLORS[color]}" for color, count in enumerate(counts) if count)


def standing(view: View, space: int) -> tuple[int, ...]:
    """How many knights of each colour in play stand on a space."""
    return tuple(spaces.count(space) for spaces in view.knights)


def _pile(face: str | None, left: int) -> str:
    if face is None:
        return ""
    return f"{face} ({left - 1} beneath)" if left > 1 else f"{face} (the last)"


def _cave_line(view: View, cave: int) -> str:
    index = cave - 1
    gold = _pile(f"gold {view.gold_up[index]}" if view.gold_left[index] else None, view.gold_left[index])
    gem = _pile(GEMS[view.gem_up[index]] if view.gem_left[index] else None, view.gem_left[index])
    parts = [", ".join(pile for pile in (gold, gem) if pile) or "no cards left"]
    if view.rail <= cave < view.rail + 4:
        parts.append("beside the rail")
    if view.dragon == cave:
        parts.append("the dragon is here")
    knights = by_color(standing(view, SPACES.index(f"c{cave}")))
    if knights:
        parts.append(f"knights: {knights}")
    return f"c{cave}: {'; '.join(parts)}."


def _open_lines(view: View, spaces: Sequence[str]) -> list[str]:
    lines = []
    for name in spaces:
        knights = by_color(standing(view, SPACES.index(name)))
        if knights:
            lines.append(f"{name}: {knights}.")
    return lines or ["Nobody."]


def dragon_line(view: View) -> str:
    """Where the dragon stands, which way it looks and where the rail lies."""
    way = "the castle" if view.facing == TO_CASTLE else "the treasure chamber"
    rail = f"The rail lies beside c{view.rail} to c{view.rail + 3}."
    return f"The dragon stands at c{view.dragon} and looks towards {way}. {rail}"


def moved_line(view: View) -> str:
    """Which knights have moved this turn, or nothing."""
    if not view.moved:
        return ""
    went = (
        f"{COLORS[color]} to {SPACES[at]}" if at >= 0 else f"{COLORS[color]}, off the board" for color, at in view.moved
    )
    return f"Moved this turn: {', '.join(went)}."


def _seat_line(view: View, seat: int, name: str) -> str:
    colors = colors_of(view.players, seat)
    own = " and ".join(COLORS[color] for color in colors)
    knights = sum(len(view.knights[color]) for color in colors)
    gems = ", ".join(f"{count} {GEMS[gem]}" for gem, count in enumerate(view.gems[seat]) if count)
    parts = [
        f"{counted(knights, 'knight')} on the way",
        f"{counted(view.hand_counts[seat], 'gold card')}",
        f"gems: {gems}" if gems else "no gems",
        counted(view.treasures[seat], "treasure"),
    ]
    if view.four_gems == seat:
        parts.append("the bonus card for four different gems")
    line = f"{name} ({own}{', you' if seat == view.viewer else ''}): {'; '.join(parts)}."
    hand = view.hands[seat]
    if hand:
        whose = "Your gold cards" if seat == view.viewer else "Gold cards"
        line += f" {whose}: {', '.join(str(card) for card in hand)}."
    return line


def board_lines(view: View, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The board as headed paragraphs: ``(heading, sentences)``."""
    shown = seat_names(names, view.players, NAME_LIMIT)
    lost = by_color(view.nest)
    left = 4 - sum(view.treasures)
    inside = by_color(view.chamber)
    chamber = [f"{counted(left, 'treasure')} left.".capitalize()]
    if inside:
        chamber.append(f"Arrived: {inside}.")
    return [
        ("Castle", _open_lines(view, SPACES[:5])),
        ("Meadow", _open_lines(view, SPACES[5:11])),
        ("Cave", [dragon_line(view), *(_cave_line(view, cave) for cave in range(1, 10))]),
        ("Treasure chamber", chamber),
        ("Nest", [f"Lost to the dragon: {lost}." if lost else "Nobody has been lost to the dragon."]),
        ("Players", [_seat_line(view, seat, shown[seat]) for seat in range(view.players)]),
    ]


def board_text(view: View, names: Sequence[str]) -> str:
    """The whole board as plain text, wrapped at 77 characters, ending in a newline."""
    lines = textwrap.wrap(f"{headline(view, names)}. {moved_line(view)}", LINE)
    for heading, sentences in board_lines(view, names):
        lines += ["", heading.upper()]
        for sentence in sentences:
            lines += textwrap.wrap(sentence, LINE, initial_indent="  ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"

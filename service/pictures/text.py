"""The board in words: one sentence a space and a seat, in the order in which a knight travels.

It says all that the picture says and needs no fixed-width font, so that it serves plain-text mails, screen
readers (it is the picture's description too) and terminals alike.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from engine import BRIBE, CATCH, COLORS, GEMS, MOVE, OVER, SPACES, TAKE, TO_CASTLE, View, colors_of
from service.i18n import gettext as _
from service.i18n import marked, ngettext
from service.i18n.dates import listed
from service.pictures.ending import ending
from service.pictures.names import seat_names

LINE: Final = 77
NAME_LIMIT: Final = 30

_FIRST: Final = (marked("You are to move a knight"), marked("{name} is to move a knight"))
_SECOND: Final = (
    marked("You are to move a second knight or stop"),
    marked("{name} is to move a second knight or stop"),
)
_ASKED: Final = {
    TAKE: (marked("You are to choose gold or gem"), marked("{name} is to choose gold or gem")),
    CATCH: (
        marked("You are to choose whom the dragon catches"),
        marked("{name} is to choose whom the dragon catches"),
    ),
    BRIBE: (
        marked("You are to bribe the dragon or give up the knight"),
        marked("{name} is to bribe the dragon or give up the knight"),
    ),
}
"""What is said to whoever is asked, and to the others."""


def headline(view: View, names: Sequence[str], limit: int = NAME_LIMIT) -> str:
    """Who is asked for what, in one short line."""
    if view.phase == OVER or view.to_act is None:
        return _("The game is over")
    if view.phase == MOVE:
        you, other = _SECOND if view.moved else _FIRST
    else:
        you, other = _ASKED[view.phase]
    if view.to_act == view.viewer:
        return _(you)
    return _(other).format(name=seat_names(names, view.players, limit)[view.to_act])


def by_color(counts: Sequence[int]) -> str:
    """``2 black, 1 green`` for counts in colour order."""
    return ", ".join(so_many(count, _(COLORS[color])) for color, count in enumerate(counts) if count)


def so_many(number: int, what: str) -> str:
    """``2 ruby``: a word that stays as it is, whatever the number."""
    return _("{number} {what}").format(number=number, what=what)


def standing(view: View, space: int) -> tuple[int, ...]:
    """How many knights of each colour in play stand on a space."""
    return tuple(spaces.count(space) for spaces in view.knights)


def _told(about: str, facts: Sequence[str]) -> str:
    """A space or a player, and what is to be said of it."""
    # For translators: a space of the board or a player, and what there is.
    return _("{about}: {facts}.").format(about=about, facts="; ".join(facts))


def _pile(card: str, left: int) -> str:
    if left == 1:
        return _("{card} (the last)").format(card=card)
    # For translators: the card that lies open, and how many lie beneath it.
    return _("{card} ({number} beneath)").format(card=card, number=left - 1)


def _cave_line(view: View, cave: int) -> str:
    index = cave - 1
    piles = []
    if view.gold_left[index]:
        piles.append(_pile(_("gold {value}").format(value=view.gold_up[index]), view.gold_left[index]))
    if view.gem_left[index]:
        piles.append(_pile(_(GEMS[view.gem_up[index]]), view.gem_left[index]))
    facts = [", ".join(piles) or _("no cards left")]
    if view.rail <= cave < view.rail + 4:
        facts.append(_("beside the rail"))
    if view.dragon == cave:
        facts.append(_("the dragon is here"))
    knights = by_color(standing(view, SPACES.index(f"c{cave}")))
    if knights:
        facts.append(_("knights: {knights}").format(knights=knights))
    return _told(f"c{cave}", facts)


def _open_lines(view: View, spaces: Sequence[str]) -> list[str]:
    lines = []
    for name in spaces:
        knights = by_color(standing(view, SPACES.index(name)))
        if knights:
            lines.append(_told(name, [knights]))
    return lines or [_("Nobody.")]


def dragon_line(view: View) -> str:
    """Where the dragon stands, which way it looks, where the rail lies, and whom it has caught."""
    if view.facing == TO_CASTLE:
        way = _("The dragon stands at {space} and looks towards the castle.")
    else:
        way = _("The dragon stands at {space} and looks towards the treasure chamber.")
    rail = _("The rail lies beside {first} to {last}.").format(first=f"c{view.rail}", last=f"c{view.rail + 3}")
    line = f"{way.format(space=f'c{view.dragon}')} {rail}"
    if view.victim >= 0:
        line += " " + _("The dragon has caught a knight: {color}.").format(color=_(COLORS[view.victim]))
    return line


def moved_line(view: View) -> str:
    """Which knights have moved this turn, or nothing."""
    if not view.moved:
        return ""
    went = [
        _("{color} to {space}").format(color=_(COLORS[color]), space=SPACES[at])
        if at >= 0
        else _("{color}, off the board").format(color=_(COLORS[color]))
        for color, at in view.moved
    ]
    return _("Moved this turn: {knights}.").format(knights=", ".join(went))


def _counts(view: View, seat: int) -> list[str]:
    """What a seat has of everything, as all may know it."""
    knights = sum(len(view.knights[color]) for color in colors_of(view.players, seat))
    gold, treasures = view.hand_counts[seat], view.treasures[seat]
    gems = ", ".join(so_many(count, _(GEMS[gem])) for gem, count in enumerate(view.gems[seat]) if count)
    facts = [
        ngettext("{number} knight on the way", "{number} knights on the way", knights).format(number=knights)
        if knights
        else _("no knights on the way"),
        ngettext("{number} gold card", "{number} gold cards", gold).format(number=gold) if gold else _("no gold cards"),
        _("gems: {gems}").format(gems=gems) if gems else _("no gems"),
        ngettext("{number} treasure", "{number} treasures", treasures).format(number=treasures)
        if treasures
        else _("no treasures"),
    ]
    if view.four_gems == seat:
        facts.append(_("the bonus card for four different gems"))
    result = ending(view)
    if result:
        points = result.scores[seat]
        facts.append(ngettext("{number} point", "{number} points", points).format(number=points))
        if seat in result.winners:
            facts.append(_("the winner") if len(result.winners) == 1 else _("one of the winners"))
    return facts


def _seat_line(view: View, seat: int, name: str) -> str:
    colors = listed([_(COLORS[color]) for color in colors_of(view.players, seat)])
    who = _("{name} ({colors}, you)") if seat == view.viewer else _("{name} ({colors})")
    line = _told(who.format(name=name, colors=colors), _counts(view, seat))
    hand = view.hands[seat]
    if hand:
        whose = _("Your gold cards: {cards}.") if seat == view.viewer else _("Gold cards: {cards}.")
        line += " " + whose.format(cards=", ".join(str(card) for card in hand))
    return line


def _chamber_lines(view: View) -> list[str]:
    left = 4 - sum(view.treasures)
    lines = [
        ngettext("{number} treasure left.", "{number} treasures left.", left).format(number=left)
        if left
        else _("No treasures left.")
    ]
    inside = by_color(view.chamber)
    return [*lines, _("Arrived: {knights}.").format(knights=inside)] if inside else lines


def board_lines(view: View, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The board as headed paragraphs, ``(heading, sentences)``; the last is about the players."""
    shown = seat_names(names, view.players, NAME_LIMIT)
    lost = by_color(view.nest)
    return [
        (_("Castle"), _open_lines(view, SPACES[:5])),
        (_("Meadow"), _open_lines(view, SPACES[5:11])),
        (_("Cave"), [dragon_line(view), *(_cave_line(view, cave) for cave in range(1, 10))]),
        (_("Treasure chamber"), _chamber_lines(view)),
        (
            _("Nest"),
            [
                _("Lost to the dragon: {knights}.").format(knights=lost)
                if lost
                else _("Nobody has been lost to the dragon.")
            ],
        ),
        (_("Players"), [_seat_line(view, seat, shown[seat]) for seat in range(view.players)]),
    ]


def board_text(view: View, names: Sequence[str]) -> str:
    """The whole board as plain text, wrapped at 77 characters, ending in a newline."""
    lines = textwrap.wrap(f"{headline(view, names)}. {moved_line(view)}", LINE)
    for heading, sentences in board_lines(view, names):
        lines += ["", heading.upper()]
        for sentence in sentences:
            lines += textwrap.wrap(sentence, LINE, initial_indent="  ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"

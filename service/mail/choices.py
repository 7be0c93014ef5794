"""What can be done at a decision, in sentences, each with what it leads to as far as everybody can see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import (
    CHAMBER,
    COLORS,
    GEMS,
    GOLD,
    SPACES,
    Action,
    Bribe,
    Catch,
    Move,
    Surrender,
    Take,
    View,
    colors_of,
    crowd,
    destination,
    owner,
)
from service.i18n import gettext as _
from service.i18n import ngettext
from service.i18n.dates import listed
from service.pictures.names import tidy

NAME_LIMIT: Final = 40
"""How much of a name stands in a sentence."""
_CAVE: Final = SPACES.index("c1")


def action_words(action: Action, view: View, names: Sequence[str] = ()) -> str:
    """One legal action of ``view.viewer``."""
    if isinstance(action, Move):
        return _move_words(action, view)
    if isinstance(action, Take):
        cave = view.moved[-1][1] - _CAVE if view.moved else 0
        if action.kind == GOLD:
            return _("Take the gold card {value}; nobody else will see it again").format(value=view.gold_up[cave])
        return _("Take the {gem}").format(gem=_(GEMS[view.gem_up[cave]]))
    if isinstance(action, Catch):
        return _catch_words(action.color, view, names)
    if isinstance(action, Bribe):
        template = _("Give the dragon your gold {value}: your {color} knight at {space} stays")
        return template.format(value=action.gold, **_caught_knight(view))
    if action.do == "surrender":
        template = _("Give up your {color} knight at {space}: it goes to the nest and is out of the game")
        return template.format(**_caught_knight(view))
    return _("Stop here: no second knight this turn")


def bribe_words(view: View) -> list[tuple[str, str]]:
    """How to answer the dragon without naming a card: ``(notation, what it does)``, the same for every hand."""
    lowest = _("Give the dragon your lowest gold card: your {color} knight at {space} stays")
    highest = _("Give the dragon your highest gold card: your {color} knight at {space} stays")
    return [
        ("bribe lowest", lowest.format(**_caught_knight(view))),
        ("bribe highest", highest.format(**_caught_knight(view))),
        ("surrender", action_words(Surrender(), view)),
    ]


def _move_words(action: Move, view: View) -> str:
    steps = crowd(view.knights, action.source)
    target = destination(view.knights, action.source)
    several = len(colors_of(view.players, view.viewer or 0)) > 1
    if target == CHAMBER and several:
        template = ngettext(
            "Move your {color} knight on {source}: {number} step into the treasure chamber",
            "Move your {color} knight on {source}: {number} steps into the treasure chamber",
            steps,
        )
    elif target == CHAMBER:
        template = ngettext(
            "Move your knight on {source}: {number} step into the treasure chamber",
            "Move your knight on {source}: {number} steps into the treasure chamber",
            steps,
        )
    elif several:
        template = ngettext(
            "Move your {color} knight on {source}: {number} step to {target}",
            "Move your {color} knight on {source}: {number} steps to {target}",
            steps,
        )
    else:
        template = ngettext(
            "Move your knight on {source}: {number} step to {target}",
            "Move your knight on {source}: {number} steps to {target}",
            steps,
        )
    told = template.format(
        color=_(COLORS[action.color]),
        source=SPACES[action.source],
        number=steps,
        target="" if target == CHAMBER else SPACES[target],
    )
    return told if target == CHAMBER else f"{told}{_cards_at(target, view)}"


def _cards_at(space: int, view: View) -> str:
    """Which cards one may take there, in brackets; nothing outside of the cave."""
    cave = space - _CAVE
    if cave < 0:
        return ""
    gold = [_("gold {value}").format(value=view.gold_up[cave])] if view.gold_left[cave] else []
    gem = [_(GEMS[view.gem_up[cave]])] if view.gem_left[cave] else []
    cards = listed(gold + gem, "or") or _("no cards there")
    return f" ({cards})"


def _caught_knight(view: View) -> dict[str, str]:
    return {"color": _(COLORS[view.victim]), "space": f"c{view.dragon}"}


def _catch_words(color: int, view: View, names: Sequence[str]) -> str:
    seat = owner(view.players, color)
    if seat == view.viewer:
        return _("Let the dragon catch your own {color} knight").format(color=_(COLORS[color]))
    name = tidy(names[seat], NAME_LIMIT) if seat < len(names) else ""
    if not name:
        return _("Let the dragon catch the {color} knight").format(color=_(COLORS[color]))
    return _("Let the dragon catch the {color} knight of {name}").format(color=_(COLORS[color]), name=name)

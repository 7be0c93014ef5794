"""Numbers to names and back: actions, events, views and positions as JSON values.

The names are those of the record format (docs/RECORD.md). Only ``position_to_json`` shows what is
hidden, and is for storage alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.actions import BRIBES, CATCHES, MOVES, STOP, SURRENDER, TAKES, Action, Bribe, Catch, Move, Take
from engine.board import (
    COLOR_INDEX,
    COLORS,
    OFF_PATH,
    SPACE_INDEX,
    SPACES,
    TO_CASTLE,
    TO_CHAMBER,
    Knights,
    cave_space,
    space_name,
)
from engine.cards import CARD_KINDS, GEM, GEMS, GOLD, GOLD_VALUES, NO_GEM, NO_GOLD, gem_cards
from engine.errors import NotationError
from engine.events import (
    Bribed,
    Caught,
    DragonWent,
    Event,
    GameOver,
    Moved,
    RailWent,
    Surrendered,
    Took,
    TurnedUp,
)
from engine.position import NOBODY, PHASES, Position
from engine.sentences import Sentence
from engine.view import View, view

Json = dict[str, Any]

FACING: Final = {TO_CASTLE: "castle", TO_CHAMBER: "chamber"}


def action_to_json(action: Action) -> Json:
    """An action as in a record, without the seat: ``{"do": "move", "color": "black", "from": "t1"}``."""
    if isinstance(action, Move):
        return {"do": "move", "color": COLORS[action.color], "from": SPACES[action.source]}
    if isinstance(action, Take):
        return {"do": "take", "card": CARD_KINDS[action.kind]}
    if isinstance(action, Catch):
        return {"do": "catch", "color": COLORS[action.color]}
    if isinstance(action, Bribe):
        return {"do": "bribe", "gold": action.gold}
    return {"do": action.do}


def action_from_json(value: object) -> Action:
    """The action that a JSON value stands for; a ``seat`` beside it is not looked at.

    Raises NotationError, naming the part that is wrong, for anything that is no action.
    """
    if not isinstance(value, Mapping):
        example = '{"do": "stop"}'
        raise NotationError(_quote(value), Sentence("an action is an object like {example}", example=example))
    do = value.get("do")
    keys = {"move": {"color", "from"}, "take": {"card"}, "catch": {"color"}, "bribe": {"gold"}}
    if not isinstance(do, str) or do not in {*keys, "stop", "surrender"}:
        raise NotationError(
            _quote(do),
            Sentence("{word} is nothing to do: it is move, stop, take, catch, bribe or surrender", word=_quote(do)),
        )
    needed = keys.get(do, set())
    wrong = (set(value) - {"seat"}) ^ {"do", *needed}
    if wrong:
        word = _quote(min(map(str, wrong)))
        needs = ", ".join(sorted(needed)) or Sentence("nothing else")
        raise NotationError(
            word, Sentence("{word} is missing or too much: {do} goes with {needs}", word=word, do=do, needs=needs)
        )
    if do == "move":
        return MOVES[_color(value["color"])][_pick(SPACE_INDEX, value["from"], Sentence("no space"))]
    if do == "take":
        return TAKES[_pick({"gold": GOLD, "gem": GEM}, value["card"], Sentence("no kind of card"))]
    if do == "catch":
        return CATCHES[_color(value["color"])]
    if do == "bribe":
        gold = value["gold"]
        if type(gold) is not int or gold not in GOLD_VALUES:
            raise NotationError(
                _quote(gold), Sentence("gold is a number from 1 to 5, not {number}", number=_quote(gold))
            )
        return BRIBES[gold]
    return STOP if do == "stop" else SURRENDER


def _quote(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _color(name: object) -> int:
    return _pick(COLOR_INDEX, name, Sentence("no colour"))


def _pick(table: Mapping[str, int], name: object, wrong: Sentence) -> int:
    if not isinstance(name, str) or name not in table:
        word, known = _quote(name), ", ".join(table)
        raise NotationError(
            word, Sentence("{word} is {wrong}: it is one of {known}", word=word, wrong=wrong, known=known)
        )
    return table[name]


def event_to_json(event: Event, viewer: int | None) -> Json:
    """An event as a seat (or None: a spectator) may see it.

    The value of a gold card given to the dragon is there for its giver alone (R-DRAG-7).
    """
    if isinstance(event, Moved):
        named: Json = {
            "seat": event.seat,
            "color": COLORS[event.color],
            "from": SPACES[event.source],
            "to": space_name(event.target),
        }
    elif isinstance(event, Took):
        named = {"seat": event.seat, "space": SPACES[event.space], **_card(event.card, event.value)}
    elif isinstance(event, TurnedUp):
        named = {"space": SPACES[event.space], **_card(event.card, event.value)}
    elif isinstance(event, DragonWent):
        named = {
            "from": SPACES[cave_space(event.source)],
            "to": SPACES[cave_space(event.target)],
            "facing": FACING[event.facing],
        }
    elif isinstance(event, Caught):
        named = {
            "seat": event.seat,
            "color": COLORS[event.color],
            "by": event.by,
            "space": SPACES[event.space],
        }
    elif isinstance(event, Bribed):
        named = {"seat": event.seat, "color": COLORS[event.color]}
        if viewer == event.seat:
            named["gold"] = event.gold
    elif isinstance(event, Surrendered):
        named = {"seat": event.seat, "color": COLORS[event.color]}
    elif isinstance(event, RailWent):
        named = {"first": event.first, "facing": FACING[event.facing]}
    elif isinstance(event, GameOver):
        named = {"reason": event.reason, "scores": list(event.scores), "winners": list(event.winners)}
    else:
        named = event._asdict()
    return {**named, "kind": event.kind}


def _card(kind: int, value: int) -> Json:
    return {"card": CARD_KINDS[kind], "value": value if kind == GOLD else GEMS[value]}


def knights_to_json(knights: Knights) -> Json:
    """The spaces of every colour in play, in board order."""
    return {COLORS[color]: [SPACES[s] for s in spaces] for color, spaces in enumerate(knights)}


def gems_to_json(row: Sequence[int]) -> list[str]:
    """A seat's gems by name, alphabetical."""
    return sorted(GEMS[gem] for gem in gem_cards(row))


def view_to_json(seen: View) -> Json:
    """A view with names, its keys those of ``after`` in a record as far as they go.

    ``hands`` has one object a seat: how many cards, and which (null if hidden); ``given`` the same
    for gold given to the dragon. ``legal`` is left to the caller, who numbers it.
    """
    return {
        "players": seen.players,
        "viewer": seen.viewer,
        "turn": seen.turn,
        "to_act": seen.to_act,
        "phase": PHASES[seen.phase],
        "knights": knights_to_json(seen.knights),
        "nest": {COLORS[color]: count for color, count in enumerate(seen.nest)},
        "chamber": {COLORS[color]: count for color, count in enumerate(seen.chamber)},
        "rail": seen.rail,
        "dragon": seen.dragon,
        "facing": FACING[seen.facing],
        "face_up": [_face_up(gold, gem) for gold, gem in zip(seen.gold_up, seen.gem_up, strict=True)],
        "left": [{"gold": gold, "gem": gem} for gold, gem in zip(seen.gold_left, seen.gem_left, strict=True)],
        "hands": _counted(seen.hand_counts, seen.hands),
        "given": _counted(seen.given_counts, seen.given),
        "gems": [gems_to_json(row) for row in seen.gems],
        "treasures": list(seen.treasures),
        "four_gems": None if seen.four_gems == NOBODY else seen.four_gems,
        "moved": moved_to_json(seen.moved),
        "took": seen.took,
        "victim": None if seen.victim == NOBODY else COLORS[seen.victim],
    }


def _counted(counts: Sequence[int], cards: Sequence[tuple[int, ...] | None]) -> list[Json]:
    return [
        {"count": count, "cards": None if shown is None else list(shown)}
        for count, shown in zip(counts, cards, strict=True)
    ]


def _face_up(gold: int, gem: int) -> Json:
    return {
        "gold": None if gold == NO_GOLD else gold,
        "gem": None if gem == NO_GEM else GEMS[gem],
    }


def moved_to_json(moved: Sequence[tuple[int, int]]) -> list[Json]:
    """The knights moved this turn, in order; ``at`` is null once one has left the path."""
    return [{"color": COLORS[color], "at": None if at == OFF_PATH else SPACES[at]} for color, at in moved]


_AFTER_FROM_VIEW: Final = (
    *("turn", "to_act", "phase", "knights", "rail", "dragon", "facing", "face_up", "left"),
    *("gems", "treasures", "four_gems", "moved", "took", "victim"),
)


def after(position: Position) -> Json:
    """A position in the ``after`` form of the record format: with the setup it is whole."""
    shown = view_to_json(view(position, None))
    return {key: shown[key] for key in _AFTER_FROM_VIEW} | {"gold": [list(h) for h in position.hands]}

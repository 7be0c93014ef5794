"""A whole position as JSON and back, hidden things included: for the database and nobody else."""

from collections.abc import Sequence
from typing import Final

from engine.board import COLOR_INDEX, COLORS, OFF_PATH, SPACE_INDEX, colors_in_play
from engine.cards import GEM_INDEX, GEMS
from engine.errors import EngineError
from engine.position import NOBODY, PHASES, Position
from engine.turn import menu
from engine.wire import FACING, Json, gems_to_json, knights_to_json, moved_to_json

RULES_VERSION: Final = 1
"""Raised when a mend of a rule would change how a stored position goes on."""


def position_to_json(position: Position) -> Json:
    """Everything about a position. Holds hidden cards and coming throws: it must never be sent."""
    return {
        "players": position.players,
        "turn": position.turn,
        "phase": PHASES[position.phase],
        "knights": knights_to_json(position.knights),
        "nest": list(position.nest),
        "rail": position.rail,
        "dragon": position.dragon,
        "facing": FACING[position.facing],
        "piles": piles_to_json(position.gold_piles, position.gem_piles),
        "hands": [list(hand) for hand in position.hands],
        "given": [list(gold) for gold in position.given],
        "gems": [gems_to_json(row) for row in position.gems],
        "treasures": list(position.treasures),
        "four_gems": None if position.four_gems == NOBODY else position.four_gems,
        "moved": moved_to_json(position.moved),
        "took": position.took,
        "victim": None if position.victim == NOBODY else COLORS[position.victim],
        "dice": list(position.dice),
        "thrown": position.thrown,
    }


def position_from_json(stored: Json) -> Position:
    """The position that ``position_to_json`` wrote. Raises EngineError if it is not one."""
    try:
        position = _position(stored)
        return position._replace(legal=menu(position))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise EngineError(f"this is no stored position: {error!r}") from error


def _position(stored: Json) -> Position:
    four_gems, victim = stored["four_gems"], stored["victim"]
    return Position(
        players=stored["players"],
        turn=stored["turn"],
        phase=PHASES.index(stored["phase"]),
        knights=tuple(
            tuple(SPACE_INDEX[name] for name in stored["knights"][COLORS[color]])
            for color in range(colors_in_play(stored["players"]))
        ),
        nest=tuple(stored["nest"]),
        rail=stored["rail"],
        dragon=stored["dragon"],
        facing={name: way for way, name in FACING.items()}[stored["facing"]],
        gold_piles=tuple(tuple(pile["gold"]) for pile in stored["piles"]),
        gem_piles=tuple(tuple(GEM_INDEX[gem] for gem in pile["gem"]) for pile in stored["piles"]),
        hands=tuple(tuple(hand) for hand in stored["hands"]),
        given=tuple(tuple(gold) for gold in stored["given"]),
        gems=tuple(tuple(row.count(gem) for gem in GEMS) for row in stored["gems"]),
        treasures=tuple(stored["treasures"]),
        four_gems=NOBODY if four_gems is None else four_gems,
        moved=tuple(
            (COLOR_INDEX[m["color"]], OFF_PATH if m["at"] is None else SPACE_INDEX[m["at"]]) for m in stored["moved"]
        ),
        took=stored["took"],
        victim=NOBODY if victim is None else COLOR_INDEX[victim],
        dice=tuple(stored["dice"]),
        thrown=stored["thrown"],
        legal=(),
    )


def piles_to_json(gold_piles: Sequence[Sequence[int]], gem_piles: Sequence[Sequence[int]]) -> list[Json]:
    """The piles c1 to c9, top card first, as in a record's setup."""
    return [
        {"gold": list(gold), "gem": [GEMS[gem] for gem in gems]}
        for gold, gems in zip(gold_piles, gem_piles, strict=True)
    ]

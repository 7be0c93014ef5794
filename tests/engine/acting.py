"""Actions in words, for tests that read like a table: ``do(position, "black t1", "stop")``."""

import pytest

from engine import (
    SPACES,
    Action,
    Bribe,
    Catch,
    Event,
    IllegalAction,
    Move,
    Position,
    Stop,
    Surrender,
    Take,
    apply,
    legal_actions,
)
from engine.board import COLOR_INDEX, SPACE_INDEX
from engine.cards import CARD_KINDS
from tests.engine.positions import play


def act(words: str) -> Action:
    """An action in words: ``black t1``, ``stop``, ``gold``, ``gem``, ``catch green``, ``bribe 3``, ``surrender``."""
    first, *more = words.split()
    if first in COLOR_INDEX:
        return Move(COLOR_INDEX[first], SPACE_INDEX[more[0]])
    if first in CARD_KINDS:
        return Take(CARD_KINDS.index(first))
    if first == "catch":
        return Catch(COLOR_INDEX[more[0]])
    if first == "bribe":
        return Bribe(int(more[0]))
    return Stop() if first == "stop" else Surrender()


def do(position: Position, *lines: str) -> tuple[Position, list[Event]]:
    """Like ``play``, with the actions in words."""
    return play(position, *(act(words) for words in lines))


def refused(position: Position, words: str) -> IllegalAction:
    """How an action is refused; it must be, and it must not be among what is legal."""
    assert act(words) not in legal_actions(position)
    with pytest.raises(IllegalAction) as caught:
        apply(position, act(words))
    assert caught.value.legal == legal_actions(position)
    assert str(caught.value) == f"{caught.value.message} ({caught.value.rule})"
    return caught.value


def standing(position: Position, color: str) -> str:
    """Where the knights of a colour stand: ``"t1 m3 m3"``."""
    return " ".join(SPACES[space] for space in position.knights[COLOR_INDEX[color]])

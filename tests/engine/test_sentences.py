"""What the engine says: English as it always was, and made of a template and facts."""

from __future__ import annotations

import ast
import copy
import json
import pickle
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import (
    IllegalAction,
    NotationError,
    Sentence,
    SetupError,
    action_from_json,
    apply,
    deal,
    explain,
    explain_plan,
    legal_actions,
    parse_bribe,
    parse_catch,
    parse_plan,
    play_actions,
    play_line,
)
from engine.actions import ACTIONS
from engine.reading import split_words
from engine.sentences import chain, sentence_from_json, sentence_to_json
from tests.engine.positions import SEATS, game, position

WORDS = split_words(
    "t1 t2 t3 t4 hall m1 m3 c1 c2 c4 c9 t7 m9 black orange purple yellow gold gem stop catch bribe surrender lowest "
    "highest leader never me at most ask while I have 1 2 3 7 0 cards card > chamber nest if then else and not to "
    "dragon ruby gme bribbe {word} %(x)s"
)
LINES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
_CALLS = {"Sentence": 0, "chain": 0, "wrong": 1, "unknown": 2}
_TABLES = {"COLORS", "GEMS", "CARD_KINDS"}


def test_a_sentence_is_its_english_words_and_knows_its_parts() -> None:
    told = Sentence("no {color} knight stands on {space}", color=Sentence("black"), space="{t1}")
    assert told == "no black knight stands on {t1}"
    assert isinstance(told, str)
    assert json.dumps(told) == '"no black knight stands on {t1}"'
    for again in (copy.deepcopy(told), pickle.loads(pickle.dumps(told)), sentence_from_json(sentence_to_json(told))):
        assert (again, again.template, again.args) == (told, told.template, told.args)
        assert isinstance(again.args["color"], Sentence)
    assert chain("{one} or {other}", ["t1"]) == "t1"
    assert chain("{one} or {other}", ["t1", "t2", "t3"]) == "t1 or t2 or t3"


@given(st.sampled_from(SEATS), st.integers(0, 40), st.integers(0, 60), LINES)
def test_every_refusal_and_every_reason_is_a_sentence(players: int, seed: int, steps: int, line: str) -> None:
    stands = somewhere(players, seed, steps)
    try:
        played = play_line(stands, line)
    except (IllegalAction, NotationError) as error:
        _check(error.message)
    else:
        for one in played.dropped:
            _check(one.reason)
    for action in ACTIONS:
        if action not in legal_actions(stands):
            with pytest.raises(IllegalAction) as refused:
                apply(stands, action)
            _check(refused.value.message)


@given(LINES)
def test_orders_and_plans_are_refused_and_explained_in_sentences(text: str) -> None:
    for parse, told in ((parse_bribe, explain), (parse_catch, explain), (parse_plan, explain_plan)):
        try:
            order = parse(text)
        except NotationError as error:
            _check(error.message)
        else:
            if order is not None:
                _check(told(order))  # type: ignore[arg-type]  # each with its own


@pytest.mark.parametrize(
    "value",
    [
        *(None, [], {}, {"do": "fly"}, {"do": "move"}, {"do": "stop", "x": 1}, {"do": "bribe", "gold": 9}),
        *(
            {"do": "take", "card": "ruby"},
            {"do": "catch", "color": "blue"},
            {"do": "move", "color": "black", "from": "x"},
        ),
    ],
)
def test_values_that_are_no_action_are_refused_in_sentences(value: object) -> None:
    with pytest.raises(NotationError) as refused:
        action_from_json(value)
    _check(refused.value.message)


def test_setups_and_empty_moves_are_refused_in_sentences() -> None:
    for players, seed, entropy, first in (
        (9, bytes(32), [""] * 9, 0),
        (3, b"x", [""] * 3, 0),
        (3, bytes(32), ["|", "", ""], 0),
        (3, bytes(32), [""] * 3, 3),
    ):
        with pytest.raises(SetupError) as refused:
            deal(players, seed, entropy, first)
        _check(refused.value.message)
        assert str(refused.value) == refused.value.message
    with pytest.raises(NotationError) as empty:
        play_actions(position(), [])
    _check(empty.value.message)


def test_templates_stand_in_the_code_as_they_are() -> None:
    """So they can be gathered: a literal, or a word from a table of names."""
    strange = []
    for path in sorted(Path(engine.__file__).parent.rglob("*.py")):
        for call in _calls(path):
            said = call.args[_CALLS[call.func.id]]  # type: ignore[attr-defined]  # a name, as _calls looks for
            literal = isinstance(said, ast.Constant) and isinstance(said.value, str)
            named = isinstance(said, ast.Subscript) and isinstance(said.value, ast.Name) and said.value.id in _TABLES
            handed_on = isinstance(said, ast.Name) and said.id == "template" and path.name == "reading.py"
            if not (literal or named or handed_on or path.name == "sentences.py"):
                strange.append(f"{path.name}:{call.lineno}")
    assert strange == []


def test_every_place_in_a_template_is_filled() -> None:
    given = {"chain": {"one", "other"}, "wrong": {"word"}, "unknown": {"word"}}
    wrong = []
    for path in sorted(Path(engine.__file__).parent.rglob("*.py")):
        for call in _calls(path):
            name: str = call.func.id  # type: ignore[attr-defined]  # a name, as _calls looks for
            said = call.args[_CALLS[name]]
            if isinstance(said, ast.Constant):
                places = {place for _, place, _, _ in Formatter().parse(str(said.value)) if place is not None}
                if places != {word.arg for word in call.keywords} | given.get(name, set()):
                    wrong.append(str(said.value))
    assert wrong == []


def _calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            yield node


def somewhere(players: int, seed: int, steps: int) -> engine.Position:
    """A position of a random game, not yet over."""
    *_, (stands, *_) = islice(game(players, seed), steps + 1)
    return stands


def _check(message: object) -> None:
    assert isinstance(message, Sentence)
    assert message.template.format(**message.args) == message
    assert sentence_from_json(json.loads(json.dumps(sentence_to_json(message)))) == message
    for arg in message.args.values():
        if isinstance(arg, Sentence):
            _check(arg)
        else:
            assert isinstance(arg, str | int)

"""What the engine and the use cases say, in another language than English: all of it, and the facts as they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

import service
from engine import (
    BribeOrder,
    CatchOrder,
    IllegalAction,
    NotationError,
    Sentence,
    explain,
    explain_plan,
    parse_plan,
    play_line,
)
from engine.board import COLORS, SPACES
from engine.sentences import sentence_to_json
from service.i18n import retold, told
from tests.engine.positions import SEATS
from tests.engine.test_sentences import LINES, WORDS, somewhere
from tests.i18n.marking import facts, marking

#: What may be left of a sentence: ids of rules, words of the notation and what was typed.
_RULE = re.compile(r"R-[A-Z]+-\d+")
_LEFT = {word.lower() for word in (*WORDS, *SPACES, *COLORS, "black", "while", "have")}


@given(st.sampled_from(SEATS), st.integers(0, 40), st.integers(0, 60), LINES)
def test_a_line_is_refused_in_the_language_that_is_spoken(players: int, seed: int, steps: int, line: str) -> None:
    said: list[Sentence] = []
    try:
        said += [one.reason for one in play_line(somewhere(players, seed, steps), line).dropped]
    except (IllegalAction, NotationError) as error:
        said.append(error.message)
    for sentence in said:
        assert told(sentence) == retold(sentence, sentence_to_json(sentence)) == sentence
        with marking():
            english = told(sentence)
            assert retold(sentence, sentence_to_json(sentence)) == english
        assert (english[0], english[-1]) == ("⟦", "⟧")
        left = re.findall(r"[a-z]{3,}[\w-]*", _RULE.sub("", facts(english)).lower())
        assert [word for word in left if word not in _LEFT and not line.lower().count(word)] == []


def test_words_of_ours_are_told_and_words_of_the_notation_are_not() -> None:
    with marking():
        assert told(Sentence("no {color} knight stands on {space}", color=Sentence("black"), space="t1")) == "⟦⟦⟧ t1⟧"
        assert told("what somebody wrote") == "what somebody wrote"
        assert retold("An old sentence.", None) == "An old sentence."


def test_orders_and_plans_are_explained_in_the_language_that_is_spoken() -> None:
    plan = parse_plan(
        "if m3 and not dragon c4 and gem at c2 and purple c4 to c6 then m3 gem else if ruby at c1 and not gold 3 at c2 "
        "and not c9 to chamber and not gold at c3 and not t1 then t1 else m2 stop"
    )
    pays: tuple[Literal["never", "lowest", "highest"] | int, ...] = ("never", "lowest", "highest", 2)
    wanted: tuple[tuple[int | Literal["leader"], ...], ...] = ((1, "leader"), (2,))
    orders: list[BribeOrder | CatchOrder] = [CatchOrder((), never_me=True)]
    orders += [BribeOrder(one, keep) for one in pays for keep in (1, 3)]
    orders += [CatchOrder(one, never_me=never) for one in wanted for never in (True, False)]
    with marking():
        explained = [told(explain(order)) for order in orders]
        assert {word for one in explained for word in facts(one).split()} <= {"2", "3"}
        left = set(facts(told(explain_plan(plan))).split())
    assert left <= {"m3", "c4", "c2", "c6", "gem", "c1", "c9", "chamber", "c3", "t1", "m2", "stop", "3"}


def test_no_refusal_of_a_use_case_or_a_page_is_english_alone() -> None:
    folder = Path(service.__file__).parent
    paths = [*folder.glob("usecases/**/*.py"), *folder.glob("web/**/*.py"), folder / "db.py"]
    plain = [f"{path.name}:{line}" for path in sorted(paths) for line in _plain(path)]
    assert plain == []


def _plain(path: Path) -> Iterator[int]:
    """Where a message is handed over without having been looked up."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Refusal", "invalid"):
            said = node.args[1] if len(node.args) > 1 else None
            if isinstance(said, ast.JoinedStr) or (isinstance(said, ast.Constant) and isinstance(said.value, str)):
                yield node.lineno

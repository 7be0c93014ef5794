"""Listings as rows: nothing is lost, and what was broken into lines flows again."""

import re

import pytest

from engine import RULES
from service.commands import ENTRIES, help_lines
from service.commands.table import SECTIONS
from service.mail.listing import rows
from service.usecases.inbound.lookups import _wrapped

GAMES = ("h5qyw46qtbdr  your turn          you, Bot 2, Robin Vale", "7ks74wqnx2ns  waiting, 1 open    you, open")
HISTORY = (
    "  9  Bot 2 moved an orange knight from t1 to m2, and so on to the end of a",
    "     line.",
    " 10  You said: “Hi”",
)
EVERY_RULE = tuple(line for rule, text in RULES.items() for line in _wrapped(text, f"{rule}: ", "  "))


@pytest.mark.parametrize(
    "lines", [help_lines(), help_lines("new"), help_lines("nonsense"), GAMES, HISTORY, EVERY_RULE], ids=lambda it: it[0]
)
def test_nothing_is_lost(lines: tuple[str, ...]) -> None:
    told = " ".join(f"{row.key} {row.text}" for row in rows(lines)).replace(" – ", " ")
    assert told.split() == re.sub(r"(R-\S+):", r"\1", " ".join(lines)).split()


def test_help_has_a_row_for_each_command_and_a_gap_before_each_section() -> None:
    made = rows(help_lines())
    assert {row.key: row.text for row in made if row.key} == {entry.usage: entry.summary for entry in ENTRIES}
    assert [row.text for row in made if row.gap][:-1] == list(SECTIONS.values())[1:]


def test_text_flows_again() -> None:
    assert [(row.key, row.text) for row in rows(EVERY_RULE)] == list(RULES.items())
    assert [(row.key, row.text[-7:]) for row in rows(HISTORY)] == [("9", "a line."), ("10", "d: “Hi”")]
    assert [row.key for row in rows(GAMES)] == ["h5qyw46qtbdr", "7ks74wqnx2ns"]
    about = rows(help_lines("new"))
    assert len(about) == 3
    assert re.match("Start a game. .* the clock[.]$", about[1].text)

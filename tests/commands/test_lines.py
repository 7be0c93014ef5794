"""What a line says: commands, mistakes with what was meant, and prose, several hundred of each kind people write."""

from __future__ import annotations

from datetime import date

import pytest

from engine.lines import parse_line
from service.commands import read_line
from service.commands.model import AwayFrom, Command, Mistake, Play, Say
from tests.commands.commands import COMMANDS, MISTAKES
from tests.commands.prose import PROSE


@pytest.mark.parametrize(("line", "command"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_a_command_says_what_it_says(line: str, command: Command) -> None:
    assert read_line(line) == command
    if isinstance(command, Play):
        parse_line(command.line)  # the engine reads what is handed to it


@pytest.mark.parametrize(("line", "word", "suggestion"), MISTAKES, ids=[line for line, _, _ in MISTAKES])
def test_a_mistake_quotes_the_word_says_why_and_what_was_meant(line: str, word: str, suggestion: str) -> None:
    mistake = read_line(line)
    assert isinstance(mistake, Mistake)
    assert (mistake.word, mistake.suggestion) == (word, suggestion)
    assert f"'{word}'" in mistake.message
    assert "did you mean" not in mistake.message or not suggestion, "said once, by whoever shows the suggestion"
    if suggestion:
        assert not isinstance(read_line(suggestion), Mistake | None), "what is suggested works"


def test_prose_is_no_command() -> None:
    read = {line: found for line in PROSE if (found := read_line(line)) is not None}
    assert read == {}


def test_the_engine_explains_its_own_words() -> None:
    mistake = read_line("t1 m9")
    assert isinstance(mistake, Mistake)
    assert "a line is made of spaces (t1 to t4, hall, m1 to m6, c1 to c9)" in mistake.message


def test_texts_have_an_end() -> None:
    assert read_line("say " + "x" * 2000) == Say("x" * 2000)
    too_long = read_line("say " + "x" * 2001)
    assert isinstance(too_long, Mistake)
    assert "2000" in too_long.message
    assert read_line("t1 " * 5000) is None
    assert read_line("say " + "x" * 1_000_000) is None


def test_what_is_quoted_back_is_safe_and_short() -> None:
    mistake = read_line("t1 m3 g\x1b[31mem" + "!x" * 60)
    assert isinstance(mistake, Mistake)
    assert len(mistake.word) <= 40
    assert mistake.word.isprintable()


@pytest.mark.parametrize(
    ("line", "today", "starts", "ends"),
    [
        ("away 20 Dec - 3 Jan", date(2026, 11, 30), date(2026, 12, 20), date(2027, 1, 3)),
        ("away 20 Dec - 3 Jan", date(2026, 12, 28), date(2026, 12, 20), date(2027, 1, 3)),
        ("away 20 Dec - 3 Jan", date(2027, 1, 3), date(2026, 12, 20), date(2027, 1, 3)),
        ("away 20 Dec - 3 Jan", date(2027, 1, 4), date(2027, 12, 20), date(2028, 1, 3)),
        ("away 1 Feb - 10 Feb", date(2026, 11, 30), date(2027, 2, 1), date(2027, 2, 10)),
        ("away 29 Feb - 1 Mar", date(2026, 11, 30), date(2028, 2, 29), date(2028, 3, 1)),
        ("away 24 Dec - 24 Dec", date(2026, 12, 24), date(2026, 12, 24), date(2026, 12, 24)),
        ("away 20 Dec - 3 Jan 2027", date(2027, 6, 1), date(2026, 12, 20), date(2027, 1, 3)),
        ("away 2026-12-20 - 3 Jan", date(2027, 6, 1), date(2026, 12, 20), date(2027, 1, 3)),
    ],
)
def test_a_day_without_a_year_is_the_next_of_its_name(line: str, today: date, starts: date, ends: date) -> None:
    away = read_line(line)
    assert isinstance(away, AwayFrom)
    assert away.dates(today) == (starts, ends)

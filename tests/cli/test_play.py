"""`emerald play`: a whole game in the terminal."""

import re

import pytest

from engine import COLORS, deal, legal_actions, start
from service.cli.play import _seed_of
from tests.cli.conftest import Emerald


def test_a_game_is_played_to_its_end_by_number(emerald: Emerald) -> None:
    played = emerald("play", "--seats", 2, "--seed", "x", "--bots", "random", stdin="1\n" * 500)
    assert played.status == 0
    assert "The seed was" in played.out
    assert "*" in played.out.splitlines()[-3] + played.out.splitlines()[-2]
    assert "The game is over" in played.out


def test_the_parts_of_a_score_add_up(emerald: Emerald) -> None:
    played = emerald("play", "--seats", 4, "--seed", "x", "--bots", "random", stdin="1\n" * 500)
    scores = re.findall(
        r"^\S.*?(\d+)  \(gold (\d+), treasures (\d+), gems (\d+), bonus (\d+)\)", played.out, re.MULTILINE
    )
    assert len(scores) == 4
    for total, *parts in scores:
        assert int(total) == sum(map(int, parts))
    assert any(int(parts[-1]) for parts in scores)


def test_no_line_is_wider_than_the_terminal(emerald: Emerald, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = emerald("play", "--seats", 2, "--seed", "z", stdin="pass\nt1\nrules\nhelp\n" + "1\n" * 60)
    written = re.sub("^You> ", "", said.out, flags=re.MULTILINE)
    assert [line for line in written.splitlines() if len(line) > 80] == []


def test_the_same_seed_gives_the_same_game(emerald: Emerald) -> None:
    games = [emerald("play", "--seats", 4, "--seed", "y", "--bots", "random", stdin="1\n" * 500).out for _ in range(2)]
    assert games[0] == games[1]


def test_words_are_understood_and_mistakes_explained(emerald: Emerald) -> None:
    position = start(deal(3, _seed_of("z"), [""] * 3, None))
    assert legal_actions(position)
    said = emerald("play", "--seed", "z", "--seat", 1, stdin="help\nrules\nboard\nt9\nc5\n99\n\nt1\nquit\n")
    assert said.status == 0
    assert "catch purple>yellow" in said.out  # help
    assert "R-MOVE-3" in said.out  # rules
    assert "'t9'" in said.out
    assert "'99'" in said.out
    assert "from t1 to" in said.out or "moved a black knight from t1" in said.out
    assert "Good bye" in said.out


def test_the_end_of_the_input_is_a_good_bye(emerald: Emerald) -> None:
    assert emerald("play", "--seed", "z").status == 0


def test_a_seat_that_is_not_there_is_refused(emerald: Emerald) -> None:
    refused = emerald("play", "--seats", 2, "--seat", 3)
    assert refused.status == 2
    assert "only 2 seats" in refused.err


def test_no_other_hand_is_ever_shown(emerald: Emerald) -> None:
    played = emerald("play", "--seats", 3, "--seed", "w", "--bots", "random", stdin="1\n" * 500)
    during = played.out.split("The game is over")[0]
    assert "Your gold cards" in during
    # "Gold cards: 3, 5" without "Your" is somebody else's hand: only after the end.
    assert " Gold cards:" not in during
    assert " Gold cards:" in played.out
    assert len(COLORS) == 5

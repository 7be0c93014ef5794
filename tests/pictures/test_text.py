"""The board in words says what the picture says."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import COLORS, GEMS, SPACES, View
from service.pictures.names import seat_names, tidy
from service.pictures.sketch import board_sketch
from service.pictures.svg import board_svg
from service.pictures.text import LINE, board_lines, board_text, headline
from tests.i18n.marking import facts, marking
from tests.pictures.games import NAMES, every_view, found, played


def section(view: View, heading: str) -> list[str]:
    return dict(board_lines(view, NAMES))[heading]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_knight_is_told_where_it_stands(players: int) -> None:
    for view in every_view(players, players):
        told: Counter[tuple[str, str]] = Counter()
        for heading in ("Castle", "Meadow", "Cave"):
            for sentence in section(view, heading):
                space, _, rest = sentence.partition(": ")
                knights = rest if heading != "Cave" else rest.partition("knights: ")[2]
                for group in knights.rstrip(".").split(", ") if knights else []:
                    number, color = group.split()
                    told[space, color] += int(number)
        real = Counter((SPACES[space], COLORS[color]) for color, spaces in enumerate(view.knights) for space in spaces)
        assert told == real


def test_every_pile_is_told() -> None:
    view = engine.view(played(3, 1, lambda p, n: n == 60)[0], None)
    for cave, sentence in enumerate(section(view, "Cave")[1:]):
        gold, gem = view.gold_left[cave], view.gem_left[cave]
        assert (f"gold {view.gold_up[cave]}" in sentence) == (gold > 0)
        assert any(name in sentence for name in GEMS) == (gem > 0)
        assert ("no cards left" in sentence) == (gold == gem == 0)
        assert sentence.count("beneath") == (gold > 1) + (gem > 1)
        assert ("beside the rail" in sentence) == (view.rail <= cave + 1 < view.rail + 4)
        assert ("the dragon is here" in sentence) == (view.dragon == cave + 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_lines_are_short_and_plain(players: int) -> None:
    for view in every_view(players, players + 1):
        text = board_text(view, NAMES)
        assert text.endswith("\n")
        for line in text.splitlines():
            assert len(line) <= LINE
            assert line == line.rstrip()
            assert "\t" not in line


def test_only_the_own_hand_is_told() -> None:
    position, _ = played(3, 4, lambda p, _: all(p.hands))
    own, others = engine.view(position, 0), engine.view(position, None)
    assert f"Your gold cards: {', '.join(map(str, position.hands[0]))}." in board_text(own, NAMES)
    assert board_text(own, NAMES).count("old cards:") == 1
    assert "old cards:" not in board_text(others, NAMES)


@pytest.mark.parametrize("players", [2, 5])
def test_no_sentence_is_left_in_english(players: int) -> None:
    views = [*every_view(players, 4, step=40), engine.view(found(players, engine.BRIBE), 0)]
    with marking():
        for view in views:
            told = board_text(view, NAMES[:1]) + board_sketch(view)
            drawn = re.sub("<(style|defs)>.*?</\\1>", "", board_svg(view, NAMES[:1]))
            left = f"{facts(told)} {facts(' '.join(re.findall('>([^<]+)<', drawn)))}"
            known = {*SPACES, *NAMES, "Emerald", "und"}  # the last is Babel's, between two of a list
            assert not set(re.findall(r"[A-Za-z]\w{2,}", left)) - known


def test_points_and_winners_are_told_at_the_end() -> None:
    position, _ = played(3, 4)
    result = engine.score(position)
    lines = section(engine.view(position, None), "Players")
    assert result.winners
    for seat, line in enumerate(lines):
        assert f"; {result.scores[seat]} points" in line
        assert ("winner" in line) == (seat in result.winners)


def test_nobody_wins_a_game_that_was_broken_off() -> None:
    middle, _ = played(3, 4, lambda p, n: n == 40)
    view = engine.view(engine.break_off(middle), None)
    told = " ".join(section(view, "Players"))
    assert told.count(" point") == 3
    assert "winner" not in told
    assert 'href="#e-crown"' not in board_svg(view, NAMES)
    assert 'href="#e-crown"' in board_svg(engine.view(played(3, 4)[0], None), NAMES)
    assert " point" not in " ".join(section(engine.view(middle, 0), "Players"))


def test_headlines() -> None:
    start = played(3, 1, lambda p, n: True)[0]
    assert headline(engine.view(start, 0), NAMES) == "You are to move a knight"
    assert headline(engine.view(start, 1), NAMES) == "Anna is to move a knight"
    assert headline(engine.view(start, None), []) == "Seat 1 is to move a knight"
    bribe = found(3, engine.BRIBE)
    assert (
        headline(engine.view(bribe, engine.to_act(bribe)), NAMES) == "You are to bribe the dragon or give up the knight"
    )
    assert headline(engine.view(played(3, 1)[0], 0), NAMES) == "The game is over"


def test_knights_moved_this_turn_are_told() -> None:
    position, _ = played(3, 2, lambda p, n: bool(p.moved) and p.phase == 0 and p.moved[0][1] > 0)
    color, at = position.moved[0]
    assert f"Moved this turn: {COLORS[color]} to {SPACES[at]}." in board_text(engine.view(position, 0), NAMES)


def test_who_has_one_of_something_and_who_has_none() -> None:
    view = engine.view(played(3, 1, lambda p, n: True)[0], None)._replace(hand_counts=(0, 1, 2), treasures=(0, 1, 2))
    lines = section(view, "Players")
    for line, gold, treasures in zip(
        lines,
        ("no gold cards", "1 gold card", "2 gold cards"),
        ("no treasures", "1 treasure", "2 treasures"),
        strict=True,
    ):
        assert f"; {gold};" in line
        assert f"; {treasures}." in line


def test_whom_the_dragon_has_caught_is_told() -> None:
    position = found(3, engine.BRIBE)
    caught = f"The dragon has caught a knight: {COLORS[position.victim]}."
    assert caught in board_text(engine.view(position, None), NAMES)
    assert "has caught" not in board_text(engine.view(found(3, engine.TAKE), None), NAMES)


@given(st.text(max_size=200), st.integers(min_value=2, max_value=40))
def test_a_tidy_name_is_one_short_line(text: str, limit: int) -> None:
    name = tidy(text, limit)
    assert len(name) <= limit
    assert len(name.splitlines()) <= 1
    assert name == name.strip()
    assert tidy(name, limit) == name


def test_direction_marks_are_dropped() -> None:
    assert tidy("ab\u202ecd\u2066\x07e\r\nf", 20) == "ab cd e f"


def test_a_seat_without_a_name_has_its_number() -> None:
    assert seat_names(["", "\u202e", "C"], 4, 10) == ("Seat 1", "Seat 2", "C", "Seat 4")

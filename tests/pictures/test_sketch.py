"""The board drawn with letters."""

import pytest

from engine import COLORS, GEMS, SPACES
from service.pictures.sketch import board_sketch
from service.pictures.text import standing
from tests.pictures.games import every_view


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_knight_and_card_is_drawn_and_no_line_is_long(players: int) -> None:
    for view in every_view(players, 5):
        drawn = board_sketch(view)
        lines = drawn.splitlines()
        assert drawn.isascii()
        assert max(len(line) for line in lines) <= 77
        board = drawn[: drawn.index("treasure chamber")]
        for color in range(len(view.knights)):
            letter = COLORS[color][0].upper()
            counts = [standing(view, space)[color] for space in range(len(SPACES))]
            expected = [f"{letter}{count if count > 1 else ''}" for count in counts if count]
            assert sum(board.count(letter + digit) for digit in "23456789") == sum(count > 1 for count in counts)
            assert all(text in board for text in expected)
        for cave in range(1, 10):
            [line] = [line for line in lines if line.startswith(f"  c{cave} ")]
            assert ("dragon" in line) == (view.dragon == cave)
            assert ("#" in line) == (view.rail <= cave < view.rail + 4)
            if view.gem_left[cave - 1]:
                assert GEMS[view.gem_up[cave - 1]] in line


def test_it_shows_what_is_open_and_nothing_else() -> None:
    for view in every_view(3, 5, step=25):
        bare = view._replace(hands=(None,) * 3, given=(None,) * 3, legal=())
        assert board_sketch(view) == board_sketch(bare)

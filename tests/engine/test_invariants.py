"""Random games keep what must be kept, and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import Position, problems
from engine.board import colors_in_play, starting_spaces
from engine.position import NOBODY
from tests.engine.positions import SEATS, game, position, whole_games


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_every_position_of_a_random_game_is_sound(players: int, seed: int) -> None:
    """Cards, knights and treasures are conserved, somebody can always act, the game ends (R-END-2)."""
    steps = 0
    last = None
    for before, _, then, _ in game(players, seed):
        assert problems(before) == []
        assert before.legal
        assert engine.to_act(before) is not None
        assert len(set(before.legal)) == len(before.legal)
        last, steps = then, steps + 1
    assert last is not None
    assert problems(last) == []
    assert engine.to_act(last) is None
    knights = colors_in_play(players) * len(starting_spaces(players))
    # R-MOVE-4: every move brings a knight nearer the chamber, and no move allows more than six decisions.
    assert steps <= 6 * 15 * knights


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_a_position_never_changes(players: int, seed: int) -> None:
    for before, action, then, events in game(players, seed):
        kept = before[:]
        again, same_events = engine.apply(before, action)
        assert (again, same_events) == (then, events)
        assert before == kept
        hash(before)
    with pytest.raises(AttributeError):
        before.turn = 0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        (position(3)._replace(knights=((0, 1), (0, 1))), "R-SET-2"),
        (position(3)._replace(knights=((1, 0), (0, 1), (0, 1))), "R-SET-1"),
        (position(3)._replace(nest=(1, 0, 0)), "R-SET-3"),
        (position(3)._replace(treasures=(1, 0, 0)), "R-END-1"),
        (position(3, treasures={0: 2, 1: 3}), "R-SET-5"),
        (position(3, hands={0: (5, 5, 5, 5, 5, 5)}), "R-SET-4"),
        (position(3, dragon=9), "R-DRAG-3"),
        (position(3, knights={"black": "t1"}), "R-END-2"),
        (position(3)._replace(moved=((0, 12),)), "R-MOVE-2"),
        (position(3)._replace(legal=()), "legal actions"),
    ],
)
def test_what_is_broken_is_named(broken: Position, rule: str) -> None:
    assert any(rule in problem for problem in problems(broken))


def test_a_sound_position_has_no_problems() -> None:
    sound = position(3, knights={"black": "t1 c3"}, hands={0: (5,)}, no_cards=True, four_gems=NOBODY)
    assert problems(sound) == []

"""Moving knights (R-MOVE-1 … R-MOVE-7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import COLORS, SPACES, Move, Position, apply, colors_of, legal_actions, to_act
from engine.events import Moved
from tests.engine.acting import act, do, refused, standing
from tests.engine.positions import SEATS, game, kinds, position, whole_games


@pytest.mark.parametrize("players", SEATS)
def test_the_first_move_is_compulsory_and_the_second_is_not(players: int) -> None:
    """R-MOVE-1: stop is refused before the first knight and allowed after it."""
    fresh = position(players)
    refusal = refused(fresh, "stop")
    assert refusal.rule == "R-MOVE-1"
    assert "compulsory" in refusal.message
    one, _ = do(fresh, "black t1")
    assert to_act(one) == 0
    stopped, events = do(one, "stop")
    assert kinds(events) == ["stopped", "turn"]
    assert stopped.turn == 1
    assert stopped.knights == one.knights
    two, events = do(one, "black t2")
    assert kinds(events) == ["moved", "turn"]
    assert two.turn == 1


@pytest.mark.parametrize("players", SEATS)
def test_a_third_knight_does_not_move(players: int) -> None:
    """R-MOVE-1: after two knights the turn is the next seat's."""
    two, _ = do(position(players), "black t1", "black t2")
    refusal = refused(two, "black t3")
    assert (refusal.rule, refusal.message) == ("R-MOVE-1", "black belongs to seat 0, who is not to move")
    do(two, f"{COLORS[colors_of(players, 1)[0]]} t3")


@pytest.mark.parametrize("players", SEATS)
def test_only_ones_own_knights_move(players: int) -> None:
    """R-MOVE-1: another seat's knight is refused, one's own on the same space is allowed."""
    other = COLORS[colors_of(players, 1)[0]]
    refusal = refused(position(players), f"{other} t1")
    assert (refusal.rule, refusal.message) == ("R-MOVE-1", f"{other} belongs to seat 1, who is not to move")
    do(position(players), "black t1")


def test_a_knight_that_is_not_there_does_not_move() -> None:
    """R-MOVE-1."""
    here = position(3, knights={"black": "t1 m2"})
    refusal = refused(here, "black m3")
    assert (refusal.rule, refusal.message) == ("R-MOVE-1", "no black knight stands on m3")
    do(here, "black m2")


def test_the_hall_is_empty_with_two_and_five_players() -> None:
    """R-SET-3, R-MOVE-1: nobody leaves a space where nobody stands; with three, somebody does."""
    for players in (2, 5):
        assert refused(position(players), "black hall").message == "no black knight stands on hall"
    for players in (3, 4):
        assert standing(do(position(players), "black hall")[0], "black") == f"t1 t2 t3 t4 m{players}"


def test_the_same_knight_never_moves_twice() -> None:
    """R-MOVE-2: refused where it stands alone, though another colour stands there."""
    first, _ = do(position(3, knights={"black": "t1 t2 m1", "orange": "t1 t2 m2"}), "black m1")
    assert standing(first, "black") == "t1 t2 m2"
    refusal = refused(first, "black m2")
    assert (refusal.rule, refusal.message) == ("R-MOVE-2", "the black knight on m2 has already moved this turn")
    do(first, "black t1")


def test_another_knight_may_leave_the_space_that_the_first_has_reached() -> None:
    """R-MOVE-2, R-MOVE-3: knights there are alike, and the one that has moved counts among them."""
    before = position(3, knights={"black": "t1 m1 m2", "orange": "t3 t4", "green": "t3 t4"})
    first, _ = do(before, "black m1")
    assert act("black m2") in legal_actions(first)
    second, events = do(first, "black m2")
    assert standing(second, "black") == "t1 m2 m4"
    assert kinds(events) == ["moved", "turn"]


def test_another_knight_may_leave_the_space_that_the_first_has_left() -> None:
    """R-MOVE-2, R-MOVE-3: there is one knight less to count by then (second-from-first's-space)."""
    before = position(3, knights={"black": "t1 m1 m1 m1", "orange": "t3 t4", "green": "t3 t4"})
    first, _ = do(before, "black m1")
    assert standing(first, "black") == "t1 m1 m1 m4"
    second, _ = do(first, "black m1")
    assert standing(second, "black") == "t1 m1 m3 m4"


@pytest.mark.parametrize("players", SEATS)
def test_a_knight_may_move_again_in_the_next_turn(players: int) -> None:
    """R-MOVE-2 holds for one turn."""
    now, _ = do(position(players), "black t1", "stop")
    assert now.moved == ()
    for seat in range(1, players):
        now, _ = do(now, f"{COLORS[colors_of(players, seat)[0]]} t2", "stop")
    start = "m4" if players == 2 else f"m{players}"
    assert act(f"black {start}") in legal_actions(now)


@pytest.mark.parametrize(
    ("black", "orange", "green", "source", "target"),
    [
        ("t1 t2", "t3 t4", "t3 t4", "t1", "m1"),
        ("t1 t2", "t1 t4", "t3 t4", "t1", "m2"),
        ("t1 t2", "t1 t4", "t1 t4", "t1", "m3"),
        ("t1 hall", "t1 hall", "t1 hall", "hall", "m3"),
        ("t1 m1", "t3 t4", "t3 t4", "m1", "m2"),
        ("t1 m1 m1", "t3 t4", "t3 t4", "m1", "m3"),
        ("t1 m1", "m1 m1 m1 m1", "m1 m1 m1", "m1", "c3"),
        ("t1 m5", "m5 m5", "t3 m5", "m5", "c3"),
        ("t1 m6", "t3 t4", "t3 t4", "m6", "c1"),
        ("t1 c1", "c1 c2", "t3 c2", "c1", "c3"),
    ],
)
def test_a_knight_goes_as_many_steps_as_knights_stand_with_it(
    black: str, orange: str, green: str, source: str, target: str
) -> None:
    """R-MOVE-3: all colours count, itself included; the first step from a starting space is m1."""
    before = position(3, knights={"black": black, "orange": orange, "green": green}, no_cards=True)
    _, events = do(before, f"black {source}")
    moved = events[0]
    assert isinstance(moved, Moved)
    assert (moved.seat, moved.color) == (0, 0)
    assert (SPACES[moved.source], SPACES[moved.target]) == (source, target)


@pytest.mark.parametrize(("players", "target"), [(2, "m4"), (3, "m3"), (4, "m4"), (5, "m5")])
def test_the_first_step_of_the_game(players: int, target: str) -> None:
    """R-MOVE-3: on a tower stands one knight of each colour in play."""
    moved, _ = do(position(players), "black t1")
    assert standing(moved, "black").split()[-1] == target


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_knights_only_go_toward_the_chamber(players: int, seed: int) -> None:
    """R-MOVE-4: never backward, and from no starting space to another."""
    for *_, events in game(players, seed):
        for event in events:
            if isinstance(event, Moved):
                assert event.target > max(event.source, 4)


def test_any_number_of_knights_may_share_a_space() -> None:
    """R-MOVE-4."""
    crowd = position(4, knights={"black": "t1 m2 m2", "orange": "m3 m3 m3", "green": "m3 m3 m3", "purple": "m4 m4"})
    after, _ = do(crowd, "black t1", "stop")
    assert standing(after, "black") == "m1 m2 m2"
    full = position(3, knights={"black": "m2 t1", "orange": "m3 m3 m3 m3 m3", "green": "m3 m3 m3 m3 m3"})
    assert standing(do(full, "black m2")[0], "black") == "t1 m3"


@pytest.mark.parametrize(
    ("black", "orange", "source", "enters"),
    [
        ("t1 t2 c9", "t3 t4", "c9", True),
        ("t1 t2 c9", "t3 c9", "c9", True),
        ("t1 t2 c8", "t3 t4", "c8", False),
        ("t1 t2 c8", "t3 c8", "c8", True),
        ("t1 t2 c8", "c8 c8 c8", "c8", True),
        ("t1 t2 c6", "c6 c6 t3", "c6", False),
        ("t1 t2 c6", "c6 c6 c6", "c6", True),
    ],
)
def test_the_chamber_is_one_step_past_the_cave(black: str, orange: str, source: str, enters: bool) -> None:
    """R-MOVE-5: entering it is a step, and the steps that are left lapse."""
    before = position(3, knights={"black": black, "orange": orange}, no_cards=True)
    after, events = do(before, f"black {source}")
    assert ("treasure" in kinds(events)) == enters
    assert after.treasures == ((1, 0, 0) if enters else (0, 0, 0))
    assert len(after.knights[0]) == (2 if enters else 3) or not enters


TWO = {"black": "t1 t2", "orange": "t1 t2", "green": "t3 t4", "purple": "t3 t4"}


def test_both_knights_of_a_turn_are_of_one_colour() -> None:
    """R-MOVE-6: with two players the other colour is refused for the second knight, the same one is allowed."""
    first, _ = do(position(2, knights=TWO), "orange t1")
    refusal = refused(first, "black t1")
    assert refusal.rule == "R-MOVE-6"
    assert refusal.message == "the first knight of this turn was orange, so the second must be orange too"
    assert do(first, "orange t2")[0].turn == 1


def test_the_next_turn_may_be_of_the_other_colour() -> None:
    """R-MOVE-6 holds for one turn."""
    now, _ = do(position(2, knights=TWO), "orange t1", "stop", "green t3", "stop")
    assert {move.color for move in legal_actions(now) if isinstance(move, Move)} == {0, 1}


def _first_is_caught(orange: str) -> Position:
    """Orange has just moved to c1, where the dragon went and caught it."""
    before = position(
        2, knights={**TWO, "orange": orange}, no_cards=True, dragon=2, facing=-1, dice=[1, 1], treasures={0: 0}
    )
    after, events = do(before, "orange m6")
    assert kinds(events)[:4] == ["moved", "threw", "dragon", "caught"]
    return after


def test_the_colour_stays_even_when_the_first_knight_has_been_caught() -> None:
    """R-MOVE-6: colour-lock-after-first-knight-caught."""
    after = _first_is_caught("t1 t2 m6")
    assert standing(after, "orange") == "t1 t2"
    assert refused(after, "black t1").rule == "R-MOVE-6"
    do(after, "orange t1")


def test_the_turn_ends_by_itself_when_no_second_knight_can_move() -> None:
    """R-MOVE-7: no-second-move. The only orange knight has moved; black may not follow."""
    after, events = do(position(2, knights={**TWO, "orange": "m1"}), "orange m1")
    assert kinds(events) == ["moved", "turn"]
    assert after.turn == 1
    more, events = do(position(2, knights={**TWO, "orange": "t1 m1"}), "orange m1")
    assert kinds(events) == ["moved"]
    assert more.turn == 0


def test_the_turn_ends_by_itself_when_the_dragon_has_the_only_knight() -> None:
    """R-MOVE-7, R-MOVE-6."""
    assert _first_is_caught("m6").turn == 1


def test_with_more_than_two_players_a_second_knight_can_always_move() -> None:
    """R-MOVE-7 happens with two players only: a seat with one knight has lost it all (R-END-2)."""
    for players in (3, 4, 5):
        after, _ = do(position(players, knights={"black": "m1 m4"}), "black m1")
        assert [act("black m4"), act("stop")] == list(legal_actions(after))


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_there_is_one_action_for_each_colour_and_space(players: int, seed: int) -> None:
    """R-MOVE-2: knights of one colour on one space are alike."""
    for before, *_ in game(players, seed):
        moves = [action for action in legal_actions(before) if isinstance(action, Move)]
        for move in moves:
            assert move.source in before.knights[move.color]
            assert move.color in colors_of(players, before.turn)
            apply(before, move)

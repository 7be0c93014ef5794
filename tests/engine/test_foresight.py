"""What is foreseen is what then happens, and nothing hidden has a part in it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BRIBE,
    CATCH,
    CHAMBER,
    GEM,
    GOLD,
    MOVE,
    SPACES,
    Bribe,
    Catch,
    IllegalAction,
    Move,
    Position,
    View,
    after_dragon,
    ahead,
    apply,
    flights,
    legal_actions,
    redeal,
    to_act,
    view,
    ways,
)
from engine.actions import MOVES
from engine.events import DragonWent, Moved, Surrendered, Threw, Took
from tests.engine.positions import SEATS, game, position, whole_games


def seen(at: Position) -> View:
    return view(at, to_act(at))


@whole_games
@given(players=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_every_move_of_a_game_does_what_was_foreseen(players: int, seed: int) -> None:
    """Steps, cards, the dragon's waking, its place for the die that fell, and the second knights of a quiet turn."""
    rng = random.Random(seed)
    for before, _, _, _ in game(players, seed):
        mine = seen(before)
        foreseen = {way.move: ahead(mine, way.move) for way in ways(mine)}
        assert list(foreseen) == [action for action in mine.legal if isinstance(action, Move)]
        for move, told in foreseen.items():
            position_, events = apply(before, move)
            went = next(event for event in events if isinstance(event, Moved))
            assert (told.way.move, told.way.target) == (move, went.target)
            assert told.then.knights[move.color].count(went.target) == (
                0 if went.target == CHAMBER else mine.knights[move.color].count(went.target) + 1
            )
            threw = [event.die for event in events if isinstance(event, Threw)]
            if threw:
                flown = next(event for event in events if isinstance(event, DragonWent))
                assert told.wakes
                assert told.flights[threw[0] - 1] == flown.target
            elif len(told.kinds) < 2:
                assert not told.wakes
            if len(told.kinds) == 1:
                assert [event.card for event in events if isinstance(event, Took)] == list(told.kinds)
            if not told.wakes and not told.ends:
                assert position_.phase == MOVE
                assert told.then.legal == legal_actions(position_)
            again = redeal(mine, rng)
            assert ahead(view(again, mine.viewer), move) == told, "hidden cards and coming throws have no part in it"


def test_the_first_knight_changes_how_far_the_second_goes() -> None:
    at = position(3, knights={"black": "t1 m2 m4", "orange": "m4", "green": "c9"}, no_cards=True)
    told = ahead(seen(at), MOVES[0][SPACES.index("m2")])
    assert [(SPACES[way.move.source], way.steps) for way in ways(seen(at))] == [("t1", 1), ("m2", 1), ("m4", 2)]
    assert SPACES[told.way.target] == "m3"
    assert [(SPACES[way.move.source], way.steps) for way in ways(told.then)] == [("t1", 1), ("m4", 2)]
    closer = ahead(seen(at), MOVES[0][SPACES.index("t1")])
    onto = position(3, knights={"black": "m3 m4", "orange": "m4", "green": "c9"}, no_cards=True)
    reached = ahead(seen(onto), MOVES[0][SPACES.index("m3")])
    assert SPACES[closer.way.target] == "m1"
    assert [(SPACES[way.move.source], way.steps) for way in ways(reached.then)] == [("m4", 3)], "one space longer"


def test_cards_and_the_chamber_end_the_knight_moves() -> None:
    at = position(
        3,
        knights={"black": "m5 m6 c9", "orange": "m5 m6", "green": "t1 t2"},
        gold={"c1": [3], "c2": []},
        gems={"c1": [], "c2": []},
    )
    mine = seen(at)
    told = {SPACES[way.move.source]: ahead(mine, way.move) for way in ways(mine)}
    assert (told["m5"].kinds, told["m5"].ends) == ((GOLD,), "card")
    assert (told["m6"].kinds, told["m6"].ends, told["m6"].wakes) == ((), "", True)
    assert told["c9"].way == (Move(0, SPACES.index("c9")), 1, CHAMBER)
    assert (told["c9"].ends, told["c9"].wakes, told["c9"].then.chamber[0]) == ("chamber", False, mine.chamber[0] + 1)
    assert told["m5"].then.legal == told["c9"].then.legal == ()


def test_while_a_card_is_chosen_the_dragons_ways_are_known() -> None:
    there = {"black": "m6", "orange": "m5", "green": "t1 t2"}
    at = position(3, knights=there, gold={"c1": [3]}, gems={"c1": ["ruby"]}, dragon=4)
    told = ahead(seen(at), MOVES[0][SPACES.index("m6")])
    assert (told.kinds, told.flights) == ((GOLD, GEM), (3, 2, 1))
    asked, _ = apply(at, told.way.move)
    assert flights(seen(asked)) == told.flights
    assert flights(seen(at)) == ()
    assert flights(seen(asked)._replace(rail=2)) == (), "it sleeps on: c1 is not beside the rail"


@whole_games
@given(players=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_what_an_answer_to_the_dragon_leads_to_is_what_happens(players: int, seed: int) -> None:
    for before, action, after_, events in game(players, seed):
        if before.phase == CATCH and isinstance(action, Catch):
            victim, stays = action.color, False
            asked = not any(isinstance(event, Surrendered) for event in events)
        elif before.phase == BRIBE:
            victim, stays, asked = before.victim, isinstance(action, Bribe), False
        else:
            continue
        told = after_dragon(seen(before), victim, stays=stays)
        if asked:
            continue  # its owner is, and has not answered yet
        if after_.phase == MOVE and after_.moved:
            mine = view(after_, before.turn)
            assert (told.knights, told.nest, told.rail) == (mine.knights, mine.nest, mine.rail)
            assert (told.facing, told.moved) == (mine.facing, mine.moved)
            assert told.legal == (mine.legal if to_act(before) == before.turn else ())
        else:
            assert told.legal == (), "the turn or the game is over"


def test_a_knight_that_may_not_move_is_refused_by_its_rule() -> None:
    at = position(3, knights={"black": "t1 m3", "orange": "m3", "green": "t1"})
    with pytest.raises(IllegalAction) as refused:
        ahead(seen(at), MOVES[1][SPACES.index("m3")])
    assert refused.value.rule == "R-MOVE-1"

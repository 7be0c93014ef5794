"""The house bots: legal, in time, from the view alone, and the better one better."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BRIBE,
    Action,
    Bribe,
    Position,
    apply,
    deal,
    is_over,
    legal_actions,
    redeal,
    score,
    start,
    to_act,
    view,
)
from engine.bots import LEVELS
from tests.engine.acting import act, do
from tests.engine.positions import SEATS, game, position, whole_games

PLENTY = 60.0
"""Seconds: so that no bot is ever cut short, and the games below come out the same on any machine."""


def choose(level: str, before: Position, budget: float = PLENTY, seed: int = 1) -> Action:
    seen = view(before, to_act(before))
    return LEVELS[level](seen, seen.legal, budget, random.Random(seed))


@pytest.mark.parametrize("level", LEVELS)
@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_what_a_bot_chooses_is_legal(level: str, players: int, seed: int) -> None:
    for before, *_ in game(players, seed):
        assert choose(level, before, budget=0.0, seed=seed) in legal_actions(before)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_does_not_think_longer_than_it_may(level: str) -> None:
    """It looks at its clock between deals, each of which takes about a millisecond."""
    for before, *_ in game(5, 3):
        began = time.monotonic()
        choose(level, before, budget=0.0)
        assert time.monotonic() - began < 2.0


@pytest.mark.parametrize("level", LEVELS)
@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_equal_views_and_equal_chance_give_equal_choices(level: str, players: int, seed: int) -> None:
    """R-SET-4, R-CARD-3: what a seat cannot see has no bearing on what its bot does."""
    rng = random.Random(seed)
    for before, *_ in list(game(players, seed))[::5]:
        behind = redeal(view(before, to_act(before)), rng)
        assert choose(level, before, seed=seed) == choose(level, behind, seed=seed)


def wins(players: int, games: int) -> float:
    """The share of games that ``steady`` wins against ``random`` in all other seats, a shared win counted in part."""
    won = 0.0
    for seed in range(games):
        rng = random.Random(seed)
        seat = seed % players
        now = start(deal(players, rng.randbytes(32), [""] * players, None))
        while not is_over(now):
            level = "steady" if to_act(now) == seat else "random"
            seen = view(now, to_act(now))
            now, _ = apply(now, LEVELS[level](seen, seen.legal, PLENTY, rng))
        winners = score(now).winners
        won += (seat in winners) / len(winners)
    return won / games


@pytest.mark.parametrize(("players", "at_least"), [(2, 0.9), (3, 0.8), (4, 0.7), (5, 0.65)])
def test_steady_beats_random(players: int, at_least: float) -> None:
    """By far more than its share, at every table."""
    assert wins(players, 40) >= at_least


HOME = {"orange": "t3 t4 c2", "green": "t3 t4", "purple": "t3 t4"}


@pytest.mark.parametrize("hand", [[1, 4, 5], [2, 2, 3], [1], [2, 5]])
def test_steady_keeps_its_knight_for_little_gold(hand: list[int]) -> None:
    """R-DRAG-6: the dragon takes any gold, so it gets the least; no knight is given up for a 1 or a 2."""
    before = position(4, knights={"black": "t1 t2 m6 c2", **HOME}, no_cards=True, hands={0: hand}, dice=[2])
    asked, _ = do(before, "black m6", "catch black")
    assert choose("steady", asked) == act(f"bribe {min(hand)}")


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_steady_never_gives_more_than_its_lowest_gold(players: int, seed: int) -> None:
    """R-DRAG-6."""
    for before, *_ in game(players, seed):
        chosen = choose("steady", before) if before.phase == BRIBE else None
        if isinstance(chosen, Bribe):
            assert chosen == legal_actions(before)[0]


def test_steady_has_others_caught() -> None:
    """R-DRAG-4."""
    before = position(4, knights={"black": "t1 t2 m6 c2", **HOME}, no_cards=True, dice=[2])
    choosing, _ = do(before, "black m6")
    assert choose("steady", choosing) == act("catch orange")


def test_steady_takes_the_better_card() -> None:
    """R-CARD-1: much gold rather than a gem, and a gem that completes four rather than a one."""
    knights = {"black": "t1 t2 m6", "orange": "t3 t4", "green": "t3 t4"}
    rich = position(3, knights=knights, gold={"c1": [5]}, gems={"c1": ["ruby"]}, rail=4, dragon=5, facing=1)
    assert choose("steady", do(rich, "black m6")[0]) == act("gold")
    poor = position(
        3,
        knights=knights,
        gold={"c1": [1]},
        gems={"c1": ["ruby"]},
        laid={0: "emerald garnet turquoise"},
        rail=4,
        dragon=5,
        facing=1,
    )
    assert choose("steady", do(poor, "black m6")[0]) == act("gem")


@pytest.mark.parametrize(("rival_gold", "ends"), [([], True), ([5, 5, 5, 4], False)])
def test_steady_ends_the_game_when_it_wins_by_that(rival_gold: list[int], ends: bool) -> None:
    """R-END-2, R-END-4: two treasures beat two by a gem, and lose against 19 points."""
    before = position(
        3,
        knights={"black": "t1 t2 c9", "orange": "t3 t4", "green": "t3 t4"},
        hands={1: rival_gold},
        laid={0: "ruby"},
        treasures={0: 1, 2: 2},
        no_cards=True,
    )
    assert (choose("steady", before) == act("black c9")) == ends

"""What a seat sees: all that is open, and not a byte more."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import NotationError, Position, view, view_to_json
from engine.bots import LEVELS
from engine.view import View
from tests.engine.positions import SEATS, final, game, whole_games

VIEWERS = (None, 0, 1, 2, 3, 4)


def viewers(players: int) -> tuple[int | None, ...]:
    return VIEWERS[: players + 1]


def as_seen(position: Position, viewer: int | None) -> bytes:
    """Everything that a viewer is given of a position, as bytes."""
    seen = view(position, viewer)
    legal = [engine.action_to_json(action) for action in seen.legal]
    return json.dumps([view_to_json(seen), legal]).encode()


def events_seen(events: tuple[engine.Event, ...], viewer: int | None) -> bytes:
    """The events as a viewer sees them; the final scores are left out, as they open every hand."""
    seen = [engine.event_to_json(event, viewer) for event in events]
    return json.dumps([{**event, "scores": None, "winners": None} for event in seen]).encode()


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_a_redealt_view_looks_the_same(players: int, seed: int) -> None:
    """R-SET-4, R-CARD-3, R-DRAG-7: nothing unseen shows, for no seat and no spectator."""
    rng = random.Random(seed)
    for position, _, _, _ in game(players, seed):
        for viewer in viewers(players):
            seen = view(position, viewer)
            dealt = engine.redeal(seen, rng)
            assert engine.problems(dealt) == []
            assert view(dealt, viewer) == seen
            assert as_seen(dealt, viewer) == as_seen(position, viewer)
            assert dealt.legal == position.legal or viewer != engine.to_act(position)


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_what_a_seat_cannot_know_changes_nothing_it_is_told(players: int, seed: int) -> None:
    """Two positions that differ only in the hidden give equal events, until something comes to light.

    The hidden is redealt before every action but what this action brings to light: the coming throw and
    the card beneath the one taken.
    """
    rng = random.Random(seed)
    for position, action, then, events in game(players, seed):
        for viewer in viewers(players):
            other = with_same_revelation(engine.redeal(view(position, viewer), rng), position)
            same = action
            if same not in other.legal:
                # Somebody else's gold: another value may lie in that hand here.
                assert isinstance(action, engine.Bribe)
                assert viewer != engine.to_act(position)
                same = next(a for a in other.legal if isinstance(a, engine.Bribe))
            other_then, other_events = engine.apply(other, same)
            assert events_seen(other_events, viewer) == events_seen(events, viewer)
            if not engine.is_over(then):
                assert as_seen(other_then, viewer) == as_seen(then, viewer)


def with_same_revelation(other: Position, position: Position) -> Position:
    """``other`` with the throws of ``position``, and the cards that lie second in its piles."""
    return other._replace(
        dice=position.dice,
        thrown=position.thrown,
        gold_piles=tuple(
            (*mine[:1], *theirs[1:2], *mine[2:])
            for mine, theirs in zip(other.gold_piles, position.gold_piles, strict=True)
        ),
        gem_piles=tuple(
            (*mine[:1], *theirs[1:2], *mine[2:])
            for mine, theirs in zip(other.gem_piles, position.gem_piles, strict=True)
        ),
    )


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_hands_are_shown_to_their_owner_alone_until_the_end(players: int, seed: int) -> None:
    """R-CARD-3."""
    for position, _, _, _ in game(players, seed):
        for viewer in viewers(players):
            seen = view(position, viewer)
            shown = [seat for seat, hand in enumerate(seen.hands) if hand is not None]
            assert shown == ([] if viewer is None else [viewer])
            assert [seat for seat, gold in enumerate(seen.given) if gold is not None] == shown
            assert seen.hand_counts == tuple(len(hand) for hand in position.hands)
            assert bool(seen.legal) == (viewer == engine.to_act(position))


@pytest.mark.parametrize("players", SEATS)
def test_everything_is_open_after_the_end(players: int) -> None:
    """R-CARD-3, R-DRAG-7."""
    position = final(players, 3)
    for viewer in viewers(players):
        seen = view(position, viewer)
        assert seen.hands == position.hands
        assert seen.given == position.given
        assert (seen.turn, seen.to_act, seen.legal) == (None, None, ())


def test_the_dragon_tells_nobody_what_it_got() -> None:
    """R-DRAG-7."""
    bribed = [
        (players, event)
        for players in SEATS
        for seed in range(20)
        for *_, events in game(players, seed)
        for event in events
        if isinstance(event, engine.events.Bribed)
    ]
    assert {players for players, _ in bribed} == set(SEATS)
    for players, event in bribed:
        for viewer in viewers(players):
            assert ("gold" in engine.event_to_json(event, viewer)) == (viewer == event.seat)


def test_a_view_has_no_field_that_nobody_has_thought_about() -> None:
    """A new field of View has to be put on this list, with a reason why everybody may see it."""
    open_to_all = {
        *("viewer", "players", "turn", "phase", "to_act", "knights", "nest", "chamber", "rail", "dragon"),
        *("facing", "gold_up", "gem_up", "gold_left", "gem_left", "hand_counts", "given_counts"),
        *("seen_gold", "gems", "treasures", "four_gems", "moved", "took", "victim"),
    }
    for_one = {"hands", "given", "legal"}
    assert set(View._fields) == open_to_all | for_one


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_actions_events_and_positions_survive_json(players: int, seed: int) -> None:
    for position, action, _, events in game(players, seed):
        stored = json.loads(json.dumps(engine.position_to_json(position), sort_keys=True))
        assert engine.position_from_json(stored) == position
        for legal in position.legal:
            assert engine.action_from_json(json.loads(json.dumps(engine.action_to_json(legal)))) == legal
        seat = engine.to_act(position)
        assert engine.action_from_json({"seat": seat, **engine.action_to_json(action)}) == action
        for event in events:
            assert json.loads(json.dumps(engine.event_to_json(event, seat)))["kind"] == event.kind


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
nearly = st.fixed_dictionaries(
    {"do": st.sampled_from(["move", "stop", "take", "catch", "bribe", "surrender"]) | json_values},
    optional=dict.fromkeys(("color", "from", "card", "gold", "seat", "more"), json_values),
)


@given(json_values | nearly)
def test_no_json_value_crashes_the_reading_of_an_action(value: Any) -> None:
    try:
        action = engine.action_from_json(value)
    except NotationError as error:
        said = error
    else:
        assert engine.action_from_json(engine.action_to_json(action)) == action
        return
    assert said.message
    assert len(said.word) <= 40


@pytest.mark.parametrize("stored", [{}, {"players": 3}, {"players": "x"}])
def test_a_stored_position_that_is_none_is_refused(stored: dict[str, Any]) -> None:
    with pytest.raises(engine.EngineError, match="no stored position"):
        engine.position_from_json(stored)


@pytest.mark.parametrize("level", LEVELS)
def test_bots_are_never_given_a_position(level: str) -> None:
    """A bot's argument is a View: its choice cannot depend on anything else."""
    choose = LEVELS[level]
    for position, *_ in game(3, 11):
        seat = engine.to_act(position)
        seen = view(position, seat)
        other = view(engine.redeal(seen, random.Random(7)), seat)
        assert choose(seen, seen.legal, 5.0, random.Random(1)) == choose(other, other.legal, 5.0, random.Random(1))


def test_a_stored_position_with_a_part_of_another_kind_crashes_nothing() -> None:
    stored = engine.position_to_json(next(game(3, 11))[0])
    others: tuple[Any, ...] = ({}, [{}], [None], None, "x")
    for key in stored:
        for strange in others:
            try:
                engine.position_from_json(stored | {key: strange})
            except engine.EngineError:
                continue

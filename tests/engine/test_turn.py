"""A turn from its first knight to the next seat: what comes in which order, and who decides."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import PHASES, RULES, IllegalAction, Position, apply, legal_actions, to_act
from engine.actions import BRIBES, CATCHES, MOVES, STOP, SURRENDER, TAKES, Bribe, Catch, Move, Take
from tests.engine.acting import act, do, refused, standing
from tests.engine.positions import SEATS, game, kinds, position, whole_games

EVERYTHING: tuple[engine.Action, ...] = (
    *(move for row in MOVES for move in row),
    STOP,
    *TAKES,
    *CATCHES,
    *BRIBES,
    SURRENDER,
)

KNIGHTS = {"black": "t1 m6 c2", "orange": "t3 t4 c2", "green": "t3 t4"}


def waiting() -> dict[str, Position]:
    """One position for each phase of one turn: black wakes the dragon, which ends among black and orange."""
    move = position(3, knights=KNIGHTS, hands={1: [2, 4]}, dice=[2])
    take, _ = do(move, "black m6")
    catch, _ = do(take, "gem")
    bribe, _ = do(catch, "catch orange")
    over, _ = do(position(3, knights={"black": "t1 c9"}), "black c9")
    return {"move": move, "take": take, "catch": catch, "bribe": bribe, "over": over}


def test_a_turn_goes_through_its_phases_in_order() -> None:
    """R-CARD-1, R-DRAG-1, R-DRAG-4, R-DRAG-6, R-DRAG-8, R-SET-6: each decision by the seat it belongs to."""
    stages = waiting()
    assert [PHASES[stage.phase] for stage in stages.values()] == list(stages)
    assert [to_act(stage) for stage in stages.values()] == [0, 0, 0, 1, None]
    done, events = do(stages["bribe"], "bribe 4")
    assert kinds(events) == ["bribed", "rail", "turn"]
    assert (done.turn, to_act(done), PHASES[done.phase]) == (1, 1, "move")


@pytest.mark.parametrize(
    ("phase", "words", "rule"),
    [
        ("move", "stop", "R-MOVE-1"),
        ("move", "orange t3", "R-MOVE-1"),
        ("move", "black t2", "R-MOVE-1"),
        ("move", "yellow t1", "R-SET-2"),
        ("move", "gold", "R-CARD-1"),
        ("move", "catch orange", "R-DRAG-4"),
        ("move", "bribe 2", "R-DRAG-6"),
        ("move", "surrender", "R-DRAG-6"),
        ("take", "black t1", "R-CARD-2"),
        ("take", "stop", "R-CARD-1"),
        ("take", "catch orange", "R-CARD-1"),
        ("take", "bribe 2", "R-CARD-1"),
        ("catch", "black t1", "R-DRAG-4"),
        ("catch", "stop", "R-DRAG-4"),
        ("catch", "gold", "R-DRAG-4"),
        ("catch", "catch green", "R-DRAG-4"),
        ("catch", "bribe 2", "R-DRAG-4"),
        ("bribe", "orange t3", "R-DRAG-6"),
        ("bribe", "stop", "R-DRAG-6"),
        ("bribe", "gem", "R-DRAG-6"),
        ("bribe", "catch black", "R-DRAG-6"),
        ("bribe", "bribe 1", "R-DRAG-6"),
        ("over", "black t1", "R-END-2"),
        ("over", "stop", "R-END-2"),
        ("over", "surrender", "R-END-2"),
    ],
)
def test_what_is_not_asked_for_is_refused(phase: str, words: str, rule: str) -> None:
    assert refused(waiting()[phase], words).rule == rule


@pytest.mark.parametrize(
    ("phase", "allowed"),
    [
        ("move", ["black t1", "black m6", "black c2"]),
        ("take", ["gold", "gem"]),
        ("catch", ["catch black", "catch orange"]),
        ("bribe", ["bribe 2", "bribe 4", "surrender"]),
        ("over", []),
    ],
)
def test_what_is_asked_for_is_allowed(phase: str, allowed: list[str]) -> None:
    stage = waiting()[phase]
    assert list(legal_actions(stage)) == [act(words) for words in allowed]
    for words in allowed:
        do(stage, words)


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_apply_takes_what_is_legal_and_refuses_all_else(players: int, seed: int) -> None:
    """Legality is decided once: every refusal names a rule there is and what would be right instead."""
    for before, *_ in game(players, seed):
        for action in EVERYTHING:
            if action in before.legal:
                apply(before, action)
                continue
            with pytest.raises(IllegalAction) as caught:
                apply(before, action)
            assert caught.value.rule in RULES
            assert caught.value.legal == before.legal
            assert caught.value.message


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_only_the_dragon_asks_another_seat(players: int, seed: int) -> None:
    """R-SET-6, R-DRAG-6: all else is decided by the seat whose turn it is."""
    for before, *_ in game(players, seed):
        if PHASES[before.phase] != "bribe":
            assert to_act(before) == before.turn


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_a_decision_with_one_way_to_go_is_no_step(players: int, seed: int) -> None:
    """R-CARD-1, R-DRAG-4, R-DRAG-6, R-MOVE-7: only the first knight of a turn may leave no choice."""
    for before, *_ in game(players, seed):
        if len(legal_actions(before)) == 1:
            assert PHASES[before.phase] == "move"
            assert before.moved == ()


def test_a_new_turn_begins_with_nothing_open() -> None:
    """R-SET-6: what was moved, taken or caught in the turn before is forgotten."""
    now, _ = do(waiting()["bribe"], "surrender")
    after = engine.after(now)
    assert (after["moved"], after["took"], after["victim"]) == ([], False, None)
    assert standing(now, "orange") == "t3 t4"


def test_the_whole_games_in_the_records_pass_through_every_rare_thing() -> None:
    """The records that test_records.py replays reach all that is easily got wrong."""
    covers: Counter[str] = Counter()
    for path in (Path(__file__).parents[1] / "records").glob("?p-*.json"):
        covers.update(json.loads(path.read_text())["covers"])
    rare = {
        *("second-from-first's-space", "moved-knight-caught", "moved-knight-among-caught-colour", "left-behind"),
        *("woken-off-rail", "turned-by-the-shift", "walks-in-from-behind", "woken-twice-in-a-turn"),
        *("bribed-knight-moves-second", "colour-lock-after-first-knight-caught", "no-second-move"),
        *("end-last-treasure", "end-surrender", "end-chamber-one-knight", "end-caught-without-gold"),
        *("end-with-the-rail-on-its-way", "tie-by-treasures", "tie-by-gems", "tie-shared"),
    }
    assert rare <= set(covers)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("number", [-(2**70), -21, -1, 5, 6, 20, 77, 2**70])
def test_actions_that_no_game_has_are_refused_by_rule(phase: str, number: int) -> None:
    """Values built by hand may name colours, spaces and cards that are not there: a refusal all the same."""
    standing_at = waiting()[phase]
    for action in (Move(number, 0), Move(0, number), Take(number), Catch(number), Bribe(number)):
        with pytest.raises(IllegalAction) as refusal:
            apply(standing_at, action)
        assert refusal.value.rule in RULES
        assert refusal.value.legal == legal_actions(standing_at)

"""Whole games are the specification: every record replays to the letter, every seed gives its deal."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.chance import Stream, fair, throws
from engine.record import read_setup
from engine.storage import piles_to_json
from tests.engine.positions import SEATS, game, whole_games

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("?p-*.json"))
VECTORS = json.loads((Path(__file__).parents[1] / "records" / "seed-vectors.json").read_text())


def read(path: Path) -> dict[str, Any]:
    return engine.load(path.read_bytes())


def test_there_are_records_of_every_size() -> None:
    assert {path.name[0] for path in RECORDS} == {"2", "3", "4", "5"}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_replays(path: Path) -> None:
    record = read(path)
    steps = list(engine.replay(record))
    assert len(steps) == len(record["steps"])
    assert [engine.after(step.position) for step in steps] == [step["after"] for step in record["steps"]]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_is_written_as_it_was_read(path: Path) -> None:
    record = read(path)
    actions = [step.action for step in engine.replay(record)]
    again = engine.record_of(read_setup(record), actions, with_after=True)
    assert again == {key: record[key] for key in again}


@pytest.mark.parametrize("vector", VECTORS)
def test_seed_vectors(vector: dict[str, Any]) -> None:
    """R-SET-4, R-SET-6: the deal of a seed is fixed to the card."""
    setup = vector["setup"]
    seed = bytes.fromhex(vector["seed"])
    dealt = engine.deal(setup["players"], seed, vector["entropy"], vector["first_set"])
    assert engine.commitment(seed) == vector["commitment"]
    assert piles_to_json(dealt.gold_piles, dealt.gem_piles) == setup["piles"]
    assert dealt.first == setup["first"]
    assert list(dealt.dice[: len(setup["dice"])]) == setup["dice"]


class FixedStream(Stream):
    """A stream whose words are given."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"", "die")
        self._given = list(words)

    def word(self) -> int:
        return self._given.pop(0)


@pytest.mark.parametrize(
    ("n", "words", "drawn"),
    [(3, [0xFFFFFFFF, 7], 1), (25, [0xFFFFFFEA], 24), (25, [0xFFFFFFEB, 0], 0)],
)
def test_unfair_words_are_passed_over(n: int, words: list[int], drawn: int) -> None:
    draws = [fair(word, n) for word in words]
    assert draws[-1] == drawn
    assert draws[:-1] == [None] * (len(words) - 1)


@whole_games
@given(st.binary(min_size=32, max_size=32), st.sampled_from(SEATS))
def test_a_record_from_a_seed_verifies(seed: bytes, players: int) -> None:
    rng_seed = int.from_bytes(seed[:4], "big")
    entropy = tuple(f"seat {seat}" for seat in range(players))
    provenance = engine.Provenance(seed, entropy, None)
    setup = engine.deal(players, *provenance)
    record = engine.record_of(setup, play_out(setup, rng_seed), provenance, with_after=True)
    engine.verify(json.loads(json.dumps(record)))


def play_out(setup: engine.Setup, seed: int) -> list[engine.Action]:
    rng = random.Random(seed)
    actions = []
    position = engine.start(setup)
    while not engine.is_over(position):
        actions.append(rng.choice(engine.legal_actions(position)))
        position, _ = engine.apply(position, actions[-1])
    return actions


def test_no_game_throws_more_often_than_the_bound() -> None:
    for players in SEATS:
        for seed in range(30):
            for _, _, then, _ in game(players, seed):
                assert then.thrown < len(then.dice) - then.players
    assert len(throws(bytes(32), 5)) == 5


def seeded() -> dict[str, Any]:
    provenance = engine.Provenance(bytes(range(32)), ("", "x", ""), None)
    setup = engine.deal(3, *provenance)
    record = engine.record_of(setup, play_out(setup, 4), provenance, with_after=True)
    return json.loads(json.dumps(record))  # type: ignore[no-any-return]


BROKEN: list[tuple[str, Any, str]] = [
    ("format", "emerald-record/2", "format is"),
    ("setup", None, "setup is an object"),
    ("setup.players", 6, "setup.players"),
    ("setup.players", 3.0, "setup.players"),
    ("setup.players", True, "setup.players"),
    ("setup.first", 3, "setup.first"),
    ("setup.piles", [], "setup.piles"),
    ("setup.piles.0", 7, "setup.piles"),
    ("setup.piles.0.gold", [1, 2], "c1 has 3 gold cards"),
    ("setup.piles.0.gold", [1, 2, 6], "c1 has 3 gold cards"),
    ("setup.piles.0.gold", [True, 2, 3], "c1 has 3 gold cards"),
    ("setup.piles.0.gem", ["ruby", "pearl"], "c1 has 2 gem cards"),
    ("setup.dice", [0], "a throw is 1, 2 or 3"),
    ("setup.dice", "123", "setup.dice is a list"),
    ("setup.dice", [], "throws of the die are used up"),
    ("steps", {}, "steps is a list"),
    ("steps", [], "the game is not over"),
    ("steps.0", 5, "step 1: a step is an object"),
    ("steps.0.action.seat", 9, "step 1: the record has seat 9 act"),
    ("steps.0.action.do", "fly", "step 1: fly is nothing to do"),
    ("steps.0.action.from", "c9", "step 1: "),
    ("steps.2.legal", 99, "step 3: legal differs"),
    ("steps.2.legal", True, "step 3: legal differs"),
    ("steps.1.after.dragon", 9, "step 2: after.dragon differs: the record says 9, the rules give 4"),
    ("steps.1.after.more", 9, "step 2: after.more differs"),
    ("steps.1.after", [], "step 2: after is an object"),
    ("result", None, "result differs"),
    ("result.winners", [0, 1, 2], "result differs"),
]


@pytest.mark.parametrize(("path", "value", "message"), BROKEN)
def test_what_is_wrong_with_a_record_is_said(path: str, value: Any, message: str) -> None:
    record = seeded()
    at: Any = record
    *parents, last = path.split(".")
    for key in parents:
        at = at[int(key)] if isinstance(at, list) else at[key]
    at[int(last) if isinstance(at, list) else last] = value
    with pytest.raises(engine.RecordError) as caught:
        list(engine.replay(record))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("seed", None, "has no seed"),
        ("seed", "ff", "a seed has 32 bytes"),
        ("seed", 7, "64 hexadecimal digits"),
        ("seed", "00" * 32, "commitment"),
        ("commitment", "00", "commitment"),
        ("entropy", ["", "y", ""], "it is not what the seed gives"),
        ("entropy", ["", ""], "one string a seat"),
        ("entropy", 5, "a list of strings"),
        ("first_set", "x", "first_set"),
        ("first_set", 7, "the first seat is one of"),
    ],
)
def test_what_does_not_verify_is_said(key: str, value: Any, message: str) -> None:
    record = seeded()
    engine.verify(copy.deepcopy(record))
    record[key] = value
    if key == "seed" and isinstance(value, str) and len(value) < 64:
        record["commitment"] = engine.commitment(bytes.fromhex(value))
    with pytest.raises(engine.RecordError, match=message):
        engine.verify(record)


@pytest.mark.parametrize("steps", [0, 1, 17])
def test_a_game_that_its_players_ended_early_is_a_record_too(steps: int) -> None:
    setup = engine.deal(3, bytes(32), ["", "", ""], None)
    made = play_out(setup, 4)
    origin = engine.Provenance(bytes(32), ("", "", ""), None)
    record = engine.record_of(setup, made[:steps], origin, broken_off=True)
    engine.verify(json.loads(json.dumps(record)))
    assert record["broken_off"] is True
    assert record["result"]["winners"] == []
    with pytest.raises(engine.RecordError, match="is to act"):
        engine.verify({**record, "broken_off": False})
    with pytest.raises(engine.RecordError, match="true or false"):
        engine.verify({**record, "broken_off": "yes"})
    with pytest.raises(engine.RecordError, match="result"):
        engine.verify({**record, "result": {**record["result"], "winners": [0]}})
    whole = engine.record_of(setup, made, origin)
    assert "broken_off" not in whole
    with pytest.raises(engine.RecordError, match="over after step"):
        engine.verify({**whole, "broken_off": True})
    with pytest.raises(engine.RecordError, match="over already"):
        engine.record_of(setup, made, origin, broken_off=True)


def test_steps_after_the_end_are_refused() -> None:
    record = seeded()
    record["steps"].append(record["steps"][-1])
    with pytest.raises(engine.RecordError, match=f"step {len(record['steps'])}: the game is already over"):
        list(engine.replay(record))


def test_throws_that_never_fell_are_refused() -> None:
    record = seeded()
    record["setup"]["dice"].append(1)
    with pytest.raises(engine.RecordError, match="throws, but only"):
        list(engine.replay(record))


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe\x00", b"[" * 100_000, b"NaN", b"[1]", b'{"a": NaN}', b'{"a":', b"null", b"\xef\xbb\xbf{}x"],
)
def test_what_is_no_record_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(engine.RecordError) as caught:
        list(engine.replay(engine.load(data)))
    assert "\n" not in str(caught.value)


@settings(max_examples=30)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner)))
def test_any_value_as_a_step_is_refused_not_crashed_on(value: Any) -> None:
    record = seeded()
    record["steps"][0] = {"action": {"seat": 0, "do": "move", "color": value, "from": value}}
    with pytest.raises(engine.RecordError):
        list(engine.replay(record))

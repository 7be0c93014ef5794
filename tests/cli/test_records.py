"""`emerald selfplay`, `replay` and `verify`."""

import copy
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from service.cli.selfplay import play_game
from tests.cli.conftest import Emerald
from tests.support.processes import python_program

Json = dict[str, Any]


@pytest.fixture(scope="module")
def record() -> Json:
    """A whole game with seed, positions and counts of legal actions."""
    return play_game(3, ["random", "steady", "random"], "a game for the tests")


def write(folder: Path, record: object, name: str = "game.json") -> Path:
    path = folder / name
    path.write_text(record if isinstance(record, str) else json.dumps(record))
    return path


def test_self_play_writes_whole_games_that_verify(emerald: Emerald, tmp_path: Path) -> None:
    made = emerald("selfplay", "--seats", 5, "--games", 3, "--seed", "x", "--bots", "random", "--out", tmp_path / "out")
    assert made.status == 0
    assert "3/3" in made.err
    files = sorted((tmp_path / "out").glob("*.json"))
    assert len(files) == 3
    for path in files:
        steps = json.loads(path.read_text())["steps"]
        assert all(set(step) == {"action", "legal", "after"} for step in steps)
    assert len({path.read_bytes() for path in files}) == 3
    assert emerald("verify", *files).status == 0
    assert emerald("replay", *files).status == 0


def test_records_that_cannot_be_written_are_one_clear_line(emerald: Emerald, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here already")
    for out in (tmp_path / "file" / "below", Path("/proc/none")):
        refused = emerald("selfplay", "--bots", "random", "--out", out)
        assert refused.status == 2
        assert f"cannot write to {out}" in refused.err
        assert "Errno" not in refused.err


def test_the_same_seed_gives_the_same_files(emerald: Emerald, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        emerald(
            "selfplay", "--seats", 2, "--games", 2, "--seed", "7", "--bots", "steady,random", "--out", tmp_path / folder
        )
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert len(names) == 2
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize(
    ("bots", "said"),
    [("clever", "no bot level 'clever'"), ("random,random", "2 levels for 4 seats"), ("", "no bot level")],
)
def test_bots_that_do_not_exist_are_refused(emerald: Emerald, tmp_path: Path, bots: str, said: str) -> None:
    refused = emerald("selfplay", "--bots", bots, "--out", tmp_path / "out")
    assert refused.status == 2
    assert said in refused.err
    assert not (tmp_path / "out").exists()


def test_trace_prints_the_records_own_positions(emerald: Emerald, tmp_path: Path, record: Json) -> None:
    traced = emerald("replay", "--trace", write(tmp_path, record))
    assert traced.status == 0
    assert [json.loads(line) for line in traced.out.splitlines()] == [step["after"] for step in record["steps"]]
    assert "ok" in traced.err


def test_a_wrong_step_is_named_with_the_reason(emerald: Emerald, tmp_path: Path, record: Json) -> None:
    wrong = copy.deepcopy(record)
    wrong["steps"][40]["after"]["treasures"] = [9, 9, 9]
    traced = emerald("replay", "--trace", write(tmp_path, wrong))
    assert traced.status == 1
    assert "step 41" in traced.err
    assert "treasures" in traced.err
    assert len(traced.out.splitlines()) == 40


def test_a_dealing_that_is_not_the_seeds_is_found(emerald: Emerald, tmp_path: Path, record: Json) -> None:
    wrong = copy.deepcopy(record)
    wrong["entropy"][1] = "something else"
    path = write(tmp_path, wrong)
    assert emerald("replay", path).status == 0
    refused = emerald("verify", path)
    assert refused.status == 1
    assert "not what the seed gives" in refused.err
    wrong = {**record, "commitment": "0" * 64}
    assert "commitment" in emerald("verify", write(tmp_path, wrong)).err


def test_of_many_files_each_gets_its_line(emerald: Emerald, tmp_path: Path, record: Json) -> None:
    good, bad = write(tmp_path, record, "good.json"), write(tmp_path, "{", "bad.json")
    ended = emerald("verify", bad, good)
    assert ended.status == 1
    assert "1 of 2 files are wrong" in ended.err
    assert f"{good}: ok" in ended.err


def test_standard_input_is_a_file_too(emerald: Emerald, record: Json) -> None:
    assert emerald("verify", "-", stdin=json.dumps(record)).status == 0


def test_the_winner_is_named_by_a_seat_that_counts_from_0_and_that_is_said(emerald: Emerald) -> None:
    said = emerald("replay", "tests/records/3p-01.json").err
    assert re.search(r"scores \d+-\d+-\d+, won by seat [012] \(counting from 0\)", said)


def hostile(record: Json) -> dict[str, str | bytes]:
    """Files that are no records, by what is wrong with them."""

    def changed(path: str, value: object) -> str:
        broken = copy.deepcopy(record)
        *way, last = [int(key) if key.isdigit() else key for key in path.split("/")]
        part: Any = broken
        for key in way:
            part = part[key]
        part[last] = value
        return json.dumps(broken)

    values: list[object] = [None, True, -1, 1.5, 10**400, "x", [], {}, [[[]]], {"a": {}}, "\ud800", 1e308, "\x1b[2J\n"]
    places = ["format", "setup", "setup/players", "setup/first", "setup/piles", "setup/piles/0", "setup/piles/0/gold"]
    places += ["setup/piles/3/gem/0", "setup/dice", "setup/dice/0", "seed", "commitment", "entropy", "entropy/0"]
    places += ["steps", "steps/0", "steps/0/action", "steps/0/action/from", "steps/5/action/seat", "steps/3/after"]
    places += ["steps/3/after/knights", "steps/2/legal", "result", "result/scores"]
    files: dict[str, str | bytes] = {
        f"{place} is {number}": changed(place, value)
        for place in places
        for number, value in enumerate(values)
        if not (place in ("entropy/0", "first_set") and value == "x")
    }
    files |= {
        "empty": "",
        "binary": bytes(range(256)),
        "utf-16": json.dumps(record).encode("utf-16"),
        "deep lists": "[" * 200_000,
        "deep objects": '{"a":' * 100_000,
        "deep, and whole": '{"steps":' + "[" * 900 + "]" * 900 + "}",
        "deep after": changed("steps/3/after/gold", "DEEP").replace('"DEEP"', "[" * 800 + "]" * 800),
        "not a number": json.dumps({**record, "seed": float("nan")}),
        "infinite": json.dumps(record).replace("[", "[Infinity,", 1),
        "many digits": '{"format": ' + "9" * 10_000 + "}",
        "a list": "[]",
        "a string": '"emerald-record/1"',
        "null": "null",
        "cut short": json.dumps(record)[:-20],
        "two records": json.dumps(record) * 2,
    }
    return files


def test_whatever_a_file_holds_the_answer_is_one_clear_line(emerald: Emerald, tmp_path: Path, record: Json) -> None:
    for what, content in hostile(record).items():
        path = tmp_path / "file"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        ended = emerald("verify", path)
        assert ended.status == 1, (what, ended)
        assert len(ended.err.splitlines()) == 1, (what, ended.err)
        assert ended.err.startswith(f"{path}: "), (what, ended.err)
        assert len(ended.err) < 1000, (what, ended.err)
        assert ended.err[:-1].isprintable(), (what, ended.err)
        assert not {"Traceback", "--traceback"} & set(ended.err.split()), (what, ended.err)


def test_a_number_of_too_many_digits_is_said_in_words_for_people(emerald: Emerald, tmp_path: Path) -> None:
    said = emerald("verify", write(tmp_path, '{"format": ' + "9" * 10_000 + "}")).err
    assert "a number in the file has too many digits" in said
    assert "sys." not in said


def test_what_is_no_file_is_told_so(emerald: Emerald, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(20 * 2**30)  # a hole: it takes no room, and would take much to read
    for path, said in {
        tmp_path: "folder",
        tmp_path / "pipe": "no ordinary file",
        Path("/dev/zero"): "no ordinary file",
        tmp_path / "missing": "No such file",
        tmp_path / "loop": "symbolic links",
        tmp_path / ("x" * 300): "too long",
        huge: "larger than",
    }.items():
        ended = emerald("replay", path)
        assert ended.status == 1
        assert len(ended.err.splitlines()) == 1
        assert said in ended.err, ended.err


def test_a_reader_that_has_seen_enough_gets_no_complaint(tmp_path: Path, record: Json) -> None:
    path = write(tmp_path, record)
    program = subprocess.Popen(
        python_program("-m", "service.cli", "replay", "--trace", *[str(path)] * 20),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.readline()
    program.stdout.close()
    said = program.stderr.read().decode()
    program.stderr.close()
    assert program.wait(30) == 1
    assert "Traceback" not in said
    assert "BrokenPipe" not in said

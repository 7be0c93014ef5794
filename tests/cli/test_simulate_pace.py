"""`emerald simulate-pace`."""

import json

from tests.cli.conftest import Emerald


def test_the_pace_of_games_is_told_as_a_table_with_its_meaning(emerald: Emerald) -> None:
    told = emerald("simulate-pace", "--games", 2, "--seats", 3, "--model", "once", "--model", "mixed")
    assert told.status == 0
    assert "4/4" in told.err
    assert "/4" not in told.out
    for word in ("days a game", "shorter", "messages", "woken", "once", "mixed", "orders", "strict", "plans"):
        assert word in told.out
    assert "twice" not in told.out


def test_the_same_seed_gives_the_same_figures_as_json(emerald: Emerald) -> None:
    def figures(*more: object) -> list[dict[str, object]]:
        told = emerald("simulate-pace", "--games", 1, "--seats", 2, "--seats", 5, "--model", "twice", "--json", *more)
        assert told.status == 0
        found: list[dict[str, object]] = json.loads(told.out)
        return found

    one = figures("--seed", "x")
    assert [(row["seats"], row["model"], row["games"]) for row in one] == [(2, "twice", 1), (5, "twice", 1)]
    assert figures("--seed", "x") == one
    assert figures("--seed", "y") != one
    assert figures("--seed", "x", "--games", 2) != one
    assert figures("--seed", "x", "--stays") != one


def test_what_cannot_be_simulated_is_refused(emerald: Emerald) -> None:
    for wrong in (("--seats", 6), ("--model", "never"), ("--games", 0), ("--bots", "clever")):
        assert emerald("simulate-pace", *wrong).status == 2

"""The long fault proof, for `make proof`."""

import sys

import pytest
from rich.console import Console

from bench.fault_storm import run, table
from service.cli.progress import bar
from tests.e2e.storm import Plan

LONG = Plan(games=20, worker_kills=20, redis_losses=5, postgres_kills=3, mail_refusals=5, pause=(1.0, 20.0), seed=2026)


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_twenty_games_through_thirty_three_faults(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        with bar() as progress:
            outcome = run(LONG, progress)
        Console(file=sys.stderr).print(table(LONG, outcome))
    assert not outcome.findings.wrong
    assert sum(outcome.faults.values()) == LONG.faults
    assert outcome.games >= LONG.games

"""The long fault proofs, for `make proof`."""

import sys

import pytest
from rich.console import Console

from bench import fault_storm, inbound_storm
from service.cli.progress import bar
from tests.e2e import downpour, storm

LONG = storm.Plan(
    games=20, worker_kills=20, redis_losses=5, postgres_kills=3, mail_refusals=5, pause=(1.0, 20.0), seed=2026
)
POURING = downpour.Plan(mails=200, twice=33, worker_kills=50, listener_kills=15, tables=6, pause=(0.0, 3.0), seed=2026)


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_twenty_games_through_thirty_three_faults(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        with bar() as progress:
            outcome = fault_storm.run(LONG, progress)
        Console(file=sys.stderr).print(fault_storm.table(LONG, outcome))
    assert not outcome.findings.wrong
    assert sum(outcome.faults.values()) == LONG.faults
    assert outcome.games >= LONG.games


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_two_hundred_mails_through_sixty_five_kills(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        with bar() as progress:
            outcome = inbound_storm.run(POURING, progress)
        Console(file=sys.stderr).print(inbound_storm.table(POURING, outcome))
    assert not outcome.wrong
    assert outcome.kills.total() == POURING.kills
    assert outcome.counts["mails of people"] >= POURING.mails

"""A short storm: the long one is bench/fault_storm.py."""

import pytest

from tests.e2e.stack import production
from tests.e2e.storm import Plan, weather

SHORT = Plan(
    games=1, worker_kills=2, redis_losses=1, postgres_kills=1, mail_refusals=1, pause=(1.0, 2.0), seed=1, hurry=True
)


@pytest.mark.timeout(600)
def test_games_end_and_nothing_is_lost_or_doubled_in_a_storm() -> None:
    with production() as stack:
        outcome = weather(stack, SHORT, played=lambda game: None, fault=lambda name: None)
        assert not outcome.findings.wrong, "\n".join([*outcome.findings.wrong, stack.logs()])
        assert sum(outcome.faults.values()) == SHORT.faults
        assert outcome.games >= SHORT.games

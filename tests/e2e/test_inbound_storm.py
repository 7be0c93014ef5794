"""A short downpour of mails with kills: the long one is bench/inbound_storm.py."""

import pytest

from tests.e2e.downpour import Plan, pour
from tests.e2e.stack import with_listener

SHORT = Plan(mails=16, twice=30, worker_kills=2, listener_kills=1, tables=2, pause=(0.0, 2.0), seed=1)


@pytest.mark.timeout(300)
def test_each_mail_is_carried_out_and_answered_once_whatever_is_killed() -> None:
    with with_listener() as (stack, smtp, port):
        outcome = pour(stack, smtp, port, SHORT, answered=lambda: None, killed=lambda name: None)
        assert not outcome.wrong, "\n".join([*outcome.wrong, stack.logs()])
        assert outcome.kills.total() == SHORT.kills
        assert outcome.counts["mails of people"] >= SHORT.mails
        assert outcome.counts["mails sent twice"] > 0

"""The service as in production, every part a process of its own."""

from random import Random

import pytest

from tests.e2e.people import play, sign_up
from tests.e2e.proof import examine
from tests.e2e.stack import production


@pytest.mark.timeout(300)
def test_a_game_of_two_people_and_a_bot() -> None:
    with production() as stack:
        people = [sign_up(stack.url, stack.smtp, name) for name in ("Ada", "Ben")]
        played = play(people, 3, Random(1))
        found = examine(played, people)
        assert not found.wrong, stack.logs()
        assert found.resent == 0
        assert found.turns > 40

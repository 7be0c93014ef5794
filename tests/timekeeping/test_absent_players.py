"""A game can strand nobody: a few hundred games of bench/absent_players.py, which plays 10,000."""

import pytest

from bench.absent_players import Game, PromiseError, play_games


def test_every_game_ends_and_no_promise_is_broken() -> None:
    """The checks are in the games; here is made sure that what could break a promise did happen."""
    seen = play_games(range(320))
    assert sum(seen.endings.values()) == seen.games == 320
    assert {(kind, seats) for kind in ("none", "days", "bank") for seats in (2, 3, 4, 5)} == {
        (kind.split(",")[0], int(kind.split()[1])) for kind in seen.clocks
    }
    for happened in (
        "reminded", "called", "timed_out", "standing_in", "answers in grace", "turns stood in for", "seats held",
        "seats taken back", "extensions", "votes to end refused", "absences", "absences refused",
        "steps of clocks that had stood still", "steps that came late",
    ):  # fmt: skip
        assert seen.tally[happened] >= 10, happened
    assert min(seen.endings["played out"], seen.endings["voted"]) >= 10


def test_a_game_comes_from_its_seed() -> None:
    """Whatever breaks can be looked at again."""
    one, other = Game(5).play(), Game(5).play()
    assert (one.now, one.tally, one.position) == (other.now, other.tally, other.position)
    assert one.tally != Game(6).play().tally


def test_a_game_without_a_scheduler_is_stranded() -> None:
    """The game would tell: nobody sweeps, and somebody never answers."""

    class Unswept(Game):
        def _schedule(self) -> None:
            """Nobody looks."""

    games = [Unswept(seed) for seed in range(20)]
    with pytest.raises(PromiseError, match="stranded"):
        list(map(Unswept.play, games))

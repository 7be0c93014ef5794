"""Games by mail with and without orders: what they cost in messages and days, and that the comparison is a fair one."""

from itertools import pairwise
from random import Random
from statistics import fmean

import pytest

from engine import BRIBE, CATCH, Position, apply, deal, redeal, start, to_act, view
from service.simulation.figures import Figures, play_deal
from service.simulation.habits import DAY, HABITS, JITTER, MIXED, MODELS, WEEK, Looks
from service.simulation.pace import WAYS, Game, Setting, Way
from service.simulation.people import Person

#: More with two: they save the least by plans, so more games are needed to see it.
DEALS = {2: 15, 3: 5, 4: 5, 5: 5}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_orders_and_plans_save_messages_and_days(seats: int) -> None:
    """The promises of docs/PERFORMANCE.md, on games enough to see them: bench/pace.py plays thousands."""
    found = []
    for model in MODELS:
        setting = Setting(seats, model)
        figures = Figures(setting, [play_deal(setting, "tests", number) for number in range(DEALS[seats])])
        found.append(figures)
        assert figures.messages("off") > 1.1
        assert figures.woken("off") > 1
        assert figures.messages("orders") <= 1.02
        for way in WAYS[1:]:
            assert figures.woken(way) == 0
            assert figures.sums[way].waits["choice"] == 0
        assert figures.shorter("orders").value > 0.1
    saved = fmean(figures.shorter("orders").value for figures in found)
    for way in WAYS[2:]:
        # With two it is a quarter if plans are taken down after the lines of their mails, and come too late.
        assert fmean(figures.shorter(way).value for figures in found) >= 2 / 5
    assert saved >= fmean(figures.share_of_time() for figures in found)
    assert saved >= fmean(figures.share_of_waits() for figures in found) > 0.1


def played(setting: Setting, way: Way, name: str) -> Game:
    game = Game(setting, way, name)
    game.play()
    return game


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("stays", [False, True])
def test_off_and_orders_play_the_same_game_and_differ_in_waiting_only(seats: int, stays: bool) -> None:
    for number in range(5):
        setting = Setting(seats, "mixed", stays=stays)
        off, orders = (played(setting, way, f"same|{number}") for way in ("off", "orders"))
        assert off.position == orders.position
        assert off.counts.turns == orders.counts.turns
        assert off.counts.messages > orders.counts.messages
        assert off.now >= orders.now  # a look too early saves nothing: whoever is next would not have looked before


@pytest.mark.parametrize("way", WAYS)
def test_every_hour_of_a_game_is_somebody_s_wait(way: Way) -> None:
    game = Game(Setting(3, "twice"), way, "hours")
    begun = game.now
    game.play()
    assert to_act(game.position) is None
    assert sum(game.counts.hours.values()) == pytest.approx(game.now - begun)
    answers = sum(game.counts.waits.values())
    filed_alone = game.counts.messages - answers
    assert 0 <= filed_alone <= game.counts.plans_filed
    assert (way in WAYS[2:]) == (game.counts.plans_filed > 0)
    assert game.counts.plans_played + game.counts.plans_dropped <= game.counts.plans_filed
    assert game.counts.plans_surprised == 0 or way == "plans"


def test_who_stays_at_the_mail_waits_for_nobody_but_others() -> None:
    counts = played(Setting(4, "once", stays=True), "off", "stays").counts
    assert counts.waits["choice"] > 0
    assert counts.hours["choice"] == 0
    assert counts.hours["bribe"] > 0


def test_the_same_name_gives_the_same_game_and_another_another() -> None:
    setting = Setting(3, "mixed")
    one, again, other = (play_deal(setting, "seed", number) for number in (1, 1, 2))
    assert one == again
    assert one["off"] != other["off"]


@pytest.mark.parametrize(("level", "every"), [("random", 1), ("steady", 9)])
def test_nobody_writes_what_only_the_position_knows(level: str, every: int) -> None:
    """Two positions that look alike to a person get the same words: for a turn, an answer to the dragon, a plan."""
    rng, said, ply = Random(7), set[str](), 0
    people = [Person(seat, 4, level, rng) for seat in range(4)]
    for number in range(2):
        position = start(deal(4, number.to_bytes(32), [""] * 4, None))
        while to_act(position) is not None:
            ply += 1
            for person in people if ply % every == 0 else []:
                twin = redeal(view(position, person.seat), rng)
                what, words = written(person, position)
                assert written(person, twin) == (what, words)
                said.add(what)
            position = apply(position, rng.choice(position.legal))[0]
    assert said == {"turn", "answer", "plan"}


def written(person: Person, position: Position) -> tuple[str, object]:
    """Everything that a person would write now, whoever is to act."""
    if to_act(position) != person.seat:
        return "plan", person.plan(position, Random(1))
    if position.phase in (BRIBE, CATCH):
        return "answer", person.answer(position)
    turn = person.turn(position, Random(1))
    return "turn", (person.line(turn), person.plan_after(position, turn, Random(2)))


@pytest.mark.parametrize("model", MODELS)
def test_looks_go_on_for_ever_and_keep_to_the_habit(model: str) -> None:
    for number in range(20):
        looks = Looks(model, Random(number))
        moment, times = 3 * DAY, list[float]()
        while moment < 20 * WEEK:
            times.append(moment := looks.after(moment))
        assert looks.after(times[0]) == times[1]  # a look back does not change what was told
        a_week = {7 * habit.times if len(habit.days) == 7 else 2 for habit in HABITS.values()}
        if model != MIXED:
            a_week = {len(HABITS[model].days) * HABITS[model].times}
        assert any(abs(len(times) / (20 * WEEK - 3 * DAY) * WEEK - many) < 0.2 for many in a_week)
        gaps = [after - before for before, after in pairwise(times)]
        assert min(gaps) >= DAY / 2 - 2 * JITTER
        if model == "weekend":
            assert all(time % WEEK >= 5 * DAY - JITTER or time % WEEK <= JITTER for time in times)

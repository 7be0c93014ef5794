"""Whom a game waits for, and how soon its players usually answer."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select

from service.db import transaction
from service.errors import NOT_FOUND
from service.models import Move
from service.usecases import accounts, lobby, pace
from service.usecases.results import Caller, ClockSpec
from tests.service.table import ME, OPEN, Table, refused

DAYS_3 = ClockSpec("days", days=3)


def replies(seen: pace.Pace) -> list[pace.Reply | None]:
    return [seat.reply for seat in seen.seats]


def test_a_game_tells_whom_it_waits_for_and_since_when(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=DAYS_3)
    seen = pace.pace(caller=anna, game_id=game)
    assert (seen.game, seen.waiting_for, seen.since) == (game, 0, table.now)
    assert [seat.waiting_since for seat in seen.seats] == [table.now, None]
    assert seen.deadline == table.view(anna, game).info.deadline
    assert seen.deadline is not None
    table.clock.forward(hours=5)
    table.turn_over(anna, game)
    seen = pace.pace(caller=anna, game_id=game)
    assert (seen.waiting_for, seen.since) == (1, table.now)
    assert [seat.waiting_since for seat in seen.seats] == [None, table.now]


def test_a_deadline_is_told_by_the_other_player_s_clock_to_those_at_the_table_only(table: Table) -> None:
    anna, bert = table.pair()
    accounts.update_account(caller=bert, time_zone="Asia/Tokyo", now=table.now)
    game = table.game(anna, bert, clock=DAYS_3, public=True)
    table.turn_over(anna, game)
    for caller in (anna, bert):
        seen = pace.pace(caller=caller, game_id=game)
        assert seen.deadline_there == seen.deadline
        assert seen.deadline_there is not None
        assert seen.deadline_there.utcoffset() == timedelta(hours=9)
    for stranger in (None, table.person("Carla")):
        seen = pace.pace(caller=stranger, game_id=game)
        assert (seen.waiting_for, seen.deadline_there) == (1, None)
        assert seen.deadline is not None


def test_who_may_not_see_a_game_does_not_see_its_pace(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, public=False)
    for stranger in (None, table.person("Carla")):
        with refused(NOT_FOUND):
            pace.pace(caller=stranger, game_id=game)


def play_turns(table: Table, people: Sequence[Caller], hours: Sequence[float], game: str, turns: int) -> None:
    """So many turns (answers to the dragon are turns, too), each begun after its player's usual time."""
    for _ in range(turns):
        table.post()
        seat = table.view(None, game).info.to_act
        assert seat is not None
        table.clock.forward(hours=hours[seat])
        table.turn_over(people[seat], game)


def test_replies_are_coarse_words_and_need_some_turns(table: Table) -> None:
    """Anna answers within hours, Bert in a day, Carla in days; the bot has no habit."""
    people, hours = [table.person(name) for name in ("Anna", "Bert", "Carla")], (2, 20, 70)
    game = table.game(*people, bots=1, public=True)
    play_turns(table, people, hours, game, 6)
    assert replies(pace.pace(caller=None, game_id=game)) == [None] * 4
    play_turns(table, people, hours, game, 6)
    assert replies(pace.pace(caller=None, game_id=game)) == ["hours", "a day", "days", None]


def test_the_last_turns_of_all_games_count_and_older_ones_do_not(table: Table) -> None:
    anna, bert = table.pair()
    old, new = table.game(anna, bert), table.game(anna, bert)
    begun = table.now
    answer(old, begun, [100] * 31)
    assert replies(pace.pace(caller=bert, game_id=new)) == ["days", None]
    answer(new, begun + timedelta(days=1), [3] * 15)
    assert replies(pace.pace(caller=bert, game_id=old)) == ["days", None]
    answer(new, begun + timedelta(days=2), [24])
    assert replies(pace.pace(caller=bert, game_id=old)) == ["a day", None]
    answer(new, begun + timedelta(days=3), [3])
    assert replies(pace.pace(caller=bert, game_id=old)) == ["hours", None]


def answer(game: str, at: datetime, hours: Sequence[int]) -> None:
    """First moves of turns of seat 0 in the log of a game, each after so many hours: more than a game has room for."""
    with transaction() as session:
        last = session.scalar(select(func.max(Move.ply)).where(Move.game_id == game))
        for ply, waited in enumerate(hours, start=0 if last is None else last + 1):
            move = Move(game_id=game, ply=ply, seat=0, action={}, by="player", at=at, waited_seconds=waited * 3600)
            session.add(move)


def test_a_seat_that_a_bot_holds_has_no_habit_and_no_deadline(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=DAYS_3)
    play_turns(table, (anna, bert), (1, 1), game, 8)
    assert replies(pace.pace(caller=anna, game_id=game)) == ["hours", "hours"]
    for _ in range(15 * 24):  # two turns of each run out; a day later the bots might have come to the end
        if all(seat.held for seat in table.view(anna, game).info.seats):
            break
        table.wait(hours=1)
    seen = pace.pace(caller=anna, game_id=game)
    assert replies(seen) == [None, None]
    assert seen.waiting_for is not None
    assert (seen.deadline, seen.deadline_there) == (None, None)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_game_that_has_not_begun_waits_for_no_move(table: Table) -> None:
    anna = table.person("Anna")
    game = lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now)
    seen = pace.pace(caller=anna, game_id=game)
    assert (seen.waiting_for, seen.since, seen.deadline, seen.step) == (None, None, None, None)
    assert [seat.waiting_since for seat in seen.seats] == [None, None]

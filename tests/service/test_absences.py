"""Being away: clocks stand still for it, at once; a calendar, and a yearly allowance."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from service import outbox
from service.db import reading, transaction
from service.errors import ABSENCE_ALLOWANCE, NOT_FOUND, Refusal
from service.mail import kinds
from service.models import Absence, Game, User
from service.usecases import absences, clocks, hours, play, queries
from service.usecases.results import Caller, ClockSpec
from tests.service.table import Table, refused, rows
from tests.service.test_ladder import at, log, moves, stored
from tests.service.test_races import at_once

DAYS_2 = ClockSpec("days", days=2)
DAY = timedelta(days=1)
SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
POSTGRES = pytest.mark.parametrize("database", ["postgres"], indirect=True)


def spans(caller: Caller, now: datetime) -> list[tuple[datetime, datetime]]:
    found = absences.calendar(caller=caller, now=now).absences
    return [(one.starts_at, one.ends_at) for one in found]


def test_an_absence_moves_the_deadlines_at_once_and_coming_back_brings_them_near(table: Table) -> None:
    anna, bert = table.pair()
    timed, untimed = (table.game(anna, bert, clock=clock) for clock in (DAYS_2, ClockSpec()))
    waiting_for_bert = table.game(anna, bert, clock=DAYS_2, first=1)
    first_call = stored(untimed).clock_at
    absences.away(caller=anna, time=5 * DAY, now=table.now)
    assert table.view(anna, timed).info.deadline == at(8, 12)
    assert stored(untimed).clock_at == (first_call or table.now) + 5 * DAY
    assert table.view(anna, waiting_for_bert).info.deadline == at(3, 12)
    table.wait(days=2)
    absences.back(caller=anna, now=table.now)
    assert table.view(anna, timed).info.deadline == at(5, 12)
    assert absences.present(caller=anna, now=table.now) is None


def test_nobody_is_pressed_while_away(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_2)
    table.post()
    table.clock.now = at(3, 0)  # reminded, but no mail has gone out
    clocks.sweep(now=table.now)
    absences.away(caller=anna, time=10 * DAY, now=table.now)
    assert [row.state for row in rows("mail.reminder")] == ["dropped"]
    table.wait(days=10)
    assert table.mails(kinds.ReminderNotice) == []
    assert log(game_id, "timed_out") == []
    table.wait(hours=13)
    assert [mail.last for mail in table.mails(kinds.ReminderNotice)] == [True]


def test_the_others_see_who_is_away_until_when_and_nobody_else_does(table: Table) -> None:
    anna, bert = table.pair()
    game_id, strict = table.game(anna, bert), table.game(anna, bert, time_off=False)
    absences.away(caller=anna, time=3 * DAY, now=table.now)

    def seen(caller: Caller | None, game: str, now: datetime | None) -> list[datetime | None]:
        seats = queries.game_view(caller=caller, game_id=game, now=now).info.seats
        return [seat.away_until for seat in seats]

    assert seen(bert, game_id, table.now) == [at(4, 12), None]
    assert seen(bert, game_id, table.now + 3 * DAY) == [None, None]
    assert seen(table.person("Carl"), game_id, table.now) == seen(None, game_id, table.now) == [None, None]
    assert seen(bert, strict, table.now) == [None, None]  # there it stops no clock


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_away_with_no_time_left_comes_too_late(table: Table) -> None:
    """Once the time is up the rest follows, whatever one says: at the very moment, a little later, or in the grace."""
    anna, bert = table.pair()
    for late in (timedelta(0), timedelta(seconds=20), timedelta(hours=1)):
        game_id = table.game(anna, bert, clock=DAYS_2)
        deadline = table.view(anna, game_id).info.deadline
        assert deadline is not None
        table.wait(days=2)
        if late < timedelta(hours=1):
            # Nobody has looked at the clock since before the deadline.
            table.clock.now = deadline + late
        else:
            table.wait(hours=1)
        absences.away(caller=anna, time=30 * DAY, now=table.now)
        table.wait(days=2)
        assert {by for _, by in moves(game_id)} == {"clock"}, late
        assert log(game_id, "timed_out") == [("timed_out", 0)]
        absences.back(caller=anna, now=table.now)
        table.turn_over(bert, game_id)
        with transaction() as session:
            session.execute(update(Absence).values(starts_at=at(1, 0), ends_at=at(1, 0)))


@pytest.mark.parametrize("away_after", [timedelta(minutes=1), timedelta(minutes=10)])
def test_whoever_goes_away_while_the_house_is_down_has_the_whole_grace(table: Table, away_after: timedelta) -> None:
    """Their time was up, but nobody had seen it: the absence does not hide how late the house is."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_2)
    table.wait(days=1, hours=23)
    assert stored(game_id).clock_step == "called"
    deadline = stored(game_id).deadline
    assert deadline is not None
    table.clock.now = deadline + away_after
    absences.away(caller=anna, time=timedelta(hours=5), now=table.now)
    table.clock.now = deadline + timedelta(hours=2)  # the first look since before the deadline
    clocks.sweep(now=table.now)
    assert stored(game_id).clock_step == "timed_out"
    clocks.sweep(now=table.now)
    assert stored(game_id).clock_step == "timed_out"
    until = stored(game_id).clock_at
    assert until is not None
    assert until >= table.now + timedelta(hours=6)  # an eighth of two days


def test_away_in_the_last_minute_stops_the_clock_in_time(table: Table) -> None:
    """The scheduler has the game's id in its hands already: it looks again under the lock."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_2)
    table.wait(days=1, hours=23, minutes=59)
    absences.away(caller=anna, time=2 * DAY, now=table.now)
    with transaction() as session:  # as if the reckoning that follows had been lost with its process
        session.execute(update(Game).values(clock_at=at(3, 12), deadline=at(3, 12)))
    table.clock.now = at(3, 12)
    assert clocks.sweep(now=table.now) == 1
    assert (stored(game_id).clock_step, stored(game_id).deadline) == ("called", at(5, 12))
    table.wait(days=3)
    assert {by for _, by in moves(game_id)} == {"clock"}


@pytest.mark.parametrize("gone", [timedelta(hours=1), 3 * DAY])
def test_a_last_call_that_had_not_gone_out_is_made_after_the_absence(table: Table, gone: timedelta) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_2)
    table.post()
    for _ in range(2):  # reminded, and called; nobody sends mail
        table.clock.now = stored(game_id).clock_at or table.now
        clocks.sweep(now=table.now)
    absences.away(caller=anna, time=gone, now=table.now)
    assert [row.state for row in rows("mail.last_call")] == ["dropped"]
    while not log(game_id, "timed_out"):
        table.wait(hours=1)
    (called,) = [mail for mail in table.mails(kinds.ReminderNotice) if mail.last]
    (timed_out,) = [line for line in queries.events(caller=None, game_id=game_id).items if line.kind == "timed_out"]
    assert called.deadline == timed_out.at


def test_a_last_call_that_went_out_is_not_made_again(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_2)
    table.wait(days=1, hours=23)
    assert stored(game_id).clock_step == "called"
    absences.away(caller=anna, time=DAY, now=table.now)
    table.wait(days=1, hours=2)
    assert log(game_id, "timed_out") == [("timed_out", 0)]
    assert [mail.last for mail in table.mails(kinds.ReminderNotice)] == [False, True]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_tournament_games_know_no_days_off_and_no_absences_but_nights(table: Table) -> None:
    anna, bert = table.pair()
    hours.set_hours(caller=anna, days_off=[0, 1], now=table.now)
    absences.plan(caller=anna, starts_at=at(4, 0), ends_at=at(6, 0), now=table.now)
    strict = table.game(anna, bert, clock=DAYS_2, time_off=False)
    kind = table.game(anna, bert, clock=DAYS_2)
    half = table.game(anna, bert, clock=ClockSpec("bank", start_hours=20, increment_hours=1), time_off=False)
    assert table.view(anna, strict).info.deadline == at(3, 12)
    assert table.view(anna, half).info.deadline == at(2, 9, 30)  # ten hours until night, 2.5 in the morning
    # Sunday noon; Monday and Tuesday off, Wednesday and Thursday away: the rest of one day, a day, and a half.
    assert table.view(anna, kind).info.deadline == at(7, 12)
    absences.away(caller=anna, time=DAY, now=table.now)
    assert table.view(anna, strict).info.deadline == at(3, 12)
    table.wait(days=3)
    assert log(strict, "timed_out") == [("timed_out", 0)]
    assert log(kind, "timed_out") == []


def test_absences_can_be_planned_struck_and_run_into_one_another(table: Table) -> None:
    anna = table.person("Anna")
    first = absences.plan(caller=anna, starts_at=at(10, 8), ends_at=at(12, 8), now=table.now)
    absences.plan(caller=anna, starts_at=at(20, 8), ends_at=at(21, 8), now=table.now)
    absences.plan(caller=anna, starts_at=at(12, 0), ends_at=at(13, 0), now=table.now)
    assert spans(anna, table.now) == [(at(10, 8), at(13, 0)), (at(20, 8), at(21, 8))]
    assert absences.calendar(caller=anna, now=table.now).used_days == pytest.approx(3.67)
    with refused(NOT_FOUND):
        absences.cancel(caller=anna, id=first.id, now=table.now)  # it is part of another by now
    merged, single = absences.calendar(caller=anna, now=table.now).absences
    with refused(NOT_FOUND):
        absences.cancel(caller=table.person("Bert"), id=single.id, now=table.now)
    absences.cancel(caller=anna, id=single.id, now=table.now)
    table.clock.now = at(11, 8)
    assert absences.present(caller=anna, now=table.now) == absences.Away(at(13, 0))
    absences.cancel(caller=anna, id=merged.id, now=table.now)  # it goes on: it ends now
    assert spans(anna, table.now) == [(at(10, 8), at(11, 8))]
    with refused(NOT_FOUND):
        absences.cancel(caller=anna, id=merged.id, now=table.clock.forward(hours=1))


def test_away_said_again_takes_the_place_of_what_was_said_and_leaves_what_is_planned(table: Table) -> None:
    anna = table.person("Anna")
    absences.plan(caller=anna, starts_at=at(20, 8), ends_at=at(21, 8), now=table.now)
    absences.away(caller=anna, time=5 * DAY, now=table.now)
    table.clock.forward(days=1)
    assert absences.away(caller=anna, time=2 * DAY, now=table.now) == absences.Away(at(4, 12))
    assert spans(anna, table.now) == [(at(1, 12), at(4, 12)), (at(20, 8), at(21, 8))]
    assert absences.back(caller=anna, now=at(3, 0))
    assert not absences.back(caller=anna, now=at(3, 0))
    assert spans(anna, at(3, 0)) == [(at(1, 12), at(3, 0)), (at(20, 8), at(21, 8))]


@SQLITE
@pytest.mark.parametrize(
    ("starts_at", "ends_at"),
    [
        (at(10, 8), at(10, 8, 59)),  # shorter than an hour
        (at(10, 8), at(9, 8)),
        (datetime(2026, 2, 1, tzinfo=UTC), at(1, 12, 30)),  # all but half an hour of it is gone
        (at(10, 8), datetime(2026, 6, 10, tzinfo=UTC)),  # longer than any
        (datetime(2027, 6, 1, tzinfo=UTC), datetime(2027, 6, 2, tzinfo=UTC)),  # too far ahead
        (datetime(9998, 6, 1, tzinfo=UTC), datetime(9998, 6, 2, tzinfo=UTC)),
    ],
)
def test_an_absence_that_cannot_be(table: Table, starts_at: datetime, ends_at: datetime) -> None:
    anna = table.person("Anna")
    with refused("invalid"):
        absences.plan(caller=anna, starts_at=starts_at, ends_at=ends_at, now=table.now)
    assert spans(anna, table.now) == []


def test_the_allowance_is_a_year_s_and_an_absence_at_its_turn_counts_for_both(table: Table) -> None:
    anna = table.person("Anna")
    with transaction() as session:
        session.execute(update(User).values(time_zone="Asia/Tokyo"))
    absences.away(caller=anna, time=40 * DAY, now=table.now)
    new_year = datetime(2026, 12, 31, 15, tzinfo=UTC)  # in Tokyo
    turn = absences.plan(caller=anna, starts_at=new_year - 20 * DAY, ends_at=new_year + 20 * DAY, now=table.now)
    with refused(ABSENCE_ALLOWANCE) as caught:
        absences.plan(caller=anna, starts_at=at(20, 0) + 60 * DAY, ends_at=at(21, 0) + 60 * DAY, now=table.now)
    assert caught.value.details == {"year": 2026, "allowance_days": 60, "left_days": 0.0}
    used = absences.calendar(caller=anna, now=table.now)
    assert (used.year, used.used_days, used.allowance_days) == (2026, 60.0, 60)
    assert absences.calendar(caller=anna, now=new_year).used_days == 20
    assert [one.id for one in absences.calendar(caller=anna, now=new_year).absences] == [turn.id]
    # What is not used comes back.
    absences.back(caller=anna, now=table.clock.forward(days=10))
    absences.plan(caller=anna, starts_at=at(20, 0) + 60 * DAY, ends_at=at(21, 0) + 60 * DAY, now=table.now)


def test_leaving_and_coming_back_all_the_time_is_no_way_to_stop_a_clock(table: Table) -> None:
    """Each absence counts for an hour: minute by minute the allowance is gone."""
    anna = table.person("Anna")
    with transaction() as session:
        for day in range(59 * 24 + 22):
            start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=30 * day)
            session.add(Absence(user_id=anna.user_id, starts_at=start, ends_at=start + timedelta(minutes=5)))
    for _ in range(2):
        absences.away(caller=anna, time=timedelta(hours=1), now=table.now)
        absences.back(caller=anna, now=table.clock.forward(minutes=5))
        table.clock.forward(minutes=5)
    with refused(ABSENCE_ALLOWANCE):
        absences.away(caller=anna, time=timedelta(hours=1), now=table.now)


def test_two_absences_at_once_do_not_both_fit_the_allowance(app: Flask, table: Table) -> None:
    anna = table.person("Anna")
    results = at_once(
        app,
        [
            partial(
                absences.plan,
                caller=anna,
                starts_at=at(1, 12) + start * 40 * DAY,
                ends_at=at(1, 12) + start * 40 * DAY + 35 * DAY,
                now=table.now,
            )
            for start in range(4)
        ],
    )
    assert [result.code for result in results if isinstance(result, Refusal)] == [ABSENCE_ALLOWANCE] * 3
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Absence)) == 1


@POSTGRES
def test_going_away_and_playing_at_once_locks_nobody_out(app: Flask, table: Table) -> None:
    """People who sit in the same games, in whatever order: no deadlock, and every deadline is right in the end."""
    people = [table.person(name) for name in ("Anna", "Bert", "Carl")]
    games = [table.game(*people[turn:], *people[:turn], clock=DAYS_2) for turn in range(3) for _ in range(2)]
    for _ in range(3):
        calls: list[Callable[[], object]] = []
        for number, who in enumerate(people):
            calls += [partial(absences.away, caller=who, time=(5 + number) * DAY, now=table.now)]
            calls += [partial(absences.back, caller=who, now=table.now)]
            calls += [partial(_play, table, who, game) for game in games]
        at_once(app, calls)
    for game_id in games:
        game = stored(game_id)
        assert game.to_act is not None
        user = game.seats[game.to_act].user_id
        caller = next(who for who in people if who.user_id == user)
        away = absences.present(caller=caller, now=table.now)
        assert game.deadline == (table.now if away is None else away.until) + 2 * DAY


def _play(table: Table, who: Caller, game_id: str) -> None:
    seen = table.view(who, game_id)
    if seen.legal:
        play.submit(caller=who, game_id=game_id, ply=seen.info.ply, line="1", now=table.now)


def test_a_reminder_handed_out_already_is_not_sent_to_whoever_went_away(table: Table) -> None:
    anna, bert = table.pair()
    table.game(anna, bert, clock=DAYS_2)
    table.post()
    table.clock.now = at(3, 0)
    clocks.sweep(now=table.now)
    outbox.claim(now=table.now, limit=50)
    begun = outbox.begin(rows("mail.reminder")[0].id, now=table.now)
    assert begun is not None
    absences.away(caller=anna, time=3 * DAY, now=table.now)
    assert table._do(begun) == []
    assert [row.state for row in rows("mail.reminder")] == ["dropped"]

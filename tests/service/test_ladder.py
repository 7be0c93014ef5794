"""The ladder of a turn on real games: each step once, by the scheduler alone, and whoever comes back ends it."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from service import outbox
from service.db import reading, transaction
from service.errors import ALREADY_RESIGNED, GAME_NOT_PLAYING, NOT_HELD, SEAT_HELD, STALE_PLY
from service.mail import kinds
from service.models import Game, LogEntry, Move, Seat, User
from service.usecases import absences, bots, clocks, hours, lobby, play, promises, queries, talk, turn_clock, votes
from service.usecases.results import Caller, ClockSpec
from tests.service.table import BOT, ME, OPEN, START, STEADY, Table, refused, rows

DAYS_4 = ClockSpec("days", days=4)
BANK = ClockSpec("bank", start_hours=48, increment_hours=12, cap_hours=60)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    """A moment of March 2026 (UTC); the games begin on the first, at noon."""
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


def log(game_id: str, *kinds: str) -> list[tuple[str, int | None]]:
    """What the log tells to all, of these kinds: kind and seat."""
    lines = queries.events(caller=None, game_id=game_id, limit=100).items
    return [(line.kind, line.seat) for line in lines if line.kind in kinds]


def moves(game_id: str) -> list[tuple[int, str]]:
    """Every move made: the seat, and by whom."""
    with reading() as session:
        made = select(Move.seat, Move.by).where(Move.game_id == game_id).order_by(Move.ply)
        return [(seat, by) for seat, by in session.execute(made)]


def stored(game_id: str) -> Game:
    with reading() as session:
        game = session.get(Game, game_id)
        assert game is not None
        return game


def held(table: Table, *callers: Caller) -> str:
    """A game whose first player let two turns run out: a bot has their seat. The others answer at once."""
    game_id = table.game(*callers, clock=DAYS_4)
    while not table.view(None, game_id).info.seats[0].held:
        table.wait(hours=6)
        for caller in callers[1:]:
            table.turn_over(caller, game_id)
    return game_id


def test_every_step_comes_when_it_is_due_and_once(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.post()
    seen: list[tuple[datetime, object]] = []
    while table.view(anna, game_id).info.to_act == 0:
        for notice in table.wait(minutes=30):
            last = notice.last if isinstance(notice, kinds.ReminderNotice) else None
            seen.append((notice.envelope.date, (type(notice), last)))
    # Nights (22 to 7) do not count, and a day of clock time is one waking day.
    assert seen == [
        (at(4, 12), (kinds.ReminderNotice, False)),
        (at(4, 22), (kinds.ReminderNotice, True)),
        (at(5, 19, 30), (kinds.MovedForYouNotice, None)),
        (at(5, 19, 30), (kinds.TurnNotice, None)),
    ]
    reminder, call = table.mails(kinds.ReminderNotice)
    assert (reminder.deadline, call.deadline, call.grace_until) == (at(5, 12), at(5, 12), at(5, 19, 30))
    assert log(game_id, "timed_out", "held") == [("timed_out", 0)]
    assert {by for seat, by in moves(game_id)} == {"clock"}
    with reading() as session:
        timed_out = session.scalar(select(LogEntry.at).where(LogEntry.kind == "timed_out"))
    assert timed_out == at(5, 12)
    info = table.view(anna, game_id).info
    assert (info.to_act, info.seats[0].held, info.status, info.step) == (1, False, "playing", None)


def test_a_move_ends_the_ladder_and_the_next_turn_has_its_own(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    first = table.view(anna, game_id).info.deadline
    assert first == at(5, 12)
    table.wait(days=1)
    table.move(anna, game_id)
    assert table.view(anna, game_id).info.deadline == first  # the turn goes on, and so does its clock
    table.turn_over(anna, game_id)
    assert table.view(anna, game_id).info.deadline == at(6, 12)
    assert [mail.envelope.to for mail in table.wait(days=3, hours=1) if isinstance(mail, kinds.ReminderNotice)] == [
        "bert@example.org"
    ]


def test_a_reply_in_the_grace_counts_and_ends_it_all(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.wait(days=4, hours=2)
    info = table.view(anna, game_id).info
    assert (info.step, info.deadline, info.to_act) == ("timed_out", at(5, 12), 0)
    table.turn_over(anna, game_id)
    table.wait(hours=12)
    assert rows("clock.stand_in") == []
    assert {by for _, by in moves(game_id)} == {"player"}
    assert table.mails(kinds.MovedForYouNotice) == []
    with reading() as session:
        assert session.scalar(select(Seat.timeouts).where(Seat.game_id == game_id, Seat.number == 0)) == 0


def test_a_turn_begun_by_its_player_is_finished_by_the_clock(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=2))
    table.move(anna, game_id)
    table.wait(days=3)
    assert [by for _, by in moves(game_id)][:2] == ["player", "clock"]
    assert table.view(anna, game_id).info.to_act == 1
    assert len(table.mails(kinds.MovedForYouNotice)) == 1


def test_a_reminder_never_comes_for_a_turn_already_taken(table: Table) -> None:
    """Queued, and withdrawn by the move; or handed out already, and found stale when it is sent."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.post()
    table.clock.now = at(4, 12)
    clocks.sweep(now=table.now)
    (reminder,) = rows("mail.reminder")
    table.turn_over(anna, game_id)
    withdrawn = outbox.peek(reminder.id)
    assert withdrawn is not None
    assert withdrawn.state == "dropped"
    table.clock.forward(days=3)
    clocks.sweep(now=table.now)
    outbox.claim(now=table.now, limit=50)
    begun = outbox.begin(rows("mail.reminder")[-1].id, now=table.now)
    assert begun is not None
    table.turn_over(bert, game_id)
    assert table._do(begun) == []
    assert [row.state for row in rows("mail.reminder")] == ["dropped", "dropped"]
    assert table.mails(kinds.ReminderNotice) == []


def test_a_scheduler_dead_for_a_day_times_nobody_out_unwarned(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=1))
    table.post()
    table.clock.forward(days=2)  # nobody looks
    table.post()
    (call,) = table.mails(kinds.ReminderNotice)
    assert call.last
    assert call.deadline > table.now
    assert table.view(anna, game_id).info.deadline == call.deadline
    # As long from the call to the deadline as always: a twelfth of the time.
    with reading() as session:
        game = session.get(Game, game_id)
        assert game is not None
        turn = turn_clock.turn_of(session, game)
    left = turn.budget + turn.extra - timedelta(hours=24)
    assert table.wait(minutes=30) == []
    assert log(game_id, "timed_out") == []
    table.clock.forward(days=1)  # and once more: late by as much again
    table.post()
    assert log(game_id, "timed_out") == [("timed_out", 0)]
    assert moves(game_id) == []  # the grace begins only now
    assert left >= timedelta(hours=20)
    table.wait(days=1)
    assert {by for _, by in moves(game_id)} == {"clock"}
    assert log(game_id, "timed_out", "held") == [("timed_out", 0)]
    assert [mail.last for mail in table.mails(kinds.ReminderNotice, "anna@example.org")] == [True]


def test_the_house_is_late_and_the_bank_does_not_pay_for_it(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=BANK)
    table.wait(hours=24)  # a day of clock time gone
    table.clock.forward(days=3)  # nobody looks: the last call should have come after 44 hours
    table.post()
    table.turn_over(anna, game_id)
    assert table.view(anna, game_id).info.seats[0].bank_seconds == (48 - 44 + 12) * 3600


def test_a_bank_is_charged_filled_up_and_never_below_zero(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=BANK)
    seats = table.view(anna, game_id).info.seats
    assert [seat.bank_seconds for seat in seats] == [48 * 3600] * 2
    table.turn_over(anna, game_id)
    assert table.view(anna, game_id).info.seats[0].bank_seconds == 60 * 3600  # the cap
    table.clock.forward(hours=5)  # 17:00, five hours of fifteen a day
    table.turn_over(bert, game_id)
    assert table.view(anna, game_id).info.seats[1].bank_seconds == 52 * 3600
    assert table.view(anna, game_id).info.deadline == at(4, 9, 30)  # 60 hours of clock time
    table.wait(days=3)
    info = table.view(anna, game_id).info
    assert (info.to_act, info.seats[0].bank_seconds) == (1, 12 * 3600)  # nothing was left, and one turn's more
    with reading() as session:
        assert session.scalar(select(func.min(Seat.bank_seconds))) == 12 * 3600


def test_a_game_without_a_clock_strands_nobody_either(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    table.post()
    table.wait(days=23)
    (early,) = table.mails(kinds.ReminderNotice)
    assert (early.deadline, early.last) == (None, False)
    assert table.view(anna, game_id).info.deadline is None
    table.wait(days=5)
    _, call = table.mails(kinds.ReminderNotice)
    assert call.last
    assert table.view(anna, game_id).info.deadline == call.deadline == at(1, 12) + timedelta(days=30)
    table.wait(days=5)
    assert {by for _, by in moves(game_id)} == {"clock"}


def test_after_a_second_time_out_a_bot_holds_the_seat_until_its_owner_resumes(table: Table) -> None:
    anna, bert = table.pair()
    game_id = held(table, anna, bert)
    assert log(game_id, "timed_out", "held") == [("timed_out", 0), ("timed_out", 0), ("held", 0)]
    (mail,) = table.mails(kinds.HeldNotice)
    assert mail.envelope.to == "anna@example.org"
    by = [by for seat, by in moves(game_id) if seat == 0]
    assert set(by) == {"clock", "bot"}
    before = len(table.mails(kinds.ReminderNotice, "anna@example.org"))
    table.turn_over(bert, game_id)
    table.wait(hours=1)
    info = table.view(anna, game_id).info
    assert (info.to_act, info.seats[0].held, info.deadline is None) == (1, True, False)
    assert (
        len(table.mails(kinds.MovedForYouNotice, "anna@example.org")) == 1
    )  # the first time; then it was told at once
    clocks.resume(caller=anna, game_id=game_id, now=table.now)
    assert not table.view(anna, game_id).info.seats[0].held
    assert log(game_id, "resumed") == [("resumed", 0)]
    table.turn_over(bert, game_id)
    info = table.view(anna, game_id).info
    assert (info.to_act, info.deadline is None) == (0, False)
    table.turn_over(anna, game_id)
    assert moves(game_id)[-1] == (0, "player")
    assert len(table.mails(kinds.ReminderNotice, "anna@example.org")) == before


def test_resume_while_the_bot_s_row_is_open_gives_the_turn_back(table: Table) -> None:
    """At whatever moment: before the bot thinks, or after it has begun; there is one who moves."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.wait(days=5)
    table.turn_over(bert, game_id)
    while (due := stored(game_id).clock_at) is not None:  # the bot that is to play when the seat is held, does not
        table.clock.now = due
        clocks.sweep(now=table.now)
    assert table.view(anna, game_id).info.seats[0].held
    ply = stored(game_id).turn_ply
    with refused(SEAT_HELD):
        play.submit(caller=anna, game_id=game_id, ply=ply, line="1", now=table.now)
    clocks.resume(caller=anna, game_id=game_id, now=table.now)
    assert bots.think_and_play(game_id=game_id, ply=ply, now=table.now) == "stale"
    back = table.now
    table.wait(minutes=5)
    info = table.view(anna, game_id).info
    assert (info.to_act, info.ply, info.turn_since) == (0, ply, back)
    # The clock begins anew, with a ladder of its own, though it is the same ply.
    assert info.deadline == back + timedelta(days=4)
    count = len(table.mails(kinds.ReminderNotice, "anna@example.org"))
    table.wait(days=3, hours=20)
    assert len(table.mails(kinds.ReminderNotice, "anna@example.org")) == count + 2
    table.turn_over(anna, game_id)
    assert moves(game_id)[-1] == (0, "player")


def test_whoever_resigns_a_turn_that_was_held_and_taken_back_is_played_for(table: Table) -> None:
    """The bot's row of that ply was dropped when they came back: there must be another."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    table.wait(days=5)
    table.turn_over(bert, game_id)
    while (due := stored(game_id).clock_at) is not None:
        table.clock.now = due
        clocks.sweep(now=table.now)
    clocks.resume(caller=anna, game_id=game_id, now=table.now)
    table.post()
    assert [row.state for row in rows("bot.turn")] == ["dropped"]
    lobby.resign(caller=anna, game_id=game_id, now=table.clock.forward(seconds=2))
    table.post()
    assert table.view(bert, game_id).info.to_act == 1
    assert moves(game_id)[-1] == (0, "bot")
    with refused(ALREADY_RESIGNED):
        clocks.resume(caller=anna, game_id=game_id, now=table.now)


def test_resume_of_what_nobody_holds_is_refused(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    with refused(NOT_HELD):
        clocks.resume(caller=anna, game_id=game_id, now=table.now)
    waiting = lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now)
    with refused(GAME_NOT_PLAYING):
        clocks.resume(caller=anna, game_id=waiting, now=table.now)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_held_seat_may_be_resigned_and_its_owner_is_not_waited_for(table: Table) -> None:
    anna, bert, carl = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    game_id = held(table, anna, bert, carl)
    assert queries.turns(caller=anna).items == ()
    assert table.view(anna, game_id).legal == ()
    lobby.resign(caller=anna, game_id=game_id, now=table.now)
    seat = table.view(anna, game_id).info.seats[0]
    assert (seat.held, seat.resigned) == (False, True)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_at_a_table_that_all_have_left_bots_take_an_hour_a_turn(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, bots=1, clock=ClockSpec("days", days=1))
    while not all(seat.held for seat in table.view(None, game_id).info.seats[:2]):
        table.wait(hours=3)
    plies = table.view(None, game_id).info.ply
    turns = len(rows("bot.turn"))
    table.wait(hours=5)
    assert len(rows("bot.turn")) - turns <= 6
    assert table.view(None, game_id).info.ply > plies
    clocks.resume(caller=bert, game_id=game_id, now=table.now)
    table.post()  # nobody waits an hour any more
    assert table.view(None, game_id).info.to_act == 1
    lobby.resign(caller=bert, game_id=game_id, now=table.now)
    table.wait(days=10)
    info = table.view(None, game_id).info
    assert info.status == "over"
    assert info.result is not None
    assert info.result.notes == ("held", "resigned", "bot")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_was_said_before_a_turn_is_taken_back_is_told_with_the_next(table: Table) -> None:
    """Alone at the table, the bot has done nothing yet: the turn's own mail is out already, and tells nothing new."""
    people = table.pair()
    game_id = table.game(*people, clock=ClockSpec("days", days=1))
    while not all(seat.held for seat in table.view(None, game_id).info.seats):
        table.wait(hours=1)
    mine = table.view(None, game_id).info.to_act or 0
    talk.say(caller=people[1 - mine], game_id=game_id, text="Still there?", now=table.now)
    clocks.resume(caller=people[mine], game_id=game_id, now=table.now)
    clocks.resume(caller=people[1 - mine], game_id=game_id, now=table.now)
    table.turn_over(people[mine], game_id)
    table.turn_over(people[1 - mine], game_id)
    (*_, turn) = [mail for mail in table.post() if isinstance(mail, kinds.TurnNotice)]
    assert "Still there?" in [entry.data.get("text") for entry in turn.log]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_bots_are_quick_where_nobody_can_come_back(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    for caller in (anna, bert):
        lobby.resign(caller=caller, game_id=game_id, now=table.now)
    table.post()
    assert table.view(None, game_id).info.status == "over"


def test_the_result_says_who_was_stood_in_for(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=1))
    table.wait(days=2, hours=2)
    votes.cast(caller=anna, game_id=game_id, kind="end", now=table.now)
    result = table.view(None, game_id).info.result
    assert result is not None
    assert result.notes == ("stood_in", None)


def test_hours_hold_from_the_next_turn_on(table: Table) -> None:
    """One could move one's night in front of a clock for ever."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=1))
    hours.set_hours(caller=anna, night=(0, 12), days_off=[0, 1, 2], now=table.now)
    with transaction() as session:
        session.execute(update(User).where(User.id == anna.user_id).values(time_zone="Asia/Tokyo"))
    absences.back(caller=anna, now=table.now)
    clocks.sweep(now=table.now)
    assert table.view(anna, game_id).info.deadline == at(2, 12)
    table.turn_over(anna, game_id)
    table.turn_over(bert, game_id)
    # Sunday, 21:00 in Tokyo: three hours until midnight; Monday to Wednesday off; then from noon to midnight.
    assert table.view(anna, game_id).info.deadline == at(5, 12)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("night", "days_off"), [((22, 22), []), ((9, 22), []), ((24, 5), []), (None, [0, 1, 2, 3])])
def test_hours_that_no_clock_can_stand(table: Table, night: tuple[int, int] | None, days_off: list[int]) -> None:
    with refused("invalid"):
        hours.set_hours(caller=table.person("Anna"), night=night, days_off=days_off, now=table.now)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_one_s_hours_are_kept(table: Table) -> None:
    anna = table.person("Anna")
    assert hours.hours(caller=anna) == hours.HoursInfo("UTC", (22, 7), ())
    hours.set_hours(caller=anna, days_off=[6, 5, 6], now=table.now)
    assert hours.set_hours(caller=anna, night=None, now=table.now) == hours.HoursInfo("UTC", None, (5, 6))
    assert hours.hours(caller=anna) == hours.HoursInfo("UTC", None, (5, 6))


@pytest.mark.parametrize(
    ("zone", "began", "deadline"),
    [
        # New York puts its clocks forward on 8 March: noon there is 17:00 before and 16:00 after.
        ("America/New_York", datetime(2026, 3, 7, 17, tzinfo=UTC), datetime(2026, 3, 9, 16, tzinfo=UTC)),
        # And back on 1 November.
        ("America/New_York", datetime(2026, 10, 31, 16, tzinfo=UTC), datetime(2026, 11, 2, 17, tzinfo=UTC)),
        # Berlin puts its clocks forward on 29 March.
        ("Europe/Berlin", datetime(2026, 3, 28, 11, tzinfo=UTC), datetime(2026, 3, 30, 10, tzinfo=UTC)),
        # And back on 25 October.
        ("Europe/Berlin", datetime(2026, 10, 24, 10, tzinfo=UTC), datetime(2026, 10, 26, 11, tzinfo=UTC)),
        # Lord Howe moves by half an hour, on 5 April.
        ("Australia/Lord_Howe", datetime(2026, 4, 4, 1, tzinfo=UTC), datetime(2026, 4, 6, 1, 30, tzinfo=UTC)),
    ],
)
def test_a_deadline_across_a_change_of_clocks_is_at_the_same_hour_on_the_wall(
    table: Table, zone: str, began: datetime, deadline: datetime
) -> None:
    table.clock.now = began
    anna, bert = table.pair()
    with transaction() as session:
        session.execute(update(User).where(User.id == anna.user_id).values(time_zone=zone))
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=2))
    assert table.view(anna, game_id).info.deadline == deadline
    table.wait(days=4)
    with reading() as session:
        timed_out = session.scalar(select(LogEntry.at).where(LogEntry.kind == "timed_out"))
    assert timed_out == deadline
    assert log(game_id, "timed_out")[0] == ("timed_out", 0)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_two_days_of_whoever_has_the_weekend_off_are_two_working_days(table: Table) -> None:
    table.clock.now = datetime(2026, 3, 6, 21, 59, tzinfo=UTC)  # a Friday, the last minute before the weekend
    anna, bert = table.pair()
    hours.set_hours(caller=anna, days_off=[5, 6], now=table.now)
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=2))
    assert table.view(anna, game_id).info.deadline == datetime(2026, 3, 10, 21, 59, tzinfo=UTC)
    strict = table.game(anna, bert, clock=ClockSpec("days", days=2), time_off=False)
    assert table.view(anna, strict).info.deadline == datetime(2026, 3, 8, 21, 59, tzinfo=UTC)


def test_a_game_from_before_the_ladder_is_taken_along(table: Table) -> None:
    """What the migration left: a step, and a moment to look at it; hours are those of the player then."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=2))
    with transaction() as session:
        session.execute(
            update(Game).where(Game.id == game_id).values(hours=None, extra_seconds=0, clock_at=START, deadline=None)
        )
    table.post()
    assert stored(game_id).deadline == at(3, 12)
    table.wait(days=3)
    assert {by for _, by in moves(game_id)} == {"clock"}


def test_a_clock_that_cannot_be_read_holds_up_no_other(table: Table) -> None:
    anna, bert = table.pair()
    broken, sound = (table.game(anna, bert, clock=ClockSpec("days", days=1)) for _ in range(2))
    with transaction() as session:
        session.execute(update(Game).where(Game.id == broken).values(hours={"night": "no"}, clock_at=START))
    table.clock.now = at(2, 9)
    assert clocks.sweep(now=table.now, limit=1) == 1
    assert clocks.sweep(now=table.now, limit=1) == 1
    assert stored(sound).clock_step == "reminded"
    assert stored(broken).clock_at == table.now + clocks.PUT_OFF


def test_a_stale_stand_in_does_nothing(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    for ply, game in ((0, game_id), (1, game_id), (0, "zzzzzzzzzzzz")):
        assert clocks.stand_in(game_id=game, ply=ply, now=at(30, 12)) == "stale"
    assert moves(game_id) == []


def test_whoever_resigned_is_neither_reminded_nor_timed(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=ClockSpec("days", days=2))
    lobby.resign(caller=anna, game_id=game_id, now=table.now)
    game = stored(game_id)
    assert (game.deadline, game.clock_at, game.clock_step) == (None, None, None)
    table.wait(days=3)
    assert table.mails(kinds.ReminderNotice, "anna@example.org") == []
    assert table.mails(kinds.MovedForYouNotice, "anna@example.org") == []


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_game_that_nobody_plays_ends_by_the_clock(table: Table) -> None:
    anna = table.person("Anna")
    game_id = lobby.create_game(
        caller=anna, seats=[ME, STEADY], first=0, clock=ClockSpec("days", days=1), now=table.now
    )
    table.wait(days=20)
    info = table.view(anna, game_id).info
    assert info.status == "over"
    assert info.result is not None
    assert info.result.notes == ("held", "bot")
    game = stored(game_id)
    assert (game.deadline, game.clock_at, game.clock_step) == (None, None, None)
    assert log(game_id, "timed_out", "held") == [("timed_out", 0), ("timed_out", 0), ("held", 0)]


def test_a_late_look_does_not_move_for_whoever_moved_meanwhile(table: Table) -> None:
    """The bot has made the first decision of a turn; its person makes the second: each ply has one answer."""
    anna, bert = table.pair()
    game_id = table.game(anna, bert, clock=DAYS_4)
    while stored(game_id).clock_step != "standing_in":
        table.clock.now = stored(game_id).clock_at or table.now
        clocks.sweep(now=table.now)
    table.turn_over(anna, game_id)
    table.post()
    assert {by for seat, by in moves(game_id) if seat == 0} == {"player"}
    assert [row.state for row in rows("clock.stand_in")] == ["dropped"]
    with refused(STALE_PLY):
        play.submit(caller=anna, game_id=game_id, ply=0, line="2", now=table.now)


def test_a_lonely_table_is_one_that_somebody_can_come_back_to(table: Table) -> None:
    """All that is asked: a person or two held, and no other person there."""
    anna = table.person("Anna")
    game_id = lobby.create_game(caller=anna, seats=[ME, BOT], first=1, clock=DAYS_4, now=table.now)
    (row,) = rows("bot.turn")
    assert row.due_at == table.now
    with transaction() as session:
        game = session.get(Game, game_id)
        assert game is not None
        game.seats[0].held_at = table.now
        game.turn_ply += 1
        promises.bot_turn(session, game, now=table.now)
    assert rows("bot.turn")[-1].due_at == table.now + promises.LONELY_PAUSE

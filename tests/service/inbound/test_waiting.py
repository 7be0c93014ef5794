"""What keeps others from waiting, said by mail: orders, plans, votes, a seat taken back, hours and absences."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from service.db import reading, transaction
from service.mail import kinds
from service.mail.times import deadline_words
from service.mail.tokens import AccountToken, SeatToken
from service.models import Absence, Order, Seat, User
from service.usecases import access
from service.usecases.results import Caller, ClockSpec
from tests.service.inbound.postman import SERVICE, Postman, address, email_of, moves, said, states
from tests.service.table import Table

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

ONE_DAY = ClockSpec("days", days=1)


@pytest.fixture
def anna(table: Table) -> Caller:
    return table.person("Anna")


@pytest.fixture
def bert(table: Table) -> Caller:
    return table.person("Bert")


@pytest.fixture
def game_id(table: Table, anna: Caller, bert: Caller) -> str:
    game_id = table.game(anna, bert, clock=ONE_DAY)
    table.post()
    return game_id


def _ask(postman: Postman, who: Caller, game_id: str, text: str) -> kinds.AnswerNotice:
    """A mail that answers one about the game, and no decision."""
    seat = postman.table.view(who, game_id).info.you
    return postman.ask(email_of(who), address(SeatToken(game_id, seat or 0, None)), text)


def _account(postman: Postman, who: Caller, text: str) -> kinds.AnswerNotice:
    return postman.ask(email_of(who), address(AccountToken(who.user_id)), text)


def _kept(game_id: str) -> list[tuple[int, str, str]]:
    with reading() as session:
        rows = session.scalars(select(Order).where(Order.game_id == game_id).order_by(Order.seat, Order.kind))
        return [(row.seat, row.kind, row.text) for row in rows]


# -- orders


def test_orders_are_given_listed_and_taken_back(postman: Postman, anna: Caller, bert: Caller, game_id: str) -> None:
    given = _ask(postman, anna, game_id, "Order bribe at most 2 while I have 2 cards\nalways catch leader")
    assert [state for _, state in states(given)] == ["done", "done"]
    assert _kept(game_id) == [(0, "bribe", "at most 2 while I have 2 cards"), (0, "catch", "leader")]
    listed = said(_ask(postman, anna, game_id, "orders"))
    assert "“order bribe at most 2 while I have 2 cards”: When the dragon catches a knight of yours" in listed
    assert "“order catch leader”: " in listed
    assert "order bribe at most 2" in said(_ask(postman, anna, game_id, "status"))
    for nobody_else in ("orders", "status", "history 20"):
        assert "at most 2" not in said(_ask(postman, bert, game_id, nobody_else))
    taken = _ask(postman, anna, game_id, "order bribe ask\norder catch off")
    assert "you are asked" in said(taken)
    assert _kept(game_id) == []
    assert "no standing orders" in said(_ask(postman, anna, game_id, "orders"))


def test_whoever_keeps_cards_out_of_mails_reads_no_values(postman: Postman, anna: Caller, game_id: str) -> None:
    answer = _ask(postman, anna, game_id, "cards off\norder bribe at most 4\nplan m1 bribe 3")
    assert [state for _, state in states(answer)] == ["done"] * 3
    assert "this plan is for the one after it" in said(answer)
    assert "worth" not in said(answer)
    assert "3" not in said(answer)
    _ask(postman, anna, game_id, "plan off")
    for text in ("orders", "status"):
        told = said(_ask(postman, anna, game_id, text))
        assert "order bribe" in told
        assert "4" not in told.replace("2026", "").split("order bribe")[1].split("”")[0]
        assert "worth" not in told


def test_an_order_that_is_none_is_explained_and_nothing_done(postman: Postman, anna: Caller, game_id: str) -> None:
    answer = _ask(postman, anna, game_id, "order bribe lowest\norder catch blue")
    assert [state for _, state in states(answer)] == ["not-tried", "refused"]
    assert "'blue' is no colour" in said(answer)
    assert "No green knights are in this game" not in said(answer)
    assert _kept(game_id) == []


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("bribe at most 2", "order bribe at most 2"),
        ("bribe 2", "order bribe at most 2"),
        ("bribe lowest", "order bribe lowest"),
        ("surrender", "order bribe never"),
        ("catch never me", "order catch never me"),
        ("Catch Leader", "order catch leader"),
    ],
)
def test_an_answer_to_no_question_is_told_to_be_an_order(
    postman: Postman, bert: Caller, game_id: str, line: str, meant: str
) -> None:
    answer = _ask(postman, bert, game_id, line)
    assert [state for _, state in states(answer)] == ["refused"]
    assert f"`{meant}`" in said(answer)
    assert states(_ask(postman, bert, game_id, meant)) == [(meant, "done")]


def test_a_turn_that_is_wrong_is_not_taken_for_an_order(postman: Postman, bert: Caller, game_id: str) -> None:
    assert "`order" not in said(_ask(postman, bert, game_id, "t1 bribe lowest"))


def test_a_plan_is_played_with_the_move_before_it_and_no_line_is_played_in_a_turn_unseen(
    postman: Postman, table: Table, anna: Caller, bert: Caller, game_id: str
) -> None:
    assert states(_ask(postman, bert, game_id, "plan green t1 stop"))[0][1] == "done"
    answer = postman.reply(postman.turn(anna), "black t1 stop\nsay your turn, Bert\nblack t2 stop")
    # What the plan did has been seen: it is not taken back for the line that was refused.
    assert [state for _, state in states(answer)] == ["done", "not-tried", "refused"]
    assert "did not ask for this decision" in said(answer)
    assert moves(game_id) == 4
    assert "Bert moved a green knight from t1 to" in said(answer)
    assert answer.view is not None
    assert answer.view.to_act == 0
    assert _kept(game_id) == []
    assert "plan" not in said(_ask(postman, anna, game_id, "history 20")).lower()
    assert "Your plan was played: green t1 stop" in said(_ask(postman, bert, game_id, "history 20"))


def test_a_plan_for_a_turn_that_is_on_is_for_the_one_after_it(postman: Postman, anna: Caller, game_id: str) -> None:
    answer = _ask(postman, anna, game_id, "plan black t1 stop")
    assert "It is your turn now; this plan is for the one after it." in said(answer)
    assert _kept(game_id) == [(0, "plan", "black t1 stop")]
    assert moves(game_id) == 0


@pytest.mark.parametrize(
    "text", ["black t1 stop\nsay so\nplan black t2 stop", "plan black t2 stop\nblack t1 stop\nsay so"]
)
def test_a_plan_is_there_when_the_move_of_its_mail_brings_the_turn_back(
    postman: Postman, table: Table, anna: Caller, bert: Caller, game_id: str, text: str
) -> None:
    _ask(postman, bert, game_id, "plan green t1 stop")
    answer = postman.reply(postman.turn(anna), text)
    assert states(answer) == [(line, "done") for line in text.split("\n")]  # told in the order in which they stand
    assert moves(game_id) == 6
    assert table.view(anna, game_id).info.to_act == 1
    assert _kept(game_id) == []
    assert "Your plan was played: black t2 stop" in said(answer)


def test_an_order_and_a_move_of_one_mail_are_both_done_or_neither(postman: Postman, anna: Caller, game_id: str) -> None:
    turn = postman.turn(anna)
    answer = postman.reply(turn, "m5 stop\norder catch leader\nplan black t2 stop")
    assert [state for _, state in states(answer)] == ["refused", "not-tried", "not-tried"]
    assert _kept(game_id) == []
    answer = postman.reply(turn, "black t1 stop\norder catch blue")
    assert [state for _, state in states(answer)] == ["not-tried", "refused"]
    assert moves(game_id) == 0


def test_an_order_stays_with_the_game_that_the_lines_above_it_are_about(
    postman: Postman, anna: Caller, game_id: str
) -> None:
    answer = postman.reply(postman.turn(anna), "black t1 stop\nnew 3 seats\nplan black t2 stop")
    assert [state for _, state in states(answer)] == ["not-tried", "not-tried", "refused"]
    assert "has not started yet" in said(answer)
    assert (moves(game_id), _kept(game_id)) == (0, [])


@pytest.mark.parametrize(
    "text",
    [
        "plan if green t1 and dragon c4 then green t1 green t2 stop else if green\nt2 then green t2 else green t3",
        "plan if green t1 and dragon c4 then green t1\nelse if green t2 then green t2 stop\nelse green t3",
        "plan if green t1 and dragon c4 then green t1 stop else if green t2 and\n"
        "not dragon c3 and emerald at c2 then green t2 else if purple t1 and not\ndragon c1 then purple t1 stop",
    ],
)
def test_a_plan_that_was_wrapped_on_its_way_is_one(postman: Postman, bert: Caller, game_id: str, text: str) -> None:
    answer = _ask(postman, bert, game_id, f"{text}\nThanks!")
    assert states(answer) == [(" ".join(text.split()), "done"), ("Thanks!", "ignored")]
    assert moves(game_id) == 0


def test_a_move_below_a_plan_is_none_of_it(postman: Postman, bert: Caller, game_id: str) -> None:
    answer = _ask(postman, bert, game_id, "plan if green t1 then green t1 stop\nt2 gem")
    assert [state for _, state in states(answer)] == ["not-tried", "refused"]


# -- votes


def test_a_vote_alone_decides_and_is_told(postman: Postman, table: Table, bert: Caller, game_id: str) -> None:
    before = table.view(bert, game_id).info.deadline
    answer = _ask(postman, bert, game_id, "vote extend")
    assert states(answer) == [("vote extend", "done")]
    assert "Anna more time, until" in said(answer)
    after = table.view(bert, game_id).info.deadline
    assert before is not None
    assert after is not None
    assert after > before


def test_of_several_more_than_half_have_to_vote(postman: Postman, table: Table, anna: Caller, bert: Caller) -> None:
    carl, dora = table.person("Carl"), table.person("Dora")
    game_id = table.game(anna, bert, carl, dora, clock=ONE_DAY)
    first = _ask(postman, bert, game_id, "vote to extend")
    assert "1 vote more is needed" in said(first)
    assert "voted for that already" in said(_ask(postman, bert, game_id, "vote extend"))
    assert "no vote in this game" in said(_ask(postman, bert, game_id, "vote none"))
    assert "1 vote more is needed" in said(_ask(postman, carl, game_id, "vote extend"))
    assert "Anna more time, until" in said(_ask(postman, dora, game_id, "vote extend"))


def test_a_game_that_is_left_can_be_ended(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    bert = Caller(table.view(anna, game_id).info.seats[1].user_id or "", "t", anna.scopes)
    refused = _ask(postman, bert, game_id, "vote end")
    assert states(refused) == [("vote end", "refused")]
    table.wait(hours=25)
    answer = _ask(postman, bert, game_id, "vote end")
    assert "so it ended, and nobody won" in said(answer)
    assert table.view(bert, game_id).info.status == "over"


# -- the seat


def _lose(table: Table, who: Caller, *game_ids: str) -> None:
    """Let the time run out until a bot holds the seat of whoever is to act first."""
    for game_id in game_ids:
        with transaction() as session:
            access.locked(session, game_id).seats[0].timeouts = 1
    table.wait(hours=28)
    assert all(table.view(who, game_id).info.seats[0].held for game_id in game_ids)


def test_resume_takes_the_seat_back_from_any_mail(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    _lose(table, anna, game_id)
    held = table.mails(kinds.HeldNotice, "anna@example.org")[-1]
    assert "`resume`, in a line above the move" in said(postman.reply(held, "status\n3"))
    assert "A bot holds your seat" in said(postman.reply(held, "order bribe lowest"))
    # Whatever becomes of the line below it, it stays done.
    back = postman.reply(held, "Resume!\nt1 m3")
    assert states(back) == [("Resume!", "done"), ("t1 m3", "refused")]
    assert not table.view(anna, game_id).info.seats[0].held
    assert "own already" in said(_ask(postman, anna, game_id, "resume"))


def test_resume_written_to_the_service_means_the_seat_that_is_held(
    postman: Postman, table: Table, anna: Caller, bert: Caller, game_id: str
) -> None:
    assert "No bot holds a seat of yours" in said(_account(postman, anna, "resume"))
    other = table.game(anna, bert, clock=ONE_DAY)
    _lose(table, anna, game_id, other)
    assert "several seats" in said(_account(postman, anna, "resume"))
    assert "seat is yours" in said(_ask(postman, anna, game_id, "resume"))
    answer = _account(postman, anna, "resume\nsay I am back")
    assert [state for _, state in states(answer)] == ["done", "done"]
    assert answer.game is not None
    assert answer.game.id == other
    assert not table.view(anna, other).info.seats[0].held


def test_a_lost_player_is_still_asked_before_they_resign(
    postman: Postman, table: Table, anna: Caller, game_id: str
) -> None:
    _lose(table, anna, game_id)
    assert "Do you mean it?" in said(_ask(postman, anna, game_id, "resign"))
    with reading() as session:
        assert session.get_one(Seat, (game_id, 0)).resigned_at is None


# -- hours and absences


def test_nights_and_days_off(postman: Postman, anna: Caller) -> None:
    answer = _account(postman, anna, "zone Europe/Berlin\nnight 23-6\ndays off Sat, Sun")
    assert [state for _, state in states(answer)] == ["done"] * 3
    assert "every night from 23:00 to 06:00 (Europe/Berlin), from your next turn on" in said(answer)
    assert "Saturdays and Sundays (Europe/Berlin)" in said(answer)
    with reading() as session:
        user = session.get_one(User, anna.user_id)
        assert (user.night_from, user.night_to, user.days_off) == (23, 6, [5, 6])
    _account(postman, anna, "night off\ndays off none")
    with reading() as session:
        user = session.get_one(User, anna.user_id)
        assert (user.night_from, user.night_to, user.days_off) == (None, None, [])


def test_an_absence_to_come_is_planned_listed_and_struck(postman: Postman, table: Table, anna: Caller) -> None:
    answer = _account(postman, anna, "zone Europe/Berlin\naway from 2026-03-20 to 2026-04-03")
    assert "from Friday 20 March 2026, 00:00 (Europe/Berlin) to Saturday 4 April 2026, 00:00" in said(answer)
    with reading() as session:
        planned = session.scalars(select(Absence)).one()
        # The clocks change in between.
        assert planned.starts_at == datetime(2026, 3, 19, 23, tzinfo=UTC)
        assert planned.ends_at == datetime(2026, 4, 3, 22, tzinfo=UTC)
    _account(postman, anna, "away 2 days")
    listed = said(_account(postman, anna, "absences"))
    assert "You are away until Tuesday 3 March 2026, 13:00" in listed
    assert "You will be away from Friday 20 March" in listed
    assert "43 are left" in listed
    assert "No absence of yours is planned" in said(_account(postman, anna, "away none"))
    listed = said(_account(postman, anna, "absences"))
    assert "You are away until" in listed
    assert "20 March" not in listed
    none = said(_account(postman, anna, "away none"))
    assert "had no absence planned" in none
    assert "You are away until Tuesday 3 March 2026, 13:00 (Europe/Berlin); `back` ends that" in none


def test_two_days_the_wrong_way_round_are_no_absence(postman: Postman, anna: Caller) -> None:
    answer = said(_account(postman, anna, "away 20 Mar - 1 Jan"))
    assert "days; an absence has 60 at most. Is the first day first?" in answer
    answer = said(_account(postman, anna, "away 3 Jan - 20 Dec"))
    assert "From 3 Jan 2026 to 20 Dec 2026 there are 352 days" in answer
    with reading() as session:
        assert session.scalars(select(Absence)).all() == []


@pytest.mark.parametrize("days", ["1 Jan 0001 - 2 Jan 0001", "9999-12-31 to 9999-12-31"])
def test_an_absence_at_the_ends_of_time_is_answered(postman: Postman, anna: Caller, days: str) -> None:
    answer = _account(postman, anna, f"zone Asia/Tokyo\naway {days}")
    assert "is too far away for an absence" in said(answer)


def test_more_than_the_year_allows_is_refused_with_all_lines(postman: Postman, table: Table, anna: Caller) -> None:
    answer = _account(postman, anna, "away 1 Apr - 20 May\nnight 1-2\naway from 1 June to 20 June")
    assert [state for _, state in states(answer)] == ["not-tried", "not-tried", "refused"]
    assert "more than you have" in said(answer)
    with reading() as session:
        assert session.scalars(select(Absence)).all() == []
        assert session.get_one(User, anna.user_id).night_from == 22


@pytest.mark.parametrize("line", ["away 20 Mar - 3 Apr", "night 1-2", "days off sun", "away none", "resume"])
def test_what_anybody_could_have_written_is_asked_back(postman: Postman, anna: Caller, line: str) -> None:
    sent = postman.write("anna@example.org", SERVICE, line)
    assert [type(notice) for notice in sent] == [kinds.ConfirmNotice]


@pytest.mark.parametrize("line", ["absences", "orders", "status", "pace"])
def test_what_only_looks_is_answered_at_once(postman: Postman, anna: Caller, game_id: str, line: str) -> None:
    assert states(postman.ask("anna@example.org", SERVICE, line)) == [(line, "done")]


# -- the game as it waits


def test_status_tells_who_is_waited_for_and_ones_own_orders_and_absence(
    postman: Postman, table: Table, anna: Caller, bert: Caller, game_id: str
) -> None:
    _account(postman, bert, "zone Europe/Berlin")
    since = "since Sunday 1 March 2026, 13:00 (Europe/Berlin)"
    told = said(_ask(postman, bert, game_id, "status"))
    assert told == f"Anna is waited for {since}."
    told = said(_ask(postman, bert, game_id, "order catch never me\naway 12h\nstatus"))
    assert f"Anna is waited for {since}." in told
    assert "You have ordered: order catch never me." in told
    assert "You are away until Monday 2 March 2026, 01:00 (Europe/Berlin)" in told
    assert said(_ask(postman, anna, game_id, "status")).startswith("You are waited for since Sunday 1 March 2026")


def test_pace_tells_who_has_until_when_by_both_clocks_and_how_soon_people_answer(
    postman: Postman, table: Table, anna: Caller, bert: Caller, game_id: str
) -> None:
    _account(postman, anna, "zone Asia/Tokyo")
    _account(postman, bert, "zone Europe/Berlin")
    deadline = table.view(bert, game_id).info.deadline
    assert deadline is not None
    told = said(_ask(postman, bert, game_id, "pace"))
    assert "Anna is waited for since Sunday 1 March 2026, 13:00 (Europe/Berlin)." in told
    assert f"The time for it ends on {deadline_words(deadline, 'Europe/Berlin', 'Asia/Tokyo')}." in told
    assert "(Asia/Tokyo) for them" in told
    assert "told after a few turns" in told
    for turn in range(8):
        table.clock.forward(hours=1)
        table.turn_over((anna, bert)[turn % 2], game_id)
    told = said(_ask(postman, bert, game_id, "pace"))
    assert "Anna mostly answers within hours." in told
    assert "You mostly answer within hours." in told
    deadline = table.view(bert, game_id).info.deadline
    assert deadline is not None
    table.wait(seconds=(deadline - table.now).total_seconds() + 60)
    assert "an answer still counts" in said(_ask(postman, bert, game_id, "pace"))


def test_a_game_with_a_bank_and_without_time_off(postman: Postman, table: Table, anna: Caller) -> None:
    answer = _account(postman, anna, "new 3 seats bank 3d 12h max 5d no time off")
    assert answer.game is not None
    info = table.view(anna, answer.game.id).info
    assert info.clock == ClockSpec("bank", start_hours=72, increment_hours=12, cap_hours=120)
    assert not info.time_off

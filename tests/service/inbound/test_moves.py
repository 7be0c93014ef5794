"""Moves by mail: the decision that was asked for, once, or a word why not."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from service.db import reading
from service.mail import kinds
from service.mail.tokens import SeatToken
from service.models import Move
from service.usecases import lobby, orders, play
from service.usecases.results import ClockSpec
from tests.service.inbound.postman import Postman, address, moves, newest, said, states
from tests.service.table import ME, OPEN, Table


def test_an_answer_to_a_turn_mail_moves(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    turn = postman.turn(anna)
    answer = postman.reply(turn, "Black T1.\n\nOn Monday Emerald wrote:\n> 3\n", subject="Re: Your turn")
    assert states(answer) == [("Black T1.", "done")]
    assert "You moved a black knight from t1" in said(answer)
    assert answer.game is not None
    assert (answer.game.id, answer.seat, answer.ply, moves(game_id)) == (game_id, 0, 1, 1)
    assert answer.view == table.view(anna, game_id).view
    assert answer.envelope.reply == SeatToken(game_id, 0, 1)
    assert answer.envelope.answers == newest().message_id
    assert answer.subject == "Re: Your turn"
    # and the answer to the answer is the next decision
    assert states(postman.reply(answer, "1")) == [("1", "done")]
    assert moves(game_id) == 2


def test_a_number_is_a_line_of_the_list_in_the_mail_and_of_no_other(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    answer = postman.reply(postman.turn(anna), "1\n2")
    assert states(answer) == [("1", "not-tried"), ("2", "refused")]
    assert "after a move that list is another" in said(answer)
    assert moves(game_id) == 0


def test_several_lines_go_on_where_the_one_before_left_off(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    answer = postman.reply(postman.turn(anna), "black t1\nsay here I come\nstop\nsay your turn")
    assert [state for _, state in states(answer)] == ["done"] * 4
    assert (moves(game_id), table.view(anna, game_id).info.to_act) == (2, 1)
    told = [entry for entry in postman.turn(bert).log if entry.kind == "say"]
    assert [entry.data["text"] for entry in told] == ["here I come", "your turn"]


def test_what_a_plan_has_shown_is_not_taken_back_and_the_turn_after_it_is_for_another_mail(
    table: Table, postman: Postman
) -> None:
    """Nobody looks at another's plan by a mail that fails further down, nor plays a turn that they have not seen."""
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    orders.set_order(caller=bert, game_id=game_id, kind="plan", text="green t1 stop", now=table.now)
    answer = postman.reply(postman.turn(anna), "black t1 stop\nsay done\nblack t2 stop")
    assert [state for _, state in states(answer)] == ["done", "not-tried", "refused"]
    assert (moves(game_id), table.view(anna, game_id).info.to_act) == (4, 0)
    # Nor by the same mail in other words, which finds its first line played.
    again = postman.reply(postman.turn(anna), "black t1 stop\nsay sent again\nblack t2 stop")
    assert (states(again)[0], moves(game_id)) == (("black t1 stop", "refused"), 4)
    assert states(postman.reply(answer, "black t2 stop")) == [("black t2 stop", "done")]


def test_a_move_that_was_played_elsewhere_does_not_open_the_turn_after_a_plan(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    turn = postman.turn(anna)
    orders.set_order(caller=bert, game_id=game_id, kind="plan", text="green t1 stop", now=table.now)
    play.submit(caller=anna, game_id=game_id, ply=0, line="black t1 stop", now=table.now)
    answer = postman.reply(turn, "black t1 stop\nsay there\nblack t2 stop")
    assert [state for _, state in states(answer)] == ["done", "not-tried", "refused"]
    assert moves(game_id) == 4


def test_a_turn_over_several_lines_is_one_line(table: Table, postman: Postman) -> None:
    """A card named in a line of its own serves the move before it: what does not come up is dropped, not refused."""
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    answer = postman.reply(postman.turn(anna), "black t1\nstop\ngold\nThanks!")
    assert states(answer) == [("black t1 / stop / gold", "done"), ("Thanks!", "ignored")]
    assert "“gold” was not done" in said(answer)
    assert moves(game_id) == 2


@pytest.mark.parametrize(
    ("text", "fault", "words"),
    [
        ("say hello\nblack t1\nsay and\nblack t1", 3, ("R-MOVE", "“", "'black t1'")),
        ("say hello\nblack t9", 1, ("'t9'", "t1 to t4")),
        ("black t1\nsay hello\nhistroy 3", 2, ("'histroy'", "history 3")),
        ("black t1\nsay hello\nstop\nblack t2", 3, ("not your turn", "Bert")),
        ("say hello\nblack t1\naccept", 2, ("nothing to accept",)),
        ("say hello\nblack m1", 1, ("R-MOVE-1", "no black knight stands on m1")),
    ],
)
def test_all_or_nothing(table: Table, postman: Postman, text: str, fault: int, words: tuple[str, ...]) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    turn = postman.turn(anna)
    before = table.view(anna, game_id)
    answer = postman.reply(turn, text)
    lines = text.splitlines()
    assert states(answer) == [(line, "refused" if at == fault else "not-tried") for at, line in enumerate(lines)]
    assert [word for word in words if word != "“" and word not in said(answer)] == [], said(answer)
    assert table.view(anna, game_id) == before
    # the position is told, and what is legal, and an answer to this mail moves
    assert answer.view is not None
    assert len(answer.view.legal) == len(before.legal)
    assert states(postman.reply(answer, "black t1")) == [("black t1", "done")]
    assert postman.turn(anna).log == turn.log  # nobody said hello


def test_looking_is_answered_whatever_becomes_of_the_rest(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    table.game(anna, bert)
    answer = postman.reply(postman.turn(anna), "rules hall\nblack t9\nstatus")
    assert states(answer) == [("rules hall", "done"), ("black t9", "refused"), ("status", "done")]
    assert "R-SET-3" in said(answer)


def test_what_came_to_light_stays_done(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    for _ in range(200):
        seen = table.view(anna, game_id).info
        actor = (anna, bert)[seen.to_act or 0]
        row = next((row for row in table.view(actor, game_id).legal if row.action["do"] == "take"), None)
        if row is not None:
            break
        table.move(actor, game_id)
    else:
        raise AssertionError("nobody ever may take a card")
    # the first decision of this turn moved a knight: the mail that asked is old, so ask for a new one
    at = table.view(actor, game_id).info.ply
    to = address(SeatToken(game_id, seen.to_act or 0, at))
    who = "anna@example.org" if actor is anna else "bert@example.org"
    before = moves(game_id)
    answer = postman.ask(who, to, f"say before\n{row.notation}\nsay after\nblack c9\nsay never")
    assert [state for _, state in states(answer)] == ["done", "done", "not-tried", "refused", "not-tried"]
    assert moves(game_id) > before
    log = postman.ask(who, address(SeatToken(game_id, seen.to_act or 0, None)), "history 50")
    assert "before" in said(log)
    assert "after" not in said(log)


# -- what is over


def test_an_answer_to_an_old_mail_never_moves(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    first = postman.turn(anna)
    second = postman.reply(first, "black t1")
    assert postman.reply(second, "stop").envelope.reply == SeatToken(game_id, 0, 2)
    table.move(bert, game_id)
    made = moves(game_id)
    for old in (first, second):
        answer = postman.reply(old, "black t2\nsay lost otherwise")
        assert states(answer) == [("black t2", "refused"), ("say lost otherwise", "not-tried")]
        assert "gone on since" in said(answer)
        assert [entry.kind for entry in answer.log][-1] == "moved"
        assert answer.view == table.view(anna, game_id).view
    assert next(entry.kind for entry in postman.reply(first, "black t2").log) == "moved"
    assert moves(game_id) == made
    # what is not bound to a decision is done all the same
    assert states(postman.reply(first, "say still here")) == [("say still here", "done")]


def test_an_old_mail_does_not_move_in_another_turn_of_the_same_seat(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    old = postman.turn(anna)
    postman.reply(old, "black t1\nstop")
    table.move(bert, game_id)
    while table.view(bert, game_id).info.to_act == 1:
        table.move(bert, game_id, len(table.view(bert, game_id).legal))
    new = postman.turn(anna)
    assert new.ply > old.ply
    made = moves(game_id)
    answer = postman.reply(old, "1")
    assert "an answer to this mail counts" in said(answer)
    assert moves(game_id) == made
    assert answer.envelope.reply == SeatToken(game_id, 0, new.ply)
    assert states(postman.reply(answer, "1")) == [("1", "done")]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_not_your_turn_game_over_resigned_not_started(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    waiting = lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now)
    answer = postman.ask("anna@example.org", address(SeatToken(waiting, 0, None)), "t1")
    assert "has not started" in said(answer)
    assert (answer.view, answer.waiting_for != "") == (None, True)

    game_id = table.game(anna, bert)
    table.post()
    answer = postman.reply(table.mails(kinds.StartedNotice, "bert@example.org")[-1], "orange t1")
    assert "not your turn: Anna is to act" in said(answer)
    assert answer.view is not None
    assert answer.view.legal == ()

    first = postman.turn(anna)
    table.play_out([anna, bert], game_id)
    table.post()
    for mail in (first, table.mails(kinds.OverNotice, "anna@example.org")[-1]):
        answer = postman.reply(mail, "black t1")
        assert "The game is over" in said(answer)
        assert answer.view is not None
        assert answer.view.to_act is None

    resigned = table.game(anna, bert)
    mail = postman.turn(anna)
    lobby.resign(caller=anna, game_id=resigned, now=table.now)
    answer = postman.reply(mail, "black t1")
    assert "You resigned" in said(answer)
    with reading() as session:
        assert set(session.scalars(select(Move.by).where(Move.game_id == resigned))) == {"bot"}


def test_the_same_move_from_elsewhere_is_one_move(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    turn = postman.turn(anna)
    play.submit(caller=anna, game_id=game_id, ply=0, line="black t1", now=table.now)
    for _ in range(2):
        answer = postman.reply(turn, "black  T1\nsay hi")
        assert [state for _, state in states(answer)] == ["done", "done"]
        assert "played already (black t1)" in said(answer)
    assert moves(game_id) == 1


def test_the_answer_shows_the_position_right_after_the_mail(table: Table, postman: Postman) -> None:
    anna = table.person("Anna")
    game_id = table.game(anna, bots=1)
    turn = postman.turn(anna)
    answer = postman.reply(turn, "black t1\nstop")  # by the time the answer is written the bot has moved on
    assert answer.view is not None
    assert table.view(anna, game_id).info.ply > answer.ply == 2
    assert answer.view.to_act == 1
    assert answer.envelope.reply == SeatToken(game_id, 0, 2)
    assert postman.turn(anna).ply > 2


def test_a_deadline_is_told(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    table.game(anna, bert, clock=ClockSpec("days", days=3))
    answer = postman.reply(postman.turn(anna), "status")
    assert answer.deadline == table.now + timedelta(days=3)

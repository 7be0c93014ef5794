"""Standing orders at a real table: who gives them, what they do in the move that asks, and who is told."""

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from service.db import reading, together, transaction
from service.errors import (
    ALREADY_RESIGNED,
    BAD_NOTATION,
    GAME_NOT_PLAYING,
    INVALID,
    NOT_A_PLAYER,
    NOT_FOUND,
    SCOPE_MISSING,
)
from service.mail import kinds
from service.models import Move, Order
from service.usecases import access, lobby, orders, play, tokens
from tests.engine.positions import position
from tests.service.ordering import DAYS_3, give, left, moves, on_sqlite, put, stored, submit, three, told
from tests.service.table import ME, OPEN, START, Table, refused

# -- giving them


@on_sqlite
def test_orders_are_given_shown_and_taken_back(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    assert orders.orders(caller=bert, game_id=game_id) == ()
    given = give(table, bert, game_id, "bribe", " At  most 2 ")
    assert (given.kind, given.text, given.since) == ("bribe", "at most 2", START)
    assert "worth 2 or less" in given.explains
    plan = give(table, bert, game_id, "plan", "IF green t1 THEN green t1, stop")
    assert plan.text == "if green t1 then green t1 stop"
    assert "your next turn" in plan.explains
    assert "cancelled" in plan.explains
    table.clock.forward(hours=1)
    catch = give(table, bert, game_id, "catch", "black > orange")
    assert orders.orders(caller=bert, game_id=game_id) == (given, catch, plan)
    # The same order again is the one that stands; another takes its place.
    assert give(table, bert, game_id, "bribe", "AT MOST 2") == given
    assert give(table, bert, game_id, "bribe", "never").since == table.now
    for word, kind in (("ask", "bribe"), ("OFF", "plan"), (" none", "catch")):
        back = give(table, bert, game_id, kind, word)
        assert back.text == ("off" if kind == "plan" else "ask")
        assert "asked" in back.explains
    assert orders.orders(caller=bert, game_id=game_id) == ()
    orders.clear(caller=bert, game_id=game_id, kind="plan", now=table.now)  # nothing to take back is no fault


@on_sqlite
def test_orders_are_ones_own(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert, public=True)
    give(table, bert, game_id, "bribe", "never")
    assert orders.orders(caller=anna, game_id=game_id) == ()
    orders.clear(caller=anna, game_id=game_id, kind="bribe", now=table.now)
    assert left(game_id) == [(1, "bribe", "never")]
    watcher = table.person("Dora")
    with refused(NOT_A_PLAYER):
        orders.orders(caller=watcher, game_id=game_id)
    with refused(NOT_A_PLAYER):
        give(table, watcher, game_id, "bribe", "never")
    for nowhere in ("zzzzzzzzzzzz", "x", ""):
        with refused(NOT_FOUND):
            give(table, anna, nowhere, "bribe", "never")
    token = tokens.create_token(caller=anna, name="watch", scopes=["games:read"], now=table.now)
    weak = tokens.authenticate(token=token.token, now=table.now)
    with refused(SCOPE_MISSING):
        give(table, weak, game_id, "bribe", "never")
    assert orders.orders(caller=weak, game_id=game_id) == ()


@on_sqlite
@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        ("bribe", "2", BAD_NOTATION),
        ("bribe", "", BAD_NOTATION),
        ("bribe", "lowest \ud800", BAD_NOTATION),
        ("catch", "purpel", BAD_NOTATION),
        ("catch", "purple", INVALID),  # two players: black, orange, green and purple are in play, with three it is not
        ("plan", "3", BAD_NOTATION),
        ("plan", "if t1 then", BAD_NOTATION),
        ("plan", "stop", BAD_NOTATION),
        ("plan", "if t1 then t1 " + "else t1 " * 60, INVALID),
        ("move", "t1", INVALID),
        ("\x00", "t1", INVALID),
    ],
)
def test_what_is_no_order_is_refused(app: Flask, table: Table, kind: str, text: str, code: str) -> None:
    people = [table.person(name) for name in ("Anna", "Bert", "Carl")]
    game_id = table.game(*people)
    with refused(code):
        give(table, people[1], game_id, kind, text)
    assert left(game_id) == []


@on_sqlite
def test_orders_are_for_a_game_that_is_on_and_a_seat_that_is_ones_own(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    waiting = lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now)
    with refused(GAME_NOT_PLAYING):
        give(table, anna, waiting, "bribe", "never")
    game_id = table.game(anna, bert)
    give(table, anna, game_id, "bribe", "never")
    give(table, bert, game_id, "plan", "green t1")
    lobby.resign(caller=bert, game_id=game_id, now=table.now)
    assert left(game_id) == [(0, "bribe", "never")]
    with refused(ALREADY_RESIGNED):
        give(table, bert, game_id, "bribe", "never")
    table.play_out([anna], game_id)
    assert left(game_id) == []
    for text in ("never", "ask"):
        with refused(GAME_NOT_PLAYING):
            give(table, anna, game_id, "bribe", text)
    assert orders.orders(caller=anna, game_id=game_id) == ()


@on_sqlite
def test_a_plan_is_for_a_turn_that_has_not_begun(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    on = "It is your turn now; this plan is for the one after it."
    given = give(table, anna, game_id, "plan", "t1 stop")
    assert given.explains.endswith(on)
    assert moves(game_id) == []
    assert on not in orders.orders(caller=anna, game_id=game_id)[0].explains  # it may be read when that turn is over
    submit(table, anna, game_id, "m6")
    assert table.view(None, game_id).info.to_act == 1  # Bert is asked, in Anna's turn: the next turn of both is to come
    assert given.remark in give(table, anna, game_id, "plan", "t2 stop").explains
    assert give(table, bert, game_id, "plan", "t3 stop").remark == ""
    submit(table, bert, game_id, "surrender")
    assert left(game_id) == [(0, "plan", "t2 stop"), (1, "plan", "t3 stop")]
    submit(table, anna, game_id, "stop")
    assert moves(game_id) == [(0, "player"), (1, "player"), (0, "player"), (1, "order"), (1, "order")]
    assert left(game_id) == [(0, "plan", "t2 stop")]


@on_sqlite
def test_an_order_and_what_undoes_it_may_come_in_one_mail(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    with together():
        for text in ("green t1", "off", "green t2"):
            give(table, bert, game_id, "plan", text)
    assert left(game_id) == [(1, "plan", "green t2")]


# -- for the dragon


@on_sqlite
def test_a_bribe_is_answered_in_the_move_that_asks_for_it(app: Flask, table: Table) -> None:
    game_id, anna, bert, carl = three(table, clock=DAYS_3)
    table.post()
    give(table, bert, game_id, "bribe", "at most 2")
    before = stored(game_id)
    table.clock.forward(hours=5)
    answer = submit(table, anna, game_id, "m6 t1")
    # The line went on behind Bert's answer, and the turn is over with it.
    assert [(one["notation"], one["by"]) for one in answer["applied"]] == [("m6", "you"), ("t1", "you")]
    assert (answer["dropped"], answer["ply"], answer["next_ply"], answer["to_act"]) == ([], 0, 3, 1)
    kinds_told = [event["kind"] for event in answer["events"]]
    assert kinds_told == ["moved", "threw", "dragon", "caught", "bribed", "rail", "moved", "turn"]
    assert all("gold" not in event for event in answer["events"])
    assert moves(game_id) == [(0, "player"), (1, "order"), (0, "player")]
    # Its owner alone is told, and in the next turn mail at the latest.
    order = {"kind": "order", "seat": 1, "order": "bribe", "text": "at most 2", "action": {"do": "bribe", "gold": 2}}
    assert told(bert, game_id, "order") == [order]
    assert [told(who, game_id, "order") for who in (anna, carl, None)] == [[], [], []]
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.seat == 1
    assert [dict(entry.data) for entry in mail.log if entry.kind == "order"] == [order]
    # Nobody's own act is made of it: not in how long Bert takes to answer, nor in how far he has read.
    with reading() as session:
        waits = session.scalars(select(Move.waited_seconds).where(Move.game_id == game_id).order_by(Move.ply)).all()
    assert waits == [5 * 3600, None, None]
    after = stored(game_id)
    assert after.seats[1].acted_seq == before.seats[1].acted_seq
    assert after.seats[0].acted_seq == after.log_seq


@on_sqlite
def test_a_turn_that_goes_on_behind_an_order_is_the_same_turn(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table, clock=DAYS_3)
    table.post()
    give(table, bert, game_id, "bribe", "lowest")
    before = stored(game_id)
    table.clock.forward(hours=5)
    answer = submit(table, anna, game_id, "m6")
    assert (answer["to_act"], answer["phase"], answer["next_ply"]) == (0, "move", 2)
    after = stored(game_id)
    for column in ("turn_ply", "turn_since", "deadline", "clock_at", "clock_step"):
        assert getattr(after, column) == getattr(before, column), column
    assert table.post() == []
    table.clock.forward(hours=5)
    submit(table, anna, game_id, "stop")
    with reading() as session:
        waits = session.scalars(select(Move.waited_seconds).where(Move.game_id == game_id).order_by(Move.ply)).all()
    assert waits == [5 * 3600, None, None]  # it began once, and was begun once


@on_sqlite
@pytest.mark.parametrize(
    ("order", "hand", "kind"),
    [
        ("at most 2", [3, 4], "surrendered"),  # the cards it was thought for are no longer in the hand
        ("highest while I have 3 cards", [4, 5], "surrendered"),
        ("highest", [4, 5], "bribed"),
        ("never", [1], "surrendered"),
    ],
)
def test_an_order_always_decides(app: Flask, table: Table, order: str, hand: list[int], kind: str) -> None:
    """If it asked now and then, all could read the hand from the asking."""
    game_id, anna, bert, _ = three(table, hand=hand)
    give(table, bert, game_id, "bribe", order)
    answer = submit(table, anna, game_id, "m6")
    assert kind in [event["kind"] for event in answer["events"]]
    assert answer["to_act"] == 0
    assert moves(game_id) == [(0, "player"), (1, "order")]


@on_sqlite
def test_what_is_asked_already_is_not_answered_by_an_order(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    submit(table, anna, game_id, "m6")
    given = give(table, bert, game_id, "bribe", "lowest")
    assert "waits for your answer all the same" in given.explains
    assert moves(game_id) == [(0, "player")]
    assert table.view(None, game_id).info.to_act == 1
    assert "all the same" not in orders.orders(caller=bert, game_id=game_id)[0].explains
    submit(table, bert, game_id, "bribe 5")
    assert moves(game_id) == [(0, "player"), (1, "player")]


@on_sqlite
def test_whom_the_dragon_catches_is_the_movers_order_and_the_bribe_the_owners(app: Flask, table: Table) -> None:
    game_id, anna, bert, carl = three(table)
    knights = {"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t1 t4 c2"}
    put(game_id, position(3, knights=knights, no_cards=True, dice=[2], hands={1: [2], 2: [3]}))
    give(table, anna, game_id, "catch", "green>orange")
    give(table, bert, game_id, "bribe", "lowest")
    give(table, carl, game_id, "bribe", "never")
    answer = submit(table, anna, game_id, "m6 stop")
    applied = [(one["notation"], one["by"]) for one in answer["applied"]]
    assert applied == [("m6", "you"), ("catch green", "order"), ("stop", "you")]
    assert moves(game_id) == [(0, "player"), (0, "order"), (2, "order"), (0, "player")]
    assert [entry["order"] for entry in told(anna, game_id, "order")] == ["catch"]
    assert [entry["text"] for entry in told(carl, game_id, "order")] == ["never"]


@on_sqlite
def test_words_of_a_line_go_before_orders(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    knights = {"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t1 t4 c2"}
    put(game_id, position(3, knights=knights, no_cards=True, dice=[2], hands={1: [2], 2: [3]}))
    give(table, anna, game_id, "catch", "green>orange")
    answer = submit(table, anna, game_id, "m6 catch orange")
    assert [one["by"] for one in answer["applied"]] == ["you", "you"]
    assert told(anna, game_id, "order") == []
    assert table.view(bert, game_id).info.to_act == 1


@on_sqlite
def test_an_order_that_nobody_can_read_any_more_stops_no_game(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    for kind in ("bribe", "catch", "plan"):
        give(table, bert, game_id, kind, {"bribe": "lowest", "catch": "green", "plan": "t3"}[kind])
    with transaction() as session:
        session.execute(update(Order).values(text="words of a notation that is no more"))
    shown = orders.orders(caller=bert, game_id=game_id)
    assert {one.kind: "asked" in one.explains for one in shown} == {"bribe": True, "catch": True, "plan": True}
    submit(table, anna, game_id, "m6")
    assert table.view(None, game_id).info.to_act == 1
    submit(table, bert, game_id, "surrender")
    submit(table, anna, game_id, "stop")
    assert table.view(None, game_id).info.to_act == 1
    assert len(told(bert, game_id, "plan_dropped")) == 1


@on_sqlite
@pytest.mark.parametrize("by", ["bot", "clock"])
def test_a_bots_move_asks_orders_as_well(app: Flask, table: Table, by: play.By) -> None:
    """Its own for its seat, and those of whoever it meets; the seat's plans are its person's affair."""
    game_id, _, bert, _ = three(table)
    give(table, bert, game_id, "bribe", "highest")
    before = stored(game_id)
    with transaction() as session:
        game = access.locked(session, game_id)
        play.accept(session, game, seat=0, ply=0, line="m6", by=by, now=table.clock.forward(hours=1))
    assert moves(game_id) == [(0, by), (1, "order")]
    assert [entry["action"]["gold"] for entry in told(bert, game_id, "order")] == [5]
    after = stored(game_id)
    assert (after.to_act, after.turn_ply, after.turn_since) == (0, before.turn_ply, before.turn_since)
    assert after.seats[0].acted_seq == before.seats[0].acted_seq  # its person has done nothing
    with reading() as session:
        assert session.scalar(select(func.count()).where(Move.waited_seconds.is_not(None))) == 0

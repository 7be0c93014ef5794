"""Plans at a real table: they play their owner's turn as it begins, once; what rests while a bot holds the seat."""

import pytest
from flask import Flask
from sqlalchemy import update

from service.db import transaction
from service.errors import (
    SEAT_HELD,
)
from service.mail import kinds
from service.models import Seat
from service.usecases import access, clocks, orders, play, promises
from tests.engine.positions import position
from tests.service.ordering import DAYS_3, give, left, moves, on_sqlite, put, stored, submit, three, told
from tests.service.table import Table, refused

# -- plans


@on_sqlite
def test_plans_of_all_seats_follow_one_another_in_one_move(app: Flask, table: Table) -> None:
    people = [table.person(name) for name in ("Anna", "Bert", "Carl")]
    game_id = table.game(*people, clock=DAYS_3)
    table.post()
    give(table, people[1], game_id, "plan", "if dragon c9 then t2 else t1 stop")
    give(table, people[2], game_id, "plan", "t3, t4")
    table.clock.forward(hours=2)
    answer = submit(table, people[0], game_id, "t1 stop")
    assert moves(game_id) == [(0, "player")] * 2 + [(1, "order")] * 2 + [(2, "order")] * 2
    assert (answer["next_ply"], answer["to_act"]) == (6, 0)
    assert [one["notation"] for one in answer["applied"]] == ["t1", "stop"]
    assert len(answer["events"]) == 9
    game = stored(game_id)
    assert (game.turn_ply, game.turn_since) == (6, table.now)  # a turn of its own, though it is Anna's again
    assert left(game_id) == []
    # One mail for all that: to the one who is waited for, telling what she has not seen done.
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.seat == 0
    assert [entry.kind for entry in mail.log].count("moved") == 3
    assert told(people[1], game_id, "plan_played") == [
        {
            "kind": "plan_played",
            "seat": 1,
            "text": "if dragon c9 then t2 else t1 stop",
            "line": "t1 stop",
            "dropped": [],
        }
    ]
    for other in (people[0], people[2], None):
        assert not [entry for entry in told(other, game_id, "plan_played") if entry["seat"] == 1]
    # What others do without them brings nobody's reading forward.
    assert [seat.acted_seq > 0 for seat in game.seats] == [True, False, False]


@on_sqlite
def test_a_plan_serves_once(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    give(table, bert, game_id, "plan", "green t1 stop")
    submit(table, anna, game_id, "black t1 stop")
    submit(table, anna, game_id, "black t2 stop")
    assert table.view(None, game_id).info.to_act == 1
    assert moves(game_id)[-1] == (0, "player")


@on_sqlite
def test_a_plan_given_in_ones_turn_is_played_in_the_one_after_it_even_if_that_comes_at_once(
    app: Flask, table: Table
) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    give(table, bert, game_id, "plan", "green t1 stop")
    give(table, anna, game_id, "plan", "black t2 stop")
    submit(table, anna, game_id, "black t1")
    assert moves(game_id) == [(0, "player")]  # the turn goes on: nothing in it is the plan's
    submit(table, anna, game_id, "stop")
    assert moves(game_id)[2:] == [(1, "order")] * 2 + [(0, "order")] * 2
    assert table.view(None, game_id).info.to_act == 1
    assert left(game_id) == []
    # Both plans are gone: with such a pair nothing goes round.
    submit(table, bert, game_id, "green t2 stop")
    assert moves(game_id)[6:] == [(1, "player")] * 2


@on_sqlite
def test_a_plan_outlasts_the_turn_that_a_bot_plays_for_its_owner(app: Flask, table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    give(table, anna, game_id, "plan", "black t2 stop")
    with transaction() as session:
        game = access.locked(session, game_id)
        play.accept(session, game, seat=0, ply=0, line="black t1 stop", by="clock", now=table.now)
    assert left(game_id) == [(0, "plan", "black t2 stop")]
    submit(table, bert, game_id, "green t1 stop")
    assert moves(game_id)[4:] == [(0, "order")] * 2


@on_sqlite
@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ("if green c9 then green t1", "None of its conditions held."),
        ("green t1 purple t2", "cannot be done"),  # R-MOVE-6
        ("green m6", "no green knight stands on m6"),
    ],
)
def test_a_plan_that_does_not_fit_is_dropped_and_told(app: Flask, table: Table, plan: str, why: str) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    table.post()
    give(table, bert, game_id, "plan", plan)
    submit(table, anna, game_id, "black t1 stop")
    assert moves(game_id) == [(0, "player"), (0, "player")]
    assert left(game_id) == []
    (dropped,) = told(bert, game_id, "plan_dropped")
    assert dropped["text"] == plan
    assert why in dropped["why"]
    assert told(anna, game_id, "plan_dropped") == []
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert "plan_dropped" in [entry.kind for entry in mail.log]


@on_sqlite
def test_a_plan_that_is_done_in_part_leaves_the_rest_to_its_player(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    knights = {"black": "t1 t2", "orange": "t3 t4 m6", "green": "t1 t2 c2 c2"}
    put(game_id, position(3, knights=knights, no_cards=True, dice=[2], hands={2: [3]}))
    give(table, bert, game_id, "plan", "m6 t3")
    submit(table, anna, game_id, "t1 stop")
    # Carl is asked in the midst of it, and has no order: what the plan says after that has to wait.
    info = table.view(None, game_id).info
    assert (info.to_act, info.phase, info.turn_ply) == (2, "bribe", 3)
    assert moves(game_id) == [(0, "player"), (0, "player"), (1, "order")]
    (played,) = told(bert, game_id, "plan_played")
    assert [one["word"] for one in played["dropped"]] == ["t3"]


@on_sqlite
def test_a_turn_that_follows_ones_answer_to_the_dragon_is_planned_too(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    submit(table, anna, game_id, "t1 m6")
    table.post()
    table.clock.forward(hours=1)
    give(table, bert, game_id, "plan", "t3 stop")
    answer = submit(table, bert, game_id, "surrender")
    applied = [(one["notation"], one["by"]) for one in answer["applied"]]
    assert applied == [("surrender", "you"), ("t3", "order"), ("stop", "order")]
    assert moves(game_id)[2:] == [(1, "player"), (1, "order"), (1, "order")]
    game = stored(game_id)
    assert (game.to_act, game.turn_ply, game.turn_since) == (2, 5, table.now)


@on_sqlite
def test_whoever_begins_the_turn_in_words_has_no_use_for_the_plan(app: Flask, table: Table) -> None:
    """The line that answers the dragon goes on with the next turn: its plan must not lie in wait for another."""
    game_id, anna, bert, _ = three(table)
    submit(table, anna, game_id, "t1 m6")
    give(table, bert, game_id, "plan", "t4 stop")
    submit(table, bert, game_id, "surrender t3")
    assert moves(game_id)[2:] == [(1, "player"), (1, "player")]
    assert left(game_id) == []
    assert [entry["text"] for entry in told(bert, game_id, "plan_dropped")] == ["t4 stop"]


@on_sqlite
def test_a_crash_on_the_way_leaves_orders_as_they_were(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [table.person(name) for name in ("Anna", "Bert", "Carl")]
    game_id = table.game(*people)
    give(table, people[1], game_id, "plan", "t1 stop")
    before = (left(game_id), table.view(people[1], game_id), told(people[1], game_id, "plan_played"))

    def crash(*args: object, **more: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(promises, "turn_began", crash)
        with pytest.raises(RuntimeError, match="killed"):
            submit(table, people[0], game_id, "t1 stop")
    assert (left(game_id), table.view(people[1], game_id), told(people[1], game_id, "plan_played")) == before
    submit(table, people[0], game_id, "t1 stop")
    assert moves(game_id)[-1] == (1, "order")


@on_sqlite
def test_a_plan_may_end_the_game_and_its_owner_reads_all_of_it(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    knights = {"black": "t1 t2", "orange": "t3 t4 c9", "green": "t1 t2 t3"}
    put(game_id, position(3, knights=knights, no_cards=True, treasures={0: 2, 2: 1}))
    table.post()
    give(table, bert, game_id, "plan", "if c9 to chamber then c9")
    answer = submit(table, anna, game_id, "t1 stop")
    assert (answer["status"], answer["to_act"], answer["phase"]) == ("over", None, "over")
    assert moves(game_id) == [(0, "player"), (0, "player"), (1, "order")]
    assert left(game_id) == []
    table.post()
    (mail,) = table.mails(kinds.OverNotice, "bert@example.org")
    assert [entry.kind for entry in mail.log if entry.kind in ("moved", "plan_played")] == [
        "moved", "plan_played", "moved",
    ]  # fmt: skip


# -- seats that a bot holds


@on_sqlite
def test_orders_rest_while_a_bot_holds_the_seat(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    give(table, bert, game_id, "bribe", "highest")
    submit(table, anna, game_id, "t1 m6")  # settled: Bert's turn
    assert moves(game_id) == [(0, "player"), (0, "player"), (1, "order")]
    knights = {"black": "t1 t2", "orange": "t3 t4 c2", "green": "t1 t2 m6"}
    put(game_id, position(3, turn=2, knights=knights, no_cards=True, dice=[2], hands={1: [2, 5]}))
    with transaction() as session:
        game = access.locked(session, game_id)
        game.seats[1].held_at, game.seats[1].bot_level = table.now, "steady"
    with refused(SEAT_HELD):
        give(table, bert, game_id, "bribe", "never")
    assert [one.text for one in orders.orders(caller=bert, game_id=game_id)] == ["highest"]
    with transaction() as session:
        game = access.locked(session, game_id)
        play.accept(session, game, seat=2, ply=game.ply, line="m6", by="player", now=table.now)
    assert table.view(None, game_id).info.to_act == 1  # the bot is asked
    with refused(SEAT_HELD) as caught:
        submit(table, bert, game_id, "surrender")
    assert "resume" in caught.value.message
    clocks.resume(caller=bert, game_id=game_id, now=table.now)
    submit(table, bert, game_id, "surrender")
    assert left(game_id) == [(1, "bribe", "highest")]


@on_sqlite
def test_a_plan_is_dropped_when_a_bot_takes_the_seat(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table, clock=DAYS_3)
    submit(table, anna, game_id, "m6")
    give(table, bert, game_id, "catch", "green")
    give(table, bert, game_id, "plan", "t3 stop")
    with transaction() as session:
        session.execute(update(Seat).where(Seat.game_id == game_id, Seat.number == 1).values(timeouts=1))
    while not table.view(None, game_id).info.seats[1].held:
        table.wait(hours=6)
    assert left(game_id) == [(1, "catch", "green")]
    assert [entry["why"] for entry in told(bert, game_id, "plan_dropped")] == ["A bot holds your seat."]


@on_sqlite
def test_ones_own_move_and_no_order_begins_to_count_time_outs_anew(app: Flask, table: Table) -> None:
    game_id, anna, bert, _ = three(table)
    with transaction() as session:
        session.execute(update(Seat).where(Seat.game_id == game_id).values(timeouts=1))
    give(table, bert, game_id, "bribe", "lowest")
    give(table, bert, game_id, "plan", "t3 stop")
    submit(table, anna, game_id, "t1 m6")
    assert moves(game_id)[2:] == [(1, "order")] * 3
    assert [seat.timeouts for seat in stored(game_id).seats] == [0, 1, 1]

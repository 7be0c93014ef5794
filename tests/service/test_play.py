"""The one gate: stale, not yours, illegal, again, and what stays when something breaks in the middle."""

import json
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from engine import position_to_json
from service.db import reading, together, transaction
from service.errors import (
    ALREADY_RESIGNED,
    BAD_NOTATION,
    GAME_NOT_PLAYING,
    IDEMPOTENCY_MISMATCH,
    ILLEGAL_MOVE,
    INVALID,
    NOT_A_PLAYER,
    NOT_FOUND,
    NOT_YOUR_TURN,
    SCOPE_MISSING,
    STALE_PLY,
)
from service.metrics import MOVES
from service.models import Game, LogEntry, Move, OutboxRow, Submission
from service.usecases import access, infos, lobby, play, promises, tokens
from service.usecases.results import Answer, Caller
from tests.service.table import ME, OPEN, Table, legal_json, refused


def _submit(table: Table, caller: Caller, game_id: str, ply: int, **more: object) -> Answer:
    return play.submit(caller=caller, game_id=game_id, ply=ply, now=table.now, **more)  # type: ignore[arg-type]


def _counts() -> tuple[int, ...]:
    with reading() as session:
        return tuple(
            session.scalar(select(func.count()).select_from(model)) or 0
            for model in (Move, LogEntry, Submission, OutboxRow)
        )


def test_a_move_by_line_by_number_and_by_action(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    answer = _submit(table, anna, game_id, 0, line="Black  T1").data
    assert answer["game"] == game_id
    assert (answer["seat"], answer["ply"], answer["next_ply"], answer["to_act"]) == (0, 0, 1, 0)
    action = {"do": "move", "color": "black", "from": "t1"}
    assert answer["applied"] == [{"action": action, "notation": "black t1", "by": "you"}]
    assert answer["events"][0]["kind"] == "moved"
    assert (answer["status"], answer["phase"], answer["dropped"]) == ("playing", "move", [])
    answer = _submit(table, anna, game_id, 1, actions=[{"do": "stop"}]).data
    assert (answer["next_ply"], answer["to_act"]) == (2, 1)
    answer = _submit(table, bert, game_id, 2, line="1").data
    assert answer["applied"][0]["action"] == {"do": "move", "color": "green", "from": "t1"}
    with reading() as session:
        moves = session.scalars(select(Move).order_by(Move.ply)).all()
    assert [(move.ply, move.seat, move.by) for move in moves] == [(0, 0, "player"), (1, 0, "player"), (2, 1, "player")]


def test_a_whole_line_is_several_moves(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    answer = _submit(table, anna, game_id, 0, line="black t1, black t2").data
    assert (len(answer["applied"]), answer["next_ply"], answer["to_act"]) == (2, 2, 1)


def test_what_never_came_up_is_reported(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    answer = _submit(table, anna, game_id, 0, line="black t1 bribe lowest").data
    assert [dropped["word"] for dropped in answer["dropped"]] == ["bribe lowest"]


def test_a_line_is_all_or_nothing_before_anything_comes_to_light(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    before = _counts()
    with refused(ILLEGAL_MOVE):
        _submit(table, anna, game_id, 0, line="black t1, orange t2")  # R-MOVE-6: one colour a turn
    assert _counts() == before
    assert table.view(anna, game_id).info.ply == 0


def test_an_illegal_move_names_the_rule_and_what_is_legal(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    with refused(ILLEGAL_MOVE) as caught:
        _submit(table, anna, game_id, 0, actions=[{"do": "stop"}])
    details = dict(caught.value.details)
    assert details["rule"] == "R-MOVE-1"
    assert [row["action"] for row in details["legal"]] == legal_json(game_id)
    assert [row["number"] for row in details["legal"]] == list(range(1, len(details["legal"]) + 1))
    json.dumps(details)
    with refused(ILLEGAL_MOVE):
        _submit(table, anna, game_id, 0, actions=[{"do": "move", "color": "green", "from": "t1"}])


@pytest.mark.parametrize("line", ["", "fly", "t1 t2 t3", "99", "0", "orange", "black t1 \ud800", "\x00"])
def test_a_line_that_cannot_be_read(table: Table, line: str) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    with refused(BAD_NOTATION) as caught:
        _submit(table, anna, game_id, 0, line=line)
    assert caught.value.details["legal"]


def test_what_is_no_action_at_all(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    actions: Any
    for actions in ([{"do": "fly"}], [{"do": "bribe", "gold": 9}], [{}], [{"do": "move", "color": "black", "from": 3}]):
        with refused(BAD_NOTATION):
            _submit(table, anna, game_id, 0, actions=actions)
    more: dict[str, Any]
    for more in ({}, {"line": "t1", "actions": [{"do": "stop"}]}, {"actions": []}, {"line": "x" * 301}):
        with refused(INVALID):
            _submit(table, anna, game_id, 0, **more)
    for key in ("", "é", "x" * 201, "a\nb"):
        with refused(INVALID):
            _submit(table, anna, game_id, 0, line="1", idempotency_key=key)


def test_stale_not_yours_not_playing_not_there(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = table.game(anna, bert)
    with refused(NOT_YOUR_TURN) as caught:
        _submit(table, bert, game_id, 0, line="1")
    assert caught.value.details["to_act"] == 0
    for ply in (1, 10**12, -1):
        with refused(STALE_PLY) as caught:
            _submit(table, anna, game_id, ply, line="1")
        assert caught.value.details["ply"] == 0
    with refused(NOT_A_PLAYER):
        _submit(table, carl, game_id, 0, line="1")
    for nowhere in ("zzzzzzzzzzzz", "x", "\x00", "../../x", ""):
        with refused(NOT_FOUND):
            _submit(table, anna, nowhere, 0, line="1")
    waiting = lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now)
    with refused(GAME_NOT_PLAYING):
        _submit(table, anna, waiting, 0, line="1")
    lobby.cancel(caller=anna, game_id=waiting, now=table.now)
    with refused(GAME_NOT_PLAYING):
        _submit(table, anna, waiting, 0, line="1")


def test_a_token_without_the_scope_does_not_move(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    new = tokens.create_token(caller=anna, name="watch", scopes=["games:read"], now=table.now)
    with refused(SCOPE_MISSING):
        _submit(table, tokens.authenticate(token=new.token, now=table.now), game_id, 0, line="1")


def test_the_same_move_again_gets_the_first_answer_to_the_byte(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    first = _submit(table, anna, game_id, 0, line="black t1")
    before = _counts()
    again = _submit(table, anna, game_id, 0, line=" BLACK   t1, ")
    assert (first.repeated, again.repeated) == (False, True)
    assert again.text == first.text
    assert _counts() == before
    table.move(anna, game_id)  # also when the game has long moved on
    assert _submit(table, anna, game_id, 0, line="black t1").text == first.text


def test_the_same_actions_again_whatever_the_order_of_their_keys(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    first = _submit(table, anna, game_id, 0, actions=[{"do": "move", "color": "black", "from": "t1"}])
    again = _submit(table, anna, game_id, 0, actions=[{"from": "t1", "seat": 0, "color": "black", "do": "move"}])
    assert (again.text, again.repeated) == (first.text, True)


def test_an_idempotency_key_names_one_request(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    first = _submit(table, anna, game_id, 0, line="black t1", idempotency_key="k1")
    assert _submit(table, anna, game_id, 0, line="black t1", idempotency_key="k1").text == first.text
    assert _submit(table, anna, game_id, 0, line="black t1", idempotency_key="k2").text == first.text
    assert _submit(table, anna, game_id, 0, line="black t1").text == first.text
    for ply, line in ((0, "black t2"), (1, "black t1"), (1, "stop")):
        with refused(IDEMPOTENCY_MISMATCH):
            _submit(table, anna, game_id, ply, line=line, idempotency_key="k1")
    assert table.view(anna, game_id).info.ply == 1


def test_a_key_whose_move_was_refused_is_free(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    with refused(ILLEGAL_MOVE):
        _submit(table, anna, game_id, 0, line="stop", idempotency_key="k1")
    _submit(table, anna, game_id, 0, line="black t1", idempotency_key="k1")


def test_one_keys_answer_is_never_anothers(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    first = _submit(table, anna, game_id, 0, line="1", idempotency_key="k")
    table.move(anna, game_id, len(table.view(anna, game_id).legal))
    seen = table.view(bert, game_id)
    other = _submit(table, bert, game_id, seen.info.ply, line="1", idempotency_key="k")
    assert other.text != first.text
    with refused(STALE_PLY):  # bert repeating anna's request is not a repeat of his
        _submit(table, bert, game_id, 0, line="1")


def test_after_resigning_a_repeat_is_answered_and_a_move_is_not(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    first = _submit(table, anna, game_id, 0, line="1")
    lobby.resign(caller=anna, game_id=game_id, now=table.now)
    assert _submit(table, anna, game_id, 0, line="1").text == first.text
    with refused(ALREADY_RESIGNED):
        _submit(table, anna, game_id, 1, line="1")


def test_moves_after_the_end_are_refused_and_repeats_answered(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    first = _submit(table, anna, game_id, 0, line="1")
    table.play_out([anna, bert], game_id)
    end = table.view(anna, game_id).info
    assert end.status == "over"
    with refused(GAME_NOT_PLAYING):
        _submit(table, anna, game_id, end.ply, line="1")
    with refused(STALE_PLY):
        _submit(table, anna, game_id, end.ply - 1, line="nonsense")
    assert _submit(table, anna, game_id, 0, line="1").text == first.text


@pytest.mark.parametrize("broken", ["turn_ended", "turn_began"])
def test_a_crash_on_the_way_leaves_nothing(table: Table, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.move(anna, game_id)
    before, view = _counts(), table.view(anna, game_id)

    def crash(*args: object, **more: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(promises, broken, crash)
        with pytest.raises(RuntimeError, match="killed"):
            _submit(table, anna, game_id, 1, line="stop", idempotency_key="k")
    assert _counts() == before
    assert table.view(anna, game_id) == view
    _submit(table, anna, game_id, 1, line="stop", idempotency_key="k")
    assert table.view(anna, game_id).info.to_act == 1


def test_accept_never_commits(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    before = _counts()

    def work() -> None:
        with transaction() as session:
            game = access.locked(session, game_id)
            play.accept(session, game, seat=0, ply=0, line="1", by="player", now=table.now)
            raise RuntimeError("the caller's own affair")

    with pytest.raises(RuntimeError, match="the caller's"):
        work()
    assert _counts() == before


def test_moves_made_together_are_all_counted(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    counter = MOVES.labels(by="player")
    before = counter._value.get()
    with together():
        _submit(table, anna, game_id, 0, line="black t1")
        _submit(table, anna, game_id, 1, line="stop")
    assert counter._value.get() == before + 2


def test_the_answer_holds_no_more_than_the_seat_may_know(table: Table) -> None:
    """Every answer of a whole game, searched for what only the stored position knows."""
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.play_out([anna, bert], game_id)
    with reading() as session:
        answers = session.scalars(select(Submission)).all()
        game = session.get(Game, game_id)
    assert game is not None
    for one in answers:
        data = json.loads(one.answer)
        assert set(data) == {
            "game", "seat", "ply", "next_ply", "applied", "dropped", "events", "status", "to_act", "phase",
        }  # fmt: skip
        assert game.seed not in one.answer
        for event in data["events"]:
            assert "gold" not in event or event["seat"] == one.seat


def test_a_stored_position_is_the_one_the_engine_gave(app: Flask, table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    for _ in range(4):
        info = table.view(anna, game_id).info
        table.move(anna if info.to_act == 0 else bert, game_id)
        with reading() as session:
            game = access.find(session, game_id)
            position = infos.position_of(game)
            assert position is not None
            assert position_to_json(position) == game.position
            assert game.to_act is not None

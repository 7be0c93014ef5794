"""What the tests of standing orders share: a table at which a move asks, and what became of it."""

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select

from engine import PHASES, Position, position_to_json, to_act
from service.db import reading, transaction
from service.models import Game, Move, Order
from service.usecases import access, orders, play, queries
from service.usecases.results import Caller, ClockSpec, OrderInfo
from tests.engine.positions import position
from tests.service.table import Table

on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
DAYS_3 = ClockSpec("days", days=3)


def give(table: Table, who: Caller, game_id: str, kind: str, text: str) -> OrderInfo:
    return orders.set_order(caller=who, game_id=game_id, kind=kind, text=text, now=table.now)


def submit(table: Table, who: Caller, game_id: str, line: str) -> dict[str, Any]:
    ply = table.view(who, game_id).info.ply
    return play.submit(caller=who, game_id=game_id, ply=ply, line=line, now=table.now).data


def put(game_id: str, to: Position) -> None:
    """Put another position in the place of the one that a game has."""
    with transaction() as session:
        game = access.locked(session, game_id)
        game.position, game.to_act, game.phase = position_to_json(to), to_act(to), PHASES[to.phase]


def moves(game_id: str) -> list[tuple[int, str]]:
    """Every move made: the seat, and by whom. Each ply has one."""
    with reading() as session:
        made = session.scalars(select(Move).where(Move.game_id == game_id).order_by(Move.ply)).all()
    assert [move.ply for move in made] == list(range(len(made)))
    return [(move.seat, move.by) for move in made]


def told(who: Caller | None, game_id: str, *of: str) -> list[dict[str, Any]]:
    """What the log tells this reader, of these kinds."""
    lines = queries.events(caller=who, game_id=game_id).items
    return [dict(line.data) for line in lines if line.kind in of]


def stored(game_id: str) -> Game:
    with reading() as session:
        return access.find(session, game_id)


def left(game_id: str) -> list[tuple[int, str, str]]:
    """The orders that stand."""
    with reading() as session:
        found = session.scalars(select(Order).where(Order.game_id == game_id).order_by(Order.seat, Order.kind))
        return [(row.seat, row.kind, row.text) for row in found]


def three(table: Table, *, hand: Sequence[int] = (2, 5), **more: Any) -> tuple[str, Caller, Caller, Caller]:
    """A game in which ``m6`` of Anna (seat 0) wakes the dragon, and it catches a knight of Bert's (seat 1)."""
    anna, bert, carl = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    return asking(table, [anna, bert, carl], hand=hand, **more), anna, bert, carl


def asking(table: Table, people: Sequence[Caller], *, hand: Sequence[int] = (2, 5), **more: Any) -> str:
    """The same among these people."""
    game_id = table.game(*people, **more)
    knights = {"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t1 t3 t4"}
    put(game_id, position(3, knights=knights, no_cards=True, dice=[2, 2], hands={1: hand, 2: [3]}))
    return game_id

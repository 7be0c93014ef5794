"""The replay shows what was to be seen then, and no more; once the game is over, everything."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest

from engine import Position, View, action_from_json, apply, deal, start, view, view_to_json
from service.db import db, reading
from service.models import Game, Move
from service.usecases import lobby, orders, play, queries, replay, talk
from service.usecases.results import Caller, GameView
from tests.service.table import ME, OPEN, Table, refused
from tests.web.conftest import bribing

Seen = dict[int, list[View]]


def played(table: Table, players: list[Caller], game: str, viewers: list[Caller | None], plies: int = 500) -> Seen:
    """Play at random for so many decisions, ``players`` in seat order; what each viewer saw at every ply on the way."""
    rng, saw = random.Random(11), {}
    for _ in range(plies):
        seen = [table.view(viewer, game) for viewer in viewers]
        if seen[0].info.status == "over":
            break
        saw[seen[0].info.ply] = [one.view for one in seen if one.view is not None]
        actor, ply = players[seen[0].info.to_act or 0], seen[0].info.ply
        row = rng.choice(table.view(actor, game).legal)
        play.submit(caller=actor, game_id=game, ply=ply, line=str(row.number), now=table.now)
        table.clock.forward(minutes=7)
    return saw


def truth(game_id: str, plies: int) -> Position:
    """The whole position after so many decisions, from the stored seed and moves."""
    with reading() as session:
        game = session.get(Game, game_id)
        assert game is not None
        entropy = [seat.entropy for seat in game.seats]
        position = start(deal(game.players, bytes.fromhex(game.seed), entropy, game.first_set))
        for ply in range(plies):
            move = session.get(Move, (game_id, ply))
            assert move is not None
            position, _ = apply(position, action_from_json(move.action))
    return position


def test_each_step_is_what_its_viewer_saw_then_and_after_the_end_everything_lies_open(table: Table) -> None:
    players = [table.person(name) for name in ("Ada", "Bo", "Cy")]
    game = table.game(*players)
    viewers = [players[0], players[2], None]
    saw = played(table, players, game, viewers, plies=70)
    for ply in [*range(0, 70, 9), 68, 69]:
        for viewer, then in zip(viewers, saw[ply], strict=True):
            step = replay.at_step(caller=viewer, game_id=game, step=ply)
            assert (step.step, step.last) == (ply, 70)
            assert step.view == then
            assert view_to_json(step.view) == view_to_json(then)
    for viewer in viewers:
        assert replay.at_step(caller=viewer, game_id=game).view == table.view(viewer, game).view

    played(table, players, game, viewers)
    for viewer in viewers:
        now = table.view(viewer, game)
        last = replay.at_step(caller=viewer, game_id=game, step=10_000)
        assert last.step == last.last == now.info.ply
        assert now.view is not None
        assert view_to_json(last.view) == view_to_json(now.view)
        for ply in (0, 33, last.last - 1):
            position, seen = truth(game, ply), replay.at_step(caller=viewer, game_id=game, step=ply).view
            assert seen.hands == position.hands
            assert seen.given == position.given
            assert seen._replace(hands=(), given=()) == view(position, now.info.you)._replace(hands=(), given=())


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_log_comes_turn_by_turn_and_loses_nothing(table: Table) -> None:
    players = list(table.pair())
    game = table.game(*players)
    played(table, players, game, [players[0]], plies=60)
    talk.note(caller=players[0], game_id=game, text="beware", now=table.now)
    for viewer in (*players, None):
        told: list[str] = []
        story = replay.story(caller=viewer, game_id=game)
        assert story.upto == story.turns > replay.TURNS_A_PAGE
        while True:
            assert [chapter.turn.number for chapter in story.chapters if chapter.turn is not None] == list(
                range(story.first, story.upto + 1)
            )
            told = [line.kind for chapter in story.chapters for line in chapter.lines] + told
            if story.first == 1:
                break
            story = replay.story(caller=viewer, game_id=game, upto=story.first - 1)
        whole, after = [], 0
        while page := queries.events(caller=viewer, game_id=game, after=after).items:
            whole += [line.kind for line in page]
            after = page[-1].seq
        assert told == whole
        assert ("note" in told) == (viewer is players[0])
    # a turn begins on the board that its step shows
    step = replay.at_step(caller=None, game_id=game)
    for turn in step.turns:
        then = replay.at_step(caller=None, game_id=game, step=turn.step).view
        assert (then.turn, then.moved) == (turn.seat, ())


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_two_games_that_differ_in_what_a_bribe_was_worth_are_one_to_all_others(table: Table, sqlite_url: str) -> None:
    players = [table.person(name) for name in ("Ada", "Bo", "Cy")]
    game, payer, _, _ = bribing(table, players)
    own = table.view(payer, game)
    prices = [row for row in own.legal if "gold" in row.action]
    others = [player for player in players if player is not payer]
    told: list[list[object]] = []
    file = sqlite_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as now, closing(sqlite3.connect(":memory:")) as kept:
        now.backup(kept)
        for row in (prices[0], prices[-1]):
            db.engine.dispose()
            kept.backup(now)
            table.move(payer, game, row.number)
            mine = replay.at_step(caller=payer, game_id=game)
            assert mine.made is not None
            assert mine.made.notation == row.notation
            assert any(line.data.get("gold") == row.action["gold"] for line in mine.lines)
            told.append(
                [
                    (
                        [replay.at_step(caller=viewer, game_id=game, step=ply) for ply in range(own.info.ply + 2)],
                        replay.story(caller=viewer, game_id=game),
                    )
                    for viewer in (*others, None)
                ]
            )
    assert told[0] == told[1]
    assert prices[0].notation not in repr(told)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_after_the_end_the_price_of_every_bribe_is_told_but_notes_and_orders_stay_their_owners(table: Table) -> None:
    players = [table.person(name) for name in ("Ada", "Bo", "Cy")]
    game, payer, link, gold = bribing(table, players)
    talk.note(caller=payer, game_id=game, text="worth it", now=table.now)
    orders.set_order(caller=payer, game_id=game, kind="bribe", text="highest", now=table.now)
    table.move(payer, game, link.number)
    other = next(player for player in players if player is not payer)
    assert all("gold" not in line for line in paid(other, game) if line["seat"] == link.seat)
    over = finished(table, players, game)
    assert over.info.status == "over"
    assert paid(other, game) == paid(None, game) == paid(payer, game)
    assert paid(other, game)[-1].keys() >= {"gold"}
    step = replay.at_step(caller=other, game_id=game, step=link.ply + 1)
    assert step.made is not None
    assert step.made.notation == f"bribe {gold}"
    assert {"note", "order"} & kinds_told(other, game) == set()
    assert "note" in kinds_told(payer, game)


def finished(table: Table, players: list[Caller], game: str) -> GameView:
    """The game, played to its end."""
    played(table, players, game, [players[0]])
    return table.view(players[0], game)


def lines_of(viewer: Caller | None, game: str) -> list[tuple[str, dict[str, object]]]:
    """The whole log as this viewer is told it."""
    found: list[tuple[str, dict[str, object]]] = []
    story = replay.story(caller=viewer, game_id=game)
    while True:
        found = [(line.kind, dict(line.data)) for chapter in story.chapters for line in chapter.lines] + found
        if story.first == 1:
            return found
        story = replay.story(caller=viewer, game_id=game, upto=story.first - 1)


def paid(viewer: Caller | None, game: str) -> list[dict[str, object]]:
    return [data for kind, data in lines_of(viewer, game) if kind == "bribed"]


def kinds_told(viewer: Caller | None, game: str) -> set[str]:
    return {kind for kind, _ in lines_of(viewer, game)}


def test_who_may_not_see_a_game_sees_no_replay_and_before_the_start_there_is_none(table: Table) -> None:
    ada, bo, eve = table.person("Ada"), table.person("Bo"), table.person("Eve")
    game = table.game(ada, bo, public=False)
    for viewer in (eve, None):
        with refused("not-found"):
            replay.at_step(caller=viewer, game_id=game)
        with refused("not-found"):
            replay.story(caller=viewer, game_id=game)
    waiting = lobby.create_game(caller=ada, seats=[ME, OPEN], now=table.now)
    with refused("game-not-playing"):
        replay.at_step(caller=ada, game_id=waiting)
    assert [chapter.turn for chapter in replay.story(caller=ada, game_id=waiting).chapters] == [None]

"""Nothing hidden leaves: not to another seat, not to a spectator, not to a stranger.

Three nets. Two games that differ only in what someone cannot know must look the same to them, byte for byte, in
everything that can be fetched. While random games go on, no answer may hold the seed, another's hand or another's
bribe. And no answer may hold a key that is not on its list.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import delete, select, update

from engine import position_from_json, position_to_json, redeal, view
from service.clock import now
from service.db import db, transaction
from service.models import Game, LogEntry, Move, Order
from service.usecases import orders, play, tokens
from tests.api.games import new_game, play_on
from tests.api.people import Person, person, stranger
from tests.engine.positions import position

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

Fetched = tuple[str, bytes, dict[str, str]]
READS = (
    *("", "/mail", "/actions", "/events?limit=100", "/events?after=100", "/record"),
    *("/orders", "/pace", "/votes", "/board.svg", "/board.png", "/board.txt"),
)
TEXTS = tuple(path for path in READS if not path.endswith(".png"))
LISTS = (
    "/games",
    "/games?status=playing",
    "/me/turns",
    "/me/games",
    "/me/invitations",
    "/me",
    "/me/addresses",
    "/me/mail",
    "/me/mail/sent",
    "/me/absence",
)


def everything(
    viewer: Person, game_id: str, reads: Sequence[str] = READS
) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """All that this viewer can fetch about a game: the address, the body, the headers that a body brings."""
    for path in [*(f"/games/{game_id}{below}" for below in reads), *LISTS]:
        response = viewer.get(path)
        headers = {name: response.headers.get(name, "") for name in ("ETag", "Content-Length", "Content-Type")}
        yield path, response.data, {**headers, "status": str(response.status_code)}


def stored(app: Flask, game_id: str) -> Any:
    """The whole position, as only the server has it."""
    with app.app_context(), transaction() as session:
        game = session.scalars(select(Game).where(Game.id == game_id)).one()
        return position_from_json(game.position or {})


def store(app: Flask, game_id: str, position: Any) -> None:
    """Put another position in its place."""
    with app.app_context(), transaction() as session:
        session.scalars(select(Game).where(Game.id == game_id)).one().position = position_to_json(position)


def test_what_one_cannot_know_changes_nothing_one_can_fetch(api_app: Flask) -> None:
    people = [person(api_app, name) for name in ("Anna", "Bert", "Cleo")]
    viewers: list[tuple[int | None, Person]] = [*enumerate(people), (None, person(api_app, "Dora"))]
    viewers.append((None, stranger(api_app)))
    rng = random.Random(11)
    game = new_game(people, entropy="known to Anna alone")
    differing = 0
    for _ in range(5):
        if play_on(people, game, rng, decisions=20)["status"] == "over":
            break
        truth = stored(api_app, game)
        for seat, viewer in viewers:
            seen = list(everything(viewer, game))
            other = redeal(view(truth, seat), rng)
            differing += other != truth
            store(api_app, game, other)
            try:
                assert list(everything(viewer, game)) == seen, f"seat {seat} can tell two games apart"
            finally:
                store(api_app, game, truth)
    assert differing > 10, "the two games must differ, or nothing was compared"


def test_a_refused_move_tells_nothing_either(api_app: Flask) -> None:
    people = [person(api_app, name) for name in ("Anna", "Bert", "Cleo")]
    rng = random.Random(12)
    game = new_game(people)
    for _ in range(6):
        seen = play_on(people, game, rng, decisions=11)
        if seen["status"] == "over":
            break
        truth = stored(api_app, game)
        for seat, one in enumerate(people):
            asked = [
                {"ply": seen["ply"], "line": line} for line in ("t9", "surrender", "bribe 5", "c9 c9 gold catch green")
            ]
            asked.append({"ply": seen["ply"] + 1, "line": "t1"})
            # Only what is refused can be asked twice of one position.
            refused = [body for body in asked if seat != seen["to_act"] or body["line"] in ("t9", "t1")]
            first = [one.post(f"/games/{game}/moves", body) for body in refused]
            assert all(response.status_code >= 400 for response in first)
            store(api_app, game, redeal(view(truth, seat), rng))
            again = [one.post(f"/games/{game}/moves", body) for body in refused]
            store(api_app, game, truth)
            assert [response.data for response in again] == [response.data for response in first]


def test_orders_of_others_are_nowhere(api_app: Flask) -> None:
    """Take all of a seat's orders, and all its log tells of them, out of the database: nobody else sees a change."""
    people = [person(api_app, name) for name in ("Anna", "Bert", "Cleo")]
    rng = random.Random(3)
    game = new_game(people)
    mine = {1: people[1]}
    wanted = {"order", "plan_played", "plan_dropped"}
    done: set[str] = set()
    while not wanted <= done:
        told = play_on(people, game, rng, before=lambda seen: give_orders(mine, game, rng), decisions=5)
        assert told["status"] == "playing", "the game is over before every kind of order was seen"
        events = [entry["event"] for entry in log(people[1], game)]
        done = {event["kind"] for event in events}
    give_orders(mine, game, rng)
    others = [people[0], people[2], person(api_app, "Dora"), stranger(api_app)]
    seen = [list(everything(viewer, game)) for viewer in others]
    owner = list(everything(people[1], game))
    with api_app.app_context(), transaction() as session:
        private = (LogEntry.game_id == game, LogEntry.public.is_(None))
        assert set(session.scalars(select(LogEntry.private_seat).where(*private))) == {1}
        session.execute(delete(LogEntry).where(*private))
        session.execute(delete(Order).where(Order.game_id == game))
        session.execute(update(Move).where(Move.game_id == game, Move.by == "order").values(by="player"))
    for viewer, before in zip(others, seen, strict=True):
        assert list(everything(viewer, game)) == before
    assert list(everything(people[1], game)) != owner


#: What seats 1 and 2 have ordered when seat 0 wakes the dragon, and what seat 1 plans once its turn is on. For all but
#: their owners it comes to the same: a bribe, and no plan that is played.
ORDERED: tuple[dict[tuple[int, str], str], ...] = (
    {(1, "bribe"): "lowest"},
    {(1, "bribe"): "at most 3", (1, "plan"): "if dragon c9 then t3"},
    {(1, "bribe"): "highest", (1, "plan"): "m6 stop", (1, "catch"): "leader"},
    {(1, "bribe"): "lowest while I have 2 cards", (1, "later"): "t3 stop"},
    {(1, "bribe"): "lowest", (2, "plan"): "t1 stop", (2, "bribe"): "never"},
)


def test_orders_of_one_effect_look_alike_to_others(api_app: Flask, tmp_path: Path) -> None:
    """One game in one moment, gone on from there with other orders: the others are told the same, to the byte."""
    people = [person(api_app, name) for name in ("Anna", "Bert", "Cleo")]
    outsiders = [person(api_app, "Dora"), stranger(api_app)]
    game = new_game(people, first=0, clock={"kind": "days", "days": 3})
    knights = {"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t1 t4"}
    store(api_app, game, position(3, knights=knights, no_cards=True, dice=[2], hands={1: [2, 4], 2: [3]}))
    moment, kept = now(), tmp_path / "kept.db"
    copy_database(api_app, to=kept)
    first: dict[int, Any] = {}
    for ordered in ORDERED:
        copy_database(api_app, back=kept)
        owners = {seat for seat, _ in ordered}
        answer = played_with(api_app, people, game, ordered, moment)
        assert [event["kind"] for event in answer["events"]].count("bribed") == 1
        assert answer["next_ply"] == 3
        for number, viewer in enumerate([*people, *outsiders]):
            # What orders did is shown to whoever gave them, so the owners are not among those who must not tell.
            if number not in owners:
                told = (answer if number == 0 else None, list(everything(viewer, game)))
                assert first.setdefault(number, told) == told, (ordered, number)
        entries = [entry["event"]["kind"] for entry in log(people[1], game)]
        assert "order" in entries
        assert ("plan_dropped" in entries) == ((1, "plan") in ordered)
    assert set(first) == {0, 2, 3, 4}


def played_with(
    app: Flask, people: Sequence[Person], game: str, ordered: Mapping[tuple[int, str], str], moment: datetime
) -> Any:
    """Give the orders, make the move that asks for them and one more, at fixed times; what the first is answered."""
    with app.app_context():
        callers = [tokens.authenticate(token=one.token or "", now=moment) for one in people]

        def give(of: int, kind: str, text: str) -> None:
            orders.set_order(caller=callers[of], game_id=game, kind=kind, text=text, now=moment)

        for (seat, kind), text in ordered.items():
            if kind != "later":
                give(seat, kind, text)
        answer = play.submit(caller=callers[0], game_id=game, ply=0, line="m6 t1", now=moment + timedelta(hours=5))
        for (seat, kind), text in ordered.items():
            if kind == "later":
                give(seat, "plan", text)
        # The log goes on, so that what was written for one reader would be a gap for the others.
        play.submit(caller=callers[1], game_id=game, ply=3, line="t3", now=moment + timedelta(hours=9))
    return json.loads(answer.text)


def copy_database(app: Flask, *, to: Path | None = None, back: Path | None = None) -> None:
    """Keep the whole database in a file, or put what was kept back in its place."""
    with app.app_context():
        path = Path(db.engine.url.database or "")
        db.engine.dispose()
    with closing(sqlite3.connect(back or path)) as source, closing(sqlite3.connect(to or path)) as target:
        source.backup(target)


def give_orders(seats: Mapping[int, Person], game: str, rng: random.Random) -> None:
    """Any order, for each of these; one that cannot be had now is refused."""
    spaces = ("t1", "t2", "hall", "m1", "m2", "m4", "c1", "c3")
    orders = {
        "bribe": ("never", "lowest", "at most 2", "highest while I have 2 cards"),
        "catch": ("leader", "never me", "black>orange never me"),
        "plan": tuple(f"if not dragon c9 then {space} {rest}" for space in spaces for rest in ("gold", "gem", "stop")),
    }
    for one in seats.values():
        kind = rng.choice(("bribe", "catch", "plan", "plan"))
        one.ask("PUT", f"/games/{game}/orders/{kind}", {"order": rng.choice(orders[kind])})


def log(one: Person, game: str) -> list[Any]:
    """All the log as somebody may read it."""
    found: list[Any] = []
    while page := one.told(f"/games/{game}/events?after={len(found)}")["items"]:
        found += page
        assert page[-1]["seq"] == len(found), "a gap would tell of what is not for this reader"
    return found


@pytest.mark.parametrize("seats", [2, 5])
def test_a_crawl_during_a_random_game(api_app: Flask, seats: int) -> None:
    crawl(api_app, seats, random.Random(seats), every=40)


@pytest.mark.proof
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_long_crawl(api_app: Flask, seats: int) -> None:
    for number in range(5):
        crawl(api_app, seats, random.Random(100 * seats + number), every=2, names=f"P{number}x")


def crawl(app: Flask, seats: int, rng: random.Random, *, every: int, names: str = "P") -> None:
    """Play a game and look at everything as everybody, every so many decisions."""
    people = [person(app, f"{names}{seat}") for seat in range(seats)]
    outsiders = [person(app, f"{names}watcher"), stranger(app)]
    game = new_game(people, entropy=f"secret of {names}0")
    with app.app_context(), transaction() as session:
        seed = session.scalars(select(Game.seed).where(Game.id == game)).one()
    seated = dict(enumerate(people))
    over = False
    while not over:
        told = play_on(people, game, rng, before=lambda seen: give_orders(seated, game, rng), decisions=every)
        over = told["status"] == "over"
        if over:
            break
        truth = stored(app, game)
        for seat, viewer in [*enumerate(people), *((None, outsider) for outsider in outsiders)]:
            for path, body, _ in everything(viewer, game, TEXTS):
                text = body.decode("utf-8", "replace")
                assert seed not in text, path
                assert seat == 0 or f"secret of {names}0" not in text, path
                assert not [other.email for other in people if other is not viewer and other.email in text], path
                if body.startswith(b"{"):
                    check_keys(json.loads(body), path)
            look(viewer, game, seat, truth)
    assert people[0].told(f"/games/{game}")["seed"] == seed


def look(viewer: Person, game: str, seat: int | None, truth: Any) -> None:
    """The places where a hidden card would stand, one by one."""
    told = viewer.told(f"/games/{game}")
    assert told["seed"] is None
    assert told["result"] is None
    board = told["board"]
    for other, (hand, given) in enumerate(zip(board["hands"], board["given"], strict=True)):
        if other == seat:
            assert hand["cards"] == list(truth.hands[other])
        else:
            assert hand["cards"] is None
            assert given["cards"] is None
    assert bool(told["legal"]) == (seat is not None and told["to_act"] == seat)
    assert viewer.get(f"/games/{game}/record").status_code == 409
    for entry in log(viewer, game):
        event = entry["event"]
        assert "gold" not in event or event["seat"] == seat, "a bribe's value is its giver's"
        assert event["kind"] not in ORDER_KINDS or event["seat"] == seat, "an order is its owner's"
    orders = viewer.get(f"/games/{game}/orders")
    assert orders.status_code == (200 if seat is not None else 401 if viewer.token is None else 403)


ORDER_KINDS = {"order", "plan_played", "plan_dropped"}
PROBLEM_KEYS = {"type", "title", "status", "detail", "code", "errors", "game_status", "ply", "to_act"}
GAME_KEYS = {
    "id",
    "status",
    "public",
    "players",
    "creator",
    "created_at",
    "started_at",
    "ended_at",
    "first_set",
    "clock",
    "time_off",
    "step",
    "commitment",
    "seed",
    "join_code",
    "seats",
    "you",
    "invited",
    "ply",
    "to_act",
    "phase",
    "turn_ply",
    "turn_since",
    "deadline",
    "result",
    "rematch",
    "rematch_of",
}
SEAT_KEYS = {
    "number",
    "colors",
    "kind",
    "name",
    "user_id",
    "bot_level",
    "resigned",
    "you",
    "invited_email",
    "entropy",
    "mail_failing_since",
    "held",
    "away_until",
    "bank_seconds",
}
BOARD_KEYS = {
    "players",
    "viewer",
    "turn",
    "to_act",
    "phase",
    "knights",
    "nest",
    "chamber",
    "rail",
    "dragon",
    "facing",
    "face_up",
    "left",
    "hands",
    "given",
    "gems",
    "treasures",
    "four_gems",
    "moved",
    "took",
    "victim",
}
EVENT_KEYS = {
    "kind",
    "seat",
    "color",
    "from",
    "to",
    "space",
    "card",
    "value",
    "die",
    "facing",
    "by",
    "gold",
    "first",
    "left",
    "reason",
    "scores",
    "winners",
    "commitment",
    "text",
    "game",
    "order",
    "action",
    "line",
    "dropped",
    "why",
}


def check_keys(body: dict[str, Any], path: str) -> None:
    """Every object is made of the keys on its list: a new one must be put here by someone who has thought about it."""
    if "code" in body and "title" in body:
        assert set(body) <= PROBLEM_KEYS, path
        return
    games = [body] if "commitment" in body else [entry.get("game", entry) for entry in body.get("items", [])]
    for game in games:
        if not isinstance(game, dict) or "commitment" not in game:
            continue
        assert set(game) <= GAME_KEYS | {"board", "legal"}, path
        for seat in game["seats"]:
            assert set(seat) == SEAT_KEYS, path
        if game.get("board"):
            assert set(game["board"]) == BOARD_KEYS, path
            assert all(set(pile) == {"gold", "gem"} for pile in game["board"]["face_up"] + game["board"]["left"])
    for entry in body.get("items", []):
        if "event" in entry:
            assert set(entry) == {"seq", "at", "ply", "event"}, path
            assert set(entry["event"]) <= EVENT_KEYS, path

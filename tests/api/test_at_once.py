"""Many clients at the same moment, against real servers: one move is made, and everybody is told the same."""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import waitress
from flask import Flask

from tests.api.games import new_game
from tests.api.people import Person, person
from tests.support.ports import HOST, accepts, free_port
from tests.support.processes import Process

CLIENTS = 50
_POSTGRES = pytest.mark.parametrize("database", ["postgres"], indirect=True)
_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def gunicorn(environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The service as in production: two processes of gunicorn with threads. Its address."""
    port = free_port()
    options = ["--workers", "2", "--worker-class", "gthread", "--threads", "16", "--bind", f"{HOST}:{port}"]
    command: list[str | Path] = [Path(sys.executable).with_name("gunicorn"), *options, "service.cli:wsgi()"]
    with Process(command, log=tmp_path / "gunicorn.log", env=environment, ready=lambda: accepts(port)):
        yield f"http://{HOST}:{port}/api/v1"


@pytest.fixture
def embedded(api_app: Flask) -> Iterator[str]:
    """The service as in the embedded mode: waitress with threads. Its address."""
    server = waitress.create_server(api_app, host=HOST, port=0, threads=16)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://{HOST}:{server.effective_port}/api/v1"
    server.close()
    server.maintenance(0)
    thread.join(5)


def post(url: str, token: str, body: Any, key: str | None = None) -> tuple[int, bytes]:
    """A POST over a connection of its own."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def all_at_once(ask: Callable[[int], tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """The answers to as many requests as there are clients, sent in one moment."""
    gate = threading.Barrier(CLIENTS)
    answers: list[tuple[int, bytes]] = []

    def run(number: int) -> None:
        gate.wait(30)
        answers.append(ask(number))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(answers) == CLIENTS
    return answers


def players(app: Flask) -> tuple[Person, str]:
    """Somebody who is to act, and the game."""
    people = [person(app, name) for name in ("Anna", "Bert", "Cleo")]
    return people[0], new_game(people, first=0)


def same_move(app: Flask, url: str, key: str | None) -> None:
    """Fifty times the same move: one move, fifty equal answers."""
    anna, game = players(app)
    body = {"ply": 0, "line": "t1 hall"}
    answers = all_at_once(lambda _: post(f"{url}/games/{game}/moves", str(anna.token), body, key))
    assert Counter(answers) == {answers[0]: CLIENTS}
    assert answers[0][0] == 200
    assert anna.told(f"/games/{game}")["ply"] == 2
    kinds = [entry["event"]["kind"] for entry in anna.told(f"/games/{game}/events")["items"]]
    assert kinds.count("moved") == 2


def different_moves(app: Flask, url: str) -> None:
    """Fifty moves for one ply, each another one: one wins, the others are told that the game has moved on."""
    anna, game = players(app)
    legal = ("t1", "t2", "t3", "t4", "hall")
    # What is said for later makes each line another request, though the first moves are only five.
    lines = [f"{legal[number % 5]} bribe {1 + number // 5 % 5} {'gold ' * (number // 25)}" for number in range(CLIENTS)]
    assert len(set(lines)) == CLIENTS
    answers = all_at_once(
        lambda number: post(f"{url}/games/{game}/moves", str(anna.token), {"ply": 0, "line": lines[number]})
    )
    statuses = Counter(status for status, _ in answers)
    assert statuses == {200: 1, 409: CLIENTS - 1}, answers
    told = [json.loads(body) for status, body in answers if status == 409]
    assert {(one["code"], one["ply"]) for one in told} == {("stale-ply", 1)}
    assert anna.told(f"/games/{game}")["ply"] == 1


@_POSTGRES
@pytest.mark.parametrize("key", [None, "one-key"])
def test_the_same_move_by_fifty_clients(api_app: Flask, gunicorn: str, key: str | None) -> None:
    same_move(api_app, gunicorn, key)


@_POSTGRES
def test_fifty_moves_for_one_ply(api_app: Flask, gunicorn: str) -> None:
    different_moves(api_app, gunicorn)


@_SQLITE
def test_the_same_move_by_fifty_clients_in_the_embedded_mode(api_app: Flask, embedded: str) -> None:
    same_move(api_app, embedded, None)


@_SQLITE
def test_fifty_moves_for_one_ply_in_the_embedded_mode(api_app: Flask, embedded: str) -> None:
    different_moves(api_app, embedded)


@_POSTGRES
def test_the_last_seat_is_taken_once(api_app: Flask, gunicorn: str) -> None:
    anna = person(api_app, "Anna")
    game = anna.does("/games", {"seats": [{"kind": "me"}, {"kind": "open"}]}, 201)["id"]
    others = [person(api_app, f"Guest{number}") for number in range(CLIENTS)]
    answers = all_at_once(lambda number: post(f"{gunicorn}/games/{game}/join", str(others[number].token), {}))
    assert Counter(status for status, _ in answers) == {200: 1, 409: CLIENTS - 1}
    assert {json.loads(body)["code"] for status, body in answers if status == 409} <= {"game-full", "seat-taken"}
    assert anna.told(f"/games/{game}")["status"] == "playing"

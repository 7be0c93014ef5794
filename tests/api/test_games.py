"""Making, finding, joining and leaving games; whole games; moves allowed and refused."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import pytest
from flask import Flask

from engine import verify
from tests.api.games import new_game, play_on, to_act
from tests.api.people import Person, answered, person, refused, stranger

ONE_DATABASE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def people(api_app: Flask) -> list[Person]:
    """Three players."""
    return [person(api_app, name) for name in ("Anna", "Bert", "Cleo")]


def test_a_whole_game(api_app: Flask, people: list[Person]) -> None:
    game = new_game(people, entropy="anna's own", clock={"kind": "days", "days": 3})
    first = people[0].told(f"/games/{game}")
    assert (first["status"], first["you"], first["seed"], len(first["commitment"])) == ("playing", 0, None, 64)
    over = play_on(people, game, random.Random(7))
    assert over["status"] == "over"
    assert over["to_act"] is None
    assert hashlib.sha256(bytes.fromhex(over["seed"])).hexdigest() == over["commitment"] == first["commitment"]
    assert over["result"]["notes"] == [None, None, None]
    assert over["board"]["hands"][1]["cards"] is not None, "all is open when the game is over"
    record = people[1].told(f"/games/{game}/record")
    verify(record)
    assert record["entropy"] == ["anna's own", "", ""]
    assert record["result"]["scores"] == over["result"]["scores"]
    assert stranger(api_app).told(f"/games/{game}/record") == record
    log = people[0].told(f"/games/{game}/events?limit=100")
    assert [entry["event"]["kind"] for entry in log["items"][:4]] == ["created", "joined", "joined", "started"]


def test_looking_for_a_game_and_joining_it(people: list[Person]) -> None:
    anna, bert, cleo = people
    made = anna.post("/games", {"seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]})
    game = answered(made, 201)
    assert made.headers["Location"] == f"/api/v1/games/{game['id']}"
    assert game["status"] == "waiting"
    assert game["board"] is None
    assert [one["id"] for one in bert.told("/games")["items"]] == [game["id"]]
    refused(anna.post(f"/games/{game['id']}/join"), 409, "already-joined")
    assert bert.does(f"/games/{game['id']}/join", {"seat": 2})["you"] == 2
    refused(cleo.post(f"/games/{game['id']}/join", {"seat": 2}), 409, "seat-taken")
    refused(bert.post(f"/games/{game['id']}/moves", {"ply": 0, "line": "t1"}), 409, "game-not-playing")
    refused(bert.get(f"/games/{game['id']}/board.svg"), 409, "game-not-playing")
    assert bert.post(f"/games/{game['id']}/leave").status_code == 204
    assert bert.told("/me/games")["items"] == []
    assert bert.does(f"/games/{game['id']}/join")["you"] == 1
    assert cleo.does(f"/games/{game['id']}/join")["status"] == "playing"
    refused(person_four(people).post(f"/games/{game['id']}/join"), 409, "game-full")
    refused(bert.post(f"/games/{game['id']}/leave"), 409, "game-not-waiting")
    refused(anna.post(f"/games/{game['id']}/cancel"), 409, "game-not-waiting")


def person_four(people: list[Person]) -> Person:
    """One more."""
    return person(people[0].client.application, "Dora")


def test_a_private_game_is_there_for_its_own_people_only(api_app: Flask, people: list[Person]) -> None:
    anna, bert, cleo = people
    seats = [{"kind": "me"}, {"kind": "invite", "email": bert.email}, {"kind": "invite", "name": "Cleo"}]
    game = anna.does("/games", {"seats": seats, "public": False}, 201)
    path = f"/games/{game['id']}"
    assert game["seats"][1]["invited_email"] == bert.email
    for outsider in (stranger(api_app), person_four(people)):
        for below in ("", "/actions", "/events", "/record", "/board.txt"):
            refused(outsider.get(path + below), 404, "not-found")
        assert outsider.told("/games")["items"] == []
    assert [one["id"] for one in bert.told("/me/invitations")["items"]] == [game["id"]]
    assert cleo.told(path)["seats"][1]["invited_email"] is None
    assert cleo.post(f"{path}/decline").status_code == 204
    refused(cleo.get(path), 404, "not-found")
    refused(cleo.post(f"{path}/join", {"code": "wrongwrong"}), 403, "bad-join-code")
    assert cleo.does(f"{path}/join", {"code": game["join_code"]})["you"] == 2
    assert bert.does(f"{path}/join", {"entropy": "bert"})["status"] == "playing"


@ONE_DATABASE
def test_calling_a_game_off(people: list[Person]) -> None:
    anna, bert, _ = people
    game = anna.does("/games", {"seats": [{"kind": "me"}, {"kind": "open"}]}, 201)
    refused(bert.post(f"/games/{game['id']}/cancel"), 403, "forbidden")
    assert anna.does(f"/games/{game['id']}/cancel")["status"] == "cancelled"
    refused(bert.post(f"/games/{game['id']}/join"), 409, "game-not-waiting")
    refused(anna.post(f"/games/{game['id']}/resign"), 409, "game-not-playing")


@ONE_DATABASE
def test_resigning_and_playing_again(people: list[Person]) -> None:
    anna, bert, _ = people
    game = new_game([anna, bert])
    refused(anna.get(f"/games/{game}/record"), 409, "game-not-over")
    refused(anna.post(f"/games/{game}/rematch"), 409, "game-not-over")
    refused(people[2].post(f"/games/{game}/resign"), 403, "not-a-player")
    seen = bert.does(f"/games/{game}/resign")
    assert seen["seats"][1]["resigned"] is True
    assert seen["seats"][1]["bot_level"] == "steady"
    refused(bert.post(f"/games/{game}/resign"), 409, "already-resigned")


@ONE_DATABASE
def test_a_rematch_is_one_and_the_same_for_all(people: list[Person]) -> None:
    game = new_game(people[:2])
    play_on(people[:2], game, random.Random(3))
    made = people[0].post(f"/games/{game}/rematch")
    again = answered(made, 201)
    assert made.headers["Location"] == f"/api/v1/games/{again['id']}"
    assert people[1].does(f"/games/{game}/rematch", status=201)["id"] == again["id"]
    assert people[0].told(f"/games/{game}")["rematch"] == again["id"]
    refused(people[2].post(f"/games/{game}/rematch"), 403, "not-a-player")


@ONE_DATABASE
def test_bots_take_seats(people: list[Person]) -> None:
    game = people[0].does("/games", {"seats": [{"kind": "me"}, {"kind": "bot"}], "first": 0}, 201)
    assert game["status"] == "playing"
    assert game["first_set"] == game["to_act"] == 0
    assert game["seats"][1] | {"colors": []} == {
        "number": 1,
        "colors": [],
        "kind": "bot",
        "name": None,
        "user_id": None,
        "bot_level": "steady",
        "resigned": False,
        "you": False,
        "invited_email": None,
        "entropy": None,
        "mail_failing_since": None,
        "held": False,
        "away_until": None,
        "bank_seconds": None,
    }


@ONE_DATABASE
def test_what_waits_for_me(people: list[Person]) -> None:
    game = new_game(people, first=1, clock={"kind": "days", "days": 2})
    assert people[0].told("/me/turns") == {"items": [], "next": None}
    (turn,) = people[1].told("/me/turns")["items"]
    assert (turn["game"]["id"], turn["seat"], turn["ply"], turn["phase"]) == (game, 1, 0, "move")
    assert turn["deadline"] > turn["since"]
    (row, *_) = people[1].told(f"/games/{game}/actions")["legal"]
    assert set(row) == {"number", "notation", "action"}
    assert people[0].told(f"/games/{game}/actions") == {"game": game, "ply": 0, "to_act": 1, "legal": []}


class TestMoves:
    """What a move may be, and what becomes of it."""

    def test_a_move_is_answered_with_what_happened(self, people: list[Person]) -> None:
        game = new_game(people, first=0)
        answer = people[0].does(
            f"/games/{game}/moves", {"ply": 0, "actions": [{"do": "move", "color": "black", "from": "hall"}]}
        )
        action = {"do": "move", "color": "black", "from": "hall"}
        assert answer["applied"] == [{"action": action, "notation": "hall", "by": "you"}]
        assert answer["events"] == [{"kind": "moved", "seat": 0, "color": "black", "from": "hall", "to": "m3"}]
        assert (answer["game"], answer["seat"], answer["next_ply"], answer["phase"]) == (game, 0, 1, "move")

    def test_an_action_of_a_record_may_say_its_seat(self, people: list[Person]) -> None:
        game = new_game(people, first=0)
        action = {"seat": 0, "do": "move", "color": "black", "from": "hall"}
        assert people[0].does(f"/games/{game}/moves", {"ply": 0, "actions": [action]})["next_ply"] == 1

    def test_a_stale_ply_is_told_the_present_one(self, people: list[Person]) -> None:
        game = new_game(people, first=0)
        people[0].does(f"/games/{game}/moves", {"ply": 0, "line": "t1"})
        response = people[0].post(f"/games/{game}/moves", {"ply": 0, "line": "t2"})
        assert refused(response, 409, "stale-ply")["ply"] == 1

    def test_an_illegal_move_names_the_rule_and_what_is_legal(self, people: list[Person]) -> None:
        game = new_game(people, first=0)
        legal = people[0].told(f"/games/{game}")["legal"]
        response = people[0].post(f"/games/{game}/moves", {"ply": 0, "line": "stop"})
        problem = refused(response, 422, "illegal-move")
        assert problem["rule"] == "R-MOVE-1"
        assert problem["legal"] == legal
        assert problem["ply"] == 0
        wrong_color = {"do": "move", "color": "orange", "from": "t1"}
        response = people[0].post(f"/games/{game}/moves", {"ply": 0, "actions": [wrong_color]})
        assert refused(response, 422, "illegal-move")["rule"].startswith("R-")

    def test_a_line_that_cannot_be_read_quotes_the_word(self, people: list[Person]) -> None:
        game = new_game(people, first=0)
        problem = refused(people[0].post(f"/games/{game}/moves", {"ply": 0, "line": "t1 jump"}), 422, "bad-notation")
        assert problem["word"] == "jump"
        assert "jump" in problem["detail"]

    def test_someone_elses_turn(self, api_app: Flask, people: list[Person]) -> None:
        game = new_game(people, first=0)
        refused(people[1].post(f"/games/{game}/moves", {"ply": 0, "line": "t1"}), 403, "not-your-turn")
        outsider = person_four(people)
        refused(outsider.post(f"/games/{game}/moves", {"ply": 0, "line": "t1"}), 403, "not-a-player")
        refused(stranger(api_app).post(f"/games/{game}/moves", {"ply": 0, "line": "t1"}), 401, "unauthenticated")
        refused(people[0].post("/games/222222222222/moves", {"ply": 0, "line": "t1"}), 404, "not-found")

    @pytest.mark.parametrize("key", [None, "my key/1"])
    def test_a_repeat_gets_the_first_answer_to_the_byte(self, people: list[Person], key: str | None) -> None:
        game = new_game(people, first=0)
        headers: dict[str, Any] = {} if key is None else {"Idempotency-Key": key}
        body = {"ply": 0, "line": "t1 t2"}
        first = people[0].post(f"/games/{game}/moves", body, headers=headers)
        answered(first)
        one, seen = to_act(people, game)
        one.does(f"/games/{game}/moves", {"ply": seen["ply"], "line": seen["legal"][0]["notation"]})
        again = people[0].post(f"/games/{game}/moves", body, headers=headers)
        assert (again.status_code, again.data) == (200, first.data)
        if key is not None:
            other = people[0].post(f"/games/{game}/moves", {"ply": 0, "line": "t3"}, headers=headers)
            refused(other, 422, "idempotency-mismatch")

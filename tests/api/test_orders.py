"""Standing orders over HTTP: given, shown, carried out, and nobody's business but their owner's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from engine import COLORS
from tests.api.games import new_game, play_on
from tests.api.people import Person, answered, person, refused, stranger

ONE_DATABASE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def people(api_app: Flask) -> list[Person]:
    """Three players."""
    return [person(api_app, name) for name in ("Anna", "Bert", "Cleo")]


def gives(one: Person, game: str, kind: str, order: str, status: int = 200) -> Any:
    """What giving an order answers."""
    return answered(one.ask("PUT", f"/games/{game}/orders/{kind}", {"order": order}), status)


def test_an_order_is_given_shown_changed_and_taken_back(people: list[Person]) -> None:
    anna, bert, _ = people
    game = new_game(people, first=1)
    path = f"/games/{game}/orders"
    assert anna.told(path) == {"items": []}
    catch = gives(anna, game, "catch", "Green, leader")
    assert (catch["kind"], catch["text"]) == ("catch", "green>leader")
    bribe = gives(anna, game, "bribe", "at MOST 2")
    assert (bribe["kind"], bribe["text"]) == ("bribe", "at most 2")
    assert "2 or less" in bribe["explains"]
    assert bribe["since"].endswith("Z")
    plan = gives(anna, game, "plan", "if t1 and not dragon c5 then t1 t2 else t2 stop")
    assert anna.told(path) == {"items": [bribe, catch, plan]}
    assert gives(anna, game, "bribe", "at most 2") == bribe, "the same order again changes nothing"
    changed = gives(anna, game, "bribe", "never")
    assert anna.told(path)["items"][0] == changed
    assert gives(anna, game, "bribe", "ask")["text"] == "ask"
    for _ in range(2):
        assert anna.ask("DELETE", f"{path}/catch").status_code == 204
        assert anna.told(path) == {"items": [plan]}
    assert anna.ask("DELETE", f"{path}/plan").status_code == 204
    assert bert.told(path) == anna.told(path) == {"items": []}


@ONE_DATABASE
def test_orders_that_cannot_be(people: list[Person]) -> None:
    anna = people[0]
    game = new_game(people, first=0)
    path = f"/games/{game}/orders"
    wrong = refused(anna.ask("PUT", f"{path}/bribe", {"order": "at mots 2"}), 422, "bad-notation")
    assert wrong["word"] in wrong["detail"]
    assert refused(anna.ask("PUT", f"{path}/plan", {"order": "if t1 then 3"}), 422, "bad-notation")["word"] == "3"
    for kind, order in (("plan", "t1 " * 134), ("catch", "x" * 401), ("bribe", "")):
        assert "order" in refused(anna.ask("PUT", f"{path}/{kind}", {"order": order}), 422, "invalid")["errors"]
    assert "text" in refused(anna.ask("PUT", f"{path}/bribe", {"text": "never"}), 422, "invalid")["errors"]
    refused(anna.ask("PUT", f"{path}/move", {"order": "never"}), 404, "not-found")
    refused(anna.ask("POST", f"{path}/bribe", {"order": "never"}), 405, "method-not-allowed")
    assert anna.told(path) == {"items": []}


@ONE_DATABASE
def test_a_colour_that_does_not_play_is_refused_by_name(people: list[Person]) -> None:
    game = new_game(people[:2])
    playing = {color for seat in people[0].told(f"/games/{game}")["seats"] for color in seat["colors"]}
    absent = sorted(set(COLORS) - playing)
    assert absent
    for color in absent:
        answer = people[0].ask("PUT", f"/games/{game}/orders/catch", {"order": color})
        assert answer.status_code == 422
        assert color in answer.get_json()["detail"]


@ONE_DATABASE
def test_who_may(api_app: Flask, people: list[Person]) -> None:
    anna, bert, cleo = people
    game, private = new_game([anna, bert]), new_game([anna, bert], public=False)
    for who, at, status, code in (
        (cleo, game, 403, "not-a-player"),
        (cleo, private, 404, "not-found"),
        (stranger(api_app), game, 401, "unauthenticated"),
        (anna, "222222222222", 404, "not-found"),
    ):
        refused(who.get(f"/games/{at}/orders"), status, code)
        refused(who.ask("PUT", f"/games/{at}/orders/bribe", {"order": "never"}), status, code)
        refused(who.ask("DELETE", f"/games/{at}/orders/bribe"), status, code)
    reader = person(api_app, "Reader", scopes=["games:read"])
    refused(reader.ask("PUT", f"/games/{game}/orders/bribe", {"order": "never"}), 403, "scope-missing")
    bert.does(f"/games/{game}/resign")
    refused(bert.ask("PUT", f"/games/{game}/orders/bribe", {"order": "never"}), 409, "already-resigned")
    waiting = anna.does("/games", {"seats": [{"kind": "me"}, {"kind": "open"}]}, 201)["id"]
    refused(anna.ask("PUT", f"/games/{waiting}/orders/bribe", {"order": "never"}), 409, "game-not-playing")
    refused(anna.ask("DELETE", f"/games/{waiting}/orders/bribe"), 409, "game-not-playing")


@ONE_DATABASE
def test_nobody_else_can_tell_that_there_are_orders(api_app: Flask, people: list[Person]) -> None:
    game = new_game(people, first=0)
    others = [people[1], people[2], person(api_app, "Dora"), stranger(api_app)]
    paths = [f"/games/{game}{below}" for below in ("", "/actions", "/events", "/orders", "/votes", "/board.txt")]

    def all_they_see() -> list[tuple[bytes, str | None]]:
        answers = [one.get(path) for one in others for path in (*paths, "/games?status=playing", "/me/games")]
        return [(answer.data, answer.headers.get("ETag")) for answer in answers]

    before, own = all_they_see(), people[0].get(f"/games/{game}").headers["ETag"]
    gives(people[0], game, "bribe", "at most 2")
    gives(people[0], game, "catch", "never me")
    assert all_they_see() == before
    assert people[0].get(f"/games/{game}").headers["ETag"] == own, "an order is no part of the game"


@ONE_DATABASE
def test_orders_answer_in_the_move_that_asks_and_their_owner_is_told(people: list[Person]) -> None:
    game = new_game(people, first=0)
    for one in people:
        gives(one, game, "bribe", "lowest")
        gives(one, game, "catch", "never me")
    asked: list[str] = []
    over = play_on(people, game, random.Random(5), before=lambda seen: asked.append(seen["phase"]))
    assert over["status"] == "over"
    assert "bribe" not in asked
    assert "catch" not in asked
    told = [log(one, game) for one in people]
    fired = [[event for event in events if event["kind"] == "order"] for events in told]
    assert sum(map(len, fired)) > 3
    for seat, events in enumerate(fired):
        assert {event["seat"] for event in events} <= {seat}
        for event in events:
            assert event["text"] == {"bribe": "lowest", "catch": "never me"}[event["order"]]
            assert event["action"]["do"] in ("bribe", "surrender", "catch")
    for one in people:
        assert one.told(f"/games/{game}/orders") == {"items": []}, "none are left when the game is over"
    refused(people[0].ask("PUT", f"/games/{game}/orders/bribe", {"order": "never"}), 409, "game-not-playing")


def log(one: Person, game: str) -> list[dict[str, Any]]:
    """The whole log as somebody may see it; no number of theirs is missing."""
    entries: list[dict[str, Any]] = []
    while page := one.told(f"/games/{game}/events?after={len(entries)}")["items"]:
        entries += page
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    return [entry["event"] for entry in entries]


@ONE_DATABASE
def test_a_line_may_carry_what_to_do_if_and_says_who_decided(people: list[Person]) -> None:
    game = new_game(people, first=0)
    for one in people:
        gives(one, game, "bribe", "never")
    rng, by_order = random.Random(6), 0
    for _ in range(300):
        seat = people[0].told(f"/games/{game}")["to_act"]
        if seat is None:
            break
        seen = people[seat].told(f"/games/{game}")
        words = seen["legal"][rng.randrange(len(seen["legal"]))]["notation"]
        line = f"{words} catch leader" if seen["phase"] == "move" else words
        answer = people[seat].does(f"/games/{game}/moves", {"ply": seen["ply"], "line": line})
        assert answer["applied"][0]["by"] == "you"
        by_order += sum(one["by"] == "order" for one in answer["applied"])
        assert answer["next_ply"] >= seen["ply"] + len(answer["applied"]), "what others' orders did is not among it"
    assert by_order > 0, "a seat's own knight is caught now and then in its own move"


def test_a_plan_is_played_when_the_turn_comes_or_dropped_with_a_word(people: list[Person]) -> None:
    anna, bert, cleo = people
    game = new_game(people, first=0)
    assert "for the one after it" in gives(anna, game, "plan", "t1 stop")["explains"]
    assert anna.ask("DELETE", f"/games/{game}/orders/plan").status_code == 204
    gives(bert, game, "plan", "t1 stop")
    gives(cleo, game, "plan", "if dragon c9 then t1 stop else c9 stop")
    seen = anna.told(f"/games/{game}")
    answer = anna.does(f"/games/{game}/moves", {"ply": seen["ply"], "line": "t1 stop"})
    assert [one["by"] for one in answer["applied"]] == ["you"] * 2
    assert answer["to_act"] == 2, "Bert's turn is over"
    assert answer["next_ply"] == seen["ply"] + 4
    played = [event for event in log(bert, game) if event["kind"] == "plan_played"]
    assert played == [{"kind": "plan_played", "seat": 1, "text": "t1 stop", "line": "t1 stop", "dropped": []}]
    dropped = [event for event in log(cleo, game) if event["kind"] == "plan_dropped"]
    assert [event["seat"] for event in dropped] == [2]
    assert dropped[0]["why"]
    assert bert.told(f"/games/{game}/orders") == cleo.told(f"/games/{game}/orders") == {"items": []}
    assert not [event for event in log(anna, game) if event["kind"].startswith(("plan", "order"))]

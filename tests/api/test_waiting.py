"""What befalls those who do not answer, and what the others can do about it: over HTTP."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from engine import verify
from tests.api.games import is_lost, new_game, play_on, runs_out
from tests.api.people import Person, answered, person, refused, stranger

ONE_DATABASE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
DAYS = {"kind": "days", "days": 1}


@pytest.fixture
def people(api_app: Flask) -> list[Person]:
    """Three players."""
    return [person(api_app, name) for name in ("Anna", "Bert", "Cleo")]


def kinds(one: Person, game: str) -> list[str]:
    """What happened beside the moves, as somebody may see it."""
    house = {"timed_out", "held", "resumed", "voted", "extended", "ended", "over"}
    found, after = [], 0
    while page := one.told(f"/games/{game}/events?after={after}")["items"]:
        found += [entry["event"]["kind"] for entry in page if entry["event"]["kind"] in house]
        after = page[-1]["seq"]
    return found


def held_seat(app: Flask, people: list[Person], **more: Any) -> str:
    """A game in which the first of three has let two turns in a row run out."""
    game = new_game(people, first=0, clock=DAYS, **more)
    is_lost(app, game)
    play_on(people, game, random.Random(8), until=0)
    is_lost(app, game)
    return game


def test_a_seat_is_held_and_taken_back(api_app: Flask, people: list[Person]) -> None:
    anna, bert, _ = people
    game = held_seat(api_app, people)
    path = f"/games/{game}"
    for one in (anna, bert, stranger(api_app)):
        seat = one.told(path)["seats"][0]
        assert (seat["held"], seat["kind"], seat["bot_level"], seat["resigned"]) == (True, "human", "steady", False)
    assert kinds(bert, game) == ["timed_out", "timed_out", "held"]
    assert anna.told("/me/turns")["items"] == []
    refused(anna.ask("PUT", f"{path}/orders/bribe", {"order": "never"}), 409, "seat-held")
    refused(anna.post(f"{path}/votes", {"vote": "end"}), 409, "seat-held")
    refused(anna.ask("DELETE", f"{path}/votes/end"), 409, "seat-held")
    back = anna.does(f"{path}/resume")
    assert (back["seats"][0]["held"], back["seats"][0]["bot_level"]) == (False, None)
    assert kinds(bert, game)[-1] == "resumed"
    refused(anna.post(f"{path}/resume"), 409, "not-held")
    refused(bert.post(f"{path}/resume"), 409, "not-held")
    over = play_on(people, game, random.Random(9))
    assert over["result"]["notes"] == ["stood_in", None, None]


@ONE_DATABASE
def test_who_may_take_a_seat_back(api_app: Flask, people: list[Person]) -> None:
    anna, bert, cleo = people
    game, private = new_game([anna, bert]), new_game([anna, bert], public=False)
    refused(cleo.post(f"/games/{game}/resume"), 403, "not-a-player")
    refused(cleo.post(f"/games/{private}/resume"), 404, "not-found")
    refused(stranger(api_app).post(f"/games/{game}/resume"), 401, "unauthenticated")
    bert.does(f"/games/{game}/resign")
    refused(bert.post(f"/games/{game}/resume"), 409, "already-resigned")
    waiting = anna.does("/games", {"seats": [{"kind": "me"}, {"kind": "open"}]}, 201)["id"]
    refused(anna.post(f"/games/{waiting}/resume"), 409, "game-not-playing")


def test_the_others_give_more_time_by_more_than_half(people: list[Person]) -> None:
    anna, bert, cleo = people
    game = new_game(people, first=0, clock=DAYS)
    path, before = f"/games/{game}", people[0].told(f"/games/{game}")["deadline"]
    first = anna.told(f"{path}/votes")
    assert first == {
        "game": game,
        "status": "playing",
        "turn_ply": 0,
        "seat": 0,
        "extend": {"voted": [], "voters": [1, 2], "needed": 2},
        "end": None,
    }
    tags = [one.get(path).headers["ETag"] for one in people]
    refused(anna.post(f"{path}/votes", {"vote": "extend"}), 409, "no-vote")
    refused(bert.post(f"{path}/votes", {"vote": "end"}), 409, "no-vote")
    assert refused(bert.post(f"{path}/votes", {"vote": "extend", "turn_ply": 7}), 409, "stale-ply")["ply"] == 0
    for _ in range(2):
        assert bert.does(f"{path}/votes", {"vote": "extend", "turn_ply": 0})["extend"]["voted"] == [1]
    assert kinds(anna, game) == ["voted"]
    for _ in range(2):
        assert answered(bert.ask("DELETE", f"{path}/votes/extend"))["extend"]["voted"] == []
    cleo.does(f"{path}/votes", {"vote": "extend"})
    assert anna.told(path)["deadline"] == before
    assert [one.get(path).headers["ETag"] for one in people] == tags, "a vote that has not decided moves nothing"
    assert bert.does(f"{path}/votes", {"vote": "extend"})["extend"] == first["extend"], "the next needs votes anew"
    after = anna.told(path)["deadline"]
    assert datetime.fromisoformat(after) - datetime.fromisoformat(before) == timedelta(days=1)
    events = [entry["event"] for entry in anna.told(f"{path}/events")["items"]]
    (extended,) = [event for event in events if event["kind"] == "extended"]
    assert (extended["seat"], sorted(extended["by"])) == (0, [1, 2])
    assert extended["deadline"] == after, "a moment in the log is written as everywhere"


def test_the_others_end_a_game_that_somebody_has_left(api_app: Flask, people: list[Person]) -> None:
    anna, bert, cleo = people
    game = new_game(people, first=0, clock=DAYS)
    path = f"/games/{game}"
    runs_out(api_app, game)
    late = anna.told(path)
    assert (late["step"], late["to_act"]) == ("timed_out", 0)
    assert late["legal"], "an answer counts still"
    assert bert.told(f"{path}/votes")["end"] == {"voted": [], "voters": [1, 2], "needed": 2}
    refused(anna.post(f"{path}/votes", {"vote": "end"}), 409, "no-vote")
    bert.does(f"{path}/votes", {"vote": "end"})
    ended = cleo.does(f"{path}/votes", {"vote": "end"})
    assert (ended["status"], ended["seat"], ended["extend"], ended["end"]) == ("over", None, None, None)
    over = anna.told(path)
    for one in (anna, stranger(api_app)):
        over = one.told(path)
        assert (over["status"], over["result"]["reason"], over["result"]["winners"]) == ("over", "vote", [])
        assert len(over["result"]["scores"]) == 3
        assert over["deadline"] is over["step"] is None
    assert kinds(bert, game)[:4] == ["timed_out", "voted", "voted", "ended"]
    for path_and_body in (("/votes", {"vote": "end"}), ("/resume", None)):
        refused(bert.post(f"{path}{path_and_body[0]}", path_and_body[1]), 409, "game-not-playing")
    verify(bert.told(f"{path}/record"))
    assert bert.does(f"{path}/rematch", status=201)["clock"] == over["clock"]


@ONE_DATABASE
def test_a_vote_that_cannot_be_read_and_who_may(api_app: Flask, people: list[Person]) -> None:
    anna, bert, cleo = people
    game, private = new_game([anna, bert]), new_game([anna, bert], public=False)
    for who, at, status, code in (
        (cleo, game, 403, "not-a-player"),
        (cleo, private, 404, "not-found"),
        (stranger(api_app), game, 401, "unauthenticated"),
    ):
        refused(who.get(f"/games/{at}/votes"), status, code)
        refused(who.post(f"/games/{at}/votes", {"vote": "end"}), status, code)
        refused(who.ask("DELETE", f"/games/{at}/votes/end"), status, code)
    assert "vote" in refused(anna.post(f"/games/{game}/votes", {"vote": "kick"}), 422, "invalid")["errors"]
    refused(anna.ask("DELETE", f"/games/{game}/votes/kick"), 404, "not-found")
    refused(bert.post(f"/games/{game}/votes", {"vote": "extend"}), 409, "no-vote")


@ONE_DATABASE
@pytest.mark.parametrize(
    ("clock", "place"),
    [
        ({"kind": "days"}, "clock.days"),
        ({"kind": "days", "days": 61}, "clock.days"),
        ({"kind": "days", "days": 3, "start_hours": 3}, "clock.start_hours"),
        ({"kind": "bank", "start_hours": 72}, "clock.increment_hours"),
        ({"kind": "bank", "start_hours": 72, "increment_hours": 12, "cap_hours": 71}, "clock.cap_hours"),
        ({"kind": "none", "days": 3}, "clock.days"),
        ({"kind": "sand"}, "clock.kind"),
        ({}, "clock.kind"),
        (3, "clock"),
    ],
)
def test_clocks_that_cannot_be(api_app: Flask, clock: Any, place: str) -> None:
    anna = person(api_app, "Anna")
    answer = anna.post("/games", {"seats": [{"kind": "me"}, {"kind": "open"}], "clock": clock})
    assert place in refused(answer, 422, "invalid")["errors"]


def test_a_game_shows_its_clock(people: list[Person]) -> None:
    anna, bert, _ = people
    bank = {"kind": "bank", "start_hours": 72, "increment_hours": 12, "cap_hours": 120}
    game = anna.told(f"/games/{new_game([anna, bert], first=0, clock=bank, time_off=False)}")
    assert game["clock"] == {**bank, "days": None}
    assert game["time_off"] is False
    assert [seat["bank_seconds"] for seat in game["seats"]] == [72 * 3600] * 2
    assert game["deadline"] is not None
    plain = anna.told(f"/games/{new_game([anna, bert], first=0)}")
    assert plain["clock"] == {"kind": "none", "days": None, **dict.fromkeys(list(bank)[1:])}
    assert plain["time_off"] is True
    assert plain["deadline"] is None
    assert [seat["bank_seconds"] for seat in plain["seats"]] == [None, None]
    assert [turn["game"]["id"] for turn in anna.told("/me/turns")["items"]] == [game["id"], plain["id"]], "urgent first"


def test_the_pace_of_a_game(api_app: Flask, people: list[Person]) -> None:
    anna, bert, cleo = people
    answered(anna.ask("PATCH", "/me", {"time_zone": "Asia/Tokyo"}))
    game = new_game([anna, bert], first=0, clock=DAYS)
    seen, pace = anna.told(f"/games/{game}"), bert.told(f"/games/{game}/pace")
    assert (pace["game"], pace["waiting_for"], pace["step"]) == (game, 0, None)
    assert (pace["since"], pace["deadline"]) == (seen["turn_since"], seen["deadline"])
    assert pace["deadline_there"].endswith("+09:00")
    there, deadline = (datetime.fromisoformat(pace[key]) for key in ("deadline_there", "deadline"))
    assert abs(there - deadline) < timedelta(seconds=1)
    assert pace["seats"] == [
        {"number": 0, "reply": None, "waiting_since": pace["since"]},
        {"number": 1, "reply": None, "waiting_since": None},
    ]
    for outsider in (cleo, stranger(api_app)):
        assert outsider.told(f"/games/{game}/pace") == {**pace, "deadline_there": None}
    play_on([anna, bert], game, random.Random(1), decisions=40)
    assert {seat["reply"] for seat in anna.told(f"/games/{game}/pace")["seats"]} == {"hours"}
    runs_out(api_app, game)
    assert anna.told(f"/games/{game}/pace")["step"] == "timed_out"
    private = new_game([anna, bert], public=False)
    refused(cleo.get(f"/games/{private}/pace"), 404, "not-found")
    waiting = anna.does("/games", {"seats": [{"kind": "me"}, {"kind": "open"}]}, 201)["id"]
    idle = anna.told(f"/games/{waiting}/pace")
    assert (idle["waiting_for"], idle["since"], idle["deadline"], idle["deadline_there"]) == (None,) * 4

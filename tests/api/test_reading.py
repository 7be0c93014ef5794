"""Looking: views, ETag and 304, the log, pages, pictures, texts that databases are touchy about."""

from __future__ import annotations

import random

import pytest
from flask import Flask

from tests.api.games import new_game, play_on
from tests.api.people import Person, answered, person, refused, stranger

ONE_DATABASE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def people(api_app: Flask) -> list[Person]:
    """Two players."""
    return [person(api_app, name) for name in ("Anna", "Bert")]


@ONE_DATABASE
def test_the_etag_is_the_viewers_own_and_changes_with_what_is_seen(api_app: Flask, people: list[Person]) -> None:
    game = new_game(people, first=0)
    path = f"/games/{game}"
    viewers = [*people, person(api_app, "Cleo"), stranger(api_app)]
    for below in ("", "/board.svg", "/board.png", "/board.txt"):
        tags = [viewer.get(path + below).headers["ETag"] for viewer in viewers]
        assert len(set(tags)) == 4, "no viewer's tag is another's"
        for viewer, tag in zip(viewers, tags, strict=True):
            same = viewer.get(path + below, headers={"If-None-Match": tag})
            assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
            assert same.headers["Cache-Control"] == "private, no-cache"
            assert "Authorization" in same.headers["Vary"]
    seen = [viewer.get(path).headers["ETag"] for viewer in viewers]
    people[0].does(f"{path}/moves", {"ply": 0, "line": "1"})
    for viewer, tag in zip(viewers, seen, strict=True):
        assert viewer.get(path, headers={"If-None-Match": tag}).status_code == 200
    seen = [viewer.get(path).headers["ETag"] for viewer in viewers]
    people[1].does(f"{path}/resign")
    for viewer, tag in zip(viewers, seen, strict=True):
        assert viewer.get(path, headers={"If-None-Match": tag}).status_code == 200


@ONE_DATABASE
def test_a_bot_bears_on_the_board_the_name_it_has_in_mails(api_app: Flask, people: list[Person]) -> None:
    bot = {"kind": "bot", "level": "random"}
    game = people[0].does("/games", {"seats": [bot, {"kind": "me"}, bot]}, 201)["id"]
    for below in ("/board.svg", "/board.txt"):
        board = people[0].get(f"/games/{game}{below}").get_data(as_text=True)
        assert "Bot 1" in board
        assert "Bot 3" in board
        assert "Seat " not in board


@ONE_DATABASE
def test_a_view_is_the_callers_own(api_app: Flask, people: list[Person]) -> None:
    game = new_game(people)
    play_on(people, game, random.Random(5), decisions=30)
    for seat, one in enumerate(people):
        board = one.told(f"/games/{game}")["board"]
        assert board["viewer"] == seat
        assert [hand["cards"] is not None for hand in board["hands"]] == [seat == 0, seat == 1]
    watched = stranger(api_app).told(f"/games/{game}")
    assert watched["board"]["viewer"] is None
    assert [hand["cards"] for hand in watched["board"]["hands"]] == [None, None]
    assert watched["legal"] == []
    assert watched["you"] is None


@ONE_DATABASE
def test_the_board_as_pictures_and_as_text(people: list[Person]) -> None:
    game = new_game(people)
    svg, png, text = (people[0].get(f"/games/{game}/board.{kind}") for kind in ("svg", "png", "txt"))
    assert svg.mimetype == "image/svg+xml"
    assert svg.data.startswith(b"<svg")
    assert png.mimetype == "image/png"
    assert png.data.startswith(b"\x89PNG")
    assert text.mimetype == "text/plain"
    assert "Anna" in text.get_data(as_text=True)
    assert "script" not in svg.get_data(as_text=True)


@ONE_DATABASE
def test_the_log_is_read_by_cursor(people: list[Person]) -> None:
    game = new_game(people)
    play_on(people, game, random.Random(5), decisions=12)
    whole = people[0].told(f"/games/{game}/events")
    read, after = [], 0
    while True:
        page = people[0].told(f"/games/{game}/events?after={after}&limit=4")
        if not page["items"]:
            assert page["next"] == after
            break
        read += page["items"]
        after = page["next"]
    assert read == whole["items"]
    assert whole["next"] == read[-1]["seq"] == after
    assert [entry["seq"] for entry in read] == sorted({entry["seq"] for entry in read})
    people[1].does(f"/games/{game}/says", {"text": "hello"}, 201)
    (entry,) = people[0].told(f"/games/{game}/events?after={after}")["items"]
    assert entry["event"] == {"kind": "say", "seat": 1, "text": "hello"}


@ONE_DATABASE
def test_a_note_is_for_its_writer_alone(api_app: Flask, people: list[Person]) -> None:
    game = new_game(people)
    noted = people[0].does(f"/games/{game}/notes", {"text": "watch c4"}, 201)
    assert noted["event"] == {"kind": "note", "seat": 0, "text": "watch c4"}
    assert noted in people[0].told(f"/games/{game}/events")["items"]
    for other in (people[1], stranger(api_app)):
        assert "watch c4" not in other.get(f"/games/{game}/events").get_data(as_text=True)
    outsider = person(api_app, "Cleo")
    refused(outsider.post(f"/games/{game}/notes", {"text": "x"}), 403, "not-a-player")
    refused(outsider.post(f"/games/{game}/says", {"text": "x"}), 403, "not-a-player")


def test_texts_that_databases_are_touchy_about(people: list[Person]) -> None:
    game = new_game(people)
    for text in ("Grüße 🐉 'quoted' \"twice\" \\ % _ ; --", "one\ntwo\tthree", "<b>&amp;</b>", "\u0000".join("ab")):
        response = people[0].post(f"/games/{game}/says", {"text": text})
        if "\u0000" in text:
            refused(response, 422, "invalid")
        else:
            assert answered(response, 201)["event"]["text"] == text
    for text in ("\u202eevil", "\x07", " \n ", ""):
        refused(people[0].post(f"/games/{game}/says", {"text": text}), 422, "invalid")


def test_lists_are_read_in_pages(people: list[Person]) -> None:
    made = [people[0].does("/games", {"seats": [{"kind": "me"}, {"kind": "open"}]}, 201)["id"] for _ in range(5)]
    for path in ("/games", "/me/games"):
        found: list[str] = []
        query = "?limit=2"
        while True:
            page = people[0].told(path + query)
            found += [game["id"] for game in page["items"]]
            if page["next"] is None:
                break
            query = f"?limit=2&after={page['next']}"
        assert found == made[::-1]
    for game in made[:3]:
        people[1].does(f"/games/{game}/join")
    seen = people[0].told("/me/turns?limit=1")["items"] + people[1].told("/me/turns?limit=1")["items"]
    assert seen
    everything = [turn["game"]["id"] for one in people for turn in one.told("/me/turns")["items"]]
    assert sorted(everything) == sorted(made[:3])
    refused(people[0].get("/me/turns?after=nonsense"), 422, "invalid")
    refused(people[0].get("/me/games?status=odd"), 422, "invalid")


@ONE_DATABASE
def test_the_rules_are_those_that_refusals_quote(api_app: Flask) -> None:
    response = stranger(api_app).get("/rules")
    rules = {rule["id"]: rule["text"] for rule in answered(response)["items"]}
    assert rules["R-MOVE-1"]
    assert len(rules) > 30
    assert response.headers["Cache-Control"].startswith("public")

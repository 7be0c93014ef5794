"""A finished game: told card by card, taken away as a record, and checked by the reader's own browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from flask import Flask

from engine import load, verify
from service.db import transaction
from service.usecases import access, endings, lobby, queries, votes
from service.usecases.results import ClockSpec, GameView
from service.web import results
from tests.service.table import Table
from tests.service.test_replay import played
from tests.support.chromium import arguments, chromium
from tests.web.browsing import Browser, browser, signed_in_client

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def players(table: Table, api_app: Flask) -> list[Browser]:
    """Three people with their browsers."""
    return [signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy")]


def finished(table: Table, players: list[Browser], **more: Any) -> str:
    """A game of theirs, played to its end."""
    callers = [player.caller for player in players]
    game = table.game(*callers, **more)
    played(table, callers, game, [callers[0]])
    return game


def words(text: str) -> str:
    """What a page says."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text.split("<main")[1])).split())


def test_the_scores_add_up_card_by_card_for_players_and_strangers(
    table: Table, players: list[Browser], api_app: Flask
) -> None:
    game = finished(table, players)
    seen = table.view(None, game)
    assert seen.info.result is not None
    assert seen.view is not None
    for sheet in results.sheets(seen.info, seen.view, seen.info.result):
        assert sum(sheet.gold) == sheet.gold_points
        assert sum(sheet.gems) == sheet.gem_points
        assert (sheet.treasure_points, sheet.bonus_points) == (5 * sheet.treasures, 4 * len(sheet.bonus))
        points = (sheet.gold_points, sheet.treasure_points, sheet.gem_points, sheet.bonus_points)
        assert sum(points) == sheet.score == seen.info.result.scores[sheet.seat]
        assert sheet.won == (sheet.place == 1)
    winner = seen.info.result.winners[0]
    best = seen.info.result.scores[winner]
    for player in (*players, browser(api_app)):
        text = player.visit(f"/games/{game}")
        told = words(text)
        you = player in players and players.index(player) == winner
        assert f"{'You' if you else ('Ada', 'Bo', 'Cy')[winner]} won with {best} points" in told
        assert told.count("Given to the dragon") == sum(bool(given) for given in seen.view.given)
        assert text.count('"bonus-card">four different gems') == (seen.info.result.four_gems is not None)


def test_ties_are_told_as_they_were_decided(table: Table, players: list[Browser]) -> None:
    game = table.game(*(player.caller for player in players))
    with transaction() as session:
        endings.finish_early(session, access.locked(session, game), now=table.now)
    seen = table.view(None, game)
    level = {"scores": (20, 20, 9), "treasures": (2, 2, 0), "gems": (4, 4, 1)}
    assert told_of(seen, winners=(0, 1), **level) == (
        "A shared win: Ada and Bo, with 20 points each",
        [
            "Equal at 20 points: Ada and Bo.",
            "Their treasures and gems are equal too, so they share the win.",
        ],
    )
    assert told_of(seen, winners=(1,), **level | {"treasures": (1, 2, 0)}) == (
        "Bo won with 20 points",
        ["Equal at 20 points: Ada and Bo.", "More treasures decide then."],
    )
    assert told_of(seen, winners=(0,), **level | {"gems": (4, 3, 9)}) == (
        "Ada won with 20 points",
        ["Equal at 20 points: Ada and Bo.", "More gems decide then, as the treasures are equal too."],
    )


def told_of(seen: GameView, **changed: Any) -> tuple[str, list[str]]:
    """What would be said of the winners if the result were this."""
    assert seen.view is not None
    assert seen.info.result is not None
    heading, why = results.verdict(seen.info, seen.view, replace(seen.info.result, reason="last-treasure", **changed))
    return heading, why[1:]


def test_a_game_that_was_ended_by_a_vote_has_no_winner_and_its_notes_say_what_became_of_the_seats(
    table: Table, players: list[Browser]
) -> None:
    ada, bo, cy = players
    game = table.game(ada.caller, bo.caller, cy.caller, clock=ClockSpec("days", days=1))
    lobby.resign(caller=cy.caller, game_id=game, now=table.now)
    table.wait(days=1, hours=12)
    while table.view(ada.caller, game).info.status != "over":
        for player in (ada, bo):
            if votes.votes(caller=player.caller, game_id=game, now=table.now).end is not None:
                player.visit(f"/games/{game}/table")
                if any(form.action.endswith("/votes/end") for form in player.page.forms):
                    player.send(f"/games/{game}/votes/end")
        table.wait(hours=12)
    told = words(ada.visit(f"/games/{game}"))
    assert "Nobody won" in told
    assert "ended this game by a vote" in told
    assert "The player resigned; a bot played on." in told
    assert " won with " not in told


def test_the_record_is_a_file_that_verifies_and_a_rematch_is_a_button_away(
    table: Table, players: list[Browser], api_app: Flask
) -> None:
    ada = players[0]
    game = finished(table, players, entropy="mine alone")
    answer = browser(api_app).get(f"/games/{game}/record.json")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="emerald-{game}.json"'
    record = load(answer.data)
    assert record == queries.record(caller=None, game_id=game)
    verify(record)
    page = ada.visit(f"/games/{game}/verify")
    assert record["seed"] in page
    assert f"emerald verify emerald-{game}.json" in page
    assert "mine alone" in page
    ada.visit(f"/games/{game}")
    ada.send(f"/games/{game}/rematch")
    again = table.view(ada.caller, game).info.rematch
    assert again is not None
    assert ada.path == f"/games/{again}"
    going = table.game(ada.caller, players[1].caller)
    assert ada.get(f"/games/{going}/record.json").status_code == 409
    assert "verify.js" not in ada.visit(f"/games/{going}/verify")


# -- the shuffle done again by a browser


@pytest.fixture
def opened(table: Table, players: list[Browser]) -> Iterator[Callable[[dict[str, Any] | None], Any]]:
    """The page of a finished game in a real browser, with this record in place of its own (None: its own)."""
    path = chromium()
    from playwright.sync_api import Route, sync_playwright

    game = finished(table, players)
    client = players[0]
    with sync_playwright() as run, run.chromium.launch(executable_path=path, args=arguments()) as running:
        page = running.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text))

        def open_with(record: dict[str, Any] | None) -> Any:
            def answer(route: Route) -> None:
                path = route.request.url.removeprefix("http://localhost")
                found = client.get(path)
                body = json.dumps(record).encode() if record and path.endswith("/record.json") else found.data
                route.fulfill(status=found.status_code, headers=dict(found.headers), body=body)

            page.unroute_all()
            page.route("**/*", answer)
            page.goto(f"http://localhost/games/{game}/verify")
            page.wait_for_selector(".outcome.good, .outcome.bad, .outcome.unread")
            assert faults == []
            return page

        yield open_with


def test_a_browser_finds_the_shuffle_right_and_every_kind_of_tampering_wrong(
    table: Table, opened: Callable[[dict[str, Any] | None], Any]
) -> None:
    page = opened(None)
    assert page.locator(".outcome.good").count() == 1
    assert page.locator(".checks [data-check]").count() == page.locator(".checks .good").count() == 22
    record = json.loads(page.evaluate("fetch(document.getElementById('verify').dataset.record).then((r) => r.text())"))
    verify(record)

    def bad(**changed: Any) -> list[str]:
        found = opened(record | changed)
        assert found.locator(".outcome.good").count() == 0
        return [item.get_attribute("data-check") for item in found.locator(".checks .bad").all()]

    setup = record["setup"]
    piles = [dict(pile) for pile in setup["piles"]]
    piles[4]["gold"] = piles[4]["gold"][::-1] if piles[4]["gold"] != piles[4]["gold"][::-1] else [9, 9, 9]
    dice = [*setup["dice"]]
    dice[-1] = dice[-1] % 3 + 1
    other = "ab" * 32
    assert bad(setup=setup | {"piles": piles}) == ["gold-5"]
    assert bad(setup=setup | {"dice": dice}) == ["dice"]
    assert bad(setup=setup | {"first": (setup["first"] + 1) % 3}) == ["first"]
    assert bad(commitment=other) == ["published", "commitment"]
    assert "commitment" in bad(seed=other)
    assert {"gold-1", "gem-9", "dice"} & set(bad(entropy=["x", *record["entropy"][1:]]))
    assert opened({"nothing": "here"}).locator(".outcome.unread").count() == 1

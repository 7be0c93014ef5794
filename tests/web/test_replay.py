"""The log and the replay as pages: every board is a link away, and nobody finds more on them than they saw."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from html import unescape

import pytest
from flask import Flask

from service.db import db
from service.usecases import replay, talk
from tests.service.table import Table
from tests.service.test_replay import played
from tests.web.browsing import Browser, browser, signed_in_client
from tests.web.conftest import bribing

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

_TOKEN = re.compile(r'name="csrf_token" value="[^"]*"')


def shown(client: Browser, path: str) -> str:
    """A page without what differs from one showing of it to the next."""
    return _TOKEN.sub("", client.visit(path))


def test_every_board_is_a_link_away_and_the_log_leads_to_each(table: Table, api_app: Flask) -> None:
    ada, bo = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo"))
    game = table.game(ada.caller, bo.caller)
    played(table, [ada.caller, bo.caller], game, [ada.caller], plies=45)
    steps, path = set(), f"/games/{game}/replay"
    text = ada.visit(f"{path}?step=0")
    assert "The game begins." in text
    while True:
        step = int(re.findall(r"Board (\d+) of 45</h2>", text)[0])
        steps.add(step)
        on = re.search(r'href="([^"]+)" accesskey="n" rel="next"', text)
        if on is None:
            break
        text = ada.visit(unescape(on[1]))
    assert steps == set(range(46))
    assert 'accesskey="p" rel="prev"' in text
    assert 'accesskey="f"' in text
    for odd in ("?step=9999", "?step=x", ""):
        assert "Board 45 of 45" in ada.visit(path + odd)
    assert "Board 0 of 45" in ada.visit(f"{path}?step=-3")
    linked, log = set(), f"/games/{game}/log"
    while True:
        text = ada.visit(log)
        linked |= {int(step) for step in re.findall(r"replay\?step=(\d+)", text)}
        older = [link for link in ada.page.links if "upto=" in link and link < (log if "upto=" in log else "~")]
        if "Older" not in text:
            break
        log = older[-1]
    assert linked == set(range(46))
    turn = replay.at_step(caller=ada.caller, game_id=game).turns[6]
    assert f"Turn {turn.number}: {'you' if turn.seat == 0 else 'Bo'}" in ada.visit(f"{path}?step={turn.step + 1}")


def test_pages_of_two_games_that_differ_in_a_bribe_are_equal_to_the_byte_for_all_others(
    table: Table, api_app: Flask, sqlite_url: str
) -> None:
    clients = [signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy")]
    game, payer, _, _ = bribing(table, [client.caller for client in clients])
    own = table.view(payer, game)
    prices = [row for row in own.legal if "gold" in row.action]
    others = [client for client in clients if client.caller is not payer]
    mine = next(client for client in clients if client.caller is payer)
    paths = [f"/games/{game}/{page}" for page in ("log", "replay", f"replay?step={own.info.ply + 1}", "table", "talk")]
    told: list[list[str]] = []
    file = sqlite_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as now, closing(sqlite3.connect(":memory:")) as kept:
        now.backup(kept)
        for row in (prices[0], prices[-1]):
            with api_app.app_context():
                db.engine.dispose()
            db.engine.dispose()
            kept.backup(now)
            table.move(payer, game, row.number)
            assert f"<code>{row.notation}</code>" in mine.visit(paths[2])
            told.append([shown(reader, path) for reader in (*others, browser(api_app)) for path in paths])
    assert told[0] == told[1]


def test_names_and_words_are_escaped_in_the_log(table: Table, api_app: Flask) -> None:
    ada = signed_in_client(api_app, table, table.person("Ada <b>&amp;", "ada@example.org"))
    bo = signed_in_client(api_app, table, "Bo")
    game = table.game(ada.caller, bo.caller)
    talk.say(caller=ada.caller, game_id=game, text="<img src=x onerror=alert(1)>", now=table.now)
    table.turn_over(ada.caller, game)
    for page in ("log", "replay", "table", "talk", "verify"):
        text = bo.visit(f"/games/{game}/{page}")
        assert "<b>" not in text
        assert "<img src=x" not in text
    assert "Ada &lt;b&gt;&amp;amp;" in bo.visit(f"/games/{game}/replay?step=1")

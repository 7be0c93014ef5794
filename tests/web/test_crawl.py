"""Every link of every page leads somewhere, whoever follows it, and following it changes nothing."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from flask import Flask

from service.usecases import lobby, talk
from tests.service.table import ME, OPEN, Table
from tests.web.browsing import Browser, browser, signed_in_client
from tests.web.conftest import Dump

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

#: Of pages that differ only in a number, an id or what is chosen, so many are opened.
ALIKE = 12
_NUMBER = re.compile(r"^\d+$|^[a-z0-9]{12}$|^R-[A-Z]+-\d+$")
_ID = re.compile(r' id="([^"]+)"')


def kind(path: str) -> str:
    """Pages that are made by one template from one kind of address have one of these."""
    parts = urlsplit(path)
    steps = ["*" if _NUMBER.match(step) else step for step in parts.path.split("/")]
    return f"{'/'.join(steps)}?{','.join(sorted(parse_qs(parts.query, keep_blank_values=True)))}"


def crawl(client: Browser, start: str) -> Iterator[tuple[str, str]]:
    """Open this page and all that can be reached from it; what leads nowhere, and what was answered."""
    waiting, known, opened = deque([(start, "")]), {start}, Counter[str]()
    texts: dict[str, str] = {}
    places: dict[str, set[str]] = {}
    while waiting:
        path, source = waiting.popleft()
        if opened[kind(path)] == ALIKE:
            continue
        opened[kind(path)] += 1
        answer = client.get(path, follow_redirects=True)
        if answer.status_code >= 400:
            yield path, f"{answer.status} (from {source})"
        if answer.mimetype != "text/html":
            continue
        client.answer = answer
        here = answer.request.full_path.rstrip("?")
        texts[path] = answer.text
        for link in client.page.links:
            parts = urlsplit(urljoin(f"http://localhost{here}", link))
            if parts.scheme not in ("http", "https"):
                continue
            assert parts.netloc == "localhost", f"{path} leads away: {link}"
            target = f"{parts.path}?{parts.query}" if parts.query else parts.path
            if parts.fragment:
                places.setdefault(target, set()).add(parts.fragment)
            if target not in known:
                known.add(target)
                waiting.append((target, path))
    for path, wanted in places.items():
        for place in wanted - set(_ID.findall(texts.get(path, ""))):
            if path in texts:
                yield f"{path}#{place}", "there is no such place on the page"
    assert sum(opened.values()) > 60, opened


def games(table: Table, anna: Browser, bo: Browser) -> None:
    """One that is over, one that goes on, one that waits."""
    over = table.game(anna.caller, bo.caller, public=True)
    table.play_out([anna.caller, bo.caller], over)
    going = table.game(anna.caller, bo.caller, bots=1, public=True)
    for player in (anna.caller, bo.caller, anna.caller):
        table.turn_over(player, going)
        table.post()
    talk.say(caller=bo.caller, game_id=going, text="See <a href='https://example.net/'>this</a>", now=table.now)
    lobby.create_game(caller=bo.caller, seats=[ME, OPEN], public=True, now=table.now)
    lobby.create_game(caller=anna.caller, seats=[ME, OPEN], public=False, now=table.now)
    table.post()


def test_every_link_leads_somewhere_and_changes_nothing(
    api_app: Flask, app: Flask, table: Table, dump: Callable[[], Dump]
) -> None:
    anna, bo = signed_in_client(api_app, table, "Anna"), signed_in_client(api_app, table, "Bo")
    games(table, anna, bo)
    before = dump()
    for client in (anna, browser(api_app)):
        assert dict(crawl(client, "/")) == {}
    after = dump()
    for found in (before, after):
        found.pop("tokens")  # it keeps when each was used last
    assert after == before

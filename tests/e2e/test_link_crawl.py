"""A link scanner follows every link of every mail of a whole game, and nothing in the database changes.

Mail providers open links before their readers do, some with HEAD, some with GET. What a link does must need a POST.
"""

from __future__ import annotations

import re
from collections import Counter
from email.message import EmailMessage
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import select

from service.cli import letters
from service.config import Settings
from service.db import Base, reading
from service.mail import render
from service.mail.tokens import AccountToken
from service.usecases import addresses, lobby, votes, wishes
from service.usecases.results import Caller, ClockSpec, SeatSpec
from tests.service.inbound.postman import SERVICE, Postman, address
from tests.service.table import ME, Table
from tests.support.processes import ROOT

BASE: Final = "https://emerald.example.org"
METHODS: Final = ("HEAD", "GET")
#: All there are: the names of their templates.
KINDS: Final = {path.parent.name for path in (ROOT / "service/mail/templates").glob("*/subject.txt")}


def links_of(message: EmailMessage) -> set[str]:
    """Every address in a mail that a program may open: in its text, its HTML and its headers."""
    found = set(re.findall(r"https?://[^\s<>\"')\]]+", letters.text_of(message)))
    page = message.get_body(("html",))
    if page is not None:
        tree = LexborHTMLParser(str(page.get_content()))
        for name in ("href", "src", "action", "background"):
            found |= {str(node.attributes[name]) for node in tree.css(f"[{name}]")}
    found |= set(re.findall(r"<([^<>]*)>", str(message["List-Unsubscribe"] or "")))
    return {link for link in found if urlsplit(link).scheme not in ("mailto", "cid")}


def database() -> dict[str, list[tuple[Any, ...]]]:
    """All that is in it."""
    with reading() as session:
        return {
            table.name: [tuple(row) for row in session.execute(select(table).order_by(*table.primary_key.columns))]
            for table in Base.metadata.sorted_tables
        }


class Scanner:
    """Opens every link of every mail that has come, the old ones again with the new ones."""

    def __init__(self, client: FlaskClient, settings: Settings) -> None:
        self._client = client
        self._settings = settings
        self._read = 0
        self.links: set[str] = set()
        self.kinds: Counter[str] = Counter()
        self.answers: Counter[tuple[str, int]] = Counter()

    def scan(self, table: Table) -> None:
        """Read the new mails, and open all links: those of this decision are still good, the others are not."""
        fresh = table.sent[self._read :]
        self._read = len(table.sent)
        for _, notice in fresh:
            message = letters.parse(render.mail(notice, self._settings).as_bytes())
            self.kinds[letters.kind_of(message)] += 1
            self._open(links_of(message))

    def scan_again(self) -> None:
        """Open everything once more."""
        self._open(self.links)

    def _open(self, links: set[str]) -> None:
        self.links |= links
        before = database()
        for link in sorted(links):
            parts = urlsplit(link)
            assert link.startswith(BASE), f"a mail leads elsewhere: {link}"
            for method in METHODS:
                with self._client.open(parts.path, method=method, query_string=parts.query, base_url=BASE) as answer:
                    assert answer.status_code < 500, (link, answer.status_code)
                    assert method != "HEAD" or answer.data == b""
                    self.answers[parts.path.split("/")[1], answer.status_code] += 1
        assert database() == before


def hurry(table: Table, players: list[Caller], game_id: str) -> bool:
    """The move that brings the end nearer; False if the game is over."""
    if table.view(players[0], game_id).info.status == "over":
        return False
    table.hurry(players, game_id)
    return True


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """Links lead to an address of their own."""
    return {**environment, "EMERALD_BASE_URL": BASE}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_scanner_that_opens_every_link_changes_nothing(api_app: Flask, settings: Settings) -> None:
    table = Table()
    with api_app.app_context():
        scanner = Scanner(api_app.test_client(), settings)
        ada, ben = table.person("Ada"), table.person("Ben")
        mails_beside_a_game(table, ada)
        wishes.set_digest(caller=ben, game_id=table.game(ada, ben), on=True, now=table.now)
        table.game(ben, ada)
        table.clock.forward(days=1)  # what has piled up is one mail
        table.post()
        scanner.scan(table)
        turns_that_nobody_takes(table, scanner, ada, ben)
        game_id = table.game(ada, ben, bots=2, clock=ClockSpec("days", days=1))
        table.post()
        scanner.scan(table)
        while hurry(table, [ada, ben], game_id):
            table.post()
            scanner.scan(table)
        scanner.scan_again()
    assert set(scanner.kinds) == KINDS
    assert scanner.kinds["turn"] > 15
    assert {path for path, _ in scanner.answers} == {"m", "u", "games", "sign-in"}
    assert {status for path, status in scanner.answers if path == "m"} == {200, 410}
    assert {status for path, status in scanner.answers if path == "u"} == {200}


def turns_that_nobody_takes(table: Table, scanner: Scanner, ada: Caller, ben: Caller) -> None:
    """The mails of the ladder: a reminder, votes, more time, a bot that moves once, and one that holds the seat."""
    dora = table.person("Dora")
    game_id = table.game(ada, ben, dora, clock=ClockSpec("days", days=1))
    table.wait(hours=20)
    scanner.scan(table)
    for voter in (ben, dora):
        votes.cast(caller=voter, game_id=game_id, kind="extend", now=table.now)
        table.post()
        scanner.scan(table)
    while not table.view(ada, game_id).info.seats[0].held:
        table.wait(hours=6)
        for other in (ben, dora):
            table.turn_over(other, game_id)
    table.post()
    scanner.scan(table)


def mails_beside_a_game(table: Table, ada: Caller) -> None:
    """Those of invitations, of a game that was called off, of addresses, of strangers, and of a forger."""
    seats = [ME, SeatSpec("invite", email="wren@example.net"), SeatSpec("invite", name="Ben")]
    game_id = lobby.create_game(caller=ada, seats=seats, now=table.now)
    table.post()
    lobby.cancel(caller=ada, game_id=game_id, now=table.now)
    addresses.add(caller=ada, email="ada@example.com", now=table.now)
    postman = Postman(table)
    postman.write("Cleo <cleo@example.org>", SERVICE, "new 2 seats bot random")
    token = AccountToken(ada.user_id)
    postman.write("Ada <ada@elsewhere.example>", address(token), "games")
    assert postman.ask("Ada <ada@example.org>", address(token), "games").outcomes

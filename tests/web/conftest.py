"""People at a table whose mails hold links, a browser that opens them, and the whole database to compare."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from engine import BRIBE
from service import clock
from service.config import Settings
from service.db import Base, reading
from service.mail import kinds
from service.mail.render import mail
from service.mail.tokens import MoveLink, Token, seal
from service.usecases.results import Caller
from tests.service.table import Clock, Table

Dump = dict[str, list[Any]]
_LINK = re.compile(r"https?://[^\s\"<>]+")


@pytest.fixture
def table(app: Flask) -> Table:
    """A table in the present: pages look at the real clock."""
    return Table(clock=Clock(clock.now()))


@pytest.fixture
def sealed(settings: Settings) -> Callable[[Token], str]:
    """Tokens as this installation signs them."""
    return lambda token: seal(settings.secret_key, token)


@pytest.fixture
def dump(app: Flask) -> Callable[[], Dump]:
    """Every row of every table."""

    def rows() -> Dump:
        with reading() as session:
            return {
                table.name: sorted(map(repr, session.execute(table.select()).all()))
                for table in Base.metadata.sorted_tables
            }

    return rows


@pytest.fixture
def links_of(settings: Settings) -> Callable[[kinds.Notice], list[str]]:
    """The web links of a mail, header, text and HTML, as paths of this service."""

    def found(notice: kinds.Notice) -> list[str]:
        message = mail(notice, settings)
        parts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
        whole = "\n".join([*parts, message.get("List-Unsubscribe", "")])
        links = dict.fromkeys(link.rstrip(">,.") for link in _LINK.findall(whole))
        assert all(link.startswith(f"{settings.base_url}/") for link in links), "every link of a mail is ours"
        return [link.removeprefix(settings.base_url) for link in links]

    return found


def bribing(table: Table, players: list[Caller]) -> tuple[str, Caller, MoveLink, int]:
    """A game in which somebody has several gold cards to bribe with: game, who, the link of one of them, its value."""
    rng = random.Random(7)
    for _ in range(20):
        game = table.game(*players)
        for _ in range(300):
            seen = next(v for v in (table.view(p, game) for p in players) if v.legal or v.info.status == "over")
            if seen.info.status == "over":
                break
            actor = next(p for p in players if table.view(p, game).info.you == seen.info.to_act)
            if seen.view is not None and seen.view.phase == BRIBE and len(seen.legal) > 2:
                row = seen.legal[1]
                link = MoveLink(game, seen.info.to_act or 0, seen.info.ply, row.number)
                return game, actor, link, int(row.action["gold"])
            table.move(actor, game, rng.choice(seen.legal).number)
    raise AssertionError("nobody ever had two gold cards to choose from")

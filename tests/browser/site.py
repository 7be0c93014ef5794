"""The site as it runs: `emerald serve` with its bots and mails, and the shortest way to a game worth looking at."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from flask import Flask
from sqlalchemy import select

from engine import Position, action_notation, apply, is_over, legal_actions, to_act
from service.bootstrap import create_base_app
from service.cli import letters
from service.clock import now
from service.config import Settings
from service.db import db, reading
from service.models import Address, Game
from service.usecases import infos, lobby, play, queries, talk
from service.usecases.results import SCOPES, Caller, ClockSpec, SeatSpec
from tests.e2e.stack import answers, program
from tests.support.hurry import haste
from tests.support.ports import HOST, free_port
from tests.support.processes import Process, wait_until

SECRET_KEY: Final = "a key for the browsers of the tests"
PATIENCE: Final = 60.0
_LINK: Final = re.compile(r"https?://[^\s/]+(/[^\s<>]+)")
_TRIES: Final = 300

Wanted = Callable[[Position], bool]


class Site:
    """A running service, and its database for those who prepare games."""

    def __init__(self, url: str, folder: Path, app: Flask) -> None:
        self.url = url
        self._folder = folder
        self._app = app
        self._read: dict[Path, EmailMessage] = {}

    # -- mails

    def mails(self, address: str) -> list[EmailMessage]:
        """What was mailed to this address, in the order in which it came."""
        for path in (self._folder / "mail").glob("*.eml"):
            if path not in self._read:
                self._read[path] = letters.parse(path.read_bytes())
        came = [(path.stat().st_mtime_ns, mail) for path, mail in self._read.items() if address in str(mail["To"])]
        return [mail for _, mail in sorted(came, key=lambda one: one[0])]

    def codes(self, address: str) -> int:
        """How many codes were mailed to this address so far."""
        return len(self._codes(address))

    def code(self, address: str, known: int = 0) -> str:
        """The newest code mailed to this address, once there are more than were ``known``."""
        wait_until(lambda: self.codes(address) > known, seconds=PATIENCE, what=f"a code for {address}", every=0.05)
        return self._codes(address)[-1]

    def _codes(self, address: str) -> list[str]:
        return [code for mail in self.mails(address) if (code := letters.code_in(mail)) is not None]

    def link(self, address: str, starts: str) -> str:
        """The newest link in the mails to this address that starts so, as a path."""

        def links() -> list[str]:
            found = [path for mail in self.mails(address) for path in _LINK.findall(letters.text_of(mail))]
            return [path.rstrip(".,>)") for path in found if path.startswith(starts)]

        wait_until(links, seconds=PATIENCE, what=f"a link {starts} for {address}", every=0.05)
        return links()[-1]

    # -- games

    def caller(self, address: str) -> Caller:
        """The account of an address, as use cases know it."""
        with self._app.app_context(), reading() as session:
            owner = session.scalars(select(Address.user_id).where(Address.email == address)).one()
        return Caller(owner, "", frozenset(SCOPES))

    def game(self, *players: Caller, bots: int = 0, first: int = 0) -> str:
        """A game that has begun, of these people in the order of seats, and bots."""
        seats = [SeatSpec("me"), *[SeatSpec("open")] * (len(players) - 1), *[SeatSpec("bot", level="steady")] * bots]
        clock = ClockSpec("days", days=3)
        with self._app.app_context():
            game_id = lobby.create_game(
                caller=players[0], seats=seats, first=first, clock=clock, public=True, now=now()
            )
            for player in players[1:]:
                lobby.join(caller=player, game_id=game_id, now=now())
        return game_id

    def game_at(self, players: Sequence[Caller], wanted: Wanted) -> str:
        """A game of these people alone that was played until it is as wanted."""
        for _ in range(10):
            game_id = self.game(*players)
            for seat, words in _way(self.position(game_id), wanted):
                with self._app.app_context():
                    ply = self._ply(game_id)
                    play.submit(caller=players[seat], game_id=game_id, ply=ply, line=words, now=now())
            if wanted(self.position(game_id)):
                return game_id
        raise AssertionError("no game came to be as wanted")

    def waiting_game(self, creator: Caller, *, public: bool = True) -> tuple[str, str]:
        """A game that waits for somebody; its id, and its join code if it is private."""
        with self._app.app_context():
            seats = [SeatSpec("me"), SeatSpec("open")]
            game_id = lobby.create_game(caller=creator, seats=seats, public=public, now=now())
            return game_id, queries.game_view(caller=creator, game_id=game_id).info.join_code or ""

    def say(self, who: Caller, game_id: str, text: str) -> None:
        """Say something at a table."""
        with self._app.app_context():
            talk.say(caller=who, game_id=game_id, text=text, now=now())

    def turn(self, players: Sequence[Caller], game_id: str, seat: int) -> None:
        """This seat, if it is to act, does the first that is legal until it is somebody else's turn."""
        while to_act(self.position(game_id)) == seat:
            with self._app.app_context():
                ply = self._ply(game_id)
                play.submit(caller=players[seat], game_id=game_id, ply=ply, line="1", now=now())

    def position(self, game_id: str) -> Position:
        """The whole position, hidden things too."""
        with self._app.app_context(), reading() as session:
            found = infos.position_of(session.scalars(select(Game).where(Game.id == game_id)).one())
        assert found is not None
        return found

    def _ply(self, game_id: str) -> int:
        with reading() as session:
            return session.scalars(select(Game.ply).where(Game.id == game_id)).one()


@contextmanager
def running(folder: Path) -> Iterator[Site]:
    """The service from one process, in this folder, until the end of the block."""
    port = free_port()
    url = f"http://{HOST}:{port}"
    env = {
        "EMERALD_SECRET_KEY": SECRET_KEY,
        "EMERALD_DATABASE_URL": f"sqlite:///{folder / 'emerald.db'}",
        "EMERALD_MAIL_URL": f"folder:{folder / 'mail'}",
        "EMERALD_BASE_URL": url,
        "EMERALD_RATE_LIMIT": "off",
        "EMERALD_RELAY_SECONDS": "0.2",
    }
    process: Process = program(
        "serve", folder, env, "-m", "service.cli", "serve", "--port", str(port), "--data", str(folder)
    )
    process.ready = lambda: answers(f"{url}/healthz")
    with process:
        app = create_base_app(Settings.from_env(env))
        yield Site(url, folder, app)
        with app.app_context():
            db.engine.dispose()
    said = process.log.read_text(errors="replace")
    assert "Traceback" not in said, said[-6000:]


def _way(start: Position, wanted: Wanted) -> list[tuple[int, str]]:
    """The shortest of many ways to such a position: who does what, in notation. Empty if none came there."""
    rng = random.Random(1)
    best: list[tuple[int, str]] = []
    for number in range(_TRIES):
        position, made = start, list[tuple[int, str]]()
        while not wanted(position) and not is_over(position) and not (best and len(made) >= len(best) - 1):
            legal = [(action_notation(action, start.players), action) for action in legal_actions(position)]
            words, action = rng.choice(legal) if number else max(legal, key=lambda one: haste(one[0]))
            made.append((to_act(position) or 0, words))
            position, _ = apply(position, action)
        if wanted(position) and not (best and len(made) >= len(best)):
            best = made
    return best

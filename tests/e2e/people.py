"""People at the API, who play by mail: they move when their "your turn" mail has come."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from service.cli import letters
from service.cli.client import ApiError, Client, patiently
from tests.e2e.post import Letter
from tests.support.hurry import haste
from tests.support.processes import wait_until
from tests.support.smtp import SmtpServer

PATIENCE = 150.0
PAUSE = 0.1


@dataclass
class Person:
    """A client of the API with a mailbox of its own."""

    name: str
    address: str
    client: Client
    smtp: SmtpServer
    _read: list[Letter] = field(default_factory=list)

    def copy(self) -> Person:
        """The same person with a client of their own, for another thread."""
        return Person(self.name, self.address, Client(self.client.url, self.client.token), self.smtp)

    def letters(self) -> list[Letter]:
        """All mails to this person so far, each read once."""
        for mail in self.smtp.to(self.address)[len(self._read) :]:
            self._read.append(Letter(mail.raw))
        return self._read


@dataclass(frozen=True)
class Made:
    """An accepted move: which plies it made, and the actions, as the server answered."""

    seat: int
    ply: int
    next_ply: int
    actions: tuple[dict[str, Any], ...]


@dataclass
class Played:
    """A game that came to its end."""

    id: str
    seats: int
    people: int
    made: list[Made] = field(default_factory=list)
    turns: set[tuple[int, int]] = field(default_factory=set)
    """(seat, ply) of every turn that came to a person."""
    wrong: list[str] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)


def sign_up(url: str, smtp: SmtpServer, name: str) -> Person:
    """A person with an account, signed in by the code from the mail."""
    mark = secrets.token_hex(4)
    person = Person(f"{name} {mark}", f"{name.lower()}-{mark}@example.org", Client(url), smtp)
    body = {"email": person.address, "display_name": person.name}
    patiently(lambda: person.client.post("/accounts", body))
    [mail] = smtp.wait_for(to=person.address, seconds=PATIENCE)
    code = letters.code_in(mail.message)
    person.client.token = person.client.post("/tokens", {"email": person.address, "code": code})["token"]
    return person


def play(
    people: list[Person], seats: int, rng: Random, *, hurry: bool = False, moved: Callable[[], None] = lambda: None
) -> Played:
    """A whole game: ``people`` in the first seats, bots in the others. ``moved`` is called after each move.

    They move at random, or in a ``hurry`` so that the end comes nearer.
    """
    creator = people[0].client
    wanted: list[dict[str, str]] = [{"kind": "me"}, *({"kind": "open"} for _ in people[1:])]
    wanted += [{"kind": "bot", "level": "random"}] * (seats - len(people))
    made = patiently(lambda: creator.post("/games", {"seats": wanted, "public": True}), seconds=PATIENCE)
    played = Played(made["id"], seats, len(people))
    for person in people[1:]:
        _join(person, played.id)
    end = time.monotonic() + 20 * 60
    while (game := _look(people[0], played.id))["status"] != "over":
        if time.monotonic() > end:
            raise TimeoutError(f"game {played.id} of {seats} seats does not end; it is at ply {game['ply']}")
        if game["to_act"] is None or game["to_act"] >= len(people):
            time.sleep(PAUSE)
            continue
        _move(people[game["to_act"]], game, played, (lambda legal: max(legal, key=_haste)) if hurry else rng.choice)
        moved()
    for person in people:
        wait_for_the_end(person, played)
    played.record = patiently(lambda: creator.get(f"/games/{played.id}/record"), seconds=PATIENCE)
    return played


def wait_for_the_end(person: Person, played: Played) -> None:
    """Wait until this person has the mail about the end of the game."""

    def told() -> bool:
        return any(is_ending(letter.subject) and played.id in letter.text for letter in person.letters())

    wait_until(told, seconds=PATIENCE, what=f"the mail about the end of game {played.id}")


def is_ending(subject: str) -> bool:
    """Is this the subject of a mail about the end of a game?"""
    return " won" in subject or "share the win" in subject


def _join(person: Person, game_id: str) -> None:
    try:
        patiently(lambda: person.client.post(f"/games/{game_id}/join", {}), seconds=PATIENCE)
    except ApiError as error:
        # The first request may have been done although its answer was lost.
        if error.code not in ("already-joined", "game-full", "game-not-waiting"):
            raise


def _look(person: Person, game_id: str) -> dict[str, Any]:
    game: dict[str, Any] = patiently(lambda: person.client.get(f"/games/{game_id}"), seconds=PATIENCE)
    return game


def _haste(row: dict[str, Any]) -> int:
    return haste(row["notation"])


def _move(person: Person, game: dict[str, Any], played: Played, choose: Callable[[list[Any]], Any]) -> None:
    seat, ply = game["to_act"], game["ply"]
    if ply == game["turn_ply"]:
        played.turns.add((seat, ply))
        decision = letters.Decision(played.id, ply)
        end = time.monotonic() + PATIENCE
        while not any(letter.turn == decision for letter in reversed(person.letters())):
            if time.monotonic() > end:
                came = [f"{x.subject} {x.turn}" for x in person.letters() if played.id in x.text]
                raise TimeoutError(f"no mail to {person.name} for {decision}; about this game came {came}")
            time.sleep(PAUSE / 2)
    legal = _look(person, played.id)["legal"]
    body = {"ply": ply, "actions": [choose(legal)["action"]]}
    key = secrets.token_hex(8)
    try:
        answer = patiently(lambda: person.client.post(f"/games/{played.id}/moves", body, key=key), seconds=PATIENCE)
    except ApiError as error:
        # The seat is ours, the ply is open, the action was legal: any refusal is a fault of the service.
        played.wrong.append(f"ply {ply}: {error}")
        return
    actions = tuple(row["action"] for row in answer["applied"])
    played.made.append(Made(seat, answer["ply"], answer["next_ply"], actions))

"""`emerald demo`: whole games of two API clients and bots against a running server, over HTTP, mail included."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any, Final

import click
from rich.markup import escape
from rich.progress import Progress

from engine import RecordError
from engine import verify as verify_record
from service.cli import letters
from service.cli.client import ApiError, Client, NoAnswerError, patiently
from service.cli.inbox import PAUSE, Inbox
from service.cli.progress import bar
from service.pictures.names import bot_name

PATIENCE: Final = 120.0
USUAL_LENGTH: Final = 145


@dataclass
class Player:
    """A client of the API with a mailbox."""

    name: str
    address: str
    client: Client


@click.command()
@click.option("--seats", type=click.IntRange(2, 5), help="One game with so many seats; else one each of 2, 3, 4, 5.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Where the server is.")
@click.option("--verbose", is_flag=True, help="Show the whole text of every mail, and the whole record.")
@click.option("--hurry", is_flag=True, help="Let the clients look at the game instead of waiting for their mail.")
def demo(seats: int | None, url: str, verbose: bool, hurry: bool) -> None:
    """Play whole games against a running server, and show every mail and the final record.

    Two clients sign up with codes read from the server's development inbox, and sit down with bots (a game of two
    needs none). Each moves when its "your turn" mail has come.
    """
    try:
        client = Client(url)
        client.call("GET", "/healthz")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--url") from None
    except (ApiError, NoAnswerError) as error:
        raise click.ClickException(f"{error}. Start a server first, in another shell: emerald serve") from None
    try:
        with bar() as progress:
            show = _Show(progress, verbose)
            inbox = Inbox(client, show.mail)
            players = [_sign_up(name, url, inbox) for name in ("Ada", "Ben")]
            for number in (seats,) if seats else (2, 3, 4, 5):
                _Game(players, number, inbox, show, hurry=hurry).play()
    except (ApiError, NoAnswerError) as error:
        raise click.ClickException(f"the server answers {error}") from None


class _Show:
    """Everything the demo says, above the progress bar."""

    def __init__(self, progress: Progress, verbose: bool) -> None:
        self.progress = progress
        self.verbose = verbose

    def mail(self, message: EmailMessage) -> None:
        to = message["To"].addresses[0].display_name or message["To"].addresses[0].addr_spec
        self.say(f"[cyan]mail to {escape(to):<10}[/]  {escape(letters.subject_of(message))}")
        if self.verbose:
            self.say(f"[dim]{escape(letters.text_of(message))}[/]")

    def say(self, line: str) -> None:
        self.progress.console.print(line, highlight=False)


def _sign_up(name: str, url: str, inbox: Inbox) -> Player:
    """A new account, signed in with the code that was mailed to it."""
    mark = secrets.token_hex(3)
    player = Player(f"{name} {mark}", f"{name.lower()}-{mark}@example.org", Client(url))
    player.client.post("/accounts", {"email": player.address, "display_name": player.name})
    what = f"the sign-in code for {player.address}"
    mail = inbox.wait(player.address, lambda m: letters.code_in(m) is not None, what=what, seconds=PATIENCE)
    made = player.client.post(
        "/tokens", {"email": player.address, "code": letters.code_in(mail), "token_name": "emerald demo"}
    )
    player.client.token = made["token"]
    return player


class _Game:
    """One game, from its creation to its record."""

    def __init__(self, players: Sequence[Player], seats: int, inbox: Inbox, show: _Show, *, hurry: bool) -> None:
        self._players = players
        self._seats = seats
        self._inbox = inbox
        self._show = show
        self._hurry = hurry
        self._id = ""

    def play(self) -> None:
        """Create, join, play to the end, and check what came of it."""
        self._create()
        task = self._show.progress.add_task(f"{self._seats} seats", total=USUAL_LENGTH)
        while (game := self._look())["status"] != "over":
            self._show.progress.update(task, completed=game["ply"], total=max(USUAL_LENGTH, game["ply"] + 10))
            player = self._player(game)
            if player is None:
                time.sleep(PAUSE)
            else:
                self._move(player, game)
        self._show.progress.update(task, completed=game["ply"], total=game["ply"])
        self._finish(game)

    def _look(self) -> dict[str, Any]:
        game: dict[str, Any] = patiently(lambda: self._players[0].client.get(f"/games/{self._id}"))
        return game

    def _create(self) -> None:
        ada, ben = self._players
        seats: list[dict[str, str]] = [{"kind": "me"}, {"kind": "invite", "name": ben.name}]
        seats += [{"kind": "bot", "level": "steady"}] * (self._seats - 2)
        made = ada.client.post("/games", {"seats": seats, "entropy": secrets.token_hex(8)})
        self._id = made["id"]
        self._show.say(f"\n[bold]A game of {self._seats}[/], {self._id}; commitment {made['commitment']}")
        self._inbox.wait(ben.address, lambda m: self._id in letters.text_of(m), what="the invitation", seconds=PATIENCE)
        ben.client.post(f"/games/{self._id}/join", {"entropy": secrets.token_hex(8)})

    def _player(self, game: dict[str, Any]) -> Player | None:
        """Who of ours is to act."""
        seat = game["to_act"]
        return self._players[seat] if seat is not None and seat < len(self._players) else None

    def _move(self, player: Player, game: dict[str, Any]) -> None:
        turn = letters.Decision(self._id, game["turn_ply"])
        if not self._hurry and game["ply"] == game["turn_ply"]:
            what = f"the turn of {player.name} at ply {turn.ply}"
            self._inbox.wait(player.address, lambda m: letters.turn_in(m) == turn, what=what, seconds=PATIENCE)
        mine = patiently(lambda: player.client.get(f"/games/{self._id}"))
        if mine["ply"] != game["ply"]:
            return
        line = secrets.choice(mine["legal"])["notation"]
        key = secrets.token_hex(8)
        patiently(lambda: player.client.post(f"/games/{self._id}/moves", {"ply": mine["ply"], "line": line}, key=key))

    def _finish(self, game: dict[str, Any]) -> None:
        for player in self._players:
            what = f"the end of the game for {player.name}"
            self._inbox.wait(player.address, self._is_end, what=what, seconds=PATIENCE)
        client = self._players[0].client
        record = patiently(lambda: client.get(f"/games/{self._id}/record"))
        try:
            verify_record(record)
        except RecordError as error:
            raise click.ClickException(f"the record of game {self._id} is wrong: {error}") from None
        self._show.say(escape(client.call("GET", f"/api/v1/games/{self._id}/board.txt").body.decode()))
        result = game["result"]
        for seat in game["seats"]:
            number = seat["number"]
            name = seat["name"] or bot_name(number)
            mark = "  [green]winner[/]" if number in result["winners"] else ""
            self._show.say(f"  {escape(name):<14} {result['scores'][number]:>3} points{mark}")
        self._show.say(
            f"The record has {len(record['steps'])} steps; every step, the cards and the dice are what the seed "
            f"{record['seed'][:16]}... gives, and the seed is what the commitment promised."
        )
        if self._show.verbose:
            self._show.say(escape(json.dumps(record)))

    def _is_end(self, message: EmailMessage) -> bool:
        subject = letters.subject_of(message)
        return self._id in letters.text_of(message) and ("won" in subject or "share the win" in subject)

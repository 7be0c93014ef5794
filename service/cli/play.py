"""`emerald play`: a game in the terminal against bots. The engine alone: no database, no network."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random, SystemRandom
from shutil import get_terminal_size
from textwrap import fill
from typing import Final

import click

from engine import (
    RULES,
    Event,
    IllegalAction,
    NotationError,
    Position,
    action_notation,
    apply,
    commitment,
    deal,
    event_to_json,
    legal_actions,
    play_line,
    score,
    start,
    to_act,
    view,
)
from engine.bots import LEVELS
from service.cli.selfplay import levels_of
from service.mail.kinds import Entry
from service.mail.words import action_words, sentence
from service.pictures.names import bot_name
from service.pictures.text import board_text

THINKING_SECONDS: Final = 1.0
WIDEST: Final = 100
HELP: Final = """\
Write a number from the list, or the move in words:
  t1            move your knight on t1, as many steps as knights stand there
  t1 m3 gem     move two knights, and take the gem if there is a choice
  stop          end the turn after one knight
  gold, gem     the card to take
  catch purple  whom the dragon catches; catch purple>yellow: the first there
  bribe lowest  give the dragon a gold card (or: bribe highest, bribe 3)
  surrender     give up the caught knight
With two players say the colour too: orange t1.
Also: board (show it again), rules, quit."""


class _QuitError(Exception):
    """The player has had enough."""


@dataclass
class _Table:
    """One game in a terminal: who sits where, and what the player has not been told yet."""

    position: Position
    me: int
    names: Sequence[str]
    news: list[Event]

    def tell(self) -> None:
        """Say what happened since the player was last told."""
        for event in self.news:
            say(f"  {sentence(_entry(event, self.me), self.names, self.me)}", indent=4)
        self.news.clear()

    def ask(self) -> None:
        """Let the player decide until a line stands."""
        click.echo("\n" + board_text(view(self.position, self.me), self.names))
        self.menu()
        while True:
            try:
                text = click.prompt(f"{self.names[self.me]}", prompt_suffix="> ").strip()
            except click.Abort:  # the end of the input
                raise _QuitError from None
            if self._command(text.lower()):
                continue
            try:
                played = play_line(self.position, text)
            except (IllegalAction, NotationError) as error:
                say(str(error))
                click.echo("Legal now:")
                self.menu()
                continue
            for dropped in played.dropped:
                say(f"'{dropped.word}' came to nothing: {dropped.reason}")
            for step in played.steps:
                self.news += step.events
            self.position = played.steps[-1].position
            return

    def _command(self, word: str) -> bool:
        if word in ("quit", "exit", "q"):
            raise _QuitError
        if word in ("help", "?"):
            click.echo(HELP)
        elif word == "board":
            click.echo(board_text(view(self.position, self.me), self.names))
        elif word == "rules":
            for rule, text in RULES.items():
                say(f"{rule:<10} {text}", indent=11)
        else:
            return False
        return True

    def menu(self) -> None:
        """The numbered list of what is legal."""
        seen = view(self.position, self.me)
        for number, action in enumerate(legal_actions(self.position), start=1):
            written = action_notation(action, self.position.players)
            say(f"  {number:>2}. {written:<10} {action_words(action, seen, self.names)}", indent=17)


def say(text: str, indent: int = 0) -> None:
    """A line, broken between words where the terminal ends; what follows is indented."""
    width = min(get_terminal_size().columns, WIDEST)
    click.echo(fill(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False))


def _entry(event: Event, me: int) -> Entry:
    told = event_to_json(event, me)
    return Entry(event.kind, told.get("seat"), told)


@click.command()
@click.option("--seats", type=click.IntRange(2, 5), default=3, show_default=True, help="Seats, yours included.")
@click.option("--seat", type=click.IntRange(1, 5), default=1, show_default=True, help="Where you sit.")
@click.option("--bots", default="steady", show_default=True, help="Bot level of the others (see `emerald bot levels`).")
@click.option("--seed", metavar="TEXT", help="The same text gives the same cards and dice; otherwise they are new.")
def play(seats: int, seat: int, bots: str, seed: str | None) -> None:
    """Play a game against bots, here in the terminal."""
    if seat > seats:
        raise click.BadParameter(f"there are only {seats} seats", param_hint="--seat")
    levels = levels_of(bots, seats)
    me = seat - 1
    names = ["You" if s == me else bot_name(s) for s in range(seats)]
    secret = secrets.token_bytes(32) if seed is None else _seed_of(seed)
    rng: Random = SystemRandom() if seed is None else Random(seed)  # noqa: S311 - repeatable on purpose
    table = _Table(start(deal(seats, secret, [""] * seats, None)), me, names, [])
    say(f"A new game of {seats}. Commitment of its seed: {commitment(secret)}")
    say("`help` tells how to move.")
    try:
        _run(table, levels, rng)
    except _QuitError:
        say(f"Good bye. The seed was {secret.hex()}")
        return
    table.tell()
    _finish(table, secret)


def _seed_of(text: str) -> bytes:
    from hashlib import sha256

    return sha256(f"emerald play|{text}".encode()).digest()


def _run(table: _Table, levels: Sequence[str], rng: Random) -> None:
    while (seat := to_act(table.position)) is not None:
        if seat == table.me:
            table.tell()
            table.ask()
        else:
            choose = LEVELS[levels[seat]]
            action = choose(view(table.position, seat), legal_actions(table.position), THINKING_SECONDS, rng)
            table.position, events = apply(table.position, action)
            table.news += events


def _finish(table: _Table, secret: bytes) -> None:
    result = score(table.position)
    click.echo("\n" + board_text(view(table.position, table.me), table.names))
    for seat, name in enumerate(table.names):
        mark = "  *" if seat in result.winners else ""
        click.echo(
            f"{name:<8} {result.scores[seat]:>3}  (gold {result.gold[seat]}, treasures {result.treasures[seat]}, "
            f"gems {result.gems[seat]}, bonus {result.bonus[seat]}){mark}"
        )
    say(f"The seed was {secret.hex()}")

"""`emerald selfplay`: whole games of bots against each other, as records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from engine import Action, Provenance, apply, deal, legal_actions, record_of, start, to_act, view
from engine.bots import LEVELS
from service.cli.progress import track

# A bot that is cut short by the clock would not play the same game twice.
THINKING_SECONDS: Final = 3600.0


@click.command()
@click.option("--seats", type=click.IntRange(2, 5), default=4, show_default=True, help="Seats in each game.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=1, show_default=True, help="How many games.")
@click.option("--seed", default="1", show_default=True, help="Any text; the same text gives the same games.")
@click.option(
    "--bots",
    default="random",
    show_default=True,
    help="Bot levels, comma-separated: one for all seats, or one a seat (see `emerald bot levels`).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("records"),
    show_default=True,
    help="Folder for the records; made if it is not there.",
)
def selfplay(seats: int, games: int, seed: str, bots: str, out: Path) -> None:
    """Let bots play whole games and write each as a record, with every position and count of legal actions."""
    levels = levels_of(bots, seats)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for number in track(range(1, games + 1), f"{games} games of {seats} seats"):
            record = play_game(seats, levels, f"{seed}|{seats}|{','.join(levels)}|{number}")
            path = out / f"game-{seats}-{number:04d}.json"
            path.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
    except OSError as error:
        raise click.BadParameter(f"cannot write to {out}: {error.strerror}", param_hint="--out") from None
    click.echo(f"{games} records in {out}", err=True)


def levels_of(text: str, seats: int) -> list[str]:
    """One bot level a seat from ``random`` or ``random,steady,…``."""
    levels = [level.strip() for level in text.split(",")]
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise click.BadParameter(
            f"there is no bot level {unknown[0]!r}; there are: {', '.join(LEVELS)}", param_hint="--bots"
        )
    if len(levels) == 1:
        levels *= seats
    if len(levels) != seats:
        raise click.BadParameter(f"{len(levels)} levels for {seats} seats: name one, or {seats}", param_hint="--bots")
    return levels


def play_game(seats: int, levels: Sequence[str], name: str) -> dict[str, Any]:
    """The record of one game; everything in it follows from ``name``."""
    seed = hashlib.sha256(f"emerald selfplay|{name}".encode()).digest()
    entropy = ("",) * seats
    setup = deal(seats, seed, entropy, None)
    rng = Random(f"bots|{name}")  # noqa: S311 - choices of bots, which must be the same each time
    position = start(setup)
    actions: list[Action] = []
    while (seat := to_act(position)) is not None:
        action = LEVELS[levels[seat]](view(position, seat), legal_actions(position), THINKING_SECONDS, rng)
        actions.append(action)
        position, _ = apply(position, action)
    return record_of(setup, actions, Provenance(seed, entropy, None), with_after=True)

"""`emerald replay` and `emerald verify`: check finished games, one or many files."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from engine import RecordError, after, load
from engine import replay as steps_of
from engine import verify as check
from engine.record import MAX_BYTES

files = click.argument("files", metavar="FILE...", nargs=-1, required=True)


@click.command()
@files
@click.option("--trace", is_flag=True, help="Print every position as the record's own `after`, one JSON object a line.")
def replay(files: Sequence[str], trace: bool) -> None:
    """Replay records step by step, and say at which step and why one first differs. `-` reads standard input."""

    def replay_one(record: dict[str, Any]) -> str:
        number = 0
        for step in steps_of(record):
            number = step.number
            if trace:
                click.echo(json.dumps(after(step.position), separators=(",", ":")))
        return f"{number} steps replayed, {_result(record)}"

    _each(files, replay_one)


@click.command()
@files
def verify(files: Sequence[str]) -> None:
    """Check records whole: every step, and that cards and dice are what the seed and its commitment say."""

    def verify_one(record: dict[str, Any]) -> str:
        check(record)
        return f"{len(record['steps'])} steps, cards and dice as the seed gives them, {_result(record)}"

    _each(files, verify_one)


def _each(names: Sequence[str], work: Callable[[dict[str, Any]], str]) -> None:
    """Do every file, say one line about each on stderr, and exit with 1 if any was wrong."""
    wrong = 0
    for name in names:
        try:
            said = work(load(read(name)))
        except RecordError as error:
            wrong += 1
            click.echo(printable(f"{name}: {error}"), err=True)
        except RecursionError:
            wrong += 1
            click.echo(f"{name}: nested too deeply to be a record", err=True)
        else:
            click.echo(printable(f"{name}: ok, {said}"), err=True)
    if wrong:
        if len(names) > 1:
            click.echo(f"{wrong} of {len(names)} files are wrong", err=True)
        raise SystemExit(1)


def read(name: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``; never more than a little too many for a record."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        path = Path(name)
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise RecordError("this is a folder, not a file")
        if not stat.S_ISREG(mode):
            raise RecordError("this is no ordinary file; to check what a program prints, pipe it into `-`")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror or error}") from None


def printable(text: str) -> str:
    """One line for a terminal: what a hostile file holds must neither break it nor command it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _result(record: dict[str, Any]) -> str:
    result = record["result"]
    scores = f"scores {'-'.join(str(score) for score in result['scores'])}"
    if record.get("broken_off"):
        return f"{scores}, ended early by its players and won by nobody"
    winners = " and ".join(str(seat) for seat in result["winners"])
    return f"{scores}, won by seat {winners} (counting from 0)"

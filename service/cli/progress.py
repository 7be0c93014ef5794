"""Progress on stderr, so that stdout stays clean for what was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as Remaining

T = TypeVar("T")


def bar() -> Progress:
    """An empty progress display; where stderr is no terminal it draws nothing until the end."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        Remaining(),
        console=Console(stderr=True),
    )


def track(items: Iterable[T], what: str) -> Iterator[T]:
    """Go through ``items`` with a bar."""
    with bar() as progress:
        yield from progress.track(items, description=what)

"""`emerald migrate`, `emerald outbox` and `emerald openapi`: what operators and developers need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from flask import Flask
from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import OperationalError, ProgrammingError

from service import clock, logs, outbox
from service.bootstrap import create_base_app, migrate_database
from service.config import Settings
from service.db import db

_NONE = {
    (): "waits",
    ("failed",): "has failed",
    ("dropped",): "was dropped",
    ("failed", "dropped"): "has failed or was dropped",
}


@contextmanager
def _app() -> Iterator[Flask]:
    """The application of the environment, with its connections closed in the end."""
    logs.configure("WARNING")  # what is wrong with the settings is said before they say how much is to be said
    app = create_base_app(Settings.from_env(os.environ))
    with app.app_context():
        try:
            yield app
        except (OperationalError, ProgrammingError) as error:  # away, or without our tables
            said = str(error.orig).strip().splitlines()[0]
            raise click.ClickException(
                f"the database of EMERALD_DATABASE_URL cannot be used: {said}. Is it there, and has `emerald migrate` "
                "been run?"
            ) from None
        finally:
            db.engine.dispose()


@click.command()
def migrate() -> None:
    """Bring the database of EMERALD_DATABASE_URL to the newest schema; harmless when it is there already."""
    with _app() as app:
        migrate_database(app)
    click.echo("The database has the newest schema.", err=True)


@click.command(name="outbox")
@click.option("--failed", is_flag=True, help="Only rows that were given up after the last attempt.")
@click.option("--dropped", is_flag=True, help="Only rows that ended without anything being sent or done, and why.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many, newest first.")
@click.option(
    "--retry", "retried", type=int, multiple=True, metavar="ID", help="Try this failed row again; may repeat."
)
def outbox_rows(failed: bool, dropped: bool, limit: int, retried: tuple[int, ...]) -> None:
    """Show what is still to be sent or done, and what was given up; try given-up rows again."""
    with _app():
        if retried:
            missing = [row for row in retried if not outbox.retry(row, now=clock.now())]
            if missing:
                raise click.ClickException(f"no failed row has the id {', '.join(map(str, missing))}")
            click.echo(f"{len(retried)} will be tried again within a moment", err=True)
            return
        states = [state for state, wanted in (("failed", failed), ("dropped", dropped)) if wanted]
        found = outbox.rows(states=states or (*outbox.OPEN, "failed"), limit=limit)
    table = Table(box=None)
    for heading in ("id", "topic", "state", "tries", "put", "next try", "about", "why, or the last error"):
        table.add_column(heading, overflow="fold")
    for row in found:
        about = " ".join(f"{name}={value}" for name, value in row.payload.items())
        next_try = f"{row.next_at:%Y-%m-%d %H:%M:%SZ}" if row.state in outbox.OPEN else ""
        table.add_row(
            *(str(row.id), row.topic, row.state, str(row.attempts), f"{row.created_at:%Y-%m-%d %H:%M:%SZ}"),
            *(next_try, about, row.last_error or ""),
        )
    console = Console()
    if not console.is_terminal:  # a file or a pipe: one row a line, whatever the terminal
        console = Console(width=400)
    console.print(table if found else f"Nothing {_NONE[tuple(states)]}.", markup=False)


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here; otherwise to standard output."
)
def openapi(out: Path | None) -> None:
    """Write the API's OpenAPI document, made from the code."""
    from service.api.openapi import document_text

    text = document_text()
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"written to {out}", err=True)

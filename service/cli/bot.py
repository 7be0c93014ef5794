"""`emerald bot`: the house bots."""

from __future__ import annotations

import click

from engine.bots import LEVELS


@click.group()
def bot() -> None:
    """What there is to know about the house bots."""


@bot.command()
def levels() -> None:
    """List the levels, weakest first, one a line."""
    for name, choose in LEVELS.items():
        click.echo(f"{name:<10} {(choose.__doc__ or '').strip().splitlines()[0]}")

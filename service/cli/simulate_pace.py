"""`emerald simulate-pace`: how many days a game by mail takes, and how many messages, with and without orders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from engine.bots import LEVELS
from service.cli.progress import bar
from service.simulation.figures import Figures, play_deal
from service.simulation.habits import MODELS
from service.simulation.pace import WAYS, Setting, Way

EXPLAINED: Final = (
    "off: without orders. orders: bribes and catches are said ahead. strict, plans: a plan for the next turn as well,\n"
    "dropped at a surprise (strict), or with an else for it. shorter: than off, ± so much in 95 of 100 cases.\n"
    "messages: a person and turn. woken: others asked for a bribe, a game. asked: which part of the waits and of the\n"
    "waiting time is for bribes and choices of whom to catch. by plan: turns that a plan played."
)


@click.command()
@click.option(
    "--seats", type=click.IntRange(2, 5), multiple=True, default=(4,), show_default=True, help="Again for more."
)
@click.option("--games", type=click.IntRange(1, 100_000), default=40, show_default=True, help="Deals of each kind.")
@click.option("--seed", default="1", show_default=True, help="Any text; the same text gives the same games.")
@click.option(
    "--model", "models", type=click.Choice(MODELS), multiple=True, default=MODELS, help="When people look; all if none."
)
@click.option("--bots", type=click.Choice(list(LEVELS)), default="random", show_default=True, help="Taste in moves.")
@click.option(
    "--stays", is_flag=True, help="People answer at once what comes back at once, and not at their next look."
)
@click.option("--json", "as_json", is_flag=True, help="All figures as JSON, and no table.")
def simulate_pace(
    seats: Sequence[int], games: int, seed: str, models: Sequence[str], bots: str, stays: bool, as_json: bool
) -> None:
    """Play games by mail with people who look at it twice a day, once, at the weekend, or each as they do.

    Each deal is played four ways with the same people and times: without orders, with standing orders, and with two
    kinds of plans beside them (docs/PERFORMANCE.md, Pace).
    """
    settings = [Setting(count, model, bots, stays) for count in dict.fromkeys(seats) for model in dict.fromkeys(models)]
    found = []
    with bar() as progress:
        task = progress.add_task(f"{games} deals of {len(settings)} kinds", total=games * len(settings))
        for setting in settings:
            deals = []
            for number in range(games):
                deals.append(play_deal(setting, seed, number))
                progress.advance(task)
            found.append(Figures(setting, deals))
    if as_json:
        click.echo(json.dumps([figures.to_json() for figures in found], indent=2, allow_nan=False))
    else:
        show(found)


def show(found: Sequence[Figures]) -> None:
    """The figures as a table on stdout, with what its columns mean."""
    table = Table()
    for heading in ("seats", "looks", "way"):
        table.add_column(heading)
    for heading in ("days a game", "shorter", "messages", "woken", "asked", "by plan"):
        table.add_column(heading, justify="right")
    for figures in found:
        for way in WAYS:
            first = way == WAYS[0]
            table.add_row(
                str(figures.setting.seats) if first else "",
                figures.setting.model if first else "",
                way,
                f"{figures.days(way):.1f}",
                "" if first else shorter(figures, way),
                f"{figures.messages(way):.3f}",
                f"{figures.woken(way):.1f}",
                asked(figures) if first else "",
                "" if way in WAYS[:2] else f"{figures.by_plan(way):.0%}",
                end_section=way == WAYS[-1],
            )
    console = Console(width=None if Console().is_terminal else 120)
    console.print(table)
    console.print(EXPLAINED, highlight=False)


def shorter(figures: Figures, way: Way) -> str:
    """By which part games are shorter, with its margin."""
    estimate = figures.shorter(way)
    return f"{estimate.value:.1%} ±{100 * estimate.margin:.1f}"


def asked(figures: Figures) -> str:
    """Which part of the waits, and of the waiting time, is for bribes and choices."""
    return f"{figures.share_of_waits():.1%}, {figures.share_of_time():.1%}"

"""Games by mail with and without orders, thousands of them: `python -m bench.pace` (docs/PERFORMANCE.md, Pace).

The deals are shared out among all cores. Ten thousand deals are played by default, the same number for each count of
seats and each reply-time model, and each of them four ways. `--write` puts the tables into docs/PERFORMANCE.md.
"""

import argparse
import os
import platform
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from service.cli.simulate_pace import asked, shorter, show
from service.simulation.figures import Deal, Figures, play_deal
from service.simulation.habits import MODELS
from service.simulation.pace import WAYS, Setting

REPORT = Path(__file__).resolve().parents[1] / "docs" / "PERFORMANCE.md"
CHUNK = 25
SEATS = (2, 3, 4, 5)


class Task(NamedTuple):
    """Some deals of one setting, as one process plays them."""

    setting: Setting
    seed: str
    numbers: range


def play(task: Task) -> list[Deal]:
    """The deals of a task."""
    return [play_deal(task.setting, task.seed, number) for number in task.numbers]


def figures(settings: list[Setting], games: int, seed: str, cores: int) -> list[Figures]:
    """So many deals of each setting."""
    tasks = [
        Task(setting, seed, range(begin, min(begin + CHUNK, games)))
        for setting in settings
        for begin in range(0, games, CHUNK)
    ]
    deals: dict[Setting, list[Deal]] = {setting: [] for setting in settings}
    with ProcessPoolExecutor(cores) as pool:
        played = track(pool.map(play, tasks), description="playing", total=len(tasks), console=Console(stderr=True))
        for task, some in zip(tasks, played, strict=True):
            deals[task.setting] += some
    return [Figures(setting, deals[setting]) for setting in settings]


#: One column a question; in it the ways in their order.
HEADINGS = ("seats", "looks", "days a game", "shorter than off", "messages", "woken", "asked", "by plan")


def row(found: Figures) -> tuple[str, ...]:
    """One line of the table in the docs."""
    return (
        str(found.setting.seats),
        found.setting.model,
        " / ".join(f"{found.days(way):.1f}" for way in WAYS),
        " / ".join(shorter(found, way) for way in WAYS[1:]),
        " / ".join(f"{found.messages(way):.3f}" for way in WAYS),
        " / ".join(f"{found.woken(way):.1f}" for way in WAYS[:2]),
        asked(found),
        " / ".join(f"{found.by_plan(way):.0%}" for way in WAYS[2:]),
    )


def write(found: list[Figures], how: str, kind: str) -> None:
    """Put the table between the two marks of this kind in docs/PERFORMANCE.md."""
    begin, end = f"<!-- pace, {kind}: begin -->", f"<!-- pace, {kind}: end -->"
    head, rest = REPORT.read_text().split(begin)
    _old, tail = rest.split(end)
    table = [HEADINGS, ("---:", "---", *["---:"] * (len(HEADINGS) - 2)), *map(row, found)]
    lines = [f"| {' | '.join(cells)} |" for cells in table]
    REPORT.write_text("\n".join([head + begin, how, "", *lines, end + tail]))


def main() -> None:
    """Play, print, and on request write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=10_000, help="deals in all (10,000)")
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--bots", default="random", help="whose taste in moves people have (random)")
    parser.add_argument("--stays", action="store_true", help="people answer at once what comes back at once")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help=f"update docs/{REPORT.name}")
    arguments = parser.parse_args()

    settings = [Setting(seats, model, arguments.bots, arguments.stays) for seats in SEATS for model in MODELS]
    each = max(2, -(-arguments.games // len(settings)))
    begun = time.perf_counter()
    found = figures(settings, each, arguments.seed, arguments.cores)
    how = (
        f"{each * len(settings):,} deals ({each} a line), each played {len(WAYS)} ways by people with the taste of the "
        f"{arguments.bots} bot: {(time.perf_counter() - begun) / 60:.1f} min on {arguments.cores} cores, "
        f"Python {platform.python_version()}."
    )
    show(found)
    print(how)
    if arguments.write:
        write(found, how, "steady" if arguments.bots == "steady" else "stays" if arguments.stays else "leaves")


if __name__ == "__main__":
    main()

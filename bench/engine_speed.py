"""How fast the engine plays, beside two board games of OpenSpiel in the same process: `make bench`.

Every game is played to its end by uniformly random choices through the public functions, on one core. A decision
is one choice of a player. OpenSpiel's dice are chance nodes of their own: they cost time and are told apart, but
do not count as decisions; our dice fall inside `apply`. Rounds of all games are interleaved and the best round of
each counts, so that a busy machine disturbs all alike.
"""

import argparse
import platform
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyspiel
from rich.console import Console
from rich.progress import track
from rich.table import Table

import engine
from engine import board

REPORT = Path(__file__).resolve().parents[1] / "docs" / "PERFORMANCE.md"
YARDSTICK = "OpenSpiel maedn, 4 seats"
# As the files know it: a compiled module is no .py
COMPILED = not board.__file__.endswith(".py")


@dataclass
class Count:
    """What was played in some time."""

    games: int = 0
    decisions: int = 0
    chances: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


PlayOne = Callable[[random.Random, Count], None]


def play_emerald(seats: int) -> PlayOne:
    """Random games of ours, from the deal on."""

    def play(rng: random.Random, count: Count) -> None:
        legal_actions, apply, choose = engine.legal_actions, engine.apply, rng.choice
        position = engine.start(engine.deal(seats, rng.randbytes(32), [""] * seats, None))
        decisions = 0
        while legal := legal_actions(position):
            position, _events = apply(position, choose(legal))
            decisions += 1
        count.decisions += decisions

    return play


def play_openspiel(name: str) -> PlayOne:
    """Random games of one of OpenSpiel's."""
    game = pyspiel.load_game(name)

    def play(rng: random.Random, count: Count) -> None:
        choose, weigh = rng.choice, rng.choices
        state = game.new_initial_state()
        decisions = chances = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(weigh(outcomes, weights)[0])
                chances += 1
            else:
                state.apply_action(choose(state.legal_actions()))
                decisions += 1
        count.decisions += decisions
        count.chances += chances

    return play


def measure(play: PlayOne, rng: random.Random, seconds: float) -> Count:
    """Play whole games for about so long."""
    count = Count()
    begin = time.perf_counter()
    while count.seconds < seconds:
        play(rng, count)
        count.games += 1
        count.seconds = time.perf_counter() - begin
    return count


def best_of(contestants: dict[str, PlayOne], rounds: int, seconds: float, seed: int) -> dict[str, Count]:
    """The best round of each."""
    best: dict[str, Count] = {}
    schedule = [(name, number) for number in range(rounds) for name in contestants]
    for name, number in track(schedule, description="playing", console=Console(stderr=True)):
        count = measure(contestants[name], random.Random(f"{seed}/{name}/{number}"), seconds)
        if name not in best or count.rate > best[name].rate:
            best[name] = count
    return best


HEADINGS = ("game", "decisions/s", "x maedn", "games/s", "decisions/game", "chance nodes/game")


def rows(best: dict[str, Count]) -> list[tuple[str, ...]]:
    """The table, as text."""
    yardstick = best[YARDSTICK].rate
    return [
        (
            name,
            f"{count.rate:,.0f}",
            f"{count.rate / yardstick:.2f}",
            f"{count.games / count.seconds:,.0f}",
            f"{count.decisions / count.games:,.0f}",
            f"{count.chances / count.games:,.0f}",
        )
        for name, count in best.items()
    ]


def write(table: list[tuple[str, ...]], how: str, kind: str) -> None:
    """Put the table between the two marks of this kind of engine in docs/PERFORMANCE.md."""
    text = REPORT.read_text()
    begin, end = f"<!-- {kind}: begin -->", f"<!-- {kind}: end -->"
    head, rest = text.split(begin)
    _old, tail = rest.split(end)
    lines = [f"| {' | '.join(row)} |" for row in (HEADINGS, ("---", *["---:"] * (len(HEADINGS) - 1)), *table)]
    REPORT.write_text("\n".join([head + begin, how, "", *lines, end + tail]))


def main() -> None:
    """Measure, print, and on request write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each game in each round (2)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts (3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"update docs/{REPORT.name}")
    arguments = parser.parse_args()

    kind = "compiled" if COMPILED else "pure Python"
    contestants = {f"Emerald, {seats} seats": play_emerald(seats) for seats in (2, 3, 4, 5)}
    contestants[YARDSTICK] = play_openspiel("maedn(players=4)")
    contestants["OpenSpiel maedn, 2 seats"] = play_openspiel("maedn(players=2)")
    contestants["OpenSpiel backgammon"] = play_openspiel("backgammon")
    table = rows(best_of(contestants, arguments.rounds, arguments.seconds, arguments.seed))

    how = (
        f"Engine {kind}, Python {platform.python_version()} on {platform.system()} {platform.machine()}, one core; "
        f"best of {arguments.rounds} rounds of {arguments.seconds:g} s."
    )
    shown = Table()
    for number, heading in enumerate(HEADINGS):
        shown.add_column(heading, justify="right" if number else "left", no_wrap=True)
    for row in table:
        shown.add_row(*row)
    print(how)
    Console(width=None if Console().is_terminal else 100).print(shown)
    if arguments.write:
        write(table, how, kind)


if __name__ == "__main__":
    main()

"""The long fault proof: whole games while worker, Redis, PostgreSQL and mail server are killed at random moments.

    python -m bench.fault_storm [--games 20] [--worker-kills 20] [--redis-losses 5] [--postgres-kills 3] [--seed 1]

Every part is a process of its own, as in production. People play by mail: they move when their "your turn" mail has
come. Exit status 0 if every game ended, no move was lost or made twice, every turn brought one mail, and no turn two
different ones; a mail sent again (a kill between the mail server's answer and our mark) is counted, and must bear the
same Message-ID and be the same to the byte.
"""

from __future__ import annotations

import sys
from random import SystemRandom

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from service.cli.progress import bar
from tests.e2e.stack import production
from tests.e2e.storm import Outcome, Plan, weather


def run(plan: Plan, progress: Progress) -> Outcome:
    """The storm, with a bar for the games and one for the faults."""
    games = progress.add_task("games", total=plan.games)
    faults = progress.add_task("faults", total=plan.faults)

    def fault(name: str) -> None:
        progress.console.print(name, highlight=False)
        progress.advance(faults)

    with production() as stack:
        outcome = weather(stack, plan, played=lambda game: progress.advance(games), fault=fault)
        if outcome.findings.wrong:
            progress.console.print(stack.logs(), highlight=False, markup=False)
    return outcome


def table(plan: Plan, outcome: Outcome) -> Table:
    """What came of it, for people."""
    shown = Table("what", "how many", title=f"Fault storm, seed {plan.seed}, {outcome.seconds:.0f} s")
    found = outcome.findings
    for what, number in {
        "games played to their end": outcome.games,
        **outcome.faults,
        "moves of people, each made once": found.moves,
        "turns of people, each with one mail": found.turns,
        "different mails about games": found.mails,
        "mails sent again, same Message-ID, same bytes": found.resent,
        **{f"outbox rows {state}": count for state, count in sorted(outcome.outbox.items())},
        "things wrong": len(found.wrong),
    }.items():
        shown.add_row(what, str(number))
    return shown


@click.command()
@click.option("--games", default=20, show_default=True)
@click.option("--worker-kills", default=20, show_default=True)
@click.option("--redis-losses", default=5, show_default=True)
@click.option("--postgres-kills", default=3, show_default=True)
@click.option("--mail-refusals", default=5, show_default=True)
@click.option("--seed", type=int, help="Which moments and choices; drawn and shown if not said.")
def main(
    games: int, worker_kills: int, redis_losses: int, postgres_kills: int, mail_refusals: int, seed: int | None
) -> None:
    """Play through a storm of kills, and prove that nothing was lost or doubled."""
    plan = Plan(
        games=games,
        worker_kills=worker_kills,
        redis_losses=redis_losses,
        postgres_kills=postgres_kills,
        mail_refusals=mail_refusals,
        pause=(1.0, 20.0),
        seed=SystemRandom().randrange(10**6) if seed is None else seed,
    )
    with bar() as progress:
        outcome = run(plan, progress)
    console = Console()
    console.print(table(plan, outcome))
    for what in outcome.findings.wrong:
        console.print(what, highlight=False, markup=False)
    sys.exit(1 if outcome.findings.wrong or sum(outcome.faults.values()) < plan.faults else 0)


if __name__ == "__main__":
    main()

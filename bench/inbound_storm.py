"""The long proof for mail that comes in: hundreds of mails, some twice, while their readers are killed.

    python -m bench.inbound_storm [--mails 200] [--worker-kills 50] [--listener-kills 15] [--seed 1]

People play by mail alone. A mail server of theirs hands each mail to our LMTP listener until that takes it; every third
mail comes twice, at once or later. The worker and the listener are killed (SIGKILL) at random moments. Exit status 0 if
every mail was kept once, carried out once and answered once. An answer that went out twice (a kill between the mail
server's answer and our mark) is counted, and must bear the same Message-ID and be the same to the byte.
"""

from __future__ import annotations

import sys
from random import SystemRandom

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from service.cli.progress import bar
from tests.e2e.downpour import Outcome, Plan, pour
from tests.e2e.stack import with_listener


def run(plan: Plan, progress: Progress) -> Outcome:
    """The downpour, with a bar for the mails and one for the kills."""
    mails = progress.add_task("mails", total=plan.mails)
    kills = progress.add_task("kills", total=plan.kills)

    with with_listener() as (stack, smtp, port):
        outcome = pour(
            stack,
            smtp,
            port,
            plan,
            answered=lambda: progress.advance(mails),
            killed=lambda name: progress.advance(kills),
        )
        if outcome.wrong:
            progress.console.print(stack.logs(), highlight=False, markup=False)
    return outcome


def table(plan: Plan, outcome: Outcome) -> Table:
    """What came of it, for people."""
    shown = Table("what", "how many", title=f"Downpour of mails, seed {plan.seed}, {outcome.seconds:.0f} s")
    for what, number in {**outcome.kills, **outcome.counts, "things wrong": len(outcome.wrong)}.items():
        shown.add_row(what, str(number))
    return shown


@click.command()
@click.option("--mails", default=200, show_default=True)
@click.option("--twice", default=33, show_default=True, help="How many of a hundred mails come twice.")
@click.option("--worker-kills", default=50, show_default=True)
@click.option("--listener-kills", default=15, show_default=True)
@click.option("--tables", default=6, show_default=True, help="Games that go on at the same time.")
@click.option("--seed", type=int, help="Which moments and choices; drawn and shown if not said.")
def main(mails: int, twice: int, worker_kills: int, listener_kills: int, tables: int, seed: int | None) -> None:
    """Let mails pour in through a storm of kills, and prove that none was lost or done twice."""
    plan = Plan(
        mails=mails,
        twice=twice,
        worker_kills=worker_kills,
        listener_kills=listener_kills,
        tables=tables,
        pause=(0.0, 3.0),
        seed=SystemRandom().randrange(10**6) if seed is None else seed,
    )
    with bar() as progress:
        outcome = run(plan, progress)
    console = Console()
    console.print(table(plan, outcome))
    for what in outcome.wrong:
        console.print(what, highlight=False, markup=False)
    sys.exit(1 if outcome.wrong or outcome.kills.total() < plan.kills else 0)


if __name__ == "__main__":
    main()

"""Games played while the parts they depend on are killed at random moments.

Used by the short test of the suite and by the long proof (bench/fault_storm.py); they differ in numbers only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from threading import Event, Thread

import psycopg

from tests.e2e.people import Person, Played, play, sign_up
from tests.e2e.proof import Findings, examine
from tests.e2e.stack import Stack

AT_ONCE = 4
"""Games played at the same time."""


@dataclass(frozen=True)
class Plan:
    """How many games, and how often what is killed. ``pause``: seconds between two faults, at least and at most.

    ``hurry``: people play for the end, instead of at random.
    """

    games: int
    worker_kills: int
    redis_losses: int
    postgres_kills: int
    mail_refusals: int
    pause: tuple[float, float]
    seed: int
    hurry: bool = False

    @property
    def faults(self) -> int:
        """All faults together."""
        return self.worker_kills + self.redis_losses + self.postgres_kills + self.mail_refusals


@dataclass
class Outcome:
    """What came of a storm."""

    findings: Findings = field(default_factory=Findings)
    games: int = 0
    seconds: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)
    outbox: dict[str, int] = field(default_factory=dict)


class Storm:
    """The one that kills. Every part is started again a moment later, as a supervisor would."""

    def __init__(self, stack: Stack, plan: Plan, told: Callable[[str], None]) -> None:
        self._stack = stack
        self._plan = plan
        self._told = told
        self._rng = Random(plan.seed)
        self._calm = Event()
        self.done: dict[str, int] = {}
        self.error: Exception | None = None
        self._thread = Thread(target=self._run, name="storm")

    def __enter__(self) -> Storm:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._calm.set()
        self._thread.join()

    @property
    def over(self) -> bool:
        """All faults have been done (or one could not be)."""
        return not self._thread.is_alive()

    def _run(self) -> None:
        plan = self._plan
        faults: list[tuple[str, Callable[[], None]]] = [
            *[("worker killed", self._kill_worker)] * plan.worker_kills,
            *[("Redis lost", self._lose_redis)] * plan.redis_losses,
            *[("PostgreSQL killed", self._kill_postgres)] * plan.postgres_kills,
            *[("mail refused", self._refuse_mail)] * plan.mail_refusals,
        ]
        self._rng.shuffle(faults)
        try:
            for name, fault in faults:
                if self._calm.wait(self._rng.uniform(*plan.pause)):
                    return
                fault()
                self.done[name] = self.done.get(name, 0) + 1
                self._told(name)
        except Exception as error:  # noqa: BLE001 - told by whoever waits for the storm
            self.error = error

    def _kill_worker(self) -> None:
        self._stack.worker.kill()
        time.sleep(self._rng.uniform(0, 0.5))
        self._stack.worker.start()

    def _lose_redis(self) -> None:
        self._stack.redis.kill()
        time.sleep(self._rng.uniform(0, 1))
        self._stack.redis.restart_empty()

    def _kill_postgres(self) -> None:
        self._stack.postgres.kill()
        time.sleep(self._rng.uniform(0, 1))
        self._stack.postgres.start()

    def _refuse_mail(self) -> None:
        if self._rng.random() < 0.5:
            self._stack.smtp.fail(5)
        else:
            self._stack.smtp.stop()
            time.sleep(self._rng.uniform(0.5, 2))
            self._stack.smtp.start()


def weather(stack: Stack, plan: Plan, *, played: Callable[[Played], None], fault: Callable[[str], None]) -> Outcome:
    """Play ``plan.games`` games or more (until all faults have been done), and look at each when it is over.

    ``played`` and ``fault`` are told of every game and fault, for a progress bar.
    """
    outcome = Outcome()
    started = time.monotonic()
    people = [sign_up(stack.url, stack.smtp, name) for name in ("Ada", "Ben")]
    kinds = _games(plan)
    with ThreadPoolExecutor(AT_ONCE) as pool, Storm(stack, plan, fault) as storm:
        running = {_begin(pool, people, plan, *next(kinds)) for _ in range(min(AT_ONCE, plan.games))}
        begun = len(running)
        while running:
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for game in ended:
                _look_at(game, people, outcome, played)
            while len(running) < AT_ONCE and (begun < plan.games or not storm.over) and not outcome.findings.wrong:
                running.add(_begin(pool, people, plan, *next(kinds)))
                begun += 1
    if storm.error is not None:
        outcome.findings.wrong.append(f"the storm itself failed: {storm.error}")
    outcome.faults = storm.done
    outcome.outbox = _settled(stack)
    for state in ("failed", "pending", "queued", "running"):
        if outcome.outbox.get(state):
            outcome.findings.wrong.append(f"{outcome.outbox[state]} outbox rows are {state} at the end")
    outcome.seconds = time.monotonic() - started
    return outcome


def _games(plan: Plan) -> Iterator[tuple[int, int, Random]]:
    """Seats, people and choices of one game after the other; every number of seats, with one person or two."""
    number = 0
    while True:
        seats, people = ((2, 2), (3, 1), (4, 2), (5, 1), (3, 2), (2, 1), (5, 2), (4, 1))[number % 8]
        yield seats, people, Random(f"{plan.seed}|{number}")
        number += 1


def _begin(
    pool: ThreadPoolExecutor, people: list[Person], plan: Plan, seats: int, count: int, rng: Random
) -> Future[tuple[Played, list[Person]]]:
    # Each game has its own copies: a person's client and letters are not for several threads at once.
    own = [person.copy() for person in people[:count]]
    return pool.submit(lambda: (play(own, seats, rng, hurry=plan.hurry), own))


def _look_at(
    game: Future[tuple[Played, list[Person]]],
    people: list[Person],
    outcome: Outcome,
    played: Callable[[Played], None],
) -> None:
    try:
        over, own = game.result()
    except Exception as error:  # noqa: BLE001 - a game that failed is what we look for
        outcome.findings.wrong.append(f"{type(error).__name__}: {error}")
        return
    outcome.findings.add(examine(over, own))
    outcome.games += 1
    played(over)


def _settled(stack: Stack, *, seconds: float = 60) -> dict[str, int]:
    """How many outbox rows are in each state, once nothing is open any more (or after so many seconds)."""
    end = time.monotonic() + seconds
    while True:
        with suppress(psycopg.OperationalError), stack.connect() as connection:
            found: dict[str, int] = dict(
                connection.execute("select state, count(*) from outbox group by state").fetchall()
            )
            if not {"pending", "queued", "running"} & found.keys() or time.monotonic() > end:
                return found
        time.sleep(0.5)

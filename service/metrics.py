"""Counters of what this process did (Prometheus). Labels are kinds, never ids or addresses.

What the database knows (games, the outbox with its mails) is counted there when /metrics is asked: see queries.counts.
"""

from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter

REGISTRY = CollectorRegistry()
MOVES = Counter("emerald_moves_total", "Actions made.", labelnames=("by",), registry=REGISTRY)
CLOCK_STEPS = Counter("emerald_clock_steps_total", "Steps of the ladder.", labelnames=("step",), registry=REGISTRY)
CLOCK_FAILURES = Counter("emerald_clock_failures_total", "Games whose clock could not be read.", registry=REGISTRY)


@dataclass(frozen=True, eq=False)
class MovesMade:
    """Counts moves once their transaction has committed. No two are equal: each counts."""

    by: str
    actions: int

    def __call__(self) -> None:
        """Count them."""
        MOVES.labels(by=self.by).inc(self.actions)


@dataclass(frozen=True, eq=False)
class StepTaken:
    """Counts a step of the ladder once its transaction has committed. No two are equal: each counts."""

    step: str

    def __call__(self) -> None:
        """Count it."""
        CLOCK_STEPS.labels(step=self.step).inc()

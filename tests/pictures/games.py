"""Positions to draw and to write about, from random games that come out the same each time."""

import random
from collections.abc import Callable, Sequence

import engine
from engine import Event, Position, View

NAMES = ("Anna", "Bertrand", "Chloé", "Dmitri", "Ewa Wiśniewska")


def played(
    players: int, seed: int, until: Callable[[Position, int], bool] = lambda position, moves: False
) -> tuple[Position, list[tuple[Event, ...]]]:
    """A random game up to the first position that ``until(position, moves made)`` likes, and what happened in it."""
    rng = random.Random(seed)
    position = engine.start(engine.deal(players, bytes([seed]) * 32, [""] * players, 0))
    log: list[tuple[Event, ...]] = []
    while not engine.is_over(position) and not until(position, len(log)):
        position, events = engine.apply(position, rng.choice(engine.legal_actions(position)))
        log.append(events)
    return position, log


def found(players: int, phase: int, seat: int | None = None) -> Position:
    """The first position in that phase (for that seat to act) in the random games."""
    for seed in range(60):
        position, _ = played(players, seed, lambda p, _: p.phase == phase and seat in (None, engine.to_act(p)))
        if position.phase == phase:
            return position
    raise AssertionError("no such position in sixty games")


def every_view(players: int, seed: int, step: int = 10) -> Sequence[View]:
    """Every tenth position of a game as each seat and a spectator see it."""
    views: list[View] = []

    def look(position: Position, moves: int) -> bool:
        if moves % step == 0:
            views.extend(engine.view(position, viewer) for viewer in (None, *range(players)))
        return False

    position, _ = played(players, seed, look)
    views.append(engine.view(position, None))
    return views

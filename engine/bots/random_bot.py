"""The level ``random``: any legal action, all alike."""

import random

from engine.actions import Action
from engine.view import View


def choose(seen: View, legal: tuple[Action, ...], budget: float, rng: random.Random) -> Action:
    """One of the legal actions, uniformly."""
    return rng.choice(legal)

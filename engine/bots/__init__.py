"""House bots: each chooses from a View, never from a position, so it can know no more than a player."""

import random
from collections.abc import Callable
from typing import Final

from engine.actions import Action
from engine.bots import random_bot, steady
from engine.view import View

Choose = Callable[[View, tuple[Action, ...], float, random.Random], Action]
"""choose(view, legal, budget, rng): one of ``legal``, within about ``budget`` seconds of thinking."""

LEVELS: Final[dict[str, Choose]] = {"random": random_bot.choose, "steady": steady.choose}
"""Every level by the name that the API and the command line use."""

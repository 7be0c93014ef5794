"""The beat table: what happens by the clock.

Three entries are enough. Times that belong to a game (a reminder, a deadline) stand on its row, and the look at the
clocks finds what is due; none of them lives in the broker or in beat.
"""

from __future__ import annotations

from typing import Any, Final

from service.config import Settings

HOUSEKEEPING_SECONDS: Final = 3600


def table(settings: Settings) -> dict[str, dict[str, Any]]:
    """The entries for Celery's ``beat_schedule``.

    Each message expires before it could pile up: after a day without workers there is one relay to run, not 86,400.
    """
    relay = settings.relay_seconds
    return {
        "relay": {"task": "relay", "schedule": relay, "options": {"expires": max(relay * 2, 2)}},
        "clocks": {
            "task": "clocks",
            "schedule": settings.clock_seconds,
            "options": {"expires": max(settings.clock_seconds * 2, 2)},
        },
        "housekeeping": {
            "task": "housekeeping",
            "schedule": HOUSEKEEPING_SECONDS,
            "options": {"expires": HOUSEKEEPING_SECONDS},
        },
    }

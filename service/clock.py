"""The one place that asks what time it is. Use cases are handed ``now`` and never ask."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment, timezone-aware, UTC."""
    return datetime.now(UTC)

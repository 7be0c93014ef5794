"""What each mail has to say, looked up at the moment it is sent. None: the world has moved on, drop it."""

from datetime import datetime

from service.mail.kinds import Notice
from service.outbox import Claimed


def build(*, row: Claimed, now: datetime) -> Notice | None:
    """The notice for a claimed ``mail.*`` row, its Message-ID and date in the envelope; None: drop the row."""
    raise NotImplementedError

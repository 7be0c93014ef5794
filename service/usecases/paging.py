"""Cursors: where the next page begins, opaque to clients, stable while rows come and go."""

import base64
import binascii
import json
from datetime import UTC, datetime

from service.errors import Refusal, invalid
from service.i18n import gettext as _


def cursor(*parts: datetime | str) -> str:
    """The place after an item, from the values the list is sorted by."""
    plain = json.dumps([part.isoformat() if isinstance(part, datetime) else part for part in parts])
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def moments_and_id(text: str, moments: int) -> tuple[list[datetime], str]:
    """A cursor of so many moments and an id, read back; anything else is refused."""
    try:
        parts = json.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
        *times, last = parts
        zoned = [datetime.fromisoformat(time) for time in times]
        read = [time.astimezone(UTC) for time in zoned]
    except (binascii.Error, UnicodeError, ValueError, TypeError, OverflowError, RecursionError):
        raise _bad() from None
    if len(read) != moments or any(time.tzinfo is None for time in zoned):
        raise _bad()
    if not isinstance(last, str) or not last.isalnum() or len(last) > 32:
        raise _bad()
    return read, last


def _bad() -> Refusal:
    return invalid("after", _("That is no cursor of this list; take the one that a page gave as next."))

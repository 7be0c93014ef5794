"""The signature of a mail that a provider posts to us. Pure.

``X-Emerald-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>." and the body>``. Only what is signed counts: the
raw mail. Headers of the request that tell an envelope are not read, as anyone who replays a signed body could write
them; a provider that knows the envelope puts it before the mail, as ``Delivered-To:`` and ``Return-Path:``.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime
from typing import Final

HEADER: Final = "X-Emerald-Signature"
#: Seconds that the clocks may differ, and that a signature is good for.
TOLERANCE: Final = 300
_SIGNATURE: Final = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")


def sign(secret: str, body: bytes, *, at: datetime) -> str:
    """The header's value for this body."""
    moment = str(int(at.timestamp()))
    return f"t={moment},v1={_digest(secret, moment, body)}"


def is_signed(secret: str, body: bytes, header: str | None, *, now: datetime) -> bool:
    """Whether ``header`` is the signature of ``body``, made within the tolerance; all wrong ones take the same time."""
    found = _SIGNATURE.fullmatch((header or "").strip())
    moment, given = found.groups() if found else ("0", "0" * 64)
    right = hmac.compare_digest(given, _digest(secret, moment, body))
    return right and abs(now.timestamp() - int(moment)) <= TOLERANCE


def _digest(secret: str, moment: str, body: bytes) -> str:
    return hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()

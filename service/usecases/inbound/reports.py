"""What machines send: bounces and complaints are told to whoever keeps the books of deliveries; the rest is noted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from service.mail.reading.letter import Letter
from service.mail.tokens import BounceToken, Token
from service.usecases import deliveries


def note_of(session: Session, letter: Letter, tokens: Sequence[Token], now: datetime) -> str | None:
    """What is noted of a mail that no person wrote; None if it is for a person's eyes, as one wrote it.

    A bounce or a complaint counts only if it came to the return path of a mail of ours or names one: whoever forges
    one mutes nobody.
    """
    if letter.kind in ("command", "no-command", "malformed"):
        return None
    if letter.kind in ("bounce-hard", "bounce-soft", "complaint"):
        row = next((token.row for token in tokens if isinstance(token, BounceToken)), None)
        kind: Literal["bounce-hard", "bounce-soft", "complaint"] = letter.kind
        believed = deliveries.heard(session, kind=kind, report=letter.report, row=row, now=now)
        return letter.kind if believed else f"{letter.kind}, not believed: about no mail of ours"
    return letter.kind

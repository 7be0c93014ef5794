"""Players' names made fit to print: what somebody called himself must not bend a line or a picture."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from service.i18n import gettext as _

_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_JOINERS = ("\u200c", "\u200d")
"""Format characters that real names and emoji need."""


def tidy(text: str, limit: int) -> str:
    """One line without control or direction marks, cut to ``limit`` characters with an ellipsis."""
    kept = (c if c in _JOINERS or unicodedata.category(c) not in _HIDDEN else " " for c in text)
    line = " ".join("".join(kept).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def bot_name(seat: int) -> str:
    """What a bot is called: by its seat, as people count them."""
    return _("Bot {number}").format(number=seat + 1)


def seat_names(names: Sequence[str], players: int, limit: int) -> tuple[str, ...]:
    """A name to show for every seat; a seat without one is called by its number."""
    tidied = [tidy(name, limit) for name in names[:players]]
    tidied += [""] * (players - len(tidied))
    return tuple(name or _("Seat {number}").format(number=seat + 1) for seat, name in enumerate(tidied))

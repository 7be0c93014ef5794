"""Text from a stranger as single safe lines."""

from __future__ import annotations

import re
from typing import Final

#: Longer lines are cut: nothing that can be asked is longer.
LONGEST_LINE: Final = 2000
#: Letters that are there and cannot be seen (beside the format characters, which are not printable).
_UNSEEN: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0]")


def folded(text: str) -> str:
    """The text for a comparison without regard to case; the Turkish capital İ is an i."""
    return text.casefold().replace("i\u0307", "i")


def safe_line(text: str, longest: int = LONGEST_LINE) -> str:
    """The text as one line: every white space a single space, and nothing that cannot be seen.

    What is left can be shown, logged and put into a header: no control or format characters, no half of a surrogate
    pair, no line break of any kind.
    """
    text = text[: longest * 4]
    if not text.isprintable():
        text = "".join(char for char in text if char.isprintable() or char.isspace())
    return " ".join(_UNSEEN.sub("", " ".join(text.split())).split())[:longest].rstrip()

"""Listings (help, rules, a history, games) as rows for a page, where the columns of plain text would wrap twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_COLUMNS: Final = re.compile(" {2,}")
_RULE: Final = re.compile(r"(R-[A-Z]+-\d+): (.+)")
#: So far in, a line can only be the second column of the one above.
_SECOND: Final = 20
#: A line that was broken for want of room is longer than this.
_FULL: Final = 60


@dataclass
class Row:
    """``key``: what stands in the first column, empty for running text; ``gap``: something new begins."""

    key: str
    text: str
    gap: bool = False


def rows(lines: Sequence[str]) -> list[Row]:
    """The rows of a listing; what was broken into lines is one text again."""
    made: list[Row] = []
    gap = False
    for at, line in enumerate(lines):
        text = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        columns = _COLUMNS.split(text)
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if not text:
            gap = True
            continue
        if rule := _RULE.match(line):
            made.append(Row(rule[1], rule[2], gap))
        elif len(columns) > 1:
            made.append(Row(columns[0], " – ".join(columns[1:]), gap))
        elif below.startswith(" " * _SECOND) and indent < _SECOND:
            made.append(Row(text, "", gap))
        elif made and not gap and (indent or (not made[-1].key and len(lines[at - 1]) > _FULL)):
            made[-1].text = f"{made[-1].text} {text}".strip()
        else:
            made.append(Row("", text, gap))
        gap = False
    return made

"""The game in sentences: what happened (``told``), what can be done (``choices``), what was ordered.

All of it is plain text in the language that is spoken; whoever puts it into HTML escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from service.mail.choices import NAME_LIMIT as NAME_LIMIT
from service.mail.choices import action_words as action_words
from service.mail.choices import bribe_words as bribe_words
from service.mail.kinds import Entry, Game
from service.mail.told import KINDS as KINDS
from service.mail.told import SAID_LIMIT as SAID_LIMIT
from service.mail.told import sentence as sentence
from service.pictures.names import seat_names, tidy

_BRIBE_VALUES: Final = re.compile(r"(?<=\bbribe )\d+|(?<=\bat most )\d+", re.IGNORECASE)

#: What mail programs put before a subject when it is answered or forwarded.
_PREFIXES: Final = re.compile(
    r"(?:(?:re|aw|antw|antwort|sv|vs|rv|r|res|rif|ynt|odp|ref|tr|wg|fwd?|i|enc|doorst|回复|答复|返信)(?:\[\d+\])?\s*[:：]\s*)+",
    re.IGNORECASE,
)


def bare_subject(subject: str) -> str:
    """A subject without what answering adds to it, on one line."""
    line = tidy(subject, SAID_LIMIT)
    found = _PREFIXES.match(line)
    return line[found.end() :] if found else line


def names_of(game: Game) -> tuple[str, ...]:
    """A name to show for every seat."""
    return seat_names(game.names, len(game.names), NAME_LIMIT)


ORDERS: Final = ("order", "plan_played", "plan_dropped")
"""Kinds that tell a player alone what became of their orders."""


def open_entry(entry: Entry) -> Entry:
    """The entry with nothing in it of the reader's hand: for mails that are to show no cards.

    What was given to the dragon is known to its giver alone (R-DRAG-7); so is what an order says of it.
    """
    hidden = {"gold"} if entry.kind == "bribed" else {"action"} if entry.kind == "order" else set()
    data: dict[str, object] = {name: value for name, value in entry.data.items() if name not in hidden}
    if entry.kind in ORDERS:
        shown: dict[str, object] = {
            name: order_words(str(data[name]), cards=False) for name in ("text", "line") if name in data
        }
        if any(shown[name] != data[name] for name in shown):
            # They may name the card as well.
            for name in ("why", "said", "dropped"):
                data.pop(name, None)
        data |= shown
    return Entry(entry.kind, entry.seat, data)


def order_words(text: str, *, cards: bool) -> str:
    """A standing order or a plan, on one line; without ``cards`` no value of gold for the dragon stands in it."""
    line = tidy(text, SAID_LIMIT)
    return line if cards else _BRIBE_VALUES.sub("…", line)


def recap(log: Sequence[Entry], names: Sequence[str], viewer: int | None = None, zone: str = "UTC") -> list[str]:
    """A stretch of the log as paragraphs, one a turn; talk stands alone, so that it is not lost among moves."""
    paragraphs: list[str] = []
    open_turn: list[str] = []
    for entry in log:
        if entry.kind in ("turn", "say", "note"):
            if open_turn:
                paragraphs.append(" ".join(open_turn))
            open_turn = []
            if entry.kind != "turn":
                paragraphs.append(sentence(entry, names, viewer, zone))
        else:
            open_turn.append(sentence(entry, names, viewer, zone))
    if open_turn:
        paragraphs.append(" ".join(open_turn))
    return paragraphs

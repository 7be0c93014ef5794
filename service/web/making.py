"""The form for a new game: what was filled in, and the game that it asks for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.board import MAX_PLAYERS
from service.errors import Refusal, invalid
from service.i18n import gettext as _
from service.i18n import marked
from service.usecases.results import ClockSpec, SeatSpec

SEATS: Final = range(MAX_PLAYERS)
_LONGEST: Final = 300
NOBODY: Final = "none"
#: What the form says before anybody filled it in: somebody and two bots, three days a turn.
PRESETS: Final[Mapping[str, str]] = {
    "seat-0": "me",
    "seat-1": "bot:steady",
    "seat-2": "bot:steady",
    "seat-3": NOBODY,
    "seat-4": NOBODY,
    **{f"who-{seat}": "" for seat in SEATS},
    "public": "yes",
    "clock": "days",
    "days": "3",
    "start_hours": "72",
    "increment_hours": "12",
    "cap_hours": "",
    "time_off": "on",
    "first": "",
    "entropy": "",
}
_KINDS: Final[Mapping[str, str]] = {
    "me": marked("You"),
    "bot:steady": marked("A careful bot"),
    "bot:random": marked("A bot that plays at random"),
    "open": marked("Open: whoever comes"),
    "invite": marked("Invite somebody"),
    NOBODY: marked("Nobody: no such seat"),
}
QUICK: Final = range(1, MAX_PLAYERS)
"""So many bots one can play against by one button."""


def kinds(seat: int) -> list[tuple[str, str]]:
    """Who can sit there: value and words. A game has two seats at least."""
    return [(value, _(words)) for value, words in _KINDS.items() if value != NOBODY or seat > 1]


@dataclass(frozen=True)
class Wanted:
    """A game that is asked for, as the use case takes it. ``rows``: which row of the form each seat stood in."""

    seats: list[SeatSpec]
    rows: list[int]
    public: bool
    clock: ClockSpec
    time_off: bool
    first: int | None
    entropy: str
    key: str | None = field(default=None)


def filled(form: Mapping[str, str]) -> dict[str, str]:
    """What stands in the form: what was typed, and for a box that is not ticked nothing."""
    return {name: form.get(name, "").strip()[:_LONGEST] for name in PRESETS}


def quick(form: Mapping[str, str]) -> Wanted | None:
    """The game of the button that asks for bots at once; None if it was another one. Nobody has to be waited for."""
    bots = form.get("bots", "")
    if bots not in map(str, QUICK):
        return None
    seats = [SeatSpec("me"), *[SeatSpec("bot", level="steady")] * int(bots)]
    key = _key(form, {"bots": bots})
    return Wanted(seats, list(range(len(seats))), False, ClockSpec(), time_off=True, first=None, entropy="", key=key)


def wanted(values: Mapping[str, str], form: Mapping[str, str]) -> Wanted:
    """The game that the filled in form asks for. Raises ``Refusal("invalid")`` that names the form's own field."""
    chosen = [(row, values[f"seat-{row}"]) for row in SEATS if values[f"seat-{row}"] != NOBODY]
    rows = [row for row, _kind in chosen]
    if sum(kind == "me" for _row, kind in chosen) != 1:
        raise invalid("seats", _("Just one seat is yours: choose “You” once."))
    first = values["first"]
    if first and not (first.isdecimal() and int(first) in rows):
        raise invalid("first", _("Nobody sits there."))
    return Wanted(
        seats=[_seat(kind, values[f"who-{row}"], row) for row, kind in chosen],
        rows=rows,
        public=values["public"] == "yes",
        clock=_clock(values),
        time_off=values["time_off"] == "on",
        first=rows.index(int(first)) if first else None,
        entropy=values["entropy"],
        key=_key(form, values),
    )


def renamed(refusal: Refusal, rows: list[int]) -> Refusal:
    """A refusal of the use case, about the field of the form that it came from."""
    name = str(refusal.details.get("field", "seats"))
    part, _dot, rest = name.partition(".")
    if part == "seats" and rest:
        name = f"who-{rows[int(rest.partition('.')[0])]}"
    return invalid(rest if part == "clock" else name, refusal.message)


def _seat(kind: str, who: str, row: int) -> SeatSpec:
    if kind in ("me", "open"):
        return SeatSpec("me" if kind == "me" else "open")
    if kind == "invite":
        if not who:
            raise invalid(
                f"who-{row}", _("Whom do you want to invite? Write their name here, or their e-mail address.")
            )
        return SeatSpec("invite", email=who) if "@" in who else SeatSpec("invite", name=who)
    return SeatSpec("bot", level=kind.removeprefix("bot:"))


def _clock(values: Mapping[str, str]) -> ClockSpec:
    kind = values["clock"]
    if kind == "days":
        return ClockSpec("days", days=_number(values, "days"))
    if kind == "bank":
        return ClockSpec(
            "bank",
            start_hours=_number(values, "start_hours"),
            increment_hours=_number(values, "increment_hours"),
            cap_hours=_number(values, "cap_hours") if values["cap_hours"] else None,
        )
    return ClockSpec()


def _number(values: Mapping[str, str], name: str) -> int:
    text = values[name]
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise invalid(name, _("A whole number, please."))
    return int(text)


def _key(form: Mapping[str, str], values: Mapping[str, Any]) -> str | None:
    """A form that is sent twice makes one game; one that was gone back to and changed makes another."""
    once = form.get("once", "")
    if not once:
        return None
    return hashlib.sha256(f"{once}|{sorted(values.items())}".encode()).hexdigest()

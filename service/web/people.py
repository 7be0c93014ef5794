"""What the pages about people and about games that wait share: refusals beside fields, zones, seats, rows of games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

from flask import Response, request

from service.errors import INVALID, NOT_FOUND, RATE_LIMITED, SCOPE_MISSING, UNAUTHENTICATED, UNAVAILABLE, Refusal
from service.i18n import gettext as _
from service.i18n import language, marked, ngettext
from service.i18n.dates import listed
from service.usecases.results import GameInfo
from service.web import games
from service.web.rendering import page
from service.web.visitor import visitor

_ELSEWHERE: Final = (UNAVAILABLE, UNAUTHENTICATED, SCOPE_MISSING, NOT_FOUND)
"""What no other value in a form would mend."""
_UNPROCESSABLE: Final = 422
_TOO_MANY: Final = 429
_CONTINENTS: Final[Mapping[str, str]] = {
    "Europe": marked("Europe"),
    "America": marked("America"),
    "Asia": marked("Asia"),
    "Africa": marked("Africa"),
    "Australia": marked("Australia"),
    "Pacific": marked("Pacific"),
    "Atlantic": marked("Atlantic"),
    "Indian": marked("Indian Ocean"),
    "Antarctica": marked("Antarctica"),
}
_LIKELY: Final = {"de": "Europe/Berlin", "fr": "Europe/Paris"}
"""Where most speakers of a language live, for browsers that do not say where they are."""
_SOON: Final = timedelta(hours=24)


class Errors(dict[str, str]):
    """What is wrong, by field; nothing for all others."""

    def __missing__(self, field: str) -> str:
        return ""


def again(template: str, refusal: Refusal, *, field: str, **context: Any) -> Response:
    """A form once more, as it was filled in, with what is wrong beside its field; ``field``: if none is named."""
    if refusal.code in _ELSEWHERE:
        raise refusal
    named = str(refusal.details.get("field") or field) if refusal.code == INVALID else field
    status = _TOO_MANY if refusal.code == RATE_LIMITED else _UNPROCESSABLE
    answer = page(template, status, errors=Errors({named: refusal.message}), **context)
    if "retry_after" in refusal.details:
        answer.headers["Retry-After"] = str(refusal.details["retry_after"])
    return answer


def typed(name: str, default: str = "") -> str:
    """What was typed into a field, without the spaces around it."""
    return request.form.get(name, default).strip()


def zones(chosen: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Time zones to choose from, by continent: value and city. One that was chosen by an older name is among them."""
    listed_zones = [(_(words), cities) for words, cities in _zones()]
    known = {zone for _words, cities in listed_zones for zone, _city in cities}
    rest = [("UTC", "UTC")] + ([(chosen, chosen)] if chosen not in known | {"UTC"} else [])
    return [*listed_zones, (_("Other"), rest)]


def hours() -> list[tuple[int, str]]:
    """The hours of a day to choose from."""
    return [(hour, f"{hour:02}:00") for hour in range(24)]


def likely_zone() -> str:
    """The zone to begin with where no script says a better one."""
    return _LIKELY.get(language(), "UTC")


@cache
def _zones() -> list[tuple[str, list[tuple[str, str]]]]:
    by_continent: dict[str, list[tuple[str, str]]] = {name: [] for name in _CONTINENTS}
    for zone in sorted(available_timezones()):
        continent, slash, city = zone.partition("/")
        if slash and continent in by_continent:
            by_continent[continent].append((zone, city.replace("_", " ").replace("/", ", ")))
    return [(_CONTINENTS[name], cities) for name, cities in by_continent.items()]


@dataclass(frozen=True)
class Row:
    """A game in a list of them. ``who`` is to act (or made it) since ``at``; ``tags``: what else is to be said."""

    id: str
    title: str
    at: datetime | None
    who: str = ""
    deadline: datetime | None = None
    urgent: bool = False
    tags: tuple[str, ...] = ()


def turn_row(info: GameInfo, now: datetime) -> Row:
    """A game that is on: it waits for the visitor, or for somebody else."""
    who = "" if info.to_act is None else games.names(info)[info.to_act]
    soon = info.deadline is not None and info.deadline - now < _SOON
    own = None if info.you is None else info.seats[info.you]
    tags = [_("Time is over")] if info.step is not None else []
    if own is not None and own.resigned:
        tags.append(_("You resigned"))
    elif own is not None and own.held:
        tags.append(_("A bot holds your seat"))
    urgent = info.to_act == info.you and (soon or info.step is not None)
    return Row(info.id, games.title(info), info.turn_since, who, info.deadline, urgent, tuple(tags))


def waiting_row(info: GameInfo) -> Row:
    """A game that waits for players, and for how many."""
    return Row(info.id, table_name(info), info.created_at, info.creator, tags=(missing(info),))


def listed_row(info: GameInfo) -> Row:
    """The same among open games, where those for whom a seat is kept do not matter."""
    free = sum(seat.kind == "open" for seat in info.seats)
    told = ngettext("{number} free seat", "{number} free seats", free).format(number=free)
    return Row(info.id, table_name(info), info.created_at, info.creator, tags=(told,))


def finished_row(info: GameInfo) -> Row:
    """A game that is over."""
    return Row(info.id, games.title(info), info.ended_at, tags=(outcome(info),))


def table_name(info: GameInfo) -> str:
    """What a game is called before all its players are known: after whoever made it."""
    if info.creator == visitor().name:
        return _("Your game for {number}").format(number=info.players)
    return _("{name}'s game for {number}").format(name=info.creator, number=info.players)


def missing(info: GameInfo) -> str:
    """How many players a game waits for."""
    number = sum(seat.kind in ("open", "invited") for seat in info.seats)
    return ngettext("{number} player is missing", "{number} players are missing", number).format(number=number)


def outcome(info: GameInfo) -> str:
    """How a game ended, in a word or two."""
    if info.result is None:
        return _("Called off")
    if not info.result.winners:
        return _("Ended by a vote")
    if info.you in info.result.winners:
        return _("You won") if len(info.result.winners) == 1 else _("You share the win")
    names = games.names(info)
    return _("Won by {names}").format(names=listed([names[seat] for seat in info.result.winners]))

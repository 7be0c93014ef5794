"""What the pages about a game say of it: its log in sentences, its clock, how soon its players answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from engine import COLORS
from service.i18n import gettext as _
from service.i18n import marked, ngettext
from service.i18n.dates import listed, span
from service.mail import words
from service.usecases.envelopes import entry
from service.usecases.pace import Reply
from service.usecases.results import ClockSpec, GameInfo, LogLine, SeatInfo
from service.web import games
from service.web.visitor import visitor

_REPLIES: Final[Mapping[Reply, str]] = {
    "hours": marked("answers within hours as a rule"),
    "a day": marked("answers within a day as a rule"),
    "days": marked("answers within days as a rule"),
}
_NOTES: Final[Mapping[str, str]] = {
    "bot": marked("A bot played this seat from the start."),
    "resigned": marked("The player resigned; a bot played on."),
    "held": marked("A bot held the seat when the game ended."),
    "stood_in": marked("A bot moved for this player at least once."),
}


def sentence(line: LogLine, info: GameInfo) -> str:
    """An entry of the log in words, to the visitor."""
    return words.sentence(entry(line), games.names(info), info.you, visitor().zone)


def sentences(lines: Sequence[LogLine], info: GameInfo) -> list[str]:
    """Entries of the log in words. That a turn passed is told by whatever shows whose turn it is."""
    return [sentence(line, info) for line in lines if line.kind != "turn"]


def reply(usual: Reply | None) -> str:
    """How soon a player mostly answers; nothing for one who is hardly known."""
    return "" if usual is None else _(_REPLIES[usual])


def note(what: str | None) -> str:
    """What the result notes about a seat; nothing for most."""
    return "" if what is None else _(_NOTES[what])


def colors(seat: SeatInfo) -> str:
    """The colours of a seat: ``black``, or with two players ``black and orange``."""
    return listed([_(color) for color in seat.colors])


def color_numbers(seat: SeatInfo) -> list[int]:
    """The colours of a seat as the pictures number them."""
    return [COLORS.index(color) for color in seat.colors]


def clock(spec: ClockSpec, *, time_off: bool) -> list[str]:
    """How much time a turn has, and when the clock stands still, in sentences."""
    if spec.kind == "days":
        days = spec.days or 0
        told = [ngettext("{number} day for every turn.", "{number} days for every turn.", days).format(number=days)]
    elif spec.kind == "bank":
        told = [_bank(spec)]
    else:
        told = [_("No clock: everybody takes as long as they like, but a turn runs out after 30 days.")]
    if time_off:
        told.append(_("The clock stands still in the night of whoever is to move, on their days off and while away."))
    else:
        told.append(_("The clock stands still in the night of whoever is to move; days off and absences do not count."))
    return told


def _bank(spec: ClockSpec) -> str:
    start, more = span(_seconds(spec.start_hours)), span(_seconds(spec.increment_hours))
    if not spec.increment_hours:
        told = _("A bank of {time} for the whole game.").format(time=start)
    else:
        told = _("A bank of {time} for the whole game, and {more} more after each turn of one's own.").format(
            time=start, more=more
        )
    if spec.cap_hours is not None:
        told += " " + _("It never holds more than {time}.").format(time=span(_seconds(spec.cap_hours)))
    return told


def _seconds(hours: int | None) -> int:
    return int(timedelta(hours=hours or 0).total_seconds())

"""Looking: nothing is changed, so these are answered whatever becomes of the other lines of a mail."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from engine import RULES
from service.commands import help_lines
from service.commands.model import Games, Help, History, Rules
from service.i18n import gettext as _
from service.i18n import marked, ngettext
from service.mail.words import NAME_LIMIT, names_of, sentence
from service.pictures.names import bot_name, tidy
from service.usecases import envelopes, lobby
from service.usecases.inbound.work import Done, Refused, Work
from service.usecases.results import GameInfo, SeatInfo

#: Characters in a line of a listing.
WIDTH = 77
MOST_GAMES = 20
#: As the chapter of the same name in docs/RULES.md.
_IN_SHORT = marked(
    "In short: in your turn you move a knight, the further the more knights stand where it starts, and then, if "
    "you like, a second one. A knight that ends beside cards takes one, and is the last of your turn. One that "
    "ends beside the rail wakes the dragon, which grabs a knight where it ends: pay a gold card or lose it. A "
    "knight that reaches the chamber brings a treasure of 5 points. When the four treasures are gone, or somebody "
    "is down to a single knight, add up your points: gold, gems and treasures."
)
#: Games that are over, in a list of one's own.
MOST_OVER = 3


def history(work: Work, command: History) -> Done:
    """The last entries of the log that this seat may read, oldest first."""
    game, seat = work.game()
    entries = envelopes.entries(work.session, game, seat, after=0, cards=work.user.mail_cards, talk=None)
    shown = entries[-command.count :]
    names = names_of(envelopes.facts(work.session, game))
    lines: list[str] = []
    zone = work.user.time_zone
    for number, line in enumerate(shown, start=len(entries) - len(shown) + 1):
        lines += _wrapped(sentence(envelopes.entry(line), names, seat.number, zone), f"{number:>3}  ", "     ")
    if len(shown) == len(entries):
        return Done((_("The log:"),), tuple(lines))
    what = ngettext(
        "The last {number} of {all} entries of the log:", "The last {number} of {all} entries of the log:", len(shown)
    )
    return Done((what.format(number=len(shown), all=len(entries)),), tuple(lines))


def rules(work: Work, command: Rules) -> Done:
    """The rules, or those with a word in them."""
    word = command.word.strip().lower()
    # A word in the reader's language, or one of the English that commands are written in.
    found = {rule: _(text) for rule, text in RULES.items() if word in f"{rule} {text} {_(text)}".lower()}
    if not found:
        why = _(
            "No rule has “{word}” in it. {command} alone gives all {number}; try knight, card, dragon, chamber, gold "
            "or gem."
        )
        raise Refused(why.format(word=tidy(command.word, NAME_LIMIT), command="`rules`", number=len(RULES)))
    told = () if word else (_(_IN_SHORT), _("Rule by rule:"))
    return Done(told, tuple(line for rule, text in found.items() for line in _wrapped(text, f"{rule}: ", "  ")))


def help_(work: Work, command: Help) -> Done:
    """The commands, or one of them."""
    return Done((), help_lines(command.topic))


def games(work: Work, command: Games) -> Done:
    """One's own games, or those that have a seat to give."""
    if command.open:
        page = lobby.browse(caller=work.caller, status="waiting", limit=MOST_GAMES)
        if not page.items:
            return Done((_("No game has an open seat just now; {command} makes one.").format(command="`new 3 seats`"),))
        told = _("Games with an open seat; {command} and the first word of its line takes it:").format(command="`join`")
        return Done((told,), tuple(_line(info) for info in page.items))
    lines = own_games(work)
    if not lines:
        told = _("You are in no game; {command} lists those to join.").format(command="`games open`")
        return Done((told,))
    return Done((_("Your games:"),), lines)


def own_games(work: Work) -> tuple[str, ...]:
    """A line for each game of the writer's: invitations first, then those going on, then the last ones that ended."""
    return tuple(_line(info) for info in _own(work))


def _own(work: Work) -> Iterator[GameInfo]:
    for status in ("invited", "playing", "waiting", "over"):
        most = MOST_OVER if status == "over" else MOST_GAMES
        yield from lobby.my_games(caller=work.caller, status=status, limit=most).items


def _line(info: GameInfo) -> str:
    names = ", ".join(_seat(seat) for seat in info.seats)
    head = f"{info.id}  {_state(info):<18} "
    return head + tidy(names, WIDTH - len(head))


def _state(info: GameInfo) -> str:
    if info.invited:
        return _("you are invited")
    if info.status == "playing" and info.to_act is not None:
        return _("your turn") if info.to_act == info.you else _("being played")
    if info.status == "waiting":
        return _("waiting, {number} open").format(number=sum(seat.kind == "open" for seat in info.seats))
    return _("over") if info.status == "over" else _("called off")


def _seat(seat: SeatInfo) -> str:
    if seat.you:
        return _("you")
    if seat.kind == "bot":
        return bot_name(seat.number)
    return tidy(seat.name or (_("open") if seat.kind == "open" else _("someone invited")), NAME_LIMIT)


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)

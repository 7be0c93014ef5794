"""What happened in a game, a sentence for each entry of its log.

Everything is told in the past tense. What the reader did and what somebody else did are sentences of their own, because
in most languages "you" and a name take different verbs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from service.i18n import gettext as _
from service.i18n import marked, ngettext, retold
from service.i18n.dates import listed, moment
from service.mail.choices import NAME_LIMIT
from service.mail.kinds import Entry
from service.mail.standing import points
from service.pictures.names import tidy

SAID_LIMIT: Final = 2000
"""How much of what somebody said stands in a sentence."""

# For translators: one knight of that colour as what is moved ("You moved a black knight") or lost.
_A_KNIGHT: Final = {
    "black": marked("a black knight"),
    "orange": marked("an orange knight"),
    "green": marked("a green knight"),
    "purple": marked("a purple knight"),
    "yellow": marked("a yellow knight"),
}
# For translators: a card that turned up ("At c3, a ruby turned up").
_A_GEM: Final = {
    "ruby": marked("a ruby"),
    "emerald": marked("an emerald"),
    "garnet": marked("a garnet"),
    "turquoise": marked("a turquoise"),
}


class _Told:
    """A log entry with the people in it called by their names, and its reader "you"."""

    def __init__(self, entry: Entry, names: Sequence[str], viewer: int | None, zone: str) -> None:
        self.data: Mapping[str, Any] = entry.data
        self.zone = zone
        self._seat = entry.seat
        self._names = names
        self._viewer = viewer

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    @property
    def mine(self) -> bool:
        """Whether it is about the reader."""
        return self._viewer is not None and self._about == self._viewer

    def says(self, yours: str, others: str, **facts: object) -> str:
        """The first of two sentences if it is about the reader, else the second, with the facts put in."""
        return (yours if self.mine else others).format(name=self.name(start=others.startswith("{name}")), **facts)

    def name(self, seat: object = None, *, start: bool = False) -> str:
        """What a seat is called, of itself that which the entry is about; ``start``: at the beginning of a sentence."""
        number = self._about if seat is None else seat
        if not isinstance(number, int):
            return _("Somebody") if start else _("somebody")
        known = tidy(self._names[number], NAME_LIMIT) if 0 <= number < len(self._names) else ""
        return known or _("Seat {number}").format(number=number + 1)

    def all(self, seats: Sequence[int]) -> tuple[bool, list[str]]:
        """Whether the reader is one of these seats, and what the others are called."""
        return self._viewer in seats, [self.name(seat) for seat in seats if seat != self._viewer]

    def text(self) -> str:
        return tidy(str(self.data.get("text", "")), SAID_LIMIT)

    @property
    def _about(self) -> object:
        return self.data.get("seat", self._seat)


def _moved(told: _Told) -> str:
    facts = {"knight": _(_A_KNIGHT[told["color"]]), "source": told["from"], "target": told["to"]}
    if told["to"] == "chamber":
        return told.says(
            _("You moved {knight} from {source} into the treasure chamber."),
            _("{name} moved {knight} from {source} into the treasure chamber."),
            **facts,
        )
    return told.says(
        _("You moved {knight} from {source} to {target}."),
        _("{name} moved {knight} from {source} to {target}."),
        **facts,
    )


def _stopped(told: _Told) -> str:
    return told.says(_("You stopped after one knight."), _("{name} stopped after one knight."))


def _took(told: _Told) -> str:
    if told["card"] == "gold":
        return told.says(
            _("You took the gold card {value} at {space}."),
            _("{name} took the gold card {value} at {space}."),
            value=told["value"],
            space=told["space"],
        )
    return told.says(
        _("You took the {gem} at {space}."),
        _("{name} took the {gem} at {space}."),
        gem=_(str(told["value"])),
        space=told["space"],
    )


def _turned_up(told: _Told) -> str:
    if told["card"] == "gold":
        return _("At {space}, gold {value} turned up.").format(space=told["space"], value=told["value"])
    return _("At {space}, {gem} turned up.").format(space=told["space"], gem=_(_A_GEM[told["value"]]))


def _four_gems(told: _Told) -> str:
    return told.says(
        _("You laid a fourth different gem and got the bonus card for it."),
        _("{name} laid a fourth different gem and got the bonus card for it."),
    )


def _threw(told: _Told) -> str:
    return told.says(_("You threw a {die} for the dragon."), _("{name} threw a {die} for the dragon."), die=told["die"])


def _dragon(told: _Told) -> str:
    back, to_castle = told["from"] == told["to"], told["facing"] == "castle"
    if back and to_castle:
        template = _("The dragon came back to {target} and now looks towards the castle.")
    elif back:
        template = _("The dragon came back to {target} and now looks towards the treasure chamber.")
    elif to_castle:
        template = _("The dragon went from {source} to {target} and now looks towards the castle.")
    else:
        template = _("The dragon went from {source} to {target} and now looks towards the treasure chamber.")
    return template.format(source=told["from"], target=told["to"])


def _caught(told: _Told) -> str:
    return told.says(
        _("The dragon caught your {color} knight at {space}."),
        _("The dragon caught {name}'s {color} knight at {space}."),
        color=_(str(told["color"])),
        space=told["space"],
    )


def _bribed(told: _Told) -> str:
    color = _(str(told["color"]))
    if "gold" in told.data:
        return told.says(
            _("You gave the dragon the gold card {value}, and the {color} knight stayed."),
            _("{name} gave the dragon the gold card {value}, and the {color} knight stayed."),
            value=told["gold"],
            color=color,
        )
    return told.says(
        _("You gave the dragon a gold card, and the {color} knight stayed."),
        _("{name} gave the dragon a gold card, and the {color} knight stayed."),
        color=color,
    )


def _surrendered(told: _Told) -> str:
    knight = _(_A_KNIGHT[told["color"]])
    return told.says(_("You lost {knight} to the nest."), _("{name} lost {knight} to the nest."), knight=knight)


def _rail(told: _Told) -> str:
    first = told["first"]
    if told["facing"] == "chamber":  # going on it may have turned the dragon (R-DRAG-10), and only that way
        template = _("The rail went on and now lies beside {first} to {last}; the dragon faces the treasure chamber.")
    else:
        template = _("The rail went on and now lies beside {first} to {last}.")
    return template.format(first=f"c{first}", last=f"c{first + 3}")


def _treasure(told: _Told) -> str:
    left = int(told["left"])
    if left == 0:
        return told.says(
            _("You took a dragon treasure; it was the last one."),
            _("{name} took a dragon treasure; it was the last one."),
        )
    return told.says(
        ngettext(
            "You took a dragon treasure; {number} is left.", "You took a dragon treasure; {number} are left.", left
        ),
        ngettext(
            "{name} took a dragon treasure; {number} is left.",
            "{name} took a dragon treasure; {number} are left.",
            left,
        ),
        number=left,
    )


def _turn(told: _Told) -> str:
    return told.says(_("Then it was your turn."), _("Then it was {name}'s turn."))


def _over(told: _Told) -> str:
    if told["reason"] == "last-treasure":
        why = _("The game ended, because the last treasure was taken.")
    else:
        why = _("The game ended, because somebody had only one knight left.")
    mine, others = told.all(told["winners"])
    if mine and others:
        template = _("You and {names} shared the win with {points}.")
    elif mine:
        template = _("You won with {points}.")
    elif len(others) > 1:
        template = _("{names} shared the win with {points}.")
    else:
        template = _("{names} won with {points}.")
    best = points(told["scores"][told["winners"][0]])
    return f"{why} {template.format(names=listed(others), points=best)}"


def _created(told: _Told) -> str:
    return told.says(_("You created the game."), _("{name} created the game."))


def _joined(told: _Told) -> str:
    return told.says(_("You joined the game."), _("{name} joined the game."))


def _resigned(told: _Told) -> str:
    return told.says(
        _("You resigned; a bot played on in that seat."), _("{name} resigned; a bot played on in that seat.")
    )


def _timed_out(told: _Told) -> str:
    return told.says(_("Time was up for you."), _("Time was up for {name}."))


def _held(told: _Told) -> str:
    return told.says(
        _("A second turn in a row ran out for you: a bot took over the seat."),
        _("A second turn in a row ran out for {name}: a bot took over the seat."),
    )


def _resumed(told: _Told) -> str:
    return told.says(_("You took the seat back from the bot."), _("{name} took the seat back from the bot."))


def _extended(told: _Told) -> str:
    mine, others = told.all(told["by"])
    many = len(others)
    if told.mine:
        template = ngettext(
            "{names} gave you more time, until {until}.", "{names} gave you more time, until {until}.", many
        )
    elif mine and others:
        template = _("You and {names} gave {name} more time, until {until}.")
    elif mine:
        template = _("You gave {name} more time, until {until}.")
    else:
        template = ngettext(
            "{names} gave {name} more time, until {until}.", "{names} gave {name} more time, until {until}.", many
        )
    until = moment(datetime.fromisoformat(told["deadline"]), told.zone)
    return template.format(names=listed(others), name=told.name(), until=until)


def _voted(told: _Told) -> str:
    if told["vote"] == "end":
        return told.says(_("You voted to end the game."), _("{name} voted to end the game."))
    return told.says(_("You voted for more time."), _("{name} voted for more time."))


def _ended(told: _Told) -> str:
    mine, others = told.all(told["by"])
    if mine and others:
        template = _("You and {names} voted to end the game, so it ended, and nobody won.")
    elif mine:
        template = _("You voted to end the game, so it ended, and nobody won.")
    else:
        template = ngettext(
            "{names} voted to end the game, so it ended, and nobody won.",
            "{names} voted to end the game, so it ended, and nobody won.",
            len(others),
        )
    return template.format(names=listed(others))


def _by_order(told: _Told) -> str:
    if told["order"] == "bribe":
        return _("Your standing order for bribes (“{order}”) decided.").format(order=told.text())
    return _("Your standing order for whom the dragon catches (“{order}”) decided.").format(order=told.text())


def _plan_played(told: _Told) -> str:
    line = tidy(str(told["line"]), SAID_LIMIT)
    left_out = [f"“{tidy(str(one['word']), NAME_LIMIT)}”" for one in told.data.get("dropped", ())]
    if not left_out:
        return _("Your plan was played: {line}.").format(line=line)
    template = ngettext(
        "Your plan was played: {line}; {words} did not fit any more.",
        "Your plan was played: {line}; {words} did not fit any more.",
        len(left_out),
    )
    return template.format(line=line, words=listed(left_out))


def _plan_dropped(told: _Told) -> str:
    if "why" not in told.data:
        return _("Your plan (“{plan}”) was not played.").format(plan=told.text())
    why = tidy(retold(str(told["why"]), told.data.get("said")), SAID_LIMIT).rstrip(".")
    return _("Your plan (“{plan}”) was not played: {why}.").format(plan=told.text(), why=why)


def _rematch(told: _Told) -> str:
    return told.says(_("You asked for another game."), _("{name} asked for another game."))


def _say(told: _Told) -> str:
    return told.says(_("You said: “{text}”"), _("{name} said: “{text}”"), text=told.text())


_SENTENCES: Final[dict[str, Callable[[_Told], str]]] = {
    # what the engine reports (engine.event_to_json)
    "moved": _moved,
    "stopped": _stopped,
    "took": _took,
    "turned_up": _turned_up,
    "four_gems": _four_gems,
    "threw": _threw,
    "dragon": _dragon,
    "caught": _caught,
    "bribed": _bribed,
    "surrendered": _surrendered,
    "rail": _rail,
    "treasure": _treasure,
    "turn": _turn,
    "over": _over,
    # what people do around the board
    "created": _created,
    "joined": _joined,
    # whoever has the seat by now is somebody else
    "left": lambda told: _("A player left the game."),
    "declined": lambda told: _("An invitation was declined."),
    "started": lambda told: _("The game started."),
    "cancelled": lambda told: _("The game was cancelled."),
    "resigned": _resigned,
    "timed_out": _timed_out,
    "held": _held,
    "resumed": _resumed,
    "extended": _extended,
    "voted": _voted,
    "ended": _ended,
    "order": _by_order,
    "plan_played": _plan_played,
    "plan_dropped": _plan_dropped,
    "rematch": _rematch,
    "say": _say,
    "note": lambda told: _("Your note: “{text}”").format(text=told.text()),
}

KINDS: Final = frozenset(_SENTENCES)
"""Every kind of log entry that can be told."""


def sentence(entry: Entry, names: Sequence[str], viewer: int | None = None, zone: str = "UTC") -> str:
    """One log entry as a sentence; ``viewer`` is called "you", times are told by the clocks of ``zone``.

    Raises KeyError for a kind that is not in ``KINDS``: a new kind needs its sentence.
    """
    return _SENTENCES[entry.kind](_Told(entry, names, viewer, zone))

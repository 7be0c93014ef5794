"""The game in sentences: what happened, what can be done, and when.

All of it is plain text; whoever puts it into HTML escapes it. Everything that happened is told in the past tense,
because then "you" and a name take the same verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from engine import (
    CHAMBER,
    COLORS,
    GEMS,
    GOLD,
    SPACES,
    Action,
    Bribe,
    Catch,
    Move,
    Surrender,
    Take,
    View,
    colors_of,
    crowd,
    destination,
    owner,
)
from service.mail.kinds import Entry, Game
from service.mail.times import when
from service.pictures.names import seat_names, tidy
from service.pictures.text import counted

SAID_LIMIT: Final = 2000
NAME_LIMIT: Final = 40
OPT_OUTS: Final[Mapping[str, str]] = {
    "turn": "mails about your turn",
    "reminder": "reminders",
    "news": "news about your games",
    "invitation": "invitations",
}
"""What the kinds of mail are called that can be turned off (``tokens.KINDS``)."""
VOTES: Final[Mapping[str, str]] = {"extend": "for more time", "end": "to end the game"}
"""What a vote is for."""
_BRIBE_VALUES: Final = re.compile(r"(?<=\bbribe )\d+|(?<=\bat most )\d+", re.IGNORECASE)
_CAVE = SPACES.index("c1")

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


def listed(items: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def names_of(game: Game) -> tuple[str, ...]:
    """A name to show for every seat."""
    return seat_names(game.names, len(game.names), NAME_LIMIT)


# -- what can be done


def action_words(action: Action, view: View, names: Sequence[str] = ()) -> str:
    """One legal action of ``view.viewer``, told with what it leads to as far as everybody can see it."""
    if isinstance(action, Move):
        return _move_words(action, view)
    if isinstance(action, Take):
        cave = view.moved[-1][1] - _CAVE if view.moved else 0
        if action.kind == GOLD:
            return f"Take the gold card {view.gold_up[cave]}; nobody else will see it again"
        return f"Take the {GEMS[view.gem_up[cave]]}"
    if isinstance(action, Catch):
        return f"Let the dragon catch {_knight_of(action.color, view, names)}"
    if isinstance(action, Bribe):
        return f"Give the dragon your gold {action.gold}: {_caught_knight(view)} stays"
    if action.do == "surrender":
        return f"Give up {_caught_knight(view)}: it goes to the nest and is out of the game"
    return "Stop here: no second knight this turn"


def bribe_words(view: View) -> list[tuple[str, str]]:
    """How to answer the dragon without naming a card: ``(notation, what it does)``, the same for every hand."""
    stays = f"{_caught_knight(view)} stays"
    return [
        ("bribe lowest", f"Give the dragon your lowest gold card: {stays}"),
        ("bribe highest", f"Give the dragon your highest gold card: {stays}"),
        ("surrender", action_words(Surrender(), view)),
    ]


def _move_words(action: Move, view: View) -> str:
    source = SPACES[action.source]
    steps = crowd(view.knights, action.source)
    target = destination(view.knights, action.source)
    which = (
        f"your {COLORS[action.color]} knight" if len(colors_of(view.players, view.viewer or 0)) > 1 else "your knight"
    )
    went = f"Move {which} on {source}: {counted(steps, 'step')}"
    if target == CHAMBER:
        return f"{went} into the treasure chamber"
    return f"{went} to {SPACES[target]}{_cards_at(target, view)}"


def _cards_at(space: int, view: View) -> str:
    cave = space - _CAVE
    if cave < 0:
        return ""
    gold = [f"gold {view.gold_up[cave]}"] if view.gold_left[cave] else []
    gem = [GEMS[view.gem_up[cave]]] if view.gem_left[cave] else []
    return f" ({listed(gold + gem, 'or')})" if gold or gem else " (no cards there)"


def _caught_knight(view: View) -> str:
    return f"your {COLORS[view.victim]} knight at c{view.dragon}"


def _knight_of(color: int, view: View, names: Sequence[str]) -> str:
    seat = owner(view.players, color)
    if seat == view.viewer:
        return f"your own {COLORS[color]} knight"
    whose = f" of {tidy(names[seat], NAME_LIMIT)}" if seat < len(names) and names[seat] else ""
    return f"the {COLORS[color]} knight{whose}"


# -- what happened


class _Told:
    """A log entry with the people in it called by their names, and its reader "you"."""

    def __init__(self, entry: Entry, names: Sequence[str], viewer: int | None, zone: str) -> None:
        self.data: Mapping[str, Any] = entry.data
        self.zone = zone
        self._seat = entry.seat
        self._names = names
        self.viewer = viewer

    def name(self, seat: object = None, *, start: bool = True) -> str:
        number = seat if isinstance(seat, int) else self.data.get("seat", self._seat)
        if not isinstance(number, int):
            return "Somebody" if start else "somebody"
        if number == self.viewer:
            return "You" if start else "you"
        known = tidy(self._names[number], NAME_LIMIT) if 0 <= number < len(self._names) else ""
        return known or f"Seat {number + 1}"

    def whose(self, seat: object) -> str:
        name = self.name(seat, start=False)
        return "your" if name == "you" else f"{name}'s"

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def voters(self) -> str:
        told = listed([self.name(seat, start=False) for seat in self["by"]])
        return f"{told[:1].upper()}{told[1:]}"

    def text(self) -> str:
        return tidy(str(self.data.get("text", "")), SAID_LIMIT)


def _card(told: _Told) -> str:
    return f"gold {told['value']}" if told["card"] == "gold" else _a(str(told["value"]))


def _moved(told: _Told) -> str:
    goal = "into the treasure chamber" if told["to"] == "chamber" else f"to {told['to']}"
    return f"{told.name()} moved {_a(told['color'])} knight from {told['from']} {goal}."


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _took(told: _Told) -> str:
    what = f"the gold card {told['value']}" if told["card"] == "gold" else f"the {told['value']}"
    return f"{told.name()} took {what} at {told['space']}."


def _dragon(told: _Told) -> str:
    went = f"went from {told['from']} to {told['to']}" if told["from"] != told["to"] else f"came back to {told['to']}"
    goal = "the castle" if told["facing"] == "castle" else "the treasure chamber"
    return f"The dragon {went} and now looks towards {goal}."


def _caught(told: _Told) -> str:
    return f"The dragon caught {told.whose(told['seat'])} {told['color']} knight at {told['space']}."


def _bribed(told: _Told) -> str:
    gold = f"the gold card {told['gold']}" if "gold" in told.data else "a gold card"
    return f"{told.name()} gave the dragon {gold}, and the {told['color']} knight stayed."


def _treasure(told: _Told) -> str:
    left = told["left"]
    rest = "it was the last one" if left == 0 else f"{left} {'is' if left == 1 else 'are'} left"
    return f"{told.name()} took a dragon treasure; {rest}."


def _over(told: _Told) -> str:
    last = told["reason"] == "last-treasure"
    why = "the last treasure was taken" if last else "somebody had only one knight left"
    winners = listed([told.name(seat, start=False) for seat in told["winners"]])
    points = told["scores"][told["winners"][0]]
    shared = " shared the win" if len(told["winners"]) > 1 else " won"
    return f"The game ended, because {why}. {winners[:1].upper()}{winners[1:]}{shared} with {counted(points, 'point')}."


def _rail(told: _Told) -> str:
    first = told["first"]
    return f"The rail went on and now lies beside c{first} to c{first + 3}."


def _held(told: _Told) -> str:
    return f"A second turn in a row ran out for {told.name(start=False)}: a bot took over the seat."


def _extended(told: _Told) -> str:
    until = when(datetime.fromisoformat(told["deadline"]), told.zone)
    return f"{told.voters()} gave {told.name(start=False)} more time, until {until}."


def _voted(told: _Told) -> str:
    return f"{told.name()} voted {VOTES[told['vote']]}."


def _ended(told: _Told) -> str:
    return f"{told.voters()} voted to end the game, so it ended, and nobody won."


def _by_order(told: _Told) -> str:
    what = "for bribes" if told["order"] == "bribe" else "for whom the dragon catches"
    return f"Your standing order {what} (“{told.text()}”) decided."


def _plan_played(told: _Told) -> str:
    left_out = [f"“{tidy(str(one['word']), NAME_LIMIT)}”" for one in told.data.get("dropped", ())]
    rest = f"; {listed(left_out)} did not fit any more" if left_out else ""
    return f"Your plan was played: {tidy(str(told['line']), SAID_LIMIT)}{rest}."


def _plan_dropped(told: _Told) -> str:
    why = f": {tidy(str(told['why']), SAID_LIMIT).rstrip('.')}" if "why" in told.data else ""
    return f"Your plan (“{told.text()}”) was not played{why}."


_SENTENCES: Final[dict[str, Callable[[_Told], str]]] = {
    # what the engine reports (engine.event_to_json)
    "moved": _moved,
    "stopped": lambda told: f"{told.name()} stopped after one knight.",
    "took": _took,
    "turned_up": lambda told: f"At {told['space']}, {_card(told)} turned up.",
    "four_gems": lambda told: f"{told.name()} laid a fourth different gem and got the bonus card for it.",
    "threw": lambda told: f"{told.name()} threw a {told['die']} for the dragon.",
    "dragon": _dragon,
    "caught": _caught,
    "bribed": _bribed,
    "surrendered": lambda told: f"{told.name()} lost {_a(told['color'])} knight to the nest.",
    "rail": _rail,
    "treasure": _treasure,
    "turn": lambda told: f"Then it was {told.whose(told['seat'])} turn.",
    "over": _over,
    # what people do around the board
    "created": lambda told: f"{told.name()} created the game.",
    "joined": lambda told: f"{told.name()} joined the game.",
    # whoever has the seat by now is somebody else
    "left": lambda told: "A player left the game.",
    "declined": lambda told: "An invitation was declined.",
    "started": lambda told: "The game started.",
    "cancelled": lambda told: "The game was cancelled.",
    "resigned": lambda told: f"{told.name()} resigned; a bot played on in that seat.",
    "timed_out": lambda told: f"Time was up for {told.name(start=False)}.",
    "held": _held,
    "resumed": lambda told: f"{told.name()} took the seat back from the bot.",
    "extended": _extended,
    "voted": _voted,
    "ended": _ended,
    "order": _by_order,
    "plan_played": _plan_played,
    "plan_dropped": _plan_dropped,
    "rematch": lambda told: f"{told.name()} asked for another game.",
    "say": lambda told: f"{told.name()} said: “{told.text()}”",
    "note": lambda told: f"Your note: “{told.text()}”",
}

KINDS: Final = frozenset(_SENTENCES)
"""Every kind of log entry that can be told."""

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
            data.pop("why", None)
            data.pop("dropped", None)
        data |= shown
    return Entry(entry.kind, entry.seat, data)


def order_words(text: str, *, cards: bool) -> str:
    """A standing order or a plan, on one line; without ``cards`` no value of gold for the dragon stands in it."""
    line = tidy(text, SAID_LIMIT)
    return line if cards else _BRIBE_VALUES.sub("…", line)


def sentence(entry: Entry, names: Sequence[str], viewer: int | None = None, zone: str = "UTC") -> str:
    """One log entry as an English sentence; ``viewer`` is called "you", times are told by the clocks of ``zone``.

    Raises KeyError for a kind that is not in ``KINDS``: a new kind needs its sentence.
    """
    return _SENTENCES[entry.kind](_Told(entry, names, viewer, zone))


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

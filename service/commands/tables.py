"""``new …``: a game described in one line."""

from __future__ import annotations

import re
from typing import Final

from engine.board import MAX_PLAYERS, MIN_PLAYERS
from engine.bots import LEVELS
from service.commands.arguments import NUMBERS, Unfit, said
from service.commands.model import New
from service.commands.times import span
from service.i18n import gettext as _
from service.i18n import marked

MOST_DAYS: Final = 60
#: Hours in a bank: the most at the beginning (and at all), and the most that a turn adds.
MOST_BANK, MOST_INCREMENT = 24 * 60, 24 * 14
_BANK: Final = marked("a bank is bank 3d 12h: 3 days at the beginning, 12 hours more each turn")
_LONGEST_NAME: Final = 254
_USUAL_BOT: Final = "steady"
_EXAMPLE: Final = "new 3 seats with Robin, Wren"
#: The words that end a list of names.
_OPTIONS: Final = frozenset({"bot", "bots", "private", "public", "with"})
_PARTS: Final = re.compile(r"\"[^\"]*\"|“[^”]*[”\"]|„[^“”]*[“”]|«[^»]*»|[,&]|[^\s,&]+")
_QUOTED: Final = '"“”„«»'


def new(line: str) -> New:
    """What stands after ``new``, with its commas and quotes; raises Unfit."""
    return _Reader(line).read()


class _Reader:
    def __init__(self, line: str) -> None:
        self._line = line.strip()
        parts: list[str] = [
            part for part in _PARTS.findall(line) if part in ",&" or any(char.isalnum() for char in part)
        ]
        while parts and parts[-1].lower().rstrip(".!?") in ("please", "thanks"):
            parts.pop()
        if parts:
            parts[-1] = parts[-1].rstrip(".!?")
        self._parts: list[str] = parts[::-1]
        self._naming = False
        self._people: list[str] = []
        self._bots: list[str] = []
        self._private = False
        self._days: int | None = None
        self._bank: tuple[int, int, int | None] | None = None
        self._time_off = True

    def read(self) -> New:
        seats = self._seats()
        while self._parts:
            self._option(self._parts.pop())
        taken = 1 + len(self._people) + len(self._bots)
        if taken > seats:
            raise self._too_many(seats, taken)
        people, bots = tuple(self._people), tuple(self._bots)
        return New(seats, people, bots, self._private, self._days, self._bank, self._time_off)

    def _too_many(self, seats: int, taken: int) -> Unfit:
        if taken > MAX_PLAYERS:
            template = _(
                "'{word}' seats are too few: you, people and bots together are {taken}, and a game has at most {most}"
            )
            return said(str(seats), template, taken=taken, most=MAX_PLAYERS)
        template = _("'{word}' seats are too few: you, people and bots together are {taken}")
        return said(str(seats), template, f"new {re.sub('^[0-9]+', str(taken), self._line)}", taken=taken)

    def _seats(self) -> int:
        if not self._parts:
            raise said(
                "new", _("'{word}' is not all: after it comes the number of seats, like {example}"), example=_EXAMPLE
            )
        word = self._parts.pop()
        number = re.fullmatch("([0-9]{1,4})(?:-?(?:seats?|players?))?", NUMBERS.get(word.lower(), word.lower()))
        if number is None:
            template = _("'{word}' is no number of seats: a game has {least} to {most}, like {example}")
            raise said(word, template, least=MIN_PLAYERS, most=MAX_PLAYERS, example=_EXAMPLE)
        if not MIN_PLAYERS <= int(number[1]) <= MAX_PLAYERS:
            template = _("'{word}' seats cannot be: a game has {least} to {most}")
            raise said(word, template, least=MIN_PLAYERS, most=MAX_PLAYERS)
        if self._parts and self._low() in ("seat", "seats", "player", "players"):
            self._parts.pop()
        if self._parts and self._low() == "game":
            self._parts.pop()
        return int(number[1])

    def _option(self, word: str) -> None:
        low = word.lower()
        if low in (",", "and", "&"):
            if self._naming:
                self._names()
        elif low == "with":
            self._naming = True
            self._names()
            if not self._people and not self._bot_comes():
                raise said(
                    "with", _("'{word}' is not all: after it come names or addresses, like {example}"), example=_EXAMPLE
                )
        elif low in ("private", "public"):
            self._private = low == "private"
        elif low in ("bot", "bots"):
            self._bots.append(self._level())
        elif low == "bank":
            self._bank = self._bank_of(word)
        elif low == "no":
            self._without(word)
        elif re.fullmatch("[0-9]{1,4}[a-z]*", NUMBERS.get(low, low)):
            self._counted(word, NUMBERS.get(low, low))
        else:
            raise said(
                word, _("'{word}' does not fit: after the seats come with NAMES, bot LEVEL, private, 3 days or a bank")
            )

    def _counted(self, word: str, low: str) -> None:
        """``2 bots steady``, ``3 days``, ``3d``."""
        digits = re.match("[0-9]+", low)
        number, unit = int(digits[0] if digits else 0), low.lstrip("0123456789")
        if not unit and self._parts:
            unit = self._low()
            self._parts.pop()
        if unit in ("bot", "bots"):
            if not 1 <= number < MAX_PLAYERS:
                template = _("'{word}' bots cannot be: a game has at most {most} seats, and one is yours")
                raise said(word, template, most=MAX_PLAYERS)
            self._bots += [self._level()] * number
        elif unit in ("d", "day", "days"):
            if not 1 <= number <= MOST_DAYS:
                raise said(word, _("'{word}' days cannot be: a turn has 1 to {most} days"), most=MOST_DAYS)
            self._one_clock(word)
            self._days = number
            self._each_turn()
        else:
            raise said(word, _("'{word}' does not fit: a number goes with bots or days, like 2 bots or 3 days"))

    def _bank_of(self, word: str) -> tuple[int, int, int | None]:
        """``bank 3d 12h``, ``bank 3 days 12 hours max 5d``: all in hours."""
        self._one_clock(word)
        start = self._hours(word, MOST_BANK, _("'{word}' cannot be: a bank has 1 hour to {days} days at the beginning"))
        each = _("'{word}' cannot be: a bank has 1 hour to {days} days more each turn")
        increment = self._hours(word, MOST_INCREMENT, each)
        self._each_turn()
        if not (self._parts and self._low() in ("max", "cap")):
            return start, increment, None
        most = _("'{word}' cannot be: a bank has 1 hour to {days} days at most")
        cap = self._hours(self._parts.pop(), MOST_BANK, most)
        if cap < max(start, increment):
            template = _("'{word}' is less than the bank has at once; {bank}, with max 5d never more than 5 days")
            raise said("max", template, bank=_(_BANK))
        return start, increment, cap

    def _hours(self, word: str, most: int, template: str) -> int:
        """A length of time, in hours; ``template`` says that it cannot be."""
        parts: list[str] = []
        while self._parts and len(parts) < 2:
            parts.append(self._parts.pop().lstrip("+"))
            time = span(parts)
            if time is not None:
                hours = int(time.total_seconds()) // 3600
                if not 1 <= hours <= most:
                    raise said(" ".join(parts), template, days=most // 24)
                return hours
        if parts:
            raise said(parts[0], _("'{word}' does not fit: {bank}"), bank=_(_BANK))
        raise said(word, _("'{word}' is not all: {bank}"), bank=_(_BANK))

    def _without(self, word: str) -> None:
        """``no time off``."""
        if [part.lower() for part in self._parts[:-3:-1]] != ["time", "off"]:
            raise said(word, _("'{word}' does not fit: what a game can be without is time off, with no time off"))
        del self._parts[-2:]
        self._time_off = False

    def _one_clock(self, word: str) -> None:
        if self._days is not None or self._bank is not None:
            raise said(word, _("'{word}' would be a second clock: a game has days a turn or a bank"))

    def _each_turn(self) -> None:
        for extra in (("per", "a", "each", "for"), ("move", "turn", "moves", "turns")):
            if self._parts and self._low() in extra:
                self._parts.pop()

    def _level(self) -> str:
        if self._parts and self._low() in LEVELS:
            level = self._low()
            self._parts.pop()
            return level
        return _USUAL_BOT

    def _names(self) -> None:
        name: list[str] = []
        while self._parts:
            part, low = self._parts[-1], self._low()
            if low in (",", "and", "&"):
                self._parts.pop()
                self._name(name)
            elif part[0] in _QUOTED and len(part) > 1:
                self._parts.pop()
                name.append(part.strip(_QUOTED))
                self._name(name)
            elif low in ("a", "an") and not name and self._bot_follows():
                self._parts.pop()
            elif low in _OPTIONS or self._count_follows() or self._clock_follows():
                break
            else:
                self._parts.pop()
                name.append(part)
        self._name(name)

    def _bot_comes(self) -> bool:
        return bool(self._parts) and (self._low() in ("bot", "bots") or self._count_follows())

    def _name(self, words: list[str]) -> None:
        name = " ".join(words).strip()
        words.clear()
        if "@" in name:
            name = name.strip("<>.")
        if len(name) > _LONGEST_NAME:
            raise said(name, _("'{word}' is too long for a name"))
        if name:
            self._people.append(name)

    def _low(self) -> str:
        return self._parts[-1].lower()

    def _bot_follows(self) -> bool:
        return len(self._parts) > 1 and self._parts[-2].lower() in ("bot", "bots")

    def _count_follows(self) -> bool:
        """Whether ``2 bots`` or ``3 days`` comes next."""
        if re.fullmatch("[0-9]+(?:d|days?)", self._low()):
            return True
        following = self._parts[-2].lower() if len(self._parts) > 1 else ""
        return NUMBERS.get(self._low(), self._low()).isdecimal() and following in ("bot", "bots", "d", "day", "days")

    def _clock_follows(self) -> bool:
        """Whether ``bank 3d`` or ``no time off`` comes next, and not somebody who is called so."""
        low = [part.lower().lstrip("+") for part in self._parts[:-4:-1]]
        return low == ["no", "time", "off"] or (low[:1] == ["bank"] and any(span(low[1:end]) for end in (2, 3)))

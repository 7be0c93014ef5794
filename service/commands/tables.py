"""``new …``: a game described in one line."""

from __future__ import annotations

import re
from typing import Final

from engine.board import MAX_PLAYERS, MIN_PLAYERS
from engine.bots import LEVELS
from engine.lines import quote
from service.commands.arguments import NUMBERS, Unfit, said
from service.commands.model import New

MOST_DAYS: Final = 60
_LONGEST_NAME: Final = 254
_USUAL_BOT: Final = "steady"
_EXAMPLE: Final = "like new 3 seats with Robin, Wren"
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

    def read(self) -> New:
        seats = self._seats()
        while self._parts:
            self._option(self._parts.pop())
        taken = 1 + len(self._people) + len(self._bots)
        if taken > seats:
            raise self._too_many(seats, taken)
        return New(seats, tuple(self._people), tuple(self._bots), self._private, self._days)

    def _too_many(self, seats: int, taken: int) -> Unfit:
        what = f"'{seats}' seats are too few: you, people and bots together are {taken}"
        if taken > MAX_PLAYERS:
            return Unfit(str(seats), f"{what}, and a game has at most {MAX_PLAYERS}")
        return Unfit(str(seats), what, f"new {re.sub('^[0-9]+', str(taken), self._line)}")

    def _seats(self) -> int:
        if not self._parts:
            raise said("new", f"is not all: after it comes the number of seats, {_EXAMPLE}")
        word = self._parts.pop()
        number = re.fullmatch("([0-9]{1,4})(?:-?(?:seats?|players?))?", NUMBERS.get(word.lower(), word.lower()))
        if number is None:
            raise said(word, f"is no number of seats: a game has {MIN_PLAYERS} to {MAX_PLAYERS}, {_EXAMPLE}")
        if not MIN_PLAYERS <= int(number[1]) <= MAX_PLAYERS:
            raise said(word, f"seats cannot be: a game has {MIN_PLAYERS} to {MAX_PLAYERS}")
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
                raise said("with", f"is not all: after it come names or addresses, {_EXAMPLE}")
        elif low in ("private", "public"):
            self._private = low == "private"
        elif low in ("bot", "bots"):
            self._bots.append(self._level())
        elif re.fullmatch("[0-9]{1,4}[a-z]*", NUMBERS.get(low, low)):
            self._counted(word, NUMBERS.get(low, low))
        else:
            raise said(word, "does not fit: after the seats come with NAMES, bot LEVEL, private or 3 days")

    def _counted(self, word: str, low: str) -> None:
        """``2 bots steady``, ``3 days``, ``3d``."""
        digits = re.match("[0-9]+", low)
        number, unit = int(digits[0] if digits else 0), low.lstrip("0123456789")
        if not unit and self._parts:
            unit = self._low()
            self._parts.pop()
        if unit in ("bot", "bots"):
            if not 1 <= number < MAX_PLAYERS:
                raise said(word, f"bots cannot be: a game has at most {MAX_PLAYERS} seats, and one is yours")
            self._bots += [self._level()] * number
        elif unit in ("d", "day", "days"):
            if not 1 <= number <= MOST_DAYS:
                raise said(word, f"days cannot be: a turn has 1 to {MOST_DAYS} days")
            self._days = number
            for extra in (("per", "a", "each", "for"), ("move", "turn", "moves", "turns")):
                if self._parts and self._low() in extra:
                    self._parts.pop()
        else:
            raise said(word, "does not fit: a number goes with bots or days, like 2 bots or 3 days")

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
            elif low in _OPTIONS or self._count_follows():
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
            raise Unfit(name, f"'{quote(name)}' is too long for a name")
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

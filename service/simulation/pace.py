"""One game by mail, played four ways: without orders, with standing orders, and with two kinds of plans beside them.

**Off**, the baseline: a person sends one line for the knights of a turn and says the card in it, as one may who sees
the board. But what the dragon asks - whom it shall catch, what is paid for a knight - is asked when it comes up, and
waits for the next look of whoever is asked. Who is asked in their own turn says the rest of it in the same answer.

**Orders**: the mail with a person's first line says as well what the dragon gets, and every line whom it catches, so
nobody is asked. **Plans**: every mail with a line brings a plan for the turn after it, which is there before the line
is played, as that may bring the turn back at once; and whoever looks when it is not their turn, and has no plan or one
that the board has gone past, files one, which is a message of its own. Such a plan goes on with ``else`` to any knight
that still stands there. **Strict** plans do not: they are what the person saw coming, and dropped if the board is
another by then.

All four ways have the same deal, throws, people, tastes and times of looking. Off and Orders make the very same
actions, so they differ in nothing but the waiting. What comes back at once from one's own mail (the dragon asks
oneself, or the turn is one's own again) is read at the next look, unless people stay at their mail for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Final, Literal, NamedTuple

from engine import (
    MOVE,
    IllegalAction,
    NotationError,
    Position,
    StepPlayed,
    deal,
    play_line,
    start,
    to_act,
    view,
)
from engine.events import TurnPassed
from engine.orders import Orders, standing
from engine.plans import Plan, parse_plan, plan_line
from service.simulation.habits import WEEK, Looks
from service.simulation.people import Person, Turn

Way = Literal["off", "orders", "strict", "plans"]
WAYS: Final[tuple[Way, ...]] = ("off", "orders", "strict", "plans")

Wait = Literal["turn", "bribe", "choice", "rest"]
"""What is waited for: a turn to begin, another player's answer to the dragon, the mover's own answer to it, or the
rest of a turn that was broken off."""
WAITS: Final[tuple[Wait, ...]] = ("turn", "bribe", "choice", "rest")


class Setting(NamedTuple):
    """What is played: how many sit at the table, when they look at their mail, which bot has their taste in moves."""

    seats: int
    model: str
    level: str = "random"
    stays: bool = False
    """Whether people answer what comes back at once at the same look."""


@dataclass
class Counts:
    """What was counted in games: turns are the knight turns of people; hours are those that the games waited."""

    games: int = 0
    turns: int = 0
    messages: int = 0
    waits: dict[Wait, int] = field(default_factory=lambda: dict.fromkeys(WAITS, 0))
    hours: dict[Wait, float] = field(default_factory=lambda: dict.fromkeys(WAITS, 0.0))
    plans_filed: int = 0
    plans_played: int = 0
    plans_surprised: int = 0
    """Of those played, the ones whose first clause did not hold."""
    plans_dropped: int = 0

    @property
    def woken(self) -> int:
        """How often another player than the one whose turn it was had to be asked."""
        return self.waits["bribe"]

    @property
    def days(self) -> float:
        """How long the games took, in days."""
        return sum(self.hours.values()) / 24

    def add(self, other: "Counts") -> None:
        """Count another's games as well."""
        self.games += other.games
        self.turns += other.turns
        self.messages += other.messages
        self.plans_filed += other.plans_filed
        self.plans_played += other.plans_played
        self.plans_surprised += other.plans_surprised
        self.plans_dropped += other.plans_dropped
        for wait in WAITS:
            self.waits[wait] += other.waits[wait]
            self.hours[wait] += other.hours[wait]


def play(setting: Setting, way: Way, name: str) -> Counts:
    """One game to its end; everything in it follows from ``name``."""
    game = Game(setting, way, name)
    game.play()
    return game.counts


class Game:
    """A game on its way by mail. ``position`` and ``now`` tell how far it is, ``counts`` what it has cost so far."""

    def __init__(self, setting: Setting, way: Way, name: str) -> None:
        self._setting, self._way, self._name = setting, way, name
        seats = range(setting.seats)
        self._plan_ahead = way in ("strict", "plans")
        self._people = [
            Person(seat, setting.seats, setting.level, self._rng("person", seat), else_too=way == "plans")
            for seat in seats
        ]
        self._looks = [Looks(setting.model, self._rng("looks", seat)) for seat in seats]
        self._orders: list[Orders | None] = [None for _ in seats]
        self._plans: list[Plan | None] = [None for _ in seats]
        self._begun: dict[int, Turn] = {}  # a turn of which a part is still to be sent, by its seat
        self.position = start(deal(setting.seats, sha256(name.encode()).digest(), [""] * setting.seats, None))
        self._ply = 0
        self.now = self._since = self._rng("start").uniform(0, WEEK)
        self.counts = Counts(games=1)

    def play(self) -> None:
        """Let everybody look at their mail until the game is over."""
        self.counts.turns += 1
        while (seat := to_act(self.position)) is not None:
            at, who = self._next_look(seat)
            self.now = at
            if who != seat:
                self._look_ahead(who)
                continue
            self._answer(seat)
            while self._setting.stays and to_act(self.position) == seat:
                self._answer(seat)

    def _rng(self, *what: object) -> Random:
        return Random("|".join(map(str, (self._name, *what))))

    def _next_look(self, seat: int) -> tuple[float, int]:
        """The next look at which something is done: that of the seat to act, or with plans anybody's."""
        seats = range(self._setting.seats) if self._plan_ahead else (seat,)
        return min((self._looks[who].after(self.now), who) for who in seats)

    # -- a mail with what is asked for

    def _answer(self, seat: int) -> None:
        """The one to act sends what is asked for, and with it the orders and a plan."""
        position = self.position
        wait = self._waited_for(position, seat)
        self.counts.waits[wait] += 1
        self.counts.hours[wait] += self.now - self._since
        self._since = self.now
        self.counts.messages += 1
        if self._way != "off":
            self._orders[seat] = self._people[seat].orders
        if wait in ("bribe", "choice"):
            self._send_answer(seat)
        else:
            self._send_turn(seat)

    def _waited_for(self, position: Position, seat: int) -> Wait:
        if seat != position.turn:
            return "bribe"
        if position.phase == MOVE and not position.moved:
            return "turn"
        return "choice" if position.legal[0].do in ("catch", "bribe", "surrender") else "rest"

    def _send_turn(self, seat: int) -> None:
        """The line of a turn; of one that was broken off, what is left of it, if that can still be done."""
        person, position = self._people[seat], self.position
        begun = self._begun.pop(seat, None)
        if begun is not None and position.moved and begun.second in position.legal:
            self._send(begun.rest)
            return
        turn = person.turn(position, self._rng("line", seat, self._ply))
        if self._way == "off":
            self._begun[seat] = turn
            self._send(turn.words)
            return
        if self._plan_ahead and not position.moved:
            self._file(seat, person.plan_after(position, turn, self._rng("plan", seat, self._ply)))
        self._send(person.line(turn))

    def _send_answer(self, seat: int) -> None:
        """The answer to the dragon; if the turn is the sender's own, with the rest of it where that can be done."""
        answer, begun = self._people[seat].answer(self.position), self._begun.get(seat)
        if begun is not None and begun.rest and seat == self.position.turn:
            try:
                self._send(f"{answer} {begun.rest}")
            except IllegalAction:
                pass  # somebody else is asked first, or that knight is lost: the rest will be asked for
            else:
                return
        self._send(answer)

    def _send(self, line: str) -> None:
        """Play a line, and the plans that it lets begin."""
        self._played(play_line(self.position, line, standing=standing(self._orders)).steps)
        while (seat := to_act(self.position)) is not None and self.position.phase == MOVE:
            plan, self._plans[seat] = self._plans[seat], None
            if plan is None or self.position.moved:
                self._plans[seat] = plan
                return
            self._play_plan(seat, plan)

    def _play_plan(self, seat: int, plan: Plan) -> None:
        line = plan_line(plan, view(self.position, seat))
        try:
            steps = play_line(self.position, line, standing=standing(self._orders)).steps if line else ()
        except (IllegalAction, NotationError):
            steps = ()
        if steps:
            self.counts.plans_played += 1
            self.counts.plans_surprised += line != plan.clauses[0].line
            self._played(steps)
        else:
            self.counts.plans_dropped += 1

    def _played(self, steps: Sequence[StepPlayed]) -> None:
        turn = self.position.turn
        self.position = steps[-1].position
        self._ply += len(steps)
        passed = sum(isinstance(event, TurnPassed) for step in steps for event in step.events)
        if passed:
            self._begun.pop(turn, None)
        self.counts.turns += passed

    # -- a mail ahead of one's turn

    def _look_ahead(self, seat: int) -> None:
        """Whoever looks when it is not their turn files a plan, unless the one on file still fits the board."""
        plan, position = self._plans[seat], self.position
        if plan is not None and plan_line(plan, view(position, seat)) == plan.clauses[0].line:
            return
        text = self._people[seat].plan(position, self._rng("plan", seat, self._ply))
        if text is not None:
            self.counts.messages += 1
            self._orders[seat] = self._people[seat].orders
            self._file(seat, text)

    def _file(self, seat: int, text: str | None) -> None:
        if text is not None:
            self.counts.plans_filed += 1
            self._plans[seat] = parse_plan(text)

"""Whole games of people who vanish, come back, answer late or never: does every game end, and is nobody wronged?

The real engine and the real ladder, without a database: `python -m bench.absent_players` plays 10,000 games. A game is
a queue of events in made-up time: answers, sweeps of a scheduler that is late or dead at times, absences, votes, bots.
Each game comes from its seed alone; whatever breaks a promise of docs/WAITING.md raises PromiseError,
which names it.
"""

import argparse
import heapq
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, Literal

from rich.console import Console
from rich.progress import track
from rich.table import Table as Shown

from engine import apply, deal, is_over, legal_actions, start, to_act
from service.timekeeping import ladder
from service.timekeeping.hours import Hours, Span, running, until
from service.timekeeping.ladder import Step, Turn

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ORDER: Final[tuple[Step, ...]] = ("began", "reminded", "called", "timed_out", "standing_in")
ZONES: Final = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham")
#: What the house promises (the use cases keep the same numbers).
ABSENCE_DAYS_A_YEAR: Final = 60
EXTENSIONS_A_TURN: Final = 3
WAITED_ENOUGH: Final = 7 * DAY
BOT_ALONE: Final = HOUR
#: More events than any game has that ends.
MOST_EVENTS: Final = 50_000

Character = Literal["prompt", "late", "graceful", "never", "vanishing", "traveller", "shifty"]
CHARACTERS: Final[tuple[Character, ...]] = (
    "prompt", "late", "graceful", "never", "vanishing", "traveller", "shifty",
)  # fmt: skip
Ending = Literal["played out", "voted"]


class PromiseError(AssertionError):
    """A promise was broken; the text says which, and in which game."""


@dataclass(frozen=True)
class Clock:
    """The clock of a game: none, days a turn, or a bank."""

    kind: Literal["none", "days", "bank"]
    days: timedelta = timedelta()
    bank: timedelta = timedelta()
    increment: timedelta = timedelta()
    cap: timedelta = timedelta()

    @property
    def extension(self) -> timedelta:
        """What a vote adds to a turn."""
        return self.days if self.kind == "days" else max(self.increment, DAY)


@dataclass
class Player:
    """Somebody at the table (or a bot, without a character), with what is kept about the seat."""

    character: Character | None
    hours: Hours
    bank: timedelta
    absences: list[Span] = field(default_factory=list)
    timeouts: int = 0
    held: bool = False
    gone_until: datetime | None = None

    @property
    def person(self) -> bool:
        """Moved by a person."""
        return self.character is not None and not self.held


class Game:
    """One game, from its deal to its end."""

    def __init__(self, seed: int, seats: int | None = None) -> None:
        self.seed, self.rng = seed, random.Random(f"absent/{seed}")
        rng = self.rng
        self.seats = seats or 2 + seed % 4
        self.clock = _clock(rng)
        self.time_off = rng.random() < 0.8
        self.now = self.began = datetime(2026, 1, 1, tzinfo=UTC) + rng.uniform(0, 730) * DAY
        self.position = start(deal(self.seats, rng.randbytes(32), [""] * self.seats, None))
        self.players = [Player(_character(rng), _hours(rng), self.clock.bank) for _ in range(self.seats)]
        if all(player.character is None for player in self.players):
            self.players[0].character = "vanishing"
        self.outages = [_span(self.began + rng.uniform(0, 300) * DAY, rng.uniform(0, 3) * DAY) for _ in range(6)]
        self.turn: Turn | None = None
        self.number = 0  # of the turn that is on: what was meant for another one comes to nothing
        self.steps: dict[Step, datetime] = {}
        self.time_up: datetime | None = None
        self.extensions = 0
        self.extend_votes: set[int] = set()
        self.end_votes: set[int] = set()
        self.ending: Ending | None = None
        self.tally: Counter[str] = Counter()
        self._queue: list[tuple[datetime, int, Callable[[], None]]] = []
        self._ticket = itertools.count()

    @property
    def actor(self) -> int:
        """The seat that is to act."""
        seat = to_act(self.position)
        if seat is None:
            raise self._broken("nobody is to act")
        return seat

    @property
    def player(self) -> Player:
        """Who sits there."""
        return self.players[self.actor]

    def play(self) -> "Game":
        """Play the game to its end."""
        self._begin_turn()
        for _ in range(MOST_EVENTS):
            if self.ending is not None:
                return self
            if not self._queue:
                raise self._broken("stranded: nothing is to happen any more")
            self.now, _, act = heapq.heappop(self._queue)
            act()
        raise self._broken("no end")

    def _broken(self, why: str) -> PromiseError:
        return PromiseError(f"game {self.seed}, turn {self.number}, {self.clock.kind} clock: {why}")

    def _at(self, at: datetime, act: Callable[[], None], *, this_turn: bool = False) -> None:
        if this_turn:
            number, meant = self.number, act

            def act() -> None:
                if self.number == number:
                    meant()

        heapq.heappush(self._queue, (max(at, self.now), next(self._ticket), act))

    # -- turns

    def _begin_turn(self) -> None:
        """The decision has passed to another seat."""
        self.number += 1
        self.turn, self.steps, self.extensions, self.time_up = None, {"began": self.now}, 0, None
        self.extend_votes.clear()
        self.tally["turns"] += 1
        player = self.player
        if not player.person:
            alone = not any(one.person for one in self.players)
            self._at(self.now + (BOT_ALONE if alone else SECOND), self._bot_moves, this_turn=True)
            return
        budget = {"none": ladder.UNTIMED, "days": self.clock.days, "bank": player.bank}[self.clock.kind]
        hours = player.hours if self.time_off else replace(player.hours, days_off=frozenset())
        self.turn = Turn(self.now, budget, timedelta(), hours, self._absences(player), "began")
        self._schedule()
        self._behave(player)
        self._others_vote()

    def _absences(self, player: Player) -> tuple[Span, ...]:
        """Those that count: whoever goes away after the time-out does not stop the grace."""
        spans = player.absences if self.time_off else []
        return tuple(span for span in spans if self.time_up is None or span[0] < self.time_up)

    def _end_turn(self, *, own: bool) -> None:
        """All decisions of the turn are made; a person's clock stops."""
        player, turn, actor = self.player, self.turn, self.actor
        if turn is not None and self.clock.kind == "bank":
            player.bank = min(player.bank - ladder.used(turn, self.now) + self.clock.increment, self.clock.cap)
            if player.bank < timedelta():
                raise self._broken("a clock ran below zero")
        if own:
            player.timeouts = 0
        while not is_over(self.position) and self.actor == actor:
            self.position, _events = apply(self.position, self.rng.choice(legal_actions(self.position)))
        if is_over(self.position):
            self.ending = "played out"
        else:
            self._begin_turn()

    def _answer(self) -> None:
        """The person moves, if they still can: in grace as well."""
        if not self.player.person:
            return
        self._sweep()  # a scheduler may look at any moment, also just before
        if self.turn is None:
            return
        self.tally["answers in grace"] += self.turn.step == "timed_out"
        self._end_turn(own=True)

    def _bot_moves(self) -> None:
        self._end_turn(own=False)

    # -- the scheduler

    def _schedule(self) -> None:
        """The scheduler will look when the next step is due, or when it is alive again; often twice."""
        due = None if self.turn is None else ladder.next_step(self.turn)
        if due is None:
            return
        at = max(due[1], self.now) + self.rng.uniform(0, 60) * SECOND
        for begin, end in self.outages:
            if begin <= at < end:
                at = end
        for _ in range(self.rng.choice((1, 1, 2))):
            self._at(at, self._sweep)

    def _sweep(self) -> None:
        """What the scheduler does with this game now, early or late."""
        if self.turn is None:
            return
        before = self.turn
        self.turn, step = ladder.take(before, self.now)
        if step is None:
            return
        self._check(before, step)
        self.steps[step] = self.now
        self.tally[step] += 1
        self.tally["steps that came late"] += self.turn.extra > before.extra
        if step == "timed_out":
            self.player.timeouts += 1
            self.time_up = self.now
            self.turn = replace(self.turn, absences=self._absences(self.player))
            self._others_end()
        if step == "standing_in":
            self._stand_in()
        self._schedule()

    def _check(self, before: Turn, step: Step) -> None:
        if any(ORDER.index(taken) >= ORDER.index(step) for taken in self.steps):
            raise self._broken(f"{step} after {list(self.steps)}")
        had = partial(running, end=self.now, hours=before.hours, absences=before.absences)
        self.tally["steps of clocks that had stood still"] += had(before.began) < self.now - before.began
        punctual = min(ladder.LONGEST_LATENESS, before.budget // 60) + 2 * SECOND
        call = before.budget // 12 if before.budget >= ladder.SHORTEST_REMINDED else before.budget // 4
        promised: dict[Step, tuple[Step, timedelta]] = {
            "timed_out": ("called", call - punctual),
            "standing_in": ("timed_out", ladder.grace(before) - punctual),
        }
        if step in promised:
            one, time = promised[step]
            if one not in self.steps:
                raise self._broken(f"{step}, but never {one}")
            if had(self.steps[one]) < time:
                raise self._broken(f"{step} only {had(self.steps[one])} of clock time after {one}")
            if had(before.began) < before.budget:
                raise self._broken(f"{step} after {had(before.began)} of {before.budget}")

    def _stand_in(self) -> None:
        """The grace is over too: a bot moves once, or holds the seat from the second time on."""
        player = self.player
        if player.timeouts < 2:
            self.tally["turns stood in for"] += 1
            self._at(self.now + self.rng.uniform(0, 120) * SECOND, self._bot_moves, this_turn=True)
            return
        player.held = True
        self.tally["seats held"] += 1
        self._at(self.now + SECOND, self._bot_moves, this_turn=True)
        if player.character not in ("never", "vanishing") and self.rng.random() < 0.7:
            self._at(self.now + self.rng.expovariate(1 / 5) * DAY, partial(self._return, player))
        self._others_end()

    # -- people

    def _behave(self, player: Player) -> None:
        """What the person to act will do about this turn."""
        rng, turn = self.rng, self.turn
        if turn is None:
            return
        soon = self.now + rng.expovariate(1 / 6) * HOUR
        late = until(turn.began, turn.budget * rng.uniform(0.5, 1.1), turn.hours, turn.absences)
        match player.character:
            case "prompt":
                self._answers(soon)
            case "late" if rng.random() < 0.9:
                self._answers(late)
            case "graceful":
                after = ladder.grace(turn) * rng.uniform(-0.2, 1.1)
                self._answers(until(turn.began, turn.budget + after, turn.hours, turn.absences))
            case "vanishing":
                self._vanish_or(soon, player)
            case "traveller":
                if rng.random() < 0.15:
                    self._travel(
                        player, self.now + rng.choice((0, 0, rng.uniform(0, 3))) * DAY, rng.uniform(1, 20) * DAY
                    )
                self._answers(late if rng.random() < 0.3 else soon)
            case "shifty":
                # Goes away in the last minute, and when no time is left; moves the night with every turn.
                self._travel_later(player, ladder.deadline(turn) - rng.choice((0, 0, 1, 60)) * MINUTE)
                player.hours = _hours(rng)
                if rng.random() < 0.7:
                    self._answers(late + rng.choice((0, 3)) * DAY)
            case _:
                pass

    def _answers(self, at: datetime) -> None:
        self._at(at, self._answer, this_turn=True)

    def _vanish_or(self, soon: datetime, player: Player) -> None:
        if player.gone_until is None or player.gone_until <= self.now:
            player.gone_until = None
            if self.rng.random() < 0.12:
                player.gone_until = self.now + self.rng.choice((10, 40, 4000)) * self.rng.random() * DAY
                self._at(player.gone_until, partial(self._return, player))
        if player.gone_until is None:
            self._answers(soon)

    def _return(self, player: Player) -> None:
        """Somebody is there again: takes the seat back, and answers if it is their turn."""
        if player.held:
            player.held, player.timeouts = False, 0
            self.tally["seats taken back"] += 1
            if self.player is player:
                self._begin_turn()
        elif self.player is player:
            self._answer()

    def _travel_later(self, player: Player, at: datetime) -> None:
        self._at(at, lambda: self._travel(player, self.now, self.rng.uniform(0.1, 10) * DAY), this_turn=True)

    def _travel(self, player: Player, begin: datetime, time: timedelta) -> None:
        """An absence, as long as the year's allowance has room for it; sometimes ended early."""
        taken = sum((e - b for b, e in player.absences if b.year == begin.year), timedelta())
        if not self.time_off or taken + time > ABSENCE_DAYS_A_YEAR * DAY:
            self.tally["absences refused"] += 1
            return
        self.tally["absences"] += 1
        player.absences.append((begin, begin + time))
        self._facts_changed(player)
        if self.rng.random() < 0.3:
            self._at(begin + time * self.rng.random(), partial(self._back, player))

    def _back(self, player: Player) -> None:
        player.absences = [(b, min(e, max(b, self.now))) for b, e in player.absences]
        self._facts_changed(player)

    def _facts_changed(self, player: Player) -> None:
        if self.turn is not None and self.player is player:
            self.turn = replace(self.turn, absences=self._absences(player))
            self._schedule()

    # -- votes

    def _voters(self) -> list[int]:
        actor = self.actor
        return [seat for seat, player in enumerate(self.players) if player.person and seat != actor]

    def _others_vote(self) -> None:
        """Some will be for more time; some for an end, when they have waited for long."""
        for seat in self._voters():
            if self.rng.random() < 0.04:
                at = self.now + self.rng.uniform(0, 4) * DAY
                self._at(at, partial(self._vote_extend, seat), this_turn=True)
            if self.rng.random() < 0.01:
                at = self.now + self.rng.uniform(6, 12) * DAY
                self._at(at, partial(self._vote_end, seat), this_turn=True)

    def _others_end(self) -> None:
        for seat in self._voters():
            if self.rng.random() < 0.05:
                at = self.now + self.rng.uniform(0, 2) * DAY
                self._at(at, partial(self._vote_end, seat))

    def _vote_extend(self, seat: int) -> None:
        voters = self._voters()
        if self.turn is None or self.clock.kind == "none" or seat not in voters or self.extensions == EXTENSIONS_A_TURN:
            return
        self.extend_votes.add(seat)
        if 2 * len(self.extend_votes & set(voters)) > len(voters):
            self.turn = replace(self.turn, extra=self.turn.extra + self.clock.extension)
            self.extensions += 1
            self.extend_votes.clear()
            self.tally["extensions"] += 1
            self._schedule()

    def _vote_end(self, seat: int) -> None:
        voters = self._voters()
        if seat not in voters or not self._may_end():
            self.tally["votes to end refused"] += 1
            return
        self.end_votes.add(seat)
        if 2 * len(self.end_votes & set(voters)) > len(voters):
            self.ending = "voted"

    def _may_end(self) -> bool:
        if any(player.held for player in self.players):
            return True
        if self.turn is None:
            return False
        away = any(begin <= self.now < end for begin, end in self.turn.absences)
        waited = self.clock.kind == "none" and self.now - self.turn.began >= WAITED_ENOUGH and not away
        return self.turn.step in ("timed_out", "standing_in") or waited


def _span(begin: datetime, time: timedelta) -> Span:
    return begin, begin + time


def _clock(rng: random.Random) -> Clock:
    match rng.choice(("none", "days", "days", "bank", "bank")):
        case "days":
            return Clock("days", days=rng.choice((1, 2, 3, 7, 14)) * DAY)
        case "bank":
            bank = rng.choice((2, 24, 72, 240, 366 * 24)) * HOUR
            return Clock("bank", bank=bank, increment=rng.choice((1, 12, 24)) * HOUR, cap=2 * bank)
        case _:
            return Clock("none")


def _hours(rng: random.Random) -> Hours:
    first = rng.randrange(24)
    night = rng.choice((None, (22, 7), (first, (first + rng.randint(1, 12)) % 24)))
    days_off = rng.choice(((), (), (5, 6), tuple(rng.sample(range(7), rng.randint(0, 3)))))
    return Hours(rng.choice(ZONES), night, frozenset(days_off))


def _character(rng: random.Random) -> Character | None:
    return None if rng.random() < 0.1 else rng.choice(CHARACTERS)


@dataclass
class Summary:
    """What was seen in many games."""

    games: int = 0
    longest: timedelta = timedelta()
    days: timedelta = timedelta()
    endings: Counter[str] = field(default_factory=Counter)
    clocks: Counter[str] = field(default_factory=Counter)
    tally: Counter[str] = field(default_factory=Counter)

    def add(self, game: Game) -> None:
        """Count a game that has ended."""
        time = game.now - game.began
        self.games += 1
        self.days += time
        self.longest = max(self.longest, time)
        self.endings[str(game.ending)] += 1
        self.clocks[f"{game.clock.kind}, {game.seats} seats"] += 1
        self.tally += game.tally


def play_games(seeds: Iterable[int]) -> Summary:
    """Play a game from each seed, seats and clocks in turn; raises PromiseError."""
    summary = Summary()
    for seed in seeds:
        summary.add(Game(seed).play())
    return summary


def main() -> None:
    """Play, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first game (0); the others follow")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    summary = play_games(track(seeds, description="playing", console=Console(stderr=True)))
    shown = Shown("seen", "times", caption=f"{summary.games:,} games: all have ended, no promise was broken")
    shown.columns[1].justify = "right"
    for counts in (summary.endings, summary.clocks, summary.tally):
        for name, count in sorted(counts.items()):
            shown.add_row(name, f"{count:,}")
        shown.add_section()
    shown.add_row("days a game", f"{summary.days / summary.games / DAY:,.1f}")
    shown.add_row("days of the longest", f"{summary.longest / DAY:,.0f}")
    Console(width=None if Console().is_terminal else 100).print(shown)


if __name__ == "__main__":
    main()

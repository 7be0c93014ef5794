"""Mails pouring in by LMTP, some of them twice, while the worker that reads them and the listener are killed.

Used by the short test of the suite and by the long proof (bench/inbound_storm.py); they differ in numbers only.
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from threading import Event, Lock, Thread
from typing import Final

from engine import action_from_json, action_notation
from tests.e2e.correspondents import Correspondent, Sent, hurrying
from tests.e2e.mailers import PROGRAMS, Writer
from tests.e2e.post import DoorstepPost, Letter
from tests.e2e.stack import MailStack
from tests.support.processes import wait_until
from tests.support.smtp import SmtpServer

SEATS: Final = 3
#: Seconds that a kill waits for an answer since the one before it.
LONGEST_WAIT: Final = 20.0
_CODE: Final = re.compile(r"\bjoin (\w+)")


@dataclass(frozen=True)
class Plan:
    """How many mails at least, how many of a hundred come twice, and what is killed how often meanwhile.

    ``tables``: games of two people and a bot that go on at the same time. ``pause``: seconds from an answer to the next
    kill, at least and at most.
    """

    mails: int
    twice: int
    worker_kills: int
    listener_kills: int
    tables: int
    pause: tuple[float, float]
    seed: int

    @property
    def kills(self) -> int:
        """All of them together."""
        return self.worker_kills + self.listener_kills


@dataclass
class Outcome:
    """What came of it."""

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


class _Killer:
    """Kills, and starts again a moment later, as a supervisor would.

    Between two kills a mail is answered, or at least there is time for that: a worker that never gets to work proves
    nothing.
    """

    def __init__(self, stack: MailStack, plan: Plan, told: Callable[[str], None]) -> None:
        self._stack = stack
        self._plan = plan
        self._told = told
        self._rng = Random(plan.seed)
        self._calm = Event()
        self.done: Counter[str] = Counter()
        self.error: Exception | None = None
        self._answered = Event()
        self._thread = Thread(target=self._run, name="killer")

    def __enter__(self) -> _Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._calm.set()
        self._answered.set()
        self._thread.join()

    def answered(self) -> None:
        """A mail was answered."""
        self._answered.set()

    @property
    def over(self) -> bool:
        """All has been killed that was to be (or could not be)."""
        return not self._thread.is_alive()

    def _run(self) -> None:
        victims = [
            *[("worker killed", self._stack.worker)] * self._plan.worker_kills,
            *[("listener killed", self._stack.doorway)] * self._plan.listener_kills,
        ]
        self._rng.shuffle(victims)
        try:
            for name, victim in victims:
                self._answered.clear()
                self._answered.wait(LONGEST_WAIT)
                if self._calm.wait(self._rng.uniform(*self._plan.pause)):
                    return
                victim.kill()
                self._calm.wait(self._rng.uniform(0, 0.5))
                victim.start()
                self.done[name] += 1
                self._told(name)
        except Exception as error:  # noqa: BLE001 - told by whoever waits for the end
            self.error = error


@dataclass
class _Player:
    """Somebody at a table, and what they were told was done, game by game."""

    person: Correspondent
    moved: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


class _Table:
    """Two people who play with a bot, one game after the other, until no more mails are wanted."""

    def __init__(self, number: int, downpour: _Downpour) -> None:
        self._downpour = downpour
        self._number = number
        self._rng = Random(f"{downpour.plan.seed}|{number}")
        self.players = [self._player(name) for name in ("Ada", "Ben")]

    def _player(self, name: str) -> _Player:
        writer = Writer(f"{name} {self._number}", f"{name.lower()}-{self._number}@example.org")
        programs = tuple(self._rng.sample(PROGRAMS, len(PROGRAMS)))
        person = Correspondent(writer, self._downpour.post, programs, self._rng, patience=self._downpour.patience)
        return _Player(person)

    def play(self) -> None:
        """Until enough mails have come."""
        made = self._sign_up(0, f"new {SEATS} seats bot random")
        code = _CODE.search(made.text)
        assert code, made.text
        self._sign_up(1, code[0])
        while self._downpour.wanted():
            moved = [player for player in self.players if self._move(player)]
            if not moved and all(player.person.told_the_end for player in self.players):
                return
            time.sleep(0 if moved else 0.1)

    def _sign_up(self, number: int, line: str) -> Letter:
        person = self.players[number].person
        first = self._sent(person, person.write(line, subject="Emerald"))
        return self._sent(person, person.reply(first, "yes"))

    def _move(self, player: _Player) -> bool:
        letter = player.person.decision()
        if letter is None:
            return False
        [decision] = letter.decisions
        chosen = hurrying(letter.choices)
        tag = f"tag{self._rng.getrandbits(48):012x}"
        line = " ".join(choice.notation for choice in chosen)
        answer = self._sent(player.person, player.person.reply(letter, f"{line}\nsay {tag}"))
        if not (answer.did(line) and answer.did(f"say {tag}")):
            raise AssertionError(f"{player.person.writer.name} wrote {line!r} and was told\n{answer.text}")
        player.moved[decision.game] += [choice.notation for choice in chosen]
        self._downpour.said(tag)
        return True

    def _sent(self, person: Correspondent, sent: Sent) -> Letter:
        """A mail went out; perhaps it goes out again, at any moment. Its answer."""
        if self._rng.randrange(100) < self._downpour.plan.twice:
            self._downpour.again(person, sent, self._rng.choice((0.0, 0.0, self._rng.uniform(0, 8))))
        answer = person.wait_for_answer(sent)
        self._downpour.arrived()
        return answer


class _Downpour:
    """What the tables share."""

    def __init__(self, plan: Plan, post: DoorstepPost, killer: _Killer, told: Callable[[], None]) -> None:
        self.plan = plan
        self.post = post
        self.patience = 240.0
        self.tags: list[str] = []
        self.mails = 0
        self.repeated: list[Future[None]] = []
        self._killer = killer
        self._told = told
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(8)

    def wanted(self) -> bool:
        """Are there to be more mails?"""
        return self.mails < self.plan.mails or not self._killer.over

    def arrived(self) -> None:
        """A mail was answered."""
        with self._lock:
            self.mails += 1
        self._killer.answered()
        self._told()

    def said(self, tag: str) -> None:
        """This was said in a mail that was carried out."""
        with self._lock:
            self.tags.append(tag)

    def again(self, person: Correspondent, sent: Sent, seconds: float) -> None:
        """Send the same mail again after so many seconds."""

        def send() -> None:
            time.sleep(seconds)
            person.send_again(sent)

        with self._lock:
            self.repeated.append(self._pool.submit(send))

    def close(self) -> None:
        """Wait for what is still to be sent again. Raises what went wrong with it."""
        self._pool.shutdown()
        for future in self.repeated:
            future.result()


def pour(
    stack: MailStack,
    smtp: SmtpServer,
    port: int,
    plan: Plan,
    *,
    answered: Callable[[], None],
    killed: Callable[[str], None],
) -> Outcome:
    """Play by mail through the listener at ``port`` until all mails and kills are done, and look at what came of it.

    ``answered`` and ``killed`` are told of every mail and every kill, for a progress bar.
    """
    outcome = Outcome()
    began = time.monotonic()
    post = DoorstepPost(port, smtp)
    tables: list[_Table] = []
    with _Killer(stack, plan, killed) as killer:
        downpour = _Downpour(plan, post, killer, answered)
        with ThreadPoolExecutor(plan.tables) as pool:
            number = 0
            running: set[Future[None]] = set()
            while running or (downpour.wanted() and not outcome.wrong):
                while len(running) < plan.tables and downpour.wanted() and not outcome.wrong:
                    tables.append(_Table(number, downpour))
                    running.add(pool.submit(tables[-1].play))
                    number += 1
                for ended in [future for future in running if future.done()]:
                    running.remove(ended)
                    if (error := ended.exception()) is not None:
                        outcome.wrong.append(f"{type(error).__name__}: {error}")
                time.sleep(0.1)
        downpour.close()
    if killer.error is not None:
        outcome.wrong.append(f"the killer itself failed: {killer.error}")
    outcome.kills = killer.done
    outcome.seconds = time.monotonic() - began
    _examine(stack, downpour, tables, outcome)
    return outcome


def _examine(stack: MailStack, downpour: _Downpour, tables: list[_Table], outcome: Outcome) -> None:
    is_open = "select count(*) from outbox where state in ('pending', 'queued', 'running') and next_at < now()"
    with stack.connect() as connection:
        try:
            wait_until(lambda: connection.execute(is_open).fetchone() == (0,), seconds=60, what="an empty outbox")
        except TimeoutError as error:
            outcome.wrong.append(str(error))
    for table in tables:
        for player in table.players:
            _examine_post(player.person, outcome)
    _examine_database(stack, downpour, tables, outcome)
    outcome.counts["mails sent twice"] = len(downpour.repeated)
    outcome.counts["deliveries tried"] = downpour.post.attempts


def _examine_post(person: Correspondent, outcome: Outcome) -> None:
    """Each mail has one answer; one that came again bears the same Message-ID and is the same to the byte."""
    by_id: dict[str, list[Letter]] = defaultdict(list)
    for letter in person.look():
        by_id[letter.id].append(letter)
    for id_, same in by_id.items():
        outcome.counts["mails that came to people"] += 1
        outcome.counts["sent again, same Message-ID, same bytes"] += len(same) - 1
        if len({letter.raw for letter in same}) != 1:
            outcome.wrong.append(f"{person.writer.name}: {id_} came again and was not the same")
    answers = Counter(same[0].answers for same in by_id.values())
    for sent in person.sent:
        outcome.counts["mails of people"] += 1
        if answers[sent.id] != 1:
            outcome.wrong.append(f"{person.writer.name} got {answers[sent.id]} answers to {sent.text!r}")


def _examine_database(stack: MailStack, downpour: _Downpour, tables: list[_Table], outcome: Outcome) -> None:
    """Each mail was kept once and answered, each word said once, each move made once."""
    with stack.connect() as connection:
        kept = Counter(dict(connection.execute("select message_id, count(*) from inbound_mails group by 1").fetchall()))
        states = dict(connection.execute("select state, count(*) from inbound_mails group by 1").fetchall())
        said = Counter(
            text
            for (text,) in connection.execute("select public->>'text' from log_entries where kind = 'say'").fetchall()
        )
        moves = connection.execute("select game_id, seat, action from moves order by game_id, ply").fetchall()
        seats = connection.execute(
            "select s.game_id, s.number, u.display_name from seats s join users u on u.id = s.user_id"
        ).fetchall()
        failed = connection.execute("select topic, last_error from outbox where state = 'failed'").fetchall()
    sent = [mail.id for table in tables for player in table.players for mail in player.person.sent]
    outcome.wrong += [f"{kept[mail]} rows for the mail {mail}" for mail in sent if kept[mail] != 1]
    # The first mail of a stranger is noted: its answer, whether it was really them, is the confirmation's.
    strangers = 2 * len(tables)
    if states != {"answered": len(sent) - strangers, "noted": strangers}:
        outcome.wrong.append(f"{len(sent)} mails were sent, {strangers} by strangers, and the database has {states}")
    outcome.wrong += [f"{tag} was said {said[tag]} times" for tag in downpour.tags if said[tag] != 1]
    outcome.wrong += [f"given up: {topic}, {error}" for topic, error in failed]
    done: dict[tuple[str, int], list[str]] = defaultdict(list)
    for game, seat, action in moves:
        done[game, seat].append(action_notation(action_from_json(action), SEATS))
    people = {(game, seat): name for game, seat, name in seats}
    told = {
        (game, player.person.writer.name): moved
        for table in tables
        for player in table.players
        for game, moved in player.moved.items()
    }
    for (game, seat), name in people.items():
        if done[game, seat] != told.get((game, name), []):
            outcome.wrong.append(f"{name} made other moves in game {game} than they were told")
        outcome.counts["moves of people, each made once"] += len(done[game, seat])

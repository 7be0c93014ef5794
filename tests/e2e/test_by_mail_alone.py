"""People who have a mailbox and nothing else play a whole game with bots, from a cold inbox to its end.

The mail server, its mailboxes and everything of ours are processes of their own; there is no API, and nobody needs it.
What people type is made into mails as six mail programs make them.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

import pytest

from engine import action_from_json, action_notation, commitment, verify
from service.bootstrap import create_base_app
from service.config import Settings
from service.db import db
from service.usecases import queries
from tests.e2e.correspondents import Correspondent, hurrying
from tests.e2e.mailers import GmailWeb, IPhone, Outlook, Program, Thunderbird, Webmail, Writer, Yahoo
from tests.e2e.post import PAUSE, HousePost, Letter, Post
from tests.e2e.stack import MailStack, by_mail
from tests.support import dovecot
from tests.support.imap import MailDevel, MailHouse
from tests.support.ports import free_port
from tests.support.processes import wait_until

SECONDS: Final = 240
SEATS: Final = 4
Habit = Callable[["Player", Letter], Letter]


@dataclass
class Player:
    """Somebody at the game: their mailbox, what they do beside moving at which turn, and what they were told."""

    person: Correspondent
    habits: dict[int, Habit]
    turns: int = 0
    moved: list[str] = field(default_factory=list)
    """Every action they were told was made, in notation."""

    @property
    def name(self) -> str:
        return self.person.writer.name

    def act(self) -> bool:
        """Move, if the newest mail says that it is theirs to decide."""
        letter = self.person.decision()
        if letter is None:
            return False
        self.turns += 1
        if self.turns in self.habits:
            letter = self.habits[self.turns](self, letter)
        self.move(letter)
        return True

    def move(self, letter: Letter) -> None:
        """The hurrying moves, by number, in notation, or in several lines, which are answered as one."""
        assert letter.choices, f"{self.name} is to decide without a choice:\n{letter.text}"
        chosen = hurrying(letter.choices)
        words = [choice.notation for choice in chosen]
        lines = ([chosen[0].number, *words[1:]], words, [" ".join(words)])[self.turns % 3]
        answer = self.person.ask(letter, "\n".join(lines))
        in_words = [line for line in lines if not line.isdecimal()]
        told = [*(line for line in lines if line.isdecimal()), *([" / ".join(in_words)] if in_words else [])]
        for line in told:
            assert answer.did(line), f"{self.name} wrote {lines} and was told\n{answer.text}"
        self.moved += words


# -- what people do beside moving; each returns the letter that they go on from


def says_something(player: Player, letter: Letter) -> Letter:
    answer = player.person.ask(letter, f"say greetings from {player.name}\n\nThanks for the invitation!")
    assert answer.did(f"say greetings from {player.name}")
    return answer


def thanks(player: Player, letter: Letter) -> Letter:
    answer = player.person.ask(letter, "Thanks, that was a nice move!")
    assert "no command" in answer.text.lower()
    return answer


def looks_around(player: Player, letter: Letter) -> Letter:
    answer = player.person.ask(letter, "status\nhistory 12\nrules dragon\nhelp say\nnote watch the dragon")
    for word in ("R-DRAG-1", "say TEXT"):
        assert word in answer.text, answer.text
    return answer


def mistypes(player: Player, letter: Letter) -> Letter:
    refused = player.person.ask(letter, f"say this must not be heard\nhistroy 5\n{letter.choices[0].number}")
    assert "histroy" in refused.text
    assert "history 5" in refused.text
    assert refused.choices == letter.choices, "an answer to a mistake lists what is legal"
    return player.person.ask(refused, "history 5")


def answers_an_old_mail(player: Player, letter: Letter) -> Letter:
    old = next(read for read in player.person.read if read.choices)
    assert old is not letter
    answer = player.person.ask(old, old.choices[0].number)
    assert not answer.did(old.choices[0].number)
    assert answer.choices == letter.choices, "the position is told as it is now"
    return answer


def sends_twice(player: Player, letter: Letter) -> Letter:
    sent = player.person.reply(letter, "say twice sent, once said")
    player.person.send_again(sent)
    return player.person.wait_for_answer(sent)


def goes_away(player: Player, letter: Letter) -> Letter:
    answer = player.person.ask(letter, "away 5d")
    assert answer.did("away 5d")
    return player.person.ask(answer, "back")


# -- the game


def everyone(post: Post) -> list[Player]:
    """Ada, Ben and Cleo, each with two programs."""

    def person(name: str, address: str, *programs: Program) -> Correspondent:
        return Correspondent(Writer(name, address), post, programs, Random(name))

    return [
        Player(
            person("Ada Byron", "ada@example.org", GmailWeb(), IPhone()),
            {2: says_something, 4: thanks, 6: answers_an_old_mail},
        ),
        Player(person("Ben Hale", "ben@example.org", Outlook(), Yahoo()), {2: mistypes, 4: sends_twice, 6: thanks}),
        Player(
            person("Cléo Ünal", "cleo@example.org", Thunderbird(), Webmail()),
            {2: looks_around, 4: goes_away, 6: says_something},
        ),
    ]


def meet(ada: Player, friends: list[Player]) -> None:
    """Ada makes an account and a game by mail, tells her friends the code by mail, and they come, by mail."""
    bots = " bot steady" * (SEATS - 1 - len(friends))
    confirm = ada.person.wait_for_answer(ada.person.write(f"new {SEATS} seats{bots}", subject="A game?"))
    made = ada.person.ask(confirm, "yes")
    code = re.search(r"\bjoin (\w+)", made.text)
    assert code, made.text
    for friend in friends:
        ada.person.write(
            f"Hello {friend.name},\nlet us play: write to emerald@example.org  join {code[1]}  :-)",
            subject="Shall we play?",
            to=friend.person.writer.address,
        )
        told = friend.person.wait_for_subject("Shall we play?")
        line = re.search(r"join \w+", told.text)
        assert line
        confirm = friend.person.wait_for_answer(friend.person.write(line[0], subject="Emerald"))
        joined = friend.person.ask(confirm, "Yes, please.")
        assert joined.did(line[0])


def play(players: list[Player]) -> None:
    """From the first turn until everybody was told the end."""
    meet(players[0], players[1:])
    end = time.monotonic() + SECONDS
    while not all(player.person.told_the_end for player in players):
        assert time.monotonic() < end, [[letter.subject for letter in p.person.read[-5:]] for p in players]
        if not any(player.act() for player in players):
            time.sleep(PAUSE)


def settled(stack: MailStack) -> None:
    """Wait until nothing is left to be sent."""
    with stack.connect() as connection:
        is_open = "select count(*) from outbox where state in ('pending', 'queued', 'running') and next_at < now()"
        wait_until(lambda: connection.execute(is_open).fetchone() == (0,), seconds=30, what="the outbox to be empty")


def check_the_post(players: list[Player]) -> None:
    """Every mail of a person has one answer; every other mail that came is there once."""
    for player in players:
        letters = player.person.look()
        answers = Counter(letter.answers for letter in letters)
        assert {sent.id: answers[sent.id] for sent in player.person.sent} == {s.id: 1 for s in player.person.sent}
        assert len({letter.id for letter in letters}) == len(letters)
        turns = [letter.turn for letter in letters if letter.turn is not None]
        assert len(set(turns)) == len(turns)
        assert len(turns) > 5
        heard = "\n".join(letter.text for letter in letters)
        for other in players:
            if other is not player and says_something in other.habits.values():
                assert f"greetings from {other.name}" in heard
        assert "this must not be heard" not in heard or player.name.startswith("Ben")


def check_the_record(stack: MailStack, players: list[Player]) -> None:
    """The record is sound, and it is the game that the mails told of."""
    app = create_base_app(Settings.from_env(stack.env))
    with app.app_context(), stack.connect() as connection:
        [(game,)] = connection.execute("select id from games").fetchall()
        seats = dict(
            connection.execute("select u.display_name, s.number from seats s join users u on u.id = s.user_id")
        )
        record = queries.record(caller=None, game_id=game)
        db.engine.dispose()
    verify(record)
    for player in players:
        actions = [step["action"] for step in record["steps"] if step["action"]["seat"] == seats[player.name]]
        assert [action_notation(action_from_json(action), SEATS) for action in actions] == player.moved
        heard = "\n".join(letter.text for letter in player.person.read)
        assert record["seed"] in heard, "whoever has the mails alone can check the shuffle"
        assert commitment(bytes.fromhex(record["seed"])) in heard


def whole_game(house: MailHouse, people: int, listen: int | None = None) -> None:
    """A game of so many people at this mail server, from nothing to the end, and a look at what came of it."""
    with by_mail(house, listen=listen) as stack:
        players = everyone(HousePost(house))[:people]
        try:
            play(players)
            settled(stack)
            check_the_post(players)
            check_the_record(stack, players)
        except (AssertionError, TimeoutError) as error:
            raise AssertionError(f"{error}\n{stack.logs()}") from error


@pytest.fixture
def dovecot_with_listener() -> Iterator[tuple[dovecot.Dovecot, int]]:
    """Dovecot whose post office hands our mail to a listener of ours."""
    if reason := dovecot.why_not():
        pytest.skip(reason)
    port = free_port()
    with dovecot.Dovecot(port) as house:
        yield house, port


@pytest.mark.timeout(SECONDS + 120)
def test_a_whole_game_with_mailboxes_alone() -> None:
    with MailDevel() as house:
        whole_game(house, 3)


@pytest.mark.timeout(SECONDS + 120)
def test_a_whole_game_with_dovecot_and_lmtp(dovecot_with_listener: tuple[dovecot.Dovecot, int]) -> None:
    house, port = dovecot_with_listener
    whole_game(house, 2, port)

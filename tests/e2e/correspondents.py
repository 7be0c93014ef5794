"""People who have a mailbox and nothing else: they read their mails and answer them, in whatever program is at hand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email.utils import parseaddr
from itertools import cycle
from random import Random
from typing import Final

from service.cli import letters
from tests.e2e.mailers import Program, Sheet, Writer, reply
from tests.e2e.people import is_ending
from tests.e2e.post import Choice, Letter, Post, wait_for
from tests.support.hurry import haste
from tests.support.imap import SERVICE

PATIENCE: Final = 60.0


@dataclass(frozen=True)
class Sent:
    """A mail of a person's, as it went out."""

    id: str
    raw: bytes
    text: str
    program: str
    to: str


@dataclass
class Correspondent:
    """Somebody with a mailbox. ``programs`` are used in turn."""

    writer: Writer
    post: Post
    programs: tuple[Program, ...]
    rng: Random
    service: str = SERVICE
    patience: float = PATIENCE
    read: list[Letter] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    answered: set[letters.Decision] = field(default_factory=set)
    """The decisions that were asked for in letters that were answered: two mails may ask for the same one."""

    def __post_init__(self) -> None:
        self._at_hand = cycle(self.programs)

    # -- reading

    def look(self) -> list[Letter]:
        """Look into the mailbox; all mails so far."""
        self.read += [Letter(raw) for raw in self.post.fetch(self.writer.address, len(self.read))]
        return self.read

    def answers_to(self, sent: Sent) -> list[Letter]:
        """The mails that answer this one."""
        return [letter for letter in self.look() if letter.answers == sent.id]

    def wait_for_answer(self, sent: Sent) -> Letter:
        """Wait for the answer to a mail."""
        return wait_for(
            lambda: self.answers_to(sent),
            seconds=self.patience,
            what=lambda: f"{self.writer.name} got no answer to {sent.text!r} from {sent.program}; {self._came()}",
        )

    def wait_for_subject(self, word: str) -> Letter:
        """Wait for a mail with this in its subject."""
        return wait_for(
            lambda: [letter for letter in self.look() if word in letter.subject],
            seconds=self.patience,
            what=lambda: f"{self.writer.name} got no mail about {word!r}; {self._came()}",
        )

    def decision(self) -> Letter | None:
        """The newest mail that lets choose, if what it asks has not been answered yet."""
        asking = [letter for letter in self.look() if letter.choices]
        return asking[-1] if asking and self.answered.isdisjoint(asking[-1].decisions) else None

    @property
    def told_the_end(self) -> bool:
        """Whether a mail said how the game ended."""
        return any(is_ending(letter.subject) for letter in self.read)

    # -- writing

    def write(self, text: str, *, subject: str, to: str = "") -> Sent:
        """A new mail, to the service or somebody else."""
        return self._send(Sheet(self.writer, to or self.service, subject, text))

    def reply(self, letter: Letter, text: str) -> Sent:
        """Answer a mail, as its Reply-To says."""
        self.answered.update(letter.decisions)
        return self._send(reply(self.writer, text, letter.message))

    def ask(self, letter: Letter, text: str) -> Letter:
        """Answer a mail, and wait for the answer to that."""
        return self.wait_for_answer(self.reply(letter, text))

    def send_again(self, sent: Sent) -> None:
        """The same mail a second time, as a server does that did not hear the answer of the next."""
        self.post.send(sent.raw, sender=self.writer.address, to=parseaddr(sent.to)[1])

    def _send(self, sheet: Sheet) -> Sent:
        program = next(self._at_hand)
        raw = program.write(sheet)
        sent = Sent(str(letters.parse(raw)["Message-ID"]).strip(), raw, sheet.text, program.name, sheet.to)
        if self._is_service(parseaddr(sheet.to)[1]):
            self.sent.append(sent)
        self.send_again(sent)
        return sent

    def _is_service(self, address: str) -> bool:
        name, domain = self.service.split("@")
        local, _, host = address.partition("@")
        return host == domain and local.partition("+")[0] == name

    def _came(self) -> str:
        return "what came: " + "; ".join(letter.subject for letter in self.read)


def hurrying(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The actions that bring the end nearer.

    Two, where the list tells what the second can be: the card, where a knight finds two to choose from, or another
    knight if the first one meets nothing.
    """
    first = max(choices, key=lambda choice: haste(choice.notation))
    if re.search(r"\(gold \d or ", first.told):
        return first, Choice("", "gold", "")
    others = tuple(choice for choice in choices if choice is not first)
    if re.search(r"to m\d$", first.told) and others and all(other.notation != "stop" for other in others):
        return first, max(others, key=lambda choice: haste(choice.notation))
    return (first,)

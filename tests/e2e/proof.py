"""What must be true of a finished game, whatever was killed while it was played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine import RecordError, verify
from tests.e2e.people import Person, Played, is_ending
from tests.e2e.post import Letter


@dataclass
class Findings:
    """What a look at one game, or several, found."""

    wrong: list[str] = field(default_factory=list)
    moves: int = 0
    turns: int = 0
    mails: int = 0
    resent: int = 0

    def add(self, other: Findings) -> None:
        """Count another game's findings in."""
        self.wrong += other.wrong
        self.moves += other.moves
        self.turns += other.turns
        self.mails += other.mails
        self.resent += other.resent


def examine(played: Played, people: Sequence[Person]) -> Findings:
    """The record verifies, every move was made once, and every turn, start and end brought one mail."""
    found = Findings(list(played.wrong))
    try:
        verify(played.record)
    except RecordError as error:
        found.wrong.append(f"the record does not verify: {error}")
    _moves(played, found)
    _mails(played, people, found)
    found.wrong = [f"game {played.id}: {what}" for what in found.wrong]
    return found


def _moves(played: Played, found: Findings) -> None:
    """What the record says the people did is what they were told was done, neither more nor less."""
    steps = played.record["steps"]
    told = [{"seat": made.seat, **action} for made in played.made for action in made.actions]
    done = [step["action"] for step in steps if step["action"]["seat"] < played.people]
    if told != done:
        found.wrong.append(f"{len(done)} moves of people stand in the record, {len(told)} were confirmed to them")
    for made in played.made:
        there = [step["action"] for step in steps[made.ply : made.next_ply]]
        if there != [{"seat": made.seat, **action} for action in made.actions]:
            found.wrong.append(f"the move confirmed at ply {made.ply} is not the one in the record")
    found.moves += len(told)


def _mails(played: Played, people: Sequence[Person], found: Findings) -> None:
    for seat, person in enumerate(people):
        by_subject: dict[str, list[Letter]] = defaultdict(list)
        by_turn: dict[int, list[Letter]] = defaultdict(list)
        for letter in person.letters():
            if letter.turn is not None and letter.turn.game == played.id:
                by_turn[letter.turn.ply].append(letter)
            elif played.id in letter.text:
                by_subject[letter.subject].append(letter)
        mine = {ply for other, ply in played.turns if other == seat}
        found.turns += len(mine)
        if set(by_turn) != mine:
            found.wrong.append(
                f"{person.name} had turns at {sorted(mine ^ set(by_turn))} or mails about them, not both"
            )
        endings = [subject for subject in by_subject if is_ending(subject)]
        if len(endings) != 1:
            found.wrong.append(f"{person.name} got {len(endings)} mails about the end")
        for what, same in [*by_turn.items(), *by_subject.items()]:
            found.mails += 1
            found.resent += len(same) - 1
            if len({letter.id for letter in same}) != 1:
                found.wrong.append(f"{person.name} got {len(same)} different mails about {what}")
            elif len({letter.raw for letter in same}) != 1:
                found.wrong.append(f"{person.name}: a mail sent again about {what} is not the same")

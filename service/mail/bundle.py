"""Several mails told in one: which comes first, what the contents say of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.mail import kinds, times, words
from service.mail.pieces import deadline_of, others_of, task
from service.pictures.names import tidy
from service.pictures.text import counted

MOST_IN_FULL: Final = 8
"""Further parts stand in the contents alone: mail programs cut off what is longer."""


def asks(part: kinds.Part) -> bool:
    """Whether this part asks its reader for a move."""
    return isinstance(part, (kinds.TurnNotice, kinds.ReminderNotice, kinds.ExtendedNotice))


def arranged(parts: Sequence[kinds.Part]) -> list[kinds.Part]:
    """What asks for a move first, the most urgent at the top; the rest in the order in which it happened."""

    def urgency(part: kinds.Part) -> tuple[bool, float, float]:
        deadline = getattr(part, "deadline", None)
        return not asks(part), deadline.timestamp() if deadline else float("inf"), part.envelope.date.timestamp()

    return sorted(parts, key=urgency)


def title(part: kinds.Part) -> str:
    """One part in a few words: ``Your turn with Bertrand and Chloé``."""
    if isinstance(part, kinds.InvitationNotice):
        return f"{tidy(part.inviter, words.NAME_LIMIT) or 'Somebody'} invites you to a game"
    if isinstance(part, kinds.CancelledNotice):
        return f"The game with {others_of(part.game, None)} was cancelled"
    others = others_of(part.game, part.seat)
    if isinstance(part, kinds.OverNotice):
        return f"The game with {others} is over"
    if isinstance(part, kinds.StartedNotice):
        return f"The game with {others} has begun"
    if isinstance(part, kinds.MovedForYouNotice):
        return f"A bot moved for you in the game with {others}"
    if isinstance(part, kinds.HeldNotice):
        return f"A bot holds your seat in the game with {others}"
    if isinstance(part, kinds.VoteNotice):
        what = "the end" if part.vote == "end" else "more time"
        return f"A vote for {what} in the game with {others}"
    if isinstance(part, kinds.ReminderNotice):
        return f"{'Last call: your turn' if part.last else 'Still your turn'} with {others}"
    return f"{'More time for your turn' if isinstance(part, kinds.ExtendedNotice) else 'Your turn'} with {others}"


def asked(part: kinds.Part) -> str:
    """What is asked in it, and until when; empty if nothing is."""
    if isinstance(part, kinds.InvitationNotice):
        return "accept or decline"
    if isinstance(part, kinds.HeldNotice):
        return "resume takes it back"
    if isinstance(part, kinds.VoteNotice):
        return f"vote {part.vote} if you agree"
    if not isinstance(part, (kinds.TurnNotice, kinds.ReminderNotice, kinds.ExtendedNotice)):
        return ""
    until = deadline_of(part)
    return task(part.view, words.names_of(part.game)) + (f"; time until {until}" if until else "")


def heading(notice: kinds.BundleNotice) -> str:
    """The bundle in a few words, for its subject too."""
    turns = len({part.game.id for part in notice.parts if asks(part)})
    when = (
        f"Your day in Emerald, {times.day(notice.envelope.date, notice.envelope.zone)}" if notice.daily else "Emerald"
    )
    if turns:
        return f"{when}: your turn in {counted(turns, 'game')}"
    return f"{when}: news of {counted(len({part.game.id for part in notice.parts}), 'game')}"

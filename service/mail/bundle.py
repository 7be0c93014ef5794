"""Several mails told in one: which comes first, what the contents say of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.i18n import gettext as _
from service.i18n import ngettext
from service.i18n.dates import day
from service.mail import kinds, words
from service.mail.pieces import deadline_of, others_of, task
from service.pictures.names import tidy

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
        inviter = tidy(part.inviter, words.NAME_LIMIT) or _("Somebody")
        return _("{name} invites you to a game").format(name=inviter)
    seat = None if isinstance(part, kinds.CancelledNotice) else part.seat
    return _title(part).format(others=others_of(part.game, seat))


def _title(part: kinds.Part) -> str:
    match part:
        case kinds.CancelledNotice():
            return _("The game with {others} was cancelled")
        case kinds.OverNotice():
            return _("The game with {others} is over")
        case kinds.StartedNotice():
            return _("The game with {others} has begun")
        case kinds.MovedForYouNotice():
            return _("A bot moved for you in the game with {others}")
        case kinds.HeldNotice():
            return _("A bot holds your seat in the game with {others}")
        case kinds.VoteNotice(vote="end"):
            return _("A vote for the end in the game with {others}")
        case kinds.VoteNotice():
            return _("A vote for more time in the game with {others}")
        case kinds.ReminderNotice(last=True):
            return _("Last call: your turn with {others}")
        case kinds.ReminderNotice():
            return _("Still your turn with {others}")
        case kinds.ExtendedNotice():
            return _("More time for your turn with {others}")
    return _("Your turn with {others}")


def asked(part: kinds.Part) -> str:
    """What is asked in it, and until when; empty if nothing is."""
    if isinstance(part, kinds.InvitationNotice):
        return _("{accept} or {decline}").format(accept="accept", decline="decline")
    if isinstance(part, kinds.HeldNotice):
        return _("{command} takes it back").format(command="resume")
    if isinstance(part, kinds.VoteNotice):
        return _("{command} if you agree").format(command=f"vote {part.vote}")
    if not isinstance(part, (kinds.TurnNotice, kinds.ReminderNotice, kinds.ExtendedNotice)):
        return ""
    until = deadline_of(part)
    if not until:
        return task(part.view)
    return _("{task}; time until {until}").format(task=task(part.view), until=until)


def heading(notice: kinds.BundleNotice) -> str:
    """The bundle in a few words, for its subject too."""
    turns = len({part.game.id for part in notice.parts if asks(part)})
    games = len({part.game.id for part in notice.parts})
    if turns:
        told = ngettext("your turn in {number} game", "your turn in {number} games", turns).format(number=turns)
    else:
        told = ngettext("news of {number} game", "news of {number} games", games).format(number=games)
    if not notice.daily:
        return f"Emerald: {told}"
    date = day(notice.envelope.date, notice.envelope.zone)
    return _("Your day in Emerald, {day}: {told}").format(day=date, told=told)

"""What the pages behind links in mails say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from service.i18n import gettext as _
from service.i18n import marked
from service.usecases.links import State

Wanted = Literal["on", "off", "stopped", "back"]
"""Whether mails of a kind come ("on") or not ("off"), or were just turned off ("stopped") or on again ("back")."""

_MOVES: Final[Mapping[State, tuple[str, str]]] = {
    "open": (
        marked("Play this move?"),
        marked(
            "Nothing has been played yet: the button plays it, once. If you would rather do something else, close "
            "this page and take another link of the mail, or answer it."
        ),
    ),
    "made": (
        marked("This move is played"),
        marked("Opening the link again, or pressing the button again, plays nothing more."),
    ),
    "passed": (
        marked("Too late for this move"),
        marked(
            "The game has gone on since that mail, so this link plays nothing any more. If it is your turn again, take "
            "the newest mail about it."
        ),
    ),
    "over": (marked("The game is over"), marked("This link plays nothing any more.")),
    "resigned": (
        marked("A bot plays for this seat"),
        marked("You resigned from this game, so this link plays nothing any more."),
    ),
}
_OPT_OUTS: Final[Mapping[str, Mapping[Wanted, str]]] = {
    "turn": {
        "on": marked("No more mails about your turn?"),
        "off": marked("Mails about your turn are turned off"),
        "stopped": marked("No more mails about your turn"),
        "back": marked("Mails about your turn come again"),
    },
    "reminder": {
        "on": marked("No more reminders?"),
        "off": marked("Reminders are turned off"),
        "stopped": marked("No more reminders"),
        "back": marked("Reminders come again"),
    },
    "news": {
        "on": marked("No more news about your games?"),
        "off": marked("News about your games are turned off"),
        "stopped": marked("No more news about your games"),
        "back": marked("News about your games come again"),
    },
    "invitation": {
        "on": marked("No more invitations?"),
        "off": marked("Invitations are turned off"),
        "stopped": marked("No more invitations"),
        "back": marked("Invitations come again"),
    },
}
_STATES: Final[Mapping[Wanted, str]] = {
    "on": marked("The button stops them."),
    "off": marked("You get none of them."),
    "stopped": marked("Done: they are turned off."),
    "back": marked("Done: they are turned on."),
}
_WITHOUT: Final[Mapping[str, str]] = {
    "turn": marked("Your games go on all the same, and nobody tells you when others wait for you."),
    "reminder": marked("Nobody tells you when the time for your move is about to run out."),
    "news": marked("These are mails about how games begin and end, and about moves that were made for you."),
    "invitation": marked("People can still invite you, but you will not hear of it."),
}
"""What it means to have no mails of a kind."""


@dataclass(frozen=True, slots=True)
class OptOut:
    """A page about one kind of mail: its button stops them ("stop") or brings them back ("undo")."""

    heading: str
    lead: str
    button: str
    does: Literal["stop", "undo"]
    done: bool


def moved(state: State) -> tuple[str, str]:
    """The heading of a move link in this state, and what to say about it."""
    heading, lead = _MOVES[state]
    return _(heading), _(lead)


def opt_out(kind: str, state: Wanted) -> OptOut:
    """What to say of this kind of mail."""
    lead = _(_STATES[state])
    if state in ("on", "stopped"):
        lead = f"{lead} {_(_WITHOUT[kind])}"
    comes = state in ("on", "back")
    return OptOut(
        heading=_(_OPT_OUTS[kind][state]),
        lead=lead,
        button=_("Stop these mails") if comes else _("Send them again"),
        does="stop" if comes else "undo",
        done=state != "on",
    )

"""What the pages say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from service.mail.words import OPT_OUTS
from service.usecases.links import State


@dataclass(frozen=True, slots=True)
class Move:
    """A state of a move link: the heading, and what to say about it."""

    heading: str
    lead: str


MOVES: Final[Mapping[State, Move]] = {
    "open": Move(
        "Play this move?",
        "Nothing has been played yet: the button plays it, once. If you would rather do something else, close "
        "this page and take another link of the mail, or answer it.",
    ),
    "made": Move("This move is played", "Opening the link again, or pressing the button again, plays nothing more."),
    "passed": Move(
        "Too late for this move",
        "The game has gone on since that mail, so this link plays nothing any more. If it is your turn again, take the "
        "newest mail about it.",
    ),
    "over": Move("The game is over", "This link plays nothing any more."),
    "resigned": Move("A bot plays for this seat", "You resigned from this game, so this link plays nothing any more."),
}


@dataclass(frozen=True, slots=True)
class OptOut:
    """A page about one kind of mail: its button stops them ("stop") or brings them back ("undo")."""

    heading: str
    lead: str
    button: str
    does: Literal["stop", "undo"]
    done: bool


#: What it means to have no mails of a kind.
_WITHOUT: Final[Mapping[str, str]] = {
    "turn": "Your games go on all the same, and nobody tells you when others wait for you.",
    "reminder": "Nobody tells you when the time for your move is about to run out.",
    "news": "These are mails about how games begin and end, and about moves that were made for you.",
    "invitation": "People can still invite you, but you will not hear of it.",
}


def opt_out(kind: str, state: str) -> OptOut:
    """What to say of this kind of mail: it comes ("on") or not ("off"), or was just "stopped" or brought "back"."""
    what, means = OPT_OUTS[kind], _WITHOUT[kind]
    title = f"{what[:1].upper()}{what[1:]}"
    stop, undo = "Stop these mails", "Send them again"
    if state == "on":
        return OptOut(f"No more {what}?", f"The button stops them. {means}", stop, "stop", done=False)
    if state == "off":
        return OptOut(f"{title} are turned off", "You get none of them.", undo, "undo", done=True)
    if state == "stopped":
        return OptOut(f"No more {what}", f"Done: they are turned off. {means}", undo, "undo", done=True)
    return OptOut(f"{title} come again", "Done: they are turned on.", stop, "stop", done=True)

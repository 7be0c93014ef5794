"""What an account's pages call things: kinds and fates of mail, what tokens may do, the days of the week."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from babel.dates import format_datetime

from service.i18n import gettext as _
from service.i18n import marked
from service.i18n.dates import locale
from service.usecases.results import ACCOUNT, GAMES_PLAY, GAMES_READ

_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "turn": (marked("It is my turn"), marked("With the board, and links that play a move.")),
    "reminder": (marked("My time is running out"), marked("One reminder and one last call for a turn.")),
    "news": (marked("News of my games"), marked("How they begin and end, votes, and moves that a bot made for me.")),
    "invitation": (marked("Invitations"), marked("Somebody keeps a seat for me.")),
}
_SCOPES: Final[Mapping[str, str]] = {
    GAMES_READ: marked("See the games I play in, my turns and my own view of them"),
    GAMES_PLAY: marked("Make and join games, move, talk, resign, give orders, vote, be away"),
    ACCOUNT: marked("See and change my account, make and revoke tokens"),
}
_STATES: Final[Mapping[str, str]] = {
    "sent": marked("Sent"),
    "delayed": marked("Late: its server does not take it yet"),
    "bounced": marked("Came back"),
    "complained": marked("Reported as spam"),
}
_SENT: Final[Mapping[str, str]] = {
    "code": marked("Code"),
    "address": marked("Code for an address"),
    "turn": marked("Your turn"),
    "reminder": marked("Reminder"),
    "last_call": marked("Last call"),
    "confirm": marked("Question whether it was you"),
    "refused_try": marked("A mail in your name"),
    "invitation": marked("Invitation"),
    "answer": marked("Answer"),
}
_MONDAY: Final = 5
"""The first Monday of January 2026."""


def kinds() -> list[tuple[str, str, str]]:
    """Kinds of mail that can be turned off: value, name, what comes with it."""
    return [(kind, _(name), _(about)) for kind, (name, about) in _KINDS.items()]


def scopes() -> list[tuple[str, str]]:
    """What a token may do: value and words."""
    return [(scope, _(words)) for scope, words in _SCOPES.items()]


def states() -> dict[str, str]:
    """How a mail fared."""
    return {state: _(words) for state, words in _STATES.items()}


def sent_kinds() -> dict[str, str]:
    """What a mail was about; those that are not named are news."""
    return {kind: _(words) for kind, words in _SENT.items()}


def weekdays() -> list[str]:
    """The days of the week from Monday on."""
    days = (datetime(2026, 1, _MONDAY + day, tzinfo=UTC) for day in range(7))
    return [str(format_datetime(day, "cccc", locale=locale())) for day in days]

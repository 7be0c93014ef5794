"""Refusals: what a use case answers when it will not do what was asked.

A refusal says what is wrong, why, and what would be right. ``code`` is stable and for programs; ``message`` is for
people, in the language that is spoken where it is raised; ``details`` are plain JSON values (for a refused move: the
rule and what is legal). Each channel turns the code into its own words once: api/errors.py into a status, a mail into a
sentence.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from service.i18n import gettext as _
from service.i18n import marked

NOT_FOUND: Final = "not-found"
NOT_A_PLAYER: Final = "not-a-player"
NOT_YOUR_TURN: Final = "not-your-turn"
STALE_PLY: Final = "stale-ply"
ILLEGAL_MOVE: Final = "illegal-move"
BAD_NOTATION: Final = "bad-notation"
GAME_NOT_PLAYING: Final = "game-not-playing"
GAME_NOT_WAITING: Final = "game-not-waiting"
GAME_NOT_OVER: Final = "game-not-over"
GAME_FULL: Final = "game-full"
SEAT_TAKEN: Final = "seat-taken"
ALREADY_JOINED: Final = "already-joined"
ALREADY_RESIGNED: Final = "already-resigned"
SEAT_HELD: Final = "seat-held"
NOT_HELD: Final = "not-held"
NO_VOTE: Final = "no-vote"
ABSENCE_ALLOWANCE: Final = "absence-allowance"
NAME_TAKEN: Final = "name-taken"
BAD_CODE: Final = "bad-code"
BAD_JOIN_CODE: Final = "bad-join-code"
INVALID: Final = "invalid"
FORBIDDEN: Final = "forbidden"
SCOPE_MISSING: Final = "scope-missing"
UNAUTHENTICATED: Final = "unauthenticated"
RATE_LIMITED: Final = "rate-limited"
IDEMPOTENCY_MISMATCH: Final = "idempotency-mismatch"
UNAVAILABLE: Final = "unavailable"

#: Every code a use case may answer with; api/errors.py maps each to a status and a test compares the two.
CODES: Final = frozenset(
    {
        NOT_FOUND,
        NOT_A_PLAYER,
        NOT_YOUR_TURN,
        STALE_PLY,
        ILLEGAL_MOVE,
        BAD_NOTATION,
        GAME_NOT_PLAYING,
        GAME_NOT_WAITING,
        GAME_NOT_OVER,
        GAME_FULL,
        SEAT_TAKEN,
        ALREADY_JOINED,
        ALREADY_RESIGNED,
        SEAT_HELD,
        NOT_HELD,
        NO_VOTE,
        ABSENCE_ALLOWANCE,
        NAME_TAKEN,
        BAD_CODE,
        BAD_JOIN_CODE,
        INVALID,
        FORBIDDEN,
        SCOPE_MISSING,
        UNAUTHENTICATED,
        RATE_LIMITED,
        IDEMPOTENCY_MISMATCH,
        UNAVAILABLE,
    }
)


class Refusal(Exception):  # noqa: N818 - nothing went wrong: the answer is no
    """Asked for something that cannot be done; nothing was changed unless the use case says so."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        if code not in CODES:
            raise ValueError(f"unknown refusal code {code!r}")
        super().__init__(message)
        self.code = code
        self.message = message
        self.details: Mapping[str, Any] = MappingProxyType(details)

    def __repr__(self) -> str:
        return f"Refusal({self.code!r}, {self.message!r})"


def invalid(field: str, message: str, **details: Any) -> Refusal:
    """A value that cannot be accepted; ``field`` names the argument it came in."""
    return Refusal(INVALID, message, field=field, **details)


_NO_SUCH: Final = {
    "game": marked("There is no such game, or it is not open to you."),
    "absence": marked("There is no such absence, or it is not open to you."),
    "address": marked("There is no such address, or it is not open to you."),
    "feed": marked("There is no such feed, or it is not open to you."),
    "invitation": marked("There is no such invitation, or it is not open to you."),
    "page": marked("There is no such page, or it is not open to you."),
    "token": marked("There is no such token, or it is not open to you."),
}


def not_found(what: str = "game") -> Refusal:
    """Not there, or not for this caller's eyes: the two are never told apart."""
    return Refusal(NOT_FOUND, _(_NO_SUCH[what]))

"""What a program can read from our mails: the code to sign in with, and the decision that a turn mail asks for."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final, NamedTuple

_CODE: Final = re.compile(r"^\s*(\d{4}[ -]?\d{4})\s*$", re.MULTILINE)
_DECISION: Final = re.compile(r"(\w{12})/(\d+)\Z")


class Decision(NamedTuple):
    """What a turn mail is about."""

    game: str
    ply: int


def parse(raw: bytes) -> EmailMessage:
    """The bytes of a mail as a message."""
    message = message_from_bytes(raw, policy=policy.default)
    if not isinstance(message, EmailMessage):
        raise TypeError("the mail policy gives EmailMessage")
    return message


def text_of(message: EmailMessage) -> str:
    """The plain text of a mail."""
    body = message.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


def subject_of(message: EmailMessage) -> str:
    """The subject; a long one is folded on its way, which may leave a space before it."""
    return str(message["Subject"] or "").strip()


def kind_of(message: EmailMessage) -> str:
    """Which of our mails this is, by the name of its templates: ``turn``, ``answer``, ``code``..."""
    return str(message["X-Emerald-Mail"] or "").strip()


def code_in(message: EmailMessage) -> str | None:
    """The sign-in code, if this mail brings one."""
    found = _CODE.search(text_of(message)) if kind_of(message) == "code" else None
    return found[1] if found else None


def decisions_in(message: EmailMessage) -> tuple[Decision, ...]:
    """Every decision that this mail asks its reader for: one, or in a bundle perhaps several."""
    found = [_DECISION.match(str(value).strip()) for value in message.get_all("X-Emerald-Decision", [])]
    return tuple(Decision(match[1], int(match[2])) for match in found if match)


def turn_in(message: EmailMessage) -> Decision | None:
    """The decision that a "your turn" mail asks for; None for every other mail, reminders too."""
    return next(iter(decisions_in(message)), None) if kind_of(message) == "turn" else None

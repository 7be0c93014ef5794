"""What a program can read from our mails: the code to sign in with, and the decision that a turn mail asks for."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final, NamedTuple

_CODE: Final = re.compile(r"^\s*(\d{4}[ -]?\d{4})\s*$", re.MULTILINE)
_TURN: Final = re.compile(r'/api/v1/games/(\w{12})/moves\s+\{"ply": (\d+),')


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


def code_in(message: EmailMessage) -> str | None:
    """The sign-in code, if this mail brings one."""
    found = _CODE.search(text_of(message))
    return found[1] if found and "sign-in code" in subject_of(message) else None


def turn_in(message: EmailMessage) -> Decision | None:
    """The decision that a "your turn" mail asks for; None for every other mail, reminders too."""
    if not subject_of(message).startswith("Your turn"):
        return None
    found = _TURN.search(text_of(message))
    return Decision(found[1], int(found[2])) if found else None

"""Signed tokens: who may do what by answering a mail, or by a link in it. Pure.

A token says what it is for and is signed with the secret key; nothing is stored for it. It is made of 2-7 and a-z in
one case only, because the local part of an address may change case on its way, and is short enough for one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass, fields
from typing import Final

from service.ids import ALPHABET

#: Bytes of the signature: 80 bits cannot be guessed by mail.
_SIGNED: Final = 10
_ID_LENGTH: Final = 12
_NO_PLY: Final = 0xFFFF
#: Kinds of mail that can be turned off, each by itself; the order is part of the tokens.
KINDS: Final = ("turn", "reminder", "news", "invitation")


@dataclass(frozen=True, slots=True)
class SeatToken:
    """An answer for this seat's player. ``ply``: the one decision that a move in it may make; None: none."""

    game: str
    seat: int
    ply: int | None


@dataclass(frozen=True, slots=True)
class InviteToken:
    """An answer to an invitation to this seat."""

    game: str
    seat: int


@dataclass(frozen=True, slots=True)
class AccountToken:
    """An answer from this account, about no game in particular."""

    user: str


@dataclass(frozen=True, slots=True)
class SignUpToken:
    """The confirmation of a sign-up (or of a further address) that began with this challenge."""

    challenge: int


@dataclass(frozen=True, slots=True)
class BounceToken:
    """The return path of the mail that this outbox row promised."""

    row: int


@dataclass(frozen=True, slots=True)
class MoveLink:
    """The link that plays one numbered action of one decision."""

    game: str
    seat: int
    ply: int
    number: int


@dataclass(frozen=True, slots=True)
class OptOutLink:
    """The link that turns one kind of mail off. ``who`` as in the table opt_outs."""

    who: str
    kind: str


@dataclass(frozen=True, slots=True)
class SignInLink:
    """The link that does what the code of this challenge does, as long as the code would."""

    challenge: int


Token = SeatToken | InviteToken | AccountToken | SignUpToken | BounceToken | MoveLink | OptOutLink | SignInLink
_TYPES: Final = (
    *(SeatToken, InviteToken, AccountToken, SignUpToken, BounceToken, MoveLink, OptOutLink),
    SignInLink,
)
#: Bytes of each field.
_WIDTHS: Final = {"game": 8, "user": 8, "seat": 1, "ply": 2, "number": 2, "challenge": 6, "row": 6, "kind": 1}


def user_recipient(user_id: str) -> str:
    """Who gets a mail, as the outbox and the opt-outs name an account."""
    return f"user:{user_id}"


def address_recipient(email_key: str) -> str:
    """The same for an address without an account; the address cannot be read from it."""
    return f"mail:{hashlib.sha256(email_key.encode()).hexdigest()[:16]}"


def seal(secret_key: str, token: Token) -> str:
    """The token as letters and digits. Raises ValueError for a number too large for its field."""
    body = bytes([_TYPES.index(type(token))]) + b"".join(
        _pack(field.name, getattr(token, field.name)) for field in fields(token)
    )
    return base64.b32encode(body + _signature(secret_key, body)).decode().rstrip("=").lower()


def unseal(secret_key: str, text: str) -> Token | None:
    """The token that was sealed; None for anything else, in a time that tells nothing."""
    letters = text.upper()
    try:
        whole = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except (binascii.Error, ValueError):
        return None
    body, signature = whole[:-_SIGNED], whole[-_SIGNED:]
    if not body or not hmac.compare_digest(signature, _signature(secret_key, body)) or body[0] >= len(_TYPES):
        return None
    return _unpack(_TYPES[body[0]], body[1:])


def _signature(secret_key: str, body: bytes) -> bytes:
    return hmac.new(secret_key.encode(), b"mail token|" + body, hashlib.sha256).digest()[:_SIGNED]


def _pack(name: str, value: str | int | None) -> bytes:
    if name == "who":
        kind, _, rest = str(value).partition(":")
        packed = _id_number(rest).to_bytes(8, "big") if kind == "user" else bytes.fromhex(rest)
        return bytes([kind == "user"]) + packed
    if name in ("game", "user"):
        return _id_number(str(value)).to_bytes(8, "big")
    if name == "kind":
        return bytes([KINDS.index(str(value))])
    number = _NO_PLY if value is None else int(value)
    try:
        return number.to_bytes(_WIDTHS[name], "big")
    except OverflowError:
        raise ValueError(f"{name} {value} is too large for a token") from None


def _unpack(type_: type[Token], body: bytes) -> Token | None:
    values: list[str | int | None] = []
    for field in fields(type_):
        if field.name == "who":
            kind, part, body = body[0], body[1:9], body[9:]
            values.append(f"user:{_id(part)}" if kind else f"mail:{part.hex()}")
            continue
        width = _WIDTHS[field.name]
        part, body = body[:width], body[width:]
        number = int.from_bytes(part, "big")
        if field.name in ("game", "user"):
            values.append(_id(part))
        elif field.name == "kind":
            values.append(KINDS[number])
        else:
            values.append(None if field.name == "ply" and number == _NO_PLY else number)
    return type_(*values)  # type: ignore[arg-type]  # the fields in their order, as they were packed


def _id_number(text: str) -> int:
    number = 0
    for letter in text:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def _id(packed: bytes) -> str:
    number, letters = int.from_bytes(packed, "big"), ""
    for _ in range(_ID_LENGTH):
        number, rest = divmod(number, len(ALPHABET))
        letters = ALPHABET[rest] + letters
    return letters

"""Ids and secrets: random ones, from the operating system's generator, and ids that follow from what they name."""

import hashlib
import secrets

#: No 0/o, 1/i/l: an id may be read aloud or typed from paper.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_PATTERN = "[2-9a-hj-km-np-z]{12}"
TOKEN_PREFIX = "emerald_"  # noqa: S105 - a public marker that lets secret scanners recognise a leaked token

FEED_PREFIX = TOKEN_PREFIX + "feed_"


def new_id(length: int = 12) -> str:
    """A primary key for users, games and tokens: cannot be guessed or counted."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def id_for(what: str, length: int = 12) -> str:
    """An id that is always the same for this, and that nobody can guess who does not know all of it."""
    number = int.from_bytes(hashlib.sha256(what.encode()).digest(), "big")
    letters = ""
    for _ in range(length):
        number, rest = divmod(number, len(ALPHABET))
        letters += ALPHABET[rest]
    return letters


def new_token() -> str:
    """A bearer token: the prefix and 43 URL-safe characters (256 bits)."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def new_feed_secret() -> str:
    """What opens somebody's feeds: 256 random bits, marked like a token, so that logs strike it out."""
    return FEED_PREFIX + secrets.token_urlsafe(32)


def new_seed() -> bytes:
    """The 32 bytes a game is dealt from; only its commitment is shown until the game is over."""
    return secrets.token_bytes(32)


def new_nonce() -> str:
    """What a sign-in code is derived from; of no use without the secret key."""
    return secrets.token_hex(16)

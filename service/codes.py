"""Sign-in codes: derived from a challenge's nonce when the mail is sent and when the code comes back, never stored."""

import hashlib
import hmac

DIGITS = 8


def sign_in_code(secret_key: str, nonce: str) -> str:
    """The eight digits for a challenge."""
    mac = hmac.new(secret_key.encode(), b"sign-in code|" + nonce.encode(), hashlib.sha256).digest()
    return str(int.from_bytes(mac[:16], "big") % 10**DIGITS).zfill(DIGITS)


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def token_hash(token: str) -> str:
    """What is kept of a bearer token. It has 256 random bits, so a plain hash cannot be guessed back."""
    return hashlib.sha256(token.encode()).hexdigest()

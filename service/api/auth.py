"""Who is asking: a bearer token and its scopes.

The token is looked at once, before the limits are counted, so that they count per token; a bad one is
refused only where the route is reached, after the limits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, g, request

from service.clock import now
from service.errors import Refusal
from service.usecases import tokens, words
from service.usecases.results import ACCOUNT, GAMES_PLAY, GAMES_READ, Caller

SCOPES = {
    GAMES_READ: "See the games you play in, your turns and your own view of them.",
    GAMES_PLAY: "Create and join games, move, talk, resign, give orders, vote, be away.",
    ACCOUNT: "See and change your account, make and revoke tokens.",
}

MAX_TOKEN = 200


def register(app: Flask) -> None:
    """Look at the token of every request."""
    app.before_request(_look)


def _look() -> None:
    g.caller = None
    g.bad_token = None
    header = request.headers.get("Authorization")
    if header is None:
        return
    kind, _, token = header.partition(" ")
    token = token.strip()
    if kind.lower() != "bearer" or not token.isascii() or not 0 < len(token) <= MAX_TOKEN:
        g.bad_token = Refusal(
            "unauthenticated",
            "The Authorization header is not a bearer token. Send it as: Authorization: Bearer emerald_...",
        )
        return
    try:
        g.caller = tokens.authenticate(token=token, now=now())
    except Refusal as refusal:
        g.bad_token = refusal


def caller_key() -> str | None:
    """What the limits are counted by for a known caller: the token's id, never the token."""
    caller: Caller | None = g.get("caller")
    return None if caller is None else f"token:{caller.token_id}"


def maybe_caller() -> Caller | None:
    """The caller, if a token was sent; a bad token is refused even where none is needed."""
    if g.bad_token is not None:
        raise g.bad_token
    caller: Caller | None = g.caller
    return caller


def caller() -> Caller:
    """The caller; refused without a token."""
    found = maybe_caller()
    if found is None:
        raise Refusal(
            "unauthenticated",
            "This needs a token. Sign in (POST /api/v1/sign-in, then POST /api/v1/tokens) and send it as: "
            "Authorization: Bearer emerald_...",
        )
    return found


def require(scope: str | None, *, optional: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Refuse a request whose token lacks ``scope``. ``optional``: a request without a token is let in."""

    def decorator(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            found = maybe_caller() if optional else caller()
            if found is not None and scope is not None:
                words.require(found, scope)
            return view(*args, **kwargs)

        return checked

    return decorator

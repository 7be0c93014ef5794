"""Rate limits: per token, per browser that is signed in, or per remote address where there is neither.

Counted in ``settings.rate_limit_url`` (Redis in production). When that is away the counting goes on in this
process's memory: a game is not stopped because a counter is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_smorest import Blueprint

from service.api.auth import caller_key
from service.config import Settings
from service.web.visitor import session_key

SIGN_IN_LIMIT = "30 per minute"
"""For sign-up, sign-in, further addresses and the exchange of a code: each of these can cost a mail or a guess."""

GUESS_LIMIT = "30 per minute"
"""For addresses of feeds that are nobody's: more of them than a mistake, or a calendar that was not told, would ask."""

SIGN_IN_PAGES = (
    *("ask_code", "redeem_code", "redeem_link", "ask_account"),
    *("add_address", "test_address", "confirm_address"),
)
"""The same forms as pages, all counted together."""

UNCOUNTED = ("health.healthz", "health.readyz", "health.metrics")


def register(app: Flask, settings: Settings, *, sign_in: Blueprint, addresses: Blueprint, feeds: Blueprint) -> Limiter:
    """Count the requests of ``app``; more strictly those of the blueprint ``sign_in``, changes of ``addresses``, and
    what is asked of ``feeds`` in vain.
    """
    limiter = Limiter(
        key_func=_key,
        app=app,
        enabled=bool(settings.rate_limit),
        application_limits=[settings.rate_limit] if settings.rate_limit else [],
        storage_uri=settings.rate_limit_url,
        storage_options=_storage_options(settings.rate_limit_url),
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        strategy="fixed-window",
        key_prefix="emerald",
    )
    limiter.request_filter(lambda: request.endpoint in UNCOUNTED or request.method == "OPTIONS")
    limiter.limit(SIGN_IN_LIMIT, key_func=get_remote_address)(sign_in)
    limiter.limit(SIGN_IN_LIMIT, key_func=_key, methods=["POST"])(addresses)
    in_vain = limiter.shared_limit(
        GUESS_LIMIT, "guesses", key_func=get_remote_address, deduct_when=lambda answer: answer.status_code == 404
    )
    in_vain(feeds)

    @app.after_request
    def _tell(response: Response) -> Response:
        counted = limiter.current_limit
        if counted is not None:
            window = counted.limit.get_expiry()
            seconds = min(window, max(1, math.ceil(counted.reset_at - time.time())))
            response.headers["RateLimit-Limit"] = str(counted.limit.amount)
            response.headers["RateLimit-Remaining"] = str(max(0, counted.remaining))
            response.headers["RateLimit-Reset"] = str(seconds)
            if counted.breached:  # a refusal of a use case says itself how long to wait
                response.headers["Retry-After"] = str(seconds)
        return response

    return limiter


def cover_pages(app: Flask, limiter: Limiter) -> None:
    """Count the sign-in forms of the web site too, once they are there."""
    limited = limiter.shared_limit(SIGN_IN_LIMIT, "sign-in pages", key_func=get_remote_address)
    for name in SIGN_IN_PAGES:
        view: Callable[..., Any] = app.view_functions[f"web.{name}"]
        app.view_functions[f"web.{name}"] = limited(view)


def _key() -> str:
    """Whose request it is: a token's, a browser's that is signed in, else whoever is at that address."""
    signed_in = session_key() if request.blueprint == "web" else None
    return caller_key() or signed_in or f"address:{get_remote_address()}"


def _storage_options(url: str) -> dict[str, str | int]:
    """A counter that does not answer quickly counts as away."""
    if not url.startswith(("redis", "valkey")):
        return {}
    return {"socket_connect_timeout": 1, "socket_timeout": 1}

"""Every error as ``application/problem+json`` (RFC 9457), ours and the framework's alike.

``TABLE`` is the one place that says which refusal has which HTTP status. A refusal's message is written by
whoever refuses (it says what is wrong, why, and what would be right) and is passed on as ``detail``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import Flask, Response, g
from werkzeug.exceptions import BadHost, HTTPException

from service import logs, web
from service.errors import Refusal

MIMETYPE = "application/problem+json"
RETRY_SECONDS = 5

_PASSED_ON = ("rule", "rule_text", "word", "legal", "ply", "to_act", "scope", "errors", "left_days")


class Kind(NamedTuple):
    """What all problems of one code have in common."""

    status: int
    title: str


TABLE: Mapping[str, Kind] = {
    # the request itself
    "bad-json": Kind(400, "The body is not JSON"),
    "bad-request": Kind(400, "The request cannot be read"),
    "unauthenticated": Kind(401, "A valid token is needed"),
    "method-not-allowed": Kind(405, "This address does not take this method"),
    "too-large": Kind(413, "The body is too large"),
    "uri-too-long": Kind(414, "The address is too long"),
    "unsupported-media-type": Kind(415, "The body must be JSON"),
    "invalid": Kind(422, "The request does not fit its contract"),
    "rate-limited": Kind(429, "Too many requests"),
    "internal": Kind(500, "Our fault"),
    "unavailable": Kind(503, "Not available just now"),
    # who may
    "bad-code": Kind(403, "The code is not valid"),
    "bad-join-code": Kind(403, "The join code is not valid"),
    "forbidden": Kind(403, "Not allowed"),
    "not-a-player": Kind(403, "You have no seat in this game"),
    "not-your-turn": Kind(403, "Someone else is to act"),
    "scope-missing": Kind(403, "The token may not do this"),
    "not-found": Kind(404, "Nothing is here"),
    # the state of things
    "already-joined": Kind(409, "You have a seat in this game already"),
    "game-full": Kind(409, "Every seat is taken"),
    "already-resigned": Kind(409, "You have resigned already"),
    "seat-held": Kind(409, "A bot holds your seat"),
    "not-held": Kind(409, "No bot holds your seat"),
    "no-vote": Kind(409, "There is no such vote now"),
    "absence-allowance": Kind(409, "More than the yearly allowance"),
    "game-not-over": Kind(409, "The game is not over"),
    "game-not-playing": Kind(409, "The game is not being played"),
    "game-not-waiting": Kind(409, "The game is not waiting for players"),
    "name-taken": Kind(409, "The name is taken"),
    "seat-taken": Kind(409, "The seat is taken"),
    "stale-ply": Kind(409, "The game has moved on"),
    # what was asked of the game
    "bad-notation": Kind(422, "The line cannot be read"),
    "idempotency-mismatch": Kind(422, "The key was used for another request"),
    "illegal-move": Kind(422, "The rules do not allow this"),
}

_OUR_FAULT = (
    "Something went wrong on our side. Nothing of this request was kept; it is safe to send it again. "
    "Quote the header X-Request-Id when you report it."
)

_FRAMEWORK_CODES = {
    400: "bad-request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    414: "uri-too-long",
    415: "unsupported-media-type",
    422: "invalid",
    429: "rate-limited",
    503: "unavailable",
}


class RequestProblem(Exception):  # noqa: N818 - a refusal like the others, of the transport
    """A request that never came as far as a use case."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def problem(code: str, detail: str, details: Mapping[str, Any] | None = None, *, status: int = 0) -> Response:
    """A problem answer. ``details``: further members (``rule``, ``legal``, ``ply``, ``errors``)."""
    kind = TABLE[code]
    body = {
        "type": f"urn:emerald:problem:{code}",
        "title": kind.title,
        "status": status or kind.status,
        "detail": detail,
        "code": code,
        **_members(details or {}, detail),
    }
    g.problem_code = code
    response = Response(json.dumps(body, ensure_ascii=False), status or kind.status, mimetype=MIMETYPE)
    if kind.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="emerald"'
    if code == "scope-missing":
        scope = (details or {}).get("scope", "")
        response.headers["WWW-Authenticate"] = f'Bearer realm="emerald", error="insufficient_scope", scope="{scope}"'
    if kind.status in (429, 503):
        response.headers["Retry-After"] = str((details or {}).get("retry_after", RETRY_SECONDS))
    return response


def _members(details: Mapping[str, Any], detail: str) -> dict[str, Any]:
    """Further members of a problem. What a use case calls ``status`` is the game's: a problem's own is HTTP's."""
    members = {name: details[name] for name in _PASSED_ON if details.get(name) is not None}
    if "status" in details:
        members["game_status"] = details["status"]
    if "field" in details:
        members["errors"] = {details["field"]: [detail]}
    return members


def register(app: Flask) -> None:
    """Answer every exception that leaves a view, or the router, as a problem."""
    app.register_error_handler(Refusal, _refused)
    app.register_error_handler(RequestProblem, lambda error: problem(error.code, error.message))
    app.register_error_handler(HTTPException, framework_error)
    app.register_error_handler(Exception, _unforeseen)


def _refused(error: Refusal) -> Response:
    return problem(error.code, error.message, error.details)


def framework_error(error: HTTPException) -> Response:
    """What Flask, Werkzeug or the limiter raised: 404, 405, 413, 429, ... in our own words.

    To a browser that went astray outside the API these are a page of the site; but for one that names no host, as a
    page holds addresses.
    """
    if web.wanted() and not isinstance(error, BadHost):
        return web.astray(error)
    status = error.code or 500
    code = _FRAMEWORK_CODES.get(status, "internal" if status >= 500 else "bad-request")
    answer = problem(code, _words(error, code), status=status)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            answer.headers[name] = value
    return answer


def _words(error: HTTPException, code: str) -> str:
    match code:
        case "not-found":
            return "Nothing is at this address. GET /api/v1/openapi.json lists every address there is."
        case "method-not-allowed":
            allowed = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
            return f"This address takes {allowed or 'other methods'} only."
        case "too-large":
            return "The body is larger than this server takes. A request of this API needs few kilobytes."
        case "rate-limited":
            limit = getattr(error, "description", "")
            return f"Too many requests: at most {limit}. Wait as long as the header Retry-After says (seconds)."
        case "internal":
            return _OUR_FAULT
        case "unavailable":
            return "The service cannot answer just now. Send the request again after a few seconds."
        case "unsupported-media-type":
            return "This address takes JSON only. Send the header Content-Type: application/json."
        case _:
            return "The request cannot be read. Compare it with GET /api/v1/openapi.json."


def _unforeseen(error: Exception) -> Response:
    logs.fault(error)
    return problem("internal", _OUR_FAULT)

"""Errors as pages: what happened and what to do now, in words for people. They never tell a token."""

from __future__ import annotations

from typing import Final

import structlog
from flask import Blueprint, Response, g
from werkzeug.exceptions import HTTPException, InternalServerError, NotFound, ServiceUnavailable, TooManyRequests

from service.errors import NOT_FOUND, UNAVAILABLE, Refusal
from service.web.rendering import page

_log = structlog.get_logger(__name__)
_RETRY_SECONDS: Final = "5"
_SAID: Final[dict[int, tuple[str, str]]] = {
    NotFound.code: (
        "This link leads nowhere",
        "Links in mails are long, and some programs cut them off: open it from the mail itself, or answer the mail "
        "instead. If the game it belonged to was removed, the link went with it.",
    ),
    TooManyRequests.code: ("Too many requests", "Please wait a minute, then try again. Nothing is lost."),
    ServiceUnavailable.code: (
        "Not available just now",
        "Please try again in a moment. If you pressed a button, press it again then: nothing is done twice.",
    ),
    InternalServerError.code: (
        "Something went wrong",
        "The fault is ours. If you pressed a button, press it again in a while: nothing is done twice.",
    ),
}
_OTHER: Final = ("This cannot be read", "Open the link from the mail itself, or answer the mail instead.")
_STATUSES: Final = {NOT_FOUND: NotFound.code, UNAVAILABLE: ServiceUnavailable.code}


def register(web: Blueprint) -> None:
    """Answer whatever a page raises with a page."""
    web.register_error_handler(Refusal, _refused)
    web.register_error_handler(HTTPException, _framework)
    web.register_error_handler(Exception, _unforeseen)


def _refused(error: Refusal) -> Response:
    status = _STATUSES.get(error.code)
    if status is None:
        return _unforeseen(error)
    return _page(status, error.code)


def _framework(error: HTTPException) -> Response:
    answer = _page(error.code or InternalServerError.code, "page-error")
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            answer.headers[name] = value
    return answer


def _unforeseen(error: Exception) -> Response:
    _log.exception("unforeseen_error", error=type(error).__name__)
    return _page(InternalServerError.code, "internal")


def _page(status: int, code: str) -> Response:
    g.problem_code = code
    heading, lead = _SAID.get(status, _OTHER)
    answer = page("error.html", status, heading=heading, lead=lead)
    if status == ServiceUnavailable.code:
        answer.headers["Retry-After"] = _RETRY_SECONDS
    return answer

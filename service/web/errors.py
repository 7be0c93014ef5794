"""Errors as pages: what happened and what to do now, in words for people. They never tell a token."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, redirect, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import (
    Conflict,
    Forbidden,
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    NotFound,
    ServiceUnavailable,
    TooManyRequests,
)

from service import errors, logs
from service.errors import Refusal
from service.i18n import gettext as _
from service.i18n import marked
from service.web import headers, visitor
from service.web.rendering import link_page, page

_RETRY_SECONDS: Final = "5"
_WAIT: Final = (marked("Too many requests"), marked("Please wait a minute, then try again. Nothing is lost."))
_AWAY: Final = (
    marked("Not available just now"),
    marked("Please try again in a moment. If you pressed a button, press it again then: nothing is done twice."),
)
_FAULT: Final = (
    marked("Something went wrong"),
    marked("The fault is ours. If you pressed a button, press it again in a while: nothing is done twice."),
)
_LINK_SAID: Final[dict[int, tuple[str, str]]] = {
    NotFound.code: (
        marked("This link leads nowhere"),
        marked(
            "Links in mails are long, and some programs cut them off: open it from the mail itself, or answer the mail "
            "instead. If the game it belonged to was removed, the link went with it."
        ),
    ),
    TooManyRequests.code: _WAIT,
    ServiceUnavailable.code: _AWAY,
    InternalServerError.code: _FAULT,
}
_LINK_OTHER: Final = (
    marked("This cannot be read"),
    marked("Open the link from the mail itself, or answer the mail instead."),
)
_SAID: Final[dict[int, tuple[str, str]]] = {
    NotFound.code: (
        marked("Nothing is here"),
        marked(
            "Perhaps the address was cut off, or the game is private: then sign in as somebody who sits in it or is "
            "invited."
        ),
    ),
    Forbidden.code: (marked("This is not allowed"), ""),
    MethodNotAllowed.code: (
        marked("There is nothing to look at here"),
        marked("This address is only for the button that leads to it. Go back to the page and press it there."),
    ),
    Conflict.code: (marked("That is not possible now"), ""),
    TooManyRequests.code: _WAIT,
    ServiceUnavailable.code: _AWAY,
    InternalServerError.code: _FAULT,
}
_OTHER: Final = (marked("This cannot be read"), marked("Go back, load the page anew, and try again."))
_STATUSES: Final[dict[str, int]] = {
    errors.NOT_FOUND: NotFound.code,
    errors.UNAVAILABLE: ServiceUnavailable.code,
    errors.RATE_LIMITED: TooManyRequests.code,
    errors.FORBIDDEN: Forbidden.code,
    errors.NOT_A_PLAYER: Forbidden.code,
    errors.SCOPE_MISSING: Forbidden.code,
}
"""All others say that the state of things does not allow it."""
_OTHERS: Final = ("application/problem+json", "application/json")
"""What a program takes that asks for no page: before HTML, where it says that it takes anything."""


def wanted() -> bool:
    """Whether an error of this request should be a page: asked by a browser, at no address of the API."""
    api = request.path == "/api" or request.path.startswith("/api/")
    return not api and request.accept_mimetypes.best_match((*_OTHERS, "text/html")) == "text/html"


def astray(error: HTTPException) -> Response:
    """The page for an address that is no page of ours, or is not one to look at."""
    try:
        visitor.look()
    except Refusal:
        visitor.take_for_stranger()  # whoever it is, the database is away
    try:
        return headers.dress(_framework(error))
    finally:
        visitor.forget(None)


def register(web: Blueprint) -> None:
    """Answer whatever a page raises with a page."""

    def refused(error: Refusal) -> Response:
        if error.code == errors.UNAUTHENTICATED:
            return redirect(url_for("web.sign_in"), 303)  # type: ignore[return-value]  # werkzeug's, which is Flask's
        answer = _page(_STATUSES.get(error.code, Conflict.code), error.code, error.message)
        if error.code == errors.RATE_LIMITED and "retry_after" in error.details:
            answer.headers["Retry-After"] = str(error.details["retry_after"])
        return answer

    def stale_form(error: CSRFError) -> Response:
        return _page(
            error.code or 400,
            "stale-form",
            _(
                "This form was made for another session, perhaps before you signed in or out. "
                "Go back, load the page anew, and send it again."
            ),
        )

    def unforeseen(error: Exception) -> Response:
        logs.fault(error)
        return _page(InternalServerError.code, "internal")

    web.register_error_handler(Refusal, refused)
    web.register_error_handler(CSRFError, stale_form)
    web.register_error_handler(HTTPException, _framework)
    web.register_error_handler(Exception, unforeseen)


def _framework(error: HTTPException) -> Response:
    return _passed_on(error, _page(error.code or InternalServerError.code, "page-error"))


def _passed_on(error: HTTPException, answer: Response) -> Response:
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            answer.headers[name] = value
    return answer


def _page(status: int, code: str, detail: str = "") -> Response:
    g.problem_code = code
    if "visitor" not in g:  # it was refused before anybody had looked who it is
        visitor.take_for_stranger()
    heading, lead = _SAID.get(status, _OTHER)
    known = _(lead) if lead else ""
    answer = page("error.html", status, heading=_(heading), lead=detail or known)
    if status == ServiceUnavailable.code:
        answer.headers["Retry-After"] = _RETRY_SECONDS
    return answer


def register_for_links(links: Blueprint) -> None:
    """The same for the pages behind links in mails, which know no visitor."""

    def refused(error: Refusal) -> Response:
        status = {errors.NOT_FOUND: NotFound.code, errors.UNAVAILABLE: ServiceUnavailable.code}.get(error.code)
        return unforeseen(error) if status is None else _link_page(status, error.code)

    def framework(error: HTTPException) -> Response:
        return _passed_on(error, _link_page(error.code or InternalServerError.code, "page-error"))

    def unforeseen(error: Exception) -> Response:
        logs.fault(error)
        return _link_page(InternalServerError.code, "internal")

    links.register_error_handler(Refusal, refused)
    links.register_error_handler(HTTPException, framework)
    links.register_error_handler(Exception, unforeseen)


def _link_page(status: int, code: str) -> Response:
    g.problem_code = code
    heading, lead = _LINK_SAID.get(status, _LINK_OTHER)
    answer = link_page("links/error.html", status, heading=_(heading), lead=_(lead))
    if status == ServiceUnavailable.code:
        answer.headers["Retry-After"] = _RETRY_SECONDS
    return answer

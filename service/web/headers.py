"""What every page's answer carries: nobody keeps it, frames it, lists it, or learns its address from a link."""

from __future__ import annotations

from flask import Blueprint, Response

#: Only what we serve ourselves is loaded, nothing inline; forms lead nowhere else.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


def register(web: Blueprint) -> None:
    """Put them on every answer of the pages, errors too."""
    web.after_request(dress)


def findable(answer: Response) -> Response:
    """The answer for search engines too: a page that is the same for everybody (as in ``/robots.txt``)."""
    answer.headers["X-Robots-Tag"] = "all"
    return answer


def dress(response: Response) -> Response:
    """The answer with all of them."""
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers.setdefault("X-Robots-Tag", "noindex, nofollow, noarchive")
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "no-store")
    return response

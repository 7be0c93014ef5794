"""Feeds of one's deadlines, for programs that cannot sign in: their addresses are the secret.

So nothing of an address is written to a log or a metric (they have the route's template), no link leads on from it,
and nobody can try many of them (``api.limits``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.etags import tagged
from service.api.http import API_PREFIX
from service.api.openapi import ETAG, IF_NONE_MATCH, contract
from service.api.resources.sign_in import NO_STORE
from service.api.schemas.feeds import FeedInfo, NewFeed
from service.clock import now
from service.db import settings
from service.feeds import Feed, atom, ics
from service.usecases import feeds
from service.usecases.results import ACCOUNT

blueprint = Blueprint("Feeds", __name__, description="Your deadlines in a calendar program or a feed reader.")
#: What is read without a token, apart because it is counted apart.
public = Blueprint("Feeds by address", __name__, description="What stands at the secret addresses of feeds.")

ICS, ATOM = "text/calendar", "application/atom+xml"
_SECRET = "<string(minlength=20, maxlength=100):secret>"  # noqa: S105 - how a route spells it


@blueprint.route("/me/feed")
@contract("getFeed", scope=ACCOUNT)
@blueprint.response(200, FeedInfo)
def get_feed() -> Any:
    """Show whether you have feeds"""
    return {"since": feeds.made(caller=caller())}


@blueprint.route("/me/feed", methods=["POST"])
@contract("makeFeed", scope=ACCOUNT)
@blueprint.response(201, NewFeed)
def make_feed() -> Any:
    """Make the addresses of your feeds

    Secret ones, shown this once: the games that wait for you, with whom, and until when. No cards. Earlier addresses
    are good for nothing from now on.
    """
    made = feeds.make(caller=caller(), now=now())
    address = settings().address(f"{API_PREFIX}/feeds/{made.secret}/deadlines")
    return {"since": made.since, "ics": f"{address}.ics", "atom": f"{address}.atom"}, NO_STORE


@blueprint.route("/me/feed", methods=["DELETE"])
@contract("revokeFeed", scope=ACCOUNT)
@blueprint.response(204)
def revoke_feed() -> Any:
    """Take the addresses of your feeds back

    Nothing stands there any more. Harmless if there are none.
    """
    feeds.revoke(caller=caller())


@public.route(f"/feeds/{_SECRET}/deadlines.ics")
@contract("getDeadlinesIcs", signed_in=False, refuses=("not-found",), parameters=(IF_NONE_MATCH,))
@public.response(200, {"type": "string"}, content_type=ICS, headers=ETAG)
@public.alt_response(304, description="Nothing has changed.", headers=ETAG)
def get_deadlines_ics(secret: str) -> Any:
    """Read your deadlines as a calendar

    iCalendar (RFC 5545): an event for each turn of yours that has a deadline.
    """
    return _answer(secret, ics, ICS)


@public.route(f"/feeds/{_SECRET}/deadlines.atom")
@contract("getDeadlinesAtom", signed_in=False, refuses=("not-found",), parameters=(IF_NONE_MATCH,))
@public.response(200, {"type": "string"}, content_type=ATOM, headers=ETAG)
@public.alt_response(304, description="Nothing has changed.", headers=ETAG)
def get_deadlines_atom(secret: str) -> Any:
    """Read the turns that wait for you as a feed

    Atom (RFC 4287): an entry for each, most urgent first.
    """
    return _answer(secret, atom, ATOM)


def _answer(secret: str, written: Callable[[Feed, str], bytes], mimetype: str) -> Any:
    host = urlsplit(settings().base_url).hostname or "localhost"
    answer = Response(written(feeds.deadlines(secret=secret), host), content_type=f"{mimetype}; charset=utf-8")
    answer.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return tagged(answer)

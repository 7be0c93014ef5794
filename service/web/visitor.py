"""Who looks at a page: whoever signed in with this browser, else a stranger; their language and zone.

Signing in makes a bearer token like any other, which lives in the signed session cookie (HttpOnly, SameSite=Lax): it is
listed and revoked with the others, and no page knows another way to tell who somebody is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, TypeVar

from flask import Response, g, redirect, request, session, url_for

from service import i18n
from service.clock import now
from service.errors import NOT_FOUND, UNAUTHENTICATED, UNAVAILABLE, Refusal
from service.usecases import accounts, tokens
from service.usecases.results import Caller, NewToken

View = TypeVar("View", bound=Callable[..., Any])
_TOKEN: Final = "token"  # noqa: S105 - what it is called
_LANGUAGE: Final = "language"
_FILES: Final = ("web.asset", "web.rules_picture", "web.robots", "web.favicon")
"""What is the same for everybody, and kept for all: nobody is looked up for it, and no cookie goes with it."""
_LONGEST_PATH: Final = 500
"""A way on is kept in the session, and browsers drop a cookie that is longer than 4 kB."""
#: What tells browsers and systems from those that claim to be them, in this order.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever looks. ``caller`` is None for a stranger, who has no name; ``zone`` is UTC then."""

    caller: Caller | None
    name: str
    language: str
    zone: str


def look() -> None:
    """Find out who asks, and speak their language until the page is made."""
    caller = None if request.endpoint in _FILES else _caller()
    g.caller = caller  # for the access log, which names the account
    known = None if caller is None else accounts.identity(caller=caller)
    if known is None:
        take_for_stranger()
    else:
        _welcome(Visitor(caller, known.display_name, i18n.best(known.language), known.time_zone))


def take_for_stranger() -> None:
    """Ask nobody, not the database either, who it is."""
    _welcome(Visitor(None, "", _stranger_language(), "UTC"))


def hear() -> None:
    """Speak the browser's language until the page is made, whoever looks."""
    g.spoken = ExitStack()
    g.spoken.enter_context(i18n.speaking(_browsers_language()))


def _welcome(who: Visitor) -> None:
    g.visitor = who
    g.spoken = ExitStack()
    g.spoken.enter_context(i18n.speaking(who.language))


def forget(error: BaseException | None) -> None:
    """Speak English again."""
    spoken: ExitStack | None = g.pop("spoken", None)
    if spoken is not None:
        spoken.close()


def visitor() -> Visitor:
    """Who looks at the page that is being made."""
    found: Visitor = g.visitor
    return found


def caller() -> Caller:
    """The account that looks; only within routes marked ``signed_in``."""
    found = visitor().caller
    if found is None:
        raise Refusal(UNAUTHENTICATED, i18n.gettext("Please sign in first."))
    return found


def signed_in(view: View) -> View:
    """Send strangers to the sign-in page, and back here afterwards."""

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if visitor().caller is None:
            back = request.full_path.rstrip("?") if request.method in ("GET", "HEAD") else "/"
            return redirect(url_for("web.sign_in", next=back), 303)
        return view(*args, **kwargs)

    return checked  # type: ignore[return-value]  # it takes what the view takes


def remember(new: NewToken) -> None:
    """This browser is signed in from now on. Whatever its session held before is gone: token, form tokens and all."""
    sign_out()
    session.permanent = True
    session[_TOKEN] = new.token


def session_key() -> str | None:
    """What the requests of this browser are counted by, if it is signed in; it tells nothing of the token."""
    token = None if request.endpoint in _FILES else session.get(_TOKEN)
    return None if not isinstance(token, str) else f"session:{hashlib.sha256(token.encode()).hexdigest()[:20]}"


def sign_out() -> None:
    """End the token of this browser, and its session but for the language that it is spoken to in."""
    found = visitor().caller
    if found is not None:
        try:
            tokens.revoke_token(caller=found, token_id=found.token_id, now=now())
        except Refusal as refusal:
            if refusal.code != NOT_FOUND:  # else it was revoked in another window a moment ago
                raise
    chosen = visitor().language
    session.clear()
    session[_LANGUAGE] = chosen


def browser_name() -> str:
    """What this browser is called in the list of those that are signed in: ``Firefox, Windows``."""
    agent = request.user_agent.string
    known = [next((name for mark, name in marks if mark in agent), "") for marks in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, known)) or i18n.gettext("A browser")


def local_path(text: str | None) -> str:
    """Where to go next, if that is a page of ours; else the first page."""
    path = text or "/"
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if plain and len(path) <= _LONGEST_PATH else "/"


def back_to(endpoint: str, **values: Any) -> Response:
    """After a form: the page to look at next, by GET, so that reloading it sends nothing again."""
    return redirect(url_for(endpoint, **values), 303)  # type: ignore[return-value]  # werkzeug's, which is Flask's


def _caller() -> Caller | None:
    token = session.get(_TOKEN)
    if not isinstance(token, str):
        return None
    try:
        return tokens.authenticate(token=token, now=now())
    except Refusal as refusal:
        if refusal.code == UNAVAILABLE:  # it may be as good as ever
            raise
        session.pop(_TOKEN, None)
        return None


def _stranger_language() -> str:
    if request.endpoint in _FILES:
        return i18n.DEFAULT
    asked, chosen = request.args.get("lang"), session.get(_LANGUAGE)
    if asked in i18n.LANGUAGES and asked != chosen:
        chosen = session[_LANGUAGE] = asked
    if chosen in i18n.LANGUAGES:
        return str(chosen)
    return _browsers_language()


def _browsers_language() -> str:
    """The first language of ours that the browser names: its ``fr-CA, en`` is French, not English."""
    wanted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in wanted if tag in i18n.LANGUAGES), i18n.DEFAULT)

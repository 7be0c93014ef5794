"""Who looks at a page: whoever signed in with this browser, else a stranger; their language and zone.

Signing in makes a bearer token like any other, which lives in the signed session cookie (HttpOnly, SameSite=Lax): it is
listed and revoked with the others, and no page knows another way to tell who somebody is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, TypeVar

from flask import Response, g, redirect, request, session, url_for

from service import i18n
from service.clock import now
from service.errors import UNAVAILABLE, Refusal
from service.usecases import accounts, tokens
from service.usecases.results import Caller, NewToken

View = TypeVar("View", bound=Callable[..., Any])
_TOKEN: Final = "token"  # noqa: S105 - what it is called
_LANGUAGE: Final = "language"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever looks. ``caller`` is None for a stranger, who has no name; ``zone`` is UTC then."""

    caller: Caller | None
    name: str
    language: str
    zone: str


def look() -> None:
    """Find out who asks, and speak their language until the page is made."""
    caller = _caller()
    g.caller = caller  # for the access log, which names the account
    known = None if caller is None else accounts.identity(caller=caller)
    chosen = request.args.get("lang")
    if chosen in i18n.LANGUAGES and session.get(_LANGUAGE) != chosen:
        session[_LANGUAGE] = chosen
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
        raise Refusal("unauthenticated", i18n.gettext("Please sign in first."))
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
    """This browser is signed in from now on. Whatever its session held before is gone, its form tokens too."""
    chosen = session.get(_LANGUAGE)
    session.clear()
    session.permanent = True
    session[_TOKEN] = new.token
    if chosen:
        session[_LANGUAGE] = chosen


def sign_out() -> None:
    """End the token of this browser, and its session."""
    found = visitor().caller
    if found is not None:
        tokens.revoke_token(caller=found, token_id=found.token_id, now=now())
    session.clear()


def local_path(text: str | None) -> str:
    """Where to go next, if that is a page of ours; else the first page."""
    path = text or "/"
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if plain else "/"


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
    chosen = session.get(_LANGUAGE)
    if chosen in i18n.LANGUAGES:
        return str(chosen)
    return _browsers_language()


def _browsers_language() -> str:
    return request.accept_languages.best_match(list(i18n.LANGUAGES), default=i18n.DEFAULT) or i18n.DEFAULT

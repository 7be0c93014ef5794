"""Signing in and up: by a mailed code or the link beside it. Whether an address is known is told by mail alone."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, flash, redirect, request, session, url_for
from werkzeug.exceptions import NotFound

from service import i18n
from service.clock import now
from service.db import settings
from service.errors import BAD_CODE, Refusal
from service.i18n import gettext as _
from service.i18n.dates import date_words
from service.mail.tokens import SignInLink, unseal
from service.usecases import accounts
from service.usecases.results import NewToken
from service.usecases.tokens import SESSION_LIFE
from service.web import people, visitor
from service.web.people import typed
from service.web.rendering import page

_MAILED: Final = "mailed"
"""What the session keeps of the code that was asked for: the address, which no URL shall tell, and where to go then."""
_LONGEST_TOKEN: Final = 100
_GONE: Final = 410


def register(web: Blueprint) -> None:  # noqa: C901 - one small route after the other
    """Its routes."""

    @web.get("/sign-in")
    def sign_in() -> Response:
        """Ask for a code."""
        to = visitor.local_path(request.args.get("next"))
        if visitor.visitor().caller is not None:
            return _go(to)
        return page("people/sign_in.html", email=_mailed()["email"], next=to, errors=people.Errors())

    @web.post("/sign-in")
    def ask_code() -> Response:
        """Mail one, and on to where it is typed."""
        email, to = typed("email"), visitor.local_path(request.form.get("next"))
        try:
            accounts.request_code(email=email, now=now())
        except Refusal as refusal:
            return people.again("people/sign_in.html", refusal, field="email", email=email, next=to)
        if "again" in request.form:
            flash(_("We sent another mail. Only the newest code need be typed."))
        return _mail_sent(email, to, new="new" in request.form)

    @web.get("/sign-in/code")
    def enter_code() -> Response:
        """Type it."""
        mailed = _mailed()
        return page(
            "people/code.html", email=mailed["email"], next=mailed["next"], new=mailed["new"], errors=people.Errors()
        )

    @web.post("/sign-in/code")
    def redeem_code() -> Response:
        """Sign in with it."""
        email, to = typed("email"), visitor.local_path(request.form.get("next"))
        try:
            new = accounts.redeem_code(
                email=email, code=typed("code"), token_name=visitor.browser_name(), life=SESSION_LIFE, now=now()
            )
        except Refusal as refusal:
            return people.again(
                "people/code.html", refusal, field="code", email=email, next=to, new="new" in request.form
            )
        return _enter(new, to)

    @web.get("/sign-in/<token>")
    def show_link(token: str) -> Response:
        """Whom the link signs in; programs that follow every link of a mail sign nobody in."""
        try:
            offer = accounts.look_at_link(challenge_id=_challenge(token), now=now())
        except Refusal as refusal:
            return _over(refusal)
        return page("people/link.html", offer=offer, token=token)

    @web.post("/sign-in/<token>")
    def redeem_link(token: str) -> Response:
        """Sign them in, once."""
        to = _mailed()["next"]
        try:
            new = accounts.redeem_link(
                challenge_id=_challenge(token), token_name=visitor.browser_name(), life=SESSION_LIFE, now=now()
            )
        except Refusal as refusal:
            return _over(refusal)
        return _enter(new, to)

    @web.get("/sign-up")
    def sign_up() -> Response:
        """Ask for an account."""
        to = visitor.local_path(request.args.get("next"))
        if visitor.visitor().caller is not None:
            return _go(to)
        values = {"name": "", "email": "", "language": i18n.language(), "time_zone": people.likely_zone()}
        return _sign_up_page(values, to)

    @web.post("/sign-up")
    def ask_account() -> Response:
        """Mail the code that makes it."""
        to = visitor.local_path(request.form.get("next"))
        values = {name: typed(name) for name in ("name", "email", "language", "time_zone")}
        try:
            accounts.sign_up(
                email=values["email"],
                display_name=values["name"],
                language=values["language"],
                time_zone=values["time_zone"],
                now=now(),
            )
        except Refusal as refusal:
            return people.again(
                "people/sign_up.html",
                refusal,
                field="name",
                values=values,
                next=to,
                zones=people.zones(values["time_zone"]),
            )
        return _mail_sent(values["email"], to, new=True)

    @web.post("/sign-out")
    def leave_site() -> Response:
        """End this browser's session."""
        visitor.sign_out()
        flash(_("You are signed out."))
        return visitor.back_to("web.home")


def _sign_up_page(values: dict[str, str], to: str) -> Response:
    return page(
        "people/sign_up.html", values=values, next=to, zones=people.zones(values["time_zone"]), errors=people.Errors()
    )


def _mailed() -> dict[str, Any]:
    kept = session.get(_MAILED)
    return kept if isinstance(kept, dict) else {"email": "", "next": "/", "new": False}


def _mail_sent(email: str, to: str, *, new: bool) -> Response:
    session[_MAILED] = {"email": email, "next": to, "new": new}
    return visitor.back_to("web.enter_code")


def _challenge(token: str) -> int:
    link = unseal(settings().secret_key, token) if len(token) <= _LONGEST_TOKEN else None
    if not isinstance(link, SignInLink):
        raise NotFound
    return link.challenge


def _over(refusal: Refusal) -> Response:
    if refusal.code != BAD_CODE:
        raise refusal
    return page("people/link_over.html", _GONE, said=refusal.message)


def _enter(new: NewToken, to: str) -> Response:
    """Signed in: what fails is told, then on."""
    visitor.remember(new)
    for address in new.failing:
        since = address.failing_since
        told = _("Mail does not arrive at {email}.") if since is None else _("Mail to {email} has failed since {date}.")
        told = told.format(email=address.email, date="" if since is None else date_words(since.date()))
        where = _("Your account shows what can be done.")
        flash(f"{told} {where}", "error")
    return _go(to)


def _go(to: str) -> Response:
    return redirect(to or url_for("web.home"), 303)  # type: ignore[return-value]  # werkzeug's, which is Flask's

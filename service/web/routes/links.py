"""The pages that links in mails open: play one move, turn one kind of mail off. No JavaScript, no cookies.

GET only shows; what changes something is a button. So programs that follow every link of a mail change nothing, and a
page that is gone back to or sent twice does no harm.

A page speaks as the mail did that its link stands in: the language of the account the mail was for. Of whoever had no
account (invitations), and where the link is none of ours, only the browser knows a language (Accept-Language).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from flask import Blueprint, Response
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from service import i18n
from service.clock import now
from service.config import Settings
from service.mail.tokens import MoveLink, OptOutLink, Token, unseal
from service.pictures.svg import board_svg
from service.pictures.text import board_lines, headline, moved_line
from service.usecases import links, readers, wishes
from service.usecases.links import LinkedMove
from service.web import errors, headers, visitor, words
from service.web.rendering import link_page

#: Longer than any token of ours.
_LONGEST_TOKEN = 200
_GONE = 410

T = TypeVar("T", MoveLink, OptOutLink)


def blueprint_for(settings: Settings) -> Blueprint:
    """The pages, for tokens signed with the key of these settings."""
    web = Blueprint("links", __name__)
    headers.register(web)
    errors.register_for_links(web)
    # Errors speak the browser's language: of a link that is none of ours nobody knows whom it was for.
    web.before_request(visitor.hear)
    web.teardown_request(visitor.forget)

    def genuine(token: str, kind: type[T]) -> T:
        found: Token | None = unseal(settings.secret_key, token) if len(token) <= _LONGEST_TOKEN else None
        if not isinstance(found, kind):
            raise NotFound
        return found

    @web.get("/m/<token>")
    def show_move(token: str) -> Response:
        """What the link would play."""
        link = genuine(token, MoveLink)
        with _speaking_to(link):
            move = links.look(link=link)
            return _move_page(move, 200 if move.state == "open" else _GONE)

    @web.post("/m/<token>")
    def play_move(token: str) -> Response:
        """Play it, once."""
        link = genuine(token, MoveLink)
        with _speaking_to(link):
            move = links.play_link(link=link, now=now())
            return _move_page(move, 200 if move.state == "made" else _GONE)

    @web.get("/u/<token>")
    @web.get("/u/<token>/undo")
    def show_opt_out(token: str) -> Response:
        """Which mails the link turns off, and whether they are."""
        link = genuine(token, OptOutLink)
        return _opt_out_page(token, link, "off" if wishes.opted_out(link=link) else "on")

    @web.post("/u/<token>")
    def opt_out(token: str) -> Response:
        """Turn them off: the button, or a mail program's own (RFC 8058), which sends no more than this."""
        link = genuine(token, OptOutLink)
        wishes.opt_out(link=link, now=now())
        return _opt_out_page(token, link, "stopped")

    @web.post("/u/<token>/undo")
    def opt_in(token: str) -> Response:
        """Turn them on again."""
        link = genuine(token, OptOutLink)
        wishes.opt_in(link=link, now=now())
        return _opt_out_page(token, link, "back")

    @web.route("/m/", methods=["GET", "POST"])
    @web.route("/u/", methods=["GET", "POST"])
    @web.route("/m/<path:rest>", methods=["GET", "POST"])
    @web.route("/u/<path:rest>", methods=["GET", "POST"])
    def nothing(rest: str = "") -> Response:
        """A link that something was added to, or cut off."""
        raise NotFound

    return web


@contextmanager
def _speaking_to(link: MoveLink | OptOutLink) -> Iterator[None]:
    with i18n.speaking(readers.language(link=link) or i18n.language()):
        yield


def _move_page(move: LinkedMove, status: int) -> Response:
    heading, lead = words.moved(move.state)
    return link_page("links/move.html", status, heading=heading, lead=lead, move=move, **_board(move))


def _opt_out_page(token: str, link: OptOutLink, state: words.Wanted) -> Response:
    with _speaking_to(link):
        return link_page("links/opt_out.html", told=words.opt_out(link.kind, state), token=token)


def _board(move: LinkedMove) -> dict[str, Any]:
    """The game as all may see it: drawn, and in words."""
    view, names = move.view, move.names
    return {
        "picture": Markup(board_svg(view, names, theme="page")),  # noqa: S704 - escaped where it is drawn
        "headline": headline(view, names),
        "moved": moved_line(view),
        "sections": board_lines(view, names),
    }

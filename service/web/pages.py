"""The routes: move links, opt-out links, their style sheet. Each is its token, one use case and a template."""

from __future__ import annotations

from typing import TypeVar

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from service.clock import now
from service.config import Settings
from service.mail.tokens import MoveLink, OptOutLink, Token, unseal
from service.usecases import links, wishes
from service.web import errors, headers, words
from service.web.rendering import STYLE, board, page

#: Longer than any token of ours.
_LONGEST_TOKEN = 200
_GONE = 410

T = TypeVar("T", MoveLink, OptOutLink)


def blueprint_for(settings: Settings) -> Blueprint:
    """The pages, for tokens signed with the key of these settings."""
    web = Blueprint("web", __name__)
    headers.register(web)
    errors.register(web)

    def genuine(token: str, kind: type[T]) -> T:
        found: Token | None = unseal(settings.secret_key, token) if len(token) <= _LONGEST_TOKEN else None
        if not isinstance(found, kind):
            raise NotFound
        return found

    @web.get("/m/<token>")
    def show_move(token: str) -> Response:
        """What the link would play."""
        move = links.look(link=genuine(token, MoveLink))
        return _move_page(move, 200 if move.state == "open" else _GONE)

    @web.post("/m/<token>")
    def play_move(token: str) -> Response:
        """Play it, once."""
        move = links.play_link(link=genuine(token, MoveLink), now=now())
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

    @web.get("/pages.css")
    def style() -> Response:
        """What the pages look like, light and dark."""
        return Response(STYLE, mimetype="text/css", headers={"Cache-Control": "public, max-age=86400"})

    @web.route("/m/", methods=["GET", "POST"])
    @web.route("/u/", methods=["GET", "POST"])
    @web.route("/m/<path:rest>", methods=["GET", "POST"])
    @web.route("/u/<path:rest>", methods=["GET", "POST"])
    def nothing(rest: str = "") -> Response:
        """A link that something was added to, or cut off."""
        raise NotFound

    return web


def _move_page(move: links.LinkedMove, status: int) -> Response:
    told = words.MOVES[move.state]
    return page("move.html", status, told=told, move=move, **board(move))


def _opt_out_page(token: str, link: OptOutLink, state: str) -> Response:
    return page("opt_out.html", 200, told=words.opt_out(link.kind, state), token=token)

"""What is said in a game, to everybody or to oneself."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, flash, request

from service.clock import now
from service.errors import INVALID, Refusal
from service.i18n import gettext as _
from service.usecases import talk as use
from service.usecases import watching
from service.web import games, telling
from service.web.rendering import page
from service.web.visitor import back_to, caller, signed_in, visitor

_SAYS: Final = 30
_NOTES: Final = 12


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games/<game_id>/talk")
    def talk(game_id: str) -> Response:
        """The newest that was said, and one's own notes."""
        return _page(game_id)

    @web.post("/games/<game_id>/says")
    @signed_in
    def say(game_id: str) -> Response:
        """Say something to all who may see the game."""
        text = request.form.get("said", "")
        try:
            use.say(caller=caller(), game_id=game_id, text=text, once=True, now=now())
        except Refusal as refusal:
            if refusal.code != INVALID:
                raise
            return _page(game_id, 422, said=text, said_error=refusal.message)
        return back_to("web.talk", game_id=game_id)

    @web.post("/games/<game_id>/notes")
    @signed_in
    def note(game_id: str) -> Response:
        """Write something down for oneself."""
        text = request.form.get("noted", "")
        try:
            use.note(caller=caller(), game_id=game_id, text=text, once=True, now=now())
        except Refusal as refusal:
            if refusal.code != INVALID:
                raise
            return _page(game_id, 422, noted=text, noted_error=refusal.message)
        flash(_("Noted. Nobody else can see it."))
        return back_to("web.talk", game_id=game_id)


def _page(
    game_id: str, status: int = 200, *, said: str = "", said_error: str = "", noted: str = "", noted_error: str = ""
) -> Response:
    who = visitor().caller
    # Before anything is read: what comes in between is news to the page then, and not lost.
    version = watching.version(caller=who, game_id=game_id)
    info = games.seen(game_id).info
    says, notes = (request.args.get(name, type=int) for name in ("says", "notes"))
    return page(
        "table/talk.html",
        status,
        info=info,
        title=games.title(info),
        names=games.names(info),
        colors=[telling.color_numbers(seat) for seat in info.seats],
        says=use.said(caller=who, game_id=game_id, kind="say", upto=says, limit=_SAYS),
        notes=None
        if info.you is None
        else use.said(caller=who, game_id=game_id, kind="note", upto=notes, limit=_NOTES),
        says_a_page=_SAYS,
        notes_a_page=_NOTES,
        version=version,
        said=said,
        said_error=said_error,
        noted=noted,
        noted_error=noted_error,
    )

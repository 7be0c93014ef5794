"""A game's page: the board, and playing on it.

What is being put together stands in the address (``?line=``), so that each click is a link, going back takes it back,
and nothing is kept until "Play" sends it, with the ply it was made for. Addresses are kept by proxies, so the value of
a gold card stands there as a word of ours (``veil``), and what is typed comes by POST.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, flash, g, jsonify, redirect, request, url_for
from markupsafe import Markup

from service import errors
from service.clock import now
from service.db import settings
from service.errors import Refusal
from service.i18n import gettext as _
from service.ids import new_id
from service.mail.words import recap
from service.pictures.svg import board_svg
from service.pictures.text import board_lines, headline, moved_line
from service.usecases import play, watching
from service.usecases.envelopes import entry
from service.usecases.results import GameInfo
from service.usecases.watching import Watched
from service.usecases.words import LONGEST_LINE
from service.web import choosing, games, tables
from service.web.lines import read_line
from service.web.rendering import page
from service.web.routes import lobby, replay
from service.web.veil import Veil
from service.web.visitor import back_to, caller, signed_in, visitor

_PARAGRAPHS: Final = 3
"""Of what happened so many of the newest turns are shown to those who do not play."""
_CONFLICT: Final = 409
_UNPROCESSABLE: Final = 422
_SAID_ANEW: Final = {
    errors.STALE_PLY: _CONFLICT,
    errors.NOT_YOUR_TURN: _CONFLICT,
    errors.GAME_NOT_PLAYING: _CONFLICT,
    errors.ALREADY_RESIGNED: _CONFLICT,
    errors.SEAT_HELD: _CONFLICT,
    errors.IDEMPOTENCY_MISMATCH: _CONFLICT,
    errors.ILLEGAL_MOVE: _UNPROCESSABLE,
    errors.BAD_NOTATION: _UNPROCESSABLE,
    errors.INVALID: _UNPROCESSABLE,
}
"""Refusals of a move after which the game is shown as it is, with the words beside it."""


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games/<game_id>")
    def game(game_id: str) -> Response:
        """The game, and what can be said in it next."""
        asked = request.args
        line = asked.get("line", "")[:LONGEST_LINE]
        return _shown(game_id, line=line, ply=asked.get("ply", type=int), played=asked.get("played", type=int))

    @web.post("/games/<game_id>/line")
    @signed_in
    def show_line(game_id: str) -> Response:
        """Show in words what was typed: at the address that the same clicks lead to, if it makes sense."""
        line, ply = request.form.get("line", "")[:LONGEST_LINE], request.form.get("ply", -1, type=int)
        seen = games.seen(game_id)
        if seen.view is None or not seen.legal or ply != seen.info.ply:
            return _shown(game_id, line=line, ply=ply, code=_CONFLICT)
        read = read_line(line, seen.view)
        if read.problem:
            return _shown(game_id, line=line, ply=ply, code=_UNPROCESSABLE)
        return redirect(_address(seen.info, read.line.text), 303)  # type: ignore[return-value]  # werkzeug's: Flask's

    @web.get("/games/<game_id>/pulse")
    def pulse(game_id: str) -> Response:
        """Whether anything happened: the version of the page as it would be now."""
        return jsonify(version=watching.version(caller=visitor().caller, game_id=game_id))

    @web.post("/games/<game_id>/play")
    @signed_in
    def play_line(game_id: str) -> Response:
        """Play what was put together, once."""
        line = request.form.get("line", "")
        ply = request.form.get("ply", -1, type=int)
        try:
            answer = play.submit(
                caller=caller(),
                game_id=game_id,
                ply=max(0, ply),
                line=line,
                idempotency_key=request.form.get("key") or None,
                now=now(),
            )
        except Refusal as error:
            if error.code not in _SAID_ANEW:
                raise
            return _shown(game_id, line=line[:LONGEST_LINE], refused=error)
        for dropped in answer.data["dropped"]:
            flash(_("Not done: “{words}”, because {reason}.").format(words=dropped["word"], reason=dropped["reason"]))
        return back_to("web.game", game_id=game_id, played=ply)


def _shown(
    game_id: str,
    *,
    line: str,
    ply: int | None = None,
    played: int | None = None,
    refused: Refusal | None = None,
    code: int = 200,
) -> Response:
    """The page of a game in whatever state it is; ``ply``: the one that ``line`` was put together for, if known."""
    watched = watching.watch(caller=visitor().caller, game_id=game_id, now=now(), from_ply=played)
    status = watched.seen.info.status
    if status != "playing" and request.method == "POST":
        if refused is not None:
            flash(refused.message, "error")
        return back_to("web.game", game_id=game_id)
    if status in ("waiting", "cancelled"):
        return lobby.waiting_page(watched.seen)
    if status == "over":
        return replay.finished_page(watched.seen)
    if refused is not None:
        code, g.problem_code = _SAID_ANEW[refused.code], refused.code
    return page("game/playing.html", code, **_playing(watched, line, ply, played, refused))


def _playing(
    watched: Watched, line: str, ply: int | None, played: int | None, refused: Refusal | None
) -> dict[str, Any]:
    info, view = watched.seen.info, watched.seen.view
    assert view is not None  # noqa: S101 - a game that is being played has a position
    names = games.names(info)
    own = None if info.you is None else info.seats[info.you]
    late = bool(line) and ply is not None and ply != info.ply
    line = _veil(info, ply).off(line)
    choice = None
    if watched.seen.legal:
        choice = choosing.choice(view, "" if late else line, names, partial(_address, info))
    told = recap([entry(one) for one in watched.since], names, info.you, visitor().zone)
    return {
        "info": info,
        "title": games.title(info),
        "view": view,
        "version": watched.version,
        "headline": headline(view, names),
        "moved": moved_line(view),
        "choice": choice,
        "line": line,
        "late": late,
        "key": new_id(),
        "played": played is not None and info.you is not None,
        "refused": "" if refused is None else refused.message,
        "told": told if own is not None else told[-_PARAGRAPHS:],
        "said": recap([entry(one) for one in watched.said], names, info.you, visitor().zone),
        "seats": tables.rows(info, view, names),
        "own": own,
        "picture": Markup(  # noqa: S704 - escaped where it is drawn
            board_svg(view, names, theme="page", bare=True, spots=choice.spots if choice else ())
        ),
        "sections": board_lines(view, names),
    }


def _address(info: GameInfo, text: str) -> str:
    """The page with this line said."""
    line = _veil(info).over(text)
    return url_for("web.game", game_id=info.id, line=line or None, ply=info.ply if line else None)


def _veil(info: GameInfo, ply: int | None = None) -> Veil:
    return Veil(settings().secret_key, info.id, info.you, info.ply if ply is None else ply)

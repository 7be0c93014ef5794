"""Games that wait for players: open ones, new ones, invitations, codes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from flask import Blueprint, Response, flash, request, url_for

from service.clock import now
from service.db import settings
from service.errors import ALREADY_JOINED, BAD_JOIN_CODE, INVALID, Refusal
from service.i18n import gettext as _
from service.ids import new_nonce
from service.usecases import lobby, watching
from service.usecases.results import GameInfo, GameView
from service.web import games, making, people, telling
from service.web.people import typed
from service.web.rendering import page
from service.web.visitor import back_to, caller, signed_in, visitor

_SHOWN: Final = ("waiting", "playing", "over")
_A_PAGE: Final = 20


def waiting_page(seen: GameView) -> Response:
    """A game that waits for players, or was called off before it began."""
    return _waiting(seen.info)


def register(web: Blueprint) -> None:
    """Its routes."""
    _finding(web)
    _making(web)
    _offers(web)
    _seats(web)


def _finding(web: Blueprint) -> None:
    @web.get("/games")
    def open_games() -> Response:
        """Public games: those one can join, and those one can watch."""
        return _open_games()

    @web.get("/join")
    def type_code() -> Response:
        """A join code, as it was read out or typed: on to the game."""
        code = "".join(request.args.get("code", "").lower().split())
        return back_to("web.offer", code=code[:_A_PAGE]) if code else back_to("web.open_games")


def _making(web: Blueprint) -> None:
    @web.get("/games/new")
    @signed_in
    def new_game() -> Response:
        """The form for one."""
        return page("people/new_game.html", **_form(dict(making.PRESETS)), errors=people.Errors())

    @web.post("/games/new")
    @signed_in
    def make_game() -> Response:
        """Make it; it starts at once if nobody is waited for."""
        values, rows = making.filled(request.form), list[int]()
        try:
            asked = making.quick(request.form) or making.wanted(values, request.form)
            rows = asked.rows
            game_id = lobby.create_game(
                caller=caller(),
                seats=asked.seats,
                public=asked.public,
                first=asked.first,
                entropy=asked.entropy,
                clock=asked.clock,
                time_off=asked.time_off,
                key=asked.key,
                now=now(),
            )
        except Refusal as refusal:
            if refusal.code == INVALID and rows:
                refusal = making.renamed(refusal, rows)
            return people.again("people/new_game.html", refusal, field="seats", **_form(values))
        return back_to("web.game", game_id=game_id)


def _offers(web: Blueprint) -> None:
    @web.get("/join/<code>")
    def offer(code: str) -> Response:
        """The game that a code opens, to look at before one joins."""
        try:
            info = lobby.look_by(caller=visitor().caller, code=code)
        except Refusal as refusal:
            if refusal.code != BAD_JOIN_CODE:
                raise
            return _open_games(refusal, code)
        if info.you is not None or info.status != "waiting":
            return back_to("web.game", game_id=info.id)
        return _waiting(info, code=code)


def _seats(web: Blueprint) -> None:
    @web.post("/games/<game_id>/join")
    @signed_in
    def join_game(game_id: str) -> Response:
        """Take a seat."""
        try:
            lobby.join(
                caller=caller(),
                game_id=game_id,
                entropy=typed("entropy"),
                code=typed("code") or None,
                now=now(),
            )
        except Refusal as refusal:
            if refusal.code == INVALID:
                return _joining(game_id, refusal)
            if refusal.code != ALREADY_JOINED:  # else the button was pressed twice
                raise
        else:
            begun = games.seen(game_id).info.status == "playing"
            flash(_("With you the game is complete and has begun.") if begun else _("You have a seat."))
        return back_to("web.game", game_id=game_id)

    @web.post("/games/<game_id>/leave")
    @signed_in
    def leave_game(game_id: str) -> Response:
        """Give the seat back."""
        lobby.leave(caller=caller(), game_id=game_id, now=now())
        flash(_("You have left the game."))
        return back_to("web.home")

    @web.post("/games/<game_id>/decline")
    @signed_in
    def decline_game(game_id: str) -> Response:
        """Turn the invitation down."""
        lobby.decline(caller=caller(), game_id=game_id, now=now())
        flash(_("You have turned the invitation down."))
        return back_to("web.home")

    @web.post("/games/<game_id>/cancel")
    @signed_in
    def cancel_game(game_id: str) -> Response:
        """Call the game off."""
        lobby.cancel(caller=caller(), game_id=game_id, now=now())
        flash(_("The game is called off. Those who were in it are told by mail."))
        return back_to("web.game", game_id=game_id)


def _open_games(refusal: Refusal | None = None, code: str = "") -> Response:
    status = request.args.get("status", "waiting")
    status = status if status in _SHOWN else "waiting"
    after = request.args.get("after")
    found = lobby.browse(caller=visitor().caller, status=status, after=after, limit=_A_PAGE)
    at = now()
    rows = [(info, _row(info, status, at), _clock(info)) for info in found.items]
    context: dict[str, Any] = {"rows": rows, "listed": status, "next": found.next, "later": after is not None}
    if refusal is not None:
        return people.again("people/open_games.html", refusal, field="code", code=code, **context)
    return page("people/open_games.html", code=code, errors=people.Errors(), **context)


def _row(info: GameInfo, status: str, at: datetime) -> people.Row:
    if status == "waiting":
        return people.listed_row(info)
    return people.turn_row(info, at) if status == "playing" else people.finished_row(info)


def _clock(info: GameInfo) -> str:
    return telling.clock(info.clock, time_off=info.time_off)[0]


def _form(values: dict[str, str]) -> dict[str, Any]:
    once = typed("once") if request.method == "POST" else ""
    return {
        "values": values,
        "seats": making.SEATS,
        "kinds": making.kinds,
        "first": [(str(seat), _("Seat {number}").format(number=seat + 1)) for seat in making.SEATS],
        "quick": making.QUICK,
        "once": once or new_nonce(),
    }


def _joining(game_id: str, refusal: Refusal) -> Response:
    """The game once more, with what is wrong with the word for the shuffle."""
    code = typed("code")
    who = visitor().caller
    info = lobby.look_by(caller=who, code=code) if code else games.seen(game_id).info
    return _waiting(info, code=code, refusal=refusal)


def _waiting(info: GameInfo, *, code: str = "", refusal: Refusal | None = None) -> Response:
    free = any(seat.kind == "open" for seat in info.seats)
    path = url_for("web.offer", code=info.join_code) if info.join_code else url_for("web.game", game_id=info.id)
    who = visitor().caller
    context: dict[str, Any] = {
        "info": info,
        "title": people.table_name(info),
        "names": games.names(info),
        "colors": [(telling.color_numbers(seat), telling.colors(seat)) for seat in info.seats],
        "clock": telling.clock(info.clock, time_off=info.time_off),
        "missing": people.missing(info),
        "mine": info.creator == visitor().name,
        "may_join": info.you is None and (info.invited or (free and (info.public or bool(code)))),
        "code": code,
        "entropy": typed("entropy") if request.method == "POST" else "",
        "share": settings().address(path),
        "version": "" if code else watching.version(caller=who, game_id=info.id),
    }
    if refusal is not None:
        return people.again("people/waiting.html", refusal, field="entropy", **context)
    return page("people/waiting.html", errors=people.Errors(), **context)

"""The table of a game: who sits there, for whom it waits, and what one can do about that; its mails; its shuffle."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, flash, request

from service.clock import now
from service.errors import NO_VOTE, STALE_PLY, Refusal, not_found
from service.i18n import gettext as _
from service.i18n.dates import short_moment, span
from service.usecases import clocks, lobby, pace, votes, watching, wishes
from service.usecases.pace import Pace
from service.usecases.results import GameInfo, SeatInfo
from service.usecases.votes import VOTE_KINDS, Tally, VoteKind
from service.web import games, telling
from service.web.rendering import page
from service.web.routes import orders, talk
from service.web.visitor import back_to, caller, signed_in, visitor


@dataclass(frozen=True, slots=True)
class Row:
    """A seat as the page shows it."""

    info: SeatInfo
    name: str
    colors: str
    numbers: list[int]
    reply: str
    waiting_since: datetime | None
    bank: str


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote that can be held: how it stands, and what the visitor can do."""

    kind: VoteKind
    tally: Tally
    voted: list[str]
    may: bool
    cast: bool


def register(web: Blueprint) -> None:
    """Its routes."""
    talk.register(web)
    orders.register(web)
    _seat_routes(web)

    @web.get("/games/<game_id>/table")
    def table(game_id: str) -> Response:
        """Everything about a game that is not on its board."""
        version = watching.version(caller=visitor().caller, game_id=game_id)  # first, as in talk
        info = games.seen(game_id).info
        told = pace.pace(caller=visitor().caller, game_id=game_id)
        return page(
            "table/table.html",
            info=info,
            title=games.title(info),
            version=version,
            names=games.names(info),
            rows=_rows(info, told),
            pace=told,
            there=_there(told),
            clock=telling.clock(info.clock, time_off=info.time_off),
            own=None if info.you is None else info.seats[info.you],
            **(_own(game_id, info) if info.you is not None else {"ballots": [], "mail": None, "wishes": None}),
        )

    @web.post("/games/<game_id>/votes/<kind>")
    @signed_in
    def vote(game_id: str, kind: str) -> Response:
        """Vote for more time, or for the end."""
        turn = request.form.get("turn", type=int)
        try:
            votes.cast(caller=caller(), game_id=game_id, kind=_vote(kind), turn_ply=turn, now=now())
        except Refusal as refusal:
            if refusal.code not in (NO_VOTE, STALE_PLY):
                raise
            flash(refusal.message, "error")
        else:
            flash(_("Your vote counts."))
        return back_to("web.table", game_id=game_id)

    @web.post("/games/<game_id>/votes/<kind>/back")
    @signed_in
    def unvote(game_id: str, kind: str) -> Response:
        """Take a vote back."""
        votes.take_back(caller=caller(), game_id=game_id, kind=_vote(kind), now=now())
        flash(_("Your vote is taken back."))
        return back_to("web.table", game_id=game_id)

    @web.post("/games/<game_id>/mail")
    @signed_in
    def game_mail(game_id: str) -> Response:
        """Have the mails of this game come at once, or in the daily digest."""
        on = request.form.get("mail") == "digest"
        wishes.set_digest(caller=caller(), game_id=game_id, on=on, now=now())
        flash(_("Mails of this game wait for the daily digest.") if on else _("Mails of this game come at once."))
        return back_to("web.table", game_id=game_id)


def _seat_routes(web: Blueprint) -> None:
    """What becomes of one's own seat."""

    @web.post("/games/<game_id>/resume")
    @signed_in
    def resume(game_id: str) -> Response:
        """Take one's seat back from the bot that holds it."""
        clocks.resume(caller=caller(), game_id=game_id, now=now())
        flash(_("The seat is yours again."))
        return back_to("web.game", game_id=game_id)

    @web.get("/games/<game_id>/resign")
    @signed_in
    def resigning(game_id: str) -> Response:
        """Ask whether it is meant."""
        info = games.seen(game_id).info
        own = None if info.you is None else info.seats[info.you]
        if own is None or own.resigned or info.status != "playing":
            return back_to("web.table", game_id=game_id)
        return page("table/resign.html", info=info, title=games.title(info))

    @web.post("/games/<game_id>/resign")
    @signed_in
    def resign(game_id: str) -> Response:
        """Hand the seat to a bot for good."""
        lobby.resign(caller=caller(), game_id=game_id, now=now())
        flash(_("You have resigned. A bot plays on for your seat."))
        return back_to("web.table", game_id=game_id)

    @web.post("/games/<game_id>/rematch")
    @signed_in
    def rematch(game_id: str) -> Response:
        """Play again with the same players: the first who asks makes the game, all others come to it."""
        return back_to("web.game", game_id=lobby.rematch(caller=caller(), game_id=game_id, now=now()))


def _vote(text: str) -> VoteKind:
    for kind in VOTE_KINDS:
        if kind == text:
            return kind
    raise not_found("page")


def _own(game_id: str, info: GameInfo) -> dict[str, Any]:
    """What only those who sit in the game are shown."""
    who, at = caller(), now()
    found = votes.votes(caller=who, game_id=game_id, now=at)
    ballots = [_ballot(kind, tally, info) for kind in VOTE_KINDS if (tally := getattr(found, kind)) is not None]
    mail = wishes.game_mail(caller=who, game_id=game_id, now=at) if info.status in ("waiting", "playing") else None
    return {"ballots": ballots, "mail": mail, "wishes": None if mail is None else wishes.mail_wishes(caller=who)}


def _ballot(kind: VoteKind, tally: Tally, info: GameInfo) -> Ballot:
    names = games.names(info)
    voted = [_("You") if seat == info.you else names[seat] for seat in tally.voted]
    return Ballot(kind, tally, voted, info.you in tally.voters, info.you in tally.voted)


def _rows(info: GameInfo, told: Pace) -> list[Row]:
    return [
        Row(
            info=seat,
            name=name,
            colors=telling.colors(seat),
            numbers=telling.color_numbers(seat),
            reply=telling.reply(known.reply),
            waiting_since=known.waiting_since,
            bank="" if seat.bank_seconds is None else span(seat.bank_seconds),
        )
        for seat, name, known in zip(info.seats, games.names(info), told.seats, strict=True)
    ]


def _there(told: Pace) -> str:
    """The deadline by the clock of whoever is to act, where that shows another hour than the visitor's own."""
    if told.deadline is None or told.deadline_there is None:
        return ""
    there = short_moment(told.deadline, str(told.deadline_there.tzinfo))
    return there if there != short_moment(told.deadline, visitor().zone) else ""

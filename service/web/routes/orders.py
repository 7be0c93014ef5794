"""Standing orders and the plan of one's next turn: chosen from lists, or written in the words of mails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, flash, request

from engine import COLORS, SPACES, View, colors_of
from engine.cards import GOLD_VALUES
from service.clock import now
from service.errors import BAD_NOTATION, INVALID, Refusal, not_found
from service.i18n import gettext as _
from service.usecases import orders as use
from service.usecases.results import ORDER_KINDS, GameInfo, OrderKind
from service.web import games
from service.web.rendering import page
from service.web.visitor import back_to, caller, signed_in

_KEEPS: Final = range(2, 7)
"""So many gold cards one can ask to have before one is given away."""

Options = list[tuple[str, str]]


@dataclass(frozen=True)
class _Wrong:
    """What was refused: the order of this kind, what was written (None: it was chosen from lists), and why."""

    kind: OrderKind
    text: str | None
    why: str


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games/<game_id>/orders")
    @signed_in
    def orders(game_id: str) -> Response:
        """What is set, and the forms to set it."""
        return _page(game_id)

    @web.post("/games/<game_id>/orders/<kind>")
    @signed_in
    def write_order(game_id: str, kind: str) -> Response:
        """An order in words."""
        return _give(game_id, _kind(kind), request.form.get("text", ""), written=True)

    @web.post("/games/<game_id>/orders/<kind>/chosen")
    @signed_in
    def choose_order(game_id: str, kind: str) -> Response:
        """An order put together from lists."""
        known = _kind(kind)
        return _give(game_id, known, _WORDS[known](request.form), written=False)

    @web.post("/games/<game_id>/orders/<kind>/off")
    @signed_in
    def drop_order(game_id: str, kind: str) -> Response:
        """Take an order back."""
        use.clear(caller=caller(), game_id=game_id, kind=_kind(kind), now=now())
        flash(_("Taken back: you are asked again."))
        return back_to("web.orders", game_id=game_id)


def _kind(text: str) -> OrderKind:
    for kind in ORDER_KINDS:
        if kind == text:
            return kind
    raise not_found("page")


def _give(game_id: str, kind: OrderKind, text: str, *, written: bool) -> Response:
    try:
        if not text.strip():
            raise Refusal(BAD_NOTATION, _("There is nothing in it."))
        order = use.set_order(caller=caller(), game_id=game_id, kind=kind, text=text, now=now())
    except Refusal as refusal:
        if refusal.code not in (BAD_NOTATION, INVALID):
            raise
        return _page(game_id, 422, _Wrong(kind, text if written else None, refusal.message))
    flash(order.explains)
    return back_to("web.orders", game_id=game_id)


def _page(game_id: str, status: int = 200, wrong: _Wrong | None = None) -> Response:
    seen = games.seen(game_id)
    info, view = seen.info, seen.view
    kept = {order.kind: order for order in use.orders(caller=caller(), game_id=game_id)}
    own = None if info.you is None else info.seats[info.you]
    return page(
        "table/orders.html",
        status,
        info=info,
        title=games.title(info),
        own=own,
        open=info.status == "playing" and own is not None and not own.resigned and not own.held,
        kept=kept,
        wrong=wrong,
        chosen=request.form,
        bribes=_bribes(),
        keeps=_keeps(),
        victims=_victims(info),
        knights=[] if view is None else _knights(view),
        cards=[("", _("what lies there; if both do, ask me")), ("gold", _("gold")), ("gem", _("the gem"))],
        hand=None if view is None or info.you is None else view.hands[info.you],
        longest=use.LONGEST_ORDER,
    )


# -- lists to choose from; their values are words of the notation


def _bribes() -> Options:
    cards = [
        (f"at most {most}", _("Pay my lowest card, up to {most}").format(most=most))
        for most in sorted(GOLD_VALUES)[:-1]
    ]
    return [
        ("lowest", _("Pay with my lowest gold card")),
        ("highest", _("Pay with my highest gold card")),
        *cards,
        ("never", _("Never pay: give the knight up")),
    ]


def _keeps() -> Options:
    words = _("while I have {number} gold cards or more")
    return [("", _("always")), *((f"while I have {number} cards", words.format(number=number)) for number in _KEEPS)]


def _victims(info: GameInfo) -> Options:
    names = games.names(info)
    own = info.you
    return [
        ("", _("nobody in particular")),
        ("leader", _("whoever leads of the others")),
        *(
            (color, _("{color} (a knight of {name})").format(color=_(color), name=names[seat.number]))
            for seat in info.seats
            if seat.number != own
            for color in seat.colors
        ),
    ]


def _knights(view: View) -> Options:
    """One's knights on the path by notation, each kind on a space once."""
    own = [] if view.viewer is None else colors_of(view.players, view.viewer)
    places = sorted({(space, color) for color in own for space in view.knights[color]})
    both = len(own) > 1
    return [(f"{COLORS[color]} {SPACES[space]}" if both else SPACES[space],) * 2 for space, color in places]


# -- what was chosen, in the words of the notation


def _bribe_words(form: Mapping[str, str]) -> str:
    pays, keep = form.get("pays", ""), form.get("keep", "")
    return pays if pays == "never" else f"{pays} {keep}".strip()


def _catch_words(form: Mapping[str, str]) -> str:
    wanted = dict.fromkeys(word for word in (form.get("first", ""), form.get("second", "")) if word)
    return " ".join([">".join(wanted), *(["never me"] if form.get("spare") else [])]).strip()


def _plan_words(form: Mapping[str, str]) -> str:
    return " ".join(word for word in (form.get(name, "") for name in ("one", "two", "card")) if word)


_WORDS: Final = {"bribe": _bribe_words, "catch": _catch_words, "plan": _plan_words}

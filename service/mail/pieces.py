"""What several kinds of mail are filled with: the game, the board, what can be done, what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from engine import BRIBE, CATCH, OVER, TAKE, Bribe, View, action_notation
from service.config import Settings
from service.i18n import gettext as _
from service.i18n.dates import listed, moment
from service.mail import kinds, times, words
from service.mail.standing import colors_words, points, standings
from service.mail.tokens import MoveLink, Token, seal
from service.mail.words import names_of
from service.pictures.names import tidy
from service.pictures.sketch import board_sketch
from service.pictures.text import board_lines, headline, moved_line

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing the reader can do. ``number`` and ``link`` only where they tell nothing that is to stay hidden."""

    number: int | None
    notation: str
    told: str
    link: str = ""


def open_view(view: View, *, cards: bool) -> View:
    """The view as the mail may show it: without ``cards``, no more than everybody can see."""
    if cards or view.phase == OVER:
        return view
    nothing = (None,) * view.players
    return view._replace(hands=nothing, given=nothing)


def others_of(game: kinds.Game, seat: int | None) -> str:
    """With whom a seat plays: ``Bertrand and Chloé``."""
    there = [name for number, name in enumerate(names_of(game)) if number != seat and game.names[number]]
    return listed(there) or _("nobody yet")


def task(view: View) -> str:
    """What the reader is asked to do, who is to act: ``move a knight``."""
    if view.phase == TAKE:
        return _("choose gold or gem")
    if view.phase == CATCH:
        return _("choose whom the dragon catches")
    if view.phase == BRIBE:
        return _("bribe the dragon or give up the knight")
    return _("move a second knight or stop") if view.moved else _("move a knight")


def deadline_of(notice: kinds.Notice) -> str:
    """Until when the reader has time, in their zone; empty if there is no end."""
    deadline: datetime | None = getattr(notice, "deadline", None)
    return "" if deadline is None else moment(deadline, notice.envelope.zone)


def reply_address(token: Token | None, settings: Settings) -> str:
    """Where an answer goes; empty if none is read."""
    return "" if token is None else settings.reply_address(seal(settings.secret_key, token))


def mailto(address: str, subject: str, body: str = "") -> str:
    """A link that opens an answer, ready to be sent."""
    asked = f"subject={quote(tidy(subject, 120), safe='')}"
    return f"mailto:{quote(address, safe='@')}?{asked}" + (f"&body={quote(body, safe='')}" if body else "")


def opt_out_link(notice: kinds.Notice, settings: Settings) -> str:
    """The page that turns mails of this kind off; empty where they cannot be turned off."""
    link = notice.envelope.opt_out
    return "" if link is None else settings.address(f"/u/{seal(settings.secret_key, link)}")


def game_link(game: kinds.Game, settings: Settings) -> str:
    """The game's page on the web site."""
    return settings.address(f"/games/{game.id}")


# -- the game


def game_facts(game: kinds.Game, seat: int | None) -> Context:
    """The game as the player of ``seat`` knows it."""
    return {
        "game_id": game.id,
        "others": others_of(game, seat),
        "commitment": game.commitment,
        "clock": times.clock_words(game.clock),
    }


def board(view: View, notice: kinds.Notice, game: kinds.Game) -> Context:
    """The board, who is asked for what, and how everybody stands, as the mail may show it."""
    names = names_of(game)
    shown = open_view(view, cards=notice.envelope.cards)
    seat = view.viewer or 0
    return {
        # The players stand in a table of their own.
        "board": board_lines(shown, names)[:-1],
        "moved": moved_line(shown),
        "sketch": board_sketch(shown) if notice.envelope.drawing else "",
        "headline": headline(shown, names),
        "task": task(shown),
        "standings": standings(shown, names),
        "shows_hand": shown.hands[seat] is not None and view.phase != OVER,
        "hand": shown.hands[seat] or (),
        "hand_points": points(sum(shown.hands[seat] or ())),
        "colors": colors_words(view.players, seat),
    }


def choices(view: View, game: kinds.Game, ply: int, settings: Settings, *, cards: bool) -> list[Choice]:
    """The legal actions, numbered as the engine lists them.

    Without ``cards`` a bribe is offered by its ends: how many numbers there are would tell about the hand.
    """
    names = names_of(game)
    if not cards and any(isinstance(action, Bribe) for action in view.legal):
        return [Choice(None, notation, told) for notation, told in words.bribe_words(view)]
    found = []
    for number, action in enumerate(view.legal, start=1):
        token = seal(settings.secret_key, MoveLink(game.id, view.viewer or 0, ply, number))
        told = words.action_words(action, view, names)
        found.append(Choice(number, action_notation(action, view.players), told, settings.address(f"/m/{token}")))
    return found


def legal(view: View, notice: kinds.Notice, game: kinds.Game, ply: int, settings: Settings) -> Context:
    """What the reader can do at decision ``ply``, and until when."""
    rows = choices(view, game, ply, settings, cards=notice.envelope.cards)
    return {"legal": rows, "example": rows[0].notation if rows else "", "deadline": deadline_of(notice)}


def recap(log: Sequence[kinds.Entry], notice: kinds.Notice, game: kinds.Game, seat: int | None) -> list[str]:
    """What happened, a paragraph a turn; of the reader's hand no more than the mail may show."""
    told = log if notice.envelope.cards else [words.open_entry(entry) for entry in log if entry.kind != "note"]
    return words.recap(told, names_of(game), seat, notice.envelope.zone)

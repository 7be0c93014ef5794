"""What the templates of each kind of mail are filled with: plain values, made from a notice alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from engine import OVER, Bribe, Result, View, action_notation, colors_of
from engine.board import COLORS
from service.config import Settings
from service.mail import kinds, listing, words
from service.mail.standing import scores, standings, tie_note
from service.mail.tokens import MoveLink, Token, seal
from service.mail.words import NAME_LIMIT, names_of
from service.pictures.names import tidy
from service.pictures.sketch import board_sketch
from service.pictures.text import board_lines, headline, moved_line

_ADDRESS_LIMIT: Final = 100
_LINE_LIMIT: Final = 200

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
    return words.listed(there) or "nobody yet"


def task(view: View, names: Sequence[str]) -> str:
    """What the reader is asked to do: ``move a knight``."""
    return headline(view, names).removeprefix("You are to ")


def deadline_of(notice: kinds.Notice) -> str:
    """Until when the reader has time, in their zone; empty if there is no end."""
    moment: datetime | None = getattr(notice, "deadline", None)
    return "" if moment is None else words.when(moment, notice.envelope.zone)


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
    return "" if link is None else f"{settings.base_url.rstrip('/')}/u/{seal(settings.secret_key, link)}"


# -- the game


def _game(game: kinds.Game, seat: int | None) -> Context:
    return {
        "game_id": game.id,
        "others": others_of(game, seat),
        "commitment": game.commitment,
        "days_per_move": game.clock.days,
    }


def _board(view: View, notice: kinds.Notice, game: kinds.Game) -> Context:
    names = names_of(game)
    shown = open_view(view, cards=notice.envelope.cards)
    seat = view.viewer or 0
    return {
        "board": [(heading, lines) for heading, lines in board_lines(shown, names) if heading != "Players"],
        "moved": moved_line(shown),
        "sketch": board_sketch(shown) if notice.envelope.drawing else "",
        "headline": headline(shown, names),
        "task": task(shown, names),
        "standings": standings(shown, names),
        "shows_hand": shown.hands[seat] is not None and view.phase != OVER,
        "hand": shown.hands[seat] or (),
        "colors": words.listed([COLORS[color] for color in colors_of(view.players, seat)]),
    }


def choices(view: View, game: kinds.Game, ply: int, settings: Settings, *, cards: bool) -> list[Choice]:
    """The legal actions, numbered as the engine lists them.

    Without ``cards`` a bribe is offered by its ends: how many numbers there are would tell about the hand.
    """
    names = names_of(game)
    if not cards and any(isinstance(action, Bribe) for action in view.legal):
        return [Choice(None, notation, told) for notation, told in words.bribe_words(view)]
    base = settings.base_url.rstrip("/")
    found = []
    for number, action in enumerate(view.legal, start=1):
        token = seal(settings.secret_key, MoveLink(game.id, view.viewer or 0, ply, number))
        told = words.action_words(action, view, names)
        found.append(Choice(number, action_notation(action, view.players), told, f"{base}/m/{token}"))
    return found


def _legal(view: View, notice: kinds.Notice, game: kinds.Game, ply: int, settings: Settings) -> Context:
    legal = choices(view, game, ply, settings, cards=notice.envelope.cards)
    return {"legal": legal, "example": legal[0].notation if legal else "", "deadline": deadline_of(notice)}


def _recap(log: Sequence[kinds.Entry], notice: kinds.Notice, game: kinds.Game, seat: int | None) -> list[str]:
    told = log if notice.envelope.cards else [words.open_entry(entry) for entry in log if entry.kind != "note"]
    return words.recap(told, names_of(game), seat)


# -- each kind


def _code(notice: kinds.CodeNotice, settings: Settings) -> Context:
    return {
        "heading": "Your sign-in code",
        "code": notice.code,
        "expires": words.when(notice.expires_at, notice.envelope.zone),
        "known": notice.known,
    }


def _address(notice: kinds.AddressNotice, settings: Settings) -> Context:
    new = "Is this your address?" if notice.new else "Does mail arrive here?"
    return {
        "heading": "This address is yours already" if notice.elsewhere else new,
        "account": tidy(notice.envelope.name, NAME_LIMIT),
        "elsewhere": notice.elsewhere,
        "code": notice.code,
        "expires": words.when(notice.expires_at, notice.envelope.zone),
        "new": notice.new,
    }


def _confirm(notice: kinds.ConfirmNotice, settings: Settings) -> Context:
    return {
        "heading": "Is it you who wrote to Emerald?",
        "known": notice.known,
        "lines": [tidy(line, _LINE_LIMIT) for line in notice.lines],
        "expires": words.when(notice.expires_at, notice.envelope.zone),
    }


def _refused_try(notice: kinds.RefusedTryNotice, settings: Settings) -> Context:
    return {
        "heading": "A mail in your name was refused",
        "sender": tidy(notice.sender, _ADDRESS_LIMIT) or "nobody",
        "why": tidy(notice.why, _LINE_LIMIT).rstrip("."),
    }


def _invitation(notice: kinds.InvitationNotice, settings: Settings) -> Context:
    players = len(notice.game.names)
    inviter = tidy(notice.inviter, NAME_LIMIT) or "Somebody"
    return {
        **_game(notice.game, notice.seat),
        "heading": f"{inviter} invites you to a game",
        "inviter": inviter,
        "colors": words.listed([COLORS[color] for color in colors_of(players, notice.seat)]),
        "seat": notice.seat,
        "players": players,
    }


def _started(notice: kinds.StartedNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, notice.seat),
        **_board(notice.view, notice, notice.game),
        "heading": "The game has begun",
    }


def _turn(notice: kinds.TurnNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, notice.seat),
        **_board(notice.view, notice, notice.game),
        **_legal(notice.view, notice, notice.game, notice.ply, settings),
        "heading": "The game has begun, and it is your turn" if notice.started else "It is your turn",
        "recap": _recap(notice.log, notice, notice.game, notice.seat),
        "ply": notice.ply,
        "started": notice.started,
    }


def _reminder(notice: kinds.ReminderNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, notice.seat),
        **_board(notice.view, notice, notice.game),
        **_legal(notice.view, notice, notice.game, notice.ply, settings),
        "heading": "It is still your turn",
        "since": words.when(notice.since, notice.envelope.zone),
        "ply": notice.ply,
    }


def _moved_for_you(notice: kinds.MovedForYouNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, notice.seat),
        **_board(notice.view, notice, notice.game),
        "heading": "Time was up: a bot moved for you",
        "recap": _recap(notice.log, notice, notice.game, notice.seat),
    }


def _notes(game: kinds.Game) -> list[str]:
    return [
        f"resigned; a {level or 'house'} bot played on" if seat in game.resigned else f"{level} bot" if level else ""
        for seat, level in enumerate(game.bots)
    ]


def _scores(view: View, result: Result, game: kinds.Game) -> Context:
    names = names_of(game)
    return {"scores": scores(view, result, names, _notes(game)), "tie": tie_note(result, names)}


def _over(notice: kinds.OverNotice, settings: Settings) -> Context:
    names = names_of(notice.game)
    won = [names[seat] if seat != notice.seat else "you" for seat in notice.result.winners]
    winners, shared = words.listed(won), len(won) > 1
    verb = " share the win" if shared else " won"
    return {
        **_game(notice.game, notice.seat),
        **_board(notice.view, notice, notice.game),
        "recap": _recap(notice.log, notice, notice.game, notice.seat),
        "heading": "You won!" if winners == "you" else f"{winners[:1].upper()}{winners[1:]}{verb}",
        "outcome": f"{winners}{verb}",
        **_scores(notice.view, notice.result, notice.game),
        "seed": notice.seed,
        "entropy": [(seat, text) for seat, text in enumerate(notice.entropy) if text],
    }


def _cancelled(notice: kinds.CancelledNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, None),
        "heading": "The game was cancelled",
        "by": tidy(notice.by, NAME_LIMIT),
    }


_VERDICTS: Final = {
    (True, False): ("Done", ""),
    (True, True): ("Done in part", "part of your mail is done, the rest is not. Line by line:"),
    (False, True): ("Not done", "nothing in your mail was carried out. Line by line:"),
    (False, False): ("No command found", "there was no command in your mail, so nothing was done."),
}
"""By whether a line was done, and whether one was refused: the heading, and a sentence."""


_DONE_WORDS: Final = {"done": "Done.", "refused": "Not done.", "not-tried": "Not tried, as another line was refused."}


def _outcome(outcome: kinds.Outcome) -> Context:
    """One line of the reader's mail: the line, what became of it in words, and what there is to show."""
    told = [tidy(paragraph, words.SAID_LIMIT) for paragraph in outcome.told]
    if outcome.state != "done" or not outcome.listing:
        told = [" ".join((_DONE_WORDS[outcome.state], *told[:1])), *told[1:]]
    return {
        "line": tidy(outcome.line, _LINE_LIMIT),
        "state": outcome.state,
        "told": told,
        "listing": [_as_it_is(line) for line in outcome.listing],
        "rows": listing.rows([_as_it_is(line) for line in outcome.listing]),
    }


def _as_it_is(line: str) -> str:
    """A line of a listing: its spaces stay, nothing else that could bend it."""
    return "".join(part if part.isspace() else tidy(part, _LINE_LIMIT) for part in re.split("( {2,})", line))


def _answer(notice: kinds.AnswerNotice, settings: Settings) -> Context:
    states = {outcome.state for outcome in notice.outcomes}
    heading, summary = _VERDICTS["done" in states, "refused" in states]
    game, view = notice.game, notice.view
    made: Context = {
        "heading": heading,
        "summary": summary,
        "outcomes": [_outcome(outcome) for outcome in notice.outcomes if outcome.state != "ignored"],
        "ignored": words.listed(
            [f"“{tidy(outcome.line, 60)}”" for outcome in notice.outcomes if outcome.state == "ignored"]
        ),
        "game_id": "",
        "others": "",
        "waiting_for": tidy(notice.waiting_for, _LINE_LIMIT),
        "told_subject": words.bare_subject(notice.subject),
        "recap": [],
        "legal": [],
        "deadline": "",
        "scores": [],
    }
    if game is None:
        return made
    made |= _game(game, notice.seat) | {"recap": _recap(notice.log, notice, game, notice.seat)}
    if view is not None:
        made |= _board(view, notice, game) | {"over": view.phase == OVER}
        if notice.result is not None:
            made |= _scores(view, notice.result, game)
        if view.legal:
            made |= _legal(view, notice, game, notice.ply, settings)
    return made


GATHER: Final[Mapping[type, tuple[str, Callable[[Any, Settings], Context]]]] = {
    kinds.CodeNotice: ("code", _code),
    kinds.AddressNotice: ("address", _address),
    kinds.ConfirmNotice: ("confirm", _confirm),
    kinds.RefusedTryNotice: ("refused_try", _refused_try),
    kinds.InvitationNotice: ("invitation", _invitation),
    kinds.StartedNotice: ("started", _started),
    kinds.TurnNotice: ("turn", _turn),
    kinds.ReminderNotice: ("reminder", _reminder),
    kinds.MovedForYouNotice: ("moved_for_you", _moved_for_you),
    kinds.OverNotice: ("over", _over),
    kinds.CancelledNotice: ("cancelled", _cancelled),
    kinds.AnswerNotice: ("answer", _answer),
}
"""Each kind of notice but the bundle: the folder of its templates, and what they are filled with."""

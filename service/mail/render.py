"""A notice becomes a mail: ``mail(notice, settings)``. Pure: no database, no clock, the same bytes each time."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from datetime import datetime
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from engine import View, action_notation, colors_of
from engine.board import COLORS
from service.config import Settings
from service.mail import kinds, words
from service.mail.message import Parts, build, picture_id, thread_root
from service.mail.standing import scores, standings, tie_note
from service.pictures.names import seat_names, tidy
from service.pictures.png import board_png
from service.pictures.text import board_text, counted, headline

LINE: Final = 77
_NAME_LIMIT = 40
_BLANKS: Final = re.compile(r"\n{3,}")
"""Templates are written for reading; their mails have one empty line where they have several."""

Context = dict[str, Any]


def _wrap(text: str, first: str = "", rest: str | None = None) -> str:
    """A paragraph at 77 characters; ``first`` and ``rest`` are what its lines begin with."""
    follow = first if rest is None else rest
    lines = textwrap.wrap(
        text, LINE, initial_indent=first, subsequent_indent=follow, break_on_hyphens=False, break_long_words=False
    )
    return "\n".join(lines)


@cache
def environment() -> Environment:
    """The templates: HTML escapes everything, and a name that is not there is an error in both."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(("html",), default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["wrap"] = _wrap
    made.filters["capitalize_first"] = lambda text: text[:1].upper() + text[1:]
    made.globals["counted"] = counted
    return made


def _names(game: kinds.Game) -> tuple[str, ...]:
    return seat_names(game.names, len(game.names), _NAME_LIMIT)


def _others(game: kinds.Game, seat: int | None) -> str:
    return words.listed([name for number, name in enumerate(_names(game)) if number != seat and game.names[number]])


def _game(game: kinds.Game, settings: Settings, seat: int | None) -> Context:
    return {
        "api": f"{settings.base_url.rstrip('/')}/api/v1/games/{game.id}",
        "game_id": game.id,
        "names": _names(game),
        "others": _others(game, seat) or "nobody yet",
        "commitment": game.commitment,
        "days_per_move": game.days_per_move,
    }


def _colors(players: int, seat: int) -> str:
    return words.listed([COLORS[color] for color in colors_of(players, seat)])


def _board(view: View, game: kinds.Game) -> Context:
    names = _names(game)
    return {
        "board": board_text(view, names),
        "headline": headline(view, names),
        "standings": standings(view, names),
        "hand": view.hands[view.viewer] if view.viewer is not None else None,
        "colors": _colors(view.players, view.viewer or 0),
    }


def _legal(view: View, game: kinds.Game) -> Context:
    names = _names(game)
    return {
        "legal": [
            (number, action_notation(action, view.players), words.action_words(action, view, names))
            for number, action in enumerate(view.legal, start=1)
        ],
        "example": action_notation(view.legal[0], view.players) if view.legal else "",
    }


def _deadline(moment: datetime | None, zone: str) -> str:
    return words.when(moment, zone) if moment is not None else ""


def _recap(log: tuple[kinds.Entry, ...], game: kinds.Game, seat: int) -> list[str]:
    return words.recap(log, _names(game), seat)


def _code(notice: kinds.CodeNotice, settings: Settings) -> Context:
    return {
        "code": notice.code,
        "expires": words.when(notice.expires_at, notice.envelope.zone),
        "known": notice.known,
        "site": settings.base_url.rstrip("/"),
    }


def _invitation(notice: kinds.InvitationNotice, settings: Settings) -> Context:
    players = len(notice.game.names)
    return {
        **_game(notice.game, settings, notice.seat),
        "inviter": tidy(notice.inviter, _NAME_LIMIT) or "Somebody",
        "colors": _colors(players, notice.seat),
        "seat": notice.seat,
        "players": players,
    }


def _started(notice: kinds.StartedNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, settings, notice.seat),
        **_board(notice.view, notice.game),
    }


def _turn(notice: kinds.TurnNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, settings, notice.seat),
        **_board(notice.view, notice.game),
        **_legal(notice.view, notice.game),
        "recap": _recap(notice.log, notice.game, notice.seat),
        "deadline": _deadline(notice.deadline, notice.envelope.zone),
        "ply": notice.ply,
        "started": notice.started,
    }


def _reminder(notice: kinds.ReminderNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, settings, notice.seat),
        **_board(notice.view, notice.game),
        **_legal(notice.view, notice.game),
        "since": words.when(notice.since, notice.envelope.zone),
        "deadline": _deadline(notice.deadline, notice.envelope.zone),
        "ply": notice.ply,
    }


def _moved_for_you(notice: kinds.MovedForYouNotice, settings: Settings) -> Context:
    return {
        **_game(notice.game, settings, notice.seat),
        **_board(notice.view, notice.game),
        "recap": _recap(notice.log, notice.game, notice.seat),
    }


def _notes(game: kinds.Game) -> list[str]:
    return [
        f"resigned; a {level or 'house'} bot played on" if seat in game.resigned else f"{level} bot" if level else ""
        for seat, level in enumerate(game.bots)
    ]


def _over(notice: kinds.OverNotice, settings: Settings) -> Context:
    names = _names(notice.game)
    won = [names[seat] if seat != notice.seat else "you" for seat in notice.result.winners]
    return {
        **_game(notice.game, settings, notice.seat),
        **_board(notice.view, notice.game),
        "recap": _recap(notice.log, notice.game, notice.seat),
        "scores": scores(notice.view, notice.result, names, _notes(notice.game)),
        "tie": tie_note(notice.result, names),
        "winners": words.listed(won),
        "shared": len(won) > 1,
        "you_won": notice.seat in notice.result.winners,
        "seed": notice.seed,
        "entropy": list(enumerate(notice.entropy)),
    }


def _cancelled(notice: kinds.CancelledNotice, settings: Settings) -> Context:
    return {**_game(notice.game, settings, None), "by": tidy(notice.by, _NAME_LIMIT)}


_KINDS: Final[Mapping[type, tuple[str, Callable[[Any, Settings], Context]]]] = {
    kinds.CodeNotice: ("code", _code),
    kinds.InvitationNotice: ("invitation", _invitation),
    kinds.StartedNotice: ("started", _started),
    kinds.TurnNotice: ("turn", _turn),
    kinds.ReminderNotice: ("reminder", _reminder),
    kinds.MovedForYouNotice: ("moved_for_you", _moved_for_you),
    kinds.OverNotice: ("over", _over),
    kinds.CancelledNotice: ("cancelled", _cancelled),
}
"""Each kind of notice: the folder of its templates, and what they are filled with."""


def mail(notice: kinds.Notice, settings: Settings) -> EmailMessage:
    """The finished message for any notice. Raises PermanentMailError if its address cannot be written."""
    folder, gather = _KINDS[type(notice)]
    envelope = notice.envelope
    view: View | None = getattr(notice, "view", None)
    game: kinds.Game | None = getattr(notice, "game", None)
    context = {
        "name": tidy(envelope.name, _NAME_LIMIT),
        "picture": f"cid:{picture_id(envelope.message_id)}" if view is not None else "",
        **gather(notice, settings),
    }
    templates = environment()
    return build(
        Parts(
            sender=settings.mail_from,
            to=envelope.to,
            to_name=envelope.name,
            subject=templates.get_template(f"{folder}/subject.txt").render(context),
            message_id=envelope.message_id,
            date=envelope.date,
            text=_BLANKS.sub("\n\n", templates.get_template(f"{folder}/body.txt").render(context)).strip() + "\n",
            html=templates.get_template(f"{folder}/body.html").render(context),
            thread=thread_root(game.id, settings.mail_domain) if game is not None else None,
            picture=board_png(view, _names(game)) if view is not None and game is not None else None,
        )
    )

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
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from engine import View, action_notation, colors_of
from engine.board import COLORS
from service.config import Settings
from service.mail import dkim, kinds, words
from service.mail.message import Parts, Picture, build, picture_id, thread_root
from service.mail.standing import scores, standings, tie_note
from service.mail.tokens import BounceToken, Token, seal
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
    pictures = []
    if view is not None and game is not None:
        pictures.append(Picture(picture_id(envelope.message_id), board_png(view, _names(game))))
    context = {
        "name": tidy(envelope.name, _NAME_LIMIT),
        "picture": f"cid:{pictures[0].cid}" if pictures else "",
        **gather(notice, settings),
    }
    templates = environment()
    message = build(
        Parts(
            sender=settings.mail_from,
            to=envelope.to,
            to_name=envelope.name,
            subject=templates.get_template(f"{folder}/subject.txt").render(context),
            message_id=envelope.message_id,
            date=envelope.date,
            text=_BLANKS.sub("\n\n", templates.get_template(f"{folder}/body.txt").render(context)).strip() + "\n",
            html=templates.get_template(f"{folder}/body.html").render(context),
            reply_to=_reply_to(notice, settings),
            references=_thread(notice, game, settings),
            unsubscribe=_unsubscribe(notice, settings),
            submitted="auto-replied" if isinstance(notice, kinds.AnswerNotice) else "auto-generated",
            marks=_marks(folder, notice, game),
            pictures=pictures,
        )
    )
    if settings.mail_dkim_key_file:
        dkim.sign(
            message,
            key_file=settings.mail_dkim_key_file,
            selector=settings.mail_dkim_selector,
            domain=settings.mail_domain,
            at=envelope.date,
        )
    return message


def return_path(notice: kinds.Notice, settings: Settings) -> str:
    """The envelope's sender: where a bounce of this mail goes. It names the mail, so that its bounce is believed."""
    row = notice.envelope.row
    if row is None:
        return settings.service_address
    return settings.reply_address(seal(settings.secret_key, BounceToken(row)))


def _reply(notice: kinds.Notice) -> Token | None:
    """What an answer may do. A bundle in which one part alone asks for a move is answered like that part."""
    if isinstance(notice, kinds.BundleNotice):
        asking = [part.envelope.reply for part in notice.parts if decision(part) is not None]
        if len(asking) == 1 and asking[0] is not None:
            return asking[0]
    return notice.envelope.reply


def _reply_to(notice: kinds.Notice, settings: Settings) -> str | None:
    token = _reply(notice)
    return None if token is None else settings.reply_address(seal(settings.secret_key, token))


def _thread(notice: kinds.Notice, game: kinds.Game | None, settings: Settings) -> list[str]:
    root = [thread_root(game.id, settings.mail_domain)] if game is not None else []
    return root + ([notice.envelope.answers] if notice.envelope.answers else [])


def _unsubscribe(notice: kinds.Notice, settings: Settings) -> tuple[str, ...]:
    link = notice.envelope.opt_out
    if link is None:
        return ()
    page = f"{settings.base_url.rstrip('/')}/u/{seal(settings.secret_key, link)}"
    address = quote(_reply_to(notice, settings) or settings.service_address, safe="@")
    return page, f"mailto:{address}?subject=unsubscribe&body=unsubscribe%20{link.kind}"


def decision(notice: kinds.Notice) -> tuple[str, int] | None:
    """The game and ply of the decision that the mail asks its reader for, if it asks for one."""
    if isinstance(notice, (kinds.TurnNotice, kinds.ReminderNotice)):
        return notice.game.id, notice.ply
    if isinstance(notice, kinds.AnswerNotice) and notice.game is not None and notice.view is not None:
        return (notice.game.id, notice.ply) if notice.view.legal else None
    return None


def _marks(kind: str, notice: kinds.Notice, game: kinds.Game | None) -> list[tuple[str, str]]:
    """For programs: Feedback-ID as mail providers count complaints by, and what our own clients look for."""
    parts = notice.parts if isinstance(notice, kinds.BundleNotice) else (notice,)
    asked = [asked for part in parts if (asked := decision(part)) is not None]
    return [
        ("Feedback-ID", f"{kind}:{game.id if game is not None else 'none'}:emerald"),
        ("X-Emerald-Mail", kind),
        *(("X-Emerald-Decision", f"{game_id}/{ply}") for game_id, ply in asked),
    ]

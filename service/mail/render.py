"""A notice becomes a mail: ``mail(notice, settings)``. Pure: no database, no clock, the same bytes each time.

All that it says, it says in the language of its reader.
"""

from __future__ import annotations

import re
import textwrap
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from engine import View
from service.commands import short_help
from service.config import Settings
from service.i18n import gettext as _
from service.i18n import language, marked, ngettext, pgettext, speaking
from service.mail import dkim, kinds
from service.mail.bundle import MOST_IN_FULL, arranged, asked, heading, title
from service.mail.contents import GATHER
from service.mail.message import Parts, Picture, build, picture_id, thread_root
from service.mail.pieces import Context, game_link, mailto, open_view, opt_out_link, reply_address
from service.mail.standing import points
from service.mail.tokens import BounceToken, Token, seal
from service.mail.words import NAME_LIMIT
from service.pictures.names import tidy
from service.pictures.png import board_png

LINE: Final = 77
_BLANKS: Final = re.compile(r"\n{3,}")
"""Templates are written for reading; their mails have one empty line where they have several."""
_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_REMARK_LIMIT: Final = 500
_MOST_PICTURES: Final = 2
"""A bundle shows the boards of so many games: a mail is to stay small, and each board stands there in words."""
_NO_MORE: Final = {
    "turn": marked("No more mails about your turn"),
    "reminder": marked("No more reminders"),
    "news": marked("No more news about your games"),
    "invitation": marked("No more invitations"),
}
"""The link that turns a kind of mail off (``tokens.KINDS``)."""


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
        extensions=["jinja2.ext.i18n"],
    )
    made.install_gettext_callables(  # type: ignore[attr-defined]  # the i18n extension's
        _, ngettext, newstyle=True, pgettext=pgettext
    )
    made.filters["wrap"] = _wrap
    made.filters["capitalize_first"] = lambda text: text[:1].upper() + text[1:]
    made.filters["quotable"] = _quotable
    made.globals["points"] = points
    return made


def _quotable(text: str) -> str:
    """Text for an attribute between double quotes, whatever a translation has in it; it is escaped for HTML already."""
    return Markup(str(text).replace('"', "&#34;"))  # noqa: S704 - no quote ends the attribute


def mail(notice: kinds.Notice, settings: Settings) -> EmailMessage:
    """The finished message for any notice. Raises PermanentMailError if its address cannot be written."""
    with speaking(notice.envelope.language):
        return _mail(notice, settings)


def _mail(notice: kinds.Notice, settings: Settings) -> EmailMessage:
    kind = "bundle" if isinstance(notice, kinds.BundleNotice) else GATHER[type(notice)][0]
    envelope = notice.envelope
    game: kinds.Game | None = getattr(notice, "game", None)
    pictures: list[Picture] = []
    core = (
        _bundle(notice, settings, pictures)
        if isinstance(notice, kinds.BundleNotice)
        else _core(notice, settings, pictures, envelope.message_id)
    )
    address = reply_address(_reply(notice), settings)
    letter = core | {
        "hello": _hello(notice).strip(),
        "remark": tidy(envelope.remark, _REMARK_LIMIT),
        "why": _why(notice, game),
        "opt_out": opt_out_link(notice, settings),
        "no_more": _(_NO_MORE[envelope.opt_out.kind]) if envelope.opt_out else "",
        "game_link": game_link(game, settings) if game is not None else "",
        "language": language(),
    }
    templates = environment()
    message = build(
        Parts(
            sender=settings.mail_from,
            to=envelope.to,
            to_name=envelope.name,
            subject=core["subject"],
            message_id=envelope.message_id,
            date=envelope.date,
            text=_BLANKS.sub("\n\n", templates.get_template("parts/letter.txt").render(letter)).strip() + "\n",
            html=_BLANK_LINES.sub("\n", templates.get_template("parts/letter.html").render(letter)),
            language=language(),
            reply_to=address or None,
            references=_thread(notice, game, settings),
            unsubscribe=_unsubscribe(notice, settings),
            submitted="auto-replied" if isinstance(notice, kinds.AnswerNotice) else "auto-generated",
            marks=_marks(kind, notice, game),
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


def _core(
    notice: kinds.Notice, settings: Settings, pictures: list[Picture], message_id: str, *, part: bool = False
) -> Context:
    """One notice without greeting and footer, as text and as HTML; its picture is put to the others."""
    folder, gather = GATHER[type(notice)]
    hello = "" if part else _hello(notice)
    context: Context = {"part": part, "hello": hello, "commands": short_help(game=_about_game(notice))}
    context |= gather(notice, settings)
    game: kinds.Game | None = getattr(notice, "game", None)
    context["game_link"] = game_link(game, settings) if game is not None else ""
    templates = environment()
    subject = " ".join(templates.get_template(f"{folder}/subject.txt").render(context).split())
    address = reply_address(notice.envelope.reply, settings)
    context |= {
        "subject": subject,
        "address": address,
        "mailto": lambda body="": mailto(address, f"Re: {subject}", body),
        "picture": _picture(notice, pictures, message_id),
        "preview": _preview(context),
    }
    return context | {
        "text": templates.get_template(f"{folder}/text.txt").render(context).strip(),
        "html": Markup(templates.get_template(f"{folder}/page.html").render(context)),  # noqa: S704 - escaped in there
    }


def _about_game(notice: kinds.Notice) -> bool:
    return not isinstance(notice, kinds.AnswerNotice) or notice.game is not None


def _hello(notice: kinds.Notice) -> str:
    name = tidy(notice.envelope.name, NAME_LIMIT)
    greeting = _("Hello {name},").format(name=name) if name else _("Hello,")
    return f"{greeting} "


def _bundle(notice: kinds.BundleNotice, settings: Settings, pictures: list[Picture]) -> Context:
    parts = []
    for number, part in enumerate(arranged(notice.parts)):
        core = _core(part, settings, pictures, notice.envelope.message_id, part=True)
        parts.append(core | {"title": title(part), "asked": asked(part), "full": number < MOST_IN_FULL})
    context: Context = {
        "parts": parts,
        "hello": _hello(notice),
        "commands": short_help(),
        "daily": notice.daily,
        "heading": heading(notice),
    }
    templates = environment()
    return context | {
        "subject": context["heading"],
        "game_id": "",
        "preview": "; ".join(part["title"] for part in parts),
        "text": templates.get_template("bundle/text.txt").render(context).strip(),
        "html": Markup(templates.get_template("bundle/page.html").render(context)),  # noqa: S704 - escaped in there
    }


def _picture(notice: kinds.Notice, pictures: list[Picture], message_id: str) -> str:
    """The link to the picture of the board, if the mail has one: nothing stands on it that is not open to all."""
    view: View | None = getattr(notice, "view", None)
    if view is None or not notice.envelope.drawing or len(pictures) == _MOST_PICTURES:
        return ""
    cid = picture_id(message_id, len(pictures))
    pictures.append(Picture(cid, board_png(open_view(view, cards=False), (), bare=True)))
    return f"cid:{cid}"


def _preview(context: Context) -> str:
    """What mail programs show beside the subject."""
    first = f"{context.get('headline', context['heading'])}."
    if not context.get("deadline"):
        return first
    until = _("Time until {moment}.").format(moment=context["deadline"])
    return f"{first} {until}"


def _why(notice: kinds.Notice, game: kinds.Game | None) -> str:
    """Why this mail comes; it names the game, for people and for programs."""
    if isinstance(notice, kinds.BundleNotice):
        return _("Emerald writes this because you play in these games.")
    if isinstance(notice, (kinds.CodeNotice, kinds.AddressNotice)):
        return _("Emerald writes this because somebody asked for a code with this address.")
    if isinstance(notice, kinds.ConfirmNotice):
        return _("Emerald writes this because a mail came from this address.")
    if game is None:
        answer = isinstance(notice, kinds.AnswerNotice)
        return _("Emerald answers your mail.") if answer else _("Emerald writes this because of your account.")
    if isinstance(notice, kinds.AnswerNotice):
        template = _("Emerald answers your mail (game {game}).")
    elif isinstance(notice, kinds.InvitationNotice):
        template = _("Emerald writes this because somebody invited this address (game {game}).")
    else:
        template = _("Emerald writes this because you play in this game ({game}).")
    return template.format(game=game.id)


def return_path(notice: kinds.Notice, settings: Settings) -> str:
    """The envelope's sender: where a bounce of this mail goes. It names the mail, so that its bounce is believed."""
    row = notice.envelope.row
    if row is None:
        return settings.service_address
    return settings.reply_address(seal(settings.secret_key, BounceToken(row)))


def _reply(notice: kinds.Notice) -> Token | None:
    """What an answer may do. A bundle that asks for one move alone is answered like its mail."""
    if isinstance(notice, kinds.BundleNotice):
        asking = {part.envelope.reply for part in notice.parts if decision(part) is not None}
        if len(asking) == 1 and None not in asking:
            return asking.pop()
    return notice.envelope.reply


def _thread(notice: kinds.Notice, game: kinds.Game | None, settings: Settings) -> list[str]:
    root = [thread_root(game.id, settings.mail_domain)] if game is not None else []
    return root + ([notice.envelope.answers] if notice.envelope.answers else [])


def _unsubscribe(notice: kinds.Notice, settings: Settings) -> tuple[str, ...]:
    link = notice.envelope.opt_out
    if link is None:
        return ()
    address = reply_address(_reply(notice), settings) or settings.service_address
    return opt_out_link(notice, settings), mailto(address, "unsubscribe", f"unsubscribe {link.kind}")


def decision(notice: kinds.Notice) -> tuple[str, int] | None:
    """The game and ply of the decision that the mail asks its reader for, if it asks for one."""
    if isinstance(notice, (kinds.TurnNotice, kinds.ReminderNotice, kinds.ExtendedNotice)):
        return notice.game.id, notice.ply
    if isinstance(notice, kinds.AnswerNotice) and notice.game is not None and notice.view is not None:
        return (notice.game.id, notice.ply) if notice.view.legal else None
    return None


def _marks(kind: str, notice: kinds.Notice, game: kinds.Game | None) -> list[tuple[str, str]]:
    """For programs: Feedback-ID as mail providers count complaints by, and what our own clients look for."""
    parts = notice.parts if isinstance(notice, kinds.BundleNotice) else (notice,)
    decisions = dict.fromkeys(found for part in parts if (found := decision(part)) is not None)
    return [
        ("Feedback-ID", f"{kind}:{game.id if game is not None else 'none'}:emerald"),
        ("X-Emerald-Mail", kind),
        *(("X-Emerald-Decision", f"{game_id}/{ply}") for game_id, ply in decisions),
    ]

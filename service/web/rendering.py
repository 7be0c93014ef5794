"""Templates to pages: everything is escaped, and a name that is not there is an error."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response, get_flashed_messages, request, url_for
from flask_wtf.csrf import generate_csrf
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from service import i18n
from service.i18n import dates
from service.pictures.palette import KNIGHT_LETTERS
from service.web import assets
from service.web.visitor import visitor

_HERE: Final = Path(__file__).parent


@cache
def environment() -> Environment:
    """All templates of the site."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.install_gettext_callables(  # type: ignore[attr-defined]  # the i18n extension's
        i18n.gettext, i18n.ngettext, newstyle=True, pgettext=i18n.pgettext
    )
    made.filters.update(
        moment=_moment,
        short_moment=_short_moment,
        span=dates.span,
        plain_number=dates.plain_number,
        date_words=dates.date_words,
    )
    made.globals.update(asset=assets.address, url_for=url_for, languages=i18n.LANGUAGES, knight_letters=KNIGHT_LETTERS)
    return made


def page(template: str, status: int = 200, **context: Any) -> Response:
    """A page of ours as an answer, for the visitor that looks."""
    told = {
        "visitor": visitor(),
        "language": i18n.language(),
        "here": request.path,
        "in_language": _in_language,
        "flashes": get_flashed_messages(with_categories=True),
        "csrf_token": generate_csrf,
    }
    text = environment().get_template(template).render(told | context)
    return Response(text, status, mimetype="text/html")


def link_page(template: str, status: int = 200, **context: Any) -> Response:
    """A page behind a link in a mail: it knows of no visitor, and speaks whatever language is spoken now."""
    text = environment().get_template(template).render({"language": i18n.language()} | context)
    return Response(text, status, mimetype="text/html")


def _in_language(tag: str) -> str:
    """The page that is looked at, in another language: where it was to lead next stays."""
    return f"?{urlencode({**request.args, 'lang': tag})}"


def _moment(at: datetime) -> Markup:
    return _time(at, dates.moment(at, visitor().zone))


def _short_moment(at: datetime) -> Markup:
    return _time(at, dates.short_moment(at, visitor().zone))


def _time(at: datetime, words: str) -> Markup:
    """A moment in the visitor's zone. Of a stranger only the browser knows the zone: a script puts it right."""
    known = Markup('<time datetime="{}">{}</time>')
    stranger = Markup('<time datetime="{}" data-local>{}</time>')
    return (stranger if visitor().caller is None else known).format(at.isoformat(timespec="minutes"), words)

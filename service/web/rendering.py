"""Templates to pages: everything is escaped, and a name that is not there is an error."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, Final

from flask import Response, url_for
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from service.pictures.palette import dark_rules
from service.pictures.svg import board_svg
from service.pictures.text import board_lines, headline, moved_line
from service.usecases.links import LinkedMove

_HERE: Final = Path(__file__).parent
#: The style of the pages and, where the reader prefers dark, of the board in them.
STYLE: Final = f"{(_HERE / 'pages.css').read_text('utf-8')}\n@media (prefers-color-scheme: dark) {{{dark_rules()}}}\n"
_VERSION: Final = hashlib.sha256(STYLE.encode()).hexdigest()[:10]


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(template: str, status: int, **context: Any) -> Response:
    """A page of ours as an answer."""
    style = url_for("web.style", v=_VERSION)
    text = _environment().get_template(template).render(style=style, url_for=url_for, **context)
    return Response(text, status, mimetype="text/html")


def board(move: LinkedMove) -> dict[str, Any]:
    """The game as all may see it: drawn, and in words."""
    view, names = move.view, move.names
    return {
        "picture": Markup(board_svg(view, names, theme="page")),  # noqa: S704 - escaped where it is drawn
        "headline": headline(view, names),
        "moved": moved_line(view),
        "sections": board_lines(view, names),
    }

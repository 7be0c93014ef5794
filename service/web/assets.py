"""Style sheets, scripts and the icon: all that a page loads, each under an address of its own contents."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, url_for
from werkzeug.exceptions import NotFound

from service.pictures.palette import dark_rules

_HERE: Final = Path(__file__).parent
_TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_YEAR: Final = "public, max-age=31536000, immutable"


def register(web: Blueprint) -> None:
    """The one route for all of them."""

    @web.get("/assets/<version>/<name>")
    def asset(version: str, name: str) -> Response:
        """One of them; what was asked for under an older address is answered with today's."""
        found = contents().get(name)
        if found is None:
            raise NotFound
        cached = _YEAR if version == _version(name) else "no-cache"
        return Response(found, mimetype=_TYPES[name.rpartition(".")[2]], headers={"Cache-Control": cached})


def address(name: str) -> str:
    """Where a page finds ``site.css``, ``links.css`` or a script."""
    return url_for("web.asset", version=_version(name), name=name)


@cache
def contents() -> dict[str, str]:
    """Every file by name: ``links.css`` for pages behind links in mails, ``site.css`` for all others, the scripts."""
    styles = {path.name: path.read_text("utf-8") for path in sorted((_HERE / "styles").glob("*.css"))}
    board = f"@media (prefers-color-scheme: dark) {{{dark_rules()}}}\n"
    links = styles.pop("links.css")
    # base.css comes first in the alphabet: the others build upon it.
    files = {"links.css": links + board, "site.css": "\n".join(styles.values()) + board}
    files["icon.svg"] = (_HERE / "styles" / "icon.svg").read_text("utf-8")
    return files | {path.name: path.read_text("utf-8") for path in sorted((_HERE / "scripts").glob("*.js"))}


@cache
def _version(name: str) -> str:
    return hashlib.sha256(contents()[name].encode()).hexdigest()[:10]

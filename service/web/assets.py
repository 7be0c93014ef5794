"""Style sheets, scripts and the icon: all that a page loads, each under an address of its own contents.

Beside them the two addresses that browsers and crawlers ask for without being told.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, url_for
from werkzeug.exceptions import NotFound

from service.pictures import png
from service.pictures.palette import page_rules, shield_rules

_HERE: Final = Path(__file__).parent
_TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_SHARED: Final = ("base.css", "controls.css")
"""They come first: the styles of the chapters build upon them."""
YEAR: Final = "public, max-age=31536000, immutable"
_DAY: Final = "public, max-age=86400"
_ICON_WIDTH: Final = 64
_ROBOTS: Final = """\
User-agent: *
Disallow: /
Allow: /$
Allow: /rules
Allow: /help/
Allow: /docs/
Allow: /assets/
"""
"""What is the same for everybody may be found; games, people and what mails lead to may not."""


def register(web: Blueprint) -> None:
    """The one route for all of them, and the two that have no choice of address."""

    @web.get("/robots.txt")
    def robots() -> Response:
        """What may be searched."""
        return Response(_ROBOTS, mimetype="text/plain", headers={"Cache-Control": _DAY})

    @web.get("/favicon.ico")
    def favicon() -> Response:
        """The icon for browsers that know no SVG, under the name by which they ask."""
        return Response(_favicon(), mimetype="image/png", headers={"Cache-Control": _DAY})

    @web.get("/assets/<version>/<name>")
    def asset(version: str, name: str) -> Response:
        """One of them; what was asked for under an older address is answered with today's."""
        found = contents().get(name)
        if found is None:
            raise NotFound
        cached = YEAR if version == _version(name) else "no-cache"
        return Response(found, mimetype=_TYPES[name.rpartition(".")[2]], headers={"Cache-Control": cached})


def address(name: str) -> str:
    """Where a page finds ``site.css``, ``links.css`` or a script."""
    return url_for("web.asset", version=_version(name), name=name)


@cache
def contents() -> dict[str, str]:
    """Every file by name: ``links.css`` for pages behind links in mails, ``site.css`` for all others, the scripts."""
    styles = {path.name: path.read_text("utf-8") for path in sorted((_HERE / "styles").glob("*.css"))}
    board = page_rules()
    links = styles.pop("links.css")
    shared = [styles.pop(name) for name in _SHARED]
    files = {"links.css": links + board, "site.css": "\n".join([*shared, *styles.values()]) + shield_rules() + board}
    files["icon.svg"] = (_HERE / "styles" / "icon.svg").read_text("utf-8")
    return files | {path.name: path.read_text("utf-8") for path in sorted((_HERE / "scripts").glob("*.js"))}


@cache
def _favicon() -> bytes:
    return png.render(contents()["icon.svg"], width=_ICON_WIDTH)


@cache
def _version(name: str) -> str:
    return hashlib.sha256(contents()[name].encode()).hexdigest()[:10]

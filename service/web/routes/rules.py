"""The rules, with pictures: every rule of the engine under its id, so that ``/rules#R-MOVE-3`` leads to it."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, url_for
from werkzeug.exceptions import NotFound

from service.i18n import language
from service.pictures.palette import Theme
from service.web import illustrations
from service.web.assets import YEAR
from service.web.headers import findable
from service.web.rendering import page

_THEMES: Mapping[str, Theme] = {theme: theme for theme in illustrations.THEMES}


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/rules")
    def rules() -> Response:
        """The whole book."""
        return findable(page("reading/rules.html", art=_address, size=illustrations.size))

    @web.get("/rules/pictures/<version>/<tongue>/<name>-<theme>.svg")
    def rules_picture(version: str, tongue: str, name: str, theme: str) -> Response:
        """One of its pictures; what was asked for under an older address is answered with today's."""
        known = _THEMES.get(theme)
        found = None if known is None else illustrations.drawn(name, known, tongue)
        if found is None or known is None:
            raise NotFound
        cached = YEAR if version == illustrations.version(name, known, tongue) else "no-cache"
        return Response(found.svg, mimetype="image/svg+xml", headers={"Cache-Control": cached})


def _address(name: str, theme: Theme) -> str:
    tongue = language()
    version = illustrations.version(name, theme, tongue)
    return url_for("web.rules_picture", version=version, tongue=tongue, name=name, theme=theme)

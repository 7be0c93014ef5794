"""The description of the API, made from its contract.

The contract is handed in as a callable when the site is put together (``service.api.app``): it is the very document of
``/api/v1/openapi.json``, and pages import nothing of the API. It is read when it is first asked for; the text of a page
is made once for each language and process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from flask import Blueprint, Response
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from service.i18n import gettext as _
from service.i18n import language
from service.web import contract
from service.web.headers import findable
from service.web.rendering import environment, page

Document = Callable[[], Mapping[str, Any]]
_RAW = "/api/v1/openapi.json"


def register(web: Blueprint, document: Document) -> None:
    """Its routes."""

    @cache
    def read() -> contract.Contract:
        return contract.read(document())

    @cache
    def text(slug: str, spoken: str) -> Markup:
        """The page's own text in the language that is spoken now, of which ``spoken`` is the name."""
        template = environment().get_template("reading/api_chapter.html" if slug else "reading/api_index.html")
        told = template.render(api=read(), chapter=read().chapter(slug), raw=_RAW, language=spoken)
        return Markup(told)  # noqa: S704 - our own template, which escapes

    @web.get("/docs/api")
    def api_docs() -> Response:
        """What there is, by tag; tokens, errors."""
        return _page(_("The API"), text("", language()), "")

    @web.get("/docs/api/<slug>")
    def api_chapter(slug: str) -> Response:
        """The operations of one tag, with all they take and answer."""
        found = read().chapter(slug)
        if found is None:
            raise NotFound
        return _page(found.name, text(slug, language()), slug)

    def _page(title: str, body: Markup, slug: str) -> Response:
        return findable(page("reading/api.html", title=title, body=body, chapters=read().chapters, slug=slug))

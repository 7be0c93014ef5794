"""The description of the API, made from its contract."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/docs/api")
    def api_docs() -> Response:
        return page("error.html", heading="api_docs", lead="")

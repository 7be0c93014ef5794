"""The rules, with pictures."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/rules")
    def rules() -> Response:
        return page("error.html", heading="rules", lead="")

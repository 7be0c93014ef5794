"""The first page: one's games, whose turn it is, urgent first."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/")
    def home() -> Response:
        return page("error.html", heading="home", lead="")

"""A game step by step: its log, its replay, its record, the proof of its shuffle."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games/<game_id>/log")
    def log(game_id: str) -> Response:
        return page("error.html", heading="log", lead="")

    @web.get("/games/<game_id>/replay")
    def replay(game_id: str) -> Response:
        return page("error.html", heading="replay", lead="")

    @web.get("/games/<game_id>/verify")
    def verify(game_id: str) -> Response:
        return page("error.html", heading="verify", lead="")

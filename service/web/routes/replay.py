"""A game step by step: its log, its replay, its record, the proof of its shuffle."""

from __future__ import annotations

from flask import Blueprint, Response

from service.usecases.results import GameView
from service.web import games
from service.web.rendering import page


def finished_page(seen: GameView) -> Response:
    """A game that is over: who won and why, and all that was hidden while it was on."""
    return page("finished/page.html", info=seen.info, title=games.title(seen.info))


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

"""A game's page: the board, and playing on it."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games/<game_id>")
    def game(game_id: str) -> Response:
        return page("error.html", heading="game", lead="")

"""Games that wait for players: open ones, new ones, invitations, codes."""

from __future__ import annotations

from flask import Blueprint, Response

from service.usecases.results import GameView
from service.web import games
from service.web.rendering import page


def waiting_page(seen: GameView) -> Response:
    """A game that waits for players, or was called off before it began."""
    return page("people/waiting.html", info=seen.info, title=games.title(seen.info))


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games")
    def open_games() -> Response:
        return page("error.html", heading="open_games", lead="")

    @web.get("/games/new")
    def new_game() -> Response:
        return page("error.html", heading="new_game", lead="")

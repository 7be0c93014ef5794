"""What else belongs to a game: talk, notes, orders, votes, its mails."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games/<game_id>/talk")
    def talk(game_id: str) -> Response:
        return page("error.html", heading="talk", lead="")

    @web.get("/games/<game_id>/orders")
    def orders(game_id: str) -> Response:
        return page("error.html", heading="orders", lead="")

    @web.get("/games/<game_id>/table")
    def table(game_id: str) -> Response:
        return page("error.html", heading="table", lead="")

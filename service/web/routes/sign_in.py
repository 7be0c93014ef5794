"""Signing in and up: by a mailed code or the link beside it."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web import visitor
from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/sign-in")
    def sign_in() -> Response:
        return page("error.html", heading="sign_in", lead="")

    @web.get("/sign-up")
    def sign_up() -> Response:
        return page("error.html", heading="sign_up", lead="")

    @web.post("/sign-out")
    def leave_site() -> Response:
        """End this browser's session."""
        visitor.sign_out()
        return visitor.back_to("web.home")

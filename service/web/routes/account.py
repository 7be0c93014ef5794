"""One's own account: profile, addresses, tokens, absences, mail."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/account")
    def account() -> Response:
        return page("error.html", heading="account", lead="")

"""What can be written in a mail."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.rendering import page


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/help/mail")
    def mail_help() -> Response:
        return page("error.html", heading="mail_help", lead="")

"""All pages joined to the application: who looks, forms that are ours, errors and headers, and every route."""

from __future__ import annotations

from flask import Blueprint, Flask, request
from flask_wtf.csrf import CSRFProtect

from service.config import Settings
from service.usecases.tokens import SESSION_LIFE
from service.web import assets, errors, headers, visitor
from service.web.routes import CHAPTERS, api_docs, links

_FORMS = ("POST", "PUT", "PATCH", "DELETE")


def register(app: Flask, settings: Settings, document: api_docs.Document) -> None:
    """Put the site on ``app``. ``document``: the API's own description of itself (OpenAPI)."""
    secure = settings.base_url.startswith("https:")
    app.config.update(
        SESSION_COOKIE_NAME="__Host-emerald" if secure else "emerald",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=SESSION_LIFE,
        # The API has bearer tokens and no cookies; of the pages, ``guard`` asks each time.
        WTF_CSRF_CHECK_DEFAULT=False,
        # A page may lie open for days. Our pages send no Referer, so none can be asked for.
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
    )
    csrf = CSRFProtect(app)
    web = Blueprint("web", __name__)

    @web.before_request
    def guard() -> None:
        visitor.look()
        if request.method in _FORMS:
            csrf.protect()

    web.teardown_request(visitor.forget)
    headers.register(web)
    errors.register(web)
    assets.register(web)
    for chapter in CHAPTERS:
        chapter.register(web)
    api_docs.register(web, document)
    app.register_blueprint(links.blueprint_for(settings))
    app.register_blueprint(web)

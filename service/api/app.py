"""The application: ``create_app(settings)`` is what a server runs."""

from __future__ import annotations

from flask import Flask
from prometheus_client import CollectorRegistry

from service import web
from service.api import auth, errors, http, limits
from service.api.converters import IdConverter
from service.api.http import API_PREFIX
from service.api.openapi import create_api
from service.api.resources import BLUEPRINTS, addresses, feeds, health, inbound, inbox, sign_in
from service.bootstrap import create_base_app
from service.config import Settings
from service.mail.transports import Folder, transport_from


def create_app(settings: Settings) -> Flask:
    """The service with its routes: the API under ``/api/v1``, the web site, health and metrics."""
    app = create_base_app(settings)
    app.url_map.converters["id"] = IdConverter
    app.url_map.merge_slashes = False  # a redirect would be answered in HTML
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    registry = CollectorRegistry()
    # The order matters: the request id first, then who is asking, then the limits counted for them.
    http.register(app, settings, http.RequestMetrics(registry))
    auth.register(app)
    limiter = limits.register(
        app, settings, sign_in=sign_in.blueprint, addresses=addresses.blueprint, feeds=feeds.public
    )
    api = create_api(app)
    errors.register(app)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint, url_prefix=API_PREFIX)
    app.register_blueprint(health.blueprint_for(app, registry, api))
    web.register(app, settings, api.document)
    limits.cover_pages(app, limiter)
    if settings.dev_inbox and isinstance(transport := transport_from(settings.mail_url), Folder):
        app.register_blueprint(inbox.blueprint_for(transport.path, settings))
    if settings.inbound_webhook_secret:
        app.register_blueprint(inbound.blueprint_for(settings))
    return app

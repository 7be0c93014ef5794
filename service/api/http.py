"""What every answer carries, whatever its route: a request id, security headers, caching, the access log."""

from __future__ import annotations

import re
import secrets
import time

import structlog
from flask import Flask, Response, g, request
from flask_cors import CORS
from prometheus_client import CollectorRegistry, Counter, Histogram
from werkzeug.middleware.proxy_fix import ProxyFix

from service.config import Settings

log = structlog.get_logger("emerald.access")

API_PREFIX = "/api/v1"

EXPOSED_HEADERS = (
    "ETag",
    "Location",
    "Retry-After",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "WWW-Authenticate",
    "X-Request-Id",
)

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


class RequestMetrics:
    """Requests counted by method, route template and status; never by address, id or caller."""

    def __init__(self, registry: CollectorRegistry) -> None:
        labels = ("method", "route", "status")
        self.requests = Counter("emerald_http_requests", "Requests answered.", labels, registry=registry)
        self.seconds = Histogram(
            "emerald_http_request_seconds", "Time to answer.", ("method", "route"), registry=registry
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """One answered request."""
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(method, route).observe(seconds)


def register(app: Flask, settings: Settings, metrics: RequestMetrics) -> None:
    """Put what every answer carries on ``app``."""
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops
        )
    secure = settings.base_url.startswith("https:")
    CORS(
        app,
        resources={f"{API_PREFIX}/*": {"origins": list(settings.cors_origins)}},
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "X-Request-Id"],
        expose_headers=list(EXPOSED_HEADERS),
        methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
        supports_credentials=False,
        send_wildcard=True,
        max_age=600,
    )

    @app.before_request
    def _begin() -> None:
        g.started = time.perf_counter()
        sent = request.headers.get("X-Request-Id", "")
        g.request_id = sent if _REQUEST_ID.fullmatch(sent) else secrets.token_hex(8)

    @app.after_request
    def _end(response: Response) -> Response:
        _dress(response, secure=secure)
        _note(response, metrics)
        return response


def _dress(response: Response, *, secure: bool) -> None:
    headers = response.headers
    headers["X-Request-Id"] = g.get("request_id", "")
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers.setdefault("Content-Security-Policy", _CONTENT_POLICY)
    headers.setdefault("X-Frame-Options", "DENY")
    headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin")
    if secure:
        headers["Strict-Transport-Security"] = "max-age=31536000"
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Authorization")


def _note(response: Response, metrics: RequestMetrics) -> None:
    """One line and one count a request: the route's template, never its query, body or token."""
    route = request.url_rule.rule if request.url_rule is not None else "(none)"
    method = request.method if request.method in _METHODS else "(other)"
    seconds = time.perf_counter() - g.get("started", time.perf_counter())
    metrics.count(method, route, response.status_code, seconds)
    caller = g.get("caller")
    log.info(
        "request",
        method=method,
        route=route,
        status=response.status_code,
        problem=g.get("problem_code"),
        ms=round(seconds * 1000, 1),
        request_id=g.get("request_id"),
        user=caller.user_id if caller is not None else None,
    )


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

"""For operators: whether the process lives, whether it can work, and what it has done."""

from __future__ import annotations

import os
from collections.abc import Iterable

from flask import Blueprint, Flask, Response, jsonify
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.api.openapi import ProblemApi
from service.clock import now
from service.errors import Refusal
from service.metrics import REGISTRY
from service.usecases import queries


class DatabaseMetrics(Collector):
    """Counts that live in the database, taken when they are asked for."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def describe(self) -> Iterable[Metric]:
        """Nothing beforehand, so that registering asks no database."""
        return []

    def collect(self) -> Iterable[Metric]:
        """Outbox rows by topic and state, games by status; nothing while the database is away."""
        outbox = GaugeMetricFamily("emerald_outbox_rows", "Outbox rows.", labels=("topic", "state"))
        games = GaugeMetricFamily("emerald_games", "Games.", labels=("status",))
        up = GaugeMetricFamily("emerald_database_up", "Whether the database answers.")
        try:
            with self._app.app_context():
                counts = queries.counts(now=now())
        except Refusal:
            up.add_metric((), 0)
            return [up]
        up.add_metric((), 1)
        late = GaugeMetricFamily("emerald_outbox_oldest_due_seconds", "How long the oldest due row has waited.")
        late.add_metric((), counts.oldest_due_seconds)
        clock = GaugeMetricFamily("emerald_clock_late_seconds", "How long the most overdue step of a clock has waited.")
        clock.add_metric((), counts.clock_late_seconds)
        for (topic, state), number in counts.outbox.items():
            outbox.add_metric((topic, state), number)
        for status, number in counts.games.items():
            games.add_metric((status,), number)
        return [up, outbox, late, clock, games]


def blueprint_for(app: Flask, registry: CollectorRegistry, api: ProblemApi) -> Blueprint:
    """``/healthz``, ``/readyz``, ``/metrics`` and the API's own document."""
    blueprint = Blueprint("health", __name__)
    database = CollectorRegistry()
    database.register(DatabaseMetrics(app))

    @blueprint.get("/healthz")
    def healthz() -> Response:
        """The process lives."""
        return jsonify(status="ok")

    @blueprint.get("/readyz")
    def readyz() -> Response:
        """The process can work: the database answers (else 503)."""
        queries.ready()
        return jsonify(status="ok")

    @blueprint.get("/metrics")
    def metrics() -> Response:
        """Prometheus text."""
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:  # several server processes: what all of them counted
            requests = CollectorRegistry()
            MultiProcessCollector(requests)  # type: ignore[no-untyped-call]
            return Response(generate_latest(requests) + generate_latest(database), content_type=CONTENT_TYPE_LATEST)
        text = b"".join(map(generate_latest, (registry, REGISTRY, database)))
        return Response(text, content_type=CONTENT_TYPE_LATEST)

    @blueprint.get("/api/v1/openapi.json")
    def openapi_json() -> Response:
        """The OpenAPI document, examples included."""
        answer = jsonify(api.document())
        answer.headers["Cache-Control"] = "public, max-age=300"
        return answer

    return blueprint

"""What every answer carries: headers, CORS, limits, the access log, metrics, health."""

from __future__ import annotations

import io
import json
import logging
import socket

import pytest
from flask import Flask

from tests.api.conftest import MakeApp
from tests.api.people import Person, mailed_code, person, refused, stranger
from tests.support.postgres import PostgresServer
from tests.support.redis import RedisServer

_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
_POSTGRES = pytest.mark.parametrize("database", ["postgres"], indirect=True)


@_SQLITE
def test_security_headers_are_on_every_answer(api_app: Flask) -> None:
    one = stranger(api_app)
    for response in (one.get("/rules"), one.get("/nothing"), one.get("/me"), one.client.get("/healthz")):
        headers = response.headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "Authorization" in headers["Vary"]
        assert len(headers["X-Request-Id"]) == 16
        assert "Strict-Transport-Security" not in headers


@_SQLITE
def test_strict_transport_is_asked_for_behind_https_only(make_app: MakeApp) -> None:
    app = make_app(BASE_URL="https://emerald.example")
    assert "max-age" in app.test_client().get("/healthz").headers["Strict-Transport-Security"]


@_SQLITE
def test_a_request_id_of_the_clients_is_kept_if_it_is_harmless(api_app: Flask) -> None:
    one = stranger(api_app)
    assert one.get("/rules", headers={"X-Request-Id": "abc-1"}).headers["X-Request-Id"] == "abc-1"
    assert one.get("/rules", headers={"X-Request-Id": "a b<>"}).headers["X-Request-Id"] != "a b<>"


@_SQLITE
def test_browsers_of_the_named_origins_may_read_and_none_sends_cookies(make_app: MakeApp) -> None:
    app = make_app(CORS_ORIGINS="https://play.example")
    one = stranger(app)
    allowed = one.get("/rules", headers={"Origin": "https://play.example"})
    assert allowed.headers["Access-Control-Allow-Origin"] == "https://play.example"
    assert {"ETag", "Retry-After", "Location"} <= set(allowed.headers["Access-Control-Expose-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in allowed.headers
    other = one.get("/rules", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in other.headers
    asked = one.ask(
        "OPTIONS",
        "/games/222222222222/moves",
        headers={
            "Origin": "https://play.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, idempotency-key",
        },
    )
    assert asked.status_code == 200
    assert {"POST", "PUT", "PATCH", "DELETE"} <= set(asked.headers["Access-Control-Allow-Methods"].split(", "))
    assert asked.headers["Access-Control-Allow-Headers"] == "authorization, idempotency-key"


@_SQLITE
def test_errors_are_readable_across_origins_too(api_app: Flask) -> None:
    response = stranger(api_app).get("/me", headers={"Origin": "https://play.example"})
    refused(response, 401, "unauthenticated")
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@_SQLITE
def test_too_many_requests_are_told_when_to_come_back(make_app: MakeApp) -> None:
    app = make_app(RATE_LIMIT="5/minute")
    one = stranger(app)
    for left in (4, 3, 2, 1, 0):
        assert one.get("/rules").headers["RateLimit-Remaining"] == str(left)
    response = one.get("/rules")
    assert "Retry-After" in refused(response, 429, "rate-limited")["detail"]
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert one.client.get("/healthz").status_code == 200, "health checks are not counted"


@_SQLITE
def test_who_has_to_wait_longer_than_the_limiters_minute_is_told_so(make_app: MakeApp) -> None:
    one = stranger(make_app(RATE_LIMIT="600/minute"))
    for _ in range(5):
        assert one.post("/sign-in", {"email": "anna@example.org"}).status_code == 202
    response = one.post("/sign-in", {"email": "anna@example.org"})
    refused(response, 429, "rate-limited")
    assert 3500 < int(response.headers["Retry-After"]) <= 3600


@_SQLITE
def test_limits_are_counted_per_token(make_app: MakeApp) -> None:
    app = make_app(RATE_LIMIT="8/minute")
    anna, bert = person(app, "Anna"), person(app, "Bert")
    for _ in range(8):
        assert anna.get("/me").status_code == 200
    refused(anna.get("/me"), 429, "rate-limited")
    assert bert.get("/me").status_code == 200
    bert.token = "emerald_" + "x" * 40
    for _ in range(8):
        bert.get("/me")
    refused(bert.get("/me"), 429, "rate-limited")


@_SQLITE
def test_sign_in_has_its_own_stricter_limit(make_app: MakeApp) -> None:
    app = make_app(RATE_LIMIT="600/minute")
    one = stranger(app)
    statuses = [one.post("/tokens", {"email": f"{n}@example.org", "code": "12345678"}).status_code for n in range(31)]
    assert statuses == [403] * 30 + [429]
    assert one.get("/rules").status_code == 200


@_SQLITE
def test_the_api_goes_on_when_the_limiters_redis_is_away(make_app: MakeApp, own_redis: RedisServer) -> None:
    one = stranger(make_app(RATE_LIMIT="6/minute", RATE_LIMIT_URL=own_redis.url()))
    assert one.get("/rules").headers["RateLimit-Remaining"] == "5"
    own_redis.kill()
    for _ in range(6):
        assert one.get("/rules").status_code == 200
    refused(one.get("/rules"), 429, "rate-limited")


@_SQLITE
def test_logs_hold_no_token_no_code_no_address(api_app: Flask) -> None:
    written = io.StringIO()
    handler = next(one for one in logging.getLogger().handlers if one.get_name() == "emerald")
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(written)
    anna = person(api_app, "Anna")
    code = mailed_code(api_app, anna.email)
    anna.post("/tokens", {"email": anna.email, "code": "00000000"})
    anna.get("/me?token=" + str(anna.token))
    anna.get("/games?after=anna@example.org")
    anna.get("/games/" + str(anna.token))
    lines = written.getvalue()
    requests = [entry for line in lines.splitlines() if (entry := json.loads(line))["event"] == "request"]
    assert len(requests) == 6, lines
    assert requests[0]["route"] == "/api/v1/accounts"
    assert requests[0]["status"] == 202
    assert requests[2]["problem"] == "bad-code"
    for secret in (str(anna.token), code, anna.email, "00000000"):
        assert secret not in lines


@_SQLITE
def test_metrics_count_by_route_template(api_app: Flask) -> None:
    one = stranger(api_app)
    one.get("/games/222222222222")
    text = one.client.get("/metrics").get_data(as_text=True)
    route = 'method="GET",route="/api/v1/games/<id:game_id>",status="404"'
    assert f"emerald_http_requests_total{{{route}}} 1.0" in text
    assert "222222222222" not in text
    assert "emerald_database_up 1.0" in text


def test_health(api_app: Flask) -> None:
    client = api_app.test_client()
    assert client.get("/healthz").get_json() == {"status": "ok"}
    assert client.get("/readyz").get_json() == {"status": "ok"}


@_POSTGRES
def test_without_its_database_the_service_says_so_and_comes_back(
    make_app: MakeApp, own_postgres: PostgresServer
) -> None:
    from service.bootstrap import migrate_database

    app = make_app(DATABASE_URL=own_postgres.url(own_postgres.create()))
    migrate_database(app)
    anna = person(app, "Anna")
    own_postgres.kill()
    assert anna.client.get("/healthz").status_code == 200
    for response in (anna.client.get("/readyz"), anna.get("/me"), anna.get("/games")):
        refused(response, 503, "unavailable")
        assert int(response.headers["Retry-After"]) >= 1
    assert "emerald_database_up 0.0" in anna.client.get("/metrics").get_data(as_text=True)
    own_postgres.start()
    assert anna.get("/me").status_code == 200
    assert anna.client.get("/readyz").status_code == 200


@_SQLITE
def test_an_unreachable_database_at_the_start_is_no_crash(make_app: MakeApp) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    url = f"postgresql+psycopg://nobody@127.0.0.1:{port}/nothing"
    app = make_app(DATABASE_URL=url)
    refused(app.test_client().get("/readyz"), 503, "unavailable")
    refused(Person(app.test_client()).get("/games"), 503, "unavailable")

"""Mail that a provider posts: the signature, and the route."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from service import clock
from service.api.app import create_app
from service.config import PREFIX, Settings
from service.db import db
from service.doorways.webhook import HEADER, TOLERANCE, is_signed, sign
from tests.doorways.conftest import TAGGED, kept, letter
from tests.support.postgres import PostgresServer

SECRET = "a secret between us and the provider"
NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)
on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def test_the_signature_is_the_one_that_is_described() -> None:
    """As docs/OPERATIONS.md shows it with openssl."""
    assert sign(SECRET, b"From: a\r\n\r\nhi\r\n", at=NOW) == (
        "t=1796032800,v1=208fc2e25d9342d4d9e3624056b3c4727bd0485d4f7faa79b8dacd4845ae7533"
    )


@given(body=st.binary(max_size=200), other=st.binary(max_size=200), late=st.integers(-400, 400))
def test_only_this_body_in_this_time_is_signed(body: bytes, other: bytes, late: int) -> None:
    signature = sign(SECRET, body, at=NOW)
    assert is_signed(SECRET, body, signature, now=NOW + timedelta(seconds=late)) is (abs(late) <= TOLERANCE)
    assert is_signed(SECRET, other, signature, now=NOW) is (other == body)
    assert not is_signed(f"{SECRET}.", body, signature, now=NOW)


@given(header=st.text() | st.from_regex(r"t=[0-9]{0,13},v1=[0-9a-f]{63,65}") | st.none())
def test_no_other_header_is_a_signature(header: str | None) -> None:
    assert not is_signed(SECRET, b"body", header, now=NOW)


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, f"{PREFIX}INBOUND_WEBHOOK_SECRET": SECRET}


def post(client: FlaskClient, raw: bytes, signature: str | None = None, **headers: str) -> tuple[int, dict[str, str]]:
    signed = sign(SECRET, raw, at=clock.now()) if signature is None else signature
    answer = client.post("/inbound/mail", data=raw, content_type="message/rfc822", headers={HEADER: signed, **headers})
    return answer.status_code, dict(answer.headers)


def test_a_signed_mail_is_kept_once(api_app: Flask, client: FlaskClient) -> None:
    raw = letter(text="catch blue" + " and so on" * 10_000)  # more than any other body may have
    assert post(client, raw)[0] == 202
    assert post(client, raw)[0] == 202
    [mail] = kept(api_app)
    assert (mail.raw, mail.via) == (raw, "webhook")


@on_sqlite
def test_what_is_not_signed_does_nothing(api_app: Flask, client: FlaskClient) -> None:
    raw = letter()
    old = sign(SECRET, raw, at=clock.now() - timedelta(seconds=TOLERANCE + 60))
    for signature in ("", "t=1,v1=" + "0" * 64, sign(SECRET, letter(2), at=clock.now()), old):
        assert post(client, raw, signature)[0] == 401
    assert not kept(api_app)


@on_sqlite
def test_an_envelope_beside_the_signed_body_counts_for_nothing(api_app: Flask, client: FlaskClient) -> None:
    headers = {"X-Envelope-To": TAGGED, "X-Envelope-From": "mallory@example.org"}
    assert post(client, letter(to="emerald@example.org"), **headers)[0] == 202
    [mail] = kept(api_app)
    assert (mail.sender, mail.recipients) == (None, ())


@on_sqlite
def test_what_is_too_big_is_refused(api_app: Flask, client: FlaskClient, settings: Settings) -> None:
    assert post(client, letter(text="x" * settings.inbound_max_bytes))[0] == 413
    assert not kept(api_app)


@on_sqlite
def test_without_a_secret_there_is_no_such_address(environment: dict[str, str]) -> None:
    del environment[f"{PREFIX}INBOUND_WEBHOOK_SECRET"]
    app = create_app(Settings.from_env(environment))
    assert post(app.test_client(), letter())[0] == 404
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def mortal_client(own_postgres: PostgresServer, mortal_app: tuple[Flask, Settings]) -> Iterator[FlaskClient]:
    app = create_app(mortal_app[1])
    yield app.test_client()
    with app.app_context():
        db.engine.dispose()


@on_sqlite
def test_while_the_database_is_away_the_provider_is_asked_to_come_again(
    mortal_client: FlaskClient, own_postgres: PostgresServer, mortal_app: tuple[Flask, Settings]
) -> None:
    own_postgres.kill()
    status, headers = post(mortal_client, letter())
    assert (status, "Retry-After" in headers) == (503, True)
    own_postgres.start()
    assert post(mortal_client, letter())[0] == 202
    assert len(kept(mortal_app[0])) == 1

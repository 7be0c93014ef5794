"""People who use the API in the tests: everything they do goes through HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from service.clock import now
from service.codes import sign_in_code
from service.db import reading, settings, transaction
from service.models import Address, Challenge

API = "/api/v1"


@dataclass
class Person:
    """Somebody with (or, as a stranger, without) a token."""

    client: FlaskClient
    token: str | None = None
    name: str = ""
    email: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, json: Any = None, **more: Any) -> TestResponse:
        """A request of the API."""
        headers = {**self.headers, **more.pop("headers", {})}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if json is not None:
            more["json"] = json
        return self.client.open(f"{API}{path}", method=method, headers=headers, **more)

    def get(self, path: str, **more: Any) -> TestResponse:
        """GET."""
        return self.ask("GET", path, **more)

    def post(self, path: str, json: Any = None, **more: Any) -> TestResponse:
        """POST."""
        return self.ask("POST", path, json, **more)

    def told(self, path: str, status: int = 200) -> Any:
        """What a GET answers."""
        return answered(self.get(path), status)

    def does(self, path: str, json: Any = None, status: int = 200) -> Any:
        """What a POST answers."""
        return answered(self.post(path, json), status)


def answered(response: TestResponse, status: int = 200) -> Any:
    """The JSON of an answer with the expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.get_json()


def refused(response: TestResponse, status: int, code: str) -> Mapping[str, Any]:
    """The problem that an answer is."""
    body = response.get_json(force=True)
    assert (response.status_code, body["code"]) == (status, code), body
    assert response.mimetype == "application/problem+json"
    assert body["status"] == status
    assert body["type"] == f"urn:emerald:problem:{code}"
    assert body["title"]
    assert len(body["detail"]) > 15, "a problem says what is wrong and what would be right"
    found: Mapping[str, Any] = body
    return found


def mailed_code(app: Flask, email: str) -> str:
    """The code in the newest mail to an address, without a mail."""
    with app.app_context(), reading() as session:
        newest = select(Challenge.nonce).where(Challenge.email == email).order_by(Challenge.id.desc()).limit(1)
        return sign_in_code(settings().secret_key, session.scalars(newest).one())


def fails(app: Flask, email: str) -> None:
    """Mail to this address does not arrive from now on."""
    with app.app_context(), transaction() as session:
        broken = {"state": "failing", "failing_since": now(), "last_status": "5.1.1"}
        session.execute(update(Address).where(Address.email == email).values(**broken))


def stranger(app: Flask) -> Person:
    """Somebody without a token."""
    return Person(app.test_client())


def person(app: Flask, name: str, scopes: list[str] | None = None) -> Person:
    """Somebody who has signed up as ``name``, with a token of these scopes (all)."""
    email = f"{name.lower()}@example.org"
    one = Person(app.test_client(), name=name, email=email)
    one.does("/accounts", {"email": email, "display_name": name}, 202)
    body: dict[str, Any] = {"email": email, "code": mailed_code(app, email)}
    if scopes is not None:
        body["scopes"] = scopes
    one.token = one.does("/tokens", body, 201)["token"]
    return one

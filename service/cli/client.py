"""A small HTTP client of the public API: what `emerald demo` plays with. Standard library only."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

TIMEOUT: Final = 20.0


class ApiError(Exception):
    """The server refused: its status, its stable code, and its words."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", ""))
        self.retry_after = 0.0
        super().__init__(f"{status}: {problem.get('detail') or problem.get('title', '')}")


class NoAnswerError(Exception):
    """No answer came."""


@dataclass(frozen=True)
class Answer:
    """One answer of the server; ``json`` is None where the body is none."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body) if self.body else None


class Client:
    """Speaks with one server, as one account if it has a token. Not for several threads at once."""

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a server; one looks like http://127.0.0.1:8000")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.token = token
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._open: Callable[[], HTTPConnection] = lambda: kind(parts.hostname or "", parts.port, timeout=TIMEOUT)

    def get(self, path: str, **query: str | int | None) -> Any:
        """GET below ``/api/v1``, parsed."""
        asked = urlencode({name: value for name, value in query.items() if value is not None})
        return self.call("GET", f"/api/v1{path}{'?' + asked if asked else ''}").json

    def post(self, path: str, body: Any = None, *, key: str | None = None) -> Any:
        """POST below ``/api/v1``, parsed; ``key`` is the Idempotency-Key."""
        return self.call("POST", f"/api/v1{path}", body, {"Idempotency-Key": key} if key else {}).json

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """One request. Raises ApiError for a refusal, NoAnswerError when no answer came."""
        sent = {"Accept": "application/json", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        connection = self._open()
        try:
            connection.request(method, path, body=data, headers=sent)
            response = connection.getresponse()
            answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        except (OSError, HTTPException) as error:
            raise NoAnswerError(f"{self.url} does not answer ({error})") from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise _refusal(answer)
        return answer


def _refusal(answer: Answer) -> ApiError:
    try:
        problem = answer.json
    except ValueError:
        problem = None
    error = ApiError(answer.status, problem if isinstance(problem, dict) else {"title": "no problem+json"})
    after = answer.headers.get("retry-after", "")
    error.retry_after = float(after) if after.isdigit() else 0.0
    return error


def patiently(request: Callable[[], Any], *, seconds: float = 60.0) -> Any:
    """The answer to ``request``, which is sent again while the server is away, failing or asking for patience.

    Only for what may be sent twice: reads, and moves, which name the ply they answer.
    """
    end = time.monotonic() + seconds
    pause = 0.1
    while True:
        try:
            return request()
        except NoAnswerError:
            if time.monotonic() > end:
                raise
        except ApiError as error:
            if (error.status < 500 and error.status != 429) or time.monotonic() > end:
                raise
            pause = max(pause, error.retry_after)
        time.sleep(pause)
        pause = min(pause * 2, 2.0)

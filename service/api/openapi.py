"""The OpenAPI document beyond the routes, and ``contract``, which every route wears.

``contract`` says once which scope a route needs and how it may refuse; the check at run time and the
document both come from it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Any

from apispec_oneofschema import MarshmallowPlugin
from flask import Flask, Response
from flask_smorest import Api, Blueprint
from flask_smorest.utils import prepare_response
from werkzeug.exceptions import HTTPException

from service.api import errors
from service.api.auth import SCOPES, require
from service.api.converters import IdConverter
from service.api.schemas.problem import Problem
from service.config import Settings
from service.ids import ID_PATTERN

VERSION = "1.0.0"

EXAMPLES = Path(__file__).with_name("examples.json")
"""Real answers, recorded by ``tests.api.record_examples``."""

_DESCRIPTION = """\
Whole games of Emerald over HTTP: sign up, create and join games, see your own view of the board, move, read
the log, and take the finished game with you as a record.

* **Times** are RFC 3339 in UTC. **Ids** are short lower-case texts; take them as they are.
* **Errors** are `application/problem+json` (RFC 9457) with a stable `code`; a refused move also has `rule`
  and what is `legal`.
* **A move names the `ply` it answers.** If the game has moved on, the answer is 409 with the present `ply`.
  The same request sent again gets the first answer, byte for byte; it is always safe to repeat a move.
* **Lists** are read in pages: hand `next` of one page to the next request as `after`, until it is null.
* **Caching**: games, boards and records bear an `ETag`; send it as `If-None-Match` and get 304 while
  nothing you may see has changed.
* **Limits**: every answer tells them in `RateLimit-*`; 429 says in `Retry-After` how many seconds to wait.
"""

_OPTIONS: dict[str, Any] = {
    "info": {
        "description": _DESCRIPTION,
        "summary": "Play Emerald over HTTP, by people and by programs",
        "license": {"name": "All rights reserved"},
    },
    "servers": [{"url": "/", "description": "This server"}],
    "security": [],
    "components": {
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "bearerFormat": "emerald_...",
                "description": "A token from POST /api/v1/tokens. Its scopes: "
                + " ".join(f"`{scope}`: {text}" for scope, text in SCOPES.items()),
            }
        }
    },
}

RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds to wait before the request is sent again.",
        "schema": {"type": "integer", "minimum": 1},
        "required": True,
    }
}
AUTHENTICATE = {
    "WWW-Authenticate": {
        "description": "How to authenticate.",
        "schema": {"type": "string"},
        "required": True,
    }
}
ETAG = {
    "ETag": {
        "description": "Names this state of things as this caller may see it.",
        "schema": {"type": "string"},
        "required": True,
    }
}
LOCATION = {
    "Location": {
        "description": "The address of what was made.",
        "schema": {"type": "string", "format": "uri-reference"},
        "required": True,
    }
}
_HEADERS: dict[int, dict[str, Any]] = {401: AUTHENTICATE, 429: RETRY_AFTER, 503: RETRY_AFTER}

IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "description": "The `ETag` of an earlier answer; 304 if nothing has changed since.",
    "schema": {"type": "string"},
}


class ProblemApi(Api):
    """flask-smorest, with problem+json at run time and in the document."""

    ERROR_SCHEMA = Problem
    # Every status is documented by ``contract``, so that an undocumented one is a finding, not "default".
    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask, **options: Any) -> None:
        self._undescribed: list[tuple[Blueprint, list[dict[str, Any]] | None]] = []
        self._made: dict[str, Any] | None = None
        self._making = Lock()
        super().__init__(app, **options)

    def register_blueprint(
        self, blp: Blueprint, *, parameters: list[dict[str, Any]] | None = None, **options: Any
    ) -> None:
        """Put routes on the application; ``document`` describes them.

        To describe all of them takes longer than the rest of the start, and few processes are ever asked for it.
        """
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blp.name] = self
        self._app.register_blueprint(blp, **options)
        self._undescribed.append((blp, parameters))

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            response: dict[str, Any] = {"description": status.phrase}
            if status >= 400:
                response["schema"] = self.ERROR_SCHEMA
            prepare_response(response, self.spec, errors.MIMETYPE)
            self.spec.components.response(status.name, response, lazy=True)

    def _register_pagination_header(self) -> None:
        """Our pages stand in the body; see ``schemas.base.Page``."""

    def handle_http_exception(self, error: HTTPException) -> Response:
        """flask-smorest registers this for all of the framework's own errors."""
        return errors.framework_error(error)

    def document(self) -> dict[str, Any]:
        """The whole document, with the recorded examples in their places. Made once; it is not to be changed."""
        with self._making:
            if self._made is None:
                self._made = self._make()
        return self._made

    def _make(self) -> dict[str, Any]:
        for blueprint, parameters in self._undescribed:
            blueprint.register_views_in_doc(self, self._app, self.spec, name=blueprint.name, parameters=parameters)
            self.spec.tag({"name": blueprint.name, "description": blueprint.description})
        document: dict[str, Any] = self.spec.to_dict()
        recorded = json.loads(EXAMPLES.read_text("utf-8")) if EXAMPLES.exists() else {}
        for path in document["paths"].values():
            for operation in path.values():
                if isinstance(operation, dict) and operation.get("operationId") in recorded:
                    _put_examples(operation, recorded[operation["operationId"]])
        return document


def _put_examples(operation: dict[str, Any], recorded: dict[str, Any]) -> None:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if recorded.get("request"):
            content["examples"] = recorded["request"]
    for status, examples in recorded.get("responses", {}).items():
        for content in operation["responses"][status].get("content", {}).values():
            content["examples"] = examples


def create_api(app: Flask) -> ProblemApi:
    """The document of ``app``, served at ``/api/v1/openapi.json``."""
    app.config.update(
        API_TITLE="Emerald",
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX=None,
        API_SPEC_OPTIONS=json.loads(json.dumps(_OPTIONS)),
    )
    api = ProblemApi(app, spec_kwargs={"marshmallow_plugin": MarshmallowPlugin()})
    api.register_converter(IdConverter, lambda _: {"type": "string", "pattern": f"^{ID_PATTERN}$"})
    return api


def contract(
    operation_id: str,
    *,
    scope: str | None = None,
    signed_in: bool = True,
    refuses: Iterable[str] = (),
    parameters: Iterable[dict[str, Any]] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What a route promises.

    ``scope``: what a token must have here. ``signed_in``: False lets in a request without any token.
    ``refuses``: codes of ``errors.TABLE`` that this route may answer with, beyond those that follow from
    its shape (a body, a query, a token).
    """

    def decorator(view: Callable[..., Any]) -> Callable[..., Any]:
        takes = {p["in"] for p in view.__dict__.get("_apidoc", {}).get("arguments", {}).get("parameters", ())}
        codes = [*refuses, "unauthenticated", "rate-limited", "unavailable"]
        if scope is not None:
            codes.append("scope-missing")
        if "json" in takes:
            codes += ["bad-json", "too-large", "unsupported-media-type"]
        if takes:
            codes.append("invalid")
        needs: list[dict[str, list[str]]] = [{"token": []}]
        doc: dict[str, Any] = {
            "operationId": operation_id,
            "security": needs if signed_in else [{}, *needs],
            "responses": _problems(codes),
        }
        if scope is not None:
            doc["x-scope"] = scope
        checked = require(scope, optional=not signed_in)(view)
        described: Callable[..., Any] = Blueprint.doc(**doc)(checked)
        extra = list(parameters)
        if extra:
            arguments = described.__dict__["_apidoc"].setdefault("arguments", {})
            arguments.setdefault("parameters", []).extend(extra)
        return described

    return decorator


def _problems(codes: Iterable[str]) -> dict[int, dict[str, Any]]:
    by_status: dict[int, list[str]] = defaultdict(list)
    for code in codes:
        if code not in by_status[errors.TABLE[code].status]:
            by_status[errors.TABLE[code].status].append(code)
    responses: dict[int, dict[str, Any]] = {}
    for status in sorted(by_status):
        said = "; ".join(f"{errors.TABLE[code].title} (`{code}`)" for code in by_status[status])
        response: dict[str, Any] = {
            "description": f"{said}.",
            "content": {errors.MIMETYPE: {"schema": Problem}},
        }
        if status in _HEADERS:
            response["headers"] = _HEADERS[status]
        responses[status] = response
    return responses


def document_text() -> str:
    """``openapi.yaml``: the document of the code as it stands, with the recorded examples."""
    import yaml  # type: ignore[import-untyped]  # a development tool: what runs in production serves JSON

    from service.api.app import create_app

    # No connection is made: the document is of the routes alone.
    app = create_app(Settings(secret_key="", database_url="postgresql+psycopg://nowhere"))
    api: ProblemApi = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    text: str = yaml.safe_dump(api.document(), sort_keys=False, allow_unicode=True, width=110)
    return text

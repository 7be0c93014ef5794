"""``openapi.yaml`` is what the code says, and its examples are what the code answers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from flask import Flask
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import validate

from service.api.openapi import EXAMPLES, document_text
from tests.api.record_examples import Recorded, record

ROOT = Path(__file__).parents[2]
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The committed document."""
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))
    return loaded


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation of everything in the document."""
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                yield path, method, methods[method]


def validator(document: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    """Checks values against a schema of the document."""
    return Draft202012Validator({**schema, "components": document["components"]})


def test_the_committed_document_is_that_of_the_code() -> None:
    assert (ROOT / "openapi.yaml").read_text("utf-8") == document_text(), "run `make openapi` and commit openapi.yaml"


def test_it_is_valid_openapi(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    validate(document)


def test_it_is_served(api_app: Flask, document: dict[str, Any]) -> None:
    assert api_app.test_client().get("/api/v1/openapi.json").get_json() == document


def test_every_operation_is_told_of(document: dict[str, Any]) -> None:
    tags = {tag["name"] for tag in document["tags"]}
    ids = []
    for path, method, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"], where
        assert set(operation["tags"]) <= tags, where
        ids.append(operation["operationId"])
        responses = operation["responses"]
        assert {"401", "429", "503"} <= set(responses), where
        assert "default" not in responses, where
        assert ("422" in responses) == bool(operation.get("parameters") or "requestBody" in operation) or all(
            parameter["name"] == "If-None-Match" for parameter in operation.get("parameters", [])
        ), where
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= set(responses), where
        if "{" in path and operation["operationId"] != "revokeToken":
            assert "404" in responses, where
        for status, response in responses.items():
            assert response["description"], where
            if int(status) >= 400:
                assert set(response["content"]) == {"application/problem+json"}, where
            if status in ("429", "503"):
                assert "Retry-After" in response["headers"], where
    assert len(ids) == len(set(ids))


def test_every_route_of_the_api_is_in_it(api_app: Flask, document: dict[str, Any]) -> None:
    written = {(path, method.upper()) for path, method, _ in operations(document)}
    for rule in api_app.url_map.iter_rules():
        if not rule.rule.startswith("/api/v1/") or rule.endpoint == "health.openapi_json":
            continue
        path = re.sub(r"<(?:[^<>]+:)?(\w+)>", r"{\1}", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            assert (path, method) in written


def test_every_example_fits_its_schema(document: dict[str, Any]) -> None:
    checked = 0
    for path, method, operation in operations(document):
        places = [("request", operation.get("requestBody", {}))]
        places += list(operation["responses"].items())
        for place, what in places:
            for kind, content in what.get("content", {}).items():
                for name, example in content.get("examples", {}).items():
                    errors = list(validator(document, content["schema"]).iter_errors(example["value"]))
                    assert not errors, f"{method} {path} {place} {kind} {name}: {errors[0].message}"
                    checked += 1
    assert checked > 60


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_examples_are_what_the_service_answers(api_app: Flask, document: dict[str, Any]) -> None:
    fresh = record(api_app)
    kept: Recorded = json.loads(EXAMPLES.read_text("utf-8"))
    assert _outline(fresh) == _outline(kept), "run `python -m tests.api.record_examples` and `make openapi`"
    for _, _, operation in operations(document):
        for status, examples in fresh.get(operation["operationId"], {"responses": {}})["responses"].items():
            for content in operation["responses"][status]["content"].values():
                for name, example in examples.items():
                    errors = list(validator(document, content["schema"]).iter_errors(example["value"]))
                    assert not errors, f"{operation['operationId']} {status} {name}: {errors[0].message}"


def _outline(recorded: Recorded) -> Any:
    """What was asked, and which keys every answer has; the values depend on the deal."""
    return {
        operation: (
            kept["request"],
            {
                status: {name: _keys(example["value"]) for name, example in examples.items()}
                for status, examples in kept["responses"].items()
            },
        )
        for operation, kept in recorded.items()
        if operation != "makeMove"
    } | {"makeMove": sorted(recorded["makeMove"]["responses"])}


def _keys(value: Any) -> Any:
    return sorted(value) if isinstance(value, dict) else type(value).__name__


def test_a_client_can_be_generated_without_a_warning(tmp_path: Path) -> None:
    tool = shutil.which("openapi-python-client", path=str(Path(sys.executable).parent))
    assert tool is not None
    config = ROOT / "docs" / "client.yaml"
    done = subprocess.run(
        [
            tool,
            "generate",
            "--path",
            str(ROOT / "openapi.yaml"),
            "--config",
            str(config),
            "--output-path",
            str(tmp_path / "client"),
            "--meta",
            "none",
            "--fail-on-warning",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(Path(sys.executable).parent)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "client" / "api" / "moves" / "make_move.py").exists()

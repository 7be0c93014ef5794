"""The contract of the API as its pages show it: the OpenAPI document, read into chapters.

The document is what ``/api/v1/openapi.json`` answers. It comes in as a plain value: pages know nothing of the API's
own code. What it says is English, as the API is; ``**strong**``, ``code`` in backticks, lists of lines that begin with
``*`` and blank lines between paragraphs are what its descriptions know of Markdown.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from markupsafe import Markup, escape

Json = Mapping[str, Any]
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_REF: Final = "#/components/schemas/"
_CODED: Final = re.compile(r"([^;(]+?) \(`([a-z-]+)`\)")
_BOUNDS: Final = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", "characters"),
    ("minItems", "maxItems", "items"),
)


@dataclass(frozen=True, slots=True)
class Field:
    """A property, parameter or header: what it may be, and what it says. Within another, ``name`` is a path."""

    name: str
    kind: Markup
    text: Markup
    required: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A real body, as JSON."""

    name: str
    body: str


@dataclass(frozen=True, slots=True)
class Content:
    """A body of one media type."""

    media: str
    kind: Markup
    examples: Sequence[Example]


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes back with one status."""

    status: int
    phrase: str
    text: Markup
    contents: Sequence[Content]
    headers: Sequence[Field]


@dataclass(frozen=True, slots=True)
class Operation:
    """One request that can be made. ``needs``: "token", "any token or none", and the scope, if one is asked for."""

    name: str
    method: str
    path: str
    summary: str
    text: Markup
    needs: str
    scope: str
    parameters: Sequence[Field]
    body: Content | None
    answers: Sequence[Answer]
    problems: Sequence[Answer]


@dataclass(frozen=True, slots=True)
class Schema:
    """A named shape: its fields, or the shapes of which it is one (``choices``: what tells them apart, and which)."""

    name: str
    text: Markup
    kind: Markup
    fields: Sequence[Field]
    choices: Sequence[tuple[str, Markup]]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The operations of one tag, and every schema that they speak of."""

    slug: str
    name: str
    text: Markup
    operations: Sequence[Operation]
    schemas: Sequence[Schema]


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of error by its stable code."""

    code: str
    status: int
    title: str


@dataclass(frozen=True, slots=True)
class Contract:
    """The whole document."""

    title: str
    version: str
    text: Markup
    tokens: Markup
    chapters: Sequence[Chapter]
    problems: Sequence[Problem]

    def chapter(self, slug: str) -> Chapter | None:
        """The chapter of this name in an address; None if there is none."""
        return next((chapter for chapter in self.chapters if chapter.slug == slug), None)


def read(document: Json) -> Contract:
    """The document in chapters, one a tag, in its own order."""
    schemas: Json = document["components"]["schemas"]
    by_tag: dict[str, list[tuple[Operation, Json]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, shared in document["paths"].items():
        for method in _METHODS:
            if method in shared:
                raw = shared[method]
                by_tag[raw["tags"][0]].append((_operation(path, method, raw, shared.get("parameters", ())), raw))
    shapes = {name: _schema(name, raw) for name, raw in schemas.items()}
    chapters = []
    for tag in document["tags"]:
        found = by_tag[tag["name"]]
        chapters.append(
            Chapter(
                slug=tag["name"].lower().replace(" ", "-"),
                name=tag["name"],
                text=markdown(tag.get("description", "")),
                operations=[operation for operation, _ in found],
                schemas=[shapes[name] for name in _reached(schemas, [raw for _, raw in found])],
            )
        )
    return Contract(
        title=document["info"]["title"],
        version=document["info"]["version"],
        text=markdown(document["info"].get("description", "")),
        tokens=markdown(document["components"]["securitySchemes"]["token"]["description"]),
        chapters=chapters,
        problems=_problems(document),
    )


def markdown(text: str) -> Markup:
    """A description as HTML. Everything is escaped."""
    parts: list[Markup] = []
    for block in re.split(r"\n\s*\n", text.strip()):
        before, *items = re.split(r"(?m)^\* ", block)
        if before.strip():
            parts.append(Markup("<p>{}</p>").format(_inline(before)))
        if items:
            listed = Markup("").join(Markup("<li>{}</li>").format(_inline(item)) for item in items)
            parts.append(Markup("<ul>{}</ul>").format(listed))
    return Markup("").join(parts)


def _inline(text: str) -> Markup:
    plain = str(escape(" ".join(text.split())))
    coded = re.sub(r"`([^`]+)`", r"<code>\1</code>", plain)
    return Markup(re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", coded))  # noqa: S704 - escaped above


def _operation(path: str, method: str, raw: Json, shared: Sequence[Json]) -> Operation:
    answers = [_answer(int(status), answer) for status, answer in raw["responses"].items()]
    answers.sort(key=lambda answer: answer.status)
    body = raw.get("requestBody")
    contents = [] if body is None else _contents(body)
    open_to_all = {} in raw.get("security", [{}])
    return Operation(
        name=raw["operationId"],
        method=method.upper(),
        path=path,
        summary=raw.get("summary", ""),
        text=markdown(raw.get("description", "")),
        needs="any token, or none" if open_to_all else "token",
        scope=raw.get("x-scope", ""),
        parameters=[_parameter(one) for one in (*shared, *raw.get("parameters", ()))],
        body=contents[0] if contents else None,
        answers=[answer for answer in answers if answer.status < HTTPStatus.BAD_REQUEST],
        problems=[answer for answer in answers if answer.status >= HTTPStatus.BAD_REQUEST],
    )


def _answer(status: int, raw: Json) -> Answer:
    phrase = HTTPStatus(status).phrase
    said = raw.get("description", "")
    return Answer(
        status=status,
        phrase=phrase,
        text=markdown("" if said == phrase else said),
        contents=_contents(raw),
        headers=[_parameter({"name": name} | header) for name, header in raw.get("headers", {}).items()],
    )


def _contents(raw: Json) -> list[Content]:
    return [
        Content(
            media=media,
            kind=_kind(content.get("schema", {})),
            examples=[
                Example(name, json.dumps(example["value"], indent=2, ensure_ascii=False))
                for name, example in content.get("examples", {}).items()
            ],
        )
        for media, content in raw.get("content", {}).items()
    ]


def _parameter(raw: Json) -> Field:
    return Field(
        name=raw["name"],
        kind=_kind(raw.get("schema", {})),
        text=markdown(raw.get("description", "")),
        required=bool(raw.get("required")),
        place=raw.get("in", ""),
    )


def _schema(name: str, raw: Json) -> Schema:
    return Schema(
        name=name,
        text=markdown(raw.get("description", "")),
        kind=_kind({key: value for key, value in raw.items() if key not in ("properties", "oneOf")}),
        fields=list(_fields(raw)),
        choices=_choices(raw),
    )


def _choices(raw: Json) -> list[tuple[str, Markup]]:
    told = raw.get("discriminator", {})
    by = {ref: f'{told["propertyName"]}: "{value}"' for value, ref in told.get("mapping", {}).items()}
    return [(by.get(choice.get("$ref", ""), ""), _kind(choice)) for choice in raw.get("oneOf", ())]


def _fields(raw: Json, path: str = "") -> Iterator[Field]:
    """The properties of a shape; those of shapes without a name of their own below them, as ``outer.inner``."""
    required = raw.get("required", ())
    for name, inner in raw.get("properties", {}).items():
        yield Field(f"{path}{name}", _kind(inner), markdown(inner.get("description", "")), name in required)
        yield from _fields(inner, f"{path}{name}.")
        if isinstance(inner.get("items"), dict):
            yield from _fields(inner["items"], f"{path}{name}[].")


def _kind(raw: Json) -> Markup:
    """What a value may be, in a few words; named shapes are links to where they stand on the page."""
    if "$ref" in raw:
        name = raw["$ref"].removeprefix(_REF)
        return Markup('<a href="#schema-{}">{}</a>').format(name, name)
    for key in ("anyOf", "oneOf"):
        if key in raw:
            return Markup(" or ").join(_kind(choice) for choice in raw[key])
    if "enum" in raw:
        values = (Markup("<code>{}</code>").format(json.dumps(value)) for value in raw["enum"])
        return Markup(" | ").join(values)
    types = raw.get("type", ())
    kinds = [types] if isinstance(types, str) else list(types)
    return Markup(" or ").join(_plain(kind, raw) for kind in kinds) + _bounds(raw)


def _plain(kind: str, raw: Json) -> Markup:
    if kind == "array":
        return Markup("list of {}").format(_kind(raw.get("items", {})) or "anything")
    if kind == "object" and isinstance(raw.get("additionalProperties"), dict) and "properties" not in raw:
        return Markup("object of {}").format(_kind(raw["additionalProperties"]) or "anything")
    if kind == "string" and "format" in raw:
        return Markup("string ({})").format(raw["format"])
    return escape(kind)


def _bounds(raw: Json) -> Markup:
    told = []
    for least, most, unit in _BOUNDS:
        low, high = raw.get(least), raw.get(most)
        if low is not None and high is not None:
            told.append(f"{low} to {high} {unit}")
        elif low is not None or high is not None:
            told.append(f"at least {low} {unit}" if high is None else f"at most {high} {unit}")
    parts = [escape(f", {one.strip()}") for one in told]
    if "pattern" in raw:
        parts.append(Markup(", like <code>{}</code>").format(raw["pattern"]))
    if raw.get("default") is not None:
        parts.append(Markup(", else <code>{}</code>").format(json.dumps(raw["default"])))
    return Markup("").join(parts)


def _reached(schemas: Json, operations: Sequence[Json]) -> list[str]:
    """The names of all schemas that these operations speak of, then of those that these speak of, and so on."""
    found: dict[str, None] = {}
    waiting = deque(name for operation in operations for part in _parts(operation) for name in _named(part))
    while waiting:
        name = waiting.popleft()
        if name not in found:
            found[name] = None
            waiting += _named(schemas[name])
    return list(found)


def _parts(operation: Json) -> Iterator[Any]:
    """What an operation takes, then what it answers, errors last."""
    yield operation.get("requestBody")
    for _, answer in sorted(operation["responses"].items()):
        yield answer


def _named(raw: Any) -> Iterator[str]:
    if isinstance(raw, dict):
        for key, value in raw.items():
            if key == "$ref" and isinstance(value, str):
                yield value.removeprefix(_REF)
            elif key != "examples":
                yield from _named(value)
    elif isinstance(raw, list):
        for value in raw:
            yield from _named(value)


def _problems(document: Json) -> list[Problem]:
    found: dict[str, Problem] = {}
    for path in document["paths"].values():
        for method in _METHODS:
            for status, answer in path.get(method, {}).get("responses", {}).items():
                if int(status) >= HTTPStatus.BAD_REQUEST:
                    for title, code in _CODED.findall(answer.get("description", "")):
                        found[code] = Problem(code, int(status), title.strip())
    return sorted(found.values(), key=lambda problem: (problem.status, problem.code))

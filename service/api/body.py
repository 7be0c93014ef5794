"""Reading what a client sent: JSON that nothing behind this module can choke on.

Every text that passes here can be stored: PostgreSQL refuses NUL in text, and a lone surrogate cannot be
encoded at all. Every number fits a database integer, nothing is nested deeply, and no key is said twice
(which of two would count is anybody's guess).
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import Request
from marshmallow import RAISE, ValidationError
from webargs.flaskparser import FlaskParser

from service.api.errors import RequestProblem
from service.errors import Refusal

MAX_DEPTH = 12
MAX_DIGITS = 18


class StrictParser(FlaskParser):
    """webargs for Flask, but strict: unknown keys are refused by name in every place they can stand."""

    DEFAULT_VALIDATION_STATUS = 422
    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 - webargs' own way to set it
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "json": RAISE,
        "query": RAISE,
    }

    def _raw_load_json(self, req: Request) -> Any:
        """The JSON body; an empty body is an empty object, so that the schema names what is missing."""
        raw = req.get_data(cache=True)
        if not raw:
            return {}
        if req.mimetype != "application/json" and not req.mimetype.endswith("+json"):
            raise RequestProblem(
                "unsupported-media-type",
                "This body is not marked as JSON. Send JSON with the header Content-Type: application/json.",
            )
        return parse_json(raw)

    def load_querystring(self, req: Request, schema: Any) -> Any:
        """The query string, refused if a text in it could not be stored."""
        for name, values in req.args.lists():
            for text in (name, *values):
                _check_text(text, (name if text is not name else "query",))
            if len(values) > 1:
                _refuse((name,), "Said more than once; say it once.")
        return super().load_querystring(req, schema)

    def handle_error(
        self, error: ValidationError, req: Request, schema: Any, *, error_status_code: Any, error_headers: Any
    ) -> NoReturn:
        """What marshmallow found wrong, as our own refusal."""
        raise refusal_of({"_schema": error.messages} if isinstance(error.messages, list) else error.messages) from error


def parse_json(raw: bytes) -> Any:
    """The JSON value in ``raw``; raises ``RequestProblem`` if it is none, ``Refusal`` if we cannot take it."""
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_constant=_constant,
        )
    except UnicodeDecodeError as error:
        raise RequestProblem("bad-json", "This body is not UTF-8 text. JSON is sent as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise RequestProblem(
            "bad-json", f"This body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error
    except RecursionError as error:
        raise _too_deep() from error
    _check(value)
    if value is None:
        # webargs takes null for "no body"; an object is what every route wants
        raise refusal_of({"_schema": ["The body must be a JSON object, not null."]})
    return value


def refusal_of(messages: dict[str, Any]) -> Refusal:
    """One ``invalid`` refusal from marshmallow's nested messages, flattened to ``path: [texts]``."""
    errors = dict(_flatten(messages, ()))
    said = "; ".join(f"{path}: {' '.join(texts)}" for path, texts in list(errors.items())[:5])
    more = f" (and {len(errors) - 5} more)" if len(errors) > 5 else ""
    return Refusal("invalid", f"The request does not fit its contract. {said}{more}", errors=errors)


def _flatten(node: Any, path: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    if isinstance(node, dict):
        found: list[tuple[str, list[str]]] = []
        for key, below in node.items():
            step = () if key in ("_schema", "json", "query", "headers", "path") else (str(key),)
            found += _flatten(below, (*path, *step))
        return found
    texts = [str(text) for text in node] if isinstance(node, list) else [str(node)]
    return [(".".join(path)[:200] or "body", texts)]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            _refuse((_shown(key),), "Said twice in one object; say it once.")
        value[key] = item
    return value


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        _refuse((), f"A number of {len(digits)} digits is too large; at most {MAX_DIGITS} digits are taken.")
    return int(digits)


def _constant(word: str) -> NoReturn:
    raise RequestProblem("bad-json", f"This body is not JSON: {word} is not a JSON number.")


def _check(value: Any) -> None:
    """Walk the whole value without recursion, as it may be nested as deep as the parser allowed."""
    waiting: list[tuple[Any, tuple[str, ...]]] = [(value, ())]
    while waiting:
        node, path = waiting.pop()
        if len(path) > MAX_DEPTH:
            raise _too_deep()
        if isinstance(node, str):
            _check_text(node, path)
        elif isinstance(node, dict):
            for key, below in node.items():
                _check_text(key, (*path, _shown(key)))
                waiting.append((below, (*path, _shown(key))))
        elif isinstance(node, list):
            waiting += [(below, (*path, str(index))) for index, below in enumerate(node)]


def _check_text(text: str, path: tuple[str, ...]) -> None:
    if "\x00" in text:
        _refuse(path, "A text may not hold the character NUL (U+0000).")
    if any("\ud800" <= character <= "\udfff" for character in text):
        _refuse(path, "A text may not hold half of a surrogate pair (U+D800 to U+DFFF).")


def _shown(key: str) -> str:
    """A key as it may be repeated in an answer: short and printable."""
    return "".join(character if character.isprintable() else "?" for character in key[:60])


def _refuse(path: tuple[str, ...], text: str) -> NoReturn:
    raise refusal_of({".".join(path) or "_schema": [text]})


def _too_deep() -> Refusal:
    return refusal_of({"_schema": [f"Nested too deeply; at most {MAX_DEPTH} levels are taken."]})

"""Structured logs: one JSON object a line, ids only. What slips in all the same is struck out here."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_TOKEN = re.compile(r"emerald_[A-Za-z0-9_-]{6,}")
_ADDRESS = re.compile(r"[^\s@<>\"'(),:;=]+@[^\s@<>\"'(),:;]+")
_CODE = re.compile(r"(?<![\w.-])\d{4}[ -]?\d{4}(?![\w.-])")
_SEED = re.compile(r"\b[0-9a-fA-F]{64}\b")
_URL_PASSWORD = re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+@")

#: Values under these names are never written, whatever they look like.
SECRET_KEYS = frozenset(
    {
        "authorization",
        "code",
        "cookie",
        "email",
        "entropy",
        "gold",
        "hands",
        "join_code",
        "line",
        "nonce",
        "password",
        "position",
        "secret",
        "secret_key",
        "seed",
        "set-cookie",
        "text",
        "to",
        "token",
        "view",
    }
)


def scrub(text: str) -> str:
    """``text`` with tokens, passwords in URLs, addresses, codes and seeds struck out."""
    text = _URL_PASSWORD.sub("", text)
    text = _TOKEN.sub("emerald_***", text)
    text = _ADDRESS.sub("***@***", text)
    text = _SEED.sub("***", text)
    return _CODE.sub("********", text)


def redact(logger: object, method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Processor of structlog: strike out secret keys, and secrets inside any text."""
    return {key: _clean(key, value) for key, value in entry.items()}


def _clean(key: str, value: Any) -> Any:
    if key.lower() in SECRET_KEYS:
        return "***"
    if isinstance(value, str):
        return value if key == "timestamp" else scrub(value)
    if isinstance(value, dict):
        return {str(inner): _clean(str(inner), part) for inner, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(key, part) for part in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return scrub(repr(value))


def fault(error: BaseException) -> None:
    """Log a fault of ours: its kind and where it was, without its words and values, which may hold what is hidden."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    structlog.get_logger(__name__).error("unforeseen error", error=type(error).__name__, trace=frames[-12:])


def configure(level: str = "INFO") -> None:
    """Send structlog and the standard library's logs through the same processors to stderr; again changes the level."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact,
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.set_name("emerald")
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                redact,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [kept for kept in root.handlers if kept.get_name() != "emerald"] + [handler]
    root.setLevel(level)

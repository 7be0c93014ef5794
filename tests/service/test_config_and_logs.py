"""Settings from the environment, and logs that tell no secrets."""

import io
import json
import logging
import stat
from pathlib import Path

import pytest
import structlog

from service import logs
from service.codes import sign_in_code
from service.config import ConfigError, Settings
from service.errors import CODES, Refusal

KEY = {"EMERALD_SECRET_KEY": "k" * 40}


def test_what_is_given_is_read() -> None:
    settings = Settings.from_env(
        {
            **KEY,
            "EMERALD_DATABASE_URL": "postgresql://u:secretpw@db/x",
            "EMERALD_DEV_INBOX": "yes",
            "EMERALD_CORS_ORIGINS": "https://a.example, https://b.example",
            "EMERALD_RATE_LIMIT": "off",
            "EMERALD_MAX_BODY_BYTES": "1000",
            "EMERALD_RELAY_SECONDS": "0.2",
            "EMERALD_MAIL_FROM": "Emerald <play@games.example>",
            "EMERALD_LOG_LEVEL": "debug",
            "EMERALD_PORT_8000_TCP": "a container platform sets such things",
            "PATH": "/bin",
        }
    )
    assert settings.dev_inbox is True
    assert settings.cors_origins == ("https://a.example", "https://b.example")
    assert settings.rate_limit is None
    assert (settings.max_body_bytes, settings.relay_seconds, settings.log_level) == (1000, 0.2, "DEBUG")
    assert settings.mail_domain == "games.example"
    assert "secretpw" not in repr(settings)
    assert KEY["EMERALD_SECRET_KEY"] not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEV_INBOX", "perhaps"),
        ("MAX_BODY_BYTES", "64k"),
        ("OUTBOX_LEASE_SECONDS", "0"),
        ("RELAY_SECONDS", "0"),
        ("RELAY_SECONDS", "nan"),
        ("LOG_LEVEL", "loud"),
        ("TRUSTED_PROXIES", "-1"),
        ("RATE_LIMIT", "600"),
        ("RATE_LIMIT", "600/fortnight"),
        ("MAIL_URL", "gopher:x"),
        ("MAIL_URL", "smtp://user:secret@host:port"),
        ("DATABASE_URL", "foo"),
        ("SECRET_KEY", "guessed"),
        ("BASE_URL", "games.example.org"),
        ("MAIL_FROM", ""),
        ("MAIL_FROM", "Emerald <nobody>"),
        ("MAIL_FROM", "a@b.example\nBcc: c@d.example"),
    ],
)
def test_what_cannot_be_used_is_named(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"EMERALD_{name}"):
        Settings.from_env({**KEY, f"EMERALD_{name}": value})


def test_production_needs_a_key() -> None:
    with pytest.raises(ConfigError, match="EMERALD_SECRET_KEY"):
        Settings.from_env({"EMERALD_DATABASE_URL": "postgresql://db/x"})


def test_an_emptied_key_file_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "secret-key").touch()
    with pytest.raises(ConfigError, match="secret-key"):
        Settings.from_env({"EMERALD_DATABASE_URL": f"sqlite:///{tmp_path / 'emerald.db'}"})


def test_the_embedded_mode_makes_a_key_once_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = Settings.from_env({}).secret_key
    assert len(first) >= 32
    assert Settings.from_env({}).secret_key == first
    kept = tmp_path / "var" / "secret-key"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret-key"]


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("token emerald_Ab-_cd1234567890 used", "token emerald_*** used"),
        ("mail to anna.b+c@mail.example.org failed", "mail to ***@*** failed"),
        ("To: <anna@example.org>, x", "To: <***@***>, x"),
        ("code 12345678", "code ********"),
        ("your code is 1234 5678", "your code is ********"),
        ("code=12345678", "code=********"),
        ("postgresql://user:pw@db/x", "postgresql://db/x"),
        ("seed " + "ab" * 32, "seed ***"),
        ("game 7kq2m9xw4t8z ply 12", "game 7kq2m9xw4t8z ply 12"),
    ],
)
def test_scrubbing(text: str, scrubbed: str) -> None:
    assert logs.scrub(text) == scrubbed


def test_logs_are_json_and_hold_no_secret() -> None:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    logs.configure("INFO")
    stream = io.StringIO()
    handler = next(handler for handler in root.handlers if handler.get_name() == "emerald")
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream)
    code = sign_in_code("k" * 32, "nonce")
    try:
        structlog.get_logger("test").warning(
            "mail_failed",
            game="7kq2m9xw4t8z",
            ply=12,
            error=f"550 anna@example.org {code}",
            seed="ab" * 32,
            nested={"token": "emerald_abcdefghijk", "why": ["bob@example.org"]},
            thing=object(),
        )
        logging.getLogger("library").error("cannot write to %s", "anna@example.org")
        try:
            raise ValueError("bad address anna@example.org")
        except ValueError:
            structlog.get_logger("test").exception("unforeseen")
        structlog.get_logger("test").debug("not at this level")
    finally:
        root.handlers, root.level = before, level
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert len(lines) == 3
    assert (lines[0]["game"], lines[0]["ply"], lines[0]["level"]) == ("7kq2m9xw4t8z", 12, "warning")
    assert lines[0]["timestamp"].endswith("Z")
    text = stream.getvalue()
    for secret in ("example.org", code, "ab" * 32, "emerald_abc"):
        assert secret not in text


def test_every_refusal_has_a_known_code() -> None:
    with pytest.raises(ValueError, match="unknown refusal code"):
        Refusal("no-such-code", "x")
    assert all(code == code.lower() and " " not in code for code in CODES)


def test_codes_are_eight_digits_and_bound_to_key_and_nonce() -> None:
    codes = {sign_in_code(key, nonce) for key in ("a", "b") for nonce in ("1", "2")}
    assert len(codes) == 4
    assert all(len(code) == 8 and code.isdigit() for code in codes)

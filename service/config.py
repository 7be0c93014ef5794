"""Settings, all from environment variables ``EMERALD_*``; docs/OPERATIONS.md describes each."""

import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from email.utils import parseaddr
from pathlib import Path

import structlog
from limits import parse_many
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from service.mail.dkim import KeyFileError, check_key
from service.mail.transports import transport_from

PREFIX = "EMERALD_"
SHORTEST_KEY = 32
#: In MAIL_REPLY: where the token of an answer stands.
TOKEN = "{token}"  # noqa: S105 - a placeholder
#: Room beside the longest token in the local part of an address (64 characters).
LONGEST_REPLY_NAME = 24
_log = structlog.get_logger(__name__)
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off", ""})


class ConfigError(ValueError):
    """An environment variable that cannot be used; the message names it and says what would do."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the operator decides. Fields that hold passwords or keys stay out of ``repr``."""

    database_url: str = field(default="sqlite:///var/emerald.db", repr=False)
    broker_url: str = field(default="memory://", repr=False)
    rate_limit_url: str = field(default="memory://", repr=False)
    secret_key: str = field(repr=False)
    base_url: str = "http://127.0.0.1:8000"
    mail_url: str = field(default="folder:var/mail", repr=False)
    mail_from: str = "Emerald <emerald@localhost>"
    mail_reply: str = ""
    mail_dkim_key_file: str = ""
    mail_dkim_selector: str = ""
    mail_pile_seconds: int = 60
    mail_answers_per_hour: int = 20
    inbound_authserv_ids: tuple[str, ...] = ()
    inbound_max_bytes: int = 10 * 1024 * 1024
    inbound_imap_url: str = field(default="", repr=False)
    inbound_imap_done: str = "Emerald"
    inbound_listen: str = ""
    inbound_webhook_secret: str = field(default="", repr=False)
    dev_inbox: bool = False
    cors_origins: tuple[str, ...] = ("*",)
    rate_limit: str | None = "600/minute"
    max_body_bytes: int = 64 * 1024
    outbox_lease_seconds: int = 60
    outbox_retry_seconds: int = 10
    outbox_max_attempts: int = 12
    relay_seconds: float = 1.0
    clock_seconds: float = 10.0
    absence_days_per_year: int = 60
    log_level: str = "INFO"
    trusted_proxies: int = 0

    @property
    def mail_domain(self) -> str:
        """The domain of MAIL_FROM, for Message-IDs."""
        return self.service_address.rsplit("@", 1)[-1] or "localhost"

    @property
    def service_address(self) -> str:
        """The bare address of MAIL_FROM: where a first mail is written to."""
        return parseaddr(self.mail_from)[1]

    def address(self, path: str) -> str:
        """The whole web address of a path of ours: ``https://emerald.example.org/rules``."""
        return self.base_url.rstrip("/") + path

    def reply_address(self, token: str) -> str:
        """The address that answers to this (sealed) token go to."""
        local, _, domain = self.service_address.rpartition("@")
        return (self.mail_reply or f"{local}+{TOKEN}@{domain}").replace(TOKEN, token)

    def token_in(self, address: str) -> str | None:
        """The (sealed) token in an address of ours, as it stands there; None if the address is no such one."""
        before, after = self.reply_address(TOKEN).lower().split(TOKEN)
        low = address.strip().lower()
        if len(low) > len(before) + len(after) and low.startswith(before) and low.endswith(after):
            return low[len(before) : len(low) - len(after)]
        return None

    def is_ours(self, address: str) -> bool:
        """Whether mail to this address is for us."""
        return address.strip().lower() == self.service_address.lower() or self.token_in(address) is not None

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> "Settings":
        """Read ``env`` (the process's own by default).

        An unknown ``EMERALD_*`` name is most likely a typing error, but may be a container platform's: it is warned of.
        """
        source = os.environ if env is None else env
        given = {name[len(PREFIX) :].lower(): text for name, text in source.items() if name.startswith(PREFIX)}
        known = {f.name for f in fields(cls)}
        for name in sorted(set(given) - known):
            _log.warning("unknown_setting", name=PREFIX + name.upper())
        values: dict[str, object] = {
            name: _READERS.get(name, _text)(name, text) for name, text in given.items() if name in known
        }
        if bool(values.get("mail_dkim_key_file")) != bool(values.get("mail_dkim_selector")):
            raise ConfigError(
                f"{PREFIX}MAIL_DKIM_KEY_FILE and {PREFIX}MAIL_DKIM_SELECTOR are set together or not at all: the "
                "selector names the DNS record (selector._domainkey.example.org) that holds the public key"
            )
        key = values.get("secret_key") or _kept_secret_key(str(values.get("database_url", cls.database_url)))
        values["secret_key"] = _long_enough(str(key))
        return cls(**values)  # type: ignore[arg-type]  # each reader gives the type of its field


def _text(name: str, text: str) -> str:
    return text.strip()


def _web_address(name: str, text: str) -> str:
    address = text.strip()
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", address):
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is no web address like https://emerald.example.org")
    return address


def _sender(name: str, text: str) -> str:
    _, address = parseaddr(text)
    if not text.isprintable() or not re.fullmatch(r"[^@\s]+@[^@\s]+", address):
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is no sender like Emerald <emerald@example.org>")
    return text.strip()


def _reply(name: str, text: str) -> str:
    pattern = text.strip()
    local, _, domain = pattern.rpartition("@")
    if pattern and (local.count(TOKEN) != 1 or not re.fullmatch(r"[^@\s{}]+", domain) or pattern.count("{") != 1):
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is no address like play+{TOKEN}@example.org")
    if len(local) - len(TOKEN) > LONGEST_REPLY_NAME:
        raise ConfigError(
            f"{PREFIX}{name.upper()} may have {LONGEST_REPLY_NAME} characters before the @ beside {TOKEN}"
        )
    return pattern


def _listen(name: str, text: str) -> str:
    url = text.strip()
    if url and not re.fullmatch(r"(lmtp|smtp)://(\[[0-9a-fA-F:]+\]|[^\s:/@]+):[0-9]{1,5}", url):
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is no place to listen at like lmtp://127.0.0.1:8024")
    return url


def _imap(name: str, text: str) -> str:
    url = text.strip()
    if url and not re.fullmatch(r"imaps?://[^\s:@/]+:[^\s@/]+@[^\s@/]+(/[^\s]*)?", url):
        raise ConfigError(
            f"{PREFIX}{name.upper()} is no mailbox like imaps://user:password@imap.example.org/INBOX; write special "
            "characters of the name or the password as %XX"
        )
    return url


def _webhook_secret(name: str, text: str) -> str:
    secret = text.strip()
    if secret and len(secret) < SHORTEST_KEY:
        raise ConfigError(f"{PREFIX}{name.upper()} has {len(secret)} characters; at least {SHORTEST_KEY} are needed")
    return secret


def _flag(name: str, text: str) -> bool:
    word = text.strip().lower()
    if word in _YES | _NO:
        return word in _YES
    raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is neither yes nor no; use 1 or 0")


def _whole(name: str, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is not a whole number of at least 0")
    return number


def _positive(name: str, text: str) -> int:
    number = _whole(name, text)
    if number == 0:
        raise ConfigError(f"{PREFIX}{name.upper()} must be at least 1")
    return number


def _seconds(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 86_400:
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is not a number of seconds above 0")
    return number


def _words(name: str, text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _limit(name: str, text: str) -> str | None:
    limit = text.strip()
    if limit.lower() in _NO:
        return None
    try:
        parse_many(limit)
    except ValueError:
        raise ConfigError(
            f"{PREFIX}{name.upper()}={text!r} is no limit; one looks like 600/minute, and off is none"
        ) from None
    return limit


def _mail_url(name: str, text: str) -> str:
    try:
        transport_from(text.strip())
    except ValueError as error:
        raise ConfigError(f"{PREFIX}{error}") from None
    return text.strip()


def _dkim_key(name: str, text: str) -> str:
    path = text.strip()
    try:
        if path:
            check_key(path)
    except KeyFileError as error:
        raise ConfigError(f"{PREFIX}{name.upper()}={path!r} {error}") from None
    return path


def _dkim_selector(name: str, text: str) -> str:
    selector = text.strip()
    if not re.fullmatch(r"([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.|\Z))*", selector):
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is no part of a domain name like mail2026")
    return selector


def _database_url(name: str, text: str) -> str:
    try:
        make_url(text.strip())
    except ArgumentError:
        raise ConfigError(
            f"{PREFIX}{name.upper()} is no SQLAlchemy URL; one looks like sqlite:///var/emerald.db or "
            "postgresql+psycopg://user:password@host/name"
        ) from None
    return text.strip()


def _level(name: str, text: str) -> str:
    level = text.strip().upper()
    if level not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
        raise ConfigError(f"{PREFIX}{name.upper()}={text!r} is not DEBUG, INFO, WARNING, ERROR or CRITICAL")
    return level


_READERS = {
    "base_url": _web_address,
    "mail_from": _sender,
    "mail_reply": _reply,
    "mail_dkim_key_file": _dkim_key,
    "mail_dkim_selector": _dkim_selector,
    "mail_pile_seconds": _whole,
    "mail_answers_per_hour": _positive,
    "inbound_authserv_ids": _words,
    "inbound_max_bytes": _positive,
    "inbound_imap_url": _imap,
    "inbound_listen": _listen,
    "inbound_webhook_secret": _webhook_secret,
    "dev_inbox": _flag,
    "cors_origins": _words,
    "rate_limit": _limit,
    "mail_url": _mail_url,
    "database_url": _database_url,
    "max_body_bytes": _positive,
    "outbox_lease_seconds": _positive,
    "outbox_retry_seconds": _positive,
    "outbox_max_attempts": _positive,
    "relay_seconds": _seconds,
    "clock_seconds": _seconds,
    "absence_days_per_year": _whole,
    "log_level": _level,
    "trusted_proxies": _whole,
}


def _long_enough(key: str) -> str:
    if len(key) < SHORTEST_KEY:
        raise ConfigError(
            f"{PREFIX}SECRET_KEY (or the file secret-key beside the database) has {len(key)} characters; at least "
            f"{SHORTEST_KEY} random ones are needed, as sign-in codes are made with it"
        )
    return key


def _kept_secret_key(database_url: str) -> str:
    """Embedded mode (SQLite): a key made once and kept beside the database, so that codes and tokens outlive a restart.

    Without a file to stand beside, it is a key for this process alone.
    """
    if not database_url.startswith("sqlite"):
        raise ConfigError(
            f"{PREFIX}SECRET_KEY must be set (at least {SHORTEST_KEY} random characters): every process of a "
            "production installation needs the same one"
        )
    database = make_url(database_url).database
    if database in (None, "", ":memory:"):
        return secrets.token_urlsafe(48)
    path = Path(str(database)).parent / "secret-key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"secret-key.{os.getpid()}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        # Linked whole into place: of two processes that start together one wins and both read the same key.
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()

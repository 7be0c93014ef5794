"""`emerald inbound` and what `emerald serve` does beside the rest, as an operator runs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from flask import Flask

from service.config import PREFIX
from tests.cli.conftest import Emerald, emerald
from tests.doorways.conftest import TAGGED, kept, letter
from tests.e2e.stack import answers, program
from tests.support.imap import SERVICE, MailDevel, append, contents, imap_url
from tests.support.mta import Lmtp
from tests.support.ports import HOST, accepts, free_port
from tests.support.processes import python_program, wait_until

__all__ = ["emerald"]  # a fixture

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def pipe(environment: dict[str, str], raw: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """`emerald inbound pipe`, as a mail server runs it."""
    return subprocess.run(
        python_program("-m", "service.cli", "inbound", "pipe", *arguments),
        input=raw,
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def test_a_piped_mail_is_kept_with_the_envelope_that_the_mail_server_tells(
    app: Flask, environment: dict[str, str]
) -> None:
    told = pipe({**environment, "SENDER": "ada@example.org", "ORIGINAL_RECIPIENT": TAGGED}, letter())
    assert (told.returncode, told.stdout) == (0, b"")
    assert pipe(environment, letter(2), "--sender", "bob@example.org", "--recipient", SERVICE).returncode == 0
    assert [(mail.raw, mail.via, mail.sender, mail.recipients) for mail in kept(app)] == [
        (letter(), "pipe", "ada@example.org", (TAGGED,)),
        (letter(2), "pipe", "bob@example.org", (SERVICE,)),
    ]


@pytest.mark.parametrize("fault", ["away", "without tables", "no address"])
def test_what_cannot_be_kept_now_is_to_be_offered_again(
    emerald: Emerald, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str
) -> None:
    urls = {"away": "postgresql+psycopg://nobody@127.0.0.1:1/nothing", "without tables": f"sqlite:///{tmp_path}/new.db"}
    _set(monkeypatch, {**environment, f"{PREFIX}DATABASE_URL": urls.get(fault, "x")})
    told = emerald("inbound", "pipe", stdin=letter())
    assert told.status == 75
    assert told.err.startswith("Error: ") or "\nError: " in told.err
    assert "Traceback" not in told.err
    assert "ada" not in told.err


def test_what_is_too_big_is_refused_for_good(
    emerald: Emerald, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _set(monkeypatch, environment)
    assert emerald("inbound", "pipe", stdin=letter(text="x" * 300_000)).status == 65


@pytest.mark.parametrize("way", [("listen", "EMERALD_INBOUND_LISTEN"), ("imap", "EMERALD_INBOUND_IMAP_URL")])
def test_a_doorway_that_is_not_set_up_says_what_it_needs(
    emerald: Emerald, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, way: tuple[str, str]
) -> None:
    _set(monkeypatch, environment)
    told = emerald("inbound", way[0])
    assert told.status == 1
    assert f"{way[1]} is not set" in told.err


def _set(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


def test_serve_listens_and_fetches_beside_the_rest(app: Flask, environment: dict[str, str], tmp_path: Path) -> None:
    web, port = free_port(), free_port()
    with MailDevel() as house:
        settings = {
            **environment,
            f"{PREFIX}INBOUND_LISTEN": f"lmtp://{HOST}:{port}",
            f"{PREFIX}INBOUND_IMAP_URL": imap_url(house),
        }
        arguments = ("-m", "service.cli", "serve", "--port", str(web), "--data", str(tmp_path / "data"))
        serve = program("serve", tmp_path, settings, *arguments)
        serve.ready = lambda: answers(f"http://{HOST}:{web}/healthz") and accepts(port)
        with serve:
            with Lmtp(HOST, port) as client:
                client.sendmail("ada@example.org", [TAGGED], letter())
            append(house, letter(2))
            wait_until(lambda: len(kept(app)) == 2, seconds=40, every=0.1, what="both to be kept")
            wait_until(lambda: not contents(house), seconds=40, every=0.1, what="the mailbox to be empty")
            assert serve.stop() == 0
    assert {mail.via for mail in kept(app)} == {"lmtp", "imap"}
    assert "Traceback" not in serve.log.read_text()

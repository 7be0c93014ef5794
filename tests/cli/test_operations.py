"""docs/OPERATIONS.md against the code, and the commands it names."""

import dataclasses
import os
import re
from pathlib import Path

import pytest
from flask import Flask

from service import clock, outbox
from service.cli import COMMANDS
from service.config import PREFIX, Settings
from service.db import transaction
from tests.cli.conftest import Emerald
from tests.support.processes import ROOT
from workers.celery_app import QUEUES

DOCUMENT = (ROOT / "docs" / "OPERATIONS.md").read_text()


def test_every_setting_is_described_with_its_default() -> None:
    described = dict(re.findall(r"^\| `EMERALD_([A-Z_]+)` \| `?([^`|]+)`?[^|]*\|", DOCUMENT, re.MULTILINE))
    fields = {field.name.upper(): field for field in dataclasses.fields(Settings)}
    assert described.keys() == fields.keys()
    for name, field in fields.items():
        if name == "SECRET_KEY":
            continue
        value = described[name].strip().removeprefix("not set")
        read = Settings.from_env({f"{PREFIX}SECRET_KEY": "k" * 40, f"{PREFIX}{name}": value})
        assert getattr(read, field.name) == field.default, name


def test_every_queue_is_named() -> None:
    for queue in QUEUES:
        assert f"`{queue}`" in DOCUMENT


@pytest.fixture
def own_environment(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads this test's settings from the environment, as it does for operators."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


def put_failed() -> int:
    with transaction() as session:
        outbox.put(session, topic="mail.code", key="k", payload={"challenge": 7}, now=clock.now())
    [row] = outbox.claim(now=clock.now(), limit=1)
    begun = outbox.begin(row.id, now=clock.now())
    assert begun is not None
    outbox.fail(begun, now=clock.now(), error="the server said 550", final=True)
    return row.id


def test_a_database_without_tables_is_told_how_to_get_them(
    emerald: Emerald, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EMERALD_DATABASE_URL", f"sqlite:///{tmp_path / 'new.db'}")
    refused = emerald("outbox")
    assert refused.status == 1
    assert "emerald migrate" in refused.err
    assert "SELECT" not in refused.err


def test_a_folder_that_cannot_be_made_is_one_clear_line(emerald: Emerald) -> None:
    refused = emerald("serve", "--port", 0, "--data", "/proc/none")
    assert refused.status == 2
    assert "cannot keep anything in /proc/none" in refused.err
    assert "Errno" not in refused.err


@pytest.mark.usefixtures("own_environment")
def test_failed_rows_are_shown_and_tried_again(app: Flask, emerald: Emerald) -> None:
    row_id = put_failed()
    shown = emerald("outbox", "--failed")
    assert shown.status == 0
    assert "mail.code" in shown.out
    assert "challenge=7" in shown.out
    assert "the server said 550" in " ".join(shown.out.split())
    assert emerald("outbox", "--retry", row_id).status == 0
    row = outbox.peek(row_id)
    assert row is not None
    assert (row.state, row.attempts) == ("pending", 0)
    assert "Nothing has failed" in emerald("outbox", "--failed").out
    assert "pending" in emerald("outbox").out
    outbox.finish(row_id, now=clock.now(), outcome=outbox.Ended("dropped", "its reader has paused mail"))
    assert "its reader has paused mail" in " ".join(emerald("outbox", "--dropped").out.split())
    assert "Nothing waits" in emerald("outbox").out


@pytest.mark.usefixtures("own_environment")
def test_a_row_that_has_not_failed_cannot_be_tried_again(app: Flask, emerald: Emerald) -> None:
    refused = emerald("outbox", "--retry", 4242)
    assert refused.status == 1
    assert "no failed row has the id 4242" in refused.err


@pytest.mark.usefixtures("own_environment")
def test_migrate_is_harmless_the_second_time(emerald: Emerald) -> None:
    assert emerald("migrate").status == 0
    assert emerald("migrate").status == 0


def test_a_database_that_is_away_is_one_line(emerald: Emerald) -> None:
    refused = emerald("outbox")  # the tests' environment names a database that is not there
    assert refused.status == 1
    assert refused.err.startswith("Error: ") or "\nError: " in refused.err
    assert "Traceback" not in refused.err


def test_a_setting_that_does_not_exist_is_told(emerald: Emerald, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMERALD_MAIL_ULR", "smtp://localhost")
    refused = emerald("migrate")
    assert refused.status == 1  # the tests' environment names a database that is not there
    assert "EMERALD_MAIL_ULR" in refused.err
    assert "EMERALD_DATABASE_URL cannot be used" in refused.err
    assert "Traceback" not in refused.err


def test_the_api_document_is_the_one_in_the_repository(emerald: Emerald, tmp_path: Path) -> None:
    assert emerald("openapi", "--out", tmp_path / "openapi.yaml").status == 0
    assert (tmp_path / "openapi.yaml").read_bytes() == (ROOT / "openapi.yaml").read_bytes()


def test_every_command_explains_itself(emerald: Emerald) -> None:
    listed = emerald("--help").out
    for command in COMMANDS:
        assert re.search(rf"^  {command} +\S", listed, re.MULTILINE), command
        assert emerald(command, "--help").status == 0
    assert "steady" in emerald("bot", "levels").out
    assert emerald("nonsense").status == 2

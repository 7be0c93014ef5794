"""docs/MAIL.md shows the mails and the commands as they are, and every line it gives as an example is one."""

import re
from typing import Any
from urllib.request import Request

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from service.commands import read_line
from service.commands.model import Mistake
from service.db import reading
from service.models import InboundMail
from tests.mail.pages import MOVE, PAGE, written

TEXT = PAGE.read_text()
FOR_PEOPLE, FOR_OPERATORS = TEXT.split("\n# For operators\n")


def test_the_page_is_what_the_code_gives() -> None:
    assert written(TEXT) == TEXT, "run: python -m tests.mail.pages"


def _lines_to_write() -> list[str]:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", FOR_PEOPLE, re.DOTALL | re.MULTILINE)
    typed = [line for language, block in blocks if not language for line in block.splitlines()]
    cells = re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \| [^|]+ \|$", FOR_PEOPLE, re.MULTILINE)
    return typed + [line for cell in cells for line in re.findall("`([^`]+)`", cell)]


@pytest.mark.parametrize("line", _lines_to_write())
def test_what_the_page_tells_to_write_is_a_command(line: str) -> None:
    said = read_line(line)
    assert not isinstance(said, Mistake)
    assert said is not None or line.startswith("Thanks")


def test_lines_are_found_to_be_tried() -> None:
    assert {MOVE, "new 3 seats bot steady", "join k3mq9x2w7p", "digest on 7", "away 5d"} <= set(_lines_to_write())


SECRET = "a secret of the tests, long enough for anybody"


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """With a webhook."""
    return {**environment, "EMERALD_INBOUND_WEBHOOK_SECRET": SECRET}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_adapter_for_a_webhook_brings_mail_in(client: FlaskClient, api_app: Flask) -> None:
    [code] = re.findall(r"<!-- webhook adapter -->\n```python\n(.*?)```", FOR_OPERATORS, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "docs/MAIL.md", "exec"), names)  # what operators copy is what is tried
    answers: list[TestResponse] = []

    def urlopen(request: Request, timeout: float) -> TestResponse:
        path = request.full_url.removeprefix("http://127.0.0.1:8000")
        answers.append(client.post(path, data=request.data, headers=dict(request.header_items())))
        return answers[-1]

    names["urlopen"] = urlopen
    raw = b"From: a@example.org\r\nMessage-ID: <1@example.org>\r\n\r\n3\r\n"
    names["hand_on"](raw, "us@example.org", "a@example.org", url="http://127.0.0.1:8000/inbound/mail", secret=SECRET)
    assert [answer.status_code for answer in answers] == [202]
    with api_app.app_context(), reading() as session:
        [mail] = session.scalars(select(InboundMail))
    assert mail.raw.endswith(raw)


def test_every_setting_that_the_page_names_is_there() -> None:
    operations = (PAGE.parent / "OPERATIONS.md").read_text()
    named = set(re.findall(r"EMERALD_[A-Z_]+[A-Z]", TEXT))
    assert len(named) > 8
    assert {name for name in named if f"`{name}`" not in operations} == set()

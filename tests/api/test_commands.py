"""The commands of a mail as data: what is listed is what a mail is read by."""

from __future__ import annotations

import pytest
from flask import Flask

from service.commands import help_lines, read_line
from service.commands.model import Mistake
from tests.api.people import stranger


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_commands_are_those_that_mails_are_read_by(api_app: Flask) -> None:
    response = stranger(api_app).get("/commands")
    assert response.headers["Cache-Control"] == "public, max-age=300"
    commands = response.get_json()["items"]
    told = " ".join(" ".join(help_lines("")).split())
    assert {"say", "history", "new", "digest", "resign"} <= {one["name"] for one in commands}
    for one in commands:
        assert set(one) == {"name", "usage", "summary", "example", "section", "detail"}
        read = read_line(one["example"])
        assert read is not None, one
        assert not isinstance(read, Mistake), one
        assert one["summary"] in told

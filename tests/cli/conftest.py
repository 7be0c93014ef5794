"""Run the `emerald` command as a shell would, in a process of its own or in this one."""

import io
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from service.cli import main


@dataclass(frozen=True)
class Ended:
    """How a run of the command ended."""

    status: int
    out: str
    err: str


Emerald = Callable[..., Ended]


@pytest.fixture
def emerald(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Emerald:
    """`emerald("verify", "game.json")` runs the command with these arguments, its input from ``stdin``."""

    def run(*arguments: object, stdin: str | bytes = b"") -> Ended:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["emerald", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsys.readouterr()
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        said = capsys.readouterr()
        # The handler that the command's logs went to holds this test's stderr, which ends with the test.
        root = logging.getLogger()
        root.handlers = [handler for handler in root.handlers if handler.get_name() != "emerald"]
        return Ended(status, said.out, said.err)

    return run

"""`emerald serve` and `emerald demo`, as a newcomer runs them: one process, SQLite, nothing else."""

import os
import signal
import socket
import stat
import subprocess
from pathlib import Path

import psutil
import pytest

from service.cli.client import Client
from tests.e2e.stack import answers, program
from tests.support.ports import HOST, free_port
from tests.support.processes import Process, python_program, wait_until

DEMO_SECONDS = 240


def server(folder: Path, port: int) -> Process:
    """`emerald serve` in an empty environment of its own."""
    arguments = ("-m", "service.cli", "serve", "--port", str(port), "--data", str(folder / "data"))
    process = program("serve", folder, {}, *arguments)
    process.ready = lambda: answers(f"http://{HOST}:{port}/healthz")
    return process


@pytest.mark.timeout(DEMO_SECONDS + 60)
def test_a_newcomer_sees_a_whole_game(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port) as running:
        assert not psutil.Process(running.pid).children(), "it is one process"
        demo = subprocess.run(
            python_program("-m", "service.cli", "demo", "--seats", "5", "--url", f"http://{HOST}:{port}"),
            capture_output=True,
            text=True,
            env=os.environ | {"COLUMNS": "300"},  # no line broken in two
            timeout=DEMO_SECONDS,
        )
        assert demo.returncode == 0, demo.stderr[-3000:]
        assert "the seed is what the commitment promised" in " ".join(demo.stderr.split())
        mails = [line for line in demo.stderr.splitlines() if line.startswith("mail to ")]
        assert sum("Your turn" in mail for mail in mails) > 10
        assert sum(" won: " in mail or " share the win: " in mail for mail in mails) == 2
        assert running.stop() == 0
    said = running.log.read_text()
    assert f"http://{HOST}:{port}/dev/inbox" in said
    assert "Traceback" not in said, said
    key = tmp_path / "data" / "secret-key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert list((tmp_path / "data" / "mail").glob("*.eml"))


@pytest.mark.timeout(120)
def test_what_was_promised_survives_a_kill(tmp_path: Path) -> None:
    """A sign-up whose mail was not out yet when everything was killed: it goes out after the next start."""
    port = free_port()
    running = server(tmp_path, port)
    running.start()
    key = (tmp_path / "data" / "secret-key").read_text()
    client = Client(f"http://{HOST}:{port}")
    client.post("/accounts", {"email": "ada@example.org", "display_name": "Ada"})
    os.kill(running.pid, signal.SIGKILL)
    running.kill()
    running.start()
    try:
        assert (tmp_path / "data" / "secret-key").read_text() == key
        mails = tmp_path / "data" / "mail"
        wait_until(lambda: list(mails.glob("*.eml")), seconds=90, what="the mail that was promised")
    finally:
        assert running.stop() == 0
    assert "Stopping ..." in running.log.read_text(), "it takes a moment, so it says that it has heard"


def test_a_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = subprocess.run(
            python_program("-m", "service.cli", "serve", "--port", str(port), "--data", str(tmp_path)),
            capture_output=True,
            text=True,
            timeout=30,
        )
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Error: cannot listen on {HOST} port {port}")
    assert len(refused.stderr.splitlines()) == 1


def test_a_demo_without_a_server_says_how_to_start_one() -> None:
    refused = subprocess.run(
        python_program("-m", "service.cli", "demo", "--url", f"http://{HOST}:{free_port()}"),
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert refused.returncode == 1
    assert "emerald serve" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1

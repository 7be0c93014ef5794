"""The README's words are tried as they stand."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.test_embedded import server
from tests.support.ports import HOST, free_port
from tests.support.processes import ROOT

README = (ROOT / "README.md").read_text()


def game_by_curl(port: int) -> str:
    """The shell lines under "A whole game by curl", for a server on another port."""
    [block] = re.findall(r"## A whole game by curl\n\n```sh\n(.*?)```", README, flags=re.DOTALL)
    script = str(block).replace("127.0.0.1:8000", f"{HOST}:{port}")
    return script.replace(".venv/bin/emerald", str(ROOT / ".venv/bin/emerald"))


@pytest.mark.skipif(shutil.which("curl") is None, reason="the README plays a game by curl, and there is no curl here")
@pytest.mark.timeout(240)
def test_the_game_by_curl_is_played_to_its_end(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port):
        played = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", game_by_curl(port)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=200,
        )
    assert played.returncode == 0, played.stderr[-2000:]
    assert "'winners'" in played.stdout
    assert (tmp_path / "game.json").stat().st_size > 1000

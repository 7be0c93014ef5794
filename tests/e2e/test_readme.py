"""The README's words are tried as they stand."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.e2e.post import Letter
from tests.e2e.test_embedded import server
from tests.support.ports import HOST, free_port
from tests.support.processes import ROOT, wait_until

README = (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where `make run` serves."""
    found = free_port()
    with server(tmp_path_factory.mktemp("serve"), found):
        yield found


def game_by_curl(port: int) -> str:
    """The shell lines under "A whole game by curl", for a server on another port."""
    [block] = re.findall(r"## A whole game by curl\n\n```sh\n(.*?)```", README, flags=re.DOTALL)
    script = str(block).replace("127.0.0.1:8000", f"{HOST}:{port}")
    return script.replace(".venv/bin/emerald", str(ROOT / ".venv/bin/emerald"))


@pytest.mark.skipif(shutil.which("curl") is None, reason="the README plays a game by curl, and there is no curl here")
@pytest.mark.timeout(240)
def test_the_game_by_curl_is_played_to_its_end(port: int, tmp_path: Path) -> None:
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


class Inbox:
    """The development inbox of somebody, used through its pages."""

    def __init__(self, port: int, address: str) -> None:
        self._url = f"http://{HOST}:{port}/dev/inbox"
        self._address = address

    def write(self, text: str) -> Letter:
        """A first mail; the one that answers it."""
        return self._send("write", {"from": self._address, "subject": "", "text": text})

    def answer(self, text: str) -> Letter:
        """An answer to the newest mail; the one that answers that."""
        return self._send(f"{self._newest()}/answer", {"text": text})

    def newest(self) -> Letter:
        """The newest mail."""
        with urlopen(f"{self._url}/{self._newest()}/raw", timeout=20) as answer:
            return Letter(answer.read())

    def _send(self, where: str, form: dict[str, str]) -> Letter:
        before = self._newest()
        urlopen(f"{self._url}/{where}", urlencode(form).encode(), timeout=20).close()
        wait_until(lambda: self._newest() != before, seconds=40, what=f"an answer to {form['text']!r}")
        return self.newest()

    def _newest(self) -> str:
        with urlopen(f"{self._url}?to={self._address}", timeout=20) as answer:
            found = re.findall(r'href="/dev/inbox/([^"/?]+)"', answer.read().decode())
        return found[0] if found else ""


@pytest.mark.timeout(240)
def test_the_game_by_mail_begins_in_the_inbox(port: int) -> None:
    [first] = re.findall(r"## A game by mail\n.*?\n```\n(.*?)\n```", README, flags=re.DOTALL)
    ada, ben = Inbox(port, "ada@example.org"), Inbox(port, "ben@example.org")
    assert "yes" in ada.write(first).subject
    code = re.search(r"\bjoin \w+", ada.answer("yes").text)
    assert code
    ben.write(code[0])
    ben.answer("yes")
    wait_until(lambda: ada.newest().choices or ben.newest().choices, seconds=40, what="a mail with a numbered list")
    player = ada if ada.newest().choices else ben
    assert player.answer("1").did("1")
    assert "COMMANDS" in player.answer("help").text

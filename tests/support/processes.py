"""Processes that a test starts, and ends as gently or as rudely as it likes."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

ROOT = Path(__file__).resolve().parents[2]


def wait_until(condition: Callable[[], object], *, seconds: float = 10.0, what: str, every: float = 0.02) -> None:
    """Wait for the condition to be true; TimeoutError says what was waited for."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:g} s for {what}")
        time.sleep(every)


def kill_tree(pid: int) -> None:
    """SIGKILL to a process and all that it started.

    The children matter: a PostgreSQL backend outlives its killed postmaster and holds the shared memory,
    so that no new server can start on that data.
    """
    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(pid)
        family = [parent, *parent.children(recursive=True)]
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        wait_until(lambda: all(map(_ended, family)), seconds=10, what=f"process {pid} and its children to end")


def _ended(process: psutil.Process) -> bool:
    try:
        # A zombie holds nothing any more; whoever inherited it may be slow to notice.
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


class Process:
    """One program run by the tests; what it prints goes to `log`.

    A subclass, or the caller, says when it is `ready`; `start` returns only then.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
        ready: Callable[[], object] | None = None,
        cwd: Path = ROOT,
        user: int | None = None,
        group: int | None = None,
    ) -> None:
        self.command = [str(part) for part in command]
        self.log = log
        self.env = None if env is None else {**os.environ, **env}
        self.ready = ready
        self.cwd = cwd
        self.user = user
        self.group = group
        self._popen: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id; only of a started process."""
        assert self._popen is not None, f"{self.command[0]} was not started"
        return self._popen.pid

    @property
    def running(self) -> bool:
        """Started, and not ended since."""
        return self._popen is not None and self._popen.poll() is None

    def start(self, *, seconds: float = 90.0) -> None:
        """Start it, and wait until it is ready."""
        with self.log.open("ab") as out:
            self._popen = subprocess.Popen(
                self.command,
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=self.env,
                cwd=self.cwd,
                user=self.user,
                group=self.group,
                extra_groups=None if self.user is None else [],
            )
        try:
            wait_until(self._is_ready, seconds=seconds, what=f"{self.command[0]} to be ready")
        except Exception as error:
            self.kill()
            raise RuntimeError(f"{error}\n{self.log.read_text(errors='replace')[-4000:]}") from error

    def _is_ready(self) -> bool:
        if not self.running:
            raise RuntimeError(f"{self.command[0]} ended at once")
        return self.ready is None or bool(self.ready())

    def kill(self) -> None:
        """SIGKILL to it and everything it started."""
        if self._popen is not None:
            kill_tree(self._popen.pid)
            self._popen.wait()

    def stop(self, *, seconds: float = 15.0) -> int | None:
        """SIGTERM; SIGKILL if that does not help in time. Its exit status."""
        if self._popen is None:
            return None
        if self.running:
            self._popen.terminate()
            try:
                self._popen.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        return self._popen.returncode

    def restart(self) -> None:
        """Start it again after `kill` or `stop`; kills it first if it runs."""
        self.kill()
        self.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def python_program(*arguments: str) -> list[str]:
    """A command line for this very Python: `python_program("-m", "celery", ...)`."""
    return [sys.executable, *arguments]


class DataServer(Process):
    """A server with its data in a folder of its own, `root`. Used in a `with`, it is gone with its data at the end."""

    root: Path

    def discard(self) -> None:
        """Kill the server and remove its data."""
        self.kill()
        shutil.rmtree(self.root, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            return super().__enter__()
        except BaseException:
            self.discard()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

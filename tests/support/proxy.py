"""A wire that a test may hold up or cut: what goes over one port to another."""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import suppress
from typing import Self

from tests.support.ports import HOST


class Wire:
    """Passes every connection to ``port`` on to the port ``to``, unless it is told not to."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._held_words: bytes | None = None
        self._holding = threading.Event()
        self._go_on = threading.Event()
        self._cut = False
        self._piece: int | None = None
        self._closed = False

    def hold(self, words: bytes) -> None:
        """Let nothing through that a client says from these words (a regular expression) on, until ``release``."""
        self._go_on.clear()
        self._holding.clear()
        self._held_words = words

    def wait_held(self) -> None:
        """Wait until a client has said the words."""
        assert self._holding.wait(20), f"nobody said {self._held_words!r}"

    def release(self) -> None:
        """Hold nothing any more."""
        self._held_words = None
        self._go_on.set()

    def break_up(self, piece: int) -> None:
        """From now on let what the server says arrive in pieces of so many bytes, each by itself."""
        self._piece = piece

    def cut(self) -> None:
        """Break all connections, and let no new one through until ``mend``."""
        self._cut = True
        self._hang_up()

    def mend(self) -> None:
        """Let connections through again."""
        self._cut = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self._go_on.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._hang_up()

    def _hang_up(self) -> None:
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._cut:
                near.close()
                continue
            try:
                far = socket.create_connection((HOST, self._to))
            except OSError:
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
            threading.Thread(target=self._pass, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, False), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, from_client: bool) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                words = self._held_words
                if from_client and words is not None and re.search(words, data):
                    self._holding.set()
                    self._go_on.wait()
                self._send(other, data, None if from_client else self._piece)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(one)
        one.close()

    def _send(self, other: socket.socket, data: bytes, piece: int | None) -> None:
        if piece is None:
            other.sendall(data)
            return
        other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(data), piece):
            other.sendall(data[start : start + piece])
            time.sleep(0.01)

"""Free loopback ports."""

import socket

HOST = "127.0.0.1"


def free_port() -> int:
    """A TCP port nothing listens on now. Another process may take it before you do: if a start fails, ask again."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def accepts(port: int) -> bool:
    """Does something answer on this loopback port?"""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((HOST, port)) == 0

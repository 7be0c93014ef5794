"""What every SMTP server of the tests does: listen on a free port, and stop, and listen there again."""

from typing import Self

from aiosmtpd.controller import Controller

from tests.support.ports import HOST, free_port


class SmtpListener:
    """Listens with itself as aiosmtpd's handler: a subclass says what it does with mail, in methods named for that."""

    def __init__(self) -> None:
        self.port = free_port()
        self._controller: Controller | None = None

    @property
    def url(self) -> str:
        """The value of EMERALD_MAIL_URL for this server."""
        return f"smtp://{HOST}:{self.port}"

    def start(self) -> None:
        """Listen; again on the same port after a `stop`."""
        self._controller = Controller(self, hostname=HOST, port=self.port)
        self._controller.start()

    def stop(self) -> None:
        """Close the port: senders get connection refused. Harmless when it is closed."""
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

"""Why a mail did not go out: worth another try, or not."""

from __future__ import annotations


class MailError(Exception):
    """A mail was not sent; ``str()`` holds no address and no content, so that it may be logged."""


class TemporaryMailError(MailError):
    """The mail server could not be reached, or said to come back later, or the installation is set up wrongly.

    ``unsure``: the connection was lost when the server may have taken the mail already.
    """

    def __init__(self, words: str, *, unsure: bool = False) -> None:
        super().__init__(words)
        self.unsure = unsure


class PermanentMailError(MailError):
    """This mail will never be taken: the address is bad, or the server refused it for good.

    ``no_mailbox``: the status (like 5.1.1) by which the server said that there is no such mailbox.
    """

    def __init__(self, words: str, *, no_mailbox: str | None = None) -> None:
        super().__init__(words)
        self.no_mailbox = no_mailbox

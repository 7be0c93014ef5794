"""Why a mail did not go out: worth another try, or not."""

from __future__ import annotations


class MailError(Exception):
    """A mail was not sent; ``str()`` holds no address and no content, so that it may be logged."""


class TemporaryMailError(MailError):
    """The mail server could not be reached, or said to come back later, or the installation is set up wrongly."""


class PermanentMailError(MailError):
    """This mail will never be taken: the address is bad, or the server refused it for good."""

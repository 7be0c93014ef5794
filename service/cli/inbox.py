"""The development inbox of a running server, read over HTTP."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from email.message import EmailMessage
from typing import Final
from urllib.parse import quote

import click

from service.cli import letters
from service.cli.client import ApiError, Client

_LINK: Final = re.compile(r'href="/dev/inbox/([^"?/]+)"')
PAUSE: Final = 0.1


class Inbox:
    """The mails to some addresses, each seen once, in the order in which they came."""

    def __init__(self, client: Client, seen: Callable[[EmailMessage], None]) -> None:
        self._client = client
        self._seen = seen
        self._mails: dict[str, dict[str, EmailMessage]] = {}

    def to(self, address: str) -> list[EmailMessage]:
        """All mails to this address so far."""
        known = self._mails.setdefault(address, {})
        try:
            page = self._client.call("GET", f"/dev/inbox?to={quote(address)}").body.decode()
        except ApiError as error:
            if error.status != 404:
                raise
            raise click.ClickException(
                f"{self._client.url} has no /dev/inbox, where the demo reads its mails; `emerald serve` has one"
            ) from None
        for mail_id in reversed(_LINK.findall(page)):
            if mail_id not in known:
                known[mail_id] = letters.parse(self._client.call("GET", f"/dev/inbox/{mail_id}/raw").body)
                self._seen(known[mail_id])
        return list(known.values())

    def wait(self, address: str, wanted: Callable[[EmailMessage], bool], *, what: str, seconds: float) -> EmailMessage:
        """The first mail to this address that is ``wanted``."""
        end = time.monotonic() + seconds
        while True:
            for mail in self.to(address):
                if wanted(mail):
                    return mail
            if time.monotonic() > end:
                raise click.ClickException(f"no mail came within {seconds:g} s: {what}")
            time.sleep(PAUSE)

"""The web application joined to the relay: used in production and by `emerald serve` alike."""

from __future__ import annotations

import os

from flask import Flask

from service import outbox
from service.api.app import create_app
from service.config import Settings


def web_app(settings: Settings | None = None) -> Flask:
    """The API whose commits nudge the relay; without ``settings`` they come from the environment."""
    from workers.relay import Waker

    app = create_app(settings or Settings.from_env(os.environ))
    outbox.set_waker(Waker())
    return app

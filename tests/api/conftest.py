"""Applications for the API's tests, of any settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from service.api.app import create_app
from service.config import PREFIX, Settings
from service.db import db

MakeApp = Callable[..., Flask]


@pytest.fixture
def make_app(environment: dict[str, str]) -> Iterator[MakeApp]:
    """Makes an application of this test's settings with some changed: ``make_app(RATE_LIMIT="5/minute")``."""
    made: list[Flask] = []

    def make(**changed: str) -> Flask:
        settings = {**environment, **{f"{PREFIX}{name}": value for name, value in changed.items()}}
        made.append(create_app(Settings.from_env(settings)))
        return made[-1]

    yield make
    for app in made:
        with app.app_context():
            db.engine.dispose()

"""Cursors as hostile clients make them up: refused, never a fault of ours."""

import base64
import json

import pytest

from service.errors import INVALID
from service.usecases import paging
from tests.service.table import refused

ZONES = ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59")


@pytest.mark.parametrize(
    "parts",
    [
        [ZONES[0], "a"],
        [ZONES[1], "a"],
        ["2026-01-01T00:00:00", "a"],
        [1, "a"],
        ["2026-01-01T00:00:00Z", True],
        [],
        5,
        {},
    ],
)
def test_a_cursor_that_no_page_gave_is_refused(parts: object) -> None:
    text = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()
    with refused(INVALID):
        paging.moments_and_id(text, 1)

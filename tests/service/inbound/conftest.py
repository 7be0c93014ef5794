"""The table and a postman, on every kind of database."""

import pytest
from flask import Flask

from tests.service.table import Table


@pytest.fixture
def table(app: Flask) -> Table:
    """People and games in a fresh database."""
    return Table()

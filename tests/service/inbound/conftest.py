"""The table and its postman, on every kind of database."""

import pytest
from flask import Flask

from tests.service.inbound.postman import Postman
from tests.service.table import Table


@pytest.fixture
def table(app: Flask) -> Table:
    """People and games in a fresh database."""
    return Table()


@pytest.fixture
def postman(table: Table) -> Postman:
    """Mails for that table."""
    return Postman(table)

"""One running site and one Chromium for all tests in here, and browsers of people who are watched."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.people import Visitor
from tests.browser.site import Site, running
from tests.support.chromium import arguments, chromium
from tests.support.memory import in_memory

HERE = Path(__file__).parent

# Other tests keep the machine busy meanwhile.
expect.set_options(timeout=30_000)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All in one process: two browsers at once would only wait for one another."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.timeout(400))


@pytest.fixture(scope="package")
def engine() -> Iterator[Browser]:
    """A Chromium. Only as long as these tests run: its loop would be in the way of others in this process."""
    path = chromium()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=arguments())
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    """The service, from one process and with a database of its own."""
    chromium()
    with tempfile.TemporaryDirectory(prefix="emerald-site-", dir=in_memory()) as folder, running(Path(folder)) as made:
        yield made


@pytest.fixture
def visit(engine: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Makes somebody who looks at the site: ``visit()`` a stranger, ``visit("Anna")`` somebody with a new account.

    Options are those of Playwright's contexts.
    """
    made: list[Visitor] = []

    def visitor(name: str = "", **options: Any) -> Visitor:
        one = Visitor(engine, site, name, **options)
        made.append(one)
        if name:
            one.sign_up()
        return one

    yield visitor
    for one in made:
        one.close()

"""A newcomer plays a whole game against two bots by pressing what is on the pages, and looks at what came of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from engine import verify
from tests.browser.people import Visitor
from tests.support.processes import python_program

Visit = Callable[..., Visitor]


def replayed(page: Page) -> None:
    """Look at the game again, step by step."""
    page.get_by_role("link", name="Replay from the start").click()
    shown = page.get_by_role("heading", level=2, name="Board ")
    expect(shown).to_have_text("Board 0 of " + shown.inner_text().rsplit(" ", 1)[1])
    page.get_by_role("navigation", name="Replay").get_by_role("link", name="on", exact=True).click()
    expect(shown).to_contain_text("Board 1 of")
    page.get_by_role("navigation", name="Replay").get_by_role("link", name="end", exact=True).click()
    expect(page.get_by_role("navigation", name="Replay").get_by_role("link", name="on", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Result").click()


def downloaded(page: Page) -> Path:
    """The record, as the link gives it."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    return download.value.path()


def test_by_clicking_only(visit: Visit) -> None:
    ada = visit("Ada")
    game = ada.new_game(2)
    turns = ada.play_out()
    assert turns > 5
    page = ada.page
    assert page.get_by_role("rowheader", name="You").count() >= 1
    replayed(page)
    page.get_by_role("link", name="Check the shuffle").click()
    expect(page.get_by_text("All of it is right: this browser has done the shuffle again.")).to_be_visible()
    assert page.locator("[data-check].good").count() == page.locator("[data-check]").count() > 20
    record = json.loads(downloaded(page).read_text("utf-8"))
    verify(record)
    assert sum(step["action"]["seat"] == 0 for step in record["steps"]) >= turns
    assert page.url.split("/")[4] == game


def test_without_javascript(visit: Visit) -> None:
    ben = visit("Ben", java_script_enabled=False)
    ben.new_game(2)
    assert ben.play_out() > 5
    page = ben.page
    replayed(page)
    page.get_by_role("link", name="Check the shuffle").click()
    record = downloaded(page)
    command = page.get_by_text("emerald verify emerald-").inner_text().split()
    checked = subprocess.run(
        python_program("-m", "service.cli", *command[1:-1], str(record)), capture_output=True, text=True, timeout=60
    )
    assert checked.returncode == 0, checked.stderr

"""People at their browsers: what they press, in the words that stand on the pages."""

from __future__ import annotations

import re
import time
from itertools import count
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Locator, expect

from tests.browser.site import Site
from tests.browser.watched import Watched
from tests.support.hurry import haste

_GAME: Final = re.compile(r"/games/\w{12}$")
_numbers = count(1)


class Visitor(Watched):
    """Somebody who looks at the site. ``address``: where their mail goes."""

    def __init__(self, engine: Browser, site: Site, name: str = "", **options: Any) -> None:
        super().__init__(engine, site.url, **options)
        self.site = site
        number = next(_numbers)
        # Names of accounts are unique, and this site is that of all tests.
        self.name = f"{name} {number}"
        self.address = f"{name.lower()}-{number}@example.org"

    # -- signing up and in

    def sign_up(self) -> None:
        """Make an account on the page, with the code from the mail."""
        page = self.open("/sign-up")
        page.get_by_label("Your name").fill(self.name)
        page.get_by_label("Your e-mail address").fill(self.address)
        page.get_by_role("button", name="Mail me a code").click()
        page.get_by_label("The code").fill(self.site.code(self.address))
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", level=1, name="My games")).to_be_visible()

    # -- playing

    def new_game(self, bots: int) -> str:
        """Make a game against so many bots, by pressing; its id."""
        self.page.get_by_role("main").get_by_role("link", name="New game").first.click()
        self.page.get_by_role("button", name=f"{bots} bots").click()
        self.page.wait_for_url(_GAME)
        return urlsplit(self.page.url).path.rsplit("/", 1)[1]

    @property
    def spots(self) -> Locator:
        """What can be pressed on the board and is not chosen yet."""
        return self.page.locator("figure.board a.spot:not(.chosen)")

    @property
    def button(self) -> Locator:
        """What plays that which was put together."""
        return self.page.get_by_role("button", name="Play", exact=True)

    def press(self) -> None:
        """Press the place on the board that brings the end nearest."""
        said = _line(self.page.url)
        links = [str(spot.get_attribute("href")) for spot in self.spots.all()]
        added = [_line(link).removeprefix(said).strip() for link in links]
        place = max(range(len(links)), key=lambda number: haste(added[number] or "stop"))
        # Where it stands, not the middle of its arrow.
        self.spots.nth(place).locator(".over").click()
        # What was pressed is said now: the place on the board takes it back.
        expect(self.page.locator(f'figure.board a.spot[href="{links[place]}"]')).to_have_count(0)

    def turn(self) -> None:
        """Put a turn together on the board and play it: a knight, and a second one or a card where that can be said."""
        self.press()
        if self.spots.count():
            self.press()
        self.button.click()
        expect(self.button).to_have_count(0)

    def play_out(self, seconds: float = 240) -> int:
        """Play by pressing until the game is over; how many times "Play" was pressed."""
        end, turns = time.monotonic() + seconds, 0
        over = self.page.get_by_role("heading", name="Points", exact=True)
        while not over.is_visible():
            assert time.monotonic() < end, f"the game does not end; {self.page.url} after {turns} turns"
            if self.spots.count():
                self.turn()
                turns += 1
            else:
                # The bots are at it. The page would look by itself in a while, with JavaScript; this is sooner.
                time.sleep(0.1)
                self.page.get_by_role("navigation", name="This game").get_by_role("link").first.click()
        return turns


def _line(address: str) -> str:
    """What is said in the address of a game's page, in notation."""
    return parse_qs(urlsplit(address).query).get("line", [""])[0]

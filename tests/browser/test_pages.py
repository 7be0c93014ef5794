"""Every page, in the light and in the dark, on a phone and at a desk: axe-core finds nothing, nothing is too wide, and
nothing moves while it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Request, expect

from engine import BRIBE, CATCH, MOVE, TAKE, Position, is_over, to_act
from tests.browser.people import Visitor
from tests.browser.site import Site
from tests.browser.watched import DESK, PHONE, too_wide, violations

Scheme = Literal["light", "dark"]
LIMIT: Final = 150_000
"""Bytes of a game's page in all, nothing of it known to the browser before."""


class Shown(NamedTuple):
    """A page: ``path`` has places for what the stage prepared; ``who`` looks (nobody: a stranger)."""

    path: str
    who: str = "Anna"
    status: int = 200


PAGES: Final = {
    "welcome": Shown("/", ""),
    "sign-up": Shown("/sign-up", ""),
    "sign-in": Shown("/sign-in", ""),
    "sign-in-link": Shown("{sign_in}", ""),
    "sign-in-link-wrong": Shown("/sign-in/nothing", "", 404),
    "home": Shown("/"),
    "open-games": Shown("/games"),
    "new-game": Shown("/games/new"),
    "waiting": Shown("/games/{waiting}"),
    "waiting-stranger": Shown("/games/{waiting}", ""),
    "join": Shown("/join/{code}", "Ben"),
    "start": Shown("/games/{start}"),
    "start-chosen": Shown("/games/{start}?line=t1&ply=0"),
    "start-wrong": Shown("/games/{start}?line=nonsense"),
    "start-stranger": Shown("/games/{start}", ""),
    "middle": Shown("/games/{middle}"),
    "theirs": Shown("/games/{middle}", "Ben"),
    "take": Shown("/games/{take}"),
    "bribe": Shown("/games/{bribe}"),
    "catch": Shown("/games/{catch}"),
    "talk": Shown("/games/{middle}/talk"),
    "orders": Shown("/games/{middle}/orders"),
    "table": Shown("/games/{middle}/table"),
    "resign": Shown("/games/{middle}/resign"),
    "log": Shown("/games/{middle}/log"),
    "replay": Shown("/games/{middle}/replay?step=9"),
    "verify-early": Shown("/games/{middle}/verify"),
    "over": Shown("/games/{over}"),
    "over-replay": Shown("/games/{over}/replay?step=30"),
    "verify": Shown("/games/{over}/verify"),
    "account": Shown("/account"),
    "account-addresses": Shown("/account/addresses"),
    "account-tokens": Shown("/account/tokens"),
    "account-time-off": Shown("/account/time-off"),
    "account-mail": Shown("/account/mail"),
    "account-feeds": Shown("/account/feeds"),
    "rules": Shown("/rules", ""),
    "help-mail": Shown("/help/mail", ""),
    "api": Shown("/docs/api", ""),
    "api-moves": Shown("/docs/api/moves", ""),
    "error": Shown("/games/nowhere", "", 404),
    "move-link": Shown("{move}", ""),
    "opt-out": Shown("{opt_out}", ""),
}

#: Each page once in the dark and once in the light, once narrow and once wide; all four in the long run.
LOOKS: Final[tuple[tuple[dict[str, int], Scheme], ...]] = ((PHONE, "dark"), (DESK, "light"))
OTHER_LOOKS: Final[tuple[tuple[dict[str, int], Scheme], ...]] = ((PHONE, "light"), (DESK, "dark"))


class Stage:
    """Two people, their browsers and a stranger's, and games in every state."""

    def __init__(self, site: Site, engine: Browser) -> None:
        self.people = {name: Visitor(engine, site, name) for name in ("Anna", "Ben", "")}
        anna, ben = self.people["Anna"], self.people["Ben"]
        for one in (anna, ben):
            one.sign_up()
        players = [site.caller(anna.address), site.caller(ben.address)]
        made = {"start": site.game(*players), "over": site.game_at(players, is_over)}
        made |= {name: site.game_at(players, wanted) for name, wanted in _WANTED.items()}
        made["waiting"], _ = site.waiting_game(players[0])
        _, made["code"] = site.waiting_game(players[0], public=False)
        site.say(players[1], made["middle"], "That dragon has eaten enough of my knights for one day.")
        known = site.codes(ben.address)
        stranger = self.people[""].open("/sign-in")
        stranger.get_by_label("Your e-mail address").fill(ben.address)
        stranger.keyboard.press("Enter")
        site.code(ben.address, known)
        made["sign_in"] = site.link(ben.address, "/sign-in/")
        made["move"], made["opt_out"] = site.link(anna.address, "/m/"), site.link(anna.address, "/u/")
        self.places = made

    def open(self, shown: Shown, viewport: dict[str, Any], scheme: Scheme) -> Visitor:
        """Open a page in the browser of whoever looks at it."""
        visitor = self.people[shown.who]
        visitor.page.set_viewport_size(viewport)  # type: ignore[arg-type]  # a TypedDict of Playwright's own
        visitor.page.emulate_media(color_scheme=scheme)
        visitor.open(shown.path.format(**self.places), shown.status)
        return visitor


def _asked(phase: int, thrown: int = 0) -> Callable[[Position], bool]:
    return lambda position: (
        to_act(position) == 0 and position.phase == phase and len(position.legal) > 1 and position.thrown >= thrown
    )


_WANTED: Final = {"middle": _asked(MOVE, 4), "take": _asked(TAKE), "bribe": _asked(BRIBE), "catch": _asked(CATCH)}


@pytest.fixture(scope="module")
def stage(site: Site, engine: Browser) -> Iterator[Stage]:
    """Prepared once for all pages."""
    made = Stage(site, engine)
    yield made
    for visitor in made.people.values():
        visitor.close()


def check(visitor: Visitor) -> list[str]:
    """What is wrong with the page that is open."""
    wide = too_wide(visitor.page)
    return [*violations(visitor.page), *([f"{wide} px too wide"] if wide > 0 else [])]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound(stage: Stage, name: str) -> None:
    looks, (viewport, scheme) = LOOKS[1:], LOOKS[0]
    visitor = stage.open(PAGES[name], viewport, scheme)
    wrong = [f"its parts moved by {visitor.shifted()}"] if visitor.shifted() else []
    wrong += [f"{viewport['width']} px, {scheme}: {one}" for one in check(visitor)]
    for viewport, scheme in looks:
        visitor.page.set_viewport_size(viewport)  # type: ignore[arg-type]
        visitor.page.emulate_media(color_scheme=scheme)
        wrong += [f"{viewport['width']} px, {scheme}: {one}" for one in check(visitor)]
    wrong += visitor.faults
    visitor.faults.clear()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_the_play_of_a_row_leads_to_its_game(stage: Stage, viewport: dict[str, int]) -> None:
    anna = stage.open(PAGES["home"], viewport, "light")
    row = anna.page.locator(".games > li").filter(has_text="Play").first
    box = row.get_by_text("Play", exact=True).bounding_box()
    assert box is not None
    anna.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    anna.page.wait_for_url("**/games/*")


def test_what_is_wrong_is_found(visit: Callable[..., Visitor]) -> None:
    page = visit(viewport=PHONE).open("/rules")
    page.evaluate("document.querySelector('main').innerHTML = '<img src=/favicon.ico width=500 height=9><input>'")
    found = "\n".join(violations(page))
    assert "image-alt" in found
    assert "label" in found
    assert "heading" in found
    assert too_wide(page) > 0


@pytest.mark.proof
@pytest.mark.parametrize("look", OTHER_LOOKS, ids=["phone-light", "desk-dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound_the_other_way_round(stage: Stage, name: str, look: tuple[dict[str, int], Scheme]) -> None:
    visitor = stage.open(PAGES[name], *look)
    wrong = [*check(visitor), *visitor.faults]
    visitor.faults.clear()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_the_page_of_a_game_is_light_and_keeps_still(
    stage: Stage, visit: Callable[..., Visitor], engine: Browser, viewport: dict[str, int]
) -> None:
    state = stage.people["Anna"].context.storage_state()
    anna = visit(viewport=viewport, storage_state=state)
    came: list[Request] = []
    anna.page.on("requestfinished", lambda request: came.append(request))
    anna.open(f"/games/{stage.places['middle']}")
    weights = {one.url: one.sizes()["responseBodySize"] + one.sizes()["responseHeadersSize"] for one in came}
    assert len(weights) >= 4, "the page, its style, its scripts"
    assert sum(weights.values()) < LIMIT, weights
    assert anna.shifted() == 0
    anna.press()
    expect(anna.button).to_be_visible()
    anna.page.wait_for_timeout(700)
    assert anna.shifted() == 0, "what was pressed moves nothing that others look at"

"""Single turns in the browser: the dragon's questions by a click, a turn by keys alone, and two at one table."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from engine import BRIBE, CATCH, COLORS, TAKE, Catch, Position, to_act
from tests.browser.people import Visitor
from tests.browser.site import Site

Visit = Callable[..., Visitor]


def asked(phase: int) -> Callable[[Position], bool]:
    """The first seat is asked this, and has several answers to choose from."""
    least = 3 if phase == BRIBE else 2
    return lambda position: to_act(position) == 0 and position.phase == phase and len(position.legal) >= least


def cards(position: Position) -> int:
    """How many cards the players have."""
    return sum(map(len, position.hands)) + sum(map(sum, position.gems))


def mark(page: Page) -> int:
    """A mark on the document: gone when another page was loaded instead of this one being mended."""
    return int(page.evaluate("window.kept = 1"))


def kept(page: Page) -> bool:
    """Whether no other page was loaded since the mark."""
    return bool(page.evaluate("window.kept === 1"))


def test_the_dragon_is_answered_by_a_click(visit: Visit, site: Site) -> None:
    """A knight caught: a card of the hand, or the nest. A dragon to be fed: a knight where it stands. Then a card."""
    ada = visit("Ada")
    ben = visit("Ben", viewport={"width": 390, "height": 844}, has_touch=True)
    callers = [site.caller(ada.address), site.caller(ben.address)]

    pays = site.game_at(callers, asked(BRIBE))
    page = ada.open(f"/games/{pays}")
    assert mark(page)
    before = site.position(pays)
    gold = min(before.hands[0])
    page.get_by_role("link", name=re.compile(rf"gold {gold}\b|{gold} gold", re.IGNORECASE)).first.click()
    expect(page.get_by_role("heading", name="You chose")).to_be_visible()
    expect(page.locator("code.said-line")).to_have_text(f"bribe {gold}")
    ada.button.click()
    expect(page.get_by_role("heading", name="What came of it")).to_be_visible()
    assert site.position(pays).given[0] == tuple(sorted((*before.given[0], gold)))
    assert kept(page), "with JavaScript the page is mended, not loaded anew"

    gives = site.game_at(callers, asked(BRIBE))
    page = ada.open(f"/games/{gives}")
    before = site.position(gives)
    nest = page.locator('figure.board a.spot[href*="surrender"]')
    nest.locator(".over").click()
    expect(page.locator("code.said-line")).to_have_text("surrender")
    ada.button.click()
    expect(ada.button).to_have_count(0)
    assert sum(site.position(gives).nest) == sum(before.nest) + 1

    feeds = site.game_at(callers, asked(CATCH))
    page = ada.open(f"/games/{feeds}")
    before = site.position(feeds)
    assert ada.spots.count() == len(before.legal) >= 2
    victim = before.legal[1]
    assert isinstance(victim, Catch)
    color = COLORS[victim.color]
    ada.page.get_by_role("link", name=re.compile(rf"catch .*{color} knight")).first.locator(".over").click()
    expect(page.locator("code.said-line")).to_have_text(f"catch {color}")
    ada.button.click()
    expect(ada.button).to_have_count(0)
    after = site.position(feeds)
    assert after.nest[victim.color] == before.nest[victim.color] + 1 or after.victim == victim.color

    takes = site.game_at([callers[1], callers[0]], asked(TAKE))
    page = ben.open(f"/games/{takes}")
    before = site.position(takes)
    assert ben.spots.count() == 2
    page.locator('figure.board a.spot[href*="gem"] .over').tap()
    ben.button.tap()
    expect(ben.button).to_have_count(0)
    assert sum(site.position(takes).gems[0]) == sum(before.gems[0]) + 1


def focus(page: Page, wanted: Locator, key: str = "Tab", most: int = 120) -> None:
    """Press a key until this element has the focus."""
    for _ in range(most):
        if wanted.count() and wanted.first.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{wanted} cannot be reached by {key}")


def test_with_keys_alone(visit: Visit, site: Site) -> None:
    """Sign in, go to a game, take a card, move knights: by Tab, Enter and Space, with the focus always in sight."""
    ada, ben = visit("Ada"), visit("Ben")
    callers = [site.caller(ada.address), site.caller(ben.address)]
    game = site.game_at(callers, asked(TAKE))
    again = visit()
    page = again.open("/")
    focus(page, page.get_by_role("link", name="Skip to the page"))
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.getElementById('main').contains(document.activeElement)")
    again.open("/sign-in")
    focus(page, page.get_by_label("Your e-mail address"))
    known = site.codes(ada.address)
    page.keyboard.type(ada.address)
    page.keyboard.press("Enter")
    expect(page.get_by_label("The code")).to_be_focused()
    page.keyboard.type(site.code(ada.address, known))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="My games")).to_be_visible()
    row = page.get_by_role("main").locator(f'a[href="/games/{game}"]').first
    focus(page, row)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/games/{game}")

    before = site.position(game)
    chosen = again.spots.first
    looked = chosen.screenshot()
    focus(page, chosen)
    assert chosen.screenshot() != looked, "what has the focus is marked"
    page.keyboard.press("Enter")
    expect(again.button).to_be_visible()
    assert page.evaluate("document.activeElement !== document.body"), "the focus is not lost when the page is mended"
    focus(page, again.button)
    page.keyboard.press("Space")
    expect(again.button).to_have_count(0)
    after = site.position(game)
    assert cards(after) == cards(before) + 1

    for _ in range(3):
        site.turn(callers, game, 1)
        page.reload()
        if not again.spots.count():
            break  # the game is over
        focus(page, again.spots.first)
        page.keyboard.press("Enter")
        expect(again.button).to_be_visible()
        focus(page, again.button)
        page.keyboard.press("Enter")
        expect(again.button).to_have_count(0)


def test_two_see_each_other_s_moves_and_words_without_reloading(visit: Visit, site: Site) -> None:
    ada, ben = visit("Ada"), visit("Ben")
    game = site.game(site.caller(ada.address), site.caller(ben.address))
    ada.open(f"/games/{game}")
    ben.open(f"/games/{game}")
    for one in (ada, ben):
        assert mark(one.page)
    expect(ada.page.locator("#headline")).to_contain_text("You are to")
    assert ben.spots.count() == 0

    ada.turn()
    while ada.spots.count():
        ada.turn()
    expect(ben.spots.first).to_be_visible()
    assert kept(ben.page)
    expect(ben.page.locator("#headline")).to_contain_text("You are to")
    ben.turn()
    while ben.spots.count():
        ben.turn()
    expect(ada.spots.first).to_be_visible()
    assert kept(ada.page)

    ada.page.get_by_role("link", name="Talk", exact=True).click()
    ben.page.get_by_role("link", name="Talk", exact=True).click()
    for one in (ada, ben):
        assert mark(one.page)
    ada.page.get_by_label("Say something").fill("What a move! <b>&</b>")
    ada.page.get_by_role("button", name="Say it").click()
    expect(ben.page.get_by_text("What a move! <b>&</b>")).to_be_visible()
    assert kept(ben.page)

    # Somebody's half-written words are not taken away: a bar offers what is new.
    ben.page.get_by_label("Say something").fill("Thank")
    ada.page.get_by_label("Say something").fill("Your turn?")
    ada.page.get_by_role("button", name="Say it").click()
    expect(ben.page.locator("a.news-bar")).to_be_visible()
    expect(ben.page.get_by_label("Say something")).to_have_value("Thank")
    ben.page.locator("a.news-bar").click()
    expect(ben.page.get_by_text("Your turn?")).to_be_visible()

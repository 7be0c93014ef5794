"""What can be pressed on the board: where it lies, in which order, and that arrows tell one from the other."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import pytest

import engine
from engine import CHAMBER, SPACES, Catch, Surrender, Take, View
from engine.board import cave_space
from service.pictures.arrows import arrows
from service.pictures.knights import Leaving, places
from service.pictures.layout import BOARD_BOTTOM, SKY_TOP, WIDTH
from service.pictures.spots import Spot
from service.pictures.svg import board_svg
from tests.pictures.games import NAMES, every_view, found, played

SVG = "{http://www.w3.org/2000/svg}"
THUMB = 40 * WIDTH / 358
"""Forty points on a phone 390 wide, where the board has 358."""


class Area(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    def overlap(self, other: "Area") -> float:
        """How much they have in common."""
        wide = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        high = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(wide, 0) * max(high, 0)


def name(space: int) -> str:
    return "chamber" if space == CHAMBER else SPACES[space]


def spots_of(view: View) -> list[Spot]:
    """A spot for every legal action that has a place on the board."""
    made = [
        Spot("knight", f"/g?line={n}", f"move {n}", name(way.move.source), way.move.color, name(way.target), way.steps)
        for n, way in enumerate(engine.ways(view))
    ]
    here = SPACES[cave_space(view.dragon)]
    for action in view.legal:
        if isinstance(action, Take):
            made.append(Spot("gem" if action.kind else "gold", "/t", "take", SPACES[view.moved[-1][1]]))
        elif isinstance(action, Catch):
            made.append(Spot("catch", "/c", "catch", here, action.color))
        elif isinstance(action, Surrender):
            made.append(Spot("surrender", "/s", "give up"))
    return made


def after_one(view: View) -> Iterator[tuple[View, list[Spot]]]:
    """The spots once a first knight is chosen, for every choice of it."""
    for way in engine.ways(view):
        chosen = Spot(
            "knight",
            "/back",
            "take back",
            name(way.move.source),
            way.move.color,
            name(way.target),
            way.steps,
            chosen=True,
        )
        yield view, [chosen, *spots_of(engine.ahead(view, way.move).then)]


def links(view: View, spots: list[Spot]) -> list[ET.Element]:
    return list(ET.fromstring(board_svg(view, NAMES, bare=True, spots=spots)).iter(f"{SVG}a"))


def area(link: ET.Element) -> Area:
    over = next(part for part in link.iter(f"{SVG}rect") if part.get("class") == "over")
    return Area(*(float(over.get(side, 0)) for side in ("x", "y", "width", "height")))


def choices(players: int) -> Iterator[tuple[View, list[Spot]]]:
    for view in every_view(players, players + 20, step=7):
        if view.legal:
            yield view, spots_of(view)
            if view.phase == engine.MOVE and not view.moved:
                yield from after_one(view)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_spot_is_a_link_with_room_of_its_own(players: int) -> None:
    seen = 0
    for view, spots in choices(players):
        drawn = links(view, spots)
        assert sorted(link.get("aria-label", "") for link in drawn) == sorted(spot.label for spot in spots)
        assert all("spot" in str(link.get("class")) and link.get("data-swap") is not None for link in drawn)
        areas = [area(link) for link in drawn]
        for one in areas:
            assert one.width >= 25
            assert one.height >= 30
            assert one.x >= 0
            assert one.x + one.width <= WIDTH
            assert one.y >= SKY_TOP
            assert one.y + one.height <= BOARD_BOTTOM
        for one, other in combinations(areas, 2):
            assert one.overlap(other) < 1
        seen += len(spots)
    assert seen > 50


def test_alone_on_its_space_a_knight_has_room_for_a_thumb() -> None:
    for view in every_view(3, 23):
        spots = spots_of(view)
        if spots and spots[0].kind == "knight":
            assert all(min(area(link).width, area(link).height) > THUMB - 1 for link in links(view, spots))


@pytest.mark.parametrize("players", [2, 5])
def test_links_come_in_the_order_of_the_way(players: int) -> None:
    """Castle, meadow, cave, chamber, nest: whatever order they were given in."""
    for view, spots in choices(players):
        at = {
            spot.label: len(SPACES) + 1
            if spot.kind == "surrender"
            else CHAMBER
            if (where := spot.target if spot.chosen and spot.target else spot.space) == "chamber"
            else SPACES.index(where)
            for spot in spots
        }
        for given in (spots, spots[::-1]):
            order = [at[str(link.get("aria-label"))] for link in links(view, given)]
            assert order == sorted(order)


def test_pressed_knights_show_how_far_they_go() -> None:
    view = engine.view(played(3, 1, lambda p, n: True)[0], 0)
    drawn = links(view, spots_of(view))
    assert [[str(text.text) for text in link.iter(f"{SVG}text")] for link in drawn] == [["3"]] * 5
    for link in drawn:
        way = next(part for part in link.iter(f"{SVG}g") if part.get("class") == "way")
        assert way.get("pointer-events") == "none"


def test_arrows_of_one_turn_start_apart_and_arrive_apart() -> None:
    for players in (2, 3, 5):
        for _, spots in choices(players):
            ways = {(SPACES.index(s.space), SPACES.index(s.target)) for s in spots if s.target not in ("", "chamber")}
            drawn = arrows(ways)
            assert set(drawn) == ways
            for one, other in combinations(drawn.values(), 2):
                assert abs(one.x - other.x) + abs(one.y - other.y) > 15
                assert one.head != other.head


def test_arrows_stay_on_the_board() -> None:
    every = [(a, b) for a in range(len(SPACES)) for b in range(max(a + 1, 5), CHAMBER + 1) if b - max(a, 4) <= 8]
    for way in every:
        [arrow] = arrows([way]).values()
        numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", arrow.head)]
        assert all(0 <= x <= WIDTH for x in numbers[0::2])
        assert all(0 <= y <= BOARD_BOTTOM for y in numbers[1::2])
        assert 11 <= arrow.x <= WIDTH - 11


def test_a_chosen_knight_stands_where_it_would_come_with_a_tick() -> None:
    view = engine.view(played(3, 1, lambda p, n: True)[0], 0)
    [first, *_] = after_one(view)
    standing_at = places(view, [Leaving(0, 0, SPACES.index("m3"))])
    assert [token.group.gone for token in standing_at[0]] == [True, False, False]
    assert [token.group.coming for token in standing_at[SPACES.index("m3")]] == [True]
    svg = board_svg(view, NAMES, bare=True, spots=first[1])
    assert svg.count('href="#e-tick"') == 1
    chosen = [link for link in links(*first) if "chosen" in str(link.get("class"))]
    assert [area(link).y > 200 for link in chosen] == [True]


def test_one_of_two_alike_that_is_chosen_leaves_one_behind() -> None:
    view = engine.view(played(3, 1, lambda p, n: True)[0], 0)
    view = view._replace(knights=((0, 0, 1, 2, 3), *view.knights[1:]))
    standing_at = places(view, [Leaving(0, 0, CHAMBER)])
    assert (standing_at[0][0].group.number, standing_at[0][0].group.gone) == (1, False)
    assert [token.group.coming for token in standing_at[CHAMBER]] == [True]


def test_a_card_to_take_and_the_nest_are_pressed_where_they_lie() -> None:
    take = engine.view(position := found(3, engine.TAKE), engine.to_act(position))
    gold, gem = links(take, spots_of(take))
    assert area(gold).y == area(gem).y
    assert area(gold).x + area(gold).width <= area(gem).x
    bribe = engine.view(position := found(3, engine.BRIBE), engine.to_act(position))
    [nest] = links(bribe, spots_of(bribe))
    assert area(nest).y > area(gold).y


def test_a_victim_that_could_also_move_is_pressed_for_both() -> None:
    view = engine.view(position := found(3, engine.CATCH), engine.to_act(position))
    victims = spots_of(view)
    own = next(spot for spot in victims if spot.color in engine.colors_of(3, view.viewer or 0))
    both = [*victims, Spot("knight", "/m", "move", own.space, own.color, "chamber", 9)]
    areas = {str(link.get("aria-label")) + str(link.get("href")): area(link) for link in links(view, both)}
    assert len({*areas.values()}) == len(areas)
    assert areas["move/m"] not in [areas[key] for key in areas if key != "move/m"]


def test_the_caught_knight_is_in_flames_for_everybody() -> None:
    bribe = engine.view(found(3, engine.BRIBE), None)
    assert board_svg(bribe, NAMES).count('href="#e-caught"') == 1
    assert 'href="#e-caught"' not in board_svg(bribe._replace(victim=-1), NAMES)


def test_markup_in_a_spot_stays_text() -> None:
    view = engine.view(played(3, 1, lambda p, n: True)[0], 0)
    evil = Spot("knight", '/g?a=1&b="2"', '<b>"Anna" & co</b>', "t1", 0, "m3", 3)
    [link] = links(view, [evil])
    assert link.get("href") == evil.href
    assert link.get("aria-label") == evil.label


def test_what_can_be_pressed_is_within_a_group_and_the_drawing_is_not_read_out() -> None:
    view = engine.view(played(3, 1, lambda p, n: True)[0], 0)
    still, live = (ET.fromstring(board_svg(view, NAMES, spots=spots)) for spots in ([], spots_of(view)))
    assert (still.get("role"), live.get("role")) == ("img", "group")
    [hidden] = [part for part in live if part.get("aria-hidden") == "true"]
    assert not list(hidden.iter(f"{SVG}a"))
    assert list(hidden.iter(f"{SVG}text"))


def test_two_pictures_on_one_page_share_no_id() -> None:
    view = engine.view(played(3, 1, lambda p, n: True)[0], 0)
    one, other = (ET.fromstring(board_svg(view, NAMES, spots=spots_of(view), ident=ident)) for ident in ("e", "r2"))
    ids = [{part.get("id") for part in root.iter() if part.get("id")} for root in (one, other)]
    assert not ids[0] & ids[1]
    for root, known in zip((one, other), ids, strict=True):
        used = {str(use.get("href")).removeprefix("#") for use in root.iter(f"{SVG}use")}
        assert used <= known
        assert {root.get("aria-labelledby"), root.get("aria-describedby")} <= known


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_board_on_a_page_is_small(players: int) -> None:
    for view, spots in choices(players):
        assert len(board_svg(view, NAMES, theme="page", bare=True, spots=spots).encode()) < 45_000

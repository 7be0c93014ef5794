"""The picture as XML: what it shows, what it must not show, and that it stands on its own."""

import re
import xml.etree.ElementTree as ET
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import GEMS, OVER, View
from service.pictures.layout import BOXES, WIDTH, Box, Group, pack
from service.pictures.palette import DARK, LIGHT, Theme
from service.pictures.svg import board_svg
from tests.pictures.games import NAMES, every_view, found, played

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def texts(root: ET.Element) -> list[str]:
    """All text drawn, definitions left out."""
    return [
        str(text.text)
        for part in root
        if part.tag not in (f"{SVG}defs", f"{SVG}title", f"{SVG}desc")
        for text in part.iter(f"{SVG}text")
    ]


def uses(root: ET.Element, shape: str) -> int:
    return sum(use.get("href") == f"#e-{shape}" for use in root.iter(f"{SVG}use"))


@pytest.fixture
def start() -> View:
    return engine.view(played(3, 1, lambda position, moves: True)[0], 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_view_of_a_game_is_well_formed_and_within_the_frame(players: int) -> None:
    for view in every_view(players, players):
        root = parsed(board_svg(view, NAMES))
        left, top, width, height = map(float, str(root.get("viewBox")).split())
        assert (left, top, width) == (0, 0, WIDTH)
        for text in root.findall(f"{SVG}text"):
            assert 0 <= float(text.get("x", 0)) <= width
            assert 0 <= float(text.get("y", 0)) <= height


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_reference_is_defined_and_every_id_is_there_once(players: int) -> None:
    root = parsed(board_svg(every_view(players, 7)[-1], NAMES))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {str(use.get("href")).removeprefix("#") for use in root.iter(f"{SVG}use")} <= set(ids)
    for name in str(root.get("aria-labelledby")).split():
        assert name in ids


def test_all_knights_are_drawn_with_letter_and_number(start: View) -> None:
    root = parsed(board_svg(start, NAMES))
    for color in range(3):
        # one on each of five starting spaces, and the shield in the seat's row
        assert uses(root, f"k{color}") == 6
    assert uses(root, "k3") == 0
    letters = {str(text.text) for text in root.iter(f"{SVG}text")}
    assert set("BOGPY") <= letters


def test_cards_lie_face_up_with_the_number_beneath(start: View) -> None:
    drawn = texts(parsed(board_svg(start, NAMES)))
    for cave in range(9):
        assert str(start.gold_up[cave]) in drawn
    assert drawn.count("+2") == 9
    assert drawn.count("+1") == 9
    root = parsed(board_svg(start, NAMES))
    for gem in range(4):
        # on the cave cards, and once in each seat's row
        assert uses(root, f"g{gem}") == start.gem_up.count(gem) + 3


def test_an_empty_pile_shows_no_card(start: View) -> None:
    bare = start._replace(gold_left=(0,) * 9, gold_up=(0,) * 9, gem_left=(0,) * 9, gem_up=(-1,) * 9)
    root = parsed(board_svg(bare, NAMES))
    assert all(uses(root, f"g{gem}") == 3 for gem in range(4))
    assert not [text for text in texts(root) if text.startswith("+")]


def test_treasures_give_way_to_the_knights_that_came(start: View) -> None:
    full, two = parsed(board_svg(start, NAMES)), start._replace(chamber=(1, 1, 0))
    assert uses(full, "chest") == 4
    after = parsed(board_svg(two, NAMES))
    assert uses(after, "chest") == 2
    assert uses(after, "k0") == uses(full, "k0") + 1


def test_the_nest_counts_lost_knights_by_colour(start: View) -> None:
    root = parsed(board_svg(start._replace(nest=(3, 0, 1)), NAMES))
    assert uses(root, "k0") == 7
    assert uses(root, "k1") == 6
    assert uses(root, "k2") == 7
    assert "3" in texts(root)


def test_dragon_and_arrow_turn_with_its_heading(start: View) -> None:
    up, down = (list(parsed(board_svg(start._replace(facing=way), NAMES)).iter(f"{SVG}use")) for way in (-1, 1))

    def turned(found: list[ET.Element]) -> list[bool]:
        return ["rotate(180)" in u.get("transform", "") for u in found if u.get("href") in ("#e-dragon", "#e-arrow")]

    assert turned(up) == [False, False]
    assert turned(down) == [True, True]


def test_dragon_and_rail_move_along(start: View) -> None:
    pictures = {board_svg(start._replace(rail=rail, dragon=dragon), NAMES) for rail in (1, 6) for dragon in (6, 9)}
    assert len(pictures) == 4


def test_a_hidden_hand_is_in_no_picture_of_others() -> None:
    """Two positions that differ only in a hand give others the same picture, to the byte."""
    position, _ = played(3, 4, lambda p, _: len(p.hands[1]) >= 2 and len(set(p.hands[1])) > 1)
    changed = position._replace(
        hands=(position.hands[0], tuple(sorted((6 - card) for card in position.hands[1])), position.hands[2])
    )
    assert changed.hands != position.hands
    seen_as = [position.hands[1], changed.hands[1]]
    assert seen_as[0] != seen_as[1]
    for viewer in (None, 0, 2):
        before, after = (engine.view(p, viewer)._replace(seen_gold=()) for p in (position, changed))
        assert board_svg(before, NAMES) == board_svg(after, NAMES)
    assert board_svg(engine.view(position, 1), NAMES) != board_svg(engine.view(changed, 1), NAMES)


def test_own_hand_is_shown_and_at_the_end_everybodys() -> None:
    position, _ = played(3, 4)
    assert position.phase == OVER
    drawn = texts(parsed(board_svg(engine.view(position, None), NAMES)))
    for seat in range(3):
        assert str(len(position.hands[seat])) in drawn
    assert len([text for text in drawn if text == "gold"]) == sum(bool(hand) for hand in position.hands)


def test_majorities_are_counted_as_bonus_cards_only_at_the_end() -> None:
    position, _ = played(3, 4)
    result = engine.score(position)
    view = engine.view(position, None)
    root = parsed(board_svg(view, NAMES))
    numbers = [(float(t.get("x", 0)), str(t.text)) for t in root.findall(f"{SVG}text")]
    assert [int(text) for x, text in numbers if x == 576] == [bonus // 4 for bonus in result.bonus]


def test_moved_knights_are_underlined() -> None:
    position, _ = played(3, 2, lambda p, n: bool(p.moved) and p.phase == 0 and p.moved[0][1] > 0)
    view = engine.view(position, 0)
    assert board_svg(view, NAMES).count("M-11 18H11") == 1
    assert "M-11 18H11" not in board_svg(view._replace(moved=()), NAMES)


@pytest.mark.parametrize("theme", get_args(Theme))
def test_themes(start: View, theme: Theme) -> None:
    svg = board_svg(start, NAMES, theme=theme)
    parsed(svg)
    paper = (DARK if theme == "dark" else LIGHT)["paper"]
    assert f'fill="{paper}"' in svg
    assert ("<style>" in svg) == (theme == "auto")
    assert ("prefers-color-scheme:dark" in svg) == (theme == "auto")
    if theme == "auto":
        for name in set(re.findall(r"\be[fs]-([a-z-]+)", svg)):
            assert name in LIGHT


def test_nothing_is_loaded_from_anywhere(start: View) -> None:
    svg = board_svg(start, NAMES, theme="auto").replace("http://www.w3.org/2000/svg", "")
    assert "http" not in svg
    assert "url(" not in svg
    assert "@import" not in svg


def test_title_and_description_say_it_all(start: View) -> None:
    root = parsed(board_svg(start, NAMES))
    title, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert told is not None
    assert title.text == "Emerald: You are to move a knight"
    for cave in range(1, 10):
        assert f"c{cave}: gold {start.gold_up[cave - 1]}" in str(told.text)
        assert GEMS[start.gem_up[cave - 1]] in str(told.text)
    assert "The dragon stands at c4 and looks towards the castle." in str(told.text)


@given(names=st.lists(st.text(max_size=60), max_size=5))
@settings(max_examples=60)
def test_any_names_give_a_sound_picture(names: list[str]) -> None:
    view = engine.view(played(5, 1, lambda position, moves: True)[0], None)
    root = parsed(board_svg(view, names))
    assert not list(root.iter(f"{SVG}script"))
    assert all(len(text) <= 60 for text in texts(root))


def test_markup_in_a_name_stays_text(start: View) -> None:
    root = parsed(board_svg(start._replace(viewer=None), ["<script>&\"'", "</text>", "ok"]))
    assert "<script>&\"'" in texts(root)
    assert not list(root.iter(f"{SVG}script"))


def test_long_names_are_cut(start: View) -> None:
    drawn = texts(parsed(board_svg(start, ["W" * 32] * 3)))
    assert max(len(text) for text in drawn if text.startswith("W")) <= 15


@pytest.mark.parametrize("box", BOXES)
def test_even_the_fullest_space_holds_its_knights(box: Box) -> None:
    tokens = pack(box, [Group(color, 5) for color in range(5)])
    assert len(tokens) == 5
    for token in tokens:
        assert token.scale >= 0.6
        assert abs(token.x - box.x) <= box.width / 2
        assert abs(token.y - box.y) <= box.height / 2


def test_the_phases_have_their_headlines() -> None:
    wanted = {
        engine.TAKE: "is to choose gold or gem",
        engine.CATCH: "is to choose whom the dragon catches",
        engine.BRIBE: "is to bribe the dragon or give up the knight",
    }
    for phase, words in wanted.items():
        position = found(3, phase)
        drawn = texts(parsed(board_svg(engine.view(position, None), NAMES)))
        assert any(words in text for text in drawn)

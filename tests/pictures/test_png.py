"""The picture as PNG: real renders."""

import struct
import zlib

import pytest
import resvg_py

import engine
from engine import View
from service.pictures import png
from service.pictures.svg import FONT, board_svg
from tests.pictures.games import NAMES, played


@pytest.fixture(scope="module")
def view() -> View:
    return engine.view(played(2, 5, lambda position, moves: moves == 30)[0], 0)


def size(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert picture[12:16] == b"IHDR"
    width, height = struct.unpack(">II", picture[16:24])
    return int(width), int(height)


def test_it_is_a_png_of_the_drawings_shape(view: View) -> None:
    picture = png.board_png(view, NAMES)
    width, height = size(picture)
    frame = board_svg(view, NAMES).split('viewBox="0 0 ', 1)[1].split('"', 1)[0].split()
    assert width == png.WIDTH
    assert abs(height - int(frame[1]) * width / int(frame[0])) < 1
    assert picture.endswith(b"IEND" + struct.pack(">I", zlib.crc32(b"IEND")))
    assert len(picture) < 150_000


def test_letters_are_drawn(view: View) -> None:
    """Without a font the renderer draws no text and says nothing: this is where it would show."""
    svg = board_svg(view, NAMES)
    blank = bytes(
        resvg_py.svg_to_bytes(svg_string=svg, width=png.WIDTH, skip_system_fonts=True, font_family="No such font")
    )
    assert png._reduced(blank) != png.render(svg)
    wordless = svg.replace("<text", "<desc").replace("</text>", "</desc>")
    assert png.render(wordless) == png._reduced(blank)


def test_names_are_drawn(view: View) -> None:
    assert png.board_png(view, ["Anna", "Bert"]) != png.board_png(view, ["Anna", "Carl"])


@pytest.mark.parametrize("letters", ["Zażółć gęślą", "Žluťoučký", "Ελένη", "Борис", "Ağaç", "Þórr"])
def test_the_font_has_the_letters_of_european_names(letters: str) -> None:
    """A letter that the font lacks is left out: the picture would be that of the other letters alone."""

    def drawn(words: str) -> bytes:
        return png.render(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 40" font-family="{FONT}">'
            '<rect width="300" height="40" fill="#fff"/>'
            f'<text x="2" y="30" font-size="24">{words}</text></svg>',
            width=300,
        )

    for letter in set(letters) - {" "}:
        assert drawn(f"A{letter}A") != drawn("AA")


def test_the_same_picture_is_drawn_once(view: View) -> None:
    first = png.board_png(view, NAMES)
    assert png.board_png(view, NAMES) is first
    other = png.board_png(view._replace(dragon=9), NAMES)
    assert other != first


def test_only_so_many_are_kept(view: View) -> None:
    png._pictures.clear()
    for number in range(png._KEPT + 3):
        png._pictures[str(number)] = b""
    png.board_png(view, NAMES)
    assert len(png._pictures) == png._KEPT
    assert "0" not in png._pictures


def test_a_broken_picture_is_an_error() -> None:
    with pytest.raises(ValueError):
        png.render("<svg")

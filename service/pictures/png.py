"""The picture as PNG, for mails and for clients that cannot show SVG."""

from __future__ import annotations

import hashlib
import io
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import resvg_py
from PIL import Image

from engine import View
from service.pictures.svg import FONT, picture_only

WIDTH: Final = 780
"""Pixels: two for each point of a phone 390 points wide."""
BARE_WIDTH: Final = 700
"""The same for the board alone, which mails carry: two for each point of their column on such a phone."""
_KEPT: Final = 64
_COLOURS: Final = 256

_lock = threading.Lock()
_pictures: OrderedDict[str, bytes] = OrderedDict()


@cache
def font_files() -> tuple[str, ...]:
    """The packaged font, so that every machine draws the same letters; a missing one is an error, not a blank."""
    spec = find_spec("font_source_sans_pro")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package font-source-sans-pro is not installed: the board cannot be drawn")
    folder = Path(spec.origin).parent / "files"
    files = [folder / f"SourceSansPro-{cut}.ttf" for cut in ("Regular", "Bold")]
    for file in files:
        if not file.is_file():
            raise RuntimeError(f"{file.name} is missing from font-source-sans-pro: the board cannot be drawn")
    return tuple(str(file) for file in files)


def render(svg: str, *, width: int = WIDTH) -> bytes:
    """Any of our SVGs as PNG bytes, with the packaged font alone."""
    png: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=list(font_files()),
        font_family=FONT,
        sans_serif_family=FONT,
    )
    return _reduced(bytes(png))


def _reduced(png: bytes) -> bytes:
    """The same picture with a palette: our flat colours need no more, and it weighs a third."""
    with Image.open(io.BytesIO(png)) as full:
        small = full.convert("RGB").quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, format="PNG", compress_level=6)  # the best level takes 30 ms more and saves a twelfth
    return out.getvalue()


def board_png(view: View, names: Sequence[str], *, bare: bool = False) -> bytes:
    """The light picture as PNG, at its usual width.

    Drawing takes a fifth of a second, so the last few dozen are kept by what is to be seen on them: all players of a
    game have the same ``bare`` picture in their mails. ``bare`` as for ``board_svg``.
    """
    svg = picture_only(view, names, bare=bare)
    key = hashlib.sha256(svg.encode()).hexdigest()
    with _lock:
        if key in _pictures:
            _pictures.move_to_end(key)
            return _pictures[key]
    png = render(svg, width=BARE_WIDTH if bare else WIDTH)
    with _lock:
        _pictures[key] = png
        while len(_pictures) > _KEPT:
            _pictures.popitem(last=False)
    return png

"""SVG elements as short functions. ``look`` is a string of attributes, mostly from ``Paint``."""

from __future__ import annotations


def rect(x: float, y: float, width: float, height: float, look: str, *, rx: float = 0) -> str:
    """A rectangle by its top left corner."""
    round_off = f' rx="{rx:g}"' if rx else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{round_off} {look}/>'


def path(d: str, look: str) -> str:
    """A path."""
    return f'<path d="{d}" {look}/>'


def circle(x: float, y: float, r: float, look: str) -> str:
    """A circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" {look}/>'


def ellipse(x: float, y: float, rx: float, ry: float, look: str) -> str:
    """An ellipse."""
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" {look}/>'


def label(x: float, y: float, size: float, words: str, look: str, *, bold: bool = True, middle: bool = True) -> str:
    """One line of text on the base line ``y``; ``words`` are escaped already."""
    weight = ' font-weight="bold"' if bold else ""
    anchor = ' text-anchor="middle"' if middle else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{weight}{anchor} {look}>{words}</text>'


def use(shape: str, x: float, y: float, scale: float = 1, *, turned: bool = False) -> str:
    """A shape of ``shapes.definitions`` put at a place; ``turned``: upside down."""
    if scale == 1 and not turned:
        return f'<use href="#e-{shape}" x="{x:g}" y="{y:g}"/>'
    rest = " rotate(180)" if turned else ""
    return f'<use href="#e-{shape}" transform="translate({x:g} {y:g}) scale({scale:.3g}){rest}"/>'

"""The colours of the board, light and dark, by the role they play.

A shape names roles, never colours: ``Paint`` turns a role into an attribute with the theme's colour
and, where the picture is to follow the reader's setting, a class that the dark style sheet overrides.
Presentation attributes are weaker than any style rule, so that one drawing serves the PNG (attributes
only), a stand-alone SVG (own style) and a page with a strict policy (the page's style sheet).
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

Theme = Literal["light", "dark", "auto", "page"]
"""``auto`` is light with a style that turns dark where the reader prefers dark; ``page`` the same, but the style
(``dark_rules``) is left to the style sheet of the page around it."""

LIGHT: Final[dict[str, str]] = {
    "paper": "#faf6ec",
    "ink": "#2b2521",
    "soft": "#6a5f55",
    "line": "#d8ccb8",
    "banner": "#2f5d50",
    "banner-ink": "#ffffff",
    "sky": "#d3e6ee",
    "sky-low": "#ecf1e6",
    "sun": "#f4cf73",
    "cloud": "#ffffff",
    "far": "#b7cfc4",
    "wall": "#c3bbad",
    "wall-dark": "#a1988a",
    "roof": "#9a4f3f",
    "plaque": "#f6f0e3",
    "grass": "#a8c686",
    "grass-dark": "#8bae69",
    "road": "#ead9b4",
    "road-edge": "#c5ae80",
    "rock": "#5a4d44",
    "rock-dark": "#4a4039",
    "rock-ink": "#f5ede0",
    "hollow": "#76675b",
    "shaft": "#95867a",
    "stone": "#efe5d3",
    "stone-edge": "#b5a58c",
    "beside": "#ffffff",
    "sleeper": "#c7b9a5",
    "hall-light": "#8a6a35",
    "card": "#f6c945",
    "card-edge": "#9c7414",
    "card-ink": "#3a2a05",
    "gemcard": "#f8f4ec",
    "gemcard-edge": "#8d8175",
    "beneath": "#d9c9a8",
    "chest": "#8a5a2b",
    "chest-dark": "#5d3a17",
    "dragon": "#1d7a56",
    "dragon-wing": "#3bab7e",
    "dragon-edge": "#f4fff8",
    "nest": "#a9814b",
    "nest-dark": "#7d5c31",
    "nest-edge": "#6a4c26",
    "egg": "#f3ead8",
    "turn": "#e6f0e4",
    "flame": "#c8321c",
    "pick": "#1552a0",
    "pick-edge": "#ffffff",
}

DARK: Final[dict[str, str]] = LIGHT | {
    "paper": "#1d1b1a",
    "ink": "#efe8dc",
    "soft": "#b3a799",
    "line": "#443d37",
    "banner": "#24483e",
    "sky": "#1a2740",
    "sky-low": "#31415a",
    "sun": "#e8e2c8",
    "cloud": "#3a4a66",
    "far": "#24384a",
    "wall": "#6f6a66",
    "wall-dark": "#57524f",
    "roof": "#6e382e",
    "plaque": "#cfc7b8",
    "grass": "#3d5738",
    "grass-dark": "#30462d",
    "road": "#8d7f63",
    "road-edge": "#5f5541",
    "rock": "#2c2724",
    "rock-dark": "#211d1b",
    "hollow": "#3a322d",
    "shaft": "#554a42",
    "stone": "#cbbfac",
    "stone-edge": "#7d705f",
    "hall-light": "#5d4a29",
    "card": "#e2b53a",
    "gemcard": "#d9d2c5",
    "beneath": "#8f8267",
    "nest": "#7d5f37",
    "nest-dark": "#5b4426",
    "turn": "#27352c",
}

KNIGHTS: Final = ("#26282d", "#ee8130", "#2c8a4b", "#7b49ad", "#f8d53f")
"""Shield of each colour, in the engine's order."""
KNIGHT_INK: Final = ("#ffffff", "#241405", "#ffffff", "#ffffff", "#2b2410")
KNIGHT_LETTERS: Final = ("B", "O", "G", "P", "Y")

GEM_FILL: Final = ("#d6263f", "#12935a", "#7c1f52", "#27b4c4")
GEM_INK: Final = ("#ffffff", "#ffffff", "#ffffff", "#06282c")
GEM_LETTERS: Final = ("R", "E", "G", "T")


_CHANGED: Final = frozenset(role for role in LIGHT if LIGHT[role] != DARK[role])


class Paint:
    """Fill and stroke attributes for one theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme: Theme = theme
        self._colours = DARK if theme == "dark" else LIGHT
        self._classes = theme in ("auto", "page")

    def __call__(self, fill: str | None = None, stroke: str | None = None, width: float = 0) -> str:
        """``fill="…" stroke="…" stroke-width="…"`` for two roles; no fill role means none."""
        parts = []
        if self._classes:
            names = [f"ef-{fill}"] if fill in _CHANGED else []
            if stroke in _CHANGED:
                names.append(f"es-{stroke}")
            if names:
                parts.append(f'class="{" ".join(names)}"')
        parts.append(f'fill="{self._colours[fill]}"' if fill else 'fill="none"')
        if stroke:
            parts.append(f'stroke="{self._colours[stroke]}" stroke-width="{width:g}"')
        return " ".join(parts)


_SPOTS: Final = (
    ".spot,.spot:focus-visible{cursor:pointer;outline:none}"
    ".spot:hover .over{fill-opacity:.16}"
    f".spot:focus-visible .over{{stroke:{LIGHT['pick']};stroke-width:5;outline:3px solid #fff}}"
    # while one is looked at, the arrows of the others step back
    "svg:has(.spot:hover) .spot:not(:hover) .way,"
    "svg:has(.spot:focus-visible) .spot:not(:focus-visible) .way{opacity:.3}"
)


@cache
def page_rules() -> str:
    """What a page with ``page`` pictures has in its style sheet: the dark colours, and how spots answer."""
    return f"{_SPOTS}@media (prefers-color-scheme: dark) {{{dark_rules()}}}\n"


@cache
def shield_rules() -> str:
    """The colours of the shields beside names on a page: ``mark-0`` and so on, in the engine's order."""
    pairs = enumerate(zip(KNIGHTS, KNIGHT_INK, strict=True))
    return "".join(f".mark-{color}{{background:{shield};color:{ink}}}" for color, (shield, ink) in pairs) + "\n"


@cache
def dark_rules() -> str:
    """The style rules that turn an ``auto`` or ``page`` picture dark, without the media query around them."""
    return "".join(
        f".ef-{role}{{fill:{colour}}}.es-{role}{{stroke:{colour}}}" for role, colour in DARK.items() if role in _CHANGED
    )

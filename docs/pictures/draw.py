"""Draw the pictures of this folder anew: ``python docs/pictures/draw.py`` from the top of the repository.

Bots play games from fixed seeds, so that the pictures come out the same each time. It also says what a drawing costs.
"""

import io
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PIL import Image

import engine
from engine import BRIBE, CATCH, CHAMBER, MOVE, SPACES, Catch, Position, Surrender, View
from engine.board import cave_space
from engine.bots import LEVELS
from service.pictures.palette import Theme
from service.pictures.png import render
from service.pictures.spots import Spot
from service.pictures.svg import board_svg

HERE = Path(__file__).parent
NAMES = ("Anna", "Bertrand", "Chloé", "Dmitri", "Ewa")
WIDTH = 600


def game(players: int, seed: int) -> list[Position]:
    """A whole game of steady bots, position by position."""
    rng = random.Random(seed)  # noqa: S311 - the same pictures each time, no secret
    position = engine.start(engine.deal(players, bytes([seed]) * 32, [""] * players, 0))
    positions = [position]
    while not engine.is_over(position):
        seen = engine.view(position, engine.to_act(position))
        position, _ = engine.apply(position, LEVELS["steady"](seen, seen.legal, 1.0, rng))
        positions.append(position)
    return positions


def acting(position: Position) -> View:
    """The position as whoever is to act sees it."""
    return engine.view(position, engine.to_act(position))


def pressed(seen: View, chosen: int | None = None) -> tuple[View, list[Spot]]:
    """What can be pressed on the board; ``chosen``: the knight of this number is to move first."""
    if chosen is None:
        return seen, [_knight(way) for way in engine.ways(seen)] + _dragon(seen)
    first = engine.ways(seen)[chosen]
    then = engine.ahead(seen, first.move).then
    return seen, [_knight(first)._replace(chosen=True), *(_knight(way) for way in engine.ways(then))]


def _knight(way: engine.Way) -> Spot:
    target = "chamber" if way.target == CHAMBER else SPACES[way.target]
    return Spot("knight", "#", "", SPACES[way.move.source], way.move.color, target, way.steps)


def _dragon(seen: View) -> list[Spot]:
    here = SPACES[cave_space(seen.dragon)]
    victims = [Spot("catch", "#", "", here, action.color) for action in seen.legal if isinstance(action, Catch)]
    return victims + [Spot("surrender", "#", "") for action in seen.legal if isinstance(action, Surrender)]


def save(
    name: str,
    view: View,
    spots: Sequence[Spot] = (),
    *,
    theme: Theme = "light",
    width: int = WIDTH,
    grey: bool = False,
) -> None:
    """One picture as PNG with a palette; the board alone where something can be pressed on it."""
    picture = render(board_svg(view, NAMES, theme=theme, spots=spots, bare=bool(spots)), width=width)
    if grey:
        out = io.BytesIO()
        Image.open(io.BytesIO(picture)).convert("L").save(out, format="PNG", optimize=True)
        picture = out.getvalue()
    (HERE / f"{name}.png").write_bytes(picture)
    sys.stdout.write(f"{name}.png  {len(picture) // 1024} KiB\n")


def main() -> None:
    """All pictures, then the cost of one."""
    for players in (2, 3, 5):
        positions = game(players, 11)
        first = [engine.view(position, 0) for position in positions]
        middle = first[len(first) // 2]
        save(f"start-{players}", first[0])
        save(f"middle-{players}", middle)
        save(f"end-{players}", first[-1])
        if players == 3:
            save("middle-3-dark", middle, theme="dark")
            save("middle-3-phone", middle, width=390)
            save("middle-3-grey", middle, grey=True)
        turns = [acting(p) for p in positions if p.phase == MOVE and not p.moved]
        if players == 2:
            save("pressed-start-2", *pressed(turns[0], 2))
        if players == 5:
            turn = turns[len(turns) // 2]
            save("pressed-5", *pressed(turn))
            save("pressed-5-second", *pressed(turn, 0))
            save("pressed-5-dark", *pressed(turn), theme="dark")
            save("pressed-5-phone", *pressed(turn), width=390)
            save("pressed-5-grey", *pressed(turn), grey=True)
        for phase, name in ((CATCH, "victims"), (BRIBE, "bribe")):
            asked = [p for p in positions if p.phase == phase]
            if asked and players == 5:
                save(name, *pressed(acting(max(asked, key=lambda p: len(engine.legal_actions(p))))))
    costs(*pressed(acting(game(5, 11)[0])))


def costs(view: View, spots: Sequence[Spot]) -> None:
    """What one drawing takes, with all on a board of five that can be pressed, and without."""
    for words, given in (("", ()), (f" with {len(spots)} spots", spots)):
        rounds = 300
        begun = time.process_time()
        for _ in range(rounds):
            board_svg(view, NAMES, theme="page", bare=True, spots=given)
        spent = (time.process_time() - begun) / rounds * 1000
        size = len(board_svg(view, NAMES, theme="page", bare=True, spots=given).encode()) / 1000
        sys.stdout.write(f"one SVG{words}: {spent:.2f} ms of CPU, {size:.1f} kB\n")


if __name__ == "__main__":
    main()

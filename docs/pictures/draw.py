"""Draw the pictures of this folder anew: ``python docs/pictures/draw.py`` from the top of the repository.

Bots play games from fixed seeds, so that the pictures come out the same each time. It also says what a drawing costs.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import engine
from engine.bots import LEVELS
from service.pictures.palette import Theme
from service.pictures.png import render
from service.pictures.svg import board_svg

HERE = Path(__file__).parent
NAMES = ("Anna", "Bertrand", "Chloé", "Dmitri", "Ewa")
WIDTH = 600


def game(players: int, seed: int) -> list[engine.View]:
    """A whole game of steady bots, as the first seat saw it move by move."""
    rng = random.Random(seed)  # noqa: S311 - the same pictures each time, no secret
    position = engine.start(engine.deal(players, bytes([seed]) * 32, [""] * players, 0))
    views = [engine.view(position, 0)]
    while not engine.is_over(position):
        seat = engine.to_act(position)
        seen = engine.view(position, seat)
        position, _ = engine.apply(position, LEVELS["steady"](seen, seen.legal, 1.0, rng))
        views.append(engine.view(position, 0))
    return views


def save(name: str, view: engine.View, theme: Theme = "light", width: int = WIDTH) -> None:
    """One picture as PNG with a palette."""
    picture = render(board_svg(view, NAMES, theme=theme), width=width)
    (HERE / f"{name}.png").write_bytes(picture)
    sys.stdout.write(f"{name}.png  {len(picture) // 1024} KiB\n")


def main() -> None:
    """All pictures, then the cost of one."""
    for players in (2, 3, 5):
        views = game(players, 11)
        save(f"start-{players}", views[0])
        save(f"middle-{players}", views[len(views) // 2])
        save(f"end-{players}", views[-1])
        if players == 3:
            save("middle-3-dark", views[len(views) // 2], "dark")
            save("middle-3-phone", views[len(views) // 2], width=390)
    rounds = 200
    begun = time.process_time()
    for _ in range(rounds):
        board_svg(views[-1], NAMES)
    sys.stdout.write(f"one SVG: {(time.process_time() - begun) / rounds * 1000:.2f} ms of CPU\n")


if __name__ == "__main__":
    main()

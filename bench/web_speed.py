"""How fast the pages are, beside the API in the same process: `python -m bench.web_speed` (docs/PERFORMANCE.md, Pages).

A game of three in its middle, on a SQLite file, asked for through the whole application by one and the same player: as
JSON and as a page, by turns, so that whatever else the machine does falls on both. Then the picture alone: as SVG, with
and without places to press, and as PNG, drawn and kept. CPU time, medians; and what a browser fetches for each page.
"""

import argparse
import random
import re
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Final

from flask import Flask
from rich.console import Console
from rich.table import Table as Shown
from werkzeug.test import TestResponse

from engine import MOVE, View
from service.api.app import create_app
from service.bootstrap import migrate_database
from service.clock import now
from service.config import Settings
from service.db import db
from service.pictures.png import BARE_WIDTH, board_png, render
from service.pictures.svg import board_svg, picture_only
from service.usecases import tokens
from service.usecases.results import SCOPES
from service.web import choosing
from tests.service.table import Clock, Table
from tests.web.browsing import Browser, signed_in_client

REPORT: Final = Path(__file__).resolve().parents[1] / "docs" / "PERFORMANCE.md"
NAMES: Final = ("Anna", "Bert", "Carla")
MIDDLE: Final = 60
"""Decisions made before a game is looked at."""
_LOADS: Final = re.compile(r'(?:src|href)="(/assets/[^"]+)"')

Rows = list[tuple[str, ...]]


def milliseconds(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median CPU time of each, all run by turns."""
    spent: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            began = time.process_time()
            run()
            spent[name].append(1000 * (time.process_time() - began))
    return {name: statistics.median(times) for name, times in spent.items()}


class Stage:
    """Three people in the middle of a game, a browser of each, and a token for the API."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.table = Table(clock=Clock(now()))
        with app.app_context():
            self.browsers = [signed_in_client(app, self.table, name) for name in NAMES]
            callers = [one.caller for one in self.browsers]
            self.tokens = [
                tokens.create_token(caller=caller, name="Bench", scopes=SCOPES, now=self.table.now).token
                for caller in callers
            ]
            rng = random.Random(3)
            self.game = self.table.game(*callers)
            while True:
                info = self.table.view(callers[0], self.game).info
                seen = self.table.view(callers[info.to_act or 0], self.game)
                if info.ply >= MIDDLE and seen.view is not None and seen.view.phase == MOVE and len(seen.legal) > 3:
                    break
                self.table.move(callers[info.to_act or 0], self.game, rng.choice(seen.legal).number)
        self.actor = info.to_act or 0
        self.view: View = seen.view
        self.said = seen.legal[0].notation

    def page(self, seat: int, query: str = "") -> Callable[[], object]:
        """Ask for the page as this seat."""
        browser: Browser = self.browsers[seat]
        return lambda: _good(browser.get(f"/games/{self.game}{query}"))

    def json(self, seat: int) -> Callable[[], object]:
        """Ask for the JSON as this seat."""
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        client = self.app.test_client(use_cookies=False)
        return lambda: _good(client.get(f"/api/v1/games/{self.game}", headers=headers))


def _good(answer: TestResponse) -> TestResponse:
    if answer.status_code != HTTPStatus.OK:
        raise SystemExit(f"{answer.request.path} answers {answer.status}")
    return answer


def answers(stage: Stage, rounds: int) -> Rows:
    """The page beside the JSON, for who is to move and for who is not."""
    other = (stage.actor + 1) % len(NAMES)
    cases = {
        "one's own turn": (stage.json(stage.actor), stage.page(stage.actor)),
        "one's own turn, a knight chosen": (
            stage.json(stage.actor),
            stage.page(stage.actor, f"?line={stage.said.replace(' ', '+')}"),
        ),
        "another's turn": (stage.json(other), stage.page(other)),
    }
    rows: Rows = []
    for name, (as_json, as_page) in cases.items():
        for run in (as_json, as_page):  # templates are compiled, statements prepared
            run()
        spent = milliseconds({"json": as_json, "page": as_page}, rounds)
        times = spent["page"] / spent["json"]
        rows.append((name, f"{spent['json']:.1f} ms", f"{spent['page']:.1f} ms", f"{times:.1f} x"))
    return rows


def pictures(stage: Stage, rounds: int) -> Rows:
    """The board, drawn in every way there is."""
    chosen = choosing.choice(stage.view, stage.said, NAMES, lambda line: f"?line={line}")
    offered = choosing.choice(stage.view, "", NAMES, lambda line: f"?line={line}")

    def svg(places: choosing.Choice | None) -> Callable[[], object]:
        return lambda: board_svg(stage.view, NAMES, theme="page", bare=True, spots=places.spots if places else ())

    def drawn() -> object:
        return render(picture_only(stage.view, NAMES, bare=True), width=BARE_WIDTH)

    runs: dict[str, Callable[[], object]] = {
        "SVG": svg(None),
        f"SVG, {len(offered.spots)} knights to press": svg(offered),
        f"SVG, one chosen, {len(chosen.spots) - 1} more": svg(chosen),
        "PNG, drawn": drawn,
        "PNG, kept": lambda: board_png(stage.view, NAMES, bare=True),
    }
    spent = milliseconds(runs, rounds)
    return [(name, f"{spent[name]:.2f} ms", f"{len(_bytes(run())):,}") for name, run in runs.items()]


def _bytes(made: object) -> bytes:
    return made if isinstance(made, bytes) else str(made).encode()


def weights(stage: Stage) -> Rows:
    """What a browser that knows nothing of the site fetches, uncompressed."""
    browser = stage.browsers[stage.actor]
    pages = {
        "a game": f"/games/{stage.game}",
        "my games": "/",
        "its log": f"/games/{stage.game}/log",
        "the rules": "/rules",
    }
    rows: Rows = []
    for name, path in pages.items():
        text = browser.visit(path)
        rest = sum(len(browser.get(part).data) for part in sorted(set(_LOADS.findall(text))))
        rows.append((name, f"{len(text.encode()):,}", f"{rest:,}", f"{len(text.encode()) + rest:,}"))
    return rows


TABLES: Final = {
    "server": ("a game's page", "JSON", "page", "page / JSON"),
    "picture": ("the board", "CPU", "bytes"),
    "weight": ("page", "itself", "style and scripts", "in all"),
}


def write(found: dict[str, Rows]) -> None:
    """Put the tables between their marks in docs/PERFORMANCE.md."""
    text = REPORT.read_text("utf-8")
    for kind, rows in found.items():
        begin, end = f"<!-- pages, {kind}: begin -->", f"<!-- pages, {kind}: end -->"
        head, rest = text.split(begin)
        _old, tail = rest.split(end)
        lines = (TABLES[kind], ("---", *["---:"] * (len(TABLES[kind]) - 1)), *rows)
        text = "\n".join([head + begin, *(f"| {' | '.join(row)} |" for row in lines), end + tail])
    REPORT.write_text(text, "utf-8")


def main() -> None:
    """Measure, print, and on request write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=60, help="times that each is asked for (60)")
    parser.add_argument("--write", action="store_true", help=f"update docs/{REPORT.name}")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            secret_key=secrets.token_hex(),
            database_url=f"sqlite:///{folder}/emerald.db",
            mail_url=f"folder:{folder}/mail",
            rate_limit=None,
            log_level="WARNING",
        )
        app = create_app(settings)
        migrate_database(app)
        stage = Stage(app)
        found = {
            "server": answers(stage, arguments.rounds),
            "picture": pictures(stage, arguments.rounds),
            "weight": weights(stage),
        }
        with app.app_context():
            db.engine.dispose()
    console = Console(width=None if Console().is_terminal else 100)
    for kind, rows in found.items():
        shown = Shown(*TABLES[kind])
        for row in rows:
            shown.add_row(*row)
        console.print(shown)
    if arguments.write:
        write(found)


if __name__ == "__main__":
    main()

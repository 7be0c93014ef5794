"""Pictures of every page: ``python docs/pictures/pages.py`` from the top of the repository draws ``pages/`` anew.

It starts the real service in a temporary folder, signs people up, plays games over HTTP, and opens each page of
``PAGES`` in a Chromium (``CHROMIUM`` names it, if it is not ``/usr/bin/chromium``), as a phone and as a desk shows it,
light and dark. Names after the command draw these pages alone: ``python docs/pictures/pages.py rules home``.

It ends with 1 if a page answers other than it should, says something to the console, or is wider than its window.
"""

import io
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, sync_playwright

from service.cli import letters
from service.cli.client import Client
from service.cli.inbox import Inbox

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).parent / "pages"
WIDTHS: Final = (390, 1280)
SCHEMES: Final = ("light", "dark")
LEAST: Final = 500
TALLEST: Final = 2400
COLOURS: Final = 128
PATIENCE: Final = 60.0
_LINK: Final = re.compile(r"https?://[^\s/]+(/[^\s<>]+)")

Game = dict[str, Any]
Wanted = Callable[[Game], bool]


class Shot(NamedTuple):
    """A page to be drawn.

    ``path`` has places for what the stage prepared (``{start}`` is a game's id); ``who`` looks: a name of ``PEOPLE``,
    or nobody. ``status`` is what the page answers with.
    """

    name: str
    told: str
    path: str
    who: str = ""
    status: int = 200


PEOPLE: Final = {"Anna": "en", "Bertrand": "fr", "Chloé": "de"}
"""Those who play, and the language of each."""

PAGES: Final = (
    Shot("welcome", "the first page, seen by a stranger", "/"),
    Shot("sign-up", "a new account", "/sign-up"),
    Shot("sign-in", "signing in: the address", "/sign-in"),
    Shot("sign-in-link", "signing in: the link beside the code", "{sign_in_link}"),
    Shot("sign-in-link-used", "the same link a second time", "{used_link}", status=410),
    Shot("home", "my games, urgent first", "/", "Anna"),
    Shot("open-games", "open games", "/games", "Anna"),
    Shot("new-game", "a new game", "/games/new", "Anna"),
    Shot("waiting-room", "a game that waits for players", "/games/{waiting}", "Anna"),
    Shot("waiting-room-stranger", "the same, seen by a stranger", "/games/{waiting}"),
    Shot("join", "invited with a code", "/join/{code}", "Bertrand"),
    Shot("start", "the first turn: arrows show how far each knight goes", "/games/{start}", "Anna"),
    Shot("start-chosen", "the first knight chosen: how far the others would go then", "/games/{start}?line=t1", "Anna"),
    Shot("start-stranger", "the same game, watched by a stranger", "/games/{start}"),
    Shot("middle", "one's own turn in the middle of a game", "/games/{middle}", "Anna"),
    Shot("middle-two", "a game of two", "/games/{two}", "Anna"),
    Shot("theirs", "somebody else's turn", "/games/{theirs}", "Anna"),
    Shot("take", "gold or gem", "/games/{take}", "Anna"),
    Shot("bribe", "the dragon holds a knight: pay or give it up", "/games/{bribe}", "Anna"),
    Shot("catch", "whom the dragon shall catch", "/games/{catch}", "Anna"),
    Shot("talk", "talk and private notes", "/games/{middle}/talk", "Anna"),
    Shot("orders", "standing orders and plans", "/games/{middle}/orders", "Anna"),
    Shot("table", "pace, votes, mails of this game", "/games/{middle}/table", "Anna"),
    Shot("resign", "giving up", "/games/{middle}/resign", "Anna"),
    Shot("log", "the log", "/games/{middle}/log", "Anna"),
    Shot("replay", "a step of the replay", "/games/{over}/replay?step=40", "Anna"),
    Shot("over", "a finished game, scores card by card", "/games/{over}", "Anna"),
    Shot("over-log", "its log", "/games/{over}/log", "Anna"),
    Shot("verify", "the shuffle verified", "/games/{over}/verify", "Anna"),
    Shot("account", "account: profile", "/account", "Anna"),
    Shot("account-addresses", "account: addresses", "/account/addresses", "Anna"),
    Shot("account-tokens", "account: tokens", "/account/tokens", "Anna"),
    Shot("account-time-off", "account: nights, days off, absences", "/account/time-off", "Anna"),
    Shot("account-mail", "account: mails", "/account/mail", "Anna"),
    Shot("account-feeds", "account: calendar and feed", "/account/feeds", "Anna"),
    Shot("rules", "the rules", "/rules"),
    Shot("help-mail", "what can be written in a mail", "/help/mail"),
    Shot("api", "the API", "/docs/api"),
    Shot("api-moves", "one chapter of it", "/docs/api/moves"),
    Shot("error", "an address that leads nowhere", "/games/nowhere", status=404),
    Shot("move-link", "the page behind a link of a mail", "{move_link}"),
    Shot("opt-out", "no more mails of a kind", "{opt_out}"),
    Shot("home-de", "my games in German", "/", "Chloé"),
    Shot("middle-de", "a game in German", "/games/{middle}", "Chloé"),
    Shot("start-fr", "a game in French", "/games/{start}", "Bertrand"),
    Shot("rules-fr", "the rules in French", "/rules?lang=fr"),
)


@dataclass
class Player:
    """Somebody with an account and a mailbox."""

    name: str
    address: str
    client: Client


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """The whole service from one process; where it is."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "service.cli", "serve", "--port", str(port), "--data", str(folder)]
    clean = {name: text for name, text in os.environ.items() if not name.startswith("EMERALD_")}
    running = subprocess.Popen(  # noqa: S603 - our own words
        command, cwd=ROOT, env=clean | {"EMERALD_RATE_LIMIT": ""}, stdout=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + PATIENCE
        while True:
            if running.poll() is not None:
                raise SystemExit("the service did not start")
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
        yield url
    finally:
        running.terminate()
        running.wait(timeout=30)


class Stage:
    """The people, their games, and the links that were mailed to them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.inbox = Inbox(Client(url), lambda mail: None)
        self.rng = random.Random(5)  # noqa: S311 - which moves are shown, no secret
        self.players = [self._sign_up(name, language) for name, language in PEOPLE.items()]

    def _sign_up(self, name: str, language: str) -> Player:
        address = f"{name[:4].lower().replace('é', 'e')}@example.org"
        client = Client(self.url)
        wishes = {"language": language, "time_zone": "Europe/Berlin"}
        client.post("/accounts", {"email": address, "display_name": name} | wishes)
        code = letters.code_in(self.mail(address, lambda mail: letters.code_in(mail) is not None))
        client.token = client.post("/tokens", {"email": address, "code": code, "token_name": "a program"})["token"]
        return Player(name, address, client)

    def mail(self, address: str, wanted: Callable[[EmailMessage], bool]) -> EmailMessage:
        """The first mail to this address that is wanted."""
        return self.inbox.wait(address, wanted, what=f"a mail to {address}", seconds=PATIENCE)

    def newest(self, address: str, kind: Callable[[EmailMessage], bool], known: int) -> EmailMessage:
        """The newest mail of a kind, of more than those that were known."""
        end = time.monotonic() + PATIENCE
        while True:
            found = [mail for mail in self.inbox.to(address) if kind(mail)]
            if len(found) > known:
                return found[-1]
            if time.monotonic() > end:
                raise SystemExit(f"no mail came to {address}")
            time.sleep(0.1)

    def game(self, *players: Player, **more: Any) -> str:
        """A game of these, the first to begin."""
        seats: list[dict[str, Any]] = [{"kind": "me"}]
        seats += [{"kind": "invite", "name": player.name} for player in players[1:]]
        wishes = {"seats": seats, "first": 0, "clock": {"kind": "days", "days": 3}} | more
        made = str(players[0].client.post("/games", wishes)["id"])
        for player in players[1:]:
            player.client.post(f"/games/{made}/join", {})
        return made

    def play(self, game_id: str, players: Sequence[Player], until: Wanted) -> bool:
        """Play at random until the game, as whoever is to act sees it, is as wanted; False if it is over before."""
        seat = 0
        while True:
            actor = players[seat]
            seen = actor.client.get(f"/games/{game_id}")
            if until(seen):
                return True
            if seen["status"] == "over":
                return False
            line = self.rng.choice(seen["legal"])["notation"]
            answer = actor.client.post(f"/games/{game_id}/moves", {"ply": seen["ply"], "line": line})
            seat = seat if answer["to_act"] is None else answer["to_act"]

    def found(self, players: Sequence[Player], until: Wanted) -> str:
        """A game that came to be as wanted."""
        for _ in range(20):
            game_id = self.game(*players)
            if self.play(game_id, players, until):
                return game_id
        raise SystemExit("no game came to be as wanted")

    def link(self, address: str, starts: str, about: str = "") -> str:
        """The newest link of this kind in the mails to an address (about this game), as a path."""
        paths: list[str] = [
            path.rstrip(".,>")
            for mail in self.inbox.to(address)
            if about in letters.text_of(mail)
            for path in _LINK.findall(letters.text_of(mail))
            if path.startswith(starts)
        ]
        if not paths:
            raise SystemExit(f"no link {starts} was mailed to {address}")
        return paths[-1]


def asked(phase: str, *, least: int = 0) -> Wanted:
    """The first player is asked this, has so much to choose from, and the game has gone on for a while."""
    return lambda game: (
        game["to_act"] == 0 and game["phase"] == phase and game["ply"] >= 20 and len(game["legal"]) >= least
    )


def prepared(stage: Stage) -> dict[str, str]:
    """Games in every state worth seeing."""
    anna, bertrand, chloe = everybody = stage.players
    made = {"start": stage.game(*everybody), "over": stage.game(*everybody)}
    stage.play(made["over"], everybody, lambda game: game["status"] == "over")
    made["middle"] = stage.found(everybody, lambda game: asked("move", least=4)(game) and game["ply"] >= 60)
    made["two"] = stage.found([anna, bertrand], lambda game: asked("move", least=4)(game) and game["ply"] >= 40)
    made["theirs"] = stage.found([anna, chloe], lambda game: game["to_act"] == 1 and game["ply"] >= 50)
    made["take"] = stage.found(everybody, asked("take"))
    made["bribe"] = stage.found(everybody, asked("bribe", least=4))
    made["catch"] = stage.found(everybody, asked("catch", least=2))
    seats = [{"kind": "me"}, {"kind": "invite", "name": "Chloé"}, {"kind": "open"}, {"kind": "bot", "level": "steady"}]
    made["waiting"] = anna.client.post("/games", {"seats": seats, "clock": {"kind": "days", "days": 2}})["id"]
    private = {"seats": [{"kind": "me"}, {"kind": "open"}], "public": False}
    made["code"] = anna.client.post("/games", private)["join_code"]
    bertrand.client.post("/games", {"seats": [{"kind": "me"}, {"kind": "open"}]})

    middle = f"/games/{made['middle']}"
    for player, text in (
        (bertrand, "That dragon has eaten enough of my knights for one day."),
        (chloe, "It likes you best. Shall we play again on Sunday?"),
        (anna, "Gladly! But first I want the ruby at c7."),
    ):
        player.client.post(f"{middle}/says", {"text": text})
    anna.client.post(f"{middle}/notes", {"text": "Bertrand holds at least one 5."})
    anna.client.call("PUT", f"/api/v1{middle}/orders/bribe", {"order": "at most 2"})
    anna.client.call("PUT", f"/api/v1{middle}/orders/catch", {"order": "leader"})
    starts = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
    ends = starts + timedelta(days=9)
    anna.client.post("/me/absences", {"starts_at": starts.isoformat(), "ends_at": ends.isoformat()})
    anna.client.post("/me/feed")
    stage.mail(anna.address, lambda mail: "/m/" in letters.text_of(mail))
    time.sleep(3)  # until the mails of the last turns are out, and nothing changes while it is drawn
    links = {"move_link": stage.link(anna.address, "/m/", made["start"]), "opt_out": stage.link(anna.address, "/u/")}
    return made | links


def signed_in(stage: Stage, browser: Browser, player: Player) -> StorageState:
    """The cookies of a browser in which somebody typed the code of their mail."""
    known = sum(letters.code_in(mail) is not None for mail in stage.inbox.to(player.address))
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{stage.url}/sign-in")
    page.fill("input[name=email]", player.address)
    page.locator("main form button").first.click()
    mail = stage.newest(player.address, lambda mail: letters.code_in(mail) is not None, known)
    page.fill("input[name=code]", letters.code_in(mail) or "")
    page.locator("main form button").first.click()
    page.wait_for_url(re.compile(r"/$"))
    state = context.storage_state()
    context.close()
    return state


def sign_in_links(stage: Stage, browser: Browser) -> dict[str, str]:
    """The link beside a code, unused, and one that was used."""
    links = []
    for player in stage.players[:2]:
        known = sum(letters.code_in(mail) is not None for mail in stage.inbox.to(player.address))
        Client(stage.url).post("/sign-in", {"email": player.address})
        stage.newest(player.address, lambda mail: letters.code_in(mail) is not None, known)
        links.append(stage.link(player.address, "/sign-in/"))
    page = browser.new_page()
    page.goto(f"{stage.url}{links[1]}")
    page.locator("main form button").first.click()
    page.close()
    return {"sign_in_link": links[0], "used_link": links[1]}


def draw(page: Page, url: str, shot: Shot, width: int) -> tuple[bytes, list[str]]:
    """The page as PNG, and what is wrong with it."""
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(f"console: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    answer = page.goto(url)
    if answer is None or answer.status != shot.status:
        wrong.append(f"answered {None if answer is None else answer.status}")
    page.evaluate("for (const one of document.querySelectorAll('img[loading=lazy]')) one.loading = 'eager'")
    page.evaluate("Promise.all([...document.images].map(one => one.decode().catch(() => null)))")
    wide, tall = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    if wide > width:
        wrong.append(f"{wide} px wide")
    wrong = [one for one in wrong if not (shot.status >= 400 and "Failed to load resource" in one)]
    # A window as tall as the picture: what sticks to its lower edge is drawn there, not across the middle.
    page.set_viewport_size({"width": width, "height": min(max(tall, LEAST), TALLEST)})
    return page.screenshot(), wrong


def save(picture: bytes, file: Path) -> int:
    """A small PNG; its size in bytes."""
    with Image.open(io.BytesIO(picture)) as full:
        flat = full.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    flat.save(file, optimize=True)
    return file.stat().st_size


def index() -> str:
    """The list of the pictures, for people."""
    lines = [
        "# Every page in pictures",
        "",
        "Made by `python docs/pictures/pages.py` with a Chromium: as a phone (390 px) and as a desk (1280 px) shows",
        f"it, light and dark, the top {TALLEST} px. Adding one is a line in its table `PAGES`.",
        "",
        "| page | | phone | desk |",
        "| --- | --- | --- | --- |",
    ]
    for shot in PAGES:
        links = (", ".join(f"[{scheme}]({shot.name}-{width}-{scheme}.png)" for scheme in SCHEMES) for width in WIDTHS)
        lines.append(f"| {shot.name} | {shot.told} | {' | '.join(links)} |")
    return "\n".join(lines) + "\n"


def main(names: Sequence[str]) -> int:
    """Draw the named pages, or all. 1 if something is wrong with one."""
    unknown = set(names) - {shot.name for shot in PAGES}
    if unknown:
        raise SystemExit(f"no such pages: {', '.join(sorted(unknown))}")
    shots = [shot for shot in PAGES if not names or shot.name in names]
    HERE.mkdir(exist_ok=True)
    faults = 0
    with tempfile.TemporaryDirectory() as folder, service(Path(folder)) as url, sync_playwright() as play:
        stage = Stage(url)
        places = prepared(stage)
        browser = play.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        states = {player.name: signed_in(stage, browser, player) for player in stage.players}
        places |= sign_in_links(stage, browser)
        weight = 0
        for width in WIDTHS:
            for scheme in SCHEMES:
                contexts: dict[str, BrowserContext] = {}
                for shot in shots:
                    if shot.who not in contexts:
                        contexts[shot.who] = browser.new_context(
                            viewport={"width": width, "height": 844 if width < 500 else 800},
                            color_scheme=scheme,
                            storage_state=states.get(shot.who),
                            locale="en-GB",
                        )
                    page = contexts[shot.who].new_page()
                    picture, wrong = draw(page, url + shot.path.format(**places), shot, width)
                    page.close()
                    name = f"{shot.name}-{width}-{scheme}.png"
                    weight += (size := save(picture, HERE / name))
                    faults += len(wrong)
                    sys.stdout.write(f"{name}  {size // 1024} KiB{''.join(f'  ! {one}' for one in wrong)}\n")
                for context in contexts.values():
                    context.close()
        browser.close()
    if not names:
        wanted = {f"{shot.name}-{width}-{scheme}.png" for shot in PAGES for width in WIDTHS for scheme in SCHEMES}
        for old in HERE.glob("*.png"):
            if old.name not in wanted:
                old.unlink()
        (HERE / "README.md").write_text(index(), encoding="utf-8")
    sys.stdout.write(f"{weight / 1_000_000:.1f} MB, {faults} faults\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Pictures of the mails: ``python docs/pictures/mails.py`` from the top of the repository draws ``mails/`` anew.

``python docs/pictures/mails.py FOLDER`` draws every kind of mail there, as a phone and as a desk shows it, light and
dark, without its pictures, and its plain text. A Chromium does it (``CHROMIUM`` names it, if it is not ``chromium``).
"""

import base64
import html
import io
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PIL import Image

from service.cli import letters
from service.mail import kinds
from service.mail.render import mail
from tests.mail import samples

HERE = Path(__file__).parent / "mails"
PHONE, DESK = 390, 800
SCHEMES = {"light": 1, "dark": 0}
TALLEST = 9000
#: What is not the mail: cut off.
EDGE = (255, 0, 255)

# A browser's window is not as narrow as a phone, so that the mail stands in a frame which is.
FRAME = """<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;background:rgb(255,0,255)">
<iframe id="mail" style="border:0;display:block;width:{width}px" srcdoc="{page}"></iframe>
<script>
const frame = document.getElementById("mail");
frame.onload = () => {{ frame.style.height = frame.contentDocument.documentElement.scrollHeight + "px"; }};
</script></body></html>"""

PLAIN = """<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:14px;background:Canvas"><pre style="margin:0;white-space:pre-wrap;overflow-wrap:anywhere;
font:{size}px/1.4 'DejaVu Sans Mono',monospace">{text}</pre></body></html>"""


def page_of(message: EmailMessage, *, pictures: bool = True) -> str:
    """The HTML of a mail with its pictures in it; without, as a program shows it that blocks them."""
    body = message.get_body(("html",))
    page = "" if body is None else str(body.get_content())
    for part in message.walk():
        if part["Content-ID"] and pictures:
            data = base64.b64encode(bytes(part.get_payload(decode=True))).decode()
            page = page.replace(f"cid:{str(part['Content-ID']).strip('<>')}", f"data:image/png;base64,{data}")
    return page


def plain_of(message: EmailMessage, width: int) -> str:
    """The text of a mail as a page: in a phone's program smaller, as there."""
    return PLAIN.format(text=html.escape(letters.text_of(message)), size=14 if width > PHONE else 12)


def shoot(page: str, width: int, scheme: str) -> Image.Image:
    """The whole page at this width."""
    with tempfile.TemporaryDirectory() as folder:
        file, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        file.write_text(FRAME.format(width=width, page=html.escape(page)), encoding="utf-8")
        command = [
            os.environ.get("CHROMIUM", "chromium"),
            *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=3000"),
            f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
            *(f"--window-size={max(width, 500) + 20},{TALLEST}", f"--screenshot={shot}", file.as_uri()),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603 - our own words
        picture = Image.open(io.BytesIO(shot.read_bytes())).convert("RGB")
    height = next((y for y in range(picture.height) if picture.getpixel((2, y)) == EDGE), picture.height)
    return picture.crop((0, 0, width, height))


def save(picture: Image.Image, file: Path) -> None:
    """A small PNG."""
    picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, optimize=True)
    sys.stdout.write(f"{file.name}  {picture.width}x{picture.height}  {file.stat().st_size // 1024} KiB\n")


def examples() -> dict[str, kinds.Notice]:
    """Every kind of mail, and what is special about some."""
    talk = (samples.said("Good luck, all of you! From here on it gets dark."),)
    found: dict[str, kinds.Notice] = {}
    for notice in samples.every_kind(log=talk):
        kind = letters.kind_of(mail(notice, samples.SETTINGS))
        again = {"turn": "bribe", "reminder": "last-call"}.get(kind, kind)
        found[again if kind in found else kind] = notice
    turn, bribe = samples.turn(log=talk), samples.bribe()
    return found | {
        "turn-2": samples.turn(players=2, log=talk),
        "turn-5": samples.turn(players=5, log=talk),
        "turn-orders": samples.with_orders(),
        "last-call-holds": samples.last_call(holds=True),
        "vote-end": samples.vote(kind="end"),
        "over-ended": samples.ended(),
        "turn-no-drawing": replace(turn, envelope=replace(turn.envelope, drawing=False, remark=samples.REMARK)),
        "bribe-no-cards": replace(bribe, envelope=replace(bribe.envelope, cards=False)),
        "answer-done": samples.done(),
        "answer-late": samples.late(),
        "answer-no-game": samples.answer(
            kinds.Outcome("games", "done", (), ("k3f9abcd2345  your turn  Bertrand, Chloé",))
        ),
    }


def main(folder: Path | None = None) -> None:
    """The handful for the documentation, or everything for a folder."""
    shown = examples()
    if folder is None:
        HERE.mkdir(exist_ok=True)
        for name, width, scheme in (
            *(("turn", width, scheme) for width in (PHONE, DESK) for scheme in SCHEMES),
            *((name, PHONE, "light") for name in ("answer", "bundle", "last-call")),
        ):
            picture = shoot(page_of(mail(shown[name], samples.SETTINGS)), width, scheme)
            save(picture, HERE / f"{name}-{'phone' if width == PHONE else 'desk'}-{scheme}.png")
        save(shoot(plain_of(mail(shown["turn"], samples.SETTINGS), DESK), DESK, "light"), HERE / "turn-text.png")
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, notice in shown.items():
        message = mail(notice, samples.SETTINGS)
        for width in (PHONE, DESK):
            for scheme in SCHEMES:
                save(shoot(page_of(message), width, scheme), folder / f"{name}-{width}-{scheme}.png")
            save(shoot(plain_of(message, width), width, "light"), folder / f"{name}-{width}-text.png")
        save(shoot(page_of(message, pictures=False), PHONE, "light"), folder / f"{name}-{PHONE}-blocked.png")


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:2]))

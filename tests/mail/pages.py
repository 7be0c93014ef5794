"""The parts of docs/MAIL.md that come from the code. `python -m tests.mail.pages` writes them anew.

A test compares them, so that the mails and commands people read about are those that they get.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import engine
from service.cli import letters
from service.commands import reference_markdown
from service.mail import kinds, render, words
from service.mail.tokens import SeatToken
from tests.mail import samples
from tests.pictures.games import NAMES, played
from tests.support.processes import ROOT

PAGE: Final = ROOT / "docs" / "MAIL.md"
MOVE: Final = "m6 gem"
REPLY: Final = (MOVE, "say Well met!", "Thanks, that was a nice one.")


def parts() -> dict[str, str]:
    """Each part by the name that its marks in the page bear."""
    turn, answer = dialogue()
    return {
        "turn mail": _shown(turn),
        "reply": "```\n" + "\n".join(REPLY) + "\n```",
        "answer mail": _shown(answer),
        "commands": re.sub("^### ", "#### ", reference_markdown(), flags=re.MULTILINE).strip(),
    }


def dialogue() -> tuple[kinds.TurnNotice, kinds.AnswerNotice]:
    """A turn mail, and the answer to the reply of the page."""
    turn = samples.turn()
    position, _ = played(3, 7, lambda p, n: n >= turn.ply)
    made = engine.play_line(position, MOVE)
    entries = samples.entries([step.events for step in made.steps], turn.seat)
    position, ply = made.steps[-1].position, turn.ply + len(made.steps)
    outcomes = (
        kinds.Outcome(REPLY[0], "done", tuple(words.recap(entries, NAMES[:3], turn.seat))),
        kinds.Outcome(REPLY[1], "done", ("Said to everyone in the game.",)),
        kinds.Outcome(REPLY[2], "ignored"),
    )
    own = samples.envelope(10, reply=SeatToken(turn.game.id, turn.seat, ply), answers="<reply@example.org>")
    subject = "Re: " + letters.subject_of(render.mail(turn, samples.SETTINGS))
    view = engine.view(position, turn.seat)
    return turn, kinds.AnswerNotice(own, outcomes, subject, turn.game, turn.seat, view, ply)


def written(page: str) -> str:
    """The page with its parts written anew."""
    for name, text in parts().items():
        before, begin, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise ValueError(f"docs/MAIL.md has no place for the {name}")
        page = f"{before}{begin}{text}\n{end}{after}"
    return page


def _shown(notice: kinds.Notice) -> str:
    message = render.mail(notice, samples.SETTINGS)
    head = "".join(f"{name}: {message[name]}\n" for name in ("From", "To", "Reply-To", "Subject"))
    return f"```text\n{head}\n{letters.text_of(message).rstrip()}\n```"


if __name__ == "__main__":
    Path(PAGE).write_text(written(PAGE.read_text()))

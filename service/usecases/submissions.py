"""The answers that moves got, kept to the byte: the same request again gets the first one."""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from engine import Action, LinePlayed, StepPlayed, action_notation, action_to_json, event_to_json
from service.errors import IDEMPOTENCY_MISMATCH, Refusal
from service.i18n import gettext as _
from service.i18n import told
from service.models import Game, Submission


def fingerprint(ply: int, actions: Sequence[Action] | None, line: str | None) -> str:
    """What two sendings of one request share, however their words are spaced and cased."""
    if actions is not None:
        said = json.dumps([action_to_json(action) for action in actions], sort_keys=True)
    else:
        said = re.sub(r"[\s,]+", " ", line or "").strip().lower()
    kind = "line" if actions is None else "actions"
    return hashlib.sha256(f"{ply}|{kind}|{said}".encode(errors="surrogatepass")).hexdigest()


def first_answer(session: Session, game: Game, seat: int, key: str | None, print_: str) -> str | None:
    """The answer this request got before. Looked up under the game's lock, before anything can be called stale.

    Raises the refusal of an idempotency key that came with another move.
    """
    same = Submission.fingerprint == print_
    if key is not None:
        same = or_(same, Submission.key == key)
    rows = session.scalars(select(Submission).where(Submission.game_id == game.id, Submission.seat == seat, same)).all()
    for row in rows:
        if key is not None and row.key == key and row.fingerprint != print_:
            raise Refusal(
                IDEMPOTENCY_MISMATCH,
                _("This idempotency key came with another move before. Use a new key for a new move."),
                ply=row.ply,
            )
    return next((row.answer for row in rows if row.fingerprint == print_), None)


def keep(
    session: Session, game: Game, seat: int, ply: int, key: str | None, print_: str, answer: str, now: datetime
) -> None:
    """Keep the answer for whenever the request comes again."""
    session.add(Submission(game_id=game.id, ply=ply, seat=seat, key=key, fingerprint=print_, answer=answer, at=now))


def answer(game: Game, seat: int, ply: int, line: LinePlayed, steps: Sequence[StepPlayed]) -> str:
    """The answer to a line of this seat: its own actions among ``steps``, and all that happened, as it may see it."""

    def applied(step: StepPlayed) -> dict[str, Any]:
        return {
            "action": action_to_json(step.action),
            "notation": action_notation(step.action, game.players),
            "by": "order" if step.by_order else "you",
        }

    return json.dumps(
        {
            "game": game.id,
            "seat": seat,
            "ply": ply,
            "next_ply": game.ply,
            "applied": [applied(step) for step in steps if step.seat == seat],
            "dropped": [{"word": one.word, "reason": told(one.reason)} for one in line.dropped],
            "events": [event_to_json(event, seat) for step in steps for event in step.events],
            "status": game.status,
            "to_act": game.to_act,
            "phase": game.phase,
        },
        ensure_ascii=False,
    )

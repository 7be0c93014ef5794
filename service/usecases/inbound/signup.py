"""Cold inboxes: a first mail waits until its sender has answered that it is really they."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session

from service.commands import model
from service.db import settings
from service.errors import UNAVAILABLE, Refusal
from service.i18n import gettext as _
from service.ids import ALPHABET
from service.mail import reading
from service.mail.kinds import Outcome
from service.mail.reading.letter import Letter
from service.models import Challenge, InboundMail, User
from service.usecases import addresses, sign_ups
from service.usecases.inbound.run import Line, lines_of
from service.usecases.inbound.who import Confirming
from service.usecases.inbound.work import Place, as_sentence

_YES: Final = frozenset(
    {"yes", "y", "yep", "yeah", "yup", "sure", "ok", "okay", "confirm", "confirmed", "agreed", "ja", "jo", "jep", "oui"}
    | {"si", "sí", "sì", "sim", "da", "tak", "ano", "igen", "evet", "kyllä", "ναι", "да", "так", "はい", "是", "네"}
)
#: A yes is the word, or begins a few of them. "Da ich …" and "Si prega …" begin what a machine says of itself.
_MOST_WORDS: Final = 3
#: A game or a join code as we make them.
_CODE: Final = re.compile(f"[{ALPHABET}]{{10}}(?:[{ALPHABET}]{{2}})?")
#: What changes something for the account itself, in a mail that is about no game.
_CHANGING: Final = (
    *(model.New, model.Join, model.Away, model.AwayFrom, model.Night, model.DaysOff),
    *(model.Subscribe, model.Unsubscribe, model.Setting),
)
_CHANGING_WORDS: Final = frozenset(
    {"accept", "decline", "resume", "away none", "back", "pause mail", "resume mail"},
)


@dataclass(frozen=True)
class Answered:
    """What came of the answer to a confirmation: who it is, what waited to be done, what there is to say."""

    place: Place
    lines: tuple[Line, ...]
    outcomes: tuple[Outcome, ...]
    open: bool = False
    """It still waits for its yes."""


def begins(lines: Sequence[Line]) -> bool:
    """Whether a stranger's mail asks for what strangers can have: a game of their own, or a seat in one.

    A slip in it counts: what is wrong is told when they have answered; silence would be all that a newcomer ever heard.
    """
    return any(isinstance(line.asks, model.New | model.Join) or _meant(line) for line in lines)


def changes(lines: Sequence[Line]) -> bool:
    """Whether a mail about no game would change something."""
    if any(isinstance(line.asks, model.Mistake) for line in lines):
        return False  # then nothing of it is done
    return any(
        isinstance(line.asks, _CHANGING) or (isinstance(line.asks, model.Simple) and line.asks.word in _CHANGING_WORDS)
        for line in lines
    )


def ask(mail: InboundMail, letter: Letter, place: Place, lines: Sequence[Line], now: datetime) -> str:
    """Have the commands of a mail wait for a confirmation; what is noted of that."""
    if not sign_ups.ask(email=place.email, name=place.name, inbound_id=mail.id, now=now):
        return "asked for a confirmation often enough"
    told = [line.text if place.user_id is not None else _plain(line) for line in lines if line.asks is not None]
    mail.outcome = {"lines": [text[:100] for text in told if text][:5], "answers": letter.message_id}
    return "waits for a confirmation"


def answered(session: Session, letter: Letter, who: Confirming, now: datetime) -> Answered | None:
    """Take the answer to a confirmation; None if there is no such, or not for this address."""
    challenge = session.get(Challenge, who.challenge)
    if challenge is None or challenge.email_key != who.place.email_key:
        return None
    if challenge.inbound_id is None and challenge.user_id is None:
        return None
    lines = lines_of(letter)
    waiting = _waiting(session, challenge)
    agreed = _agreed(lines, waiting)
    if agreed is None:
        return _not_yet(session, challenge, who.place, lines, now)
    rest = tuple(line for line in lines if line is not agreed and line.asks is not None)
    try:
        if challenge.user_id is not None and challenge.inbound_id is None:
            told, user_id = _address(challenge, now)
        else:
            told, user_id = _account(session, challenge, now)
    except Refusal as refusal:
        if refusal.code == UNAVAILABLE:
            raise
        return Answered(who.place, (), (Outcome(agreed.text, "refused", (as_sentence(refusal.message),)),))
    place = replace(who.place, user_id=user_id)
    yes = (Outcome(agreed.text, "done", told),)
    return Answered(place, (*waiting, *rest), yes)


def _not_yet(session: Session, challenge: Challenge, place: Place, lines: Sequence[Line], now: datetime) -> Answered:
    """No yes: nothing is done, and it can still be said. Over: what else the mail says is done for an account."""
    still_open = challenge.holds(now)
    if not still_open and place.user_id is not None:
        return Answered(place, tuple(lines), ())
    told = (
        _("This was no yes. Answer with the one word yes, and what waits is done.")
        if still_open
        else _("This has waited too long for its yes. Write once more what you want.")
    )
    outcomes = tuple(Outcome(line.text, "not-tried" if line.asks is not None else "ignored") for line in lines[:5])
    return Answered(place, (), (*outcomes, Outcome("", "refused", (told,))), open=still_open)


def _account(session: Session, challenge: Challenge, now: datetime) -> tuple[tuple[str, ...], str]:
    confirmed = sign_ups.confirm(challenge_id=challenge.id, email_key=challenge.email_key, now=now)
    user = session.get(User, confirmed.user_id)
    if user is None or not confirmed.new:
        return (_("Confirmed."),), confirmed.user_id
    welcome = _("Welcome. You have an account now and are called {name}; {command} changes that.")
    return (welcome.format(name=user.display_name, command="`name TEXT`"),), confirmed.user_id


def _address(challenge: Challenge, now: datetime) -> tuple[tuple[str, ...], str]:
    confirmed = addresses.confirm(challenge_id=challenge.id, email_key=challenge.email_key, now=now)
    if confirmed.new:
        told = _("{address} is an address of your account now.")
    else:
        told = _("{address} works, and mail goes there again.")
    return (told.format(address=confirmed.address.email),), confirmed.user_id


def _meant(line: Line) -> str:
    """The command to begin with that a slip was meant for; empty for everything else."""
    if not isinstance(line.asks, model.Mistake):
        return ""
    words = {text.split()[0].lower() for text in (line.text, line.asks.suggestion) if text}
    return next((word for word in ("new", "join") if word in words), "")


def _plain(line: Line) -> str:
    """A command without words of its sender's choice: a mail to a stranger must be of no use to whoever sends it."""
    match line.asks:
        case model.New(seats, people) if people:
            return f"new {seats} seats …"
        case model.Join(code) if not _CODE.fullmatch(code):
            return "join …"
        case model.New() | model.Join():
            return line.text
    return f"{meant} …" if (meant := _meant(line)) else ""


def _waiting(session: Session, challenge: Challenge) -> tuple[Line, ...]:
    mail = None if challenge.inbound_id is None else session.get(InboundMail, challenge.inbound_id)
    if mail is None:
        return ()
    letter = reading.read(mail.raw, own={settings().service_address})
    return tuple(line for line in lines_of(letter) if line.asks is not None)


def _agreed(lines: Sequence[Line], waiting: Sequence[Line]) -> Line | None:
    """The line that says yes: the word, in whatever language, or the first command of the waiting mail once more."""
    if not lines:
        return None
    first = lines[0]
    if _says_yes(first.text):
        return first
    for line in lines:
        if isinstance(line.asks, model.Simple) and line.asks.word == "yes":
            return line
        if waiting and line.asks is not None and line.asks == waiting[0].asks:
            return line
    return None


def _says_yes(text: str) -> bool:
    bare = text.strip("*_>\"'“”„»« ")
    word, *after = re.split(r"([\s,.!:;]+)", bare, maxsplit=1)
    sentence_ends = not after or after[0].strip().startswith((".", "!"))
    return word.casefold() in _YES and (sentence_ends or len(bare.split()) <= _MOST_WORDS)

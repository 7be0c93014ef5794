"""A stored mail is read, carried out and answered: one transaction, so that it is done once or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from service import outbox
from service.db import settings, together
from service.i18n import DEFAULT, language, marked, speaking
from service.mail import reading
from service.mail.kinds import Outcome
from service.mail.reading.letter import Letter
from service.models import Challenge, Game, InboundMail, User
from service.usecases import deliveries, envelopes, journal
from service.usecases.inbound import loops, reports, signup
from service.usecases.inbound.run import Results, lines_of, run
from service.usecases.inbound.who import NOT_AUTHENTICATED, Confirming, Known, Nobody, Stranger, tokens_of, who_wrote
from service.usecases.inbound.work import Place, Work

#: Why a mail was refused, told when its owner is written to.
_WHY = {NOT_AUTHENTICATED: marked("the mail server that took it could not confirm that it was sent from there")}
_NOT_YOURS = marked("it did not come from an address of yours")
_LONGEST_NOTE = 200


def read_mail(*, mail_id: int, now: datetime) -> Literal["answered", "noted"]:
    """Read a mail that ``receive`` stored, and do what it says. A second time nothing happens.

    "noted": it was written by a machine, by a stranger, or by nobody who could be known; or it was answered often
    enough in this hour (then it was carried out all the same). Refused as ``unavailable`` when the database is away.
    """
    with together() as session:
        mail = session.scalar(select(InboundMail).where(InboundMail.id == mail_id).with_for_update())
        if mail is None:
            return "noted"
        if mail.state == "received":
            mail.state, mail.handled_at = "noted", now
            mail.note = (_read(session, mail, now) or "")[:_LONGEST_NOTE]
        return "answered" if mail.state == "answered" else "noted"


def _read(session: Session, mail: InboundMail, now: datetime) -> str:
    """What is noted of the mail."""
    letter = reading.read(mail.raw, own={settings().service_address})
    machine = reports.note_of(session, letter, tokens_of(mail, letter), now)
    if machine is not None:
        return machine
    if mail.envelope_from == "":
        return "auto-reply: no return path"
    if letter.sender is not None and settings().is_ours(letter.sender):
        return "loop"
    who = who_wrote(session, mail, letter)
    match who:
        case Nobody():
            return _refuse(session, mail, letter, who, now)
        case Stranger(place):
            lines = lines_of(letter)
            return signup.ask(mail, letter, place, lines, now) if signup.begins(lines) else "a stranger"
        case Confirming():
            with speaking(_language_of(session, who.place, challenge=who.challenge)):
                return _confirm(session, mail, letter, who, now)
        case Known(place, proved):
            with speaking(_language_of(session, place)):
                return _carry_out(session, mail, letter, place, proved=proved, now=now)


def _carry_out(
    session: Session, mail: InboundMail, letter: Letter, place: Place, *, proved: bool, now: datetime
) -> str:
    """Do what somebody wrote whom we know; inside of ``speaking`` from the first line on, as slips are told of too."""
    lines = lines_of(letter)
    if not proved and signup.changes(lines):
        return signup.ask(mail, letter, place, lines, now)
    if proved:
        deliveries.arrived(session, place.email_key, now=now)
    else:
        # It goes to somebody who perhaps wrote nothing: with as few words of a stranger's choice as can be.
        letter, lines = replace(letter, subject=""), tuple(line for line in lines if line.asks is not None)
    work = Work(session, mail, place, now)
    results = run(work, lines)
    return _answer(work, letter, place, results)


def _language_of(session: Session, place: Place, *, challenge: int | None = None) -> str:
    """What to speak with whoever wrote a mail: their account's language; without one, that of who wants them here."""
    asked = None if challenge is None else session.get(Challenge, challenge)
    user_id = place.user_id or (None if asked is None else asked.user_id)
    user = None if user_id is None else session.get(User, user_id)
    if user is not None:
        return user.language
    if asked is not None:
        return asked.language or DEFAULT
    game = None if place.game_id is None else session.get(Game, place.game_id)
    return DEFAULT if game is None else envelopes.language_of_inviter(session, game)


def _refuse(session: Session, mail: InboundMail, letter: Letter, who: Nobody, now: datetime) -> str:
    """Nothing is done and nothing answered; the owner of the token hears of it, at most once a day."""
    mail.outcome = {
        "sender": letter.sender or "",
        "why": _WHY.get(who.why, _NOT_YOURS),
    }
    day = f"{now.astimezone(UTC):%Y-%m-%d}"
    for owner in who.owners:
        payload: dict[str, str | int | None] = {"mail": mail.id, "user": owner}
        outbox.put(session, topic="mail.refused_try", key=f"refused-try:{owner}:{day}", payload=payload, now=now)
    return f"refused: {who.why}"


def _confirm(session: Session, mail: InboundMail, letter: Letter, who: Confirming, now: datetime) -> str:
    answered = signup.answered(session, letter, who, now)
    if answered is None:
        return "refused: a confirmation of another address, or of none"
    place = answered.place
    mail.note = f"confirmation {who.challenge}"
    if place.user_id is not None:
        deliveries.arrived(session, place.email_key, now=now)
    work = Work(session, mail, place, now)
    results = run(work, answered.lines)
    whole = Results((*answered.outcomes, *results.outcomes), results.late)
    _answer(work, letter, place, whole, challenge=who.challenge if answered.open else None)
    return mail.note


def _answer(work: Work, letter: Letter, start: Place, results: Results, *, challenge: int | None = None) -> str:
    """Put the one answer, unless there were too many; what is noted."""
    mail, session, place = work.mail, work.session, work.place
    # Only now: a reference to a game or an account holds its row a little, and so two mails about one game, each about
    # to hold it whole, would wait for one another.
    mail.user_id, mail.game_id, mail.seat = start.user_id, start.game_id, start.seat
    allowed = "yes" if place.moved else loops.may_answer(session, mail, start, work.now)
    mail.outcome = {
        "to": place.email,
        "user": place.user_id,
        "subject": letter.subject,
        "answers": letter.message_id,
        "challenge": challenge,
        "language": language(),
        "last": allowed == "last",
        "unwanted": deliveries.unwanted(session, place.email_key),
        "outcomes": _kept(results.outcomes),
    }
    if allowed == "no":
        return f"{letter.kind}, answered often enough in this hour"
    mail.state = "answered"
    payload: dict[str, str | int | None] = {"mail": mail.id, "game": None, "seat": None, "ply": 0, "log": 0, "upto": 0}
    game_id, seat = work.shown if place.game_id is None and work.shown else (place.game_id, place.seat)
    game = None if game_id is None or seat is None else session.get(Game, game_id)
    if game is not None:
        payload |= {"game": game.id, "seat": seat, "ply": game.ply, "upto": game.log_seq}
        payload["log"] = _since(session, game, start) if results.late else game.log_seq
    outbox.put(session, topic="mail.answer", key=f"answer:{mail.id}", payload=payload, now=work.now)
    return loops.MOVED if place.moved else letter.kind


def _since(session: Session, game: Game, start: Place) -> int:
    """How far the log had come when the decision was asked for that this mail answers so late."""
    if start.ply is not None:
        return (journal.first_told(session, game, since=start.ply) or game.log_seq + 1) - 1
    return 0 if start.seat is None else game.seats[start.seat].acted_seq


def _kept(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {"line": one.line, "state": one.state, "told": list(one.told), "listing": list(one.listing)} for one in outcomes
    ]

"""What the mails say that come back for mails: the answer, the confirmation that is asked for, the warning.

What became of each line was written down when it was carried out. The position is the one right after that, whatever
has been played since: an answer sent again is the same answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import (
    OVER,
    RULES_VERSION,
    EngineError,
    Position,
    Result,
    View,
    action_from_json,
    apply,
    deal,
    score,
    start,
    view,
)
from service.i18n import gettext as _
from service.i18n import marked, ngettext, speaking
from service.i18n.dates import listed
from service.mail import kinds
from service.mail.tokens import AccountToken, SignUpToken, Token
from service.mail.words import NAME_LIMIT
from service.models import Challenge, Game, InboundMail, Move, Seat, User
from service.outbox import Claimed
from service.pictures.names import tidy
from service.usecases import access, envelopes, infos, people
from service.usecases.envelopes import number

_LAST = marked(
    "So many mails came for this seat or account within the hour that this is the last answer for a while. What you "
    "write is still done, and a move is still answered."
)
_UNWANTED = marked(
    "Mail to this address was reported as unwanted, so nothing comes here but answers. If you want it: resume mail"
)


def _answer(session: Session, row: Claimed, now: datetime) -> kinds.AnswerNotice | None:
    """Always true; unless the mail was long ago and is forgotten."""
    mail = session.get(InboundMail, row.payload["mail"])
    if mail is None or mail.outcome is None:
        return None
    kept = mail.outcome
    user = None if kept["user"] is None else session.get(User, kept["user"])
    outcomes = tuple(map(_outcome, kept["outcomes"]))
    if row.payload["game"] is None:
        reply = None if kept["challenge"] is None else SignUpToken(int(kept["challenge"]))
        envelope = _envelope(row, kept, user, reply)
        return kinds.AnswerNotice(envelope, outcomes, subject=kept["subject"])
    game = access.find(session, str(row.payload["game"]))
    seat, ply = game.seats[number(row, "seat")], number(row, "ply")
    position, ply = _position_at(session, game, ply)
    playing = position is not None and (game.status == "playing" or ply < game.ply)
    envelope = _envelope(row, kept, user, envelopes.seat_reply(game, seat, ply if playing else None))
    after, upto = number(row, "log"), number(row, "upto")
    log: tuple[kinds.Entry, ...] = ()
    if after < upto:
        log = envelopes.recap(session, game, seat, after=after, said=after, upto=upto, cards=envelope.cards)
    # Whoever has resigned is to do nothing more, though the seat is to move.
    shown = None if playing and _had_resigned(seat, mail) else position
    held = playing and seat.held_at is not None
    on = playing and ply == game.ply
    return kinds.AnswerNotice(
        envelope=envelope,
        outcomes=outcomes,
        subject=kept["subject"],
        game=envelopes.facts(session, game),
        seat=seat.number,
        view=None if shown is None else _seen(shown, seat, held=held),
        ply=ply,
        log=log,
        deadline=game.deadline if on else None,
        waiting_for=_waiting_for(session, game, seat, user, envelope.language) if game.status == "waiting" else "",
        result=_result(game, position),
        zone_there=_zone_there(session, game, seat) if on else "",
        held=held,
    )


def _seen(position: Position, seat: Seat, *, held: bool) -> View:
    """The board as the seat sees it. Whoever has to take the seat back first can do nothing on it."""
    seen = view(position, seat.number)
    return seen._replace(legal=()) if held else seen


def _result(game: Game, position: Position | None) -> Result | None:
    if position is None or position.phase != OVER:
        return None
    result = score(position)
    return result if game.result is None else result._replace(winners=tuple(game.result["winners"]))


def _zone_there(session: Session, game: Game, seat: Seat) -> str:
    """The time zone of whoever is to act, if that is another person."""
    other = None if game.to_act in (None, seat.number) else game.seats[game.to_act]
    user = None if other is None or other.user_id is None else session.get(User, other.user_id)
    return "" if user is None else user.time_zone


def _confirm(session: Session, row: Claimed, now: datetime) -> kinds.ConfirmNotice | None:
    """While it can be confirmed."""
    challenge = session.get(Challenge, row.payload["challenge"])
    if challenge is None or not challenge.holds(now):
        return None
    mail = session.get(InboundMail, challenge.inbound_id)
    if mail is None or mail.outcome is None:
        return None
    user = people.at_address(session, challenge.email_key)
    envelope = envelopes.to_address(
        row, challenge.email, user, reply=SignUpToken(challenge.id), answers=mail.outcome["answers"]
    )
    lines = tuple(mail.outcome["lines"])
    return kinds.ConfirmNotice(envelope, lines, challenge.expires_at, known=user is not None)


def _refused_try(session: Session, row: Claimed, now: datetime) -> kinds.RefusedTryNotice | None:
    """Always true; unless the account or the mail is gone."""
    mail = session.get(InboundMail, row.payload["mail"])
    user = session.get(User, row.payload["user"])
    if mail is None or mail.outcome is None or user is None:
        return None
    envelope = envelopes.account_envelope(session, row, user)
    if envelope is None:
        return None
    with speaking(envelope.language):
        return kinds.RefusedTryNotice(envelope, sender=mail.outcome["sender"], why=_(mail.outcome["why"]))


CHAPTERS: Final[dict[str, Callable[[Session, Claimed, datetime], kinds.Notice | None]]] = {
    "mail.answer": _answer,
    "mail.confirm": _confirm,
    "mail.refused_try": _refused_try,
}
"""What mails come back for mails, for ``notices``."""


def _outcome(kept: Mapping[str, Any]) -> kinds.Outcome:
    return kinds.Outcome(kept["line"], kept["state"], tuple(kept["told"]), tuple(kept["listing"]))


def _envelope(row: Claimed, kept: Mapping[str, Any], user: User | None, reply: Token | None) -> kinds.Envelope:
    """To the address that the mail came from, which is its writer's, whether mail arrives elsewhere or not."""
    if reply is None and user is not None:
        reply = AccountToken(user.id)
    made = envelopes.to_address(
        row, kept["to"], user, reply=reply, answers=kept["answers"], language=kept.get("language")
    )
    remark = _UNWANTED if kept.get("unwanted") else ""
    remark = _LAST if kept["last"] else remark
    with speaking(made.language):
        return replace(made, remark=_(remark))


def _position_at(session: Session, game: Game, ply: int) -> tuple[Position | None, int]:
    """The position at a ply, and that ply: the stored one, or played again up to there; the stored one if need be."""
    now = infos.position_of(game)
    if now is None or ply >= game.ply or game.rules_version != RULES_VERSION:
        return now, game.ply
    made = select(Move.action).where(Move.game_id == game.id, Move.ply < ply).order_by(Move.ply)
    try:
        position = start(deal(game.players, bytes.fromhex(game.seed), [s.entropy for s in game.seats], game.first_set))
        for action in session.scalars(made):
            position, _events = apply(position, action_from_json(action))
    except EngineError:  # begun under other rules
        return now, game.ply
    return position, ply


def _had_resigned(seat: Seat, mail: InboundMail) -> bool:
    """Whether the player of this seat had left it once the mail was carried out."""
    return seat.resigned_at is not None and mail.handled_at is not None and seat.resigned_at <= mail.handled_at


def _waiting_for(session: Session, game: Game, own: Seat, user: User | None, language: str) -> str:
    """Who is still to come, in words, as far as the reader may know it; and if it is the reader, how."""
    with speaking(language):
        if own.kind == "invited":
            return _("You are invited: answer accept to take your seat, or decline.")
        ids = [seat.invited_user_id for seat in game.seats if seat.invited_user_id is not None]
        names = people.names_of(session, ids)
        mine = user is not None and user.id == game.creator_id
        awaited = []
        for seat in game.seats:
            if seat.kind == "invited":
                name = names.get(seat.invited_user_id or "") or (seat.invited_email if mine else None)
                awaited.append(tidy(name or _("somebody who is invited"), NAME_LIMIT))
        free = sum(seat.kind == "open" for seat in game.seats)
        if free == 1:
            awaited.append(_("somebody for the open seat"))
        elif free:
            seats = ngettext("players for {number} open seat", "players for {number} open seats", free)
            awaited.append(seats.format(number=free))
        many = max(len(awaited), free)
        told = ngettext("The game begins when {names} has joined.", "The game begins when {names} have joined.", many)
        return told.format(names=listed(awaited))

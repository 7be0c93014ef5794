"""Who is to sit where: seats as a creator asks for them, invitations, sitting down and getting up. No transactions."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.bots import LEVELS
from service.db import lock_name
from service.errors import RATE_LIMITED, Refusal, invalid
from service.i18n import gettext as _
from service.models import Game, Seat, User
from service.usecases import words
from service.usecases.access import Viewer
from service.usecases.results import Caller, SeatSpec

#: Invitations are mails to people who never asked: one account cannot send them without end.
INVITATIONS_PER_WINDOW = 200
INVITATION_WINDOW = timedelta(days=1)
#: Nor one person: so many of one account's invitations wait for them at most, of those made in that time.
OPEN_FOR_ONE = 10


def seat_for(
    session: Session, number: int, spec: SeatSpec, caller: Caller, who: Viewer, entropy: str, now: datetime
) -> Seat:
    """A seat as its spec asks for it, or the refusal of what cannot be."""
    field = f"seats.{number}"
    match spec.kind:
        case "me":
            seat = Seat(number=number, kind="open")
            sit(seat, caller.user_id, entropy, now)
            return seat
        case "open":
            return Seat(number=number, kind="open")
        case "bot":
            if spec.level not in LEVELS:
                said = _("A bot plays at one of the levels {levels}.")
                raise invalid(f"{field}.level", said.format(levels=", ".join(LEVELS)))
            return Seat(number=number, kind="bot", bot_level=spec.level)
        case "invite":
            return _invited(session, number, spec, who, field)
    raise invalid(f"{field}.kind", _("A seat is me, open, invite or bot."))


def _invited(session: Session, number: int, spec: SeatSpec, who: Viewer, field: str) -> Seat:
    if (spec.email is None) == (spec.name is None):
        raise invalid(field, _("An invitation names a player by name, or an address by email; not both."))
    if spec.name is not None:
        name = words.display_name(spec.name[:100], field=f"{field}.name")
        user_id = session.scalar(select(User.id).where(User.name_key == words.name_key(name)))
        if user_id is None:
            raise invalid(f"{field}.name", _("Nobody has that name here. You can invite them by their e-mail address."))
        if user_id == who.user_id:
            raise invalid(f"{field}.name", _("That is yourself; one seat is yours already."))
        return Seat(number=number, kind="invited", invited_user_id=user_id)
    address = words.email(spec.email or "", field=f"{field}.email")
    key = words.email_key(address)
    if key in who.email_keys:
        raise invalid(f"{field}.email", _("That is your own address; one seat is yours already."))
    # Bound to the address whether an account has it or not: the answer, and the work, are the same.
    return Seat(number=number, kind="invited", invited_email=address, invited_email_key=key)


def refuse_twice_invited(seats: Sequence[Seat]) -> None:
    """Each player has one seat."""
    kept = [seat.invited_user_id or seat.invited_email_key for seat in seats if seat.kind == "invited"]
    if len(set(kept)) != len(kept):
        raise invalid("seats", _("Somebody is invited twice; each player has one seat."))


def refuse_too_many_invitations(session: Session, caller: Caller, seats: Sequence[Seat], now: datetime) -> None:
    """Keep one account from mailing people without end. What was accepted does not count."""
    new = sum(seat.kind == "invited" for seat in seats)
    if not new:
        return
    lock_name(session, f"invitations:{caller.user_id}")
    person = func.coalesce(Seat.invited_user_id, Seat.invited_email_key)
    sent = dict(
        session.execute(
            select(person, func.count())
            .join(Game, Game.id == Seat.game_id)
            .where(Game.creator_id == caller.user_id, Game.created_at > now - INVITATION_WINDOW, person.is_not(None))
            .group_by(person)
        ).all()
    )
    for seat in seats:
        who = seat.invited_user_id or seat.invited_email_key
        if who is not None and sent.get(who, 0) >= OPEN_FOR_ONE:
            raise Refusal(
                RATE_LIMITED,
                _(
                    "{number} invitations of yours from the last day wait for one of them already. Let them answer "
                    "first, or leave seats open."
                ).format(number=OPEN_FOR_ONE),
                retry_after=3600,
            )
    if sum(sent.values()) + new > INVITATIONS_PER_WINDOW:
        raise Refusal(
            RATE_LIMITED,
            _("{number} open invitations a day are the most. Leave seats open instead, or wait.").format(
                number=INVITATIONS_PER_WINDOW
            ),
            retry_after=3600,
        )


def seat_again(old: Seat, caller: Caller, entropy: str, now: datetime) -> Seat:
    """The seat in a rematch that answers to an old one."""
    if old.kind == "bot":
        return Seat(number=old.number, kind="bot", bot_level=old.bot_level)
    if old.user_id == caller.user_id:
        seat = Seat(number=old.number, kind="open")
        sit(seat, caller.user_id, entropy, now)
        return seat
    return Seat(number=old.number, kind="invited", invited_user_id=old.user_id)


def sit(seat: Seat, user_id: str, entropy: str, now: datetime) -> None:
    """Give a seat to a person."""
    open_up(seat)
    seat.kind, seat.user_id, seat.entropy, seat.joined_at = "human", user_id, entropy, now


def open_up(seat: Seat) -> None:
    """Free a seat for whoever comes."""
    seat.kind, seat.user_id, seat.entropy, seat.joined_at = "open", None, "", None
    seat.invited_user_id = seat.invited_email = seat.invited_email_key = None

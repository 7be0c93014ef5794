"""What every mail needs: to whom it goes, what its answer may do, and the game as its reader may see it."""

from dataclasses import asdict, replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import View, view
from service.i18n import DEFAULT, speaking
from service.i18n import gettext as _
from service.mail import kinds
from service.mail.tokens import (
    AccountToken,
    InviteToken,
    OptOutLink,
    SeatToken,
    Token,
    address_recipient,
    user_recipient,
)
from service.mail.words import ORDERS, open_entry
from service.models import Address, Game, Order, Seat, User
from service.outbox import Claimed
from service.pictures.names import bot_name
from service.usecases import access, infos, journal, people, wishes
from service.usecases.results import LogLine

#: A mail repeats so many of the newest things said; all of them stand in the log.
MOST_TALK = 30


class Unsent(Exception):  # noqa: N818 - nothing went wrong: this mail is not to be sent
    """There is a reason why a mail does not go out; ``str()`` says it to operators."""


def envelope(session: Session, row: Claimed, game: Game, seat: Seat, *, kind: str) -> kinds.Envelope | None:
    """To whoever has the seat or is invited to it; None: nobody. Its answer speaks for the seat.

    ``kind``: which opt-out holds (one of ``tokens.KINDS``). Raises Unsent if the reader does not want it.
    """
    reply = seat_reply(game, seat, game.ply if game.status == "playing" else None)
    user = _reader(session, seat)
    if seat.invited_email_key is not None:
        _check_wanted(session, address_recipient(seat.invited_email_key), kind)
    if user is not None:
        return account_envelope(session, row, user, reply=reply, kind=kind, to=seat.invited_email)
    if seat.invited_email is None or seat.invited_email_key is None:
        return None
    opt_out = OptOutLink(address_recipient(seat.invited_email_key), kind)
    return to_address(
        row, seat.invited_email, reply=reply, opt_out=opt_out, language=language_of_inviter(session, game)
    )


def account_envelope(
    session: Session,
    row: Claimed,
    user: User,
    *,
    reply: Token | None = None,
    kind: str | None = None,
    to: str | None = None,
) -> kinds.Envelope | None:
    """To an account, about no game in particular; its answer speaks for the account, unless ``reply`` says other.

    ``kind`` as in ``envelope``; None for what cannot be turned off. ``to``: this address, rather than the one that the
    account is written to.
    """
    who = user_recipient(user.id)
    _check_wanted(session, who, kind)
    remark = ""
    if to is None:
        own = session.scalars(people.in_order(user.id)).all()
        if not own:
            return None
        chosen = people.written_to(own)
        to, remark = chosen.email, "" if chosen is own[0] else _passed_over(own[0], user.language)
    opt_out = None if kind is None else OptOutLink(who, kind)
    return to_address(row, to, user, reply=reply or AccountToken(user.id), opt_out=opt_out, remark=remark)


def to_address(
    row: Claimed,
    to: str,
    user: User | None = None,
    *,
    reply: Token | None = None,
    opt_out: OptOutLink | None = None,
    answers: str | None = None,
    remark: str = "",
    language: str | None = None,
) -> kinds.Envelope:
    """To this address, as its account likes it; somebody without one is written to without a name, in UTC.

    ``language``: a stranger's, as far as it is known; an account has its own. ``remark`` is in the reader's already.
    """
    made = kinds.Envelope(
        to=to,
        name="",
        zone="UTC",
        message_id=row.message_id or "",
        date=row.created_at,
        reply=reply,
        row=row.id,
        opt_out=opt_out,
        answers=answers,
        remark=remark,
        language=language or DEFAULT,
    )
    if user is None:
        return made
    return replace(
        made,
        name=user.display_name,
        zone=user.time_zone,
        drawing=user.mail_drawing,
        cards=user.mail_cards,
        language=user.language,
    )


def language_of_inviter(session: Session, game: Game) -> str:
    """What somebody is written in who is invited and has no account: they are likely to know what their friend does."""
    inviter = session.get(User, game.creator_id)
    return DEFAULT if inviter is None else inviter.language


def _passed_over(address: Address, language: str) -> str:
    with speaking(language):
        if address.state == "complained":
            told = _(
                "This comes to your other address because mail to {address} was reported as unwanted. A new code sent "
                "there and entered mends it."
            )
        else:
            told = _(
                "This comes to your other address because mail to {address} does not arrive. A new code sent there and "
                "entered mends it."
            )
    return told.format(address=address.email)


def _check_wanted(session: Session, who: str, kind: str | None) -> None:
    if kind is not None:
        unwanted = wishes.why_not(session, who, kind)
        if unwanted is not None:
            raise Unsent(unwanted)


def _reader(session: Session, seat: Seat) -> User | None:
    user_id = seat.user_id or seat.invited_user_id
    if user_id is not None:
        return session.get(User, user_id)
    return None if seat.invited_email_key is None else people.at_address(session, seat.invited_email_key)


def seat_reply(game: Game, seat: Seat, ply: int | None) -> SeatToken | InviteToken:
    """What the answer to a mail about this seat may do: a move at decision ``ply`` alone; None: no move."""
    if seat.kind == "invited":
        return InviteToken(game.id, seat.number)
    return SeatToken(game.id, seat.number, ply)


def seat_of(session: Session, row: Claimed) -> tuple[Game, Seat]:
    """The game and the seat that a row names."""
    game = access.find(session, str(row.payload["game"]))
    return game, game.seats[number(row, "seat")]


def number(row: Claimed, name: str) -> int:
    """A number in a row's payload."""
    return int(row.payload[name] or 0)


def board(game: Game, seat_number: int) -> View | None:
    """The board as this seat may see it; None before the start."""
    position = infos.position_of(game)
    return None if position is None else view(position, seat_number)


def facts(session: Session, game: Game) -> kinds.Game:
    """The public facts about a game."""
    names = people.names_of(session, [seat.user_id for seat in game.seats if seat.user_id is not None])
    notes = (game.result or {}).get("notes", ())
    return kinds.Game(
        id=game.id,
        names=tuple(_name(seat, names) for seat in game.seats),
        bots=tuple(seat.bot_level for seat in game.seats),
        resigned=tuple(seat.number for seat in game.seats if seat.resigned_at is not None),
        commitment=game.commitment,
        clock=kinds.Clock(**asdict(infos.clock_of(game))),
        time_off=game.time_off,
        held=tuple(seat.number for seat in game.seats if seat.held_at is not None),
        stood_in=tuple(seat for seat, note in enumerate(notes) if note == "stood_in"),
    )


def orders(session: Session, game: Game, seat: Seat) -> tuple[kinds.StandingOrder, ...]:
    """The standing orders of a seat, as its own player may read them."""
    mine = select(Order).where(Order.game_id == game.id, Order.seat == seat.number).order_by(Order.kind)
    return tuple(kinds.StandingOrder(order.kind, order.text) for order in session.scalars(mine))


def recap(
    session: Session, game: Game, seat: Seat, *, after: int, said: int, upto: int | None, cards: bool
) -> tuple[kinds.Entry, ...]:
    """The log from ``after`` on and what was said from ``said`` on, as far as ``upto`` (``posting.recap``).

    Without ``cards`` it tells of what happened on the board no more than everybody may know.
    """
    lines = entries(session, game, seat, after=min(after, said), upto=upto, cards=cards)
    return tuple(entry(line) for line in lines if line.seq > after or line.kind == "say")


def entries(
    session: Session,
    game: Game,
    seat: Seat,
    *,
    after: int,
    upto: int | None = None,
    cards: bool,
    talk: int | None = MOST_TALK,
) -> tuple[LogLine, ...]:
    """Log lines as a mail to this seat may tell them; ``talk``: of what was said only so many, the newest.

    Without ``cards`` its player is still told what became of their orders, but nothing of the hand.
    """
    own = journal.lines(session, game.id, seat.number, after=after, upto=upto, talk=talk)
    if cards:
        return own
    known_to_all = {line.seq: line for line in journal.lines(session, game.id, None, after=after, upto=upto)}
    told = []
    for line in own:
        if line.kind in journal.TALK:
            told.append(line)
        elif line.kind in ORDERS:
            told.append(replace(line, data=open_entry(entry(line)).data))
        elif line.seq in known_to_all:
            told.append(known_to_all[line.seq])
    return tuple(told)


def entry(line: LogLine) -> kinds.Entry:
    """A log line as mails have it."""
    return kinds.Entry(line.kind, line.seat, line.data)


def _name(seat: Seat, names: dict[str, str]) -> str:
    if seat.kind == "bot":
        return bot_name(seat.number)
    return "" if seat.user_id is None else names.get(seat.user_id, "")

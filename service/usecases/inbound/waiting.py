"""What keeps others from waiting, by mail: orders and plans, votes, and the seat taken back from the bot."""

from __future__ import annotations

from sqlalchemy import select

from service.commands.model import Order, Vote
from service.i18n import gettext as _
from service.i18n import ngettext
from service.mail.words import order_words
from service.models import Game, Seat
from service.usecases import clocks, orders, votes
from service.usecases.inbound import lookups
from service.usecases.inbound.work import Done, Refused, Work, happened
from service.usecases.results import OrderInfo


def order(work: Work, command: Order) -> Done:
    """Give a standing order or a plan, or take it back."""
    game, _seat = work.game()
    kept = orders.set_order(caller=work.caller, game_id=game.id, kind=command.kind, text=command.text, now=work.now)
    if kept.text in orders.TAKES_BACK:
        return Done((kept.explains,))
    return Done((told_of_order(work, kept), _("{command} lists what you have ordered.").format(command="`orders`")))


def told_of_order(work: Work, order: OrderInfo) -> str:
    """An order as it is written in a mail, and what it does."""
    line = order_line(work, order)
    # What it does names the values too.
    hidden = line != order_line(work, order, cards=True)
    return f"“{line}”. {order.remark}".rstrip() if hidden else f"“{line}”: {order.explains}"


def order_line(work: Work, order: OrderInfo, *, cards: bool = False) -> str:
    """An order as it is written in a mail; whoever keeps cards out of mails reads no values, but for ``cards``."""
    text = order_words(order.text, cards=cards or work.user.mail_cards)
    return f"plan {text}" if order.kind == "plan" else f"order {order.kind} {text}"


def vote(work: Work, command: Vote) -> Done:
    """Vote for more time or for the end, or take both back."""
    game, seat = work.game()
    if command.what == "none":
        for kind in votes.VOTE_KINDS:
            votes.take_back(caller=work.caller, game_id=game.id, kind=kind, now=work.now)
        return Done((_("You have no vote in this game any more."),))
    before = game.log_seq
    after = votes.cast(caller=work.caller, game_id=game.id, kind=command.what, now=work.now)
    told = happened(work, game, seat, before)
    if not told:
        return Done((_("You have voted for that already."),))
    tally = after.extend if command.what == "extend" else after.end
    if tally is not None and seat.number in tally.voted:
        more = tally.needed - len(tally.voted)
        needed = ngettext(
            "{number} vote more is needed; {command} takes yours back.",
            "{number} votes more are needed; {command} takes yours back.",
            more,
        )
        told += (needed.format(number=more, command="`vote none`"),)
    return Done(told)


def resume(work: Work) -> Done:
    """Take one's seat back from the bot; written to the service, the one that is held."""
    if work.place.game_id is None:
        held = _held_seats(work)
        if len(held) > 1:
            told = _("Bots hold several seats of yours: answer a mail of the game you mean.")
            raise Refused(told, listing=lookups.own_games(work))
        if held:
            work.go(game_id=held[0].game_id, seat=held[0].number)
            work.hold()
    if work.place.game_id is None:
        return _no_seat(_("No bot holds a seat of yours. If you mean your mails, {command} brings them back."))
    game, seat = work.game()
    if game.status == "playing" and seat.person:
        return _no_seat(_("Your seat is your own already. If you mean your mails, {command} brings them back."))
    clocks.resume(caller=work.caller, game_id=game.id, now=work.now)
    # Whatever becomes of the lines below it, this is what the writer wants.
    return Done((_("The seat is yours again; the bot has let go of it."),), revealed=True)


def _no_seat(told: str) -> Done:
    return Done((told.format(command="`resume mail`"),))


def _held_seats(work: Work) -> list[Seat]:
    held = select(Seat).join(Game, Game.id == Seat.game_id).where(Game.status == "playing")
    mine = held.where(Seat.user_id == work.caller.user_id, Seat.held_at.is_not(None), Seat.resigned_at.is_(None))
    return list(work.session.scalars(mine.order_by(Seat.game_id)))

"""How a game stands beside its board, by mail: who is waited for, what is ordered, how soon people answer."""

from __future__ import annotations

from typing import Final

from service.commands.model import Orders, Show
from service.i18n import gettext as _
from service.i18n import marked
from service.i18n.dates import moment
from service.mail.times import deadline_words
from service.mail.words import names_of
from service.models import Game, Seat
from service.usecases import access, envelopes, lobby, orders, pace
from service.usecases.inbound import times, waiting
from service.usecases.inbound.work import Done, NoGame, Work


def show(work: Work, command: Show) -> Done:
    """The answer to any mail shows it all; here stands only what would be missed.

    A mail that is about no game shows the one that its writer is in, if it is one: its mails may be lost.
    """
    game, seat = _shown(work)
    if game.position is None:
        waits = game.status == "waiting"
        return Done((_("The game has not started yet.") if waits else _("The game was called off."),))
    if command.what == "hand" and not work.user.mail_cards:
        told = _("You keep your cards out of mails; {command} shows them again.")
        return Done((told.format(command="`cards on`"),))
    if command.what == "status" and game.status == "playing":
        return Done(_standing(work, game, seat))
    return Done((_("See below."),))


def order_list(work: Work, command: Orders) -> Done:
    """One's own orders, and what each does."""
    game, _seat = _shown(work)
    kept = orders.orders(caller=work.caller, game_id=game.id)
    if not kept:
        told = _("You have no standing orders in this game; {command} would be one.")
        return Done((told.format(command="`order bribe lowest`"),))
    return Done(tuple(waiting.told_of_order(work, one) for one in kept))


def how_soon(work: Work) -> Done:
    """Who is waited for, since when and until when, and how soon everybody mostly answers."""
    game, seat = _shown(work)
    if game.status != "playing":
        return Done((_("Nobody is waited for in this game: it is not being played."),))
    kept = pace.pace(caller=work.caller, game_id=game.id)
    told = [_waited_for(work, game, seat)]
    if kept.step in _STEPS:
        told.append(_(_STEPS[kept.step]))
    elif kept.deadline is not None and kept.deadline_there is not None:
        until = deadline_words(kept.deadline, work.user.time_zone, str(kept.deadline_there.tzinfo))
        told.append(_("The time for it ends on {moment}.").format(moment=until))
    names = names_of(envelopes.facts(work.session, game))
    for one in kept.seats:
        if one.reply is not None:
            template = (_YOUR_REPLIES if one.number == seat.number else _REPLIES)[one.reply]
            told.append(_(template).format(name=names[one.number]))
    if not any(one.reply for one in kept.seats):
        told.append(_("How soon each of you answers is told after a few turns."))
    return Done(tuple(told))


_YOUR_REPLIES: Final[dict[pace.Reply, str]] = {
    "hours": marked("You mostly answer within hours."),
    "a day": marked("You mostly answer within a day."),
    "days": marked("You mostly answer within days."),
}
_REPLIES: Final[dict[pace.Reply, str]] = {
    "hours": marked("{name} mostly answers within hours."),
    "a day": marked("{name} mostly answers within a day."),
    "days": marked("{name} mostly answers within days."),
}
_STEPS: Final = {
    "timed_out": marked("The time for it is over; an answer still counts, until a bot makes the move."),
    "standing_in": marked("The time for it is over, and a bot is making the move."),
}


def _shown(work: Work) -> tuple[Game, Seat]:
    """The game that a mail is about or, where it is about none, the only one that its writer plays in."""
    if work.place.game_id is not None:
        return work.game()
    mine = lobby.my_games(caller=work.caller, status="playing", limit=2).items
    if len(mine) != 1 or mine[0].you is None:
        raise NoGame
    work.shown = (mine[0].id, mine[0].you)
    game = access.find(work.session, mine[0].id)
    return game, game.seats[mine[0].you]


def _standing(work: Work, game: Game, seat: Seat) -> tuple[str, ...]:
    """What the board does not show; until when the time runs, the answer says itself."""
    told = [_waited_for(work, game, seat)]
    kept = orders.orders(caller=work.caller, game_id=game.id)
    if kept:
        lines = "; ".join(waiting.order_line(work, one) for one in kept)
        told.append(_("You have ordered: {orders}.").format(orders=lines))
    if away := times.present(work):
        told.append(away)
    return tuple(told)


def _waited_for(work: Work, game: Game, seat: Seat) -> str:
    if game.to_act is None or game.turn_since is None:
        raise AssertionError(f"game {game.id} waits for nobody")
    since = moment(game.turn_since, work.user.time_zone)
    if game.to_act == seat.number:
        return _("You are waited for since {moment}.").format(moment=since)
    name = names_of(envelopes.facts(work.session, game))[game.to_act]
    return _("{name} is waited for since {moment}.").format(name=name, moment=since)

"""How a game stands beside its board, by mail: who is waited for, what is ordered, how soon people answer."""

from __future__ import annotations

from typing import Final

from service.commands.model import Orders, Show
from service.mail.times import deadline_words, when
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
        return Done(("The game has not started yet." if game.status == "waiting" else "The game was called off.",))
    if command.what == "hand" and not work.user.mail_cards:
        return Done(("You keep your cards out of mails; `cards on` shows them again.",))
    if command.what == "status" and game.status == "playing":
        return Done(_standing(work, game, seat))
    return Done(("See below.",))


def order_list(work: Work, command: Orders) -> Done:
    """One's own orders, and what each does."""
    game, _ = _shown(work)
    kept = orders.orders(caller=work.caller, game_id=game.id)
    if not kept:
        return Done(("You have no standing orders in this game; `order bribe lowest` would be one.",))
    return Done(tuple(waiting.told_of_order(work, one) for one in kept))


def how_soon(work: Work) -> Done:
    """Who is waited for, since when and until when, and how soon everybody mostly answers."""
    game, seat = _shown(work)
    if game.status != "playing":
        return Done(("Nobody is waited for in this game: it is not being played.",))
    kept = pace.pace(caller=work.caller, game_id=game.id)
    told = [_waited_for(work, game, seat)]
    if kept.step in _STEPS:
        told.append(_STEPS[kept.step])
    elif kept.deadline is not None and kept.deadline_there is not None:
        until = deadline_words(kept.deadline, work.user.time_zone, str(kept.deadline_there.tzinfo))
        told.append(f"The time for it ends on {until}.")
    names = names_of(envelopes.facts(work.session, game))
    for one in kept.seats:
        you = one.number == seat.number
        if one.reply is not None:
            who = "You mostly answer" if you else f"{names[one.number]} mostly answers"
            told.append(f"{who} {_REPLIES[one.reply]}.")
    if not any(one.reply for one in kept.seats):
        told.append("How soon each of you answers is told after a few turns.")
    return Done(tuple(told))


_REPLIES: Final[dict[pace.Reply, str]] = {"hours": "within hours", "a day": "within a day", "days": "within days"}
_STEPS: Final = {
    "timed_out": "The time for it is over; an answer still counts, until a bot makes the move.",
    "standing_in": "The time for it is over, and a bot is making the move.",
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
        told.append(f"You have ordered: {'; '.join(waiting.order_line(work, one) for one in kept)}.")
    if away := times.present(work):
        told.append(away)
    return tuple(told)


def _waited_for(work: Work, game: Game, seat: Seat) -> str:
    if game.to_act is None or game.turn_since is None:
        raise AssertionError(f"game {game.id} waits for nobody")
    since = when(game.turn_since, work.user.time_zone)
    if game.to_act == seat.number:
        return f"You are waited for since {since}."
    return f"{names_of(envelopes.facts(work.session, game))[game.to_act]} is waited for since {since}."

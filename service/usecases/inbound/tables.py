"""Games begun, joined, turned down, left and given up by mail."""

from __future__ import annotations

from datetime import timedelta

from service.commands.model import Join, New
from service.db import settings
from service.i18n import gettext as _
from service.i18n import language
from service.models import Game, Seat
from service.usecases import access, lobby, sign_ups
from service.usecases.inbound import lookups
from service.usecases.inbound.work import Done, Refused, Work
from service.usecases.results import ClockSpec, SeatSpec

#: A second ``resign`` within this time gives the game up.
RESIGN_WINDOW = timedelta(hours=48)


def new(work: Work, command: New) -> Done:
    """A new game: one's own seat, those of the invited, bots, and the rest open."""
    specs = [SeatSpec("me")]
    specs += [SeatSpec("invite", **({"email": who} if "@" in who else {"name": who})) for who in command.people]
    specs += [SeatSpec("bot", level=level) for level in command.bots]
    if len(specs) > command.seats:
        told = _("{players} players do not fit at {seats} seats: you, {invited} invited and {bots} bots.")
        facts = {"players": len(specs), "invited": len(command.people), "bots": len(command.bots)}
        raise Refused(told.format(seats=command.seats, **facts))
    specs += [SeatSpec("open")] * (command.seats - len(specs))
    game_id = lobby.create_game(
        caller=work.caller,
        seats=specs,
        public=not command.private,
        clock=_clock(command),
        time_off=command.time_off,
        now=work.now,
    )
    game = _take_up(work, game_id)
    if game.status == "playing":
        return Done((_("Your game {game} has begun.").format(game=game.id),), revealed=True)
    told = _("Your game {game} is made; it begins when every seat is taken.").format(game=game.id)
    if any(seat.kind == "open" for seat in game.seats):
        line = f"`join {game.id if game.public else game.join_code}`"
        how = _("Whoever wants an open seat mails {command} to {address}.")
        told = f"{told} {how.format(command=line, address=settings().service_address)}"
    return Done((told,))


def _clock(command: New) -> ClockSpec:
    if command.bank is not None:
        start, increment, cap = command.bank
        return ClockSpec("bank", start_hours=start, increment_hours=increment, cap_hours=cap)
    return lobby.NO_CLOCK if command.days is None else ClockSpec("days", days=command.days)


def join(work: Work, command: Join) -> Done:
    """Take a seat in a game by its id or its join code."""
    game = _take_up(work, lobby.join_by(caller=work.caller, code=command.code, now=work.now))
    return _seated(game, _("You have joined the game."))


def accept(work: Work) -> Done:
    """Take the seat one is invited to."""
    if work.place.game_id is None:
        work.go(game_id=_only_invitation(work), invited=True)
    game_id = work.place.game_id or ""
    if work.place.user_id is None:
        return _accept_unknown(work, game_id)
    if not work.place.invited:
        raise Refused(_("You have a seat in this game already; there is nothing to accept."))
    lobby.join(caller=work.caller, game_id=game_id, seat=work.place.seat, now=work.now)
    return _seated(_take_up(work, game_id), _("You have accepted the invitation."))


def decline(work: Work) -> Done:
    """Turn an invitation down."""
    if work.place.game_id is None:
        work.go(game_id=_only_invitation(work), invited=True)
    game_id = work.place.game_id or ""
    if work.place.user_id is None:
        lobby.decline_unknown(email_key=work.place.email_key, game_id=game_id, now=work.now)
    elif not work.place.invited:
        told = _("You have a seat in this game already; {command} gives it back before the start.")
        raise Refused(told.format(command="`leave`"))
    else:
        lobby.decline(caller=work.caller, game_id=game_id, now=work.now)
    _go_away(work)
    return Done((_("You have declined the invitation; nothing more will come about this game."),))


def leave(work: Work) -> Done:
    """Give the seat back before the start."""
    game, _seat = work.game()
    lobby.leave(caller=work.caller, game_id=game.id, now=work.now)
    cancelled = game.status == "cancelled"
    _go_away(work)
    if cancelled:
        return Done((_("You have left; as it was your game, it is called off."),))
    return Done((_("You have left the game."),))


def rematch(work: Work) -> Done:
    """The same people again: asks the others, or says yes to whoever asked."""
    game, _seat = work.game()
    new_id = lobby.rematch(caller=work.caller, game_id=game.id, now=work.now)
    again = access.locked(work.session, new_id)
    own = access.viewer(work.session, work.caller).seat_in(again)
    if own is None:
        lobby.join(caller=work.caller, game_id=new_id, now=work.now)
        return _seated(_take_up(work, new_id), _("You are in for the rematch."))
    return _seated(_take_up(work, new_id), _("The rematch is made, and the others are asked."))


def resign(work: Work) -> Done:
    """Give the seat to a bot for good: the first time it is asked whether that is meant."""
    game, seat = work.game()
    if game.status != "playing" or seat.resigned_at is not None:
        lobby.resign(caller=work.caller, game_id=game.id, now=work.now)  # says why not
    if work.place.asked:
        raise Refused(_("Once more in the same mail does not count: answer this mail with resign if you mean it."))
    if _meant(work, seat):
        lobby.resign(caller=work.caller, game_id=game.id, now=work.now)
        seat.resign_asked_at = None
        return Done((_("You have resigned; a bot plays on in your seat to the end, and the result will say so."),))
    seat.resign_asked_at = work.now
    work.go(asked=True)
    question = _(
        "Do you mean it? A bot would play on in your seat to the end, and you could not come back. If so, answer this "
        "mail with resign once more, within two days. If not, there is nothing to do: you are still in."
    )
    return Done((question,), asked_back=True)


def _meant(work: Work, seat: Seat) -> bool:
    """Whether this mail came after the question, and in time."""
    asked = seat.resign_asked_at
    return asked is not None and asked <= work.mail.received_at and work.now - asked <= RESIGN_WINDOW


def _accept_unknown(work: Work, game_id: str) -> Done:
    """Somebody without an account who was invited by address: proved by the answer to the invitation."""
    user_id = sign_ups.invited(email=work.place.email, name=work.place.name, language=language(), now=work.now)
    work.go(user_id=user_id)
    lobby.join(caller=work.caller, game_id=game_id, seat=work.place.seat, now=work.now)
    done = _seated(_take_up(work, game_id), _("You have accepted the invitation."))
    name = _("You have an account now and are called {name}; {command} changes that.")
    told = name.format(name=work.user.display_name, command="`name TEXT`")
    return Done((*done.told, told), revealed=done.revealed)


def _only_invitation(work: Work) -> str:
    """The invitation that is meant by somebody who does not say which."""
    invited = lobby.my_games(caller=work.caller, status="invited", limit=2).items
    if not invited:
        told = _("You have no open invitation; {command} lists games to join.")
        raise Refused(told.format(command="`games open`"))
    if len(invited) > 1:
        raise Refused(
            _("You have several invitations: answer the mail of the one you mean."), listing=lookups.own_games(work)
        )
    return invited[0].id


def _take_up(work: Work, game_id: str) -> Game:
    """Go on with this game: the answer shows it. No decision of it was asked in the mail that is read."""
    game = access.locked(work.session, game_id)
    own = access.viewer(work.session, work.caller).seat_in(game)
    work.go(game_id=game_id, seat=None if own is None else own.number, ply=None, moved=False, invited=False)
    return game


def _go_away(work: Work) -> None:
    work.go(game_id=None, seat=None, ply=None, invited=False)


def _seated(game: Game, told: str) -> Done:
    if game.status != "playing":
        return Done((told,))
    # Who begins and which cards lie open was hidden until now.
    begun = _("With you the game is complete and has begun.")
    return Done((f"{told} {begun}",), revealed=True)

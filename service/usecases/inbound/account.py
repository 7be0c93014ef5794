"""One's own account and mail, by mail."""

from __future__ import annotations

from service.commands.model import Digest, Setting, Subscribe, Unsubscribe
from service.mail.times import when
from service.mail.tokens import KINDS, OptOutLink, address_recipient
from service.mail.words import listed
from service.usecases import accounts, deliveries, wishes
from service.usecases.inbound.work import Done, Work

_CALLED = {"turn": "turns", "reminder": "reminders", "news": "news", "invitation": "invitations"}


def digest(work: Work, command: Digest) -> Done:
    """Mails about this game once a day, or at once."""
    game, _ = work.game()
    next_at = wishes.set_digest(caller=work.caller, game_id=game.id, on=command.on, hour=command.hour, now=work.now)
    if next_at is None:
        return Done(("Mails about this game come at once.",))
    first = when(next_at, work.user.time_zone)
    return Done((f"Mails about this game come once a day, the next on {first}; reminders still come at once.",))


def pause(work: Work) -> Done:
    """No mail but answers."""
    wishes.pause(caller=work.caller, now=work.now)
    return Done(
        ("Mail is paused: nothing comes but answers to your own mails and codes. Games go on; `resume mail` ends it.",)
    )


def resume(work: Work) -> Done:
    """Mail again."""
    wishes.resume(caller=work.caller, now=work.now)
    deliveries.wanted_again(work.session, work.place.email_key, now=work.now)
    return Done(("Mail comes again, first of all about games that wait for you now.",))


def unsubscribe(work: Work, command: Unsubscribe) -> Done:
    """No more mails of a kind, or of any."""
    kinds = KINDS if command.kind is None else (command.kind,)
    if work.place.user_id is None:
        for kind in kinds:
            wishes.opt_out(link=OptOutLink(address_recipient(work.place.email_key), kind), now=work.now)
    else:
        wishes.turn_off(caller=work.caller, kinds=kinds, now=work.now)
    back_again = "subscribe" if command.kind is None else f"subscribe {_CALLED[command.kind]}"
    return Done((f"No more mails about {_named(kinds)}. Games go on without them; `{back_again}` brings them back.",))


def subscribe(work: Work, command: Subscribe) -> Done:
    """Mails of a kind, or of all, again."""
    kinds = KINDS if command.kind is None else (command.kind,)
    if work.place.user_id is None:
        for kind in kinds:
            wishes.opt_in(link=OptOutLink(address_recipient(work.place.email_key), kind), now=work.now)
    else:
        wishes.turn_on(caller=work.caller, kinds=kinds, now=work.now)
        deliveries.wanted_again(work.session, work.place.email_key, now=work.now)
    return Done((f"Mails about {_named(kinds)} come again.",))


def setting(work: Work, command: Setting) -> Done:
    """Change a setting of the account."""
    on = command.value == "on"
    match command.name:
        case "name":
            account = accounts.update_account(caller=work.caller, display_name=command.value, now=work.now)
            return Done((f"You are called {account.display_name} now.",))
        case "zone":
            account = accounts.update_account(caller=work.caller, time_zone=command.value, now=work.now)
            return Done((f"Times are told as in {account.time_zone} now: it is {when(work.now, account.time_zone)}.",))
        case "drawing":
            wishes.change(caller=work.caller, drawing=on, now=work.now)
            return Done(("Mails draw the board again." if on else "Mails tell the board in words alone.",))
        case "cards":
            wishes.change(caller=work.caller, cards=on, now=work.now)
            told = "Mails show your cards again." if on else "Mails show nothing that only you may see."
            return Done((told,))


def _named(kinds: tuple[str, ...]) -> str:
    return listed([_CALLED[kind] for kind in kinds])

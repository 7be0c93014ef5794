"""One's own account and mail, by mail."""

from __future__ import annotations

from service.commands.model import Digest, Setting, Subscribe, Unsubscribe
from service.i18n import LANGUAGES, marked, speaking
from service.i18n import gettext as _
from service.i18n.dates import listed, moment
from service.mail.tokens import KINDS, OptOutLink, address_recipient
from service.usecases import accounts, deliveries, wishes
from service.usecases.inbound.work import Done, Work

#: The kinds of mail as they are written in a command, and in a sentence.
_WRITTEN = {"turn": "turns", "reminder": "reminders", "news": "news", "invitation": "invitations"}
_CALLED = {
    "turn": marked("turns"),
    "reminder": marked("reminders"),
    "news": marked("news"),
    "invitation": marked("invitations"),
}


def digest(work: Work, command: Digest) -> Done:
    """Mails about this game once a day, or at once."""
    game, _seat = work.game()
    next_at = wishes.set_digest(caller=work.caller, game_id=game.id, on=command.on, hour=command.hour, now=work.now)
    if next_at is None:
        return Done((_("Mails about this game come at once."),))
    told = _("Mails about this game come once a day, the next on {moment}; reminders still come at once.")
    return Done((told.format(moment=moment(next_at, work.user.time_zone)),))


def pause(work: Work) -> Done:
    """No mail but answers."""
    wishes.pause(caller=work.caller, now=work.now)
    told = _("Mail is paused: nothing comes but answers to your own mails and codes. Games go on; {command} ends it.")
    return Done((told.format(command="`resume mail`"),))


def resume(work: Work) -> Done:
    """Mail again."""
    wishes.resume(caller=work.caller, now=work.now)
    deliveries.wanted_again(work.session, work.place.email_key, now=work.now)
    return Done((_("Mail comes again, first of all about games that wait for you now."),))


def unsubscribe(work: Work, command: Unsubscribe) -> Done:
    """No more mails of a kind, or of any."""
    kinds = KINDS if command.kind is None else (command.kind,)
    if work.place.user_id is None:
        for kind in kinds:
            wishes.opt_out(link=OptOutLink(address_recipient(work.place.email_key), kind), now=work.now)
    else:
        wishes.turn_off(caller=work.caller, kinds=kinds, now=work.now)
    back_again = "`subscribe`" if command.kind is None else f"`subscribe {_WRITTEN[command.kind]}`"
    told = _("No more mails about {kinds}. Games go on without them; {command} brings them back.")
    return Done((told.format(kinds=_named(kinds), command=back_again),))


def subscribe(work: Work, command: Subscribe) -> Done:
    """Mails of a kind, or of all, again."""
    kinds = KINDS if command.kind is None else (command.kind,)
    if work.place.user_id is None:
        for kind in kinds:
            wishes.opt_in(link=OptOutLink(address_recipient(work.place.email_key), kind), now=work.now)
    else:
        wishes.turn_on(caller=work.caller, kinds=kinds, now=work.now)
        deliveries.wanted_again(work.session, work.place.email_key, now=work.now)
    return Done((_("Mails about {kinds} come again.").format(kinds=_named(kinds)),))


def setting(work: Work, command: Setting) -> Done:
    """Change a setting of the account."""
    on = command.value == "on"
    match command.name:
        case "name":
            account = accounts.update_account(caller=work.caller, display_name=command.value, now=work.now)
            return Done((_("You are called {name} now.").format(name=account.display_name),))
        case "zone":
            account = accounts.update_account(caller=work.caller, time_zone=command.value, now=work.now)
            told = _("Times are told as in {zone} now: it is {moment}.")
            return Done((told.format(zone=account.time_zone, moment=moment(work.now, account.time_zone)),))
        case "language":
            accounts.update_account(caller=work.caller, language=command.value, now=work.now)
            with speaking(command.value):
                told = _("Mails and pages speak {language} to you now.")
                return Done((told.format(language=LANGUAGES[command.value]),))
        case "drawing":
            wishes.change(caller=work.caller, drawing=on, now=work.now)
            return Done((_("Mails draw the board again.") if on else _("Mails tell the board in words alone."),))
        case "cards":
            wishes.change(caller=work.caller, cards=on, now=work.now)
            return Done((_("Mails show your cards again.") if on else _("Mails show nothing that only you may see."),))


def _named(kinds: tuple[str, ...]) -> str:
    return listed([_(_CALLED[kind]) for kind in kinds])

"""Words in a game, by mail."""

from __future__ import annotations

from service.commands.model import Note, Say
from service.i18n import gettext as _
from service.usecases import talk
from service.usecases.inbound.work import Done, Work


def say(work: Work, command: Say) -> Done:
    """A word to everyone in the game."""
    game, _seat = work.game()
    talk.say(caller=work.caller, game_id=game.id, text=command.text, now=work.now)
    return Done((_("Said to everyone in the game."),))


def note(work: Work, command: Note) -> Done:
    """A word to oneself."""
    game, _seat = work.game()
    talk.note(caller=work.caller, game_id=game.id, text=command.text, now=work.now)
    return Done((_("Noted; only you can read it, in {command}.").format(command="`history`"),))

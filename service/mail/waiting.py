"""What the mails are filled with that are about time: reminder, last call, and what comes when nobody answers."""

from __future__ import annotations

from datetime import timedelta

from engine import OVER
from service.config import Settings
from service.i18n import gettext as _
from service.i18n import ngettext
from service.i18n.dates import listed, moment, span
from service.mail import kinds, times
from service.mail.pieces import Context, board, game_facts, legal, recap
from service.mail.words import NAME_LIMIT
from service.pictures.names import tidy


def reminder(notice: kinds.ReminderNotice, settings: Settings) -> Context:
    """It is still the reader's turn; the last call says what happens next, and how to get more time."""
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        **legal(notice.view, notice, notice.game, notice.ply, settings),
        "heading": _("Last call: it is still your turn") if notice.last else _("It is still your turn"),
        "since": moment(notice.since, notice.envelope.zone),
        "ply": notice.ply,
        "last": notice.last,
        "then": _then(notice),
        "ways": _ways(notice.game, notice.seat, late=notice.late),
    }


def _then(notice: kinds.ReminderNotice) -> str:
    """What happens when the time is over, in the order in which it does."""
    if notice.grace_until is None:
        if notice.holds:
            return _(
                "After that, as this would be the second turn in a row that runs out, a bot takes over your seat until "
                "you come back."
            )
        return _("After that a bot makes this move for you; your next turn is your own again.")
    late = _("A late answer still counts until {moment}.")
    if notice.holds:
        after = _(
            "Then, as this would be the second turn in a row that runs out, a bot takes over your seat until you come "
            "back."
        )
    else:
        after = _("Then a bot makes this move for you; your next turn is your own again.")
    return f"{late.format(moment=moment(notice.grace_until, notice.envelope.zone))} {after}"


def _ways(game: kinds.Game, seat: int, *, late: bool) -> list[tuple[str, str]]:
    """How to get more time: what to answer, and what it does."""
    ways = []
    if game.time_off and not late:
        ways.append(("away 3d", _("your clock stands still for 3 days")))
    others = [bot is None and number != seat for number, bot in enumerate(game.bots)]
    if game.clock.kind != "none" and any(others):
        asked = _("I need more time")
        ways.append((f"say {asked}", _("asks the others, who can give it to you by their votes")))
    return ways


def moved_for_you(notice: kinds.MovedForYouNotice, settings: Settings) -> Context:
    """A bot played one turn, and how often that may happen."""
    goes_on = notice.view.phase != OVER
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        "heading": _("Time was up: a bot moved for you"),
        "recap": recap(notice.log, notice, notice.game, notice.seat),
        "goes_on": goes_on,
        "warning": _warning(notice.chances) if goes_on and notice.chances else "",
    }


def _warning(chances: int) -> str:
    """What comes of so many turns in a row that run out from now on."""
    if chances == 1:
        return _("If your next turn runs out as well, a bot takes over your seat until you come back.")
    return ngettext(
        "If your next {number} turn runs out as well, a bot takes over your seat until you come back.",
        "If your next {number} turns run out as well, a bot takes over your seat until you come back.",
        chances,
    ).format(number=chances)


def held(notice: kinds.HeldNotice, settings: Settings) -> Context:
    """A bot has the seat, and one word takes it back."""
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        "heading": _("A bot holds your seat"),
        "recap": recap(notice.log, notice, notice.game, notice.seat),
    }


def extended(notice: kinds.ExtendedNotice, settings: Settings) -> Context:
    """More time for the turn that is on."""
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        **legal(notice.view, notice, notice.game, notice.ply, settings),
        "heading": _("You have more time"),
        "by": _named(notice.by),
        "voters": len(notice.by),
        "ply": notice.ply,
    }


def vote(notice: kinds.VoteNotice, settings: Settings) -> Context:
    """A vote is on, and what it would do."""
    about = tidy(notice.about, NAME_LIMIT)
    ends = notice.vote == "end"
    return {
        **game_facts(notice.game, notice.seat),
        "heading": _("Shall the game end?") if ends else _("More time for {name}?").format(name=about),
        "by": _named(notice.by),
        "voters": len(notice.by),
        "about": about,
        "since_when": _since_when(notice, about),
        "vote": notice.vote,
        "effect": _effect(notice, about),
        "needed": ngettext("{number} more vote is needed.", "{number} more votes are needed.", notice.needed).format(
            number=notice.needed
        ),
    }


def _since_when(notice: kinds.VoteNotice, about: str) -> str:
    """Who is waited for, or has lost the seat, and since when."""
    zone = notice.envelope.zone
    facts = {"name": about, "since": moment(notice.since, zone)}
    if notice.held:
        return _("A bot has held the seat of {name} since {since}.").format(**facts)
    if notice.deadline is None:
        return _("It has been the turn of {name} since {since}.").format(**facts)
    until = times.deadline_words(notice.deadline, zone, notice.about_zone)
    return _("It has been the turn of {name} since {since}, with time until {until}.").format(**facts, until=until)


def _effect(notice: kinds.VoteNotice, about: str) -> str:
    """What a passed vote does."""
    if notice.vote == "end":
        return _(
            "Then the game is over as it stands: the points are told, nobody wins, and the shuffle can be checked."
        )
    time = span(notice.more // timedelta(seconds=1))
    return _("Then {name} has {time} more for this turn.").format(name=about, time=time)


def _named(names: tuple[str, ...]) -> str:
    return listed([tidy(name, NAME_LIMIT) for name in names]) or _("Somebody")

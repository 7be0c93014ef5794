"""What the mails are filled with that are about time: reminder, last call, and what comes when nobody answers."""

from __future__ import annotations

from datetime import timedelta

from engine import OVER
from service.config import Settings
from service.mail import kinds, times, words
from service.mail.pieces import Context, board, game_facts, legal, recap
from service.mail.words import NAME_LIMIT
from service.pictures.names import tidy
from service.pictures.text import counted

_HOUR = 3600
_TAKES_OVER = "a bot takes over your seat until you come back"


def bank_words(seconds: int, clock: kinds.Clock) -> str:
    """What was in the reader's bank when the turn began, and what comes to it."""
    more = f"; this turn brings {times.time_words(clock.increment_hours * _HOUR)} more" if clock.increment_hours else ""
    return f"Your bank when this turn began: {times.time_words(seconds)}{more}."


def reminder(notice: kinds.ReminderNotice, settings: Settings) -> Context:
    """It is still the reader's turn; the last call says what happens next, and how to get more time."""
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        **legal(notice.view, notice, notice.game, notice.ply, settings),
        "heading": "Last call: it is still your turn" if notice.last else "It is still your turn",
        "since": times.when(notice.since, notice.envelope.zone),
        "ply": notice.ply,
        "last": notice.last,
        "then": _then(notice),
        "ways": _ways(notice.game, notice.seat, late=notice.late),
    }


def _then(notice: kinds.ReminderNotice) -> str:
    """What happens when the time is over, in the order in which it does."""
    after = (
        f", as this would be the second turn in a row that runs out, {_TAKES_OVER}."
        if notice.holds
        else " a bot makes this move for you; your next turn is your own again."
    )
    if notice.grace_until is None:
        return f"After that{after}"
    return f"A late answer still counts until {times.when(notice.grace_until, notice.envelope.zone)}. Then{after}"


def _ways(game: kinds.Game, seat: int, *, late: bool) -> list[tuple[str, str]]:
    """How to get more time: what to answer, and what it does."""
    ways = []
    if game.time_off and not late:
        ways.append(("away 3d", "your clock stands still for 3 days"))
    others = [bot is None and number != seat for number, bot in enumerate(game.bots)]
    if game.clock.kind != "none" and any(others):
        ways.append(("say I need more time", "asks the others, who can give it to you by their votes"))
    return ways


def moved_for_you(notice: kinds.MovedForYouNotice, settings: Settings) -> Context:
    """A bot played one turn, and how often that may happen."""
    goes_on = notice.view.phase != OVER
    chances = notice.chances if goes_on else None
    runs = "next turn runs" if chances == 1 else f"next {chances} turns run" if chances else ""
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        "heading": "Time was up: a bot moved for you",
        "recap": recap(notice.log, notice, notice.game, notice.seat),
        "goes_on": goes_on,
        "warning": f"If your {runs} out as well, {_TAKES_OVER}." if runs else "",
    }


def held(notice: kinds.HeldNotice, settings: Settings) -> Context:
    """A bot has the seat, and one word takes it back."""
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        "heading": "A bot holds your seat",
        "recap": recap(notice.log, notice, notice.game, notice.seat),
    }


def extended(notice: kinds.ExtendedNotice, settings: Settings) -> Context:
    """More time for the turn that is on."""
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        **legal(notice.view, notice, notice.game, notice.ply, settings),
        "heading": "You have more time",
        "by": _named(notice.by),
        "ply": notice.ply,
    }


def vote(notice: kinds.VoteNotice, settings: Settings) -> Context:
    """A vote is on, and what it would do."""
    about = tidy(notice.about, NAME_LIMIT)
    zone = notice.envelope.zone
    ends = notice.vote == "end"
    since = times.when(notice.since, zone)
    why = f"A bot has held the seat of {about} since {since}."
    if not notice.held:
        why = f"It has been the turn of {about} since {since}"
        if notice.deadline is not None:
            why += f", with time until {times.deadline_words(notice.deadline, zone, notice.about_zone)}"
        why += "."
    return {
        **game_facts(notice.game, notice.seat),
        "heading": "Shall the game end?" if ends else f"More time for {about}?",
        "by": _named(notice.by),
        "about": about,
        "since_when": why,
        "vote": notice.vote,
        "effect": _ENDS if ends else _gives(notice.more, about),
        "needed": f"{counted(notice.needed, 'more vote')} {'is' if notice.needed == 1 else 'are'} needed.",
    }


_ENDS = "Then the game is over as it stands: the points are told, nobody wins, and the shuffle can be checked."


def _gives(more: timedelta, about: str) -> str:
    """What a passed vote for more time does."""
    return f"Then {about} has {times.time_words(more // timedelta(seconds=1))} more for this turn."


def _named(names: tuple[str, ...]) -> str:
    return words.listed([tidy(name, NAME_LIMIT) for name in names]) or "Somebody"

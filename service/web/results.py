"""A finished game told: who won and why, and every score card by card, from the result and the view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import GEMS, View, knights_in_game
from engine.scoring import BONUS_VALUE
from service.i18n import gettext as _
from service.i18n import ngettext
from service.i18n.dates import listed
from service.usecases.results import GameInfo, GameResult
from service.web import games, telling


@dataclass(frozen=True, slots=True)
class Majority:
    """A kind of gem: how many each seat has, who has the bonus card for it (None: nobody), and why."""

    gem: int
    counts: tuple[int, ...]
    seat: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score of a seat.

    ``gold`` are the cards in its hand, ``given`` those that went to the dragon; ``gems``: how many of each kind.
    ``bonus`` names its bonus cards: the number of a gem, or -1 for four different ones.
    """

    seat: int
    name: str
    colors: tuple[int, ...]
    you: bool
    place: int
    won: bool
    note: str
    score: int
    gold: tuple[int, ...]
    gold_points: int
    given: tuple[int, ...]
    treasures: int
    treasure_points: int
    gems: tuple[int, ...]
    gem_points: int
    bonus: tuple[int, ...]
    bonus_points: int


def verdict(info: GameInfo, view: View, result: GameResult) -> tuple[str, list[str]]:
    """Who won, in one sentence; then why the game ended and what decided, in some more."""
    if not result.winners:
        return _("Nobody won"), [
            _("The players ended this game by a vote before its end. The points are told as they lay then.")
        ]
    names, best = games.names(info), result.scores[result.winners[0]]
    points = ngettext("{number} point", "{number} points", best).format(number=best)
    if len(result.winners) > 1:
        shown = listed([_("you") if seat == info.you else names[seat] for seat in result.winners])
        heading = _("A shared win: {names}, with {points} each").format(names=shown, points=points)
    elif result.winners[0] == info.you:
        heading = _("You won with {points}").format(points=points)
    else:
        heading = _("{name} won with {points}").format(name=names[result.winners[0]], points=points)
    return heading, [_ending(info, view, result), *_tie(info, result)]


def sheets(info: GameInfo, view: View, result: GameResult) -> list[Sheet]:
    """Every seat's score, best first, as R-END-4 ranks them."""
    ranks = [(result.scores[s], result.treasures[s], result.gems[s]) for s in range(info.players)]
    names = games.names(info)
    order = sorted(range(info.players), key=lambda seat: ranks[seat], reverse=True)
    bonuses = [_bonus(seat, result) for seat in range(info.players)]
    return [
        Sheet(
            seat=seat,
            name=names[seat],
            colors=tuple(telling.color_numbers(info.seats[seat])),
            you=seat == info.you,
            place=1 + sum(other > ranks[seat] for other in ranks),
            won=seat in result.winners,
            note=telling.note(result.notes[seat]),
            score=result.scores[seat],
            gold=view.hands[seat] or (),
            gold_points=result.gold[seat],
            given=view.given[seat] or (),
            treasures=view.treasures[seat],
            treasure_points=result.treasures[seat],
            gems=view.gems[seat],
            gem_points=result.gems[seat],
            bonus=bonuses[seat],
            bonus_points=BONUS_VALUE * len(bonuses[seat]),
        )
        for seat in order
    ]


def majorities(info: GameInfo, view: View, result: GameResult) -> list[Majority]:
    """Who has the bonus card of each kind of gem (R-END-3)."""
    names = games.names(info)
    told = []
    for gem, kind in enumerate(GEMS):
        counts = tuple(row[gem] for row in view.gems)
        seat = result.majority[kind]
        told.append(Majority(gem, counts, seat, _why(counts, seat, names, info.you)))
    return told


def _why(counts: Sequence[int], seat: int | None, names: Sequence[str], you: int | None) -> str:
    most = max(counts)
    if most == 0:
        return _("Nobody has any.")
    if seat is not None:
        return _("You have the most.") if seat == you else _("{name} has the most.").format(name=names[seat])
    shown = [_("you") if s == you else names[s] for s, count in enumerate(counts) if count == most]
    return _("Nobody alone has the most: {names} have {number} each.").format(names=listed(shown), number=most)


def _bonus(seat: int, result: GameResult) -> tuple[int, ...]:
    won = [gem for gem, kind in enumerate(GEMS) if result.majority[kind] == seat]
    return (*won, -1) if result.four_gems == seat else tuple(won)


def _ending(info: GameInfo, view: View, result: GameResult) -> str:
    if result.reason == "last-treasure":
        return _("The game ended when the last treasure was taken.")
    names = games.names(info)
    alone = [_("you") if s == info.you else names[s] for s in range(info.players) if knights_in_game(view, s) <= 1]
    return _("The game ended when only one knight was left to a player: {names}.").format(names=listed(alone))


def _tie(info: GameInfo, result: GameResult) -> list[str]:
    """What decided between seats with equal points (R-END-4); nothing where the points did."""
    winners = result.winners
    best = result.scores[winners[0]]
    level = [seat for seat, score in enumerate(result.scores) if score == best]
    if len(level) == 1:
        return []
    names = games.names(info)
    shown = listed([_("you") if seat == info.you else names[seat] for seat in level])
    told = [_("Equal at {number} points: {names}.").format(number=best, names=shown)]
    treasures = max(result.treasures[seat] for seat in level)
    rest = [seat for seat in level if result.treasures[seat] == treasures]
    if len(rest) < len(level):
        told.append(_("More treasures decide then."))
    if len(rest) > 1:
        gems = max(result.gems[seat] for seat in rest)
        if any(result.gems[seat] < gems for seat in rest):
            told.append(_("More gems decide then, as the treasures are equal too."))
    if len(winners) > 1:
        told.append(_("Their treasures and gems are equal too, so they share the win."))
    return told

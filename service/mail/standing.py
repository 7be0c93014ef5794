"""How everybody stands: what is open to all during the game, and the whole account at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import COLORS, GEMS, Result, View, colors_of, knights_in_game
from engine.scoring import BONUS_VALUE, TREASURE_VALUE
from service.i18n import gettext as _
from service.i18n import ngettext
from service.i18n.dates import listed
from service.pictures.text import so_many


def points(number: int) -> str:
    """``1 point``, ``2 points``, ``no points``."""
    return ngettext("{number} point", "{number} points", number).format(number=number) if number else _("no points")


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat during the game; ``points`` are those that lie open (no gold), ``told`` is what it has, in words."""

    name: str
    colors: str
    you: bool
    acts: bool
    points: int
    told: str


def standings(view: View, names: Sequence[str]) -> list[Standing]:
    """All seats, in seat order."""
    rows = []
    for seat in range(view.players):
        gems = view.gems[seat]
        bonus = int(view.four_gems == seat)
        rows.append(
            Standing(
                name=names[seat],
                colors=colors_words(view.players, seat),
                you=seat == view.viewer,
                acts=seat == view.to_act,
                points=TREASURE_VALUE * view.treasures[seat] + sum(gems) + BONUS_VALUE * bonus,
                told=", ".join(_has(view, seat)),
            )
        )
    return rows


def colors_words(players: int, seat: int) -> str:
    """The colours of a seat's knights: ``black and orange``."""
    return listed([_(COLORS[color]) for color in colors_of(players, seat)])


def _has(view: View, seat: int) -> list[str]:
    """What a seat has; of gems, treasures and the bonus card only what is there."""
    told = [
        _knights(knights_in_game(view, seat)),
        _gold_cards(view.hand_counts[seat]),
        *(so_many(count, _(GEMS[gem])) for gem, count in enumerate(view.gems[seat]) if count),
    ]
    if treasures := view.treasures[seat]:
        told.append(ngettext("{number} treasure", "{number} treasures", treasures).format(number=treasures))
    if view.four_gems == seat:
        told.append(_("the bonus card for four different gems"))
    return told


def _knights(number: int) -> str:
    if not number:
        return _("no knights on the way")
    return ngettext("{number} knight on the way", "{number} knights on the way", number).format(number=number)


def _gold_cards(number: int) -> str:
    if not number:
        return _("no gold cards")
    return ngettext("{number} gold card", "{number} gold cards", number).format(number=number)


@dataclass(frozen=True, slots=True)
class Score:
    """One seat at the end: points by where they come from, and the cards behind them."""

    name: str
    you: bool
    won: bool
    total: int
    gold: int
    treasures: int
    gems: int
    bonus: int
    gold_cards: str
    bonus_cards: str
    note: str


def scores(view: View, result: Result, names: Sequence[str], notes: Sequence[str]) -> list[Score]:
    """All seats, the best first; ties in the order that decides them (R-END-4)."""
    rows = []
    for seat in range(view.players):
        won_for = [
            _("most {gem}").format(gem=_(GEMS[gem])) for gem, leader in enumerate(result.majority) if leader == seat
        ]
        if result.four_gems == seat:
            won_for.append(_("four different gems first"))
        hand = view.hands[seat] or ()
        rows.append(
            Score(
                name=names[seat],
                you=seat == view.viewer,
                won=seat in result.winners,
                total=result.scores[seat],
                gold=result.gold[seat],
                treasures=result.treasures[seat],
                gems=result.gems[seat],
                bonus=result.bonus[seat],
                gold_cards=" + ".join(str(card) for card in hand) or _("no gold"),
                bonus_cards=", ".join(won_for),
                note=notes[seat],
            )
        )
    return sorted(rows, key=lambda row: (row.total, row.treasures, row.gems), reverse=True)


def tie_note(result: Result, names: Sequence[str]) -> str:
    """What decided among equal scores, if anything had to (R-END-4); nothing does where nobody won."""
    if not result.winners:
        return ""
    best = max(result.scores)
    tied = [seat for seat, score in enumerate(result.scores) if score == best]
    if len(tied) == 1:
        return ""
    if len(result.winners) > 1:
        template = _("{points} for several, with as many treasures and gems: they share the win.")
        return template.format(points=points(best))
    winner = result.winners[0]
    others = [seat for seat in tied if seat != winner]
    if all(result.treasures[winner] > result.treasures[seat] for seat in others):
        return _("Equal points; {name} has more treasures.").format(name=names[winner])
    return _("Equal points; {name} has more gems (where treasures are equal too).").format(name=names[winner])

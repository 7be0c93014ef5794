"""How everybody stands: what is open to all during the game, and the whole account at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import COLORS, GEMS, Result, View, colors_of, knights_in_game
from engine.scoring import BONUS_VALUE, TREASURE_VALUE
from service.pictures.text import counted


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
                colors=" and ".join(COLORS[color] for color in colors_of(view.players, seat)),
                you=seat == view.viewer,
                acts=seat == view.to_act,
                points=TREASURE_VALUE * view.treasures[seat] + sum(gems) + BONUS_VALUE * bonus,
                told=", ".join(_has(view, seat)),
            )
        )
    return rows


def _has(view: View, seat: int) -> list[str]:
    """What a seat has; of gems, treasures and the bonus card only what is there."""
    told = [
        f"{counted(knights_in_game(view, seat), 'knight')} on the way",
        counted(view.hand_counts[seat], "gold card"),
        *(f"{count} {GEMS[gem]}" for gem, count in enumerate(view.gems[seat]) if count),
    ]
    if view.treasures[seat]:
        told.append(counted(view.treasures[seat], "treasure"))
    if view.four_gems == seat:
        told.append("the bonus card for four different gems")
    return told


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
        won_for = [f"most {GEMS[gem]}" for gem, leader in enumerate(result.majority) if leader == seat]
        if result.four_gems == seat:
            won_for.append("four different gems first")
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
                gold_cards=" + ".join(str(card) for card in hand) or "no gold",
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
        return f"{counted(best, 'point')} for several, with as many treasures and gems: they share the win."
    winner = result.winners[0]
    others = [seat for seat in tied if seat != winner]
    if all(result.treasures[winner] > result.treasures[seat] for seat in others):
        return f"Equal points; {names[winner]} has more treasures."
    return f"Equal points; {names[winner]} has more gems (where treasures are equal too)."

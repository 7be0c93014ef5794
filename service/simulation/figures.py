"""The same deals played all ways, and what that says: means, shares, and how sure they are."""

from collections.abc import Iterable
from math import isfinite, sqrt
from typing import Any, Final, NamedTuple

from service.simulation.pace import WAYS, Counts, Setting, Way, play

Deal = dict[Way, Counts]

_SURE: Final = 1.96
"""Standard errors to either side that hold 95 of 100 estimates."""


class Estimate(NamedTuple):
    """A figure, and how far it may be off (95 of 100 are not); infinite where one game is all there is."""

    value: float
    margin: float


def play_deal(setting: Setting, seed: str, number: int) -> Deal:
    """One deal, played all ways by the same people with the same times of looking."""
    return {way: play(setting, way, f"{seed}|{setting.seats}|{number}") for way in WAYS}


class Figures:
    """What was counted in some deals of one setting."""

    def __init__(self, setting: Setting, deals: Iterable[Deal]) -> None:
        self.setting = setting
        self._deals = list(deals)
        self.sums: Deal = {way: Counts() for way in WAYS}
        for deal in self._deals:
            for way, counts in deal.items():
                self.sums[way].add(counts)

    @property
    def games(self) -> int:
        """How many deals there were."""
        return len(self._deals)

    def days(self, way: Way) -> float:
        """Days a game."""
        return self.sums[way].days / self.games

    def messages(self, way: Way) -> float:
        """Messages a person and turn: all that were sent, by all turns that were played."""
        return self.sums[way].messages / self.sums[way].turns

    def woken(self, way: Way) -> float:
        """How often in a game another player than the one to move had to be asked."""
        return self.sums[way].woken / self.games

    def by_plan(self, way: Way) -> float:
        """Which part of all turns a plan has played."""
        return self.sums[way].plans_played / self.sums[way].turns

    def share_of_waits(self) -> float:
        """Without orders: which part of all waits (counted, not measured) is for bribes and choices."""
        waits = self.sums["off"].waits
        return (waits["bribe"] + waits["choice"]) / sum(waits.values())

    def share_of_time(self) -> float:
        """Without orders: which part of all waiting time is for bribes and choices."""
        return _asked(self.sums["off"]) / (24 * self.sums["off"].days)

    def shorter(self, way: Way) -> Estimate:
        """By which part games are shorter than without orders: the ratio of the sums, deals compared pair by pair."""
        return _ratio([(deal["off"].days - deal[way].days, deal["off"].days) for deal in self._deals])

    def to_json(self) -> dict[str, Any]:
        """All figures of this setting under plain names."""
        off = self.sums["off"]
        return {
            "seats": self.setting.seats,
            "model": self.setting.model,
            "bots": self.setting.level,
            "stays": self.setting.stays,
            "games": self.games,
            "turns_a_game": off.turns / self.games,
            "share_of_waits": self.share_of_waits(),
            "share_of_time": self.share_of_time(),
            "ways": {way: self._way_to_json(way) for way in WAYS},
        }

    def _way_to_json(self, way: Way) -> dict[str, Any]:
        sums, shorter = self.sums[way], self.shorter(way)
        return {
            "days_a_game": self.days(way),
            "messages_a_turn": self.messages(way),
            "woken_a_game": self.woken(way),
            "waits_a_game": {wait: count / self.games for wait, count in sums.waits.items()},
            "hours_a_game": {wait: hours / self.games for wait, hours in sums.hours.items()},
            "shorter": shorter.value,
            "shorter_margin": shorter.margin if isfinite(shorter.margin) else None,
            "plans": {
                "filed": sums.plans_filed / self.games,
                "played": sums.plans_played / self.games,
                "surprised": sums.plans_surprised / self.games,
                "dropped": sums.plans_dropped / self.games,
            },
        }


def _asked(counts: Counts) -> float:
    """Hours that bribes and choices were waited for."""
    return counts.hours["bribe"] + counts.hours["choice"]


def _ratio(pairs: list[tuple[float, float]]) -> Estimate:
    """The sum of the first by the sum of the second, with the margin of such a ratio."""
    count, whole = len(pairs), sum(second for _, second in pairs)
    value = sum(first for first, _ in pairs) / whole
    if count < 2:
        return Estimate(value, float("inf"))
    off = sum((first - value * second) ** 2 for first, second in pairs) / (count - 1)
    return Estimate(value, _SURE * sqrt(off / count) / (whole / count))

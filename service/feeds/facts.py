"""What a feed tells."""

from dataclasses import dataclass
from datetime import UTC, datetime

from service.i18n.dates import listed, moment


@dataclass(frozen=True)
class Turn:
    """A turn that waits for the feed's owner: the turn of ``game`` that began with ``ply``.

    ``dragon``: they are asked what the dragon gets, or whom it catches, and not for a knight move. ``others`` are the
    names of those who sit at the table with them. Without ``deadline`` there is none, or none to be told yet.
    """

    game: str
    ply: int
    since: datetime
    deadline: datetime | None
    dragon: bool
    others: tuple[str, ...]

    @property
    def title(self) -> str:
        """In a line."""
        asked = "The dragon waits for your answer" if self.dragon else "Your turn in Emerald"
        return f"{asked}, with {listed(list(self.others))}"

    def text(self, zone: str) -> str:
        """In some sentences, times by the clocks of a zone."""
        until = "There is no time limit." if self.deadline is None else f"Until {moment(self.deadline, zone)}."
        return f"Game {self.game}, since {moment(self.since, zone)}. {until} Answer the mail of this turn."


@dataclass(frozen=True)
class Feed:
    """The turns that wait for somebody, most urgent first. ``id`` names the feed and is no secret."""

    id: str
    zone: str
    since: datetime
    turns: tuple[Turn, ...]

    @property
    def updated(self) -> datetime:
        """When something was last added to it."""
        return max([self.since, *(turn.since for turn in self.turns)]).astimezone(UTC)

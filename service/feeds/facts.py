"""What a feed tells."""

from dataclasses import dataclass
from datetime import UTC, datetime

from service.i18n import gettext as _
from service.i18n.dates import listed, moment


@dataclass(frozen=True)
class Turn:
    """A turn that waits for the feed's owner: the turn of ``game`` that began with ``ply``.

    ``dragon``: they are asked what the dragon gets, or whom it catches, and not for a knight move. ``others`` are the
    names of those who sit at the table with them, empty for a bot. Without ``deadline`` there is none, or none to be
    told yet.
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
        others = listed([name or _("a bot") for name in self.others])
        if self.dragon:
            return _("The dragon waits for your answer, with {others}").format(others=others)
        return _("Your turn in Emerald, with {others}").format(others=others)

    def text(self, zone: str) -> str:
        """In some sentences, times by the clocks of a zone."""
        began = _("Game {game}, since {moment}.").format(game=self.game, moment=moment(self.since, zone))
        if self.deadline is None:
            until = _("There is no time limit.")
        else:
            until = _("Until {moment}.").format(moment=moment(self.deadline, zone))
        what = _("Answer the mail of this turn.")
        return f"{began} {until} {what}"


@dataclass(frozen=True)
class Feed:
    """The turns that wait for somebody, most urgent first. ``id`` names the feed and is no secret.

    It is told in ``language``, by the clocks of ``zone``.
    """

    id: str
    zone: str
    since: datetime
    turns: tuple[Turn, ...]
    language: str = "en"

    @property
    def updated(self) -> datetime:
        """When something was last added to it."""
        return max([self.since, *(turn.since for turn in self.turns)]).astimezone(UTC)

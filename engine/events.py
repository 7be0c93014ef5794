"""What happened, in order, when an action was applied: the game's log is made of these.

Everything here was seen by all at the table, except the value of a gold card given to the dragon
(R-DRAG-7); ``engine.wire.event_to_json`` withholds that one.
"""

from typing import Literal, NamedTuple


class Moved(NamedTuple):
    """A knight went from one space to another or into the chamber (R-MOVE-3)."""

    seat: int
    color: int
    source: int
    target: int
    kind: Literal["moved"] = "moved"


class Stopped(NamedTuple):
    """A seat ended its turn after one knight (R-MOVE-1)."""

    seat: int
    kind: Literal["stopped"] = "stopped"


class Took(NamedTuple):
    """A seat took the face-up card of a kind beside a cave space (R-CARD-1)."""

    seat: int
    space: int
    card: int
    value: int
    kind: Literal["took"] = "took"


class TurnedUp(NamedTuple):
    """The next card of a pile was turned face up (R-CARD-1)."""

    space: int
    card: int
    value: int
    kind: Literal["turned_up"] = "turned_up"


class FourGems(NamedTuple):
    """A seat was the first to lay four different gems (R-CARD-4)."""

    seat: int
    kind: Literal["four_gems"] = "four_gems"


class Threw(NamedTuple):
    """A seat threw the die for the dragon (R-DRAG-2)."""

    seat: int
    die: int
    kind: Literal["threw"] = "threw"


class DragonWent(NamedTuple):
    """The dragon went from one cave (1–9) to another and now faces that way (R-DRAG-3)."""

    source: int
    target: int
    facing: int
    kind: Literal["dragon"] = "dragon"


class Caught(NamedTuple):
    """The dragon caught a knight of ``seat``; ``by`` moved the dragon (R-DRAG-4)."""

    seat: int
    color: int
    by: int
    space: int
    kind: Literal["caught"] = "caught"


class Bribed(NamedTuple):
    """A seat gave the dragon a gold card; ``gold`` is for that seat's eyes only (R-DRAG-7)."""

    seat: int
    color: int
    gold: int
    kind: Literal["bribed"] = "bribed"


class Surrendered(NamedTuple):
    """A knight went to the nest (R-DRAG-6)."""

    seat: int
    color: int
    kind: Literal["surrendered"] = "surrendered"


class RailWent(NamedTuple):
    """The rail went on; ``first`` is the first cave (1–6) beside it now (R-DRAG-8)."""

    first: int
    facing: int
    kind: Literal["rail"] = "rail"


class TreasureTaken(NamedTuple):
    """A seat took a dragon treasure; so many are left (R-END-1)."""

    seat: int
    left: int
    kind: Literal["treasure"] = "treasure"


class TurnPassed(NamedTuple):
    """It is now this seat's turn (R-SET-6)."""

    seat: int
    kind: Literal["turn"] = "turn"


class GameOver(NamedTuple):
    """The game ended (R-END-2)."""

    reason: Literal["last-treasure", "one-knight"]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    kind: Literal["over"] = "over"


Event = (
    Moved
    | Stopped
    | Took
    | TurnedUp
    | FourGems
    | Threw
    | DragonWent
    | Caught
    | Bribed
    | Surrendered
    | RailWent
    | TreasureTaken
    | TurnPassed
    | GameOver
)

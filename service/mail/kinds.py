"""What each mail needs to know, as plain frozen values.

``service.usecases.notices`` gathers them from the database; ``service.mail.render`` turns them into
messages. Nothing in here is a row, a session or a clock, so the same notice always gives the same mail.

Everything a reader sees comes from the reader's own ``view`` and the log entries *that reader* may
read: a notice must never be filled from the whole position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from engine import Result, View
from service.mail.tokens import OptOutLink, Token


@dataclass(frozen=True, slots=True)
class Envelope:
    """To whom a mail goes and what makes it that one mail."""

    to: str
    """The bare address; a bad one is refused when the mail is built."""
    name: str
    """The reader's display name; may be empty (an invited stranger)."""
    zone: str
    """IANA time zone of the reader, e.g. ``Europe/Berlin``; unknown names fall back to UTC."""
    message_id: str
    """``<...@...>``, fixed when the outbox row was written: a mail sent again bears it again."""
    date: datetime
    """When the outbox row was written (aware)."""
    reply: Token | None = None
    """What an answer to this mail may do; it becomes the Reply-To. None: no answer is read."""
    row: int | None = None
    """The outbox row, for the return path."""
    opt_out: OptOutLink | None = None
    """How to turn off mails of this kind; None where they cannot be turned off."""
    drawing: bool = True
    """Whether the board is drawn in text (its words always stand there)."""
    cards: bool = True
    """Whether the mail may show what only its reader sees: hand, own draws, the values to bribe with."""
    answers: str | None = None
    """The Message-ID of the reader's own mail that this one answers."""
    remark: str = ""
    """A sentence from the house before everything else (an address that fails, say); usually empty."""
    language: str = "en"
    """A language tag: the reader's, in which the mail is written if it is one of ours (``service.i18n``)."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a turn may take: days a turn, or hours in a bank (service.usecases.results.ClockSpec)."""

    kind: Literal["none", "days", "bank"] = "none"
    days: int | None = None
    start_hours: int | None = None
    increment_hours: int | None = None
    cap_hours: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """The public facts about a game that its mails mention."""

    id: str
    names: tuple[str, ...]
    """Display names in seat order; an empty string is a seat nobody has taken yet."""
    bots: tuple[str | None, ...]
    """The bot's level for each seat that a bot plays (also for one who resigned, or whose seat it holds), else None."""
    resigned: tuple[int, ...] = ()
    """Seats whose player resigned; a bot has played on for them."""
    commitment: str = ""
    """Hex SHA-256 of the seed, shown from the creation of the game."""
    clock: Clock = Clock()
    time_off: bool = True
    """Whether days off and absences stop the clock."""
    held: tuple[int, ...] = ()
    """Seats that a bot holds now (at the end: held then) because two turns in a row ran out."""
    stood_in: tuple[int, ...] = ()
    """Told when the game is over: seats whose player's time ran out, so that a bot moved for them, and came back."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the game's log, already cut to what this reader may know.

    ``data`` is the entry's private JSON when it is the reader's own, else the public one
    (an ``engine.event_to_json`` object for what happens on the board).
    """

    kind: str
    seat: int | None
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CodeNotice:
    """A one-time sign-in code. ``link``: the page that does the same; its address is as secret as the code."""

    envelope: Envelope
    code: str
    expires_at: datetime
    known: bool = False
    """The reader asked to sign up, but has an account: nobody else is told, so this mail must."""
    link: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class InvitationNotice:
    """Someone is asked to take a seat in a game that has not started."""

    envelope: Envelope
    game: Game
    seat: int
    inviter: str


@dataclass(frozen=True, slots=True)
class StartedNotice:
    """The game has begun and somebody else is first to act."""

    envelope: Envelope
    game: Game
    seat: int
    view: View


@dataclass(frozen=True, slots=True)
class StandingOrder:
    """What the reader left to be done without asking: ``kind`` "bribe", "catch" or "plan", and its words."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnNotice:
    """The reader is to act. ``log``: everything since the reader's own last turn, oldest first.

    At the very first turn the log begins with the ``started`` entry, and this mail is the start mail too. ``bank``:
    seconds that were in the reader's bank when the turn began, if the game has banks.
    """

    envelope: Envelope
    game: Game
    seat: int
    view: View
    ply: int
    """The decision that the reader's answer must name."""
    log: tuple[Entry, ...]
    deadline: datetime | None = None
    started: bool = False
    """True when this is also how the reader learns that the game has begun."""
    bank: int | None = None
    orders: tuple[StandingOrder, ...] = ()


@dataclass(frozen=True, slots=True)
class ReminderNotice:
    """The reader is to act, and most of the time is gone. ``last``: this is the last call.

    ``deadline`` None: the game has no clock, and it is early to speak of the end of the time that every turn has. With
    the last call it stands there, and so does ``grace_until``: until when an answer counts that comes later still.
    ``holds``: after that a bot does not make one move, but takes the seat over until its player comes back.
    ``late``: the deadline has passed, so that going away stops the clock no longer.
    """

    envelope: Envelope
    game: Game
    seat: int
    view: View
    ply: int
    since: datetime
    """When this turn came to the reader."""
    deadline: datetime | None
    last: bool = False
    grace_until: datetime | None = None
    holds: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class MovedForYouNotice:
    """Time ran out, the grace too, and a bot played this one turn for the reader. ``log``: what it did.

    ``chances``: if so many turns in a row run out from now on, a bot holds the seat; None if that is not to be said.
    """

    envelope: Envelope
    game: Game
    seat: int
    view: View
    log: tuple[Entry, ...]
    chances: int | None = None


@dataclass(frozen=True, slots=True)
class HeldNotice:
    """A second turn in a row ran out: a bot holds the reader's seat until they take it back, at any moment.

    ``log``: everything since the reader's own last turn.
    """

    envelope: Envelope
    game: Game
    seat: int
    view: View
    log: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class ExtendedNotice:
    """The others gave the reader more time for the turn that is on. ``by``: their names; ``deadline``: the new one."""

    envelope: Envelope
    game: Game
    seat: int
    view: View
    ply: int
    deadline: datetime
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VoteNotice:
    """Somebody voted, and the reader may too: "extend", more time for ``about``; "end", the end of the game.

    ``by``: who has voted for it; ``needed``: how many more have to. ``about`` is to act since ``since``, until
    ``deadline`` (None: no time is told), and lives in ``about_zone``; or, ``held``, a bot holds that seat since then.
    ``more``: the time that a vote for it adds.
    """

    envelope: Envelope
    game: Game
    seat: int
    vote: Literal["extend", "end"]
    by: tuple[str, ...]
    about: str
    needed: int
    more: timedelta
    since: datetime
    deadline: datetime | None = None
    about_zone: str = "UTC"
    held: bool = False


@dataclass(frozen=True, slots=True)
class OverNotice:
    """The game has ended; everything may be told now. ``result`` has no winners if the players voted to end it."""

    envelope: Envelope
    game: Game
    seat: int
    view: View
    log: tuple[Entry, ...]
    result: Result
    seed: str
    """Hex; with ``entropy`` it lets anyone deal the very same game again."""
    entropy: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CancelledNotice:
    """A game was called off before it started. ``by``: who did it; empty when nobody in particular."""

    envelope: Envelope
    game: Game
    by: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one line of a reader's mail.

    ``state``: "done"; "refused" (why stands in ``told``); "not-tried", because of a refused one; "ignored", because it
    is no command. ``told``: what there is to say, a paragraph each; ``listing``: lines to be shown as they are (a
    history, a rule, help), at most 77 characters each.
    """

    line: str
    state: Literal["done", "refused", "not-tried", "ignored"]
    told: tuple[str, ...] = ()
    listing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerNotice:
    """The one answer to a mail of a player: what became of each line, and the position after it.

    ``game`` is the game it was about (or the one it made or joined); None for commands about no game. ``view`` is None
    before the start. ``log``: what has happened since the mail that was answered, told when that mail came too late.
    """

    envelope: Envelope
    outcomes: tuple[Outcome, ...]
    subject: str = ""
    """The subject of the reader's mail, one line, for an answer about no game."""
    game: Game | None = None
    seat: int | None = None
    view: View | None = None
    ply: int = 0
    log: tuple[Entry, ...] = ()
    deadline: datetime | None = None
    waiting_for: str = ""
    """Before the start: who is still to come, in words."""
    result: Result | None = None
    """After the end."""
    zone_there: str = ""
    """The time zone of whoever is to act, if the deadline is theirs and not the reader's."""
    held: bool = False
    """A bot holds the reader's seat."""


@dataclass(frozen=True, slots=True)
class ConfirmNotice:
    """Somebody wrote to the service address: is it really you? ``lines``: what will be done.

    ``known``: with an account already, but nothing in the mail proved that it came from its owner.
    """

    envelope: Envelope
    lines: tuple[str, ...]
    expires_at: datetime
    known: bool = False


@dataclass(frozen=True, slots=True)
class RefusedTryNotice:
    """A mail came with the reader's token, but not (provably) from the reader's address; nothing was done."""

    envelope: Envelope
    sender: str
    """The address it claimed to come from."""
    why: str


@dataclass(frozen=True, slots=True)
class AddressNotice:
    """The code that adds a further address to an account, or proves that mail arrives at it again.

    The answer to the mail does the same as the code. ``elsewhere``: somebody asked to add the reader's address to
    another account; nobody else is told that it has one, so this mail must. Then there is no code, and no answer.
    """

    envelope: Envelope
    code: str
    expires_at: datetime
    new: bool
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class BundleNotice:
    """Several mails for one reader told in one: what has piled up, or a daily digest. ``parts`` are never bundles."""

    envelope: Envelope
    parts: tuple[Part, ...]
    daily: bool


Part = (
    InvitationNotice
    | StartedNotice
    | TurnNotice
    | ReminderNotice
    | MovedForYouNotice
    | HeldNotice
    | ExtendedNotice
    | VoteNotice
    | OverNotice
    | CancelledNotice
)
Notice = (
    CodeNotice
    | InvitationNotice
    | StartedNotice
    | TurnNotice
    | ReminderNotice
    | MovedForYouNotice
    | HeldNotice
    | ExtendedNotice
    | VoteNotice
    | OverNotice
    | CancelledNotice
    | AnswerNotice
    | ConfirmNotice
    | RefusedTryNotice
    | AddressNotice
    | BundleNotice
)

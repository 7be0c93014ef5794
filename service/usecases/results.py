"""What use cases answer with: plain frozen values, already cut to what the caller may see."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar, get_args

from engine import View

GAMES_READ = "games:read"
GAMES_PLAY = "games:play"
ACCOUNT = "account"
SCOPES = (GAMES_READ, GAMES_PLAY, ACCOUNT)

Item = TypeVar("Item")
Status = Literal["waiting", "playing", "over", "cancelled"]
STATUSES: tuple[Status, ...] = get_args(Status)
SeatKind = Literal["open", "invited", "human", "bot"]
OrderKind = Literal["bribe", "catch", "plan"]
ORDER_KINDS: tuple[OrderKind, ...] = get_args(OrderKind)
AddressState = Literal["ok", "failing", "complained"]
ADDRESS_STATES: tuple[AddressState, ...] = get_args(AddressState)


@dataclass(frozen=True)
class Caller:
    """Who asks, as its token proves. ``scopes`` are those of the token."""

    user_id: str
    token_id: str
    scopes: frozenset[str]


@dataclass(frozen=True)
class Page(Generic[Item]):
    """Some items in a stable order. ``next`` is the cursor of the next page, None at the end."""

    items: tuple[Item, ...]
    next: str | None


@dataclass(frozen=True)
class AddressInfo:
    """One's own address and how mail to it fares. ``last_status``: of the last bounce, like 5.1.1.

    ``preferred``: mail goes there first; without one, to the oldest address at which it arrives.
    """

    id: str
    email: str
    state: AddressState
    failing_since: datetime | None
    last_status: str | None
    preferred: bool
    verified_at: datetime


@dataclass(frozen=True)
class Account:
    """One's own account, as nobody else sees it. ``email``: where mail goes now; ``failing``: where it fails."""

    id: str
    display_name: str
    email: str
    language: str
    time_zone: str
    created_at: datetime
    failing: tuple[AddressInfo, ...]


@dataclass(frozen=True)
class Identity:
    """Who one is, how one is spoken to, and where one's clock stands."""

    display_name: str
    language: str
    time_zone: str


@dataclass(frozen=True)
class TokenInfo:
    """A token as it is listed: everything but the token. ``hint`` is its last four characters.

    ``expires_at``: when it ends by itself, as a browser's session does; None: not before it is revoked.
    """

    id: str
    name: str
    prefix: str
    hint: str
    scopes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    current: bool


@dataclass(frozen=True)
class NewToken:
    """A token at the only moment it is shown. ``failing``: at a sign-in, the account's addresses that fail."""

    token: str
    info: TokenInfo
    failing: tuple[AddressInfo, ...] = ()

    def __repr__(self) -> str:
        return f"NewToken({self.info.id!r})"


@dataclass(frozen=True)
class ClockSpec:
    """How long a turn may take (docs/WAITING.md).

    ``none``: no limit of the players' own; ``days``: ``days`` a turn; ``bank``: ``start_hours`` at the beginning,
    ``increment_hours`` more after each turn of one's own, never more than ``cap_hours`` (None: no cap) together.
    """

    kind: Literal["none", "days", "bank"] = "none"
    days: int | None = None
    start_hours: int | None = None
    increment_hours: int | None = None
    cap_hours: int | None = None


@dataclass(frozen=True)
class SeatSpec:
    """A seat as a game's creator asks for it. An invitation names an account or an address, never both."""

    kind: Literal["me", "open", "invite", "bot"]
    level: str | None = None
    email: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class SeatInfo:
    """A seat as this caller may see it.

    ``name`` is the display name of whoever holds it or is invited by name. ``invited_email`` is shown to the creator
    alone, who wrote it; whether an account stands behind it is told to nobody. ``entropy`` is one's own until the game
    is over. ``bot_level`` is set for bots and for the bot that moves for someone who resigned or whose seat it holds.
    ``mail_failing_since`` is told to those who sit in the game, while it lasts: since when mail reaches the player at
    no address. So is ``away_until``. ``held``: a bot moves for its person, who let two turns run out and may take it
    back. ``bank_seconds``: what was left of its bank when its last turn ended.
    """

    number: int
    colors: tuple[str, ...]
    kind: SeatKind
    name: str | None
    user_id: str | None
    bot_level: str | None
    resigned: bool
    you: bool
    invited_email: str | None
    entropy: str | None
    mail_failing_since: datetime | None
    held: bool = False
    away_until: datetime | None = None
    bank_seconds: int | None = None


@dataclass(frozen=True)
class GameResult:
    """How a finished game ended, seat by seat. ``notes``: "bot", "resigned", "held", "stood_in" or None a seat."""

    reason: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    gold: tuple[int, ...]
    treasures: tuple[int, ...]
    gems: tuple[int, ...]
    majority: Mapping[str, int | None]
    four_gems: int | None
    notes: tuple[str | None, ...]


@dataclass(frozen=True)
class GameInfo:
    """Everything about a game but its board. ``you`` is the caller's seat.

    ``join_code`` is shown to those seated while a private game waits for players; ``seed`` to all once it is over.
    ``turn_ply`` is the ply at which the present turn came to the seat to act, ``turn_since`` when. ``step``: how far
    the ladder has come with it (timekeeping.ladder.Step), once its time is over; None before. ``time_off``: days off
    and absences stop the clock.
    """

    id: str
    status: Status
    public: bool
    players: int
    creator: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    first_set: int | None
    clock: ClockSpec
    time_off: bool
    commitment: str
    seed: str | None
    join_code: str | None
    seats: tuple[SeatInfo, ...]
    you: int | None
    invited: bool
    ply: int
    turn_ply: int
    to_act: int | None
    phase: str | None
    turn_since: datetime | None
    deadline: datetime | None
    step: str | None
    result: GameResult | None
    rematch: str | None
    rematch_of: str | None


@dataclass(frozen=True)
class LegalRow:
    """One of the numbered actions open to the caller: ``number`` from 1, as notation and as JSON."""

    number: int
    notation: str
    action: Mapping[str, Any]


@dataclass(frozen=True)
class GameView:
    """A game as this caller sees it. ``view`` is None before the start; ``legal`` is empty unless it is your turn."""

    info: GameInfo
    view: View | None
    legal: tuple[LegalRow, ...]


@dataclass(frozen=True)
class Turn:
    """A game that waits for the caller."""

    info: GameInfo
    seat: int
    ply: int
    phase: str
    since: datetime
    deadline: datetime | None


@dataclass(frozen=True)
class LogLine:
    """A log entry as this reader may see it. ``data`` has ``kind``, mostly ``seat``, and what belongs to the kind.

    ``seq`` counts the entries that this reader may see (in ``journal.lines``, for the house alone, all there are).
    The engine's events come as engine.event_to_json gives them. The house adds created, joined, left, declined,
    started {first}, resigned, timed_out (its time is up), held and resumed (by a bot, by its player), voted {vote},
    extended {deadline, by}, ended {by} (the seats whose votes did it), cancelled, rematch {game}, and say and note
    {text}; to the owner of a standing order alone order {order, text, action} (what it decided), plan_played
    {text, line, dropped [{word, reason, said}]} and plan_dropped {text, why, said} (``said``: what i18n.retold takes).
    """

    seq: int
    at: datetime
    ply: int
    kind: str
    seat: int | None
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The answer to an accepted move. ``text`` is its JSON, the same bytes for every repeat of the request.

    Keys: game, seat, ply (the one answered), next_ply, applied [{action, notation, by}] (this seat's own actions, "by"
    "you" or "order"), dropped [{word, reason}], events (all that happened, as this seat sees it, standing orders of
    others included), status, to_act, phase.
    """

    text: str
    repeated: bool

    @property
    def data(self) -> dict[str, Any]:
        """``text`` as values."""
        loaded: dict[str, Any] = json.loads(self.text)
        return loaded


@dataclass(frozen=True)
class OrderInfo:
    """A standing order of one's own. ``text`` is its written form, ``explains`` says what it does, for people.

    ``text`` is "ask" (for a plan: "off") when it was taken back: then one is asked. ``remark``: the part of
    ``explains`` that says what it comes too late for, as that is open already; empty if nothing is.
    """

    kind: OrderKind
    text: str
    explains: str
    since: datetime
    remark: str = ""


@dataclass(frozen=True)
class Counts:
    """The numbers that only the database has: games by status, outbox rows by (topic, state)."""

    games: Mapping[str, int]
    outbox: Mapping[tuple[str, str], int]
    oldest_due_seconds: float
    """How long the oldest outbox row that is due has been waiting; 0 if none is."""
    clock_late_seconds: float
    """How long the step of a clock that is most overdue has been waiting for a scheduler; 0 if none is due."""

"""One notice of every kind, from real positions."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import engine
from engine import Event
from service.config import Settings
from service.mail import kinds
from tests.pictures.games import NAMES, found, played

DATE = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
SETTINGS = Settings(
    secret_key="x" * 40, base_url="https://emerald.example/", mail_from="The Emerald house <emerald@emerald.example>"
)
SEED, COMMITMENT = "cd" * 32, "ab" * 32


def envelope(number: int, name: str = "Anna", to: str = "anna@example.org") -> kinds.Envelope:
    return kinds.Envelope(to, name, "Europe/Berlin", f"<row-{number}@emerald.example>", DATE)


def game(players: int, names: Sequence[str] = NAMES) -> kinds.Game:
    return kinds.Game(
        "k3f9abcd2345", tuple(names[:players]), (None, "steady", None, None, None)[:players], (), COMMITMENT, 3
    )


def entries(log: Sequence[Sequence[Event]], seat: int | None) -> tuple[kinds.Entry, ...]:
    told = [engine.event_to_json(event, seat) for events in log for event in events]
    return tuple(kinds.Entry(data["kind"], data.get("seat"), data) for data in told)


def said(text: str, seat: int = 2) -> kinds.Entry:
    return kinds.Entry("say", seat, {"kind": "say", "seat": seat, "text": text})


def turn(
    *, players: int = 3, names: Sequence[str] = NAMES, log: tuple[kinds.Entry, ...] = (), name: str = "Anna"
) -> kinds.TurnNotice:
    position, events = played(players, 7, lambda p, n: n > 50 and engine.to_act(p) == 0 and p.phase == engine.MOVE)
    return kinds.TurnNotice(
        envelope(3, name),
        game(players, names),
        0,
        engine.view(position, 0),
        len(events),
        entries(events[-8:], 0) + log,
        DATE + timedelta(days=3),
    )


def bribe() -> kinds.TurnNotice:
    position = found(3, engine.BRIBE)
    seat = engine.to_act(position)
    assert seat is not None
    return kinds.TurnNotice(envelope(4), game(3), seat, engine.view(position, seat), 20, ())


def over(*, players: int = 3, seed: int = 9, names: Sequence[str] = NAMES) -> kinds.OverNotice:
    position, log = played(players, seed)
    told = game(players, names)
    return kinds.OverNotice(
        envelope(8),
        kinds.Game(told.id, told.names, told.bots, (1,), COMMITMENT),
        0,
        engine.view(position, 0),
        entries(log[-3:], 0),
        engine.score(position),
        SEED,
        ("", "my dice", "x", "", "")[:players],
    )


def every_kind(names: Sequence[str] = NAMES, log: tuple[kinds.Entry, ...] = ()) -> list[kinds.Notice]:
    own = turn(names=names, log=log)
    waiting = kinds.Game("k3f9abcd2345", (names[0], "", ""), (None, None, None), (), COMMITMENT)
    return [
        kinds.CodeNotice(envelope(1, names[0]), "48151623", DATE + timedelta(minutes=10)),
        kinds.InvitationNotice(envelope(2, ""), waiting, 1, names[0]),
        kinds.StartedNotice(envelope(5, names[0]), game(3, names), 0, own.view),
        own,
        bribe(),
        kinds.ReminderNotice(envelope(6, names[0]), game(3, names), 0, own.view, 61, DATE, DATE + timedelta(days=3)),
        kinds.MovedForYouNotice(envelope(7, names[0]), game(3, names), 0, own.view, own.log),
        over(names=names),
        kinds.CancelledNotice(envelope(9, names[0]), game(3, names), names[2]),
    ]

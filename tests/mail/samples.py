"""One notice of every kind, from real positions."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import engine
from engine import Event, Sentence
from engine.sentences import sentence_to_json
from service.config import Settings
from service.mail import kinds
from service.mail.tokens import (
    AccountToken,
    InviteToken,
    OptOutLink,
    SeatToken,
    SignInLink,
    SignUpToken,
    Token,
    seal,
)
from tests.pictures.games import NAMES, found, played

DATE = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
SETTINGS = Settings(
    secret_key="x" * 40, base_url="https://emerald.example/", mail_from="The Emerald house <emerald@emerald.example>"
)
SEED, COMMITMENT = "cd" * 32, "ab" * 32
GAME, USER = "k3f9abcd2345", "u7n4pqrs6789"
REMARK = "This comes to your other address because mail to anna@work.example does not arrive."


def envelope(
    number: int,
    name: str = "Anna",
    to: str = "anna@example.org",
    *,
    reply: Token | None = None,
    kind: str | None = None,
    answers: str | None = None,
) -> kinds.Envelope:
    return kinds.Envelope(
        to,
        name,
        "Europe/Berlin",
        f"<row-{number}@emerald.example>",
        DATE,
        reply=reply,
        row=number,
        opt_out=None if kind is None else OptOutLink(f"user:{USER}", kind),
        answers=answers,
    )


def game(players: int, names: Sequence[str] = NAMES) -> kinds.Game:
    bots = (None, "steady", None, None, None)[:players]
    return kinds.Game(GAME, tuple(names[:players]), bots, (), COMMITMENT, kinds.Clock("days", days=3))


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
        envelope(3, name, reply=SeatToken(GAME, 0, len(events)), kind="turn"),
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
    own = envelope(4, reply=SeatToken(GAME, seat, 20), kind="turn")
    return kinds.TurnNotice(own, game(3), seat, engine.view(position, seat), 20, ())


def over(*, players: int = 3, seed: int = 9, names: Sequence[str] = NAMES) -> kinds.OverNotice:
    position, log = played(players, seed)
    told = game(players, names)
    return kinds.OverNotice(
        envelope(8, reply=SeatToken(GAME, 0, None), kind="news"),
        kinds.Game(told.id, told.names, told.bots, (1,), COMMITMENT),
        0,
        engine.view(position, 0),
        entries(log[-3:], 0),
        engine.score(position),
        SEED,
        ("", "my dice", "x", "", "")[:players],
    )


def answer(
    *outcomes: kinds.Outcome,
    about: kinds.TurnNotice | None = None,
    log: tuple[kinds.Entry, ...] = (),
    subject: str = "Re: Your turn, move 56: Emerald with Bertrand and Chloé",
) -> kinds.AnswerNotice:
    """The answer to a mail of ``about``'s reader; about no game without it."""
    reply: Token = AccountToken(USER) if about is None else SeatToken(GAME, about.seat, about.ply)
    own = envelope(10, reply=reply, answers="<CAF1234+x=y@mail.example.com>")
    if about is None:
        return kinds.AnswerNotice(own, outcomes, subject)
    return kinds.AnswerNotice(
        own, outcomes, subject, about.game, about.seat, about.view, about.ply, log, about.deadline
    )


def refused(names: Sequence[str] = NAMES) -> kinds.AnswerNotice:
    """Three lines, of which one is refused."""
    return answer(
        kinds.Outcome("t1 c9 gme", "refused", ("“gme” is not a word of the game: did you mean “gem”? (R-CARD-1)",)),
        kinds.Outcome("say good luck", "not-tried"),
        kinds.Outcome("Thanks!", "ignored"),
        about=turn(names=names),
    )


def done() -> kinds.AnswerNotice:
    """A move that was made, with a look back; now it is somebody else's turn."""
    position, _ = played(3, 7, lambda p, n: n > 50 and engine.to_act(p) == 1 and p.phase == engine.MOVE)
    shown = ("  61  Bertrand moved an orange knight from m4 to m5.", "  62  Chloé stopped after one knight.")
    about = turn()
    return answer(
        kinds.Outcome("c1 gem", "done", ("You moved a black knight from c1 to c2. You took the emerald at c2.",)),
        kinds.Outcome("history 2", "done", (), shown),
        kinds.Outcome("Sent from my phone", "ignored"),
        about=replace(about, view=engine.view(position, 0), deadline=None),
    )


def late() -> kinds.AnswerNotice:
    """A move for a decision that is over."""
    why = "This was for move 40; the game is at move 56 by now, so nothing was done."
    about = turn()
    return answer(kinds.Outcome("t1 m3", "refused", (why,)), about=about, log=about.log)


def bundle(names: Sequence[str] = NAMES, *, daily: bool = True) -> kinds.BundleNotice:
    """A day with a turn in two games, an end and an invitation."""
    second = turn(players=2, names=names)
    other = replace(second.game, id="m8h2wxyz4567")
    return kinds.BundleNotice(
        envelope(12, names[0], reply=AccountToken(USER), kind="news"),
        (
            over(names=names),
            turn(names=names),
            replace(
                second,
                game=other,
                envelope=replace(second.envelope, reply=SeatToken(other.id, 0, second.ply)),
                deadline=DATE + timedelta(days=1),
            ),
            invitation(names),
        ),
        daily,
    )


def invitation(names: Sequence[str] = NAMES) -> kinds.InvitationNotice:
    waiting = kinds.Game(GAME, (names[0], "", ""), (None, None, None), (), COMMITMENT)
    return kinds.InvitationNotice(envelope(2, "", reply=InviteToken(GAME, 1), kind="invitation"), waiting, 1, names[0])


ORDERS = (kinds.StandingOrder("bribe", "at most 2 while I have 2 cards"), kinds.StandingOrder("catch", "leader>green"))
DROPPED = Sentence("None of its conditions held.")


def house(kind: str, **data: object) -> kinds.Entry:
    """An entry of the log that no engine wrote."""
    seat = data.get("seat")
    return kinds.Entry(kind, seat if isinstance(seat, int) else None, {"kind": kind, **data})


def with_orders() -> kinds.TurnNotice:
    """A turn in a game with banks, after one's orders had something to do."""
    own = turn()
    log = (
        house("order", seat=0, order="bribe", text="at most 2", action={"do": "bribe", "gold": 1}),
        house("bribed", seat=0, color="black", gold=1),
        *own.log,
        house("plan_dropped", seat=0, text="if m3 then m3 gem", why=DROPPED, said=sentence_to_json(DROPPED)),
    )
    clock = kinds.Clock("bank", start_hours=72, increment_hours=12, cap_hours=120)
    return replace(own, game=replace(own.game, clock=clock), log=log, bank=(2 * 24 + 11) * 3600, orders=ORDERS)


def last_call(names: Sequence[str] = NAMES, *, holds: bool = False) -> kinds.ReminderNotice:
    own, until = turn(names=names), DATE + timedelta(hours=6)
    return kinds.ReminderNotice(
        envelope=envelope(17, names[0], reply=SeatToken(GAME, 0, own.ply), kind="reminder"),
        game=own.game,
        seat=0,
        view=own.view,
        ply=own.ply,
        since=DATE - timedelta(days=2, hours=18),
        deadline=until,
        last=True,
        grace_until=until + timedelta(hours=9),
        holds=holds,
    )


def held(names: Sequence[str] = NAMES) -> kinds.HeldNotice:
    own = turn(names=names)
    log = (house("timed_out", seat=0), house("held", seat=0))
    told = replace(own.game, bots=("steady", *own.game.bots[1:]), held=(0,))
    seen = own.view._replace(legal=())
    return kinds.HeldNotice(
        envelope(18, names[0], reply=SeatToken(GAME, 0, own.ply), kind="reminder"), told, 0, seen, log
    )


def extended(names: Sequence[str] = NAMES) -> kinds.ExtendedNotice:
    own = turn(names=names)
    letter = envelope(19, names[0], reply=SeatToken(GAME, 0, own.ply), kind="reminder")
    until = DATE + timedelta(days=6)
    return kinds.ExtendedNotice(letter, own.game, 0, own.view, own.ply, until, (names[2],))


def vote(names: Sequence[str] = NAMES, *, kind: Literal["extend", "end"] = "extend") -> kinds.VoteNotice:
    players = replace(game(4, names), bots=(None,) * 4)
    return kinds.VoteNotice(
        envelope=envelope(20, names[0], reply=SeatToken(GAME, 0, 40), kind="news"),
        game=players,
        seat=0,
        vote=kind,
        by=(names[2],),
        about=names[1],
        needed=1,
        since=DATE - timedelta(days=2),
        deadline=DATE + timedelta(days=1, hours=9),
        about_zone="Asia/Tokyo",
        more=timedelta(days=3),
    )


def ended() -> kinds.OverNotice:
    """A game that its players ended by a vote."""
    end = over()
    log = (house("voted", seat=2, vote="end"), house("voted", seat=0, vote="end"), house("ended", by=[0, 2]))
    told = replace(end.game, resigned=(), bots=("steady", "steady", None), held=(0,), stood_in=(2,))
    return replace(end, game=told, log=end.log[:-1] + log, result=end.result._replace(winners=()))


def code(name: str = "Anna") -> kinds.CodeNotice:
    """A sign-in code, with the link that does the same."""
    link = f"https://emerald.example/sign-in/{seal(SETTINGS.secret_key, SignInLink(7))}"
    return kinds.CodeNotice(envelope(1, name), "48151623", DATE + timedelta(minutes=10), link=link)


def every_kind(names: Sequence[str] = NAMES, log: tuple[kinds.Entry, ...] = ()) -> list[kinds.Notice]:
    own = turn(names=names, log=log)
    seat = SeatToken(GAME, 0, None)
    soon = DATE + timedelta(minutes=10)
    return [
        code(names[0]),
        invitation(names),
        kinds.StartedNotice(envelope(5, names[0], reply=seat, kind="news"), game(3, names), 0, own.view),
        own,
        bribe(),
        kinds.ReminderNotice(
            envelope(6, names[0], reply=SeatToken(GAME, 0, 61), kind="reminder"),
            game(3, names),
            0,
            own.view,
            61,
            DATE,
            DATE + timedelta(days=3),
        ),
        last_call(names),
        kinds.MovedForYouNotice(
            envelope(7, names[0], reply=seat, kind="news"), game(3, names), 0, own.view, own.log, 1
        ),
        held(names),
        extended(names),
        vote(names),
        over(names=names),
        kinds.CancelledNotice(envelope(9, names[0], kind="news"), game(3, names), names[2]),
        refused(names),
        kinds.ConfirmNotice(envelope(13, names[0], reply=SignUpToken(5)), ("new 3 seats with Robin", "say hi"), soon),
        kinds.RefusedTryNotice(
            envelope(14, names[0], reply=AccountToken(USER)),
            "mallory@elsewhere.example",
            "it came from an address that is not yours",
        ),
        kinds.AddressNotice(envelope(16, names[0]), "", soon, new=False, elsewhere=True),
        kinds.AddressNotice(envelope(15, names[0], reply=SignUpToken(6)), "48151623", soon, new=True),
        bundle(names),
    ]

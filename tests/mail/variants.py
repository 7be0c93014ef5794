"""Every way that a mail can be: each kind with all that can stand in it, for tests that read all of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import engine
from service.commands import help_lines
from service.mail import kinds
from service.mail.tokens import AccountToken, SeatToken, SignUpToken
from tests.mail.samples import (
    DATE,
    GAME,
    ORDERS,
    USER,
    answer,
    bribe,
    bundle,
    done,
    ended,
    entries,
    envelope,
    every_kind,
    extended,
    game,
    held,
    house,
    invitation,
    last_call,
    late,
    over,
    refused,
    said,
    turn,
    vote,
    with_orders,
)
from tests.pictures.games import NAMES, found, played

_SOON = DATE + timedelta(minutes=10)
_BANK = kinds.Clock("bank", start_hours=72, increment_hours=12, cap_hours=120)


def every_variant() -> list[kinds.Notice]:
    """The notices, each of them one mail."""
    return [*every_kind(), *_turns(), *_waiting(), *_ends(), *_answers(), *_about_accounts(), *_bundles()]


def whole_log() -> tuple[kinds.Entry, ...]:
    """Every kind of entry that there is, of Anna's, of others' and of nobody's."""
    told: list[kinds.Entry] = []
    for players, seed in ((2, 1), (3, 2), (5, 4)):
        _, log = played(players, seed)
        told += entries(log, 0)
    by: list[int] = [0, 2]
    for seat in (0, 1):
        told += [
            *(house(kind, seat=seat) for kind in ("created", "joined", "resigned", "timed_out", "held", "resumed")),
            *(house("voted", seat=seat, vote=what) for what in ("extend", "end")),
            house("extended", seat=seat, by=[2], deadline="2026-12-04T20:30:00+00:00"),
            house("extended", seat=seat, by=[2, 1 - seat], deadline="2026-12-04T20:30:00+00:00"),
            house("ended", seat=seat, by=by[seat:]),
            house("rematch", seat=seat),
            house("bribed", seat=seat, color="black", gold=2),
        ]
    told += [house(kind) for kind in ("left", "declined", "started", "cancelled", "held", "joined")]
    told += [
        house("order", seat=0, order=kind, text="leader", action={"do": "catch", "color": 1})
        for kind in ("bribe", "catch")
    ]
    left_out = [{"word": "t1", "reason": "there is no gem"}]
    told += [
        house("plan_played", seat=0, text="t1 gem", line="t1 gem"),
        house("plan_played", seat=0, text="t1 gem", line="t1 gem", dropped=left_out),
        house("plan_dropped", seat=0, text="t1 gem"),
        house("note", seat=0, text="Quartz"),
        said("Quartz"),
    ]
    return tuple(told)


def _turns() -> list[kinds.Notice]:
    own, first = turn(log=whole_log()), turn()
    start = replace(first, ply=0, log=(house("started", first=0),), deadline=None, started=True)
    hidden = bribe()
    choosing = []
    for phase in (engine.TAKE, engine.CATCH, engine.BRIBE, engine.MOVE):
        for players in (2, 3):
            position = found(players, phase) if phase != engine.MOVE else _second_move(players)
            seat = engine.to_act(position) or 0
            own_envelope = envelope(4, reply=SeatToken(GAME, seat, 20), kind="turn")
            choosing.append(
                kinds.TurnNotice(own_envelope, game(players), seat, engine.view(position, seat), 20, (), DATE)
            )
    clocks = [
        kinds.Clock("days", days=1),
        kinds.Clock("bank", start_hours=1),
        _BANK,
        kinds.Clock(),
    ]
    return [
        own,
        turn(players=2),
        turn(players=5),
        with_orders(),
        replace(with_orders(), orders=(kinds.StandingOrder("plan", "t1"), *ORDERS), bank=90),
        *(replace(start, game=replace(start.game, clock=clock), bank=3600) for clock in clocks),
        *choosing,
        replace(hidden, envelope=replace(hidden.envelope, cards=False)),
    ]


def _second_move(players: int) -> engine.Position:
    position, _ = played(players, 7, lambda p, n: n > 20 and p.phase == engine.MOVE and bool(p.moved))
    return position


def _waiting() -> list[kinds.Notice]:
    call, other = last_call(), vote()
    seen = held().view
    moved = kinds.MovedForYouNotice(
        envelope(7, reply=SeatToken(GAME, 0, None), kind="news"), game(3), 0, seen, (house("timed_out", seat=0),)
    )
    return [
        last_call(holds=True),
        replace(call, late=True, grace_until=None),
        replace(call, game=replace(call.game, time_off=False, clock=kinds.Clock())),
        moved,
        *(replace(moved, chances=chances) for chances in (1, 2)),
        replace(held(), log=()),
        vote(kind="end"),
        replace(other, about_zone="Europe/Berlin", needed=2),
        replace(other, deadline=None, vote="end"),
        replace(other, held=True, vote="end", needed=2, by=(NAMES[2], NAMES[3])),
        replace(other, by=()),
        kinds.CancelledNotice(envelope(9, kind="news"), game(3)),
        kinds.CancelledNotice(envelope(9, kind="news"), game(3, ("", "", ""))),
        replace(invitation(), game=replace(invitation().game, names=("Anna", ""), bots=(None, None)), inviter=""),
        kinds.StartedNotice(envelope(5, kind="news"), game(2), 0, turn(players=2).view),
    ]


def _ends() -> list[kinds.Notice]:
    end = over()
    own = end.result.scores
    best = max(own)
    result = end.result._replace
    return [
        ended(),
        *(over(players=players, seed=seed) for players, seed in ((2, 1), (5, 3), (4, 8))),
        replace(end, result=result(winners=(0,))),
        replace(end, result=result(winners=(1,))),
        replace(end, result=result(winners=(0, 2), scores=(best, 1, best))),
        replace(end, result=result(winners=(0,), scores=(best, 1, best), treasures=(10, 0, 5))),
        replace(end, result=result(winners=(0,), scores=(best, 1, best), treasures=(5, 0, 5))),
        replace(end, game=replace(end.game, resigned=(), held=(1,), stood_in=(0,))),
    ]


def _answers() -> list[kinds.Notice]:
    position, _ = played(3, 7, lambda p, n: n > 50 and engine.to_act(p) == 1 and p.phase == engine.MOVE)
    waits = replace(
        answer(kinds.Outcome("status", "done"), about=turn()),
        view=engine.view(position, 0),
        deadline=DATE + timedelta(days=1, hours=9),
        zone_there="Asia/Tokyo",
    )
    end = over()
    seen = turn().view._replace(legal=())
    return [
        done(),
        late(),
        waits,
        replace(waits, held=True, view=seen),
        replace(refused(), view=None, waiting_for="Quartz"),
        replace(answer(kinds.Outcome("c9", "done"), about=turn()), view=end.view, result=end.result, subject=""),
        answer(subject=""),
        answer(kinds.Outcome("Quartz", "ignored")),
        answer(kinds.Outcome("Quartz", "done"), kinds.Outcome("Quartz", "refused")),
        answer(kinds.Outcome("help", "done", (), help_lines())),
    ]


def _about_accounts() -> list[kinds.Notice]:
    remark = envelope(15, reply=SignUpToken(6))
    return [
        kinds.CodeNotice(envelope(1, ""), "48151623", _SOON, known=True),
        kinds.ConfirmNotice(envelope(13, reply=SignUpToken(5)), ("new 3 seats",), _SOON, known=True),
        kinds.AddressNotice(remark, "48151623", _SOON, new=False),
        kinds.RefusedTryNotice(envelope(14, reply=AccountToken(USER)), "", "Quartz"),
    ]


def _bundles() -> list[kinds.Notice]:
    moved = kinds.MovedForYouNotice(envelope(7, kind="news"), game(3), 0, held().view, (house("timed_out", seat=0),))
    cancelled = kinds.CancelledNotice(envelope(9, kind="news"), game(3), NAMES[2])
    started = kinds.StartedNotice(envelope(5, kind="news"), game(2), 0, turn(players=2).view)
    reminder = replace(last_call(), last=False)
    outer = bundle().envelope
    parts: tuple[kinds.Part, ...] = (last_call(), reminder, extended(), vote(), vote(kind="end"), held(), moved)
    hidden = bribe()
    return [
        bundle(daily=False),
        kinds.BundleNotice(outer, parts, daily=True),
        kinds.BundleNotice(outer, (cancelled, started, moved, over()), daily=False),
        kinds.BundleNotice(outer, (cancelled,), daily=True),
        kinds.BundleNotice(
            outer, (replace(hidden, envelope=replace(hidden.envelope, cards=False)), held()), daily=True
        ),
        kinds.BundleNotice(outer, (turn(),) * 3 + parts, daily=True),
    ]

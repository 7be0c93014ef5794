"""What the tests of use cases share: people, games, and the outbox emptied by hand. Everything goes the real way."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from engine import action_to_json, legal_actions
from service import outbox
from service.db import reading
from service.errors import Refusal
from service.mail import kinds
from service.models import Game, OutboxRow
from service.usecases import accounts, bots, clocks, deliveries, inbound, infos, lobby, notices, play, queries, tokens
from service.usecases.access import find
from service.usecases.results import Caller, GameView, SeatSpec
from tests.support.hurry import haste

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ME = SeatSpec("me")
OPEN = SeatSpec("open")
BOT = SeatSpec("bot", level="random")
STEADY = SeatSpec("bot", level="steady")
_ENDED: dict[str, outbox.Outcome] = {"played": "done", "stale": "dropped"}


@dataclass
class Clock:
    """The tests' own time."""

    now: datetime = START

    def forward(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now


@dataclass
class Table:
    """People at a table, and a postman."""

    clock: Clock = field(default_factory=Clock)
    sent: list[tuple[str, kinds.Notice]] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        return self.clock.now

    def person(self, name: str, email: str | None = None) -> Caller:
        """An account made the way everybody makes one."""
        address = email or f"{name.lower().replace(' ', '.')}@example.org"
        accounts.sign_up(email=address, display_name=name, now=self.now)
        new = accounts.redeem_code(email=address, code=self.code(address), now=self.now)
        return tokens.authenticate(token=new.token, now=self.now)

    def pair(self) -> tuple[Caller, Caller]:
        """Anna and Bert."""
        return self.person("Anna"), self.person("Bert")

    def code(self, address: str) -> str:
        """The newest code mailed to an address."""
        self.post()
        codes = [n.code for _, n in self.sent if isinstance(n, kinds.CodeNotice) and n.envelope.to == address]
        assert codes, f"no code was mailed to {address}"
        return codes[-1]

    def game(self, *callers: Caller, bots: int = 0, **more: Any) -> str:
        """A started game: the callers in order, then bots."""
        more.setdefault("first", 0)
        specs = [ME, *[OPEN] * (len(callers) - 1), *[BOT] * bots]
        game_id = lobby.create_game(caller=callers[0], seats=specs, now=self.now, **more)
        code = self.view(callers[0], game_id).info.join_code
        for caller in callers[1:]:
            lobby.join(caller=caller, game_id=game_id, code=code, now=self.now)
        return game_id

    def view(self, caller: Caller | None, game_id: str) -> GameView:
        return queries.game_view(caller=caller, game_id=game_id)

    def move(self, caller: Caller, game_id: str, number: int = 1) -> None:
        """Play the legal action of this number."""
        seen = self.view(caller, game_id)
        play.submit(caller=caller, game_id=game_id, ply=seen.info.ply, line=str(number), now=self.now)

    def turn_over(self, caller: Caller, game_id: str) -> None:
        """Play until it is somebody else's turn."""
        seat = self.view(caller, game_id).info.you
        while self.view(caller, game_id).info.to_act == seat:
            self.move(caller, game_id)

    def post(self) -> list[kinds.Notice]:
        """Do everything that is due: clocks are looked at, mails are sent (kept here), bots play, mail is read."""
        fresh: list[kinds.Notice] = []
        for _ in range(500):
            clocks.sweep(now=self.now)
            rows = outbox.claim(now=self.now, limit=50)
            if not rows:
                return fresh
            for row in rows:
                claimed = outbox.begin(row.id, now=self.now)
                if claimed is None:
                    continue  # it is told in the mail of another
                fresh += self._do(claimed)
        raise AssertionError("the outbox never empties")

    def wait(self, **by: float) -> list[kinds.Notice]:
        """Let this much time pass with everybody at work: what falls due on the way is done when it does."""
        end = self.now + timedelta(**by)
        fresh = self.post()
        while True:
            with reading() as session:
                clock_at = session.scalar(select(func.min(Game.clock_at)))
            coming = [at for at in (clock_at, outbox.next_due()) if at is not None and at <= end]
            if not coming:
                break
            self.clock.now = max(self.now, min(coming))
            fresh += self.post()
        self.clock.now = end
        return fresh

    def _do(self, row: outbox.Claimed) -> list[kinds.Notice]:
        """The work on a begun row; the mail that it was, if it was one."""
        sent: list[kinds.Notice] = []
        ended: outbox.Outcome | outbox.Ended = "done"
        if row.topic in notices.TOPICS:
            ended = deliveries.send(row=row, now=self.now, post=sent.append)
            self.sent += [(row.topic, notice) for notice in sent]
        elif row.topic == "inbound.read":
            inbound.read_mail(mail_id=int(row.payload["mail"] or 0), now=self.now)
        elif row.topic == "bot.turn":
            ended = _ENDED[bots.think_and_play(**_decision(row), now=self.now)]
        elif row.topic == "clock.stand_in":
            ended = _ENDED[clocks.stand_in(**_decision(row), now=self.now)]
        else:
            raise AssertionError(f"nobody does {row.topic}")
        outbox.finish(row.id, now=self.now, outcome=ended)
        return sent

    def mails(self, kind: type[kinds.Notice], to: str | None = None) -> list[Any]:
        """The notices of a kind so far."""
        return [n for _, n in self.sent if isinstance(n, kind) and (to is None or n.envelope.to == to)]

    def hurry(self, players: Sequence[Caller], game_id: str) -> None:
        """Whoever is to act takes the action that brings the end nearest."""
        actor, seen = next((one, seen) for one in players if (seen := self.view(one, game_id)).legal)
        number = max(seen.legal, key=lambda one: haste(one.notation)).number
        play.submit(caller=actor, game_id=game_id, ply=seen.info.ply, line=str(number), now=self.now)

    def play_out(self, players: Sequence[Caller], game_id: str) -> None:
        """Play a game to its end, each person in a hurry."""
        for _ in range(400):
            self.post()
            if self.view(players[0], game_id).info.status == "over":
                return
            self.hurry(players, game_id)
        raise AssertionError("the game never ends")


def _decision(row: outbox.Claimed) -> dict[str, Any]:
    return {"game_id": str(row.payload["game"]), "ply": int(row.payload["ply"] or 0)}


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """The block is refused with this code, and says something to people."""
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.code == code, repr(caught.value)
    assert len(caught.value.message) > 8


def rows(topic: str | None = None, state: str | None = None) -> list[OutboxRow]:
    """Outbox rows, oldest first."""
    with reading() as session:
        found = session.scalars(select(OutboxRow).order_by(OutboxRow.id)).all()
    return [row for row in found if topic in (None, row.topic) and state in (None, row.state)]


def legal_json(game_id: str) -> list[dict[str, Any]]:
    """What is legal now, as JSON, straight from the stored position."""
    with reading() as session:
        position = infos.position_of(find(session, game_id))
    assert position is not None
    return [action_to_json(action) for action in legal_actions(position)]

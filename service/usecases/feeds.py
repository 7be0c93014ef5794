"""Feeds of one's own deadlines: a secret address, made anew or taken back at will, kept as its hash.

Whoever knows the address reads the feed, without signing in: calendar programs cannot. So it tells little
(``service.feeds``), there is one an account, and a new one ends the old.
"""

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, defer

from service import codes, ids
from service.db import reading, transaction
from service.errors import not_found
from service.feeds import Feed, Turn
from service.models import Feed as Row
from service.models import Game, Seat, User
from service.usecases import people, words
from service.usecases.results import ACCOUNT, Caller

#: A feed tells no more turns than this, the most urgent ones.
MOST_TURNS = 100


@dataclass(frozen=True)
class NewFeed:
    """A feed's secret, at the only moment it is shown."""

    secret: str = field(repr=False)
    since: datetime


def make(*, caller: Caller, now: datetime) -> NewFeed:
    """A secret for the caller's feeds. One that there was before is good for nothing from now on."""
    words.require(caller, ACCOUNT)
    secret = ids.new_feed_secret()
    with transaction() as session:
        people.account(session, caller, hold=True)
        row = session.get(Row, caller.user_id)
        if row is None:
            session.add(Row(user_id=caller.user_id, hash=codes.token_hash(secret), created_at=now))
        else:
            row.hash, row.created_at = codes.token_hash(secret), now
    return NewFeed(secret=secret, since=now)


def revoke(*, caller: Caller) -> None:
    """The caller's feeds are no more. Harmless if there are none."""
    words.require(caller, ACCOUNT)
    with transaction() as session:
        session.execute(delete(Row).where(Row.user_id == caller.user_id))


def made(*, caller: Caller) -> datetime | None:
    """Since when the caller has feeds; None if they have not. The secret itself nobody knows any more."""
    words.require(caller, ACCOUNT)
    with reading() as session:
        return session.scalar(select(Row.created_at).where(Row.user_id == caller.user_id))


def deadlines(*, secret: str) -> Feed:
    """The turns that wait for the owner of this secret. Refused as not-found if it is nobody's."""
    hashed = codes.token_hash(secret)
    with reading() as session:
        found = session.execute(select(Row, User).join(User, User.id == Row.user_id).where(Row.hash == hashed)).first()
        if found is None or not codes.same(found[0].hash, hashed):
            raise not_found("feed")
        row, user = found
        turns = _turns(session, user.id)
        return Feed(user.id, zone=user.time_zone, since=row.created_at, turns=turns, language=user.language)


def _turns(session: Session, user_id: str) -> tuple[Turn, ...]:
    mine = (
        select(Game)
        .options(defer(Game.position))
        .join(Seat, (Seat.game_id == Game.id) & (Seat.number == Game.to_act))
        .where(Game.status == "playing")
        .where(Seat.user_id == user_id, Seat.resigned_at.is_(None), Seat.held_at.is_(None))
        .order_by(Game.deadline.is_(None), Game.deadline, Game.turn_since, Game.id)
    )
    games = session.scalars(mine.limit(MOST_TURNS)).all()
    names = people.names_of(session, {seat.user_id for game in games for seat in game.seats if seat.user_id})
    return tuple(_turn(game, user_id, names) for game in games)


def _turn(game: Game, user_id: str, names: dict[str, str]) -> Turn:
    others = [seat for seat in game.seats if seat.user_id != user_id]
    return Turn(
        game=game.id,
        ply=game.turn_ply,
        since=game.turn_since or game.created_at,
        deadline=game.deadline,
        dragon=game.phase in ("bribe", "catch"),
        others=tuple(names.get(seat.user_id or "", "") for seat in others),
    )

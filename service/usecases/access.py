"""Who may see a game, and the game under lock. Whoever may not see it is told that it does not exist."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.errors import NOT_A_PLAYER, Refusal, not_found
from service.i18n import gettext as _
from service.models import Address, Game, Seat
from service.usecases import words
from service.usecases.results import Caller


@dataclass(frozen=True)
class Viewer:
    """Whoever looks: their account and verified addresses; a stranger has neither."""

    user_id: str | None
    email_keys: frozenset[str]

    def seat_in(self, game: Game) -> Seat | None:
        """The viewer's own seat."""
        return next((s for s in game.seats if s.user_id is not None and s.user_id == self.user_id), None)

    def invited_to(self, seat: Seat) -> bool:
        """Whether this seat is kept for the viewer, by account or by a verified address."""
        if seat.kind != "invited" or self.user_id is None:
            return False
        return seat.invited_user_id == self.user_id or seat.invited_email_key in self.email_keys

    def may_see(self, game: Game) -> bool:
        """Public games are for all; a private one is for those who sit in it or are invited."""
        return game.public or self.seat_in(game) is not None or any(map(self.invited_to, game.seats))


def viewer(session: Session, caller: Caller | None) -> Viewer:
    """The caller as one who looks; None is a stranger."""
    if caller is None:
        return Viewer(None, frozenset())
    keys = session.scalars(select(Address.email_key).where(Address.user_id == caller.user_id))
    return Viewer(caller.user_id, frozenset(keys))


def find(session: Session, game_id: str) -> Game:
    """A game, seen or not."""
    game = session.get(Game, words.game_id(game_id))
    if game is None:
        raise not_found()
    return game


def seen(session: Session, who: Viewer, game_id: str) -> Game:
    """A game that this viewer may see."""
    game = find(session, game_id)
    if not who.may_see(game):
        raise not_found()
    return game


def locked(session: Session, game_id: str) -> Game:
    """The game, its row held to the end of the transaction: whoever changes a game goes through here."""
    game = session.scalar(
        select(Game)
        .where(Game.id == words.game_id(game_id))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if game is None:
        raise not_found()
    return game


def locked_for(session: Session, caller: Caller, game_id: str) -> tuple[Game, Viewer]:
    """The locked game, for a caller who may see it."""
    game, who = locked(session, game_id), viewer(session, caller)
    if not who.may_see(game):
        raise not_found()
    return game, who


def own_seat(game: Game, who: Viewer) -> Seat:
    """The viewer's seat, or the refusal that there is none."""
    seat = who.seat_in(game)
    if seat is None:
        raise Refusal(NOT_A_PLAYER, _("You have no seat in this game."))
    return seat

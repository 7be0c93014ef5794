"""What the commands of a mail are carried out with: who wrote it, what it is about, what came of a command."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from service.errors import INVALID, Refusal
from service.i18n import gettext as _
from service.mail.tokens import user_recipient
from service.mail.words import names_of, recap
from service.models import Game, InboundMail, Seat, User
from service.usecases import access, envelopes, promises
from service.usecases.results import SCOPES, Caller


@dataclass(frozen=True, kw_only=True)
class Place:
    """Who writes and where they stand. Commands move on from one place to the next; what is undone goes back.

    ``user_id`` is None for somebody without an account who was invited by address. ``ply``: the decision that a move
    may make; None: none. ``moved``: a move of this mail has been made. ``asked``: this mail has asked to resign.
    """

    user_id: str | None
    email: str
    email_key: str
    name: str
    game_id: str | None = None
    seat: int | None = None
    ply: int | None = None
    invited: bool = False
    moved: bool = False
    asked: bool = False


@dataclass(frozen=True)
class Done:
    """What came of a command. ``revealed``: something hidden came to light, so what was done stays done.

    ``asked_back``: it is not done yet, for its writer was asked whether it is meant.
    """

    told: tuple[str, ...] = ()
    listing: tuple[str, ...] = ()
    revealed: bool = False
    asked_back: bool = False


class Refused(Exception):  # noqa: N818 - nothing went wrong: the answer is no
    """A command was not carried out. ``late``: because its mail answers what is over; tell what has changed."""

    def __init__(self, *told: str, listing: tuple[str, ...] = (), late: bool = False) -> None:
        super().__init__(*told)
        self.told = told
        self.listing = listing
        self.late = late


class NoGame(Exception):  # noqa: N818 - nothing went wrong
    """A command about a game, in a mail that is about none."""


class Work:
    """One mail at work, inside ``together()``."""

    def __init__(self, session: Session, mail: InboundMail, place: Place, now: datetime) -> None:
        self.session = session
        self.mail = mail
        self.place = place
        self.now = now
        #: Game and seat that the answer shows, of a mail that is about none. Nothing is done to this game.
        self.shown: tuple[str, int] | None = None

    def go(self, **to: object) -> None:
        """Move on to another place."""
        self.place = replace(self.place, **to)  # type: ignore[arg-type]  # the fields of Place

    @property
    def caller(self) -> Caller:
        """The writer, as use cases know them. Refused for somebody who has no account yet."""
        if self.place.user_id is None:
            raise Refused(_("You are not in a game here yet: answer accept to the invitation first."))
        return Caller(user_id=self.place.user_id, token_id=f"mail:{self.mail.id}", scopes=frozenset(SCOPES))

    @property
    def user(self) -> User:
        """The writer's account."""
        user = self.session.get(User, self.caller.user_id)
        if user is None:
            raise Refused(_("This account is gone."))
        return user

    def hold(self) -> None:
        """Hold the game, the account and what waits to be mailed to all players, in the order in which everybody does.

        Taken one by one, as the commands of a mail come, they would be held crosswise by two mails.
        """
        if self.place.game_id is None:
            return  # it is about the account alone
        game = access.locked(self.session, self.place.game_id)
        if self.place.user_id is not None:
            self.session.get(User, self.place.user_id, with_for_update={"key_share": True})
        own = None if self.place.user_id is None else user_recipient(self.place.user_id)
        promises.hold_all(self.session, game, also=own)

    def game(self) -> tuple[Game, Seat]:
        """The game the mail is about, its row held, and the writer's seat. Refused if there is no such."""
        if self.place.game_id is None or self.place.seat is None:
            raise NoGame
        game = access.locked(self.session, self.place.game_id)
        if self.place.user_id is None:
            raise Refused(_("The seat is not yours yet: answer accept to take it."))
        seat = game.seats[self.place.seat]
        if seat.user_id != self.place.user_id:
            if self.place.invited:
                raise Refused(_("You have no seat in this game yet: accept takes it."))
            raise Refused(_("You have no seat in this game."))
        return game, seat


def happened(work: Work, game: Game, seat: Seat, before: int) -> tuple[str, ...]:
    """What the log of a game has had to tell this seat since its entry ``before``, in paragraphs."""
    lines = envelopes.entries(work.session, game, seat, after=before, upto=game.log_seq, cards=work.user.mail_cards)
    names = names_of(envelopes.facts(work.session, game))
    return tuple(recap([envelopes.entry(line) for line in lines], names, seat.number, work.user.time_zone))


def told_of(refusal: Refusal) -> tuple[str, ...]:
    """A refusal of a use case in the words of a mail: what is wrong, and the rule."""
    rule, text = refusal.details.get("rule"), refusal.details.get("rule_text")
    why = as_sentence(f"{refusal.message} ({rule})" if rule and rule not in refusal.message else refusal.message)
    if refusal.code == INVALID and str(refusal.details.get("field", "")).startswith("seats."):
        seat = str(refusal.details["field"]).split(".")[1]
        why = _("Seat {number}: {why}").format(number=seat, why=why)
    return (why, f"{rule}: {_(str(text))}") if rule and text else (why,)


def as_sentence(text: str) -> str:
    """Text that begins like a sentence and ends like one."""
    whole = text.strip()
    whole = whole[:1].upper() + whole[1:]
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."

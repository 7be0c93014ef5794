"""Whom the mail was for whose link is opened, as far as its language goes."""

from service.db import reading
from service.mail.tokens import MoveLink, OptOutLink, user_recipient
from service.models import Seat, User

_USER = user_recipient("")


def language(*, link: MoveLink | OptOutLink) -> str | None:
    """The language tag of the account that the mail was for; None if it was for none, or that is gone."""
    with reading() as session:
        if isinstance(link, OptOutLink):
            whose = link.who.removeprefix(_USER) if link.who.startswith(_USER) else None
        else:
            seat = session.get(Seat, (link.game, link.seat))
            whose = None if seat is None else seat.user_id
        user = None if whose is None else session.get(User, whose)
        return None if user is None else user.language

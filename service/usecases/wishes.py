"""What somebody wants by mail: kinds turned off, a pause."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.mail.tokens import user_recipient
from service.models import OptOut, User


def why_not(session: Session, who: str, kind: str) -> str | None:
    """Why mail of this kind (of ``tokens.KINDS``) does not go to this reader; None: it does."""
    if who.startswith(_USER):
        user = session.get(User, who.removeprefix(_USER))
        if user is not None and user.mail_paused_at is not None:
            return "the reader has paused mail"
    if session.scalar(select(OptOut.at).where(OptOut.who == who, OptOut.kind == kind)) is not None:
        return f"the reader has turned off mail of the kind {kind}"
    return None


def wants(session: Session, who: str, kind: str) -> bool:
    """Whether mail of this kind goes to this reader."""
    return why_not(session, who, kind) is None


_USER = user_recipient("")

"""Mails as people write them, through the use case and back: composed, received, read and answered the real way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import count
from typing import Any

from sqlalchemy import func, select

from service.db import reading, settings
from service.mail import kinds
from service.mail.tokens import Token, seal
from service.models import Address, InboundMail, Move
from service.usecases import inbound
from service.usecases.results import Caller
from tests.service.table import Table

SERVICE = "emerald@localhost"
_numbers = count(1)


def address(token: Token) -> str:
    """Where an answer with this token goes to."""
    chosen = settings()
    return chosen.reply_address(seal(chosen.secret_key, token))


def compose(
    sender: str,
    to: str | Iterable[str],
    text: str,
    *,
    subject: str = "Re: Emerald",
    answers: str | None = None,
    headers: Iterable[tuple[str, str]] = (),
) -> EmailMessage:
    """A plain mail of a person's."""
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = to if isinstance(to, str) else ", ".join(to)
    mail["Subject"] = subject
    mail["Message-ID"] = f"<{next(_numbers)}.mail@people.example>"
    mail["Date"] = "Wed, 12 Mar 2025 10:14:22 +0100"
    if answers is not None:
        mail["In-Reply-To"] = mail["References"] = answers
    for name, value in headers:
        mail[name] = value
    mail.set_content(text)
    return mail


@dataclass
class Postman:
    """Brings mails in, and back what they are answered with."""

    table: Table

    def bring(self, mail: EmailMessage | bytes, *, to: Iterable[str] = (), sender: str | None = None) -> int:
        """A mail comes in; its number here."""
        raw = mail if isinstance(mail, bytes) else mail.as_bytes()
        return inbound.receive(raw=raw, via="lmtp", envelope_from=sender, envelope_to=list(to), now=self.table.now).id

    def write(self, sender: str, to: str | Iterable[str], text: str, **more: Any) -> list[kinds.Notice]:
        """A mail comes in and is read; all mails that go out after it."""
        self.bring(compose(sender, to, text, **more))
        return self.table.post()

    def ask(self, sender: str, to: str | Iterable[str], text: str, **more: Any) -> kinds.AnswerNotice:
        """The one answer to a mail."""
        answers = [n for n in self.write(sender, to, text, **more) if isinstance(n, kinds.AnswerNotice)]
        assert len(answers) == 1, answers
        return answers[0]

    def reply(self, notice: kinds.Notice, text: str, **more: Any) -> kinds.AnswerNotice:
        """The one answer to the answer to a mail of ours, from the address it went to."""
        envelope = notice.envelope
        assert envelope.reply is not None
        answer = self.ask(envelope.to, address(envelope.reply), text, answers=envelope.message_id, **more)
        assert answer.envelope.to == envelope.to
        return answer

    def silence(self, sender: str, to: str | Iterable[str], text: str, **more: Any) -> None:
        """A mail that nothing comes of but a note."""
        sent = self.write(sender, to, text, **more)
        assert sent == [], sent

    def turn(self, who: Caller) -> kinds.TurnNotice:
        """The newest turn mail to somebody."""
        self.table.post()
        mails = self.table.mails(kinds.TurnNotice, email_of(who))
        assert mails
        newest: kinds.TurnNotice = mails[-1]
        return newest


def email_of(who: Caller) -> str:
    """An account's oldest address."""
    with reading() as session:
        found = session.scalar(select(Address.email).where(Address.user_id == who.user_id).order_by(Address.id))
    assert found is not None
    return found


def mail_row(id: int) -> InboundMail:
    """A mail as it is kept."""
    with reading() as session:
        mail = session.get(InboundMail, id)
    assert mail is not None
    return mail


def newest() -> InboundMail:
    """The mail that came last."""
    with reading() as session:
        return session.scalars(select(InboundMail).order_by(InboundMail.id.desc()).limit(1)).one()


def moves(game_id: str) -> int:
    """How many actions were made in a game."""
    with reading() as session:
        return session.scalar(select(func.count()).select_from(Move).where(Move.game_id == game_id)) or 0


def states(notice: kinds.AnswerNotice) -> list[tuple[str, str]]:
    """What became of each line."""
    return [(outcome.line, outcome.state) for outcome in notice.outcomes]


def said(notice: kinds.AnswerNotice) -> str:
    """All that an answer says about the lines, in one text."""
    return "\n".join(part for outcome in notice.outcomes for part in (*outcome.told, *outcome.listing))

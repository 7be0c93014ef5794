"""Mails as a player's mail program writes them: for the development inbox, where people play without one."""

from __future__ import annotations

from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr

from service.mail.folder import Mail

_LONGEST_SUBJECT = 200


def answer(mail: Mail, text: str, *, now: datetime) -> EmailMessage | None:
    """The answer of ``mail``'s reader, with the mail quoted below; None if no answer to it is read."""
    original = mail.summary
    if not original.reply_to:
        return None
    subject = original.subject if original.subject.lower().startswith("re:") else f"Re: {original.subject}"
    wrote = f"On {original.date:%a, %d %b %Y at %H:%M}, Emerald wrote:" if original.date else "Emerald wrote:"
    quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    message = _mail(original.to, subject, f"{text}\n\n{wrote}\n{quoted}\n", to=original.reply_to, now=now)
    if message is not None and original.message_id:
        message["In-Reply-To"] = original.message_id
        message["References"] = f"{original.references} {original.message_id}".strip()
    return message


def first(sender: str, subject: str, text: str, *, to: str, now: datetime) -> EmailMessage | None:
    """A mail that answers none; None if there is no such sender."""
    return _mail(sender, subject, f"{text}\n", to=to, now=now)


def _mail(sender: str, subject: str, text: str, *, to: str, now: datetime) -> EmailMessage | None:
    message = EmailMessage(policy=policy.SMTP)
    _, address = parseaddr(sender)
    if not address.partition("@")[2] or not sender.isprintable():
        return None
    try:
        message["From"] = sender
        message["To"] = to
        message["Subject"] = " ".join(subject.split())[:_LONGEST_SUBJECT]
        message["Date"] = format_datetime(now)
        message["Message-ID"] = make_msgid(domain=address.rpartition("@")[2])
        message.set_content(text.replace("\r\n", "\n"))
        message.as_bytes()
    except (ValueError, UnicodeError):
        return None
    return message

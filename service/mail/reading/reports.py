"""Machines' reports about mails of ours: bounces (RFC 3464, and what is none), complaints (RFC 5965), receipts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from service.mail.reading.addresses import bare_address, mailboxes, unworded
from service.mail.reading.letter import Report
from service.mail.reading.parse import Part, parse
from service.mail.reading.text import folded, safe_line
from service.mail.reading.words import BOUNCE_SUBJECTS, DELAYED_WORDS, FAILURE_WORDS, SOFT_WORDS

ReportKind = Literal["bounce-hard", "bounce-soft", "complaint", "receipt", "auto-reply"]

_LONGEST: Final = 200_000
_STATUS: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)")
_REPLY_CODE: Final = re.compile(r"(?<![\d.\w-])([45])[0-7]\d(?=[ -])")
_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,400}@?[^<>\s]{0,400}>")
_ADDRESS: Final = re.compile(r"<?([^\s<>\"'(),;:]{1,64}@[^\s<>\"'(),;:]{1,255}[\w\]])>?")
_DAEMONS: Final = frozenset((
    "mailer-daemon", "mail-daemon", "mailerdaemon", "postmaster", "mdaemon", "mail-delivery-subsystem", "bounce",
    "bounces", "maildaemon", "no-reply-bounce", "microsoftexchange329e71ec88ae4615bbc36ab6ce41109e",
))  # fmt: skip
#: Failures that time can mend although the status says 5: a full mailbox, a full disk, a mail too old or too large.
_PASSING: Final = frozenset({"5.2.2", "5.2.3", "5.3.1", "5.3.4", "5.4.7", "5.4.300", "5.2.121", "5.7.28"})
#: What complaints are called; other feedback is about signatures or says the contrary of a complaint.
_NO_COMPLAINTS: Final = frozenset({"not-spam", "auth-failure", "dmarc", "dkim"})
_FULL: Final = re.compile(r"quota|mailbox (is )?full|full mailbox|out of storage|storage (limit|space)", re.IGNORECASE)


def reported(whole: Part) -> tuple[ReportKind, Report | None] | None:
    """Which report this mail is and what it is about; None if it is none."""
    for part in whole.walk():
        if part.type == "message/feedback-report":
            return _feedback(whole, part)
        if part.type in ("message/disposition-notification", "message/disposition-notification-report"):
            return "receipt", None
        if part.type in ("message/delivery-status", "message/global-delivery-status"):
            return _delivery(whole, part)
    kind = whole.parameters.get("report-type", "").lower() if whole.type == "multipart/report" else ""
    if kind == "disposition-notification":
        return "receipt", None
    if kind == "feedback-report" or _is_old_complaint(whole):
        return "complaint", _complaint(whole, "")
    return _plain_bounce(whole, certain=kind == "delivery-status")


def _delivery(whole: Part, status: Part) -> tuple[ReportKind, Report | None]:
    groups = list(_fields(status))
    recipients = [group for group in groups if "action" in group or "final-recipient" in group]
    if not recipients:
        return _plain_bounce(whole, certain=True) or ("auto-reply", None)
    worst = max(recipients, key=lambda group: _WEIGHTS.get(_word(group.get("action", "failed")), 1))
    action = _word(worst.get("action", "failed"))
    code = _status(worst.get("status", "")) or _status(worst.get("diagnostic-code", ""))
    if action in ("delivered", "relayed", "expanded"):
        return "receipt", None
    report = Report(
        recipient=_reported_address(worst.get("original-recipient", ""))
        or _reported_address(worst.get("final-recipient", ""))
        or _first_address(whole.first("x-failed-recipients")),
        message_id=_about(whole),
        status=code,
    )
    diagnosis = worst.get("diagnostic-code", "")
    return ("bounce-soft" if action == "delayed" or _passes(code, diagnosis) else "bounce-hard"), report


_WEIGHTS: Final = {"failed": 3, "delayed": 2, "delivered": 0, "relayed": 0, "expanded": 0}


def _passes(code: str | None, text: str) -> bool:
    """Whether what went wrong may mend by itself."""
    if code is not None and (code.startswith("4") or code in _PASSING):
        return True
    if code is not None and not code.startswith("5.0"):
        # A status that names a reason is believed; only those that name none are looked at in words.
        return code.startswith("5.2.") and _FULL.search(text) is not None
    return _FULL.search(text) is not None


def _feedback(whole: Part, feedback: Part) -> tuple[ReportKind, Report | None]:
    said = next(_fields(feedback), {})
    if _word(said.get("feedback-type", "abuse")) in _NO_COMPLAINTS:
        return "auto-reply", None
    recipient = said.get("original-rcpt-to", "") or said.get("removal-recipient", "")
    return "complaint", _complaint(whole, recipient)


def _complaint(whole: Part, recipient: str) -> Report:
    ours = _returned(whole)
    named = _reported_address(recipient)
    if named is None and ours is not None:
        named = _first_address(ours.first("x-hmxmroriginalrecipient")) or _first_address(ours.first("to"))
    return Report(recipient=named, message_id=_about(whole), status=None)


def _is_old_complaint(whole: Part) -> bool:
    """Microsoft's feedback comes without a report that a machine can read: our mail, with a header added."""
    ours = _returned(whole)
    return ours is not None and bool(ours.first("x-hmxmroriginalrecipient"))


def _plain_bounce(whole: Part, *, certain: bool) -> tuple[ReportKind, Report | None] | None:
    """A bounce for people to read: recognised by who writes it and what about."""
    subject = folded(unworded(whole.first("subject")))
    failed = whole.first("x-failed-recipients")
    sender = next((box.address for box in mailboxes(whole.first("from"))), "")
    named = subject.startswith(BOUNCE_SUBJECTS)
    daemon = sender.partition("@")[0].lower() in _DAEMONS or (
        not sender and bool(re.search("mailer-daemon|postmaster|mail delivery", whole.first("from"), re.IGNORECASE))
    )
    silent = whole.first("return-path").strip() == "<>"
    if not (certain or failed or (daemon and (named or silent or _speaks_of_failure(whole))) or (named and silent)):
        return None
    text = _words(whole)
    above = text.partition("\n---")[0] if "\n---" in text else text
    code = _status(above)
    low = f"{subject}\n{above}".casefold()
    if code is None and (reply := _REPLY_CODE.search(above)):
        code = f"{reply[1]}.0.0"
    # "Has been delayed" is said of mails that may still arrive; the words count less than the number of a failure.
    late = any(word in low for word in DELAYED_WORDS)
    soft = late or _passes(code, above) or (code is None and any(word in low for word in SOFT_WORDS))
    return ("bounce-soft" if soft else "bounce-hard"), Report(
        recipient=_first_address(failed) or _named_in(above, whole), message_id=_about(whole), status=code
    )


def _speaks_of_failure(whole: Part) -> bool:
    text = _words(whole)[:4000].casefold()
    return any(words in text for words in FAILURE_WORDS)


def _words(whole: Part) -> str:
    """The text for people in a report."""
    for part in whole.walk():
        if part.type == "text/plain":
            return part.text()[:_LONGEST]
    for part in whole.walk():
        if part.type == "text/html":
            return re.sub(r"<[^<>]*>", " ", part.text()[:_LONGEST])
    return ""


def _named_in(text: str, whole: Part) -> str | None:
    """The first address in the text that is none of the mail's own: whom it could not reach."""
    own = {box.address for name in ("from", "to", "delivered-to") for box in mailboxes(whole.first(name))}
    for found in _ADDRESS.finditer(text[:20_000]):
        address = bare_address(found[1])
        if address and address not in own and not address.lower().startswith(("postmaster@", "mailer-daemon@")):
            return address
    return None


def _fields(part: Part) -> Iterator[dict[str, str]]:
    """The groups of fields in a report (RFC 3464 §2.1), names in lower case."""
    for block in re.split(r"\n[ \t]*\n", part.text()[:_LONGEST].strip("\n")):
        group: dict[str, str] = {}
        name = ""
        for line in block.split("\n"):
            if line[:1] in (" ", "\t") and name:
                group[name] += f" {line.strip()}"
            elif ":" in line:
                name, _, value = line.partition(":")
                name = name.strip().lower()
                if name not in group:
                    group[name] = value.strip()
        if group:
            yield group


def _returned(whole: Part) -> Part | None:
    """Our own mail, or its headers, as it came back."""
    for part in whole.walk():
        if part.type in ("message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers",
                         "text/rfc822", "message/rfc822-headers"):  # fmt: skip
            return parse(part.content()[:_LONGEST])
    return None


def _about(whole: Part) -> str | None:
    """The Message-ID of our mail: in what came back, in the report's text, or in what it says it answers."""
    ours = _returned(whole)
    places = [ours.first("message-id")] if ours is not None else []
    places += [
        part.body[:_LONGEST].decode("ascii", "replace")
        for part in whole.walk()
        if part.type in ("message/delivery-status", "message/feedback-report")
    ]
    for number, place in enumerate(places):
        text = place if number == 0 and ours is not None else _after("message-id:", place)
        if (found := _MESSAGE_ID.search(text)) is not None:
            return safe_line(found[0], 900)
    in_text = _after("message-id:", _words(whole))
    for place in (in_text, whole.first("in-reply-to"), whole.first("references")):
        if (found := _MESSAGE_ID.search(place)) is not None:
            return safe_line(found[0], 900)
    return None


def _after(name: str, text: str) -> str:
    at = text.lower().find(name)
    return text[at + len(name) : at + len(name) + 1000].split("\n\n")[0] if at >= 0 else ""


def _status(text: str) -> str | None:
    found = _STATUS.search(text[:_LONGEST])
    return f"{found[1]}.{found[2]}.{found[3]}" if found else None


def _reported_address(text: str) -> str | None:
    """``rfc822; robin@example.org``, with the type, angle brackets and comments that programs write."""
    address = text.rpartition(";")[2].strip()
    return _first_address(re.sub(r"\+([0-9A-F]{2})(?=.*@)", lambda code: chr(int(code[1], 16)), address)) or (
        _first_address(address)
    )


def _first_address(text: str) -> str | None:
    found = _ADDRESS.search(text[:2000])
    return bare_address(found[1]) if found else None


def _word(text: str) -> str:
    return (text.split(";")[0].split("(")[0].split() or [""])[0].lower()

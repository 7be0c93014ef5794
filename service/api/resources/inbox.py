"""The development inbox: the mails in the folder, newest first. Registered with ``settings.dev_inbox`` only."""

from __future__ import annotations

import re
from datetime import UTC
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple, TypeGuard

from flask import Blueprint, Response, abort, render_template, request, url_for

from service.config import Settings

FILE_NAME = r"[A-Za-z0-9._@+-]{1,200}\.eml"
NEWEST = 200

_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'"
_PART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox; frame-ancestors 'self'"
_CID = re.compile(r"cid:([^\"'\s)>]+)")


class Mail(NamedTuple):
    """A mail as the pages show it."""

    id: str
    subject: str
    sender: str
    to: str
    date: str
    text: str
    html: str | None
    source: str


def blueprint_for(settings: Settings) -> Blueprint:
    """The pages under ``/dev/inbox`` over the folder that ``settings.mail_url`` names."""
    folder = Path(settings.mail_url.removeprefix("folder:"))
    blueprint = Blueprint("inbox", __name__, template_folder="../templates", url_prefix="/dev/inbox")

    @blueprint.get("")
    def list_mails() -> Response:
        """The newest mails, to everyone or to one address."""
        mails = [_read(path) for path in _newest(folder)]
        chosen = request.args.get("to", "")
        addresses = sorted({mail.to for mail in mails})
        shown = [mail for mail in mails if chosen in ("", mail.to)]
        return _page(render_template("inbox/list.html", mails=shown, addresses=addresses, chosen=chosen))

    @blueprint.get("/<mail_id>")
    def show_mail(mail_id: str) -> Response:
        """One mail: its HTML, its text or its source."""
        mail = _read(_path(folder, mail_id))
        tabs = [*(["html"] if mail.html else []), "text", "source"]
        part = request.args.get("part", tabs[0])
        return _page(render_template("inbox/mail.html", mail=mail, tabs=tabs, part=part if part in tabs else tabs[0]))

    @blueprint.get("/<mail_id>/html")
    def html_part(mail_id: str) -> Response:
        """The HTML part by itself, for the sandboxed frame; its inline pictures come from ``cid_part``."""
        mail = _read(_path(folder, mail_id))
        html = _CID.sub(lambda found: url_for("inbox.cid_part", mail_id=mail_id, cid=found.group(1)), mail.html or "")
        return _page(html, policy=_PART_POLICY, frame="SAMEORIGIN")

    @blueprint.get("/<mail_id>/cid/<cid>")
    def cid_part(mail_id: str, cid: str) -> Response:
        """An inline picture."""
        parts = _parse(_path(folder, mail_id)).walk()
        found = next((part for part in parts if _is_picture(part, cid)), None)
        if found is None:
            abort(404)
        return Response(found.get_content(), mimetype=found.get_content_type())

    @blueprint.get("/<mail_id>/raw")
    def raw_mail(mail_id: str) -> Response:
        """The mail as it would have been sent."""
        path = _path(folder, mail_id)
        answer = Response(path.read_bytes(), mimetype="message/rfc822")
        answer.headers["Content-Disposition"] = f'attachment; filename="{path.name}"'
        return answer

    return blueprint


def _newest(folder: Path) -> list[Path]:
    files = [path for path in folder.glob("*.eml") if re.fullmatch(FILE_NAME, path.name)]
    return sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)[:NEWEST]


def _path(folder: Path, mail_id: str) -> Path:
    path = folder / mail_id
    if not re.fullmatch(FILE_NAME, mail_id) or not path.is_file():
        abort(404)
    return path


def _is_picture(part: Message, cid: str) -> TypeGuard[EmailMessage]:
    named = str(part.get("Content-ID") or "").strip("<> ")
    return isinstance(part, EmailMessage) and named == cid and part.get_content_maintype() == "image"


def _parse(path: Path) -> EmailMessage:
    return BytesParser(EmailMessage, policy=policy.default).parsebytes(path.read_bytes())


def _read(path: Path) -> Mail:
    message = _parse(path)
    text = message.get_body(("plain",))
    html = message.get_body(("html",))
    return Mail(
        id=path.name,
        subject=str(message["Subject"] or "(no subject)"),
        sender=str(message["From"] or ""),
        to=", ".join(address.addr_spec for address in message["To"].addresses) if message["To"] else "",
        date=_date(message),
        text=str(text.get_content()) if text is not None else "",
        html=str(html.get_content()) if html is not None else None,
        source=path.read_bytes().decode("utf-8", "replace"),
    )


def _date(message: EmailMessage) -> str:
    if not message["Date"]:
        return ""
    return parsedate_to_datetime(str(message["Date"])).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _page(html: str, *, policy: str = _PAGE_POLICY, frame: str = "DENY") -> Response:
    answer = Response(html, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = policy
    answer.headers["X-Frame-Options"] = frame
    answer.headers["Cache-Control"] = "no-store"
    return answer

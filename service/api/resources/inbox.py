"""The development inbox: the mails in the folder, newest first. Registered with ``settings.dev_inbox`` only."""

from __future__ import annotations

import re
from base64 import b64encode
from datetime import UTC
from email.utils import getaddresses
from pathlib import Path

from flask import Blueprint, Response, abort, render_template, request

from service.mail.folder import Mail, Summary, list_messages, read_message

NEWEST = 300

_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'"
_PART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups"
_CID = re.compile(r"cid:([^\"'\s)>]+)")


def blueprint_for(folder: Path) -> Blueprint:
    """The pages under ``/dev/inbox`` over the folder that the mails are written to."""
    blueprint = Blueprint("inbox", __name__, template_folder="../templates", url_prefix="/dev/inbox")
    blueprint.add_app_template_filter(_moment, "moment")

    @blueprint.get("")
    def list_mails() -> Response:
        """The newest mails, to everyone or to one address."""
        chosen = request.args.get("to", "")
        mails = list_messages(folder, limit=NEWEST)
        addresses = sorted({address for mail in mails for address in _addresses(mail)})
        shown = [mail for mail in mails if not chosen or chosen in _addresses(mail)]
        return _page(render_template("inbox/list.html", mails=shown, addresses=addresses, chosen=chosen))

    @blueprint.get("/<mail_id>")
    def show_mail(mail_id: str) -> Response:
        """One mail: its HTML, its text or its source."""
        mail = _read(mail_id)
        tabs = [*(["html"] if mail.html else []), "text", "source"]
        part = request.args.get("part", tabs[0])
        if part not in tabs:
            part = tabs[0]
        text = mail.raw.decode("utf-8", "replace") if part == "source" else mail.text
        return _page(render_template("inbox/mail.html", mail=mail.summary, text=text, tabs=tabs, part=part))

    @blueprint.get("/<mail_id>/html")
    def html_part(mail_id: str) -> Response:
        """The HTML part by itself, for the sandboxed frame; its inline pictures are put into it."""
        mail = _read(mail_id)
        html = _CID.sub(lambda found: _data_uri(mail, found.group(1)), mail.html)
        return _page(html, policy=f"{_PART_POLICY}; frame-ancestors 'self'", frame="SAMEORIGIN")

    @blueprint.get("/<mail_id>/raw")
    def raw_mail(mail_id: str) -> Response:
        """The mail as it would have been sent."""
        answer = Response(_read(mail_id).raw, mimetype="message/rfc822")
        answer.headers["Content-Disposition"] = f'attachment; filename="{mail_id}.eml"'
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def _read(mail_id: str) -> Mail:
        mail = read_message(folder, mail_id)
        if mail is None:
            abort(404)
        return mail

    return blueprint


def _addresses(mail: Summary) -> list[str]:
    return [address for _, address in getaddresses([mail.to]) if address]


def _data_uri(mail: Mail, cid: str) -> str:
    """An inline picture as the frame may show it: being sandboxed, it has no address of its own to load from."""
    found = mail.attachments.get(cid)
    if found is None or not found.content_type.startswith("image/"):
        return "about:blank"
    return f"data:{found.content_type};base64,{b64encode(found.content).decode()}"


def _moment(mail: Summary) -> str:
    return mail.date.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if mail.date else ""


def _page(html: str, *, policy: str = f"{_PAGE_POLICY}; frame-ancestors 'none'", frame: str = "DENY") -> Response:
    answer = Response(html, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = policy
    answer.headers["X-Frame-Options"] = frame
    answer.headers["Cache-Control"] = "no-store"
    return answer

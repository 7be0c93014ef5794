"""The development inbox: the mails in the folder, newest first, and forms to answer them and to write first ones.

Registered with ``settings.dev_inbox`` only. What is written here is a real mail, and comes in as one.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, render_template, request, url_for

from service import clock
from service.config import Settings
from service.mail import writing
from service.mail.folder import Mail, Summary, list_messages, read_message
from service.usecases import inbound

NEWEST = 300

_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'"
_WINDOWS = "allow-popups allow-popups-to-escape-sandbox"
_PART_POLICY = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox {_WINDOWS}"
_CID = re.compile(r"cid:([^\"'\s)>]+)")
_HEAD = re.compile(r"<head\b[^>]*>|\A(?:\s*<!doctype[^>]*>)?", re.IGNORECASE)


def blueprint_for(folder: Path, settings: Settings) -> Blueprint:
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
        return _page(
            render_template(
                "inbox/list.html",
                mails=shown,
                addresses=addresses,
                chosen=chosen,
                service=settings.service_address,
                sent="sent" in request.args,
            )
        )

    @blueprint.get("/<mail_id>")
    def show_mail(mail_id: str) -> Response:
        """One mail: its HTML, its text or its source."""
        mail = _read(mail_id)
        tabs = [*(["html"] if mail.html else []), "text", "source"]
        part = request.args.get("part", tabs[0])
        if part not in tabs:
            part = tabs[0]
        text = mail.raw.decode("utf-8", "replace") if part == "source" else mail.text
        return _page(
            render_template("inbox/mail.html", mail=mail.summary, text=text, tabs=tabs, part=part, windows=_WINDOWS)
        )

    @blueprint.get("/<mail_id>/html")
    def html_part(mail_id: str) -> Response:
        """The HTML part by itself, for the sandboxed frame; its inline pictures are put into it.

        A link opens in a window of its own, as from a mail program: no page of ours lets itself be framed.
        """
        mail = _read(mail_id)
        html = _CID.sub(lambda found: _data_uri(mail, found.group(1)), _linking_out(mail.html))
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

    _add_forms(blueprint, _read, settings.service_address)
    return blueprint


def _add_forms(blueprint: Blueprint, read: Callable[[str], Mail], service: str) -> None:
    """What is written here comes in as by any other way, and is answered by a mail."""

    @blueprint.post("/<mail_id>/answer")
    def answer_mail(mail_id: str) -> Response:
        """An answer to a mail, as its reader's mail program would send it."""
        return _send(writing.answer(read(mail_id), request.form.get("text", ""), now=clock.now()))

    @blueprint.post("/write")
    def write_mail() -> Response:
        """A first mail, from whatever address."""
        sender, subject, text = (request.form.get(name, "") for name in ("from", "subject", "text"))
        return _send(writing.first(sender, subject, text, to=service, now=clock.now()))


def _send(mail: EmailMessage | None) -> Response:
    if mail is None or _from_elsewhere():
        abort(400)
    sender, recipient = (_addresses_in(str(mail[name]))[0] for name in ("From", "To"))
    inbound.receive(raw=mail.as_bytes(), via="inbox", envelope_from=sender, envelope_to=[recipient], now=clock.now())
    return Response(status=303, headers={"Location": url_for("inbox.list_mails", to=sender, sent=1)})


def _addresses(mail: Summary) -> list[str]:
    return _addresses_in(mail.to)


def _addresses_in(header: str) -> list[str]:
    return [address for _, address in getaddresses([header]) if address]


def _from_elsewhere() -> bool:
    """Whether a form on another site has sent this: nobody shall write mails here whom this page was not shown to."""
    origin = request.headers.get("Origin", "null")
    return request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none") or (
        origin != "null" and urlsplit(origin).netloc != request.host
    )


def _linking_out(html: str) -> str:
    """The document with a base that opens its links elsewhere, in its head if it has one."""
    places = list(_HEAD.finditer(html))
    end = next((place.end() for place in places if "head" in place.group().lower()), places[0].end())
    return f'{html[:end]}<base target="_blank">{html[end:]}'


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

"""A browser without JavaScript: it keeps cookies, follows redirects, and sends forms as they stand on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import clock
from service.mail import kinds
from service.usecases import tokens
from service.usecases.results import SCOPES, Caller
from tests.service.table import Table

Value = str | Sequence[str]


@dataclass
class Form:
    """A form of a page. ``fields``: what a browser would send, by name; ``options``: what else could be chosen."""

    action: str
    method: str = "get"
    fields: dict[str, list[str]] = field(default_factory=dict)
    options: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def filled(self, changes: Mapping[str, Value]) -> dict[str, list[str]]:
        """What is sent when these fields were filled in so; a list for several values, an empty one for none."""
        sent = {name: list(values) for name, values in self.fields.items()}
        for name, value in changes.items():
            values = [value] if isinstance(value, str) else list(value)
            assert name in self.options, f"the form {self.action} has no field {name}: {sorted(self.options)}"
            free = "*" in self.options[name]
            assert free or set(values) <= set(self.options[name]), f"{name} cannot be {values}: {self.options[name]}"
            sent[name] = values
        return sent


class Page(HTMLParser):
    """What a browser finds on a page: its forms and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self._form: Form | None = None
        self._list: tuple[str, list[str]] | None = None
        self._area: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what can be pressed or filled in."""
        has = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        if tag == "form":
            self._form = Form(has.get("action", ""), has.get("method", "get").lower())
            self.forms.append(self._form)
        form, name = self._form, has.get("name", "")
        if form is None or "disabled" in has:
            return
        if tag == "button" and name:
            form.buttons.append((name, has.get("value", "")))
        if tag == "input" and name:
            self._input(form, name, has)
        if tag == "textarea":
            self._area = name
            form.fields[name], form.options[name] = [""], ["*"]
        if tag == "select":
            self._list = (name, [])
            form.options.setdefault(name, [])
        if tag == "option" and self._list is not None:
            kept, chosen = self._list
            form.options[kept].append(has["value"])
            if "selected" in has or not chosen:
                form.fields[kept] = chosen[:] = [has["value"]]

    def _input(self, form: Form, name: str, has: Mapping[str, str]) -> None:
        kind, value = has.get("type", "text"), has.get("value", "")
        if kind not in ("checkbox", "radio"):
            form.fields[name] = [value]
            form.options[name] = [value] if kind == "hidden" else ["*"]
            return
        form.options.setdefault(name, []).append(value)
        if "checked" in has:
            form.fields.setdefault(name, []).append(value)

    def handle_data(self, data: str) -> None:
        """What stands in a text area, but for the line break that begins it."""
        if self._form is not None and self._area is not None:
            self._form.fields[self._area] = [self._form.fields[self._area][0] + data.removeprefix("\n")]

    def handle_endtag(self, tag: str) -> None:
        """What ends here."""
        if tag == "textarea":
            self._area = None
        if tag == "select":
            self._list = None
        if tag == "form":
            self._form = None


class Browser(FlaskClient):
    """A Flask client with a page open. ``caller``: the account it is signed in to, if it began so."""

    caller: Caller
    answer: TestResponse

    def visit(self, path: str, status: int = 200) -> str:
        """Open a page, wherever it leads, and its text."""
        self.answer = self.get(path, follow_redirects=True)
        assert self.answer.status_code == status, f"{path}: {self.answer.status}\n{self.shown}"
        return self.answer.text

    @property
    def path(self) -> str:
        """Where the browser is."""
        return self.answer.request.path

    @property
    def shown(self) -> str:
        """The beginning of what the open page shows, in words alone: for a test that fails."""
        whole = self.answer.text.partition("<main")[2].partition("</main>")[0]
        return " ".join(re.sub(r"<[^>]*>", " ", f"<main{whole}").split())[:600]

    @property
    def page(self) -> Page:
        """The page that is open."""
        return Page(self.answer.text)

    def form(self, action: str, button: tuple[str, str] | None = None, fields: Iterable[str] = ()) -> Form:
        """The one form of the open page that is sent to this path, and has this button and these fields.

        ``action`` may leave its query off.
        """
        whole = [form for form in self.page.forms if form.action == action]
        forms = whole or [form for form in self.page.forms if urlsplit(form.action).path == action]
        if len(forms) > 1:
            forms = [form for form in forms if button is None or button in form.buttons]
            forms = [form for form in forms if set(fields) <= set(form.options)]
        known = [form.action for form in self.page.forms]
        assert len(forms) == 1, f"{len(forms)} forms for {action} on {self.path}: {known}"
        return forms[0]

    def send(
        self,
        action: str,
        named: Mapping[str, Value] | None = None,
        *,
        button: tuple[str, str] | None = None,
        status: int = 200,
        **fields: Value,
    ) -> str:
        """Fill in a form of the open page and send it (by this button, if it has several); the page it leads to.

        ``named``: fields whose names are no words of Python.
        """
        fields = {**(named or {}), **fields}
        form = self.form(action, button, fields)
        sent = form.filled(fields)
        if button is not None:
            assert button in form.buttons, f"no button {button} in {form.action}: {form.buttons}"
            sent[button[0]] = [button[1]]
        if form.method == "post":
            self.answer = self.post(form.action, data=sent, follow_redirects=True)
        else:
            self.answer = self.get(form.action, query_string=sent, follow_redirects=True)
        assert self.answer.status_code == status, f"{action}: {self.answer.status}\n{self.shown}"
        return self.answer.text


def mailed_code(table: Table, address: str) -> str:
    """The newest code that was mailed to an address; pages go by the real clock, so the table's is put there too."""
    table.clock.now = clock.now()
    table.post()
    notices = [notice for _, notice in table.sent if isinstance(notice, kinds.CodeNotice | kinds.AddressNotice)]
    codes = [notice.code for notice in notices if notice.envelope.to == address]
    assert codes, f"no code was mailed to {address}"
    return codes[-1]


def browser(app: Flask) -> Browser:
    """A stranger's browser; ``app`` is the whole application."""
    return Browser(app, app.response_class, use_cookies=True)


def signed_in_client(app: Flask, table: Table, who: str | Caller) -> Browser:
    """The browser of somebody who is signed in: of an account there is, or of a new one with this name."""
    client = browser(app)
    client.caller = table.person(who) if isinstance(who, str) else who
    new = tokens.create_token(caller=client.caller, name="Browser", scopes=SCOPES, now=table.now)
    with client.session_transaction() as session:
        session["token"] = new.token
        session.permanent = True
    return client

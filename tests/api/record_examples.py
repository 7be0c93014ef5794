"""Plays a short scenario on a real application and keeps the answers: the examples of ``openapi.yaml``.

    python -m tests.api.record_examples

Whatever is drawn at random and means nothing by itself is put in one form, so that a new recording reads like the
last: ids and join codes are numbered in order of appearance, tokens become ``emerald_xxx...``, and moments are
moved to begin at noon of 1 January 2026. Seeds, commitments and cards stay as they fell, so that they still fit
one another. Lists of the same thing over and over are cut to their first few entries.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from flask import Flask

from service.api.app import create_app
from service.api.openapi import EXAMPLES
from service.bootstrap import migrate_database
from service.config import Settings
from service.db import db
from service.ids import ALPHABET
from tests.api.games import is_lost, new_game, play_on, runs_out
from tests.api.people import API, Person, fails, mailed_code, person

Recorded = dict[str, dict[str, Any]]

_CUT = {"legal": 3, "steps": 4, "items": 6}
_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
_ID = re.compile(rf"(?<![a-zA-Z0-9])(?=[{ALPHABET}]*[2-9])[{ALPHABET}]{{12}}(?![a-zA-Z0-9])")
_TOKEN = re.compile(r"(emerald_(?:feed_)?)[A-Za-z0-9_-]{20,}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@dataclass
class Plain:
    """Puts what was drawn at random into one form; the same value always into the same."""

    ids: dict[str, str] = field(default_factory=dict)
    start: datetime | None = None

    def value(self, node: Any, key: str = "") -> Any:
        """A JSON value in that form."""
        if isinstance(node, dict):
            return {name: self.value(below, name) for name, below in node.items()}
        if isinstance(node, list):
            return [self.value(below) for below in node[: _CUT.get(key)]]
        if not isinstance(node, str):
            return node
        if key in ("join_code", "code") and re.fullmatch(f"[{ALPHABET}]{{10}}", node):
            return "joinme2345"
        if key == "hint":
            return "xxxx"
        if key == "code" and re.fullmatch(r"\d{8}", node):
            return "12345678"
        return self.text(node)

    def text(self, text: str) -> str:
        """A text in that form."""
        text = _TOKEN.sub(r"\1" + "x" * 43, text)
        text = _MOMENT.sub(self._moment, text)
        return _ID.sub(self._id, text)

    def _id(self, found: re.Match[str]) -> str:
        number = len(self.ids)
        digits = ALPHABET[number // len(ALPHABET)] + ALPHABET[number % len(ALPHABET)]
        return self.ids.setdefault(found.group(), "abcdefgh22" + digits)

    def _moment(self, found: re.Match[str]) -> str:
        at = datetime.fromisoformat(found.group())
        self.start = self.start or at
        later = at - self.start
        if later > timedelta(days=1):  # how long the recording took means nothing
            later = timedelta(hours=round(later / timedelta(hours=1)))
        return _instant(_NOON + timedelta(seconds=round(later.total_seconds())))


@dataclass
class Recorder:
    """Keeps what people send and are answered, by operation."""

    app: Flask
    plain: Plain = field(default_factory=Plain)
    kept: Recorded = field(default_factory=dict)

    def keep(self, one: Person, method: str, path: str, body: Any = None, *, name: str = "", **more: Any) -> Any:
        """Send a request and keep it with its answer, by ``name`` if it is not to be refused; the answer's JSON."""
        response = one.ask(method, path, body, **more)
        operation = self.kept.setdefault(self._operation(method, path), {"request": {}, "responses": {}})
        answer = response.get_json(silent=True) if response.is_json else response.get_data(as_text=True)
        problem = answer.get("code") if isinstance(answer, dict) and response.status_code >= 400 else None
        assert not (name and problem), f"{name!r} was to be an example, and was refused as {problem}"
        name = problem or name or "example"
        if body is not None and problem is None:
            operation["request"][name] = {"value": self.plain.value(body)}
        shown = self.plain.value(answer)
        if response.data:
            operation["responses"].setdefault(str(response.status_code), {})[name] = {"value": shown}
        return answer

    def _operation(self, method: str, path: str) -> str:
        endpoint, _ = self.app.url_map.bind("localhost").match(API + path.partition("?")[0], method)
        documented: Mapping[str, Any] = self.app.view_functions[str(endpoint)].__dict__["_apidoc"]
        return str(documented["manual_doc"]["operationId"])


def record(app: Flask) -> Recorded:
    """The scenario: three friends, one game from the first mail to the rematch, and what can go wrong on the way."""
    recorder = Recorder(app)
    keep = recorder.keep
    anna, outsider = Person(app.test_client(), name="Anna", email="anna@example.org"), Person(app.test_client())

    keep(anna, "POST", "/accounts", {"email": anna.email, "display_name": "Anna", "time_zone": "Europe/Berlin"})
    keep(anna, "POST", "/accounts", {"email": "nobody", "displayname": "Anna"})
    keep(anna, "POST", "/accounts", data=b"{", content_type="application/json")
    keep(anna, "POST", "/accounts", data=b"email=anna", content_type="application/x-www-form-urlencoded")
    keep(anna, "POST", "/tokens", {"email": anna.email, "code": "00000000"})
    code = mailed_code(app, anna.email)
    anna.token = keep(anna, "POST", "/tokens", {"email": anna.email, "code": code, "token_name": "my laptop"})["token"]
    keep(anna, "POST", "/sign-in", {"email": anna.email})
    keep(anna, "GET", "/me")
    keep(outsider, "GET", "/me")
    keep(anna, "PATCH", "/me", {"language": "de"})
    _addresses(recorder, anna)
    made = keep(anna, "POST", "/me/tokens", {"name": "my bot", "scopes": ["games:read", "games:play"]})
    bot = Person(app.test_client(), token=made["token"])
    keep(bot, "GET", "/me")
    keep(anna, "GET", "/me/tokens")
    keep(anna, "DELETE", f"/me/tokens/{made['info']['id']}")
    keep(anna, "DELETE", f"/me/tokens/{made['info']['id']}")

    bert, cleo, dora = person(app, "Bert"), person(app, "Cleo"), person(app, "Dora")
    seats = [{"kind": "me"}, {"kind": "invite", "name": "Bert"}, {"kind": "open"}]
    game = keep(
        anna,
        "POST",
        "/games",
        {"seats": seats, "first": 0, "clock": {"kind": "days", "days": 3}, "entropy": "a walk by the sea"},
    )
    keep(
        dora,
        "POST",
        "/games",
        {"seats": [{"kind": "me"}, {"kind": "bot", "level": "steady"}], "public": False},
        name="alone against a bot",
    )
    keep(anna, "POST", "/games", {"seats": [{"kind": "me"}]})
    path = f"/games/{game['id']}"
    keep(cleo, "GET", "/games")
    keep(bert, "GET", "/me/invitations")
    keep(bert, "POST", f"{path}/join", {"entropy": "7 of spades"})
    keep(bert, "POST", f"{path}/join", {})
    keep(outsider, "GET", path, name="before the start")
    keep(cleo, "POST", f"{path}/join", {"seat": 2}, name="an open seat")
    keep(dora, "POST", f"{path}/join", {})

    other = cleo.does("/games", {"seats": [{"kind": "me"}, {"kind": "invite", "name": "Anna"}, {"kind": "open"}]}, 201)
    keep(anna, "POST", f"/games/{other['id']}/decline")
    dora.does(f"/games/{other['id']}/join")
    keep(dora, "POST", f"/games/{other['id']}/leave")
    keep(dora, "POST", f"/games/{other['id']}/cancel")
    keep(cleo, "POST", f"/games/{other['id']}/cancel")

    keep(anna, "GET", path, name="your turn")
    keep(anna, "GET", "/games/222222222222")
    keep(anna, "GET", f"{path}/actions")
    keep(anna, "GET", "/me/turns")
    keep(anna, "GET", "/me/games?status=playing")
    keep(bert, "POST", f"{path}/moves", {"ply": 0, "line": "t1"})
    keep(anna, "POST", f"{path}/moves", {"ply": 0, "line": "stop"})
    keep(anna, "POST", f"{path}/moves", {"ply": 0, "line": "hall jump"})
    keep(anna, "POST", f"{path}/moves", {"ply": 0, "line": "hall t1"}, name="a line of notation")
    keep(anna, "POST", f"{path}/moves", {"ply": 0, "line": "t1"})
    two = bert.told(path)
    keep(
        bert,
        "POST",
        f"{path}/moves",
        {"ply": two["ply"], "actions": [two["legal"][0]["action"], {"do": "stop"}]},
        name="a list of actions",
    )
    keep(dora, "POST", f"{path}/moves", {"ply": 0, "line": "t1"})
    _mail(recorder, anna, path)
    _time_off(recorder, anna)
    keep(anna, "POST", "/me/feed")
    keep(anna, "GET", "/me/feed")
    keep(outsider, "GET", f"/feeds/emerald_feed_{'x' * 43}/deadlines.ics")
    keep(outsider, "GET", f"/feeds/emerald_feed_{'x' * 43}/deadlines.atom")
    keep(bert, "GET", f"{path}/pace")
    _orders(recorder, anna, outsider, path)
    keep(anna, "POST", f"{path}/says", {"text": "Good luck, both of you!"})
    keep(anna, "POST", f"{path}/notes", {"text": "Keep a 1 for the dragon."})
    keep(anna, "GET", f"{path}/record")
    people = [anna, bert, cleo]
    play_on(people, game["id"], random.Random(2), decisions=40)
    keep(anna, "GET", f"{path}/events?after=20&limit=6")
    keep(anna, "GET", f"{path}/board.txt")
    play_on(people, game["id"], random.Random(2))
    keep(anna, "GET", path, name="over")
    keep(outsider, "GET", f"{path}/record")
    keep(anna, "POST", f"{path}/rematch")
    second = bert.does("/games", {"seats": [{"kind": "me"}, {"kind": "bot", "level": "random"}]}, 201)
    keep(bert, "POST", f"/games/{second['id']}/resign")
    keep(bert, "POST", f"/games/{second['id']}/resign")
    _waiting(recorder, cleo, dora)
    keep(outsider, "GET", "/rules")
    keep(outsider, "GET", "/commands")
    for _ in range(5):
        outsider.post("/sign-in", {"email": "often@example.org"})
    keep(outsider, "POST", "/sign-in", {"email": "often@example.org"})
    return recorder.kept


def _mail(recorder: Recorder, anna: Person, path: str) -> None:
    """Anna says what she wants by mail, also about a game, and that she is away."""
    keep = recorder.keep
    keep(anna, "GET", "/me/mail")
    keep(anna, "PATCH", "/me/mail", {"drawing": False, "digest_hour": 7, "off": ["invitation"]}, name="some kinds only")
    keep(anna, "PATCH", "/me/mail", {"paused": True}, name="a pause")
    keep(anna, "PATCH", "/me/mail", {"digest_hour": 24})
    keep(anna, "GET", "/me/mail/sent")
    keep(anna, "GET", f"{path}/mail")
    keep(anna, "PUT", f"{path}/mail", {"digest": True})


def _time_off(recorder: Recorder, anna: Person) -> None:
    """Anna says when she sleeps, which days she does not play, and when she is away."""
    keep = recorder.keep
    keep(anna, "GET", "/me/hours")
    keep(anna, "PATCH", "/me/hours", {"night": {"from": 23, "to": 8}, "days_off": ["sun"]})
    keep(anna, "PATCH", "/me/hours", {"night": {"from": 8, "to": 23}})
    keep(anna, "PUT", "/me/absence", {"hours": 72})
    keep(anna, "GET", "/me/absence")
    keep(anna, "DELETE", "/me/absence")
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
    away = {"starts_at": _instant(soon), "ends_at": _instant(soon + timedelta(days=10))}
    planned = keep(anna, "POST", "/me/absences", away)
    keep(anna, "POST", "/me/absences", {"starts_at": away["ends_at"], "ends_at": away["starts_at"]})
    keep(anna, "POST", "/me/absences", {"starts_at": away["ends_at"], "ends_at": _instant(soon + timedelta(days=69))})
    keep(anna, "GET", "/me/absences")
    keep(anna, "DELETE", f"/me/absences/{planned['id']}")
    keep(anna, "DELETE", f"/me/absences/{planned['id']}")


def _instant(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _orders(recorder: Recorder, anna: Person, outsider: Person, path: str) -> None:
    """Anna says what to do when the dragon asks, and plans her next turn."""
    keep = recorder.keep
    keep(anna, "PUT", f"{path}/orders/bribe", {"order": "at most 2"}, name="bribe")
    keep(anna, "PUT", f"{path}/orders/catch", {"order": "leader"}, name="catch")
    keep(anna, "PUT", f"{path}/orders/plan", {"order": "if t2 and not dragon c5 then t2 stop else t3"}, name="plan")
    keep(anna, "PUT", f"{path}/orders/bribe", {"order": "at least 2"})
    keep(anna, "GET", f"{path}/orders")
    keep(outsider, "GET", f"{path}/orders")
    keep(anna, "DELETE", f"{path}/orders/plan")


def _waiting(recorder: Recorder, one: Person, other: Person) -> None:
    """Somebody does not answer: what the other can do, and how they come back."""
    keep, app = recorder.keep, recorder.app
    game = new_game([one, other], first=0, clock={"kind": "days", "days": 1})
    path = f"/games/{game}"
    keep(other, "GET", f"{path}/votes")
    keep(other, "POST", f"{path}/votes", {"vote": "end"})
    keep(other, "POST", f"{path}/votes", {"vote": "extend", "turn_ply": 0}, name="more time")
    is_lost(app, game)
    play_on([one, other], game, random.Random(2), until=0)
    is_lost(app, game)
    keep(one, "POST", f"{path}/votes", {"vote": "end"})
    keep(one, "POST", f"{path}/resume")
    keep(one, "POST", f"{path}/resume")
    play_on([one, other], game, random.Random(2), until=0)
    runs_out(app, game)
    keep(other, "GET", f"{path}/votes", name="time is up")
    keep(other, "DELETE", f"{path}/votes/end")
    keep(other, "POST", f"{path}/votes", {"vote": "end"}, name="the end")
    keep(other, "GET", path, name="ended early")


def _addresses(recorder: Recorder, anna: Person) -> None:
    """Anna adds an address, prefers it, tests it, and removes it."""
    keep, work = recorder.keep, "anna@work.example"
    keep(anna, "POST", "/me/addresses", {"email": work})
    keep(anna, "POST", "/me/addresses/confirm", {"email": work, "code": "00000000"})
    made = keep(anna, "POST", "/me/addresses/confirm", {"email": work, "code": mailed_code(recorder.app, work)})
    path = f"/me/addresses/{made['id']}"
    keep(anna, "POST", f"{path}/prefer")
    keep(anna, "POST", f"{path}/test")
    fails(recorder.app, work)
    keep(anna, "GET", "/me/addresses")
    keep(anna, "GET", "/me", name="an address fails")
    keep(anna, "DELETE", path)
    keep(anna, "DELETE", path)
    keep(anna, "DELETE", f"/me/addresses/{anna.told('/me/addresses')['items'][0]['id']}")


def main() -> None:
    """Record anew."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            secret_key="for the examples only", database_url=f"sqlite:///{folder}/examples.db", rate_limit=None
        )
        app = create_app(settings)
        migrate_database(app)
        kept = record(app)
        with app.app_context():
            db.engine.dispose()
    Path(EXAMPLES).write_text(json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()

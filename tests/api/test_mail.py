"""What one wants by mail, and how a game's mails come: over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from service.clock import now
from service.db import transaction
from service.models import Delivery
from tests.api.games import new_game
from tests.api.people import Person, answered, person, refused, stranger


@pytest.fixture
def anna(api_app: Flask) -> Person:
    """Somebody with a token."""
    return person(api_app, "Anna")


def test_mail_settings_change_one_by_one(anna: Person) -> None:
    first = anna.told("/me/mail")
    assert first == {"drawing": True, "cards": True, "digest_hour": 8, "paused_since": None, "off": []}
    changed = answered(anna.ask("PATCH", "/me/mail", {"cards": False, "off": ["turn", "news", "turn"]}))
    assert changed == {**first, "cards": False, "off": ["turn", "news"]}
    changed = answered(anna.ask("PATCH", "/me/mail", {"off": ["reminder"], "digest_hour": 0, "drawing": False}))
    assert changed == {**first, "cards": False, "drawing": False, "digest_hour": 0, "off": ["reminder"]}
    assert answered(anna.ask("PATCH", "/me/mail", {})) == changed
    assert answered(anna.ask("PATCH", "/me/mail", {"off": []}))["off"] == []
    assert anna.told("/me/mail")["digest_hour"] == 0


def test_a_pause_begins_once_and_ends(anna: Person) -> None:
    since = answered(anna.ask("PATCH", "/me/mail", {"paused": True}))["paused_since"]
    assert since.endswith("Z")
    assert answered(anna.ask("PATCH", "/me/mail", {"paused": True}))["paused_since"] == since
    assert answered(anna.ask("PATCH", "/me/mail", {"paused": False}))["paused_since"] is None


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"off": ["code"]}, "off.0"),
        ({"off": "turn"}, "off"),
        ({"digest_hour": 24}, "digest_hour"),
        ({"digest_hour": -1}, "digest_hour"),
        ({"paused": "yes"}, "paused"),
        ({"drawing": 1.5}, "drawing"),
        ({"paused_since": None}, "paused_since"),
    ],
)
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_settings_that_do_not_fit_name_the_place(anna: Person, body: dict[str, object], place: str) -> None:
    assert place in refused(anna.ask("PATCH", "/me/mail", body), 422, "invalid")["errors"]


def test_the_mails_of_a_game_come_at_once_or_in_a_digest(api_app: Flask, anna: Person) -> None:
    bert, eve = person(api_app, "Bert"), person(api_app, "Eve")
    game = new_game([anna, bert])
    path = f"/games/{game}/mail"
    assert anna.told(path) == {"digest": False, "next_digest": None}
    answered(anna.ask("PATCH", "/me", {"time_zone": "Asia/Tokyo"}))
    chosen = answered(anna.ask("PUT", path, {"digest": True}))
    assert chosen["digest"]
    due = datetime.fromisoformat(chosen["next_digest"])
    assert due.astimezone(UTC).hour == 23, "8 o'clock in Tokyo"
    assert timedelta(0) < due - datetime.now(UTC) <= timedelta(days=1)
    assert anna.told(path) == answered(anna.ask("PUT", path, {"digest": True})) == chosen
    assert bert.told(path) == {"digest": False, "next_digest": None}
    assert answered(anna.ask("PUT", path, {"digest": False})) == {"digest": False, "next_digest": None}
    refused(eve.get(path), 403, "not-a-player")
    refused(eve.ask("PUT", path, {"digest": True}), 403, "not-a-player")
    refused(eve.get("/games/222222222222/mail"), 404, "not-found")
    refused(stranger(api_app).get(path), 401, "unauthenticated")
    private = new_game([anna, bert], public=False)
    refused(eve.get(f"/games/{private}/mail"), 404, "not-found")


def test_the_mails_that_went_out_are_listed_to_whom_they_went(api_app: Flask, anna: Person) -> None:
    bert = person(api_app, "Bert")
    user, game = anna.told("/me")["id"], new_game([anna, bert])
    with api_app.app_context(), transaction() as session:
        for number, state in enumerate(("sent", "bounced"), start=1):
            session.add(
                Delivery(
                    outbox_id=number,
                    message_id=f"<{number}@localhost>",
                    kind="turn",
                    email="anna@example.org",
                    email_key="anna@example.org",
                    user_id=user,
                    game_id=game,
                    sent_at=now(),
                    state=state,
                    state_at=now() if state == "bounced" else None,
                    status="5.1.1" if state == "bounced" else None,
                )
            )
    newest, oldest = anna.told("/me/mail/sent")["items"]
    assert (newest["state"], newest["status"], newest["game"], newest["email"]) == (
        "bounced",
        "5.1.1",
        game,
        anna.email,
    )
    assert (oldest["kind"], oldest["state"], oldest["state_at"]) == ("turn", "sent", None)
    assert bert.told("/me/mail/sent") == {"items": []}
    refused(person(api_app, "Reader", scopes=["games:read"]).get("/me/mail/sent"), 403, "scope-missing")

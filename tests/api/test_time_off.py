"""Being away now and later, nights and days off: over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from tests.api.games import new_game
from tests.api.people import Person, answered, person, refused, stranger

ONE_DATABASE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def anna(api_app: Flask) -> Person:
    """Somebody with a token."""
    return person(api_app, "Anna")


def moment(text: str) -> datetime:
    """A moment as we send it."""
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


def test_being_away_and_back(anna: Person) -> None:
    assert anna.told("/me/absence") == {"until": None}
    until = answered(anna.ask("PUT", "/me/absence", {"hours": 48}))["until"]
    assert timedelta(hours=47) < moment(until) - datetime.now(UTC) <= timedelta(hours=48)
    assert anna.told("/me/absence") == {"until": until}
    shorter = answered(anna.ask("PUT", "/me/absence", {"hours": 1}))["until"]
    assert anna.told("/me/absence") == {"until": shorter}
    for _ in range(2):
        assert anna.ask("DELETE", "/me/absence").status_code == 204
        assert anna.told("/me/absence") == {"until": None}
    for hours in (0, 60 * 24 + 1):
        assert "hours" in refused(anna.ask("PUT", "/me/absence", {"hours": hours}), 422, "invalid")["errors"]


def test_absences_to_come_are_planned_listed_and_cancelled(anna: Person) -> None:
    start = (datetime.now(UTC) + timedelta(days=2)).replace(microsecond=0)
    wanted = {"starts_at": start.isoformat(), "ends_at": (start + timedelta(days=3)).isoformat()}
    first = anna.does("/me/absences", wanted, 201)
    assert (moment(first["starts_at"]), moment(first["ends_at"])) == (start, start + timedelta(days=3))
    again = anna.does("/me/absences", wanted, 201)
    assert {**again, "id": ""} == {**first, "id": ""}, "sent again, it adds nothing"
    listed = anna.told("/me/absences")
    assert listed["items"] == [again]
    assert listed["allowance_days"] == 60
    assert listed["year"] == datetime.now(UTC).year
    assert 0 <= listed["used_days"] <= 3
    assert anna.told("/me/absence") == {"until": None}, "it is still to come"
    assert anna.ask("DELETE", f"/me/absences/{again['id']}").status_code == 204
    refused(anna.ask("DELETE", f"/me/absences/{again['id']}"), 404, "not-found")
    assert anna.told("/me/absences")["items"] == []


@ONE_DATABASE
def test_the_allowance_of_a_year_is_kept(api_app: Flask, anna: Person) -> None:
    today = datetime.now(UTC)
    year, first = (today.year, 8) if today.month < 7 else (today.year + 1, 1)

    def month(number: int) -> dict[str, str]:
        begin = f"{year}-{first + number:02}"
        return {"starts_at": f"{begin}-01T00:00:00Z", "ends_at": f"{begin}-26T00:00:00+00:00"}

    for number in (0, 1):
        anna.does("/me/absences", month(number), 201)
    problem = refused(anna.post("/me/absences", month(2)), 409, "absence-allowance")
    assert problem["left_days"] == 10
    assert str(year) in problem["detail"]
    assert len(anna.told("/me/absences")["items"]) == 2
    other = person(api_app, "Bert")
    other.does("/me/absences", month(2), 201)


@ONE_DATABASE
@pytest.mark.parametrize(
    ("starts_at", "ends_at", "place"),
    [
        ("2030-01-01T00:00:00", "2030-01-02T00:00:00Z", "starts_at"),
        ("2030-01-01", "2030-01-02T00:00:00Z", "starts_at"),
        ("0001-01-01T00:00:00+14:00", "2030-01-02T00:00:00Z", "starts_at"),
        ("2030-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "ends_at"),
        ("2030-01-02T00:00:00Z", "2030-01-01T00:00:00Z", "ends_at"),
        ("2020-01-02T00:00:00Z", "2020-01-05T00:00:00Z", "ends_at"),
        ("2030-01-02T00:00:00Z", "2030-01-05T00:00:00Z", "starts_at"),
        (1893456000, "2030-01-02T00:00:00Z", "starts_at"),
    ],
)
def test_absences_that_cannot_be(anna: Person, starts_at: Any, ends_at: str, place: str) -> None:
    answer = anna.post("/me/absences", {"starts_at": starts_at, "ends_at": ends_at})
    assert place in refused(answer, 422, "invalid")["errors"]
    refused(anna.ask("DELETE", "/me/absences/1"), 404, "not-found")


@ONE_DATABASE
def test_another_persons_absence_cannot_be_touched(api_app: Flask, anna: Person) -> None:
    start = datetime.now(UTC) + timedelta(days=2)
    body = {"starts_at": start.isoformat(), "ends_at": (start + timedelta(days=1)).isoformat()}
    made = anna.does("/me/absences", body, 201)
    bert = person(api_app, "Bert")
    refused(bert.ask("DELETE", f"/me/absences/{made['id']}"), 404, "not-found")
    assert bert.told("/me/absences")["items"] == []
    assert anna.told("/me/absences")["items"] == [made]
    refused(stranger(api_app).get("/me/absences"), 401, "unauthenticated")
    reader = person(api_app, "Reader", scopes=["games:read"])
    assert reader.told("/me/absences")["items"] == []
    refused(reader.post("/me/absences", body), 403, "scope-missing")
    refused(reader.get("/me/hours"), 403, "scope-missing")


def test_players_of_a_game_see_who_is_away_and_its_clock_stands(api_app: Flask, anna: Person) -> None:
    bert, eve = person(api_app, "Bert"), person(api_app, "Eve")
    game = new_game([anna, bert], first=0, clock={"kind": "days", "days": 2})
    strict = new_game([anna, bert], first=0, clock={"kind": "days", "days": 2}, time_off=False)
    before = {one.name: one.get(f"/games/{game}") for one in (bert, eve)}
    until = answered(anna.ask("PUT", "/me/absence", {"hours": 240}))["until"]
    for one in (anna, bert):
        seat, other = one.told(f"/games/{game}")["seats"]
        assert (seat["away_until"], other["away_until"]) == (until, None)
    waits, goes_on = bert.told(f"/games/{game}"), bert.told(f"/games/{strict}")
    assert moment(waits["deadline"]) > moment(until)
    assert moment(goes_on["deadline"]) < moment(until)
    assert goes_on["seats"][0]["away_until"] is None
    assert (waits["time_off"], goes_on["time_off"]) == (True, False)
    assert eve.told(f"/games/{game}")["seats"][0]["away_until"] is None, "told to those who sit there"
    tag = before["Bert"].headers["ETag"]
    assert bert.get(f"/games/{game}", headers={"If-None-Match": tag}).status_code == 200
    assert anna.ask("DELETE", "/me/absence").status_code == 204
    back = bert.told(f"/games/{game}")
    assert back["seats"][0]["away_until"] is None
    assert moment(back["deadline"]) < moment(waits["deadline"])


@ONE_DATABASE
def test_what_is_planned_for_later_is_no_change_for_the_others(api_app: Flask, anna: Person) -> None:
    bert, eve = person(api_app, "Bert"), person(api_app, "Eve")
    game = new_game([anna, bert], first=1, clock={"kind": "days", "days": 2})
    tags = [one.get(f"/games/{game}").headers["ETag"] for one in (bert, eve)]
    start = datetime.now(UTC) + timedelta(days=30)
    body = {"starts_at": start.isoformat(), "ends_at": (start + timedelta(days=1)).isoformat()}
    anna.does("/me/absences", body, 201)
    for one, tag in zip((bert, eve), tags, strict=True):
        assert one.get(f"/games/{game}", headers={"If-None-Match": tag}).status_code == 304
    answered(anna.ask("PUT", "/me/absence", {"hours": 5}))
    assert bert.get(f"/games/{game}", headers={"If-None-Match": tags[0]}).status_code == 200
    assert eve.get(f"/games/{game}", headers={"If-None-Match": tags[1]}).status_code == 304


def test_nights_and_days_off(anna: Person) -> None:
    first = anna.told("/me/hours")
    assert first == {"time_zone": "UTC", "night": {"from": 22, "to": 7}, "days_off": []}
    changed = answered(anna.ask("PATCH", "/me/hours", {"days_off": ["sun", "sat", "sun"]}))
    assert changed == {**first, "days_off": ["sat", "sun"]}
    assert answered(anna.ask("PATCH", "/me/hours", {})) == changed
    changed = answered(anna.ask("PATCH", "/me/hours", {"night": {"from": 1, "to": 9}}))
    assert changed["night"] == {"from": 1, "to": 9}
    changed = answered(anna.ask("PATCH", "/me/hours", {"night": None, "days_off": []}))
    assert anna.told("/me/hours") == changed == {**first, "night": None}
    answered(anna.ask("PATCH", "/me", {"time_zone": "Asia/Tokyo"}))
    assert anna.told("/me/hours")["time_zone"] == "Asia/Tokyo"


@ONE_DATABASE
@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"night": {"from": 22}}, "night.to"),
        ({"night": {"from": 22, "to": 24}}, "night.to"),
        ({"night": {"from": 22, "to": 22}}, "night"),
        ({"night": {"from": 20, "to": 9}}, "night"),
        ({"night": {"from": 22.5, "to": 7}}, "night.from"),
        ({"night": "22-7"}, "night"),
        ({"days_off": ["fri", "sat", "sun", "mon"]}, "days_off"),
        ({"days_off": [6]}, "days_off.0"),
        ({"days_off": ["so"]}, "days_off.0"),
        ({"days_off": None}, "days_off"),
        ({"time_zone": "UTC"}, "time_zone"),
    ],
)
def test_hours_that_cannot_be(anna: Person, body: dict[str, Any], place: str) -> None:
    before = anna.told("/me/hours")
    assert place in refused(anna.ask("PATCH", "/me/hours", body), 422, "invalid")["errors"]
    assert anna.told("/me/hours") == before

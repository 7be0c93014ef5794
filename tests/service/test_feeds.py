"""Feeds of one's own deadlines: who can read them, what they tell, and that programs can read them."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import icalendar
import pytest
from sqlalchemy import select

from service import i18n, logs
from service.db import reading
from service.errors import NOT_FOUND, SCOPE_MISSING
from service.feeds import Feed, Turn, atom, ics
from service.models import Feed as Row
from service.usecases import absences, accounts, feeds, lobby, tokens, votes
from service.usecases.results import ClockSpec
from tests.i18n.marking import TAG, facts, marking
from tests.service.table import Table, refused

DAYS_3 = ClockSpec("days", days=3)
HOST = "emerald.example"
ATOM = "{http://www.w3.org/2005/Atom}"
on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def events(feed: Feed) -> dict[str, icalendar.Event]:
    """What a calendar program makes of the feed: events by their ids."""
    parts = icalendar.Calendar.from_ical(ics(feed, HOST)).walk()
    found = [part for part in parts if isinstance(part, icalendar.Event)]
    by_id = {str(event["uid"]): event for event in found}
    assert len(by_id) == len(found)
    return by_id


def entries(feed: Feed) -> dict[str, dict[str, str]]:
    """What a feed reader makes of the feed: entries by their ids."""
    found = [
        {part.tag.removeprefix(ATOM): part.text or "" for part in entry}
        for entry in ET.fromstring(atom(feed, HOST)).iter(f"{ATOM}entry")
    ]
    by_id = {entry["id"]: entry for entry in found}
    assert len(by_id) == len(found)
    return by_id


def read(secret: str) -> Feed:
    return feeds.deadlines(secret=secret)


def test_a_secret_opens_its_owner_s_feed_until_another_is_made_or_it_is_revoked(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert)
    assert feeds.made(caller=anna) is None
    first, other = feeds.make(caller=anna, now=table.now), feeds.make(caller=bert, now=table.now)
    assert [turn.game for turn in read(first.secret).turns] == [game]
    assert read(other.secret).turns == ()
    second = feeds.make(caller=anna, now=table.clock.forward(hours=1))
    assert feeds.made(caller=anna) == second.since == table.now
    with refused(NOT_FOUND):
        read(first.secret)
    assert [turn.game for turn in read(second.secret).turns] == [game]
    for _ in range(2):
        feeds.revoke(caller=anna)
    with refused(NOT_FOUND):
        read(second.secret)
    assert feeds.made(caller=anna) is None
    assert read(other.secret).turns == ()


@on_sqlite
def test_a_secret_is_kept_as_its_hash_and_written_nowhere(table: Table) -> None:
    anna = table.person("Anna")
    new = feeds.make(caller=anna, now=table.now)
    with reading() as session:
        kept = session.scalars(select(Row)).one()
    assert new.secret not in (kept.hash, kept.user_id)
    assert new.secret not in repr(new)
    assert len(new.secret) > 43
    assert new.secret not in logs.scrub(f"GET /feeds/{new.secret}/deadlines.ics")
    text = ics(read(new.secret), HOST) + atom(read(new.secret), HOST)
    assert new.secret.encode() not in text
    for wrong in ("", "x", new.secret[:-1], new.secret.upper(), kept.hash, f"{new.secret} "):
        with refused(NOT_FOUND):
            read(wrong)


@on_sqlite
def test_only_a_whole_sign_in_makes_and_revokes_feeds(table: Table) -> None:
    anna = table.person("Anna")
    new = tokens.create_token(caller=anna, name="x", scopes=["games:read", "games:play"], now=table.now)
    narrow = tokens.authenticate(token=new.token, now=table.now)
    for attempt in (lambda: feeds.make(caller=narrow, now=table.now), lambda: feeds.revoke(caller=narrow)):
        with refused(SCOPE_MISSING):
            attempt()
    with refused(SCOPE_MISSING):
        feeds.made(caller=narrow)


def test_an_event_ends_with_the_deadline_moves_with_it_and_goes_with_the_turn(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=DAYS_3)
    secret = feeds.make(caller=anna, now=table.now).secret
    deadline = table.view(anna, game).info.deadline
    ((uid, event),) = events(read(secret)).items()
    assert deadline is not None
    assert event.end == deadline
    assert f"DTEND:{deadline:%Y%m%dT%H%M%SZ}\r\n".encode() in ics(read(secret), HOST)
    assert event.start == deadline - timedelta(hours=1)
    votes.cast(caller=bert, game_id=game, kind="extend", now=table.now)
    ((same, event),) = events(read(secret)).items()
    assert same == uid
    assert event.end == table.view(anna, game).info.deadline
    assert event.end > deadline
    later = event.end
    absences.away(caller=anna, time=timedelta(days=5), now=table.now)
    ((same, event),) = events(read(secret)).items()
    assert (same, event.end) == (uid, table.view(anna, game).info.deadline)
    assert event.end > later
    table.turn_over(anna, game)
    assert events(read(secret)) == entries(read(secret)) == {}
    table.turn_over(bert, game)
    (other,) = events(read(secret))
    assert other != uid


def test_turns_without_a_time_limit_are_in_the_feed_and_not_in_the_calendar(table: Table) -> None:
    anna, bert = table.pair()
    urgent = table.game(anna, bert, clock=ClockSpec("days", days=1))
    slow, untimed = table.game(anna, bert, clock=DAYS_3), table.game(anna, bert, clock=ClockSpec("none"))
    feed = read(feeds.make(caller=anna, now=table.now).secret)
    assert [turn.game for turn in feed.turns] == [urgent, slow, untimed]
    assert len(events(feed)) == 2
    shown = list(entries(feed).values())
    assert len(shown) == 3
    assert "no time limit" in shown[-1]["content"]
    assert all(game in entry["content"] for game, entry in zip((urgent, slow, untimed), shown, strict=True))


def test_a_turn_that_somebody_else_plays_is_in_nobody_s_feed(table: Table) -> None:
    anna, bert = table.pair()
    given_up, held = table.game(anna, bert, clock=DAYS_3), table.game(anna, bert, clock=DAYS_3)
    secret = feeds.make(caller=anna, now=table.now).secret
    assert len(read(secret).turns) == 2
    lobby.resign(caller=anna, game_id=given_up, now=table.now)
    assert [turn.game for turn in read(secret).turns] == [held]
    while not table.view(anna, held).info.seats[0].held:
        table.wait(days=1)
        if table.view(bert, held).info.to_act == 1:
            table.turn_over(bert, held)
    assert read(secret).turns == ()


@on_sqlite
def test_feeds_tell_no_address_and_no_card(table: Table) -> None:
    """The names of those who play, ids and times: whatever else is in the text is a word of ours."""
    anna, bert = table.person("Anna", "anna@private.example"), table.person("Bert", "bert@private.example")
    game = table.game(anna, bert, bots=1, clock=DAYS_3)
    secret = feeds.make(caller=anna, now=table.now).secret
    feed = read(secret)
    told = (ics(feed, HOST) + atom(feed, HOST)).decode()
    assert "private.example" not in told
    assert "Bert and a bot" in told
    code = table.view(anna, game).info.join_code
    assert code is None or code not in told
    assert not {"gold", "hand", "ruby", "seed"} & set(told.lower().split())


@on_sqlite
def test_times_are_told_by_the_clock_of_the_owner_in_summer_and_in_winter(table: Table) -> None:
    """Clocks go forward in Berlin on 29 March 2026 and stay in Tokyo; the instant is the same for both."""
    anna, bert = table.pair()
    for caller, zone in ((anna, "Europe/Berlin"), (bert, "Asia/Tokyo")):
        accounts.update_account(caller=caller, time_zone=zone, now=table.now)
    summer, winter = (datetime(2026, 3, day, 12, tzinfo=UTC) for day in (29, 28))
    for zone, winter_time, summer_time in (("Europe/Berlin", "13:00", "14:00"), ("Asia/Tokyo", "21:00", "21:00")):
        turns = tuple(turn(deadline=deadline, ply=ply) for ply, deadline in enumerate((winter, summer)))
        feed = Feed(id="x", zone=zone, since=winter, turns=turns)
        shown = [str(event["description"]) for event in events(feed).values()]
        assert winter_time in shown[0]
        assert summer_time in shown[1]
        assert [event.end for event in events(feed).values()] == [winter, summer]


def turn(**more: object) -> Turn:
    facts = {"game": "g", "ply": 0, "since": datetime(2026, 3, 1, tzinfo=UTC), "deadline": None, "dragon": False}
    return Turn(**{**facts, "others": ("Bert",), **more})  # type: ignore[arg-type]


def test_names_of_all_kinds_come_through() -> None:
    """What folds, separates or escapes in one of the two formats, and what neither can hold."""
    names = ("a,b;c:d\\n", "<&>\"'", "Zoë Łukasz 李 🐉", "x" * 200, "BEGIN:VEVENT")
    now = datetime(2026, 3, 1, tzinfo=UTC)
    feed = Feed(id="x", zone="UTC", since=now, turns=(turn(deadline=now, others=names),))
    (event,), (entry,) = events(feed).values(), entries(feed).values()
    for name in names:
        assert name in str(event["summary"])
        assert name in entry["title"]
    assert max(map(len, ics(feed, HOST).split(b"\r\n"))) <= 75
    unspeakable = Feed(id="x", zone="UTC", since=now, turns=(turn(others=("a\x00b\x1b\ufffe",)),))
    ((entry),) = entries(unspeakable).values()
    assert "a?b??" in entry["title"]


def test_the_dragon_s_question_is_named_and_an_event_never_begins_before_its_turn() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    short = turn(since=now, deadline=now + timedelta(minutes=20), dragon=True)
    ((event),) = events(Feed(id="x", zone="UTC", since=now, turns=(short,))).values()
    assert (event.start, event.end) == (short.since, short.deadline)
    assert "dragon" in str(event["summary"])


def test_the_whole_of_a_feed_is_what_the_formats_ask_for() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    newest = turn(since=now + timedelta(hours=1))
    for turns, updated in (((), now), ((newest,), newest.since)):
        feed = Feed(id="x", zone="Europe/Berlin", since=now, turns=turns)
        root = ET.fromstring(atom(feed, HOST))
        assert root.tag == f"{ATOM}feed"
        for required in ("id", "title", "updated", "author"):
            assert root.find(f"{ATOM}{required}") is not None
        assert root.findtext(f"{ATOM}updated") == updated.isoformat()
        calendar = icalendar.Calendar.from_ical(ics(feed, HOST))
        assert (calendar["version"], calendar.calendar_name) == ("2.0", "Emerald: my deadlines")
        assert calendar["prodid"]


def test_a_feed_is_told_in_the_language_of_its_owner() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    turns = tuple(turn(ply=ply, deadline=now, dragon=bool(ply), others=("Bert", "")) for ply in (0, 1))
    feed = Feed(id="x", zone="UTC", since=now, turns=(*turns, turn(ply=2)), language=TAG)
    with marking(), i18n.speaking("en"):
        assert f'xml:lang="{TAG}"'.encode() in atom(feed, HOST)
        told = [entry[name] for entry in entries(feed).values() for name in ("title", "content")]
        told += [str(event[name]) for event in events(feed).values() for name in ("summary", "description")]
        left = " ".join(facts(text) for text in told)
    assert set(left.split()) <= {"Bert", "und", "g", "(UTC)", "(UTC)."}

"""The page of a running game: what it offers is what is legal, its links and forms play it, and it tells no secrets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

import pytest
from flask import Flask
from sqlalchemy import event, func, select

from engine import MOVE, SPACES, action_notation, ahead, ways
from service.db import db, reading
from service.models import Move
from service.usecases import lobby, play, talk
from service.usecases.results import ClockSpec, GameView
from tests.service.table import ME, OPEN, Table
from tests.web.browsing import Browser, browser, signed_in_client
from tests.web.conftest import bribing

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

_ASKED = re.compile(r'<section class="group ask-(\w+)">(.*?)</section>', re.DOTALL)
_LINK = re.compile(r'<a[^>]* href="([^"]*)"[^>]*>.*?</a>', re.DOTALL)
_CODE = re.compile(r"<code>([^<]*)</code>")


def asked(text: str) -> dict[str, list[tuple[str, str]]]:
    """The questions of a page by kind: of each answer the address and the notation (empty where there is none)."""
    found = {}
    for kind, inner in _ASKED.findall(text):
        answers = []
        for match in _LINK.finditer(inner):
            code = _CODE.search(match[0])
            answers.append((unescape(match[1]), code[1] if code else ""))
        found[kind] = answers
    return found


def spots(text: str) -> list[str]:
    """Where the places on the board lead."""
    return [unescape(link) for link in re.findall(r'<a href="([^"]*)" class="spot', text)]


def answers(text: str) -> list[tuple[str, str]]:
    """The answers to what is asked now."""
    groups = asked(text)
    return groups.get("first") or groups["hand"]


def moves(game: str) -> int:
    with reading() as session:
        return session.scalar(select(func.count()).select_from(Move).where(Move.game_id == game)) or 0


def two(table: Table, app: Flask) -> tuple[Browser, Browser, str]:
    """Ada and Bo, each with a browser, and their game, in which Ada begins."""
    ada, bo = signed_in_client(app, table, "Ada"), signed_in_client(app, table, "Bo")
    return ada, bo, table.game(ada.caller, bo.caller)


@contextmanager
def statements(app: Flask) -> Iterator[list[str]]:
    """The SQL that runs within."""
    run: list[str] = []

    def note(_conn: object, _cursor: object, statement: str, *_: object) -> None:
        run.append(statement)

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield run
    finally:
        event.remove(engine, "before_cursor_execute", note)


@pytest.mark.parametrize(("players", "decisions"), [(2, 300), (4, 40)])
def test_a_whole_game_is_played_by_what_its_pages_offer(
    table: Table, api_app: Flask, players: int, decisions: int
) -> None:
    """At every decision all legal actions are offered and nothing else, in words and on the board alike."""
    people = [signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy", "Di")[:players]]
    game = table.game(*(person.caller for person in people))
    path, rng, kinds = f"/games/{game}", random.Random(players), set[str]()
    for _ in range(decisions):
        seen: GameView = table.view(people[0].caller, game)
        if seen.info.status == "over":
            break
        actor = people[seen.info.to_act or 0]
        legal = table.view(actor.caller, game).legal
        text = actor.visit(path)
        offered = answers(text)
        assert [notation for _, notation in offered] == [row.notation for row in legal]
        gold = [href for href, notation in offered if notation.startswith("bribe")]
        in_words_alone = {*gold, *(href for href, notation in offered if notation == "stop")}
        said = {href for href, _ in offered} | {href for href, _ in asked(text).get("second", [])}
        assert set(spots(text)) == said - in_words_alone
        text = actor.visit(rng.choice(offered)[0])
        for _ in range(rng.randrange(3)):
            more = [link for kind, links in asked(text).items() if kind in ("second", "card") for link, _ in links]
            if more:
                text = actor.visit(rng.choice(more))
        kinds |= set(asked(text))
        before = moves(game)
        text = actor.send(f"{path}/play")
        assert moves(game) > before
        if table.view(actor.caller, game).info.status == "playing":
            assert "What came of it" in text
    assert (table.view(people[0].caller, game).info.status == "over") == (decisions == 300)
    assert people[0].visit(path).count("<h1") == 1
    assert {"first", "second", "card"} <= kinds


def test_a_turn_with_all_that_may_come_up_is_said_in_one_go(table: Table, api_app: Flask) -> None:
    """Whom to catch, how to answer, in whatever order it is pressed; each can be taken back."""
    rng = random.Random(5)
    ada, bo = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Bo")
    for _ in range(20):
        game = table.game(ada.caller, bo.caller)
        for _ in range(80):
            seen = table.view(ada.caller, game)
            if seen.info.status == "over":
                break
            for move in _that_meet_several(seen):
                _say_it_all(ada, game, f"/games/{game}?line={move}")
                return
            actor = ada if seen.info.to_act == 0 else bo
            table.move(actor.caller, game, rng.choice(table.view(actor.caller, game).legal).number)
    raise AssertionError("the dragon was never to be met")


def _that_meet_several(seen: GameView) -> list[str]:
    """First knights that may bring the dragon to several colours, black among them, whose seat has gold to give."""
    view = seen.view
    if view is None or view.phase != MOVE or not view.legal or not view.hand_counts[0] or view.moved:
        return []
    found = []
    for way in ways(view):
        told = ahead(view, way.move)
        for cave in told.flights:
            there = [color for color, spaces in enumerate(told.then.knights) if SPACES.index(f"c{cave}") in spaces]
            if len(there) > 1 and 0 in there:
                found.append(action_notation(way.move, 2).replace(" ", "+"))
    return found


def _say_it_all(ada: Browser, game: str, link: str) -> None:
    def press(kind: str, words: str) -> str:
        for match in _LINK.finditer(dict(_ASKED.findall(ada.answer.text))[kind]):
            if unescape(re.sub("<[^>]*>", "", match[0])).strip().endswith(words):
                return ada.visit(unescape(match[1]))
        raise AssertionError(f"{words} is not offered")

    ada.visit(link)
    press("catch", "green (Bo)")
    press("catch", "whoever leads")
    press("catch", "never me")
    text = press("bribe", "my lowest gold")
    line = ada.form(f"/games/{game}/play").fields["line"][0]
    assert line.endswith("catch green>leader never me bribe lowest")
    assert "If you choose whom the dragon catches: green (Bo), else whoever of the others leads; never you" in text
    assert "If the dragon catches a knight of yours, it gets your lowest gold." in text
    press("catch", "1. green (Bo)")
    press("bribe", "leave it open")
    assert ada.form(f"/games/{game}/play").fields["line"][0].endswith("catch leader never me")
    before = moves(game)
    text = ada.send(f"/games/{game}/play")
    assert moves(game) > before
    assert "What came of it" in text


def test_the_first_knight_shows_where_the_others_would_then_go(table: Table, api_app: Flask) -> None:
    ada, _, game = two(table, api_app)
    text = ada.visit(f"/games/{game}?line=black+t1")
    assert "Your knight on t1 (black) goes 4 steps to m4." in text
    notations = [code for _, code in asked(text)["second"]]
    assert notations == ["black t2", "black t3", "black t4", "stop"], "the one on m4 may not go again (R-MOVE-2)"
    both = ada.visit(f"/games/{game}?line=black+t1,++black+T2")
    assert "second" not in asked(both)
    assert ada.form(f"/games/{game}/play").fields["line"] == ["black t1 black t2"]
    assert "Take back: knight on t2" in both


def test_what_cannot_be_said_is_told_in_words_and_stays_in_the_field(table: Table, api_app: Flask) -> None:
    ada, bo, game = two(table, api_app)
    path = f"/games/{game}"
    for line, why in [
        ("banana", "is no word of the notation"),
        ("black c1", "no black knight stands on c1 (R-MOVE-1)"),
        ("t1", "Knights of two of your colours stand on t1: write black t1 or orange t1."),
        ("black t1 orange t2", "R-MOVE-6"),
        ("99", "99 is not in the list."),
        ("catch green", "Say first which knight moves."),
        ("black t1 catch yellow", "yellow is not in this game"),
        ('"><script>alert(1)</script>', "is no word of the notation"),
    ]:
        text = ada.visit(f"{path}?line={line.replace(' ', '+')}")
        assert why in unescape(text)
        assert "<script>alert" not in text
        assert ada.form(f"{path}/line").fields["line"] == [line]
        assert len(answers(text) if "second" not in asked(text) else asked(text)["second"]) > 3
    assert moves(game) == 0
    numbered = ada.visit(f"{path}?line=3")
    assert "Your knight on t3 (black) goes 4 steps to m4." in numbered
    assert "Take back" not in bo.visit(f"{path}?line=black+t1"), "nobody else puts a turn together"


def test_a_move_that_comes_late_or_twice_or_wrong_plays_nothing_more(table: Table, api_app: Flask) -> None:
    ada, bo, game = two(table, api_app)
    path = f"/games/{game}"
    ada.visit(f"{path}?line=black+t1+stop")
    form = ada.form(f"{path}/play")
    first = ada.post(form.action, data=form.fields)
    again = ada.post(form.action, data=form.fields)
    assert (first.status_code, again.status_code, moves(game)) == (303, 303, 2)
    assert first.location == again.location == f"{path}?played=0"
    other = ada.post(form.action, data=form.fields | {"line": ["black t2"]})
    assert other.status_code == 409
    assert "This idempotency key came with another move before" in other.text
    late = ada.post(form.action, data=form.fields | {"line": ["black t2"], "key": ["another"]})
    assert late.status_code == 409
    assert "The game is at ply 2, and this move is for ply 0." in late.text
    assert "<code>black t2</code>" in late.text, "nothing typed is lost"
    now = form.fields | {"key": ["third"], "ply": ["2"]}
    early = ada.post(form.action, data=now)
    assert early.status_code == 409
    assert "Nothing was played." in early.text
    bo.visit(f"{path}?line=green+t1")
    hers = bo.form(f"{path}/play")
    wrong = bo.post(hers.action, data=hers.fields | {"line": ["black t1"]})
    assert wrong.status_code == 422
    assert "R-MOVE-1" in wrong.text
    assert "<code>black t1</code>" in wrong.text
    assert bo.post(hers.action, data=hers.fields | {"csrf_token": [""]}).status_code == 400
    assert bo.post(hers.action, data=hers.fields | {"ply": ["x"]}).status_code == 409
    old = bo.visit(f"{path}?line=green+t1&ply=1")
    assert "The game has gone on since this was put together: <code>green t1</code>" in old
    assert "Take back" not in old
    assert moves(game) == 2


def test_a_hand_and_a_bribe_are_on_nobody_elses_page(table: Table, api_app: Flask) -> None:
    people = [signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy")]
    game, owner, link, value = bribing(table, [person.caller for person in people])
    path, mine = f"/games/{game}", next(person for person in people if person.caller == owner)
    others = [person for person in people if person is not mine]
    text = mine.visit(path)
    assert f"bribe {value}" in text
    assert '<p class="hand">' in text
    for other in others:
        text = other.visit(f"{path}?line=bribe+{value}")
        assert "bribe 1" not in text + "bribe 2"
        assert asked(text) == {}
        own = table.view(other.caller, game).view
        assert own is not None
        assert text.count('class="gold-card"') == own.hand_counts[own.viewer or 0], "the own hand and no other"
        assert len(re.findall("Your gold", text)) >= 1
    (card,) = [href for href, notation in answers(mine.visit(path)) if notation == f"bribe {value}"]
    mine.visit(card)
    done = mine.send(f"{path}/play")
    assert f"You gave the dragon the gold card {value}" in done
    assert link.ply < table.view(owner, game).info.ply
    for other in others:
        text = other.visit(path)
        assert "gave the dragon a gold card, and the" in text
        assert f"the gold card {value}, and" not in text


def test_no_address_tells_which_gold_card_the_dragon_gets(table: Table, api_app: Flask) -> None:
    """Proxies keep addresses: the value of a hidden card stands in none, whether it was clicked or typed."""
    people = [signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy")]
    game, owner, link, value = bribing(table, [person.caller for person in people])
    path, mine = f"/games/{game}", next(person for person in people if person.caller == owner)
    offered = answers(mine.visit(path))
    cards = [href for href, notation in offered if notation.startswith("bribe")]
    assert len(set(cards)) == len(cards) > 1
    mine.visit(next(href for href, notation in offered if notation == f"bribe {value}"))
    assert mine.form(f"{path}/play").fields["line"] == [f"bribe {value}"]
    clicked = mine.answer.request.full_path
    mine.visit(path)
    mine.send(f"{path}/line", line=f"bribe {value}")
    assert mine.answer.request.full_path == clicked, "typed as clicked"
    assert mine.form(f"{path}/play").fields["line"] == [f"bribe {value}"]
    assert mine.form(f"{path}/line").fields["line"] == [f"bribe {value}"]
    order = "bribe at most 3 while I have 2 cards"
    mine.send(f"{path}/line", line=order)
    assert mine.form(f"{path}/play").fields["line"] == [order]
    seen = [*cards, clicked, mine.answer.request.full_path, *mine.page.links]
    assert not [href for href in seen if re.search(r"(bribe|most)(\+|%20)\d", href)]
    wrong = mine.send(f"{path}/line", status=422, line="bribe 7")
    assert mine.form(f"{path}/line").fields["line"] == ["bribe 7"], "nothing typed is lost"
    assert "is no gold card" in unescape(wrong)
    for other in people:
        if other is not mine:
            assert f"bribe {value}" not in other.visit(clicked), "nobody else can read it"
    assert link.ply == table.view(owner, game).info.ply
    mine.visit(clicked)
    mine.send(f"{path}/play")
    late = mine.visit(clicked)
    assert f"The game has gone on since this was put together: <code>bribe {value}</code>" in late
    form = {"csrf_token": mine.page.forms[0].fields["csrf_token"], "ply": [str(link.ply)], "line": [f"bribe {value}"]}
    assert mine.post(f"{path}/line", data=form).status_code == 409
    assert mine.post(f"{path}/line", data=form | {"csrf_token": ["x"]}).status_code == 400


def test_names_and_talk_are_only_text(table: Table, api_app: Flask) -> None:
    evil = '<script>alert("x")</script>'
    ada, bo = (
        signed_in_client(api_app, table, table.person(evil, "ada@example.org")),
        signed_in_client(api_app, table, "Bo"),
    )
    game = table.game(ada.caller, bo.caller)
    talk.say(caller=ada.caller, game_id=game, text=f'{evil}<img src=x onerror="y">', now=table.now)
    talk.note(caller=ada.caller, game_id=game, text="my secret note", now=table.now)
    for text in (ada.visit(f"/games/{game}"), bo.visit(f"/games/{game}")):
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "&lt;img src=x" in text
        assert "my secret note" not in text
        assert " style=" not in text
        assert not re.search(r"<[^<>]*\son\w+=", text)


def test_the_pulse_beats_when_something_happened_that_one_may_see(table: Table, api_app: Flask) -> None:
    ada, bo, game = two(table, api_app)
    path = f"/games/{game}"

    def beat(who: Browser) -> str:
        answer = who.get(f"{path}/pulse")
        assert answer.headers["Cache-Control"] == "no-store"
        return str(answer.get_json()["version"])

    version = beat(bo)
    assert f'data-version="{version}"' in bo.visit(path)
    talk.note(caller=ada.caller, game_id=game, text="to myself", now=table.now)
    assert beat(bo) == version, "nobody else hears of a note"
    assert beat(ada) != version
    talk.say(caller=ada.caller, game_id=game, text="hello", now=table.now)
    assert (spoken := beat(bo)) != version
    play.submit(caller=ada.caller, game_id=game, ply=0, line="black t1", now=table.now)
    assert beat(bo) != spoken
    assert f'data-version="{beat(bo)}"' in bo.visit(path)
    private = table.game(ada.caller, bo.caller, public=False)
    for unseen in (private, "nothing"):
        assert browser(api_app).get(f"/games/{unseen}").status_code == 404
        assert browser(api_app).get(f"/games/{unseen}/pulse").status_code == 404
    with statements(api_app) as run:
        browser(api_app).get(f"{path}/pulse")
    assert [one.split()[0] for one in run] == ["BEGIN", "SELECT", "SELECT"]


def test_a_page_asks_the_database_little(table: Table, api_app: Flask) -> None:
    ada, _, game = two(table, api_app)
    ada.visit(f"/games/{game}")
    with statements(api_app) as run:
        ada.visit(f"/games/{game}?line=black+t1")
    assert len([one for one in run if one.startswith("SELECT")]) <= 13


def test_who_does_not_play_sees_the_game_and_no_choice(table: Table, api_app: Flask) -> None:
    ada, bo = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Bo")
    game = lobby.create_game(caller=ada.caller, seats=[ME, OPEN], public=True, first=0, now=table.now)
    lobby.join(caller=bo.caller, game_id=game, now=table.now)
    table.move(ada.caller, game)
    text = browser(api_app).visit(f"/games/{game}?line=black+t1&played=0")
    assert "Ada is to move a second knight or stop" in text
    assert "Ada moved a black knight from t1 to m4." in text
    assert asked(text) == {}
    assert "<form" not in text.split("<main")[1].split("</main>")[0]
    assert spots(text) == []


def test_a_resigned_seat_says_so(table: Table, api_app: Flask) -> None:
    ada, bo, cy = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy"))
    game = table.game(ada.caller, bo.caller, cy.caller)
    lobby.resign(caller=bo.caller, game_id=game, now=table.now)
    text = bo.visit(f"/games/{game}")
    assert "You resigned from this game: a bot moves for your seat." in text
    assert asked(text) == {}
    assert "resigned, a bot plays" in ada.visit(f"/games/{game}")


def test_a_held_seat_can_be_taken_back_from_its_page(table: Table, api_app: Flask) -> None:
    ada, bo, cy = (signed_in_client(api_app, table, name) for name in ("Ada", "Bo", "Cy"))
    game = table.game(ada.caller, bo.caller, cy.caller, clock=ClockSpec("days", days=1))
    for _ in range(60):
        if table.view(ada.caller, game).info.seats[0].held:
            break
        seen = table.view(ada.caller, game)
        if seen.info.to_act:
            table.move((ada, bo, cy)[seen.info.to_act].caller, game)
        else:
            table.wait(days=3)
    text = ada.visit(f"/games/{game}")
    assert "A bot holds your seat" in text
    assert asked(text) == {}
    assert "a bot holds the seat" in bo.visit(f"/games/{game}")
    ada.visit(f"/games/{game}")
    ada.send(f"/games/{game}/resume")
    assert "A bot holds your seat" not in ada.visit(f"/games/{game}")

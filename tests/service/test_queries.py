"""Looking: who sees what, and what nobody sees."""

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as bounded
from hypothesis import strategies as st
from sqlalchemy import select

from engine import verify, view_to_json
from service.db import reading, transaction
from service.errors import GAME_NOT_OVER, INVALID, NOT_A_PLAYER, NOT_FOUND, SCOPE_MISSING
from service.mail import kinds
from service.models import Game, LogEntry
from service.usecases import access, lobby, paging, queries, talk, tokens
from service.usecases.results import Caller, GameInfo
from tests.service.table import ME, OPEN, START, Table, refused


def test_a_spectator_sees_a_public_game_and_no_hand(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = table.game(anna, bert)
    for caller in (carl, None):
        seen = table.view(caller, game_id)
        assert seen.info.you is None
        assert seen.legal == ()
        assert seen.view is not None
        assert seen.view.hands == (None, None)
        assert (seen.info.join_code, seen.info.seed) == (None, None)
        assert [seat.entropy for seat in seen.info.seats] == [None, None]


def test_what_does_not_exist_is_not_found(table: Table) -> None:
    for nowhere in ("zzzzzzzzzzzz", "", "\x00", "a" * 1000, "ABCDEFGHJKMN"):
        with refused(NOT_FOUND):
            table.view(None, nowhere)
        with refused(NOT_FOUND):
            queries.events(caller=None, game_id=nowhere)


def test_a_token_that_may_only_move_may_not_look(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    new = tokens.create_token(caller=anna, name="x", scopes=["account"], now=table.now)
    weak = tokens.authenticate(token=new.token, now=table.now)
    for look in (queries.game_view, queries.events, queries.record):
        with refused(SCOPE_MISSING):
            look(caller=weak, game_id=game_id)
    with refused(SCOPE_MISSING):
        queries.turns(caller=weak)
    with refused(SCOPE_MISSING):
        lobby.my_games(caller=weak)


def test_the_log_is_read_in_pieces(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.move(anna, game_id)
    whole = queries.events(caller=anna, game_id=game_id)
    pieces: list[int] = []
    after = 0
    for _ in range(20):
        page = queries.events(caller=anna, game_id=game_id, after=after, limit=2)
        pieces += [line.seq for line in page.items]
        if not page.items:
            assert page.next == str(after)
            break
        after = int(page.next or 0)
    assert pieces == [line.seq for line in whole.items] == sorted(pieces)
    assert [line.kind for line in whole.items][:3] == ["created", "joined", "started"]
    assert all(line.data["kind"] == line.kind for line in whole.items)
    more: dict[str, int]
    for more in ({"after": -1}, {"after": 2**31}, {"limit": 0}, {"limit": 1000}):
        with refused(INVALID):
            queries.events(caller=anna, game_id=game_id, **more)


def test_a_note_is_its_writers_alone(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = table.game(anna, bert)
    talk.note(caller=anna, game_id=game_id, text="my secret plan", now=table.now)
    line = talk.say(caller=bert, game_id=game_id, text=" Hello\r\nall ", now=table.now)
    assert line.data == {"seat": 1, "text": "Hello\nall", "kind": "say"}
    assert "secret plan" in repr(queries.events(caller=anna, game_id=game_id))
    for caller in (bert, carl, None):
        log = repr(queries.events(caller=caller, game_id=game_id))
        assert "secret plan" not in log
        assert "Hello" in log
    for speak in (talk.say, talk.note):
        with refused(NOT_A_PLAYER):
            speak(caller=carl, game_id=game_id, text="hi", now=table.now)


@pytest.mark.parametrize("text", ["", "  \n", "x" * 2001, "a\x00b", "a\x1bb", "a\u202eb", "\ud800"])
def test_words_that_are_refused(table: Table, text: str) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    with refused(INVALID):
        talk.say(caller=anna, game_id=game_id, text=text, now=table.now)


def test_the_record_is_there_at_the_end_and_holds(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN], first=1, entropy="a", now=table.now)
    carl = table.person("Carl")
    with refused(GAME_NOT_OVER):
        queries.record(caller=anna, game_id=game_id)
    lobby.join(caller=bert, game_id=game_id, entropy="b", now=table.now)
    lobby.join(caller=carl, game_id=game_id, now=table.now)
    with refused(GAME_NOT_OVER):
        queries.record(caller=anna, game_id=game_id)
    table.play_out([anna, bert, carl], game_id)
    record = json.loads(json.dumps(queries.record(caller=None, game_id=game_id)))
    verify(record)
    info = table.view(None, game_id).info
    assert record["commitment"] == info.commitment
    assert record["entropy"] == ["a", "b", ""]
    assert record["first_set"] == 1
    assert info.result is not None
    assert tuple(record["result"]["scores"]) == info.result.scores


def _hidden(game_id: str) -> dict[str, Any]:
    with reading() as session:
        game = session.get(Game, game_id)
        assert game is not None
        return {"seed": game.seed, "join_code": game.join_code, "position": game.position}


@pytest.mark.parametrize(("database", "players"), [("sqlite", 2), ("postgres", 3)], indirect=["database"])
def test_nothing_hidden_leaves_during_a_whole_game(table: Table, players: int) -> None:
    """What the readers in turn can fetch, and every mail: no seed, and of each field only what is open."""
    people = [table.person(name) for name in ("Anna", "Bert", "Carl")][:players]
    game_id = table.game(*people)
    readers: list[Caller | None] = [*people, None]
    for ply in range(400):
        hidden = _hidden(game_id)
        number = ply % len(readers)
        reader, seat = readers[number], None if number == players else number
        seen = table.view(reader, game_id)
        log = queries.events(caller=reader, game_id=game_id, after=2 * ply)
        assert hidden["seed"] not in repr((seen, log))
        assert seen.view is not None
        _check_view(view_to_json(seen.view), hidden["position"], seat)
        assert seen.legal == () or seen.info.to_act == seat
        for mail in table.post():
            assert hidden["seed"] not in repr(mail)
            board = getattr(mail, "view", None)
            if board is not None:
                _check_view(view_to_json(board), hidden["position"], mail.seat)  # type: ignore[union-attr]
        actor = table.view(None, game_id).info.to_act
        assert actor is not None
        legal = table.view(people[actor], game_id).legal
        # The last: takes gems, surrenders; but to stop each time would make a game twice as long.
        table.move(people[actor], game_id, 1 if legal[-1].notation == "stop" and ply % 8 else len(legal))
        if table.view(None, game_id).info.status == "over":
            return
    raise AssertionError("the game never ends")


def _check_view(board: dict[str, Any], position: dict[str, Any], seat: int | None) -> None:
    for other, hand in enumerate(board["hands"]):
        assert hand["cards"] == (position["hands"][other] if other == seat else None)
        assert board["given"][other]["cards"] == (position["given"][other] if other == seat else None)
    assert not {"dice", "thrown", "piles", "seed"} & set(board)
    for up, piles in zip(board["face_up"], position["piles"], strict=True):
        assert up["gold"] == (piles["gold"][0] if piles["gold"] else None)
        assert up["gem"] == (piles["gem"][0] if piles["gem"] else None)


def test_what_was_given_to_the_dragon_is_the_givers_secret(table: Table) -> None:
    """R-DRAG-7: in the log, in answers and in mails the value of a bribe is there for its giver alone."""
    found = 0
    people = [table.person(name) for name in ("Anna", "Bert", "Carl")]
    for _ in range(12):
        game_id = table.game(*people)
        for _ in range(400):
            info = table.view(None, game_id).info
            if info.status == "over":
                break
            actor = info.to_act or 0
            rows = table.view(people[actor], game_id).legal
            bribes = [row.number for row in rows if row.notation.startswith("bribe")]
            gold = [row.number for row in rows if row.notation == "gold"]
            far = rows[len(rows) // 2].number
            table.move(people[actor], game_id, (bribes or gold or [far])[0])
            if bribes:
                break
        with reading() as session:
            entries = session.scalars(
                select(LogEntry).where(LogEntry.game_id == game_id, LogEntry.kind == "bribed")
            ).all()
        for entry in entries:
            found += 1
            for seat, reader in enumerate([*people, None]):
                seen: list[dict[str, Any]] = []
                after = 0
                while page := queries.events(caller=reader, game_id=game_id, after=after).items:
                    seen += [dict(line.data) for line in page if (line.ply, line.kind) == (entry.ply, "bribed")]
                    after = page[-1].seq
                assert ("gold" in seen[0]) == (seat == entry.seat)
        if found:
            break
    assert found, "no game had a bribe"
    for mail in table.post():
        if isinstance(mail, kinds.TurnNotice):
            told = [entry for entry in mail.log if entry.kind == "bribed" and "gold" in entry.data]
            assert all(entry.seat == mail.seat for entry in told)


def test_two_games_that_differ_in_what_is_hidden_look_the_same(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.move(anna, game_id)
    before = [repr((table.view(c, game_id), queries.events(caller=c, game_id=game_id))) for c in (anna, bert, None)]
    with transaction() as session:
        game = access.locked(session, game_id)
        assert game.position is not None
        piles = [
            {kind: [*cards[:1], *reversed(cards[1:])] for kind, cards in pile.items()}
            for pile in game.position["piles"]
        ]
        game.position = {**game.position, "piles": piles, "dice": game.position["dice"][::-1]}
        game.seed = "0" * 64
    after = [repr((table.view(c, game_id), queries.events(caller=c, game_id=game_id))) for c in (anna, bert, None)]
    assert before == after


def test_a_new_column_of_the_game_is_not_shown_by_itself(table: Table) -> None:
    """What a GameInfo shows is written out field by field: these columns are not among them."""
    shown = set(GameInfo.__dataclass_fields__)
    assert not {"position", "creator_id", "rules_version", "log_seq"} & shown


def test_counts_know_games_and_outbox(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    table.game(anna, bert)
    counts = queries.counts(now=table.clock.forward(seconds=90))
    assert counts.games == {"playing": 1}
    assert counts.outbox[("mail.turn", "pending")] == 1
    assert (counts.oldest_due_seconds, counts.clock_late_seconds) == (90, 0.0)
    queries.ready()
    assert not re.search("anna|@", repr(counts))


@bounded(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60))
def test_a_cursor_made_of_anything_is_refused(text: str) -> None:
    with refused(INVALID):
        paging.moments_and_id(text, 1)


def test_a_cursor_comes_back() -> None:
    text = paging.cursor(START, START, "abc23")
    assert paging.moments_and_id(text, 2) == ([START, START], "abc23")
    with refused(INVALID):
        paging.moments_and_id(text, 1)

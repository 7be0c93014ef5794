"""Two workers, a retry, a hostile client: many at once on a real database."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import pytest
from flask import Flask
from sqlalchemy import func, select

from service.codes import sign_in_code
from service.db import reading, settings
from service.errors import BAD_CODE, FORBIDDEN, RATE_LIMITED, Refusal
from service.models import Address, Challenge, Move, OutboxRow, User
from service.usecases import accounts, addresses, bots, challenges, lobby, play
from tests.service.table import BOT, ME, OPEN, Table

T = TypeVar("T")


def at_once(app: Flask, calls: Sequence[Callable[[], T]]) -> list[T | Refusal]:
    """Every call in a thread of its own, all let loose together; results and refusals in order."""
    gate = threading.Barrier(len(calls))
    results: dict[int, T | Refusal] = {}
    faults: list[BaseException] = []

    def run(index: int) -> None:
        with app.app_context():
            gate.wait(30)
            try:
                results[index] = calls[index]()
            except Refusal as refusal:
                results[index] = refusal
            except BaseException as error:  # noqa: BLE001 - shown by the assertion below
                faults.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert faults == []
    return [results[index] for index in range(len(calls))]


def _kinds(results: Sequence[object]) -> Counter[str]:
    return Counter(result.code if isinstance(result, Refusal) else "ok" for result in results)


def test_fifty_times_the_same_move(app: Flask, table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    calls = [
        partial(play.submit, caller=anna, game_id=game_id, ply=0, line="black t1", idempotency_key=key, now=table.now)
        for key in [None] * 25 + ["k"] * 15 + [f"k{n}" for n in range(10)]
    ]
    answers = at_once(app, calls)
    texts = {answer.text for answer in answers if not isinstance(answer, Refusal)}
    assert len(answers) == 50
    assert len(texts) == 1, _kinds(answers)
    assert sum(not answer.repeated for answer in answers if not isinstance(answer, Refusal)) == 1
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Move)) == 1


def test_fifty_different_moves_for_one_ply(app: Flask, table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    lines = [f"{color} {space}" for color in ("black", "orange") for space in ("t1", "t2", "t3", "t4")]
    tails = ["", " gold", " gem", " bribe 1", " bribe 2", " bribe lowest", " surrender"]
    said = [line + tail for line in lines for tail in tails][:50]
    assert len(set(said)) == 50
    answers = at_once(
        app,
        [partial(play.submit, caller=anna, game_id=game_id, ply=0, line=line, now=table.now) for line in said],
    )
    assert _kinds(answers) == {"ok": 1, "stale-ply": 49}
    assert all(answer.details["ply"] == 1 for answer in answers if isinstance(answer, Refusal))
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Move)) == 1


def test_the_last_seat_is_taken_once_and_the_game_starts_once(app: Flask, table: Table) -> None:
    anna = table.person("Anna")
    others = [table.person(f"Guest {n}") for n in range(6)]
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now)
    results = at_once(app, [partial(lobby.join, caller=who, game_id=game_id, now=table.now) for who in others])
    assert _kinds(results) == {"ok": 1, "game-full": 5}
    with reading() as session:
        begun = session.scalar(select(func.count()).where(OutboxRow.topic.in_(("mail.turn", "mail.started"))))
    assert begun == 2


def test_one_person_does_not_get_two_seats(app: Flask, table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN, OPEN], now=table.now)
    results = at_once(app, [partial(lobby.join, caller=bert, game_id=game_id, now=table.now)] * 8)
    assert _kinds(results) == {"ok": 1, "already-joined": 7}


def test_one_rematch(app: Flask, table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.play_out([anna, bert], game_id)
    made = at_once(
        app,
        [partial(lobby.rematch, caller=who, game_id=game_id, now=table.now) for who in (anna, bert) * 4],
    )
    assert len({*map(str, made)}) == 1, made


def test_a_bots_turn_is_played_once_by_many_workers(app: Flask, table: Table) -> None:
    anna = table.person("Anna")
    game_id = lobby.create_game(caller=anna, seats=[ME, BOT], first=1, now=table.now)
    results = at_once(app, [partial(bots.think_and_play, game_id=game_id, ply=0, now=table.now)] * 6)
    assert "played" in results
    with reading() as session:
        moves = session.scalars(select(Move).order_by(Move.ply)).all()
    assert [move.ply for move in moves] == list(range(len(moves)))
    assert {move.seat for move in moves} == {1}
    assert table.view(anna, game_id).info.to_act == 0


def test_tries_are_counted_when_they_come_all_at_once(app: Flask, table: Table) -> None:
    accounts.sign_up(email="anna@example.org", display_name="Anna", now=table.now)
    code = table.code("anna@example.org")
    wrong = [f"{(int(code) + n) % 10**8:08}" for n in range(1, 21)]
    results = at_once(
        app,
        [partial(accounts.redeem_code, email="anna@example.org", code=guess, now=table.now) for guess in wrong],
    )
    assert _kinds(results) == {BAD_CODE: 20}
    with reading() as session:
        assert session.scalar(select(Challenge.tries)) == 5


def test_a_code_is_redeemed_once_by_many(app: Flask, table: Table) -> None:
    accounts.sign_up(email="anna@example.org", display_name="Anna", now=table.now)
    code = table.code("anna@example.org")
    results = at_once(
        app,
        [partial(accounts.redeem_code, email="anna@example.org", code=code, now=table.now)] * 8,
    )
    assert _kinds(results) == {"ok": 1, BAD_CODE: 7}
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(User)) == 1


def test_the_limit_of_codes_holds_against_a_crowd(app: Flask, table: Table) -> None:
    results = at_once(
        app,
        [partial(accounts.request_code, email="anna@example.org", now=table.now)] * 20,
    )
    assert _kinds(results) == {"ok": challenges.PER_WINDOW, RATE_LIMITED: 20 - challenges.PER_WINDOW}


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_name_is_given_once(app: Flask, table: Table) -> None:
    people = [table.person(f"Guest {n}") for n in range(6)]
    results = at_once(
        app,
        [partial(accounts.update_account, caller=who, display_name="Anna", now=table.now) for who in people],
    )
    assert _kinds(results) == {"ok": 1, "name-taken": 5}


def _code_of(account: str) -> str:
    """The code that this account's newest challenge mails."""
    with reading() as session:
        newest = select(Challenge.nonce).where(Challenge.user_id == account).order_by(Challenge.id.desc()).limit(1)
        return sign_in_code(settings().secret_key, session.scalars(newest).one())


def test_an_address_that_many_accounts_confirm_becomes_that_of_one(app: Flask, table: Table) -> None:
    people = [table.person(f"Guest {n}") for n in range(4)]
    for who in people:
        addresses.add(caller=who, email="shared@example.org", now=table.now)
    codes = [_code_of(who.user_id) for who in people]
    results = at_once(
        app,
        [
            partial(addresses.redeem, caller=who, email="shared@example.org", code=code, now=table.now)
            for who, code in zip(people, codes, strict=True)
            for _ in range(2)
        ],
    )
    # The one who was first finds the code used the second time; the others are told that it is somebody's by now.
    assert _kinds(results) == {"ok": 1, BAD_CODE: 1, FORBIDDEN: 6}


def test_of_addresses_that_are_all_removed_at_once_one_stays(app: Flask, table: Table) -> None:
    anna = table.person("Anna")
    for number in range(3):
        addresses.add(caller=anna, email=f"anna{number}@example.org", now=table.now)
        code = _code_of(anna.user_id)
        addresses.redeem(caller=anna, email=f"anna{number}@example.org", code=code, now=table.now)
    ids = [address.id for address in addresses.list_addresses(caller=anna)]
    results = at_once(
        app, [partial(addresses.remove, caller=anna, address_id=address, now=table.now) for address in ids]
    )
    assert _kinds(results) == {"ok": 3, FORBIDDEN: 1}
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Address)) == 1

"""Once: the same mail twice, several at once, mail and API at once, a crash between any two lines."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import event, func, select
from sqlalchemy.orm import Session

from service import outbox
from service.db import reading
from service.errors import Refusal
from service.mail import kinds
from service.mail.tokens import SeatToken
from service.models import Game, LogEntry, OutboxRow, User
from service.usecases import inbound, lobby, notices, play
from service.usecases.results import SeatSpec
from tests.service.inbound.postman import SERVICE, Postman, address, compose, mail_row, moves, said, states
from tests.service.table import ME, OPEN, Table, rows
from tests.service.test_races import at_once

on_postgres = pytest.mark.parametrize("database", ["postgres"], indirect=True)


class Crash(BaseException):
    """As if the process had been killed."""


@contextmanager
def killed_before_commit() -> Iterator[None]:
    """The next transaction dies when all of it is done but the commit."""

    def kill(session: Session) -> None:
        if session.in_nested_transaction():
            return
        raise Crash

    event.listen(Session, "before_commit", kill)
    try:
        with pytest.raises(Crash):
            yield
    finally:
        event.remove(Session, "before_commit", kill)


def _said() -> int:
    with reading() as session:
        return session.scalar(select(func.count()).where(LogEntry.kind == "say")) or 0


def _answers(table: Table) -> list[kinds.AnswerNotice]:
    return [notice for notice in table.post() if isinstance(notice, kinds.AnswerNotice)]


def _game(table: Table) -> tuple[str, str]:
    game_id = table.game(table.person("Anna"), table.person("Bert"))
    table.post()
    return game_id, address(SeatToken(game_id, 0, 0))


def test_the_same_mail_twice(table: Table, postman: Postman) -> None:
    game_id, to = _game(table)
    mail = compose("anna@example.org", to, "black t1\nsay hello")
    first = postman.bring(mail)
    assert postman.bring(mail, to=[to]) == first
    assert len(_answers(table)) == 1
    assert postman.bring(b"Received: once more\n" + mail.as_bytes()) == first
    assert inbound.read_mail(mail_id=first, now=table.now) == "answered"
    assert _answers(table) == []
    assert (moves(game_id), _said()) == (1, 1)


def test_a_crash_leaves_nothing_half_done(table: Table, postman: Postman) -> None:
    game_id, to = _game(table)
    with killed_before_commit():
        postman.bring(compose("anna@example.org", to, "black t1"))
    assert rows("inbound.read") == []
    id = postman.bring(compose("anna@example.org", to, "black t1\nsay hello\nname Annabel"))
    # killed after receiving: the row is still there; killed while reading: it is read anew
    for _ in range(3):
        with killed_before_commit():
            inbound.read_mail(mail_id=id, now=table.now)
        assert (moves(game_id), _said(), mail_row(id).state) == (0, 0, "received")
        assert rows("mail.answer") == []
    # killed after the commit, before the row was marked: the second reading does nothing
    assert inbound.read_mail(mail_id=id, now=table.now) == "answered"
    assert inbound.read_mail(mail_id=id, now=table.now) == "answered"
    assert len(_answers(table)) == 1
    assert (moves(game_id), _said()) == (1, 1)


def test_a_mail_that_is_not_there(table: Table) -> None:
    assert inbound.read_mail(mail_id=12345, now=table.now) == "noted"


@on_postgres
def test_one_mail_read_by_many_workers(app: Flask, table: Table, postman: Postman) -> None:
    game_id, to = _game(table)
    id = postman.bring(compose("anna@example.org", to, "black t1\nsay hello"))
    done = at_once(app, [partial(inbound.read_mail, mail_id=id, now=table.now)] * 8)
    assert set(done) == {"answered"}
    assert len(_answers(table)) == 1
    assert (moves(game_id), _said()) == (1, 1)


@on_postgres
def test_many_mails_with_one_move_and_the_api_at_once(app: Flask, table: Table, postman: Postman) -> None:
    anna = table.person("Anna")
    game_id = table.game(anna, table.person("Bert"))
    table.post()
    to = address(SeatToken(game_id, 0, 0))
    ids = [postman.bring(compose("anna@example.org", to, text)) for text in ["black t1"] * 4 + ["black t2"] * 4]
    calls: list[Callable[[], object]] = [partial(inbound.read_mail, mail_id=id, now=table.now) for id in ids]
    calls += [partial(play.submit, caller=anna, game_id=game_id, ply=0, line="black t1", now=table.now)] * 4
    done = at_once(app, calls)
    assert [one for one in done[:8] if one != "answered"] == []
    assert moves(game_id) == 1
    answers = _answers(table)
    assert len(answers) == 8
    assert Counter(outcome.state for answer in answers for outcome in answer.outcomes) == {"done": 4, "refused": 4}


@on_postgres
def test_both_players_at_once_and_the_same_at_two_tables(app: Flask, table: Table, postman: Postman) -> None:
    """Mails that need the games of one another, in the other order: nobody waits for ever, nothing is lost."""
    anna, bert = table.person("Anna"), table.person("Bert")
    one, two = (lobby.create_game(caller=who, seats=[ME, OPEN, OPEN], now=table.now) for who in (anna, bert))
    table.post()
    mails = [
        compose("anna@example.org", address(SeatToken(one, 0, None)), f"say one\njoin {two}\nsay two"),
        compose("bert@example.org", address(SeatToken(two, 0, None)), f"say two\njoin {one}\nsay one"),
    ]
    ids = [postman.bring(mail) for mail in mails]
    at_once(app, [partial(inbound.read_mail, mail_id=id, now=table.now) for id in ids])
    assert len(_answers(table)) == 2  # whichever had to give way is read again
    assert _said() == 4


@on_postgres
def test_nobody_has_to_give_way_to_a_mail_about_another_game(app: Flask, table: Table, postman: Postman) -> None:
    """What waits for the same people is held in one order, whatever the order of the commands."""
    anna, bert = table.person("Anna"), table.person("Bert")
    one, two = table.game(anna, bert), table.game(anna, bert)
    table.post()
    own = ["digest on 7", "zone Europe/Berlin", "resume mail", "digest off"]
    ids = [
        postman.bring(compose(email, address(SeatToken(game, seat, None)), "\n".join([own[n], "say hi", own[n - 1]])))
        for n in range(4)
        for seat, email in enumerate(("anna@example.org", "bert@example.org"))
        for game in (one, two)
    ]
    assert set(at_once(app, [partial(inbound.read_mail, mail_id=id, now=table.now) for id in ids])) == {"answered"}
    assert _said() == len(ids)


@on_postgres
def test_a_confirmation_answered_twice_at_once(app: Flask, table: Table, postman: Postman) -> None:
    confirm = postman.write("robin@example.org", SERVICE, "new 2 seats")[0]
    assert confirm.envelope.reply is not None
    to = address(confirm.envelope.reply)
    ids = [postman.bring(compose("robin@example.org", to, "yes")) for _ in range(6)]
    at_once(app, [partial(inbound.read_mail, mail_id=id, now=table.now) for id in ids])
    answers = _answers(table)
    assert len(answers) == 6
    assert sum("Welcome" in said(answer) for answer in answers) == 1
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(User)) == 1
        assert session.scalar(select(func.count()).select_from(Game)) == 1


@on_postgres
def test_an_invitation_accepted_twice_at_once(app: Flask, table: Table, postman: Postman) -> None:
    anna = table.person("Anna")
    lobby.create_game(caller=anna, seats=[ME, SeatSpec("invite", email="robin@example.org"), OPEN], now=table.now)
    table.post()
    invitation = table.mails(kinds.InvitationNotice)[0]
    to = address(invitation.envelope.reply)
    ids = [postman.bring(compose("robin@example.org", to, "accept")) for _ in range(4)]
    done = at_once(app, [partial(inbound.read_mail, mail_id=id, now=table.now) for id in ids])
    assert [one for one in done if isinstance(one, Refusal)] == []
    assert Counter(outcome.state for answer in _answers(table) for outcome in answer.outcomes) == {
        "done": 1,
        "refused": 3,
    }
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(User)) == 2


def test_an_answer_is_the_same_however_often_it_is_made(table: Table, postman: Postman) -> None:
    """Its worker may die after sending it: what goes out then is the same mail, though the game has gone on."""
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    answer = postman.reply(postman.turn(anna), "black t1\nstop")
    while table.view(bert, game_id).info.to_act == 1:
        table.move(bert, game_id)
    table.move(anna, game_id)
    with reading() as session:
        row = session.scalars(select(OutboxRow).where(OutboxRow.topic == "mail.answer")).one()
        row_id = row.id
    seen = outbox.peek(row_id)
    assert seen is not None
    claimed = outbox.Claimed(
        id=seen.id,
        topic=seen.topic,
        key=seen.key,
        payload=seen.payload,
        message_id=seen.message_id,
        attempt=2,
        created_at=seen.created_at,
    )
    again = notices.compose(row=claimed, now=table.now).notice
    assert isinstance(again, kinds.AnswerNotice)
    assert (again.view, again.ply, again.outcomes) == (answer.view, answer.ply, answer.outcomes)
    assert again.envelope == answer.envelope
    assert states(again) == [("black t1 / stop", "done")]

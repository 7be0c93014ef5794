"""What machines send: noted, never answered, never a move; and two machines do not write to each other for ever."""

from pathlib import Path

import pytest
from sqlalchemy import select

from service.db import reading
from service.mail import kinds
from service.mail.tokens import BounceToken, SeatToken
from service.models import Address, Delivery, Game
from tests.service.inbound.postman import SERVICE, Postman, address, compose, mail_row, moves, newest, said, states
from tests.service.table import Table

LETTERS = Path(__file__).parents[2] / "mail" / "letters" / "given"
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def game_id(table: Table) -> str:
    game_id = table.game(table.person("Anna"), table.person("Bert"))
    table.post()
    return game_id


@pytest.mark.parametrize(
    ("headers", "note"),
    [
        ([("Auto-Submitted", "auto-replied")], "auto-reply"),
        ([("auto-submitted", "auto-generated"), ("X-Auto-Response-Suppress", "All")], "auto-reply"),
        ([("Precedence", "bulk"), ("List-Id", "<players.example.org>")], "auto-reply"),
        ([("X-Autoreply", "yes")], "auto-reply"),
    ],
)
def test_automatic_mail_is_noted(
    table: Table, postman: Postman, game_id: str, headers: list[tuple[str, str]], note: str
) -> None:
    to = address(SeatToken(game_id, 0, 0))
    for text in ("black t1", "3", "I am away.\n\n3\n"):
        postman.silence("anna@example.org", to, text, headers=headers)
        assert (newest().state, newest().note) == ("noted", note)
    # nor is anybody warned of a machine that writes from elsewhere
    postman.silence("mallory@example.net", to, "black t1", headers=headers)
    assert moves(game_id) == 0


def test_a_mail_without_a_return_path_is_a_machines(table: Table, postman: Postman, game_id: str) -> None:
    postman.bring(compose("anna@example.org", address(SeatToken(game_id, 0, 0)), "black t1"), sender="")
    assert table.post() == []
    assert moves(game_id) == 0


def test_our_own_mail_that_comes_back_is_a_loop(table: Table, postman: Postman, game_id: str) -> None:
    to = address(SeatToken(game_id, 0, 0))
    for sender in (SERVICE, f"Emerald <{to}>"):
        postman.silence(sender, to, "black t1")
        assert newest().note == "loop"


@pytest.mark.parametrize("name", ["18", "19", "20", "21", "22", "23", "24"])
def test_machines_of_the_corpus(table: Table, postman: Postman, game_id: str, name: str) -> None:
    (letter,) = LETTERS.glob(f"{name}-*.eml")
    id = postman.bring(letter.read_bytes(), to=[address(SeatToken(game_id, 0, 0))])
    assert table.post() == []
    assert mail_row(id).state == "noted"
    assert moves(game_id) == 0


# -- the loop breaker


@pytest.fixture
def few_answers(environment: dict[str, str]) -> None:
    environment["EMERALD_MAIL_ANSWERS_PER_HOUR"] = "3"


@pytest.mark.usefixtures("few_answers")
def test_after_so_many_answers_in_an_hour_there_are_none(table: Table, postman: Postman) -> None:
    game_id = table.game(table.person("Anna"), table.person("Bert"))
    table.post()
    to = address(SeatToken(game_id, 0, 0))
    answers = [postman.ask("anna@example.org", to, f"say {number}") for number in range(3)]
    assert [bool(answer.envelope.remark) for answer in answers] == [False, False, True]
    assert "last answer" in answers[-1].envelope.remark
    postman.silence("anna@example.org", to, "say still done")
    assert "answered often enough" in (newest().note or "")
    # another seat, and the account, are answered still; the next hour is another
    assert states(postman.ask("bert@example.org", address(SeatToken(game_id, 1, 0)), "say hi")) == [("say hi", "done")]
    assert states(postman.ask("anna@example.org", SERVICE, "games")) == [("games", "done")]
    table.clock.forward(hours=1)
    assert "still done" in said(postman.ask("anna@example.org", to, "history 9"))


@pytest.mark.usefixtures("few_answers")
def test_a_move_is_answered_however_lively_the_game(table: Table, postman: Postman) -> None:
    """Its answer may be all that tells what can be done next; a game ends, and so do these."""
    game_id = table.game(table.person("Anna"), table.person("Bert"))
    table.post()
    for _ in range(10):
        with reading() as session:
            game = session.get_one(Game, game_id)
            seat, ply = game.to_act or 0, game.ply
        answer = postman.ask(f"{('anna', 'bert')[seat]}@example.org", address(SeatToken(game_id, seat, ply)), "1")
        assert states(answer) == [("1", "done")]
        assert not answer.envelope.remark
    # nor do moves use up the answers to other mails
    assert states(postman.ask("anna@example.org", address(SeatToken(game_id, 0, 0)), "hand")) == [("hand", "done")]


@pytest.mark.usefixtures("few_answers")
def test_new_games_do_not_get_round_it(table: Table, postman: Postman) -> None:
    table.person("Anna")
    confirm = postman.write("anna@example.org", SERVICE, "new 2 seats")[0]
    assert confirm.envelope.reply is not None
    to = address(confirm.envelope.reply)
    answered = 0
    for number in range(6):
        sent = postman.write("anna@example.org", to, "What?" if number % 2 else "Who?")
        answered += sum(isinstance(notice, kinds.AnswerNotice) for notice in sent)
    assert answered == 3


# -- bounces and complaints


def _bounce(to: str, about: str, message_id: str, status: str = "5.1.1") -> bytes:
    action = "failed" if status.startswith("5") else "delayed"
    return (
        f"From: MAILER-DAEMON@mx.example.net\r\nTo: {to}\r\nSubject: Undelivered\r\nAuto-Submitted: auto-replied\r\n"
        f"Message-ID: <{hash((to, about, message_id, status))}@mx.example.net>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nblack t1\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\n"
        f"Final-Recipient: rfc822; {about}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
        f"--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: {SERVICE}\r\nTo: {about}\r\nMessage-ID: {message_id}\r\n"
        "\r\nblack t1\r\n--b--\r\n"
    ).encode()


def _state(email: str) -> str:
    with reading() as session:
        state = session.scalar(select(Address.state).where(Address.email == email))
    assert state is not None
    return state


def test_a_bounce_to_the_return_path_of_our_mail_is_believed(table: Table, postman: Postman, game_id: str) -> None:
    with reading() as session:
        sent = session.scalars(select(Delivery).where(Delivery.email == "anna@example.org")).all()[-1]
    id = postman.bring(_bounce(address(BounceToken(sent.outbox_id)), "anna@example.org", sent.message_id), sender="")
    table.post()
    assert mail_row(id).note == "bounce-hard"
    assert _state("anna@example.org") == "failing"
    assert moves(game_id) == 0


def test_a_forged_bounce_mutes_nobody(table: Table, postman: Postman, game_id: str) -> None:
    with reading() as session:
        berts = session.scalars(select(Delivery).where(Delivery.email == "bert@example.org")).all()[-1]
    for raw in (
        _bounce(SERVICE, "anna@example.org", "<made.up@localhost>"),
        _bounce(address(SeatToken(game_id, 0, 0)), "anna@example.org", "<made.up@localhost>"),
        _bounce(address(BounceToken(999_999)), "anna@example.org", "<made.up@localhost>"),
        _bounce(SERVICE, "anna@example.org", berts.message_id),
    ):
        id = postman.bring(raw, sender="")
        table.post()
        assert "not believed" in (mail_row(id).note or "")
    assert _state("anna@example.org") == "ok"


def test_a_bounce_does_not_answer(table: Table, postman: Postman, game_id: str) -> None:
    id = postman.bring(_bounce(address(SeatToken(game_id, 0, 0)), "x@example.net", "<x@y>", "4.2.2"), sender="")
    assert table.post() == []
    assert mail_row(id).state == "noted"

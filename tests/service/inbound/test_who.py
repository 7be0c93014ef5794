"""Who wrote: the token and the address together; everybody else gets silence, and the token's owner a word."""

from email.message import EmailMessage

import pytest
from flask import Flask

from service.config import Settings
from service.mail import kinds
from service.mail.tokens import AccountToken, BounceToken, InviteToken, MoveLink, OptOutLink, SeatToken, user_recipient
from service.usecases import addresses, lobby
from service.usecases.results import SeatSpec
from tests.service.inbound.postman import SERVICE, Postman, address, compose, moves, newest, said, states
from tests.service.table import ME, OPEN, Table

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def test_the_right_token_from_a_wrong_address_is_silence_and_one_mail_a_day(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    turn = postman.turn(anna)
    to = address(SeatToken(game_id, 0, 0))
    sent = postman.write("mallory@example.net", to, "black t1\n")
    assert [type(notice) for notice in sent] == [kinds.RefusedTryNotice]
    told = sent[0]
    assert isinstance(told, kinds.RefusedTryNotice)
    assert (told.envelope.to, told.sender) == ("anna@example.org", "mallory@example.net")
    assert "address" in told.why
    assert newest().state == "noted"
    # again and again, from players too: nobody is told of it a second time that day
    for sender in ("mallory@example.net", "bert@example.org", "Anna <anna@example.net>"):
        postman.silence(sender, to, "black t1")
    table.clock.forward(days=1)
    assert len(postman.write("mallory@example.net", to, "resign")) == 1
    assert moves(game_id) == 0
    assert states(postman.reply(turn, "black t1")) == [("black t1", "done")]


@pytest.mark.parametrize(
    "sender",
    [
        "anna@example.org, mallory@example.net",
        "Anna <anna@example.org>, Bert <bert@example.org>",
        '"anna@example.org" <mallory@example.net>',
        "undisclosed:;",
    ],
)
def test_a_sender_who_is_not_one_is_nobody(table: Table, postman: Postman, sender: str) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.post()
    mail = compose("x@example.org", address(SeatToken(game_id, 0, 0)), "black t1").as_bytes()
    postman.bring(mail.replace(b"From: x@example.org", b"From: " + sender.encode()))
    sent = table.post()
    assert [type(notice) for notice in sent] == [kinds.RefusedTryNotice]
    assert moves(game_id) == 0


def test_spelling_does_not_matter_but_the_part_behind_a_plus_does(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna", "Anna.B+emerald@example.org"), table.person("Bert")
    game_id = table.game(anna, bert)
    turn = postman.turn(anna)
    assert turn.envelope.reply is not None
    to = address(turn.envelope.reply)
    assert len(postman.write("anna.b@example.org", to, "black t1")) == 1  # the owner is told, at that very mailbox
    assert moves(game_id) == 0
    answer = postman.ask("ANNA.B+Emerald@EXAMPLE.org", to.upper(), "black t1")
    assert states(answer) == [("black t1", "done")]


def test_a_second_address_counts_when_it_is_verified(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    postman.turn(anna)
    addresses.add(caller=anna, email="anna@work.example", now=table.now)
    table.post()
    asked = table.mails(kinds.AddressNotice)[-1]
    to = address(SeatToken(game_id, 0, 0))
    assert len(postman.write("anna@work.example", to, "black t1")) == 1
    assert "This was no yes" in said(postman.reply(asked, "What is this?"))
    confirmed = postman.reply(asked, "Yes, please.")
    assert "anna@work.example is an address of your account now" in said(confirmed)
    answer = postman.ask("anna@work.example", to, "black t1")
    assert (answer.envelope.to, states(answer)) == ("anna@work.example", [("black t1", "done")])


def test_the_token_may_stand_anywhere_and_the_senders_own_counts(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    postman.turn(anna)
    annas, berts = address(SeatToken(game_id, 0, 0)), address(SeatToken(game_id, 1, 0))
    # a reply to all, with two seats of one game in it
    reply_all = compose("anna@example.org", [berts, "carl@example.org"], "say to all")
    reply_all["Cc"] = annas
    postman.bring(reply_all)
    answers = table.post()
    assert [notice.envelope.to for notice in answers] == ["anna@example.org"]
    assert isinstance(answers[0], kinds.AnswerNotice)
    assert (answers[0].seat, states(answers[0])) == (0, [("say to all", "done")])
    # only the envelope has it, or a header of the server that delivered it
    postman.bring(compose("bert@example.org", "table@lists.example", "say by envelope"), to=[berts])
    assert [type(notice) for notice in table.post()] == [kinds.AnswerNotice]
    postman.bring(
        compose("bert@example.org", "table@lists.example", "say by header", headers=[("Delivered-To", berts)])
    )
    assert [type(notice) for notice in table.post()] == [kinds.AnswerNotice]


def test_tokens_of_other_kinds_and_forged_ones_open_nothing(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    postman.turn(anna)
    for token in (BounceToken(1), MoveLink(game_id, 0, 0, 1), OptOutLink(user_recipient(anna.user_id), "turn")):
        postman.silence("anna@example.org", address(token), "black t1")
    assert len(postman.write("bert@example.org", address(AccountToken(anna.user_id)), "name Bertha")) == 1
    genuine = address(SeatToken(game_id, 0, 0))
    for at in (10, 15, 30):
        forged = genuine[:at] + ("2" if genuine[at] != "2" else "3") + genuine[at + 1 :]
        answer = postman.ask("anna@example.org", forged, "black t1")  # as if written to the service address
        assert "this mail is about none" in said(answer)
    assert moves(game_id) == 0


def test_who_has_lost_the_mails_of_a_game_asks_for_it_at_the_service_address(table: Table, postman: Postman) -> None:
    """Anybody could have written that mail: it shows the game to its player, and nothing in it is done to the game."""
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.post()
    answer = postman.ask("anna@example.org", SERVICE, "status")
    assert states(answer) == [("status", "done")]
    assert (answer.envelope.to, answer.envelope.reply) == ("anna@example.org", SeatToken(game_id, 0, 0))
    assert answer.view is not None
    assert answer.view.legal
    for text in ("status\n1", "status\nsay hi", "status\nresign", "1\nstatus"):
        refused = postman.ask("anna@example.org", SERVICE, text)
        assert ("this mail is about none" in said(refused), moves(game_id)) == (True, 0)
    assert states(postman.reply(answer, "1")) == [("1", "done")]
    # of two games nobody knows which
    table.game(anna, bert)
    assert "answer a mail of the game you mean" in said(postman.ask("anna@example.org", SERVICE, "board"))


def test_an_account_token_is_about_the_account(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    postman.turn(anna)
    answer = postman.ask("anna@example.org", address(AccountToken(anna.user_id)), "black t1\nsay hello, all of you")
    assert states(answer) == [("black t1", "refused"), ("say hello, all of you", "not-tried")]
    assert f"{game_id}  your turn" in said(answer)
    assert answer.game is None
    assert answer.envelope.reply == AccountToken(anna.user_id)


def test_a_seat_that_changed_hands_answers_to_its_new_player_alone(table: Table, postman: Postman) -> None:
    anna, bert, carl = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN], now=table.now)
    lobby.join(caller=bert, game_id=game_id, seat=1, now=table.now)
    lobby.leave(caller=bert, game_id=game_id, now=table.now)
    lobby.join(caller=carl, game_id=game_id, seat=1, now=table.now)
    table.post()
    # Bert has the token by right; where he writes from is none of Carl's business
    postman.silence("bert@example.org", address(SeatToken(game_id, 1, None)), "say it is me")
    assert states(postman.ask("carl@example.org", address(SeatToken(game_id, 1, None)), "say me")) == [
        ("say me", "done")
    ]


def test_an_invitation_is_for_the_invited(table: Table, postman: Postman) -> None:
    anna, bert, _ = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    seats = [ME, SeatSpec("invite", name="Bert"), SeatSpec("invite", email="dora@example.org")]
    game_id = lobby.create_game(caller=anna, seats=seats, now=table.now)
    table.post()
    # forwarded to a friend with an account: the friend is not invited, and Bert hears of it
    told = postman.write("carl@example.org", address(InviteToken(game_id, 1)), "accept")
    assert [(type(notice), notice.envelope.to) for notice in told] == [(kinds.RefusedTryNotice, "bert@example.org")]
    postman.silence("mallory@example.net", address(InviteToken(game_id, 2)), "accept")
    lobby.decline(caller=bert, game_id=game_id, now=table.now)
    table.post()
    # an invitation that is nobody's any more proves nothing; Bert is still known by his address
    answer = postman.ask("bert@example.org", address(InviteToken(game_id, 1)), "games")
    assert answer.game is None
    confirm = postman.write("carl@example.org", address(InviteToken(game_id, 1)), "pause mail")
    assert [type(notice) for notice in confirm] == [kinds.ConfirmNotice]


# -- the receiving server's word


@pytest.fixture
def trusting(environment: dict[str, str]) -> None:
    environment["EMERALD_INBOUND_AUTHSERV_IDS"] = "mx.here.example"


def _with_results(results: str, *, below: bool = False) -> list[tuple[str, str]]:
    received = ("Received", "from mail.example.org by mx.here.example; Wed, 12 Mar 2025 10:14:22 +0100")
    foreign = ("Received", "from home by mail.example.org; Wed, 12 Mar 2025 10:14:20 +0100")
    result = ("Authentication-Results", results)
    return [received, foreign, result] if below else [result, received, foreign]


def _first_headers(mail: EmailMessage, headers: list[tuple[str, str]]) -> bytes:
    return b"".join(f"{name}: {value}\n".encode() for name, value in headers) + mail.as_bytes()


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize(
    ("results", "below", "believed"),
    [
        ("mx.here.example; dmarc=pass header.from=example.org", False, True),
        ("mx.here.example; spf=pass smtp.mailfrom=anna@mail.example.org", False, True),
        ("mx.here.example; dkim=pass header.d=example.org", False, True),
        ("mx.here.example; dmarc=fail header.from=example.org", False, False),
        ("mx.here.example; spf=pass smtp.mailfrom=mallory@example.net", False, False),
        ("mx.elsewhere.example; dmarc=pass header.from=example.org", False, False),
        ("mx.here.example; dmarc=pass header.from=example.org", True, False),
        ("", False, False),
    ],
)
def test_the_trusted_servers_word_decides(
    app: Flask, settings: Settings, table: Table, postman: Postman, results: str, below: bool, believed: bool
) -> None:
    assert settings.inbound_authserv_ids == ("mx.here.example",)
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.post()
    for to in (address(SeatToken(game_id, 0, 0)), SERVICE):
        mail = compose("anna@example.org", to, "black t1" if to != SERVICE else "name Annabel")
        headers = _with_results(results, below=below) if results else []
        postman.bring(_first_headers(mail, headers))
        sent = table.post()
        if believed:
            assert [type(notice) for notice in sent] == [kinds.AnswerNotice]
        elif to == SERVICE:
            assert sent == []
        else:
            assert [type(notice) for notice in sent] == [kinds.RefusedTryNotice]
            assert isinstance(sent[0], kinds.RefusedTryNotice)
            assert "could not confirm" in sent[0].why
            assert newest().note == "refused: not authenticated"
    assert moves(game_id) == believed


def test_without_a_token_or_the_servers_word_a_known_address_is_asked_first(table: Table, postman: Postman) -> None:
    """Anybody can write somebody's address into a From: looking is answered there, changing must be confirmed."""
    table.person("Anna")
    answer = postman.ask("anna@example.org", SERVICE, "games\nhelp")
    assert [state for _, state in states(answer)] == ["done", "done"]
    # nor is anybody sent words of somebody else's choice in this way
    answer = postman.ask("anna@example.org", SERVICE, "Win at shop.example!\ngames", subject="You have won")
    assert (states(answer), answer.subject) == ([("games", "done")], "")
    sent = postman.write("anna@example.org", SERVICE, "pause mail\nname Victim")
    assert [type(notice) for notice in sent] == [kinds.ConfirmNotice]
    confirm = sent[0]
    assert isinstance(confirm, kinds.ConfirmNotice)
    assert confirm.known
    done = postman.reply(confirm, "yes")
    assert states(done) == [("yes", "done"), ("pause mail", "done"), ("name Victim", "done")]
    assert done.envelope.name == "Victim"

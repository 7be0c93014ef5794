"""Cold inboxes and invited strangers: nothing happens before somebody has answered, then all of it does."""

from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlalchemy import func, select

from service.db import reading
from service.mail import kinds
from service.mail.tokens import SeatToken
from service.models import Game, User
from service.usecases import accounts, lobby, sign_ups
from service.usecases.results import SeatSpec
from tests.service.inbound.postman import SERVICE, Postman, address, compose, newest, said, states
from tests.service.table import ME, OPEN, Table

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def _counts() -> tuple[int, int]:
    with reading() as session:
        users = session.scalar(select(func.count()).select_from(User)) or 0
        return users, session.scalar(select(func.count()).select_from(Game)) or 0


def _confirmation(postman: Postman, sender: str, text: str) -> kinds.ConfirmNotice:
    sent = postman.write(sender, SERVICE, text)
    assert [type(notice) for notice in sent] == [kinds.ConfirmNotice], sent
    confirm = sent[0]
    assert isinstance(confirm, kinds.ConfirmNotice)
    return confirm


def test_a_first_mail_waits_for_its_yes(table: Table, postman: Postman) -> None:
    confirm = _confirmation(postman, "Robin Vale <robin@example.org>", "Hello!\nnew 3 seats bot steady\nsay welcome")
    assert _counts() == (0, 0)
    assert confirm.lines == ("new 3 seats bot steady",)  # no words of the sender's choice
    assert (confirm.known, confirm.envelope.to, confirm.envelope.answers) == (
        False,
        "robin@example.org",
        newest().message_id,
    )
    answer = postman.reply(confirm, "Yes please!\n\n> Is it you?")
    assert _counts() == (1, 1)
    assert [state for _, state in states(answer)] == ["done", "done", "done"]
    assert "are called Robin Vale" in said(answer)
    assert answer.game is not None
    assert answer.game.names == ("Robin Vale", "Bot 2", "")
    assert f"join {answer.game.id}" in said(answer)
    assert answer.waiting_for
    # and never twice
    for _ in range(2):
        again = postman.ask("robin@example.org", address(confirm.envelope.reply), "yes")  # type: ignore[arg-type]
        assert "confirmed already" in said(again)
    assert _counts() == (1, 1)


@pytest.mark.parametrize(
    "word",
    ["yes", "Y", "*Yes*", "Ja!", "oui, c'est moi", "Yes. That was me, who else?", "ok", "new 2 seats", "yes\nname Rob"],
)
def test_a_yes_in_any_dress(table: Table, postman: Postman, word: str) -> None:
    confirm = _confirmation(postman, "robin@example.org", "new 2 seats")
    answer = postman.reply(confirm, word)
    assert _counts() == (1, 1)
    assert answer.envelope.name == ("Rob" if "Rob" in word else "Robin")


@pytest.mark.parametrize(
    "text",
    [
        *["Who are you?", "no", "join abcdefghjk", ""],
        # what answers of itself, without a header that says so
        *["Da ich im Urlaub bin, lese ich keine Mails.", "Si prega di non rispondere a questo messaggio."],
        "Ja, vielen Dank für Ihre Nachricht, ich melde mich in Kürze.",
    ],
)
def test_what_is_no_yes_does_nothing_and_is_told_so(table: Table, postman: Postman, text: str) -> None:
    confirm = _confirmation(postman, "robin@example.org", "new 2 seats")
    answer = postman.reply(confirm, text)
    assert "Answer with the one word yes" in said(answer)
    assert _counts() == (0, 0)
    assert postman.reply(answer, "yes").game is not None


def test_a_strangers_mailbox_is_shown_no_words_of_a_senders_choice(table: Table, postman: Postman) -> None:
    text = 'new 3 seats with "Buy now at shop.example", "Win"\njoin shop-example-11\nrules cheapest\njoin k3mq9x2w7p'
    confirm = _confirmation(postman, "victim@example.org", text)
    assert confirm.lines == ("new 3 seats …", "join …", "join k3mq9x2w7p")
    # whom it names is shown to somebody who plays here
    table.person("Anna")
    assert _confirmation(postman, "anna@example.org", "new 2 seats with Bert").lines == ("new 2 seats with Bert",)


def test_nobody_is_asked_without_end(table: Table, postman: Postman) -> None:
    asked = 0
    for _ in range(24):
        asked += sum(len(postman.write("victim@example.org", SERVICE, "new 2 seats")) for _ in range(4))
        table.clock.forward(hours=1)
    assert asked == sign_ups.PER_DAY
    # what was answered does not count
    for _ in range(2 * sign_ups.PER_DAY):
        table.clock.forward(hours=2)
        postman.reply(_confirmation(postman, "robin@example.org", "new 2 seats"), "yes")


def test_a_yes_from_elsewhere_or_too_late(table: Table, postman: Postman) -> None:
    confirm = _confirmation(postman, "robin@example.org", "new 2 seats")
    assert confirm.envelope.reply is not None
    to = address(confirm.envelope.reply)
    postman.silence("mallory@example.net", to, "yes")
    table.clock.forward(days=3, seconds=1)
    late = postman.ask("robin@example.org", to, "yes")
    assert "not confirmed within" in said(late)
    assert late.envelope.reply is None
    accounts.forget_challenges(before=table.now)
    postman.silence("robin@example.org", to, "yes")
    assert _counts() == (0, 0)


def test_further_mails_of_a_stranger_wait_each_for_their_own_yes(table: Table, postman: Postman) -> None:
    anna = table.person("Anna")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN], now=table.now)
    table.post()
    confirms = [
        _confirmation(postman, "robin@example.org", text) for text in ("new 2 seats", f"join {game_id}", "new 4")
    ]
    postman.silence("robin@example.org", SERVICE, "new 5 seats")  # asked often enough in this hour
    assert _counts() == (1, 1)
    joined = postman.reply(confirms[1], "yes")
    assert joined.game is not None
    assert joined.game.id == game_id
    assert _counts() == (2, 1)
    assert postman.reply(confirms[0], "yes").game is not None
    assert _counts() == (2, 2)
    # by now Robin is known: a mail to the service address is about Robin's account
    table.clock.forward(hours=1)
    assert _confirmation(postman, "robin@example.org", "new 5 seats").known


@pytest.mark.parametrize(
    "text",
    ["Hello, is anybody there?", "", "help", "games open", "t1 m3 gem", "accept", "unsubscribe", "new order", "yes"],
)
def test_strangers_get_silence(table: Table, postman: Postman, text: str) -> None:
    postman.silence("robin@example.org", SERVICE, text)
    assert newest().state == "noted"
    assert _counts() == (0, 0)


@pytest.mark.parametrize(
    ("text", "shown", "better"),
    [
        ("nwe 3 seats", "new …", "Did you mean “new 3 seats”?"),
        ("new 3 seats bto steady", "new …", "Did you mean “new 3 seats bot steady”?"),
        ("new game please", "new …", "like new 3 seats"),
        ("join", "join …", "the code or the id of the game"),
    ],
)
def test_who_slips_in_a_first_mail_is_not_left_alone(
    table: Table, postman: Postman, text: str, shown: str, better: str
) -> None:
    """The mail of a newcomer: silence would be all that they ever heard."""
    confirm = _confirmation(postman, "robin@example.org", text)
    assert confirm.lines == (shown,)
    answer = postman.reply(confirm, "yes")
    assert states(answer) == [("yes", "done"), (text, "refused")]
    assert better in said(answer)
    assert _counts() == (1, 0)
    assert postman.reply(answer, "new 2 seats").game is not None


def test_a_machine_cannot_sign_up(table: Table, postman: Postman) -> None:
    postman.silence("robin@example.org", SERVICE, "new 3 seats", headers=[("Auto-Submitted", "auto-replied")])
    postman.silence("robin@example.org", SERVICE, "new 3 seats", headers=[("List-Id", "<list.example.org>")])
    postman.bring(compose("robin@example.org", SERVICE, "new 3 seats"), sender="")
    assert table.post() == []


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        ("Robin Vale <r@example.org>", "Robin Vale"),
        ('"Vale, Robin" <r@example.org>', "Robin Vale"),
        ("robin.vale+games@example.org", "Robin Vale"),
        ('"r@example.org" <r.v@example.org>', "R V"),
        ("=?utf-8?b?55Sw6L6644Gy44GL44KK?= <r@example.org>", "田辺ひかり"),
        ("=?utf-8?q?Ro=E2=80=AEbin_=F0=9F=8D=80=07?= <r@example.org>", "Robin 🍀"),
        (f"{'Very ' * 20}Long <r@example.org>", "Very Very Very Very Very Very"),
        ("- <x@example.org>", "Player"),
        ("Anna <r@example.org>", "Anna 2"),
    ],
)
def test_a_name_from_the_mail_made_presentable(table: Table, postman: Postman, sender: str, name: str) -> None:
    table.person("Anna")
    mail = compose("x@example.org", SERVICE, "new 2 seats").as_bytes()
    postman.bring(mail.replace(b"From: x@example.org", b"From: " + sender.encode()))
    confirm = table.post()[0]
    postman.reply(confirm, "yes")
    with reading() as session:
        assert name in set(session.scalars(select(User.display_name)))


def test_waiting_commands_that_cannot_be_done_are_told_of(table: Table, postman: Postman) -> None:
    confirm = _confirmation(postman, "robin@example.org", "new 3 seats with Nobody\nnew 2 seats")
    answer = postman.reply(confirm, "yes")
    assert [state for _, state in states(answer)] == ["done", "refused", "not-tried"]
    assert "Nobody has that name here" in said(answer)
    assert _counts() == (1, 0)


def test_the_code_of_a_sign_in_does_not_use_up_a_waiting_mail(table: Table, postman: Postman) -> None:
    confirm = _confirmation(postman, "robin@example.org", "new 2 seats")
    table.person("Rob", "robin@example.org")
    answer = postman.reply(confirm, "yes")
    assert answer.game is not None
    assert answer.game.names == ("Rob", "")


# -- invitations


def _invited(table: Table, postman: Postman, *emails: str) -> tuple[str, list[kinds.InvitationNotice]]:
    anna = table.person("Anna")
    seats = [ME, *(SeatSpec("invite", email=email) for email in emails)]
    game_id = lobby.create_game(caller=anna, seats=seats, now=table.now)
    table.post()
    return game_id, table.mails(kinds.InvitationNotice)


@pytest.mark.parametrize("word", ["accept", "Accept!", "yes"])
def test_a_stranger_accepts_and_has_an_account(table: Table, postman: Postman, word: str) -> None:
    game_id, (invitation,) = _invited(table, postman, "robin@example.org")
    answer = postman.reply(invitation, word)
    assert "You have an account now and are called Robin" in said(answer)
    assert answer.view is not None  # the game has begun
    assert (answer.seat, answer.envelope.name) == (1, "Robin")
    assert answer.envelope.reply == SeatToken(game_id, 1, 0)
    # the invitation, answered again, is the player's mail now
    again = postman.reply(invitation, "accept")
    assert "nothing to accept" in said(again)
    assert states(postman.reply(invitation, "say hello")) == [("say hello", "done")]


def test_who_answers_an_invitation_with_prose_is_told_the_words(table: Table, postman: Postman) -> None:
    _, (invitation,) = _invited(table, postman, "robin@example.org")
    answer = postman.reply(invitation, "No thanks, not for me")
    assert answer.waiting_for == "You are invited: answer accept to take your seat, or decline."


def test_a_stranger_declines_and_has_none(table: Table, postman: Postman) -> None:
    game_id, (invitation,) = _invited(table, postman, "robin@example.org")
    answer = postman.reply(invitation, "decline")
    assert states(answer) == [("decline", "done")]
    assert (answer.game, answer.envelope.reply) == (None, None)
    assert _counts() == (1, 1)
    with reading() as session:
        game = session.get(Game, game_id)
        assert game is not None
        assert [seat.kind for seat in game.seats] == ["human", "open"]
    postman.silence("robin@example.org", address(invitation.envelope.reply), "accept")  # type: ignore[arg-type]


def test_what_a_stranger_cannot_do_yet(table: Table, postman: Postman) -> None:
    _, (invitation,) = _invited(table, postman, "robin@example.org")
    for text in ("say hi", "t1", "name Rob", "history 3", "games", "away 5d"):
        answer = postman.reply(invitation, text)
        assert [state for _, state in states(answer)] == ["refused"], text
        assert "accept" in said(answer)
    assert states(postman.reply(invitation, "rules rail\nhelp")) == [("rules rail", "done"), ("help", "done")]
    assert states(postman.reply(invitation, "Thanks, maybe")) == [("Thanks, maybe", "ignored")]
    assert _counts() == (1, 1)
    # and turns the house's invitations off for good
    assert states(postman.reply(invitation, "unsubscribe")) == [("unsubscribe", "done")]


def test_accepting_what_was_called_off_makes_no_account(table: Table, postman: Postman) -> None:
    game_id, (invitation,) = _invited(table, postman, "robin@example.org")
    postman.ask("anna@example.org", address(SeatToken(game_id, 0, None)), "leave")
    answer = postman.reply(invitation, "accept")
    assert "called off" in said(answer)
    assert _counts() == (1, 1)


def test_accept_from_the_account_takes_the_only_invitation(table: Table, postman: Postman) -> None:
    anna, _ = table.person("Anna"), table.person("Bert")
    invite = [ME, SeatSpec("invite", name="Bert")]
    first = lobby.create_game(caller=anna, seats=invite, now=table.now)
    table.post()
    answer = postman.reply(_confirmation(postman, "bert@example.org", "accept"), "yes")
    assert answer.game is not None
    assert answer.game.id == first
    lobby.create_game(caller=anna, seats=invite, now=table.now)
    lobby.create_game(caller=anna, seats=invite, now=table.now)
    table.post()
    answer = postman.reply(_confirmation(postman, "bert@example.org", "decline"), "yes")
    assert "several invitations" in said(answer)
    assert said(answer).count("you are invited") == 2


def test_a_confirmation_holds_three_days(table: Table, postman: Postman) -> None:
    confirm = _confirmation(postman, "robin@example.org", "new 2 seats")
    assert confirm.expires_at - table.now == timedelta(days=3)
    table.clock.forward(days=2, hours=23)
    assert postman.reply(confirm, "yes").game is not None


def test_a_mail_without_text_from_a_stranger(table: Table, postman: Postman) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "robin@example.org", SERVICE, "new 3 seats"
    postman.bring(mail)
    assert table.post() == []

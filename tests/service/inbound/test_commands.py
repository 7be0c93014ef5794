"""What can be asked by mail beside moves, and how it is told."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from engine import RULES
from engine.events import Bribed
from service.commands import ENTRIES
from service.db import reading, transaction
from service.mail import kinds
from service.mail.tokens import AccountToken, SeatToken
from service.models import Absence, Address, LogEntry, OptOut, Seat, User
from service.usecases import access, journal, lobby, queries
from service.usecases.results import Caller, SeatSpec
from tests.service.inbound.postman import SERVICE, Postman, address, compose, said, states
from tests.service.table import ME, OPEN, Table

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def anna(table: Table) -> Caller:
    return table.person("Anna")


@pytest.fixture
def game_id(table: Table, anna: Caller) -> str:
    game_id = table.game(anna, table.person("Bert"))
    table.post()
    return game_id


def _ask(postman: Postman, game_id: str, text: str, seat: int = 0) -> kinds.AnswerNotice:
    sender = ("anna@example.org", "bert@example.org")[seat]
    return postman.ask(sender, address(SeatToken(game_id, seat, None)), text)


def _account(postman: Postman, who: Caller, text: str) -> kinds.AnswerNotice:
    return postman.ask("anna@example.org", address(AccountToken(who.user_id)), text)


# -- looking


def test_listings_fit_a_line_of_a_mail(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    table.person("A Name That Is Of Full Length")
    lobby.create_game(caller=anna, seats=[ME, OPEN, SeatSpec("invite", email="x@example.org")], now=table.now)
    _ask(postman, game_id, "say " + "long " * 300)
    answer = _ask(postman, game_id, "history 99\nrules\nhelp\ngames\ngames open")
    assert [state for _, state in states(answer)] == ["done"] * 5
    lines = [line for outcome in answer.outcomes for line in outcome.listing]
    assert len(lines) > 60
    assert [line for line in lines if len(line) > 77] == []


def test_history_is_what_this_seat_may_read(postman: Postman, game_id: str) -> None:
    _ask(postman, game_id, "note mine alone\nsay for all")
    assert "mine alone" in said(_ask(postman, game_id, "history 10"))
    berts = said(_ask(postman, game_id, "history 10", seat=1))
    assert "Anna said: “for all”" in berts
    assert "mine alone" not in berts
    last = _ask(postman, game_id, "history 1")
    assert len(last.outcomes[0].listing) == 1
    assert "The last 1 of" in said(last)


def test_rules_by_word_and_id(postman: Postman, game_id: str) -> None:
    for rule in RULES:
        assert f"{rule}: " in said(_ask(postman, game_id, "rules"))
        break
    assert said(_ask(postman, game_id, "rules R-DRAG-8")).startswith("R-DRAG-8: After every flight")
    assert "four kinds of gem" in said(_ask(postman, game_id, "rules gem")).replace("\n  ", " ")


def test_help_tells_all_commands(postman: Postman, game_id: str) -> None:
    whole = said(_ask(postman, game_id, "help"))
    assert [entry.name for entry in ENTRIES if entry.usage.partition(" ")[0] not in whole] == []


def test_games(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    private = lobby.create_game(caller=anna, seats=[ME, OPEN], public=False, now=table.now)
    own = said(_account(postman, anna, "games")).splitlines()
    assert f"{game_id}  your turn          you, Bert" in own
    assert f"{private}  waiting, 1 open    you, open" in own
    public = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN], now=table.now)
    listed = said(postman.ask("bert@example.org", SERVICE, "games open"))
    assert public in listed
    assert private not in listed


def test_cards_off_hides_what_only_one_may_see(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    assert states(_ask(postman, game_id, "cards off")) == [("cards off", "done")]
    with transaction() as session:  # a bribe in the log, as play writes one
        game = access.locked(session, game_id)
        journal.write_events(session, game, game.ply, [Bribed(0, 0, 4)], now=table.now)
    assert "gave the dragon a gold card" in said(_ask(postman, game_id, "history 3"))
    answer = _ask(postman, game_id, "hand")
    assert "out of mails" in said(answer)
    assert not answer.envelope.cards
    _ask(postman, game_id, "cards on")
    assert "gave the dragon the gold card 4" in said(_ask(postman, game_id, "history 3"))
    assert "gave the dragon a gold card" in said(_ask(postman, game_id, "history 3", seat=1))


# -- talking


def test_said_and_noted(postman: Postman, table: Table, game_id: str) -> None:
    text = "say Grüße – “quoted”: Subject: x, Bcc: y@example.org <b>bold</b> \\n .. 😀"
    answer = _ask(postman, game_id, f"{text}\nnote the dragon sleeps\nsay second")
    assert [state for _, state in states(answer)] == ["done"] * 3
    with reading() as session:
        kept = session.scalars(select(LogEntry).where(LogEntry.kind.in_(("say", "note"))).order_by(LogEntry.seq)).all()
    assert [(entry.public or entry.private or {})["text"] for entry in kept] == [
        text[4:],
        "the dragon sleeps",
        "second",
    ]


def test_headers_stay_text(postman: Postman, table: Table, game_id: str) -> None:
    evil = "say hello\u2028Bcc: x@example.org\r\nX-Evil: 1\x00\x0b\x85 Subject: owned"
    answer = _ask(postman, game_id, evil)
    with reading() as session:
        for entry in session.scalars(select(LogEntry).where(LogEntry.kind == "say")):
            assert (entry.public or {})["text"].isprintable()
    for outcome in answer.outcomes:
        assert all(part.isprintable() for part in (outcome.line, *outcome.told, *outcome.listing))


def test_a_refused_text_is_quoted_whole(postman: Postman, game_id: str) -> None:
    text = "say " + " ".join(f"word{number}" for number in range(200))
    answer = _ask(postman, game_id, f"{text}\naccept")
    assert states(answer)[0] == (text, "not-tried")


# -- tables


def test_new_with_everybody(postman: Postman, table: Table, anna: Caller) -> None:
    table.person("Robin Vale")
    answer = _account(postman, anna, "new 5 seats with Robin Vale and wren@example.org bot steady private 3 days")
    assert answer.game is not None
    view = table.view(anna, answer.game.id).info
    assert [seat.kind for seat in view.seats] == ["human", "invited", "invited", "bot", "open"]
    assert (view.public, view.clock.days, view.seats[3].bot_level) == (False, 3, "steady")
    assert f"join {view.join_code}" in said(answer)
    assert answer.waiting_for == (
        "The game begins when Robin Vale, wren@example.org and somebody for the open seat have joined."
    )
    table.post()
    assert sorted(notice.envelope.to for notice in table.mails(kinds.InvitationNotice)) == [
        "robin.vale@example.org",
        "wren@example.org",
    ]


def test_new_alone_with_bots_begins_at_once(postman: Postman, anna: Caller) -> None:
    answer = _account(postman, anna, "new 2 seats bot steady")
    assert "has begun" in said(answer)
    assert answer.view is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("new 2 seats with Nobody Here", "Seat 1: Nobody has that name"),
        ("new 3 seats with carl@example.org and Carl@example.org", "invited twice"),
        ("new 2 seats with Bert, Carl", "too few"),
        ("new 3 seats with anna@example.org", "your own address"),
    ],
)
def test_new_refused(postman: Postman, anna: Caller, text: str, words: str) -> None:
    answer = _account(postman, anna, text)
    assert [state for _, state in states(answer)] == ["refused"]
    assert words in said(answer)


def test_join_by_code_or_id(postman: Postman, table: Table, anna: Caller) -> None:
    bert = table.person("Bert")
    public = lobby.create_game(caller=bert, seats=[ME, OPEN, OPEN], now=table.now)
    private = lobby.create_game(caller=bert, seats=[ME, OPEN], public=False, now=table.now)
    code = table.view(bert, private).info.join_code
    answer = _account(postman, anna, f"join {public.upper()}")
    assert answer.game is not None
    assert (answer.game.id, answer.seat) == (public, 1)
    assert answer.envelope.reply == SeatToken(public, 1, None)
    refused = _account(postman, anna, f"join {private}")
    assert "not its join code" in said(refused)
    assert said(_account(postman, anna, "join abcdefghjkmn")) == said(refused)
    assert code is not None
    begun = _account(postman, anna, f"join {code[:4].upper()} {code[4:]}")
    assert "has begun" in said(begun)
    assert begun.view is not None
    for again in (code, f"{code[:3]}-{code[3:]}"):
        assert "have seat 1" in said(_account(postman, anna, f"join {again}"))


def test_what_has_begun_stays_begun(postman: Postman, table: Table, anna: Caller) -> None:
    """Who begins and what lies open is hidden before: a later line that fails does not take the joining back."""
    bert = table.person("Bert")
    game_id = lobby.create_game(caller=bert, seats=[ME, OPEN], now=table.now)
    answer = _account(postman, anna, f"join {game_id}\nsay hello\ndecline")
    assert [state for _, state in states(answer)] == ["done", "not-tried", "refused"]
    assert table.view(anna, game_id).info.status == "playing"


def test_leaving(postman: Postman, table: Table, anna: Caller) -> None:
    bert = table.person("Bert")
    game_id = lobby.create_game(caller=bert, seats=[ME, OPEN, OPEN], now=table.now)
    joined = _account(postman, anna, f"join {game_id}")
    left = postman.reply(joined, "leave")
    assert (states(left), left.game) == ([("leave", "done")], None)
    assert "called off" in said(postman.ask("bert@example.org", address(SeatToken(game_id, 0, None)), "leave"))
    assert table.view(bert, game_id).info.status == "cancelled"


def test_leaving_a_game_that_is_on(postman: Postman, game_id: str) -> None:
    assert "You can resign" in said(_ask(postman, game_id, "leave"))


def test_a_rematch(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    bert = Caller(table.view(anna, game_id).info.seats[1].user_id or "", "t", anna.scopes)
    assert "once the game is over" in said(_ask(postman, game_id, "rematch"))
    table.play_out([anna, bert], game_id)
    table.post()
    made = postman.reply(table.mails(kinds.OverNotice, "anna@example.org")[-1], "rematch\nsay again!")
    assert made.game is not None
    assert made.game.id != game_id
    assert "others are asked" in said(made)
    assert states(made) == [("rematch", "done"), ("say again!", "done")]
    agreed = postman.reply(table.mails(kinds.OverNotice, "bert@example.org")[-1], "rematch")
    assert agreed.game is not None
    assert agreed.game.id == made.game.id
    assert "has begun" in said(agreed)


# -- resigning


def test_resigning_is_asked_back_once(postman: Postman, table: Table, game_id: str) -> None:
    asked = _ask(postman, game_id, "resign")
    assert states(asked) == [("resign", "refused")]
    assert "Do you mean it?" in said(asked)
    table.clock.forward(hours=47)
    done = postman.reply(asked, "resign")
    assert states(done) == [("resign", "done")]
    assert done.view is None  # it is not their turn any more, whoever is to move
    with reading() as session:
        seat = session.get(Seat, (game_id, 0))
        assert seat is not None
        assert seat.resigned_at == table.now
    assert "have resigned already" in said(postman.reply(done, "resign"))


def test_resigning_twice_in_one_mail_or_too_late_is_not_meant(postman: Postman, table: Table, game_id: str) -> None:
    assert [state for _, state in states(_ask(postman, game_id, "resign\nresign"))] == ["not-tried", "refused"]
    assert "Do you mean it?" in said(_ask(postman, game_id, "resign"))
    table.clock.forward(hours=48, seconds=1)
    assert "Do you mean it?" in said(_ask(postman, game_id, "resign"))
    with reading() as session:
        assert session.scalars(select(Seat).where(Seat.resigned_at.is_not(None))).all() == []


def test_two_mails_sent_before_the_question_came_do_not_resign(postman: Postman, table: Table, game_id: str) -> None:
    to = address(SeatToken(game_id, 0, None))
    postman.bring(compose("anna@example.org", to, "resign"))
    postman.bring(compose("anna@example.org", to, "resign"))
    table.clock.forward(minutes=1)
    answers = [notice for notice in table.post() if isinstance(notice, kinds.AnswerNotice)]
    assert [states(answer) for answer in answers] == [[("resign", "refused")]] * 2


# -- the account


def test_away_and_back(postman: Postman, table: Table, anna: Caller) -> None:
    answer = _account(postman, anna, "zone Europe/Berlin\naway 5d")
    assert "Friday 6 March 2026, 13:00 (Europe/Berlin)" in said(answer)
    with reading() as session:
        absence = session.scalars(select(Absence)).one()
    assert absence.ends_at - absence.starts_at == timedelta(days=5)
    table.clock.forward(days=1)
    assert "Welcome back" in said(_account(postman, anna, "back"))
    with reading() as session:
        assert session.scalars(select(Absence.ends_at)).one() == table.now
    assert "were not away" in said(_account(postman, anna, "back"))


def test_settings(postman: Postman, anna: Caller, table: Table) -> None:
    table.person("Bert")
    assert "somebody has that name" in said(_account(postman, anna, "name Bert")).lower()
    answer = _account(postman, anna, "name Anna B.\ndrawing off\ncards off\nzone Asia/Tokyo")
    assert [state for _, state in states(answer)] == ["done"] * 4
    envelope = answer.envelope
    assert (envelope.name, envelope.drawing, envelope.cards, envelope.zone) == ("Anna B.", False, False, "Asia/Tokyo")


def test_another_language_is_spoken_from_the_answer_on(postman: Postman, anna: Caller) -> None:
    answer = _account(postman, anna, "language fr")
    assert answer.envelope.language == "fr"
    assert "Français" in said(answer)
    assert "speak" not in said(answer)
    assert _account(postman, anna, "language english").envelope.language == "en"


def test_less_mail(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    answer = _ask(postman, game_id, "digest on 7")
    assert "7" in said(answer)
    with reading() as session:
        seat, user = session.get(Seat, (game_id, 0)), session.get(User, anna.user_id)
        assert seat is not None
        assert user is not None
        assert (seat.digest, user.digest_hour) == (True, 7)
    _ask(postman, game_id, "digest off\nunsubscribe news\npause mail")
    with reading() as session:
        seat, user = session.get(Seat, (game_id, 0)), session.get(User, anna.user_id)
        assert seat is not None
        assert user is not None
        assert not seat.digest
        assert user.mail_paused_at is not None
        assert [row.kind for row in session.scalars(select(OptOut))] == ["news"]
    # an answer comes all the same
    assert states(_ask(postman, game_id, "resume mail\nsubscribe"))[1] == ("subscribe", "done")
    with reading() as session:
        assert session.scalars(select(OptOut)).all() == []
    _ask(postman, game_id, "unsubscribe")
    with reading() as session:
        assert len(session.scalars(select(OptOut)).all()) == 4


def test_a_mail_proves_that_its_address_works(postman: Postman, table: Table, anna: Caller, game_id: str) -> None:
    with transaction() as session:
        address_ = session.scalars(select(Address).where(Address.user_id == anna.user_id)).one()
        address_.state, address_.failing_since = "failing", table.now
    _ask(postman, game_id, "status")
    with reading() as session:
        assert session.scalars(select(Address.state).where(Address.user_id == anna.user_id)).one() == "ok"


@pytest.mark.parametrize("command", ["resume mail", "subscribe"])
def test_who_was_taken_to_complain_can_ask_for_mail_again(
    postman: Postman, table: Table, anna: Caller, game_id: str, command: str
) -> None:
    with transaction() as session:
        address_ = session.scalars(select(Address).where(Address.user_id == anna.user_id)).one()
        address_.state, address_.failing_since = "complained", table.now
    assert "reported as unwanted" in _ask(postman, game_id, "status").envelope.remark
    assert _ask(postman, game_id, command).envelope.remark == ""
    with reading() as session:
        assert session.scalars(select(Address.state).where(Address.user_id == anna.user_id)).one() == "ok"
    table.game(anna, table.person("Dora"))
    assert postman.turn(anna).envelope.to == "anna@example.org"


def test_no_command_is_no_failure(postman: Postman, table: Table, game_id: str) -> None:
    texts = {
        "Thanks!": ["Thanks!"],
        "": [],
        "> quoted only": [],
        "Nice move.\nSee you.\nSoon.\nOr late.\nOr never.": ["Nice move.", "See you.", "Soon.", "and 2 more lines"],
    }
    for text, lines in texts.items():
        answer = _ask(postman, game_id, text)
        assert states(answer) == [(line, "ignored") for line in lines]
        assert said(answer) == ""
        assert answer.view is not None
    mixed = _ask(postman, game_id, "What a game!\nstatus\nThanks\nfor\neverything\nand\nmore")
    assert states(mixed) == [
        ("What a game!", "ignored"),
        ("status", "done"),
        ("Thanks", "ignored"),
        ("for", "ignored"),
        ("and 3 more lines", "ignored"),
    ]


def test_too_many_commands(postman: Postman, game_id: str) -> None:
    answer = _ask(postman, game_id, "\n".join(f"say {number}" for number in range(30)))
    assert [state for _, state in states(answer)].count("refused") == 1
    assert "at most 20" in said(answer)
    assert len(answer.outcomes) == 30
    with reading() as session:
        assert session.scalars(select(LogEntry).where(LogEntry.kind == "say")).all() == []


def test_what_was_done_stands_in_the_game(postman: Postman, anna: Caller, game_id: str) -> None:
    _ask(postman, game_id, "say by mail")
    log = queries.events(caller=anna, game_id=game_id, limit=100).items
    assert log[-1].data["text"] == "by mail"

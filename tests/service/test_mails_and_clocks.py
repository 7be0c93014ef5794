"""Which mail goes when and to whom, and what is dropped because the world moved on."""

from sqlalchemy import select

from engine import OVER
from service import outbox
from service.db import reading
from service.mail import kinds
from service.models import Move
from service.usecases import envelopes, lobby, notices, queries, talk
from service.usecases.results import ClockSpec
from tests.service.table import ME, STEADY, Table, rows


def test_the_first_to_act_gets_one_mail_with_the_news_of_the_start(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    table.game(anna, bert, carl, first=1)
    table.post()
    (turn,) = table.mails(kinds.TurnNotice)
    assert (turn.envelope.to, turn.started, turn.ply, turn.seat) == ("bert@example.org", True, 0, 1)
    assert turn.view.viewer == 1
    assert turn.view.legal
    assert turn.log[0].kind == "created"
    started = table.mails(kinds.StartedNotice)
    assert sorted(mail.envelope.to for mail in started) == ["anna@example.org", "carl@example.org"]
    assert all(mail.view.viewer == mail.seat for mail in started)


def test_one_mail_a_turn_and_it_tells_what_happened_since(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.post()
    table.move(anna, game_id)
    assert table.post() == []  # the second knight of the same turn brings no mail
    table.move(anna, game_id)
    info = table.view(bert, game_id).info
    assert info.to_act == 1
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert (mail.envelope.to, mail.started, mail.ply) == ("bert@example.org", False, info.ply)
    assert [entry.kind for entry in mail.log if entry.kind == "moved"] == ["moved", "moved"]
    table.turn_over(bert, game_id)
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert {entry.seat for entry in mail.log if entry.kind == "moved"} == {1}  # not the reader's own moves again


def test_what_was_said_during_ones_own_turn_is_told_in_the_next_mail(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.post()
    talk.say(caller=bert, game_id=game_id, text="Take your time", now=table.now)
    table.turn_over(anna, game_id)
    table.turn_over(bert, game_id)
    table.post()
    mail = table.mails(kinds.TurnNotice, to="anna@example.org")[-1]
    assert [entry.data["text"] for entry in mail.log if entry.kind == "say"] == ["Take your time"]
    assert {entry.seat for entry in mail.log if entry.kind == "moved"} == {1}
    table.turn_over(anna, game_id)
    table.turn_over(bert, game_id)
    table.post()
    mail = table.mails(kinds.TurnNotice, to="anna@example.org")[-1]
    assert not [entry for entry in mail.log if entry.kind == "say"]  # once


def test_a_mail_sent_again_tells_what_it_told_the_first_time(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    (row,) = outbox.claim(now=table.now, limit=1, topics=["mail.turn"])
    first = notices.compose(row=row, now=table.now).notice
    talk.say(caller=bert, game_id=game_id, text="Hello!", now=table.now)
    assert notices.compose(row=row, now=table.now).notice == first


def test_every_turn_of_a_whole_game_brings_just_one_mail(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert, bots=1)
    table.play_out([anna, bert], game_id)
    table.post()
    with reading() as session:
        seats = session.scalars(select(Move.seat).order_by(Move.ply)).all()
    began = [ply for ply, seat in enumerate(seats) if ply == 0 or seats[ply - 1] != seat]
    human = [ply for ply in began if seats[ply] != 2]
    mails = table.mails(kinds.TurnNotice)
    assert [mail.ply for mail in mails] == human
    assert len({mail.envelope.message_id for mail in mails}) == len(mails)
    assert all(row.state == "done" for row in rows("mail.turn"))
    over = table.mails(kinds.OverNotice)
    assert sorted(mail.envelope.to for mail in over) == ["anna@example.org", "bert@example.org"]
    result = table.view(None, game_id).info.result
    assert result is not None
    assert all(mail.result.scores == result.scores for mail in over)
    assert all(mail.view.phase == OVER for mail in over)
    assert all(any(entry.kind == "over" for entry in mail.log) for mail in over)


def test_a_turn_that_is_over_brings_no_mail(table: Table) -> None:
    """A queue that stalled and drains sends no flood of stale mails: only what is still true."""
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    for _ in range(3):
        table.turn_over(anna, game_id)
        table.turn_over(bert, game_id)
    mails = [mail for mail in table.post() if isinstance(mail, kinds.TurnNotice)]
    info = table.view(None, game_id).info
    assert [(mail.ply, mail.seat) for mail in mails] == [(info.turn_ply, info.to_act)]
    assert [row.state for row in rows("mail.turn")].count("dropped") == 6


def test_whoever_has_begun_the_turn_needs_no_mail_about_it(table: Table) -> None:
    """And a mail that is sent again after a crash never shows another position than the first time."""
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.move(anna, game_id)
    assert table.view(anna, game_id).info.to_act == 0
    assert [type(mail) for mail in table.post()] == [kinds.StartedNotice]
    assert [row.state for row in rows("mail.turn")] == ["dropped"]


def test_the_same_row_gives_the_same_message_id_each_time(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    table.game(anna, bert)
    row = rows("mail.turn")[0]
    claimed = next(one for one in outbox.claim(now=table.now, limit=50) if one.id == row.id)
    first = notices.compose(row=claimed, now=table.now).notice
    assert first is not None
    assert notices.compose(row=claimed, now=table.now).notice == first
    assert first.envelope.message_id == row.message_id
    assert first.envelope.message_id.endswith("@localhost>")


def test_talk_and_ones_own_notes_are_in_the_next_mail(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.post()
    talk.say(caller=anna, game_id=game_id, text="Good luck!", now=table.now)
    talk.note(caller=anna, game_id=game_id, text="Bert likes rubies", now=table.now)
    talk.note(caller=bert, game_id=game_id, text="Hold the hall", now=table.now)
    table.turn_over(anna, game_id)
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    said = [(entry.kind, entry.data["text"]) for entry in mail.log if entry.kind in ("say", "note")]
    assert said == [("say", "Good luck!"), ("note", "Hold the hall")]


def test_a_game_without_days_has_no_deadline(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    assert table.view(anna, game_id).info.deadline is None
    assert rows("mail.reminder") == rows("clock.stand_in") == []


def test_turns_are_listed_most_urgent_first(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    made = {}
    for name, chosen in (
        ("none", ClockSpec()),
        ("long", ClockSpec("days", days=9)),
        ("short", ClockSpec("days", days=1)),
        ("later", ClockSpec()),
    ):
        made[table.game(anna, bert, clock=chosen)] = name
        table.clock.forward(minutes=1)
    page = queries.turns(caller=anna, limit=3)
    after = queries.turns(caller=anna, limit=3, after=page.next)
    assert [made[turn.info.id] for turn in (*page.items, *after.items)] == ["short", "long", "none", "later"]
    assert after.next is None
    assert all((turn.seat, turn.ply, turn.phase) == (0, 0, "move") for turn in page.items)
    assert queries.turns(caller=bert).items == ()


def test_rows_hold_ids_only(table: Table) -> None:
    anna = table.person("Anna")
    game_id = lobby.create_game(
        caller=anna, seats=[ME, STEADY], first=1, clock=ClockSpec("days", days=1), now=table.now
    )
    table.wait(days=2)
    for topic in ("bot.turn", "clock.stand_in"):
        found = rows(topic)
        assert found
        assert all(set(row.payload) == {"game", "ply"} and row.payload["game"] == game_id for row in found)


def test_endless_talk_does_not_make_an_endless_mail(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    for number in range(envelopes.MOST_TALK + 5):
        talk.say(caller=bert, game_id=game_id, text=f"word {number}", now=table.now)
        talk.note(caller=anna, game_id=game_id, text=f"note {number}", now=table.now)
    table.turn_over(anna, game_id)
    table.post()
    mail = table.mails(kinds.TurnNotice, to="bert@example.org")[-1]
    said = [entry.data["text"] for entry in mail.log if entry.kind == "say"]
    assert said == [f"word {number}" for number in range(5, envelopes.MOST_TALK + 5)]
    assert "note" not in {entry.kind for entry in mail.log}
    assert mail.log[0].kind == "created"

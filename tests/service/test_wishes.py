"""What people want by mail, honoured when a mail goes out: kinds turned off, pauses, what mails show."""

from datetime import timedelta

import pytest

from engine.events import Bribed
from service import outbox
from service.db import reading, transaction
from service.mail import kinds
from service.mail.tokens import KINDS, OptOutLink, address_recipient, user_recipient
from service.models import OptOut
from service.usecases import access, accounts, deliveries, envelopes, journal, lobby, talk, wishes
from service.usecases.results import Caller, ClockSpec, SeatSpec
from tests.service.table import ME, Table, refused, rows

ANNA = "anna@example.org"


def _link(caller: Caller, kind: str) -> OptOutLink:
    return OptOutLink(user_recipient(caller.user_id), kind)


def test_at_first_everything_is_wanted(table: Table) -> None:
    anna = table.person("Anna")
    assert wishes.mail_wishes(caller=anna) == wishes.MailWishes(
        drawing=True, cards=True, digest_hour=8, paused_at=None, off=()
    )


def test_a_kind_that_is_turned_off_is_not_sent_and_the_row_says_why(table: Table) -> None:
    anna, bert = table.pair()
    assert wishes.turn_off(caller=anna, kinds=["turn", "news"], now=table.now).off == ("turn", "news")
    first, second = table.game(anna, bert), table.game(anna, bert, first=1)
    sent = table.post()
    assert [(type(mail), mail.envelope.to) for mail in sent] == [
        (kinds.StartedNotice, "bert@example.org"),
        (kinds.TurnNotice, "bert@example.org"),
    ]
    told = {row.payload["game"]: (row.state, row.last_error) for row in rows("mail.turn")}
    assert told[first] == ("dropped", "its reader has turned off mails of the kind turn")
    assert told[second] == ("done", None)


def test_each_kind_of_mail_names_its_own_way_out(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert, clock=ClockSpec("days", days=1))
    lobby.create_game(caller=anna, seats=[ME, SeatSpec("invite", name="Bert")], now=table.now)
    sent = table.wait(hours=30)
    lobby.resign(caller=anna, game_id=game, now=table.now)
    ways = {type(mail): mail.envelope.opt_out for mail in (*sent, *table.post()) if mail.envelope.to == ANNA}
    assert ways == {
        kinds.TurnNotice: _link(anna, "turn"),
        kinds.ReminderNotice: _link(anna, "reminder"),
        kinds.MovedForYouNotice: _link(anna, "news"),
    }
    invitations = [mail for mail in sent if isinstance(mail, kinds.InvitationNotice)]
    assert [mail.envelope.opt_out for mail in invitations] == [_link(bert, "invitation")]


def test_codes_cannot_be_turned_off(table: Table) -> None:
    anna = table.person("Anna")
    wishes.turn_off(caller=anna, kinds=KINDS, now=table.now)
    wishes.pause(caller=anna, now=table.now)
    accounts.request_code(email=ANNA, now=table.now)
    (mail,) = table.post()
    assert isinstance(mail, kinds.CodeNotice)
    assert mail.envelope.opt_out is None
    with refused("invalid"):
        wishes.turn_off(caller=anna, kinds=["code"], now=table.now)


def test_the_link_of_a_mail_turns_its_kind_off_and_on_again(table: Table) -> None:
    anna, bert = table.pair()
    link = _link(anna, "turn")
    for _ in range(2):  # a second click, or a mail program that asks twice
        wishes.opt_out(link=link, now=table.now)
    assert wishes.opted_out(link=link)
    assert wishes.mail_wishes(caller=anna).off == ("turn",)
    table.game(anna, bert)
    assert [type(mail) for mail in table.post()] == [kinds.StartedNotice]
    wishes.opt_in(link=link, now=table.now)
    assert not wishes.opted_out(link=link)
    (mail,) = table.post()  # whose turn it is is told after all
    assert isinstance(mail, kinds.TurnNotice)
    wishes.opt_out(link=link, now=table.now)
    wishes.opt_in(link=link, now=table.now)
    assert table.post() == []  # but not twice


def test_a_link_to_nobody_does_nothing(table: Table) -> None:
    wishes.opt_out(link=OptOutLink("user:2222222222222", "turn"), now=table.now)
    with reading() as session:
        assert session.query(OptOut).all() == []


def test_a_stranger_can_stop_invitations_and_take_it_back_as_a_player(table: Table) -> None:
    anna = table.person("Anna")
    invite = [ME, SeatSpec("invite", email="Cleo@example.org")]
    lobby.create_game(caller=anna, seats=invite, now=table.now)
    (mail,) = table.post()
    link = mail.envelope.opt_out
    assert link == OptOutLink(address_recipient("cleo@example.org"), "invitation")
    wishes.opt_out(link=link, now=table.now)
    lobby.create_game(caller=anna, seats=invite, now=table.now)
    assert table.post() == []
    cleo = table.person("Cleo")
    assert wishes.mail_wishes(caller=cleo).off == ("invitation",)
    lobby.create_game(caller=anna, seats=invite, now=table.now)
    assert table.post() == []  # it holds for the address, whoever it belongs to now
    assert wishes.turn_on(caller=cleo, kinds=["invitation"], now=table.now).off == ()
    lobby.create_game(caller=anna, seats=invite, now=table.now)
    assert [type(mail) for mail in table.post()] == [kinds.InvitationNotice]


def test_a_pause_stops_what_waits_and_its_end_brings_the_present_turns_alone(table: Table) -> None:
    anna, bert = table.pair()
    played_on, still_on, begun, told = (table.game(anna, bert) for _ in range(4))
    table.clock.forward(minutes=2)
    assert wishes.pause(caller=anna, now=table.now).paused_at == table.now
    assert [mail.envelope.to for mail in table.post()] == ["bert@example.org"]
    assert {row.last_error for row in rows("mail.turn", "dropped")} >= {"its reader has paused mail"}
    table.turn_over(anna, played_on)
    table.turn_over(bert, played_on)
    table.move(anna, begun)
    table.turn_over(anna, told)
    table.post()
    table.clock.forward(days=20)
    assert wishes.resume(caller=anna, now=table.now).paused_at is None
    mails = table.post()
    assert all(isinstance(mail, kinds.TurnNotice) for mail in mails)
    assert [(mail.game.id, mail.ply) for mail in mails if isinstance(mail, kinds.TurnNotice)] == [
        (game, table.view(anna, game).info.ply) for game in sorted((played_on, still_on), key=_row_of)
    ]
    wishes.pause(caller=anna, now=table.now)
    wishes.resume(caller=anna, now=table.now)
    assert table.post() == []  # those mails are out


def _row_of(game_id: str) -> int:
    return max(row.id for row in rows("mail.turn") if row.payload["game"] == game_id and row.payload["seat"] == 0)


@pytest.mark.parametrize("games", [1, 3])
def test_a_pause_that_ends_while_its_mail_is_being_dropped_loses_nothing(table: Table, games: int) -> None:
    anna, bert = table.pair()
    for _ in range(games):
        table.game(anna, bert)
    wishes.pause(caller=anna, now=table.now)
    table.clock.forward(minutes=2)
    turn = next(row for row in outbox.claim(now=table.now, limit=50) if row.topic == "mail.turn")
    begun = outbox.begin(turn.id, now=table.now)
    assert begun is not None
    ended = deliveries.send(row=begun, now=table.now, post=_never)
    wishes.resume(caller=anna, now=table.now)
    outbox.finish(begun.id, now=table.now, outcome=ended)
    (mail,) = [mail for mail in table.post() if mail.envelope.to == ANNA]
    assert len(mail.parts if isinstance(mail, kinds.BundleNotice) else [mail]) == games


def _never(notice: kinds.Notice) -> None:
    raise AssertionError("nothing is to be sent")


def test_a_turn_whose_dropped_mail_is_forgotten_is_told_all_the_same(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert)
    wishes.pause(caller=anna, now=table.now)
    table.post()
    table.clock.forward(days=20)
    outbox.prune(before=table.now)
    wishes.resume(caller=anna, now=table.now)
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)
    assert mail.game.id == game
    assert mail.log[0].kind == "created"


def test_a_pause_over_the_hour_of_a_digest(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert)
    table.post()
    wishes.set_digest(caller=bert, game_id=game, on=True, now=table.now)
    table.turn_over(anna, game)
    wishes.pause(caller=bert, now=table.now)
    table.clock.forward(days=1)
    assert table.post() == []
    wishes.resume(caller=bert, now=table.now)
    assert table.post() == []  # it comes with the next digest
    table.clock.forward(days=1)
    (mail,) = table.post()
    assert isinstance(mail, kinds.TurnNotice)


def test_who_keeps_cards_out_of_mails_reads_what_everybody_knows(table: Table) -> None:
    anna, bert = table.pair()
    game_id = table.game(anna, bert)
    talk.note(caller=anna, game_id=game_id, text="Mine alone", now=table.now)
    with transaction() as session:
        game = access.locked(session, game_id)
        journal.write_events(session, game, 0, [Bribed(seat=0, color=0, gold=3)], now=table.now)
        told = envelopes.entries(session, game, game.seats[0], after=0, cards=True)
        bare = envelopes.entries(session, game, game.seats[0], after=0, cards=False)
    assert [line.seq for line in told] == [line.seq for line in bare]
    assert [line.data.get("gold") for line in told if line.kind == "bribed"] == [3]
    assert [line.data.get("gold") for line in bare if line.kind == "bribed"] == [None]
    assert "Mine alone" in [line.data.get("text") for line in bare]


def test_what_mails_show_is_said_to_whoever_writes_them(table: Table) -> None:
    anna, bert = table.pair()
    wishes.change(caller=anna, drawing=False, now=table.now)
    wishes.change(caller=bert, cards=False, now=table.now)
    table.game(anna, bert)
    shows = {mail.envelope.to: (mail.envelope.drawing, mail.envelope.cards) for mail in table.post()}
    assert shows == {ANNA: (False, True), "bert@example.org": (True, False)}


@pytest.mark.parametrize("hour", [-1, 24, 1000])
def test_an_hour_is_one_of_the_day(table: Table, hour: int) -> None:
    anna = table.person("Anna")
    with refused("invalid"):
        wishes.change(caller=anna, digest_hour=hour, now=table.now)


def test_a_digest_is_a_players(table: Table) -> None:
    anna, bert = table.pair()
    game = table.game(anna, bert)
    assert wishes.game_mail(caller=anna, game_id=game, now=table.now) == wishes.GameMail(False, None)
    due = wishes.set_digest(caller=anna, game_id=game, on=True, now=table.now)
    assert wishes.game_mail(caller=anna, game_id=game, now=table.now) == wishes.GameMail(True, due)
    assert wishes.game_mail(caller=bert, game_id=game, now=table.now) == wishes.GameMail(False, None)
    stranger = table.person("Cleo")
    with refused("not-a-player"):
        wishes.set_digest(caller=stranger, game_id=game, on=True, now=table.now)
    assert due == table.now.replace(hour=8) + timedelta(days=1)

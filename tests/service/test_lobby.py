"""Games before they start and when they are left."""

import hashlib
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import func, select

from engine.bots import LEVELS
from service.db import reading
from service.errors import (
    ALREADY_JOINED,
    ALREADY_RESIGNED,
    BAD_JOIN_CODE,
    FORBIDDEN,
    GAME_FULL,
    GAME_NOT_OVER,
    GAME_NOT_PLAYING,
    GAME_NOT_WAITING,
    INVALID,
    NOT_A_PLAYER,
    NOT_FOUND,
    RATE_LIMITED,
    SEAT_TAKEN,
)
from service.mail import kinds
from service.models import Move, Seat
from service.usecases import lobby, queries, seating
from service.usecases.results import ClockSpec, SeatSpec
from tests.service.table import BOT, ME, OPEN, STEADY, Table, refused, rows


def _invite(name: str) -> SeatSpec:
    return SeatSpec("invite", name=name)


def _mail_to(email: str) -> SeatSpec:
    return SeatSpec("invite", email=email)


def test_a_game_waits_and_starts_by_itself_when_full(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, STEADY], first=1, entropy="dice!", now=table.now)
    info = table.view(anna, game_id).info
    assert (info.status, info.you, info.creator, info.players) == ("waiting", 0, "Anna", 3)
    assert [seat.kind for seat in info.seats] == ["human", "open", "bot"]
    assert [seat.colors for seat in info.seats] == [("black",), ("orange",), ("green",)]
    assert info.seed is None
    assert table.view(anna, game_id).view is None
    lobby.join(caller=bert, game_id=game_id, now=table.clock.forward(minutes=5))
    seen = table.view(bert, game_id)
    assert (seen.info.status, seen.info.to_act, seen.info.you) == ("playing", 1, 1)
    assert seen.info.started_at == table.now
    assert len(seen.legal) > 0
    assert table.view(anna, game_id).legal == ()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_commitment_is_shown_from_the_start_and_the_seed_proves_it_at_the_end(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN], entropy="from anna", now=table.now)
    waiting = table.view(None, game_id).info
    lobby.join(caller=bert, game_id=game_id, entropy="from bert", now=table.now)
    table.play_out([anna, bert], game_id)
    info = table.view(None, game_id).info
    assert info.seed is not None
    assert hashlib.sha256(bytes.fromhex(info.seed)).hexdigest() == info.commitment == waiting.commitment
    assert [seat.entropy for seat in info.seats] == ["from anna", "from bert"]
    assert info.result is not None
    assert set(info.result.notes) == {None}


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_game_against_bots_alone_starts_at_once(table: Table) -> None:
    anna = table.person("Anna")
    game_id = lobby.create_game(caller=anna, seats=[ME, BOT], first=0, now=table.now)
    assert table.view(anna, game_id).info.status == "playing"
    table.play_out([anna], game_id)
    result = table.view(anna, game_id).info.result
    assert result is not None
    assert result.notes == (None, "bot")


@pytest.mark.parametrize(
    "seats",
    [
        [ME],
        [ME, *[OPEN] * 5],
        [OPEN, OPEN],
        [ME, ME],
        [ME, SeatSpec("bot", level="godlike")],
        [ME, SeatSpec("bot")],
        [ME, SeatSpec("invite")],
        [ME, SeatSpec("invite", email="x@example.org", name="Bert")],
        [ME, SeatSpec("invite", email="nonsense")],
        [ME, SeatSpec("invite", name="Nobody")],
        [ME, SeatSpec("invite", name="Anna")],
        [ME, SeatSpec("invite", email="ANNA@example.org")],
        [ME, SeatSpec("invite", name="Bert"), SeatSpec("invite", name="BERT")],
        [ME, SeatSpec("invite", email="x@example.org"), SeatSpec("invite", email="X@example.org")],
        [ME, SeatSpec("throne")],  # type: ignore[arg-type]
    ],
)
def test_seats_that_cannot_be(table: Table, seats: list[SeatSpec]) -> None:
    anna, _ = table.person("Anna"), table.person("Bert")
    with refused(INVALID):
        lobby.create_game(caller=anna, seats=seats, now=table.now)
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Seat)) == 0


@pytest.mark.parametrize(
    "more",
    [
        {"first": 2},
        {"first": -1},
        {"entropy": "a|b"},
        {"entropy": "x" * 65},
        {"entropy": "ä"},
        {"clock": ClockSpec("days", days=0)},
        {"clock": ClockSpec("days", days=61)},
    ],
)
def test_settings_that_cannot_be(table: Table, more: dict[str, Any]) -> None:
    anna = table.person("Anna")
    with refused(INVALID):
        lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now, **more)


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_every_level_of_bot_can_sit(table: Table, level: str) -> None:
    anna = table.person("Anna")
    game_id = lobby.create_game(caller=anna, seats=[SeatSpec("bot", level=level), ME], first=0, now=table.now)
    table.post()
    assert table.view(anna, game_id).info.to_act == 1


def test_joining_names_a_seat_or_takes_the_first(table: Table) -> None:
    anna, bert, carl, dora = (table.person(name) for name in ("Anna", "Bert", "Carl", "Dora"))
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN, OPEN], now=table.now)
    lobby.join(caller=bert, game_id=game_id, seat=2, now=table.now)
    with refused(SEAT_TAKEN) as caught:
        lobby.join(caller=carl, game_id=game_id, seat=2, now=table.now)
    assert caught.value.details["free"] == [1, 3]
    for seat in (4, -1, 10**12):
        with refused(INVALID):
            lobby.join(caller=carl, game_id=game_id, seat=seat, now=table.now)
    with refused(INVALID):
        lobby.join(caller=carl, game_id=game_id, entropy="|", now=table.now)
    lobby.join(caller=carl, game_id=game_id, now=table.now)
    with refused(ALREADY_JOINED):
        lobby.join(caller=carl, game_id=game_id, seat=3, now=table.now)
    lobby.join(caller=dora, game_id=game_id, now=table.now)
    assert [seat.name for seat in table.view(anna, game_id).info.seats] == ["Anna", "Carl", "Bert", "Dora"]
    with refused(GAME_FULL):
        lobby.join(caller=table.person("Emil"), game_id=game_id, now=table.now)


def test_an_invitation_by_name_keeps_the_seat(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = lobby.create_game(caller=anna, seats=[ME, _invite("bert")], now=table.now)
    assert lobby.browse(caller=carl).items == ()
    with refused(GAME_FULL):
        lobby.join(caller=carl, game_id=game_id, now=table.now)
    assert [info.id for info in lobby.my_games(caller=bert, status="invited").items] == [game_id]
    table.post()
    (mail,) = table.mails(kinds.InvitationNotice)
    assert (mail.envelope.to, mail.envelope.name, mail.inviter, mail.seat) == ("bert@example.org", "Bert", "Anna", 1)
    lobby.join(caller=bert, game_id=game_id, now=table.now)
    assert table.view(bert, game_id).info.status == "playing"
    assert lobby.my_games(caller=bert, status="invited").items == ()


def test_an_invitation_to_an_unknown_address_waits_for_its_owner(table: Table) -> None:
    anna = table.person("Anna")
    game_id = lobby.create_game(caller=anna, seats=[ME, _mail_to("New@Example.org")], public=False, now=table.now)
    table.post()
    (mail,) = table.mails(kinds.InvitationNotice)
    assert (mail.envelope.to, mail.envelope.name) == ("New@example.org", "")
    new = table.person("Newcomer", email="new@example.org")
    assert [info.id for info in lobby.my_games(caller=new, status="invited").items] == [game_id]
    assert table.view(new, game_id).info.invited
    lobby.join(caller=new, game_id=game_id, now=table.now)
    assert table.view(new, game_id).info.status == "playing"


def test_inviting_by_address_does_not_tell_whether_it_is_known(table: Table) -> None:
    anna, _ = table.person("Anna"), table.person("Bert")
    seen = []
    for address in ("bert@example.org", "nobody@example.org"):
        game_id = lobby.create_game(caller=anna, seats=[ME, _mail_to(address), OPEN], now=table.now)
        seat = asdict(table.view(anna, game_id).info.seats[1])
        assert seat.pop("invited_email") == address
        seen.append((seat, len(rows("mail.invitation"))))
    assert seen[0][0] == seen[1][0]
    assert (seen[0][1], seen[1][1]) == (1, 2)


def test_guests_never_see_others_addresses(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = lobby.create_game(caller=anna, seats=[ME, _mail_to("secret@example.org"), OPEN, OPEN], now=table.now)
    lobby.join(caller=bert, game_id=game_id, now=table.now)
    for caller in (bert, table.person("Carl"), None):
        assert "secret@" not in repr(table.view(caller, game_id))
        assert "@example.org" not in repr(queries.events(caller=caller, game_id=game_id))
    assert "secret@" in repr(table.view(anna, game_id))


def test_declining_opens_the_seat_and_tells_the_creator(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = lobby.create_game(caller=anna, seats=[ME, _invite("Bert")], now=table.now)
    with refused(NOT_FOUND):
        lobby.decline(caller=carl, game_id=game_id, now=table.now)
    lobby.decline(caller=bert, game_id=game_id, now=table.now)
    assert [seat.kind for seat in table.view(anna, game_id).info.seats] == ["human", "open"]
    last = queries.events(caller=anna, game_id=game_id).items[-1]
    assert (last.kind, last.seat) == ("declined", 1)
    with refused(NOT_FOUND):
        lobby.decline(caller=bert, game_id=game_id, now=table.now)
    table.post()
    assert table.mails(kinds.InvitationNotice) == []  # declined before the mail went out
    lobby.join(caller=carl, game_id=game_id, now=table.now)


def test_whoever_sits_elsewhere_gives_up_the_seat_kept_for_them(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = lobby.create_game(
        caller=anna, seats=[ME, _invite("Bert"), _mail_to("bert@example.org"), OPEN], now=table.now
    )
    lobby.join(caller=bert, game_id=game_id, seat=3, now=table.now)
    assert [seat.kind for seat in table.view(anna, game_id).info.seats] == ["human", "open", "open", "human"]


def test_a_private_game_is_not_there_for_others(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, _invite("Bert")], public=False, now=table.now)
    assert lobby.browse(caller=carl).items == ()
    for caller in (carl, None):
        with refused(NOT_FOUND):
            table.view(caller, game_id)
        with refused(NOT_FOUND):
            queries.events(caller=caller, game_id=game_id)
        with refused(NOT_FOUND):
            queries.record(caller=caller, game_id=game_id)
    for attempt in (lobby.join, lobby.leave, lobby.decline, lobby.cancel, lobby.resign, lobby.rematch):
        with refused(NOT_FOUND):
            attempt(caller=carl, game_id=game_id, now=table.now)
    assert table.view(bert, game_id).info.invited


def test_the_join_code_opens_a_private_game(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, _invite("Bert")], public=False, now=table.now)
    code = table.view(anna, game_id).info.join_code
    assert code is not None
    assert table.view(bert, game_id).info.join_code is None  # invited, not seated
    said = set()
    for whose in (game_id, "2" * 12):  # a wrong code does not tell whether there is such a game
        with refused(BAD_JOIN_CODE) as wrong:
            lobby.join(caller=carl, game_id=whose, code="wrong", now=table.now)
        said.add((wrong.value.message, str(wrong.value.details)))
    assert len(said) == 1
    with refused(NOT_FOUND):
        lobby.join(caller=carl, game_id=game_id, now=table.now)
    with refused(BAD_JOIN_CODE):  # an invitation is for the kept seat; an open one needs the code
        lobby.join(caller=bert, game_id=game_id, seat=1, now=table.now)
    lobby.join(caller=carl, game_id=game_id, code=f" {code.upper()} ", now=table.now)
    lobby.join(caller=bert, game_id=game_id, now=table.now)
    info = table.view(carl, game_id).info
    assert (info.status, info.join_code) == ("playing", None)


def test_leaving_frees_the_seat(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN], now=table.now)
    lobby.join(caller=bert, game_id=game_id, entropy="mine", now=table.now)
    lobby.leave(caller=bert, game_id=game_id, now=table.now)
    with refused(NOT_A_PLAYER):
        lobby.leave(caller=bert, game_id=game_id, now=table.now)
    assert [seat.kind for seat in table.view(anna, game_id).info.seats] == ["human", "open", "open"]
    lobby.join(caller=carl, game_id=game_id, now=table.now)
    lobby.join(caller=bert, game_id=game_id, now=table.now)
    with refused(GAME_NOT_WAITING):
        lobby.leave(caller=bert, game_id=game_id, now=table.now)


@pytest.mark.parametrize("way", ["cancel", "leave"])
def test_the_creator_calls_it_off(table: Table, way: str) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    seats = [ME, OPEN, OPEN, _mail_to("new@example.org")]
    game_id = lobby.create_game(caller=anna, seats=seats, now=table.now)
    lobby.join(caller=bert, game_id=game_id, now=table.now)
    table.post()
    with refused(FORBIDDEN):
        lobby.cancel(caller=bert, game_id=game_id, now=table.now)
    getattr(lobby, way)(caller=anna, game_id=game_id, now=table.now)
    table.post()
    assert sorted(n.envelope.to for n in table.mails(kinds.CancelledNotice)) == ["bert@example.org", "new@example.org"]
    assert table.view(bert, game_id).info.status == "cancelled"
    with refused(GAME_NOT_WAITING):
        lobby.cancel(caller=anna, game_id=game_id, now=table.now)
    with refused(GAME_NOT_WAITING):
        lobby.join(caller=table.person("Carl"), game_id=game_id, now=table.now)
    with refused(GAME_NOT_PLAYING):
        lobby.resign(caller=bert, game_id=game_id, now=table.now)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_resigning_hands_the_seat_to_a_bot_and_the_result_says_so(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.move(anna, game_id)
    lobby.resign(caller=anna, game_id=game_id, now=table.now)
    with refused(ALREADY_RESIGNED):
        lobby.resign(caller=anna, game_id=game_id, now=table.now)
    info = table.view(anna, game_id).info
    assert (info.seats[0].resigned, info.seats[0].bot_level, info.you) == (True, "steady", 0)
    assert table.view(anna, game_id).legal == ()
    assert queries.turns(caller=anna).items == ()
    table.post()
    assert table.view(bert, game_id).info.to_act == 1
    table.play_out([bert], game_id)
    result = table.view(bert, game_id).info.result
    assert result is not None
    assert result.notes == ("resigned", None)
    with refused(GAME_NOT_PLAYING):
        lobby.resign(caller=bert, game_id=game_id, now=table.now)
    with reading() as session:
        by = session.scalars(select(Move.by).where(Move.seat == 0).order_by(Move.ply)).all()
    assert by[0] == "player"
    assert set(by[1:]) == {"bot"}


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_game_that_everybody_left_is_played_out_by_bots(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    for caller in (bert, anna):
        lobby.resign(caller=caller, game_id=game_id, now=table.now)
    table.post()
    info = table.view(None, game_id).info
    assert info.status == "over"
    assert info.result is not None
    assert info.result.notes == ("resigned", "resigned")


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_one_rematch_with_the_same_seats(table: Table) -> None:
    anna, bert, carl = table.person("Anna"), table.person("Bert"), table.person("Carl")
    game_id = table.game(anna, bert, bots=1, public=False, clock=ClockSpec("days", days=3))
    with refused(GAME_NOT_OVER):
        lobby.rematch(caller=anna, game_id=game_id, now=table.now)
    table.play_out([anna, bert], game_id)
    new = lobby.rematch(caller=bert, game_id=game_id, now=table.now)
    assert lobby.rematch(caller=anna, game_id=game_id, now=table.now) == new
    info = table.view(bert, new).info
    assert [seat.kind for seat in info.seats] == ["invited", "human", "bot"]
    assert (info.public, info.clock.days, info.rematch_of, info.first_set) == (False, 3, game_id, 1)
    assert table.view(anna, game_id).info.rematch == new
    with refused(NOT_FOUND):
        lobby.rematch(caller=carl, game_id=game_id, now=table.now)
    lobby.join(caller=anna, game_id=new, now=table.now)
    assert table.view(anna, new).info.status == "playing"


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_rematch_that_was_called_off_can_be_made_again(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.play_out([anna, bert], game_id)
    new = lobby.rematch(caller=bert, game_id=game_id, now=table.now)
    lobby.cancel(caller=bert, game_id=new, now=table.now)
    assert lobby.rematch(caller=anna, game_id=game_id, now=table.now) != new


def test_browsing_pages_through_all_open_games_once(table: Table) -> None:
    anna = table.person("Anna")
    made = []
    for minute in range(7):
        if minute % 3:  # some at the same moment
            table.clock.forward(minutes=1)
        made.append(lobby.create_game(caller=anna, seats=[ME, OPEN], now=table.now))
    lobby.create_game(caller=anna, seats=[ME, OPEN], public=False, now=table.now)
    lobby.create_game(caller=anna, seats=[ME, BOT], now=table.now)
    seen: list[str] = []
    after = None
    for _ in range(10):
        page = lobby.browse(after=after, limit=2)
        seen += [info.id for info in page.items]
        after = page.next
        if after is None:
            break
        lobby.create_game(
            caller=anna, seats=[ME, OPEN], now=table.clock.forward(minutes=1)
        )  # newer: not on later pages
    assert sorted(seen) == sorted(made)
    assert len(lobby.browse(status="playing").items) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"after": "x"},
        {"after": "AAAA"},
        {"after": "W10"},
        {"after": "\x00"},
        {"after": "é"},
        {"after": "WyIyMDI2LTAxLTAxIiwgImEiXQ"},
        {"limit": 0},
        {"limit": 101},
        {"status": "all"},
    ],
)
def test_browsing_refuses_nonsense(table: Table, more: dict[str, Any]) -> None:
    with refused(INVALID):
        lobby.browse(**more)
    with refused(INVALID):
        lobby.my_games(caller=table.person("Anna"), **more)


def test_one_account_cannot_mail_people_without_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = table.person("Anna"), table.person("Bert")
    monkeypatch.setattr(seating, "INVITATIONS_PER_WINDOW", 2)
    seats = [ME, _mail_to("a@example.org"), _mail_to("b@example.org")]
    lobby.create_game(caller=anna, seats=seats, now=table.now)
    with refused(RATE_LIMITED):
        lobby.create_game(caller=anna, seats=[ME, _mail_to("c@example.org")], now=table.now)
    with refused(RATE_LIMITED):  # an inbox fills up just as well when its owner is called by name
        lobby.create_game(caller=anna, seats=[ME, _invite("Bert")], now=table.now)
    lobby.create_game(caller=anna, seats=[ME, _invite("Bert")], now=table.clock.forward(days=1))


def test_one_account_cannot_fill_one_inbox(table: Table) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    for invited in (_mail_to("a@example.org"), _invite("Bert")):
        games = [
            lobby.create_game(caller=anna, seats=[ME, invited], now=table.now) for _ in range(seating.OPEN_FOR_ONE)
        ]
        lobby.leave(caller=anna, game_id=games[-1], now=table.now)  # called off, it was mailed all the same
        with refused(RATE_LIMITED):
            lobby.create_game(caller=anna, seats=[ME, invited], now=table.now)
    # whoever takes the seats can be asked again
    waiting = lobby.my_games(caller=bert, status="invited", limit=1).items[0]
    lobby.join(caller=bert, game_id=waiting.id, now=table.now)
    lobby.create_game(caller=anna, seats=[ME, _invite("Bert")], now=table.now)

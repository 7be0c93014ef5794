"""A seat given back before the start: nothing of whoever had it belongs to the next one."""

from service.db import settings
from service.mail import kinds, render
from service.usecases import lobby, queries, talk
from service.usecases.results import Caller, SeatSpec
from tests.service.table import ME, OPEN, Table

NOTE, SAID = "my plan is secret", "I never lose"


def _seat_that_changed_hands(table: Table) -> tuple[str, Caller, Caller, Caller]:
    """Bert noted and said something on seat 1, left, and Carl took it; then Bert came back to seat 2."""
    anna, bert, carl = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    game_id = lobby.create_game(caller=anna, seats=[ME, OPEN, OPEN], first=0, now=table.now)
    lobby.join(caller=bert, game_id=game_id, seat=1, now=table.now)
    talk.note(caller=bert, game_id=game_id, text=NOTE, now=table.now)
    talk.say(caller=bert, game_id=game_id, text=SAID, now=table.now)
    lobby.leave(caller=bert, game_id=game_id, now=table.now)
    lobby.join(caller=carl, game_id=game_id, seat=1, now=table.now)
    lobby.join(caller=bert, game_id=game_id, seat=2, now=table.now)
    return game_id, anna, bert, carl


def test_a_note_is_not_inherited_with_the_seat(table: Table) -> None:
    game_id, *people = _seat_that_changed_hands(table)
    for reader in (*people, None):
        told = queries.events(caller=reader, game_id=game_id).items
        assert NOTE not in str([line.data for line in told])


def test_nobody_is_made_to_have_said_what_someone_else_said(table: Table) -> None:
    game_id, *people = _seat_that_changed_hands(table)
    for reader in (*people, None):
        (said,) = [line for line in queries.events(caller=reader, game_id=game_id).items if line.kind == "say"]
        assert (said.seat, said.data) == (None, {"kind": "say", "text": SAID})
    table.post()
    (mail,) = table.mails(kinds.TurnNotice)
    text = render.mail(mail, settings()).get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert f"Somebody said: “{SAID}”" in text
    assert "Carl joined" in text
    assert "Carl left" not in text


def test_nobody_is_told_to_have_declined_whoever_sits_there_now(table: Table) -> None:
    anna, bert, carl = (table.person(name) for name in ("Anna", "Bert", "Carl"))
    game_id = lobby.create_game(caller=anna, seats=[ME, SeatSpec("invite", name="Bert")], first=0, now=table.now)
    lobby.decline(caller=bert, game_id=game_id, now=table.now)
    lobby.join(caller=carl, game_id=game_id, now=table.now)
    table.post()
    (mail,) = table.mails(kinds.TurnNotice)
    text = render.mail(mail, settings()).get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert "An invitation was declined. Carl joined the game." in text.replace("\n  ", " ")

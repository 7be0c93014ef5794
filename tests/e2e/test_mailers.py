"""What people type in their mail programs is what the service reads, whatever the program makes of it."""

import pytest

from service.cli import letters
from service.mail import kinds, render
from service.mail.reading import read
from tests.e2e.mailers import PROGRAMS, Program, Sheet, Writer, reply
from tests.mail import samples

ANNA = Writer("Anna Márquez", "anna@example.org")
LINE = "say well, this is going to be a rather long game if nobody dares to wake the dragon, “friends”"
SERVICE = "emerald@emerald.example"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
@pytest.mark.parametrize("notice", [samples.turn(), samples.over(), samples.bribe()], ids=["turn", "over", "bribe"])
def test_a_reply_is_read_as_it_was_typed(program: Program, notice: kinds.Notice) -> None:
    mail = letters.parse(render.mail(notice, samples.SETTINGS).as_bytes())
    for typed, wanted in (
        ("t1 m3 gem", ["t1 m3 gem"]),
        (f"2\n\n{LINE}\nThanks!", ["2", LINE]),
        ("Thanks, that was fun!", []),
    ):
        letter = read(program.write(reply(ANNA, typed, mail)), own=[SERVICE])
        assert list(letter.lines) == wanted
        assert letter.kind == ("command" if wanted else "no-command")
        assert letter.sender == ANNA.address
        assert letter.in_reply_to == str(mail["Message-ID"])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_first_mail_is_read_as_it_was_typed(program: Program) -> None:
    raw = program.write(Sheet(ANNA, SERVICE, "a game?", "new 4 seats bot steady"))
    letter = read(raw, own=[SERVICE])
    assert letter.lines == ("new 4 seats bot steady",)
    assert letter.recipients == (SERVICE,)
    assert letter.sender_name == ANNA.name

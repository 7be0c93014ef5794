"""What programs read from our mails."""

from service.cli import letters
from service.mail.render import mail
from tests.mail import samples


def test_the_code_is_found_in_the_mail_that_brings_it_alone() -> None:
    found = {letters.kind_of(mail(n, samples.SETTINGS)): n for n in samples.every_kind()}
    codes = {kind: letters.code_in(mail(notice, samples.SETTINGS)) for kind, notice in found.items()}
    assert codes.pop("code") == "48151623"
    assert set(codes.values()) == {None}


def test_turns_and_decisions_are_found_as_they_come_over_the_wire() -> None:
    own = samples.turn()
    asked = letters.Decision(samples.GAME, own.ply)
    turn, answer, bundle, over = (
        letters.parse(mail(notice, samples.SETTINGS).as_bytes())
        for notice in (own, samples.refused(), samples.bundle(), samples.over())
    )
    assert letters.turn_in(turn) == asked
    assert letters.decisions_in(turn) == letters.decisions_in(answer) == (asked,)
    assert letters.turn_in(answer) is letters.turn_in(bundle) is letters.turn_in(over) is None
    assert set(letters.decisions_in(bundle)) > {asked}
    assert letters.decisions_in(over) == ()

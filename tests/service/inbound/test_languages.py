"""Whoever writes is answered in their language: each line, whatever became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from sqlalchemy import select

from service import i18n
from service.db import reading, settings
from service.errors import Refusal
from service.mail import kinds
from service.mail.tokens import AccountToken, SeatToken, SignInLink, unseal
from service.models import User
from service.usecases import accounts, addresses, lobby
from service.usecases.results import Caller, ClockSpec, SeatSpec
from tests.i18n.marking import TAG, facts, marking
from tests.service.inbound.postman import SERVICE, Postman, address, said
from tests.service.table import ME, Table

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

ADA: Final = "Ada <ada@example.org>"
ABOUT_GAMES: Final = (
    *("status", "hand", "history 9", "rules dragon", "rules nonsense", "help vote", "help nonsense", "games", "pace"),
    *("orders", "order bribe lowest", "plan t1 c9", "orders", "order bribe ask", "vote extend", "vote none"),
    *("say Quartz", "note Quartz", "rematch", "leave", "accept", "decline", "yes", "digest on", "digest off"),
    *("t9", "t1 nonsense", "bribe 3", "catch leader", "c9 c9", "surrender", "resign", "resume", "vote end"),
)
ABOUT_ACCOUNTS: Final = (
    *("games open", "new 3 seats", "new 2 seats bot random bot random", "new 2 seats", "join nonsense", "status"),
    *("away 3d", "absences", "back", "back", "away 1 Jul - 3 Jul", "absences", "away none", "away 20 Mar - 1 Jan"),
    *("night 22-7", "night off", "days off sat sun", "days off none", "pause mail", "resume mail", "resume"),
    *("unsubscribe news", "subscribe news", "unsubscribe", "subscribe", "name Ada", "zone Europe/Berlin", "zone Mars"),
    *("language es", "drawing off", "drawing on", "cards off", "cards on", "accept", "decline", "yes"),
)


#: Names, notation, and what Babel says.
KNOWN: Final = frozenset(
    ["ada", "bo", "random", "quartz", "europe", "berlin", "utc", "hall", "extend", "end", "none", "und", "märz"]
)


@pytest.fixture(autouse=True)
def environment(environment: dict[str, str]) -> dict[str, str]:
    """A house that answers as often as somebody writes."""
    return {**environment, "EMERALD_MAIL_ANSWERS_PER_HOUR": "1000"}


@pytest.fixture
def marked() -> Iterator[None]:
    """Catalogues whose German leaves nothing of a sentence but its facts; spoken is English, but where it is asked."""
    with marking(), i18n.speaking("en"):
        yield


def speaks(who: Caller, language: str, table: Table) -> Caller:
    accounts.update_account(caller=who, language=language, now=table.now)
    return who


def words_in(text: str, line: str) -> list[str]:
    """What an answer says that is from no catalogue, and is no fact."""
    left = re.sub(r"`[^`]*`|“[^”]*”|\S+@\S+|R-[A-Z]+-\d+|\b[a-z0-9]{12}\b", " ", facts(text))
    known = {*KNOWN, *re.findall(r"\w+", line.lower())}
    return [word for word in re.findall(r"[^\W\d_]{3,}", left) if word.lower() not in known]


def test_lines_about_a_game(postman: Postman, table: Table, marked: None) -> None:
    ada, bo = speaks(table.person("Ada"), TAG, table), table.person("Bo")
    game = table.game(ada, bo, clock=ClockSpec("days", days=3))
    left = {}
    for line in ABOUT_GAMES:
        answer = postman.ask(ADA, address(SeatToken(game, 0, table.view(ada, game).info.ply)), line)
        left[line] = words_in(said(answer), line)
    assert {line: words for line, words in left.items() if words} == {}


def test_lines_about_an_account(postman: Postman, table: Table, marked: None) -> None:
    ada = speaks(table.person("Ada"), TAG, table)
    left = {}
    for line in ABOUT_ACCOUNTS:
        left[line] = words_in(said(postman.ask(ADA, address(AccountToken(ada.user_id)), line)), line)
    assert {line: words for line, words in left.items() if words} == {}


def test_a_stranger_is_invited_in_the_language_of_the_friend_and_keeps_it(postman: Postman, table: Table) -> None:
    ada = speaks(table.person("Ada"), "fr", table)
    lobby.create_game(caller=ada, seats=[ME, SeatSpec("invite", email="wren@example.net")], now=table.now)
    table.post()
    (invitation,) = table.mails(kinds.InvitationNotice)
    assert invitation.envelope.language == "fr"
    answer = postman.reply(invitation, "accept")
    assert answer.envelope.language == "fr"
    with reading() as session:
        languages = {user.display_name: user.language for user in session.scalars(select(User))}
    assert languages == {"Ada": "fr", "Wren": "fr"}


def test_a_newcomer_is_written_to_in_the_language_of_the_sign_up(table: Table) -> None:
    accounts.sign_up(email="eva@example.org", display_name="Eva", language="de", now=table.now)
    table.post()
    (code,) = table.mails(kinds.CodeNotice)
    assert code.envelope.language == "de"
    sealed = code.link.rpartition("/sign-in/")[2]
    link = unseal(settings().secret_key, sealed)
    assert isinstance(link, SignInLink)
    accounts.redeem_link(challenge_id=link.challenge, now=table.now)
    with pytest.raises(Refusal):  # once, as the code: either of them
        accounts.redeem_code(email="eva@example.org", code=code.code, now=table.now)


def test_a_stranger_who_writes_by_themselves_is_answered_in_english(postman: Postman, table: Table) -> None:
    (asked,) = postman.write("Cleo <cleo@example.org>", SERVICE, "new 2 seats")
    assert isinstance(asked, kinds.ConfirmNotice)
    assert asked.envelope.language == "en"


def test_an_address_that_is_added_speaks_as_its_account(postman: Postman, table: Table, marked: None) -> None:
    ada = speaks(table.person("Ada"), TAG, table)
    addresses.add(caller=ada, email="ada@example.com", now=table.now)
    (asked,) = table.post()
    assert asked.envelope.language == TAG
    answer = postman.reply(asked, "yes")
    assert (answer.envelope.language, words_in(said(answer), "yes")) == (TAG, [])


def test_what_is_told_beside_the_lines_is_told_in_the_readers_language(
    postman: Postman, table: Table, marked: None
) -> None:
    ada = speaks(table.person("Ada"), TAG, table)
    token = AccountToken(ada.user_id)
    (warning,) = postman.write("Ada <ada@elsewhere.example>", address(token), "games")
    assert isinstance(warning, kinds.RefusedTryNotice)
    assert (warning.why, warning.envelope.language) == ("⟦⟧", TAG)
    seats = [ME, SeatSpec("invite", email="wren@example.net"), SeatSpec("open"), SeatSpec("open")]
    game = lobby.create_game(caller=ada, seats=seats, now=table.now)
    answer = postman.ask(ADA, address(SeatToken(game, 0, None)), "status")
    assert re.fullmatch(r"⟦.*⟧", answer.waiting_for)
    assert words_in(answer.waiting_for, "") == []

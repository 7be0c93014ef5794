"""What somebody cannot know is in no answer to their mails, nor in what is kept of them."""

import json
import random

import pytest

from engine import Position, position_from_json, position_to_json, redeal, view
from service.db import transaction
from service.mail import kinds
from service.mail.tokens import SeatToken
from service.models import Game, InboundMail
from service.usecases.results import Caller
from tests.service.inbound.postman import Postman, address, newest, said
from tests.service.table import Table

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

ASKED = (
    "status\nboard\nhand\nhistory 100\nrules gold\ngames",
    "bribe 5",
    "black c9",
    "surrender\nsay anything",
    "t9",
    "Thanks!",
)


def _swap(game_id: str, position: Position | None) -> Position:
    """The stored position; another one (None: the same) takes its place."""
    with transaction() as session:
        game = session.get(Game, game_id, with_for_update=True)
        assert game is not None
        assert game.position is not None
        before = position_from_json(game.position)
        if position is not None:
            game.position = position_to_json(position)
        return before


def _told(answer: kinds.AnswerNotice) -> object:
    """An answer without what differs from mail to mail."""
    return (answer.outcomes, answer.game, answer.seat, answer.view, answer.ply, answer.log, answer.envelope.reply)


def _ask(postman: Postman, email: str, to: str, text: str) -> tuple[object, str]:
    answer = postman.ask(email, to, text)
    return _told(answer), json.dumps((newest().outcome or {})["outcomes"])


def _played(table: Table, people: list[Caller], game_id: str, rng: random.Random, decisions: int) -> bool:
    for _ in range(decisions):
        seen = table.view(people[0], game_id)
        if seen.info.status != "playing":
            return False
        actor = people[seen.info.to_act or 0]
        table.move(actor, game_id, rng.randrange(len(table.view(actor, game_id).legal)) + 1)
        table.post()
    return table.view(people[0], game_id).info.status == "playing"


@pytest.fixture
def patient(environment: dict[str, str]) -> None:
    environment["EMERALD_MAIL_ANSWERS_PER_HOUR"] = "1000"


@pytest.mark.usefixtures("patient")
def test_two_games_that_differ_in_what_one_cannot_know_give_equal_answers(table: Table, postman: Postman) -> None:
    people = [table.person(name) for name in ("Anna", "Bert", "Cleo")]
    emails = ["anna@example.org", "bert@example.org", "cleo@example.org"]
    rng = random.Random(21)
    game_id = table.game(*people)
    compared = 0
    for _ in range(4):
        if not _played(table, people, game_id, rng, 22):
            break
        truth = _swap(game_id, None)
        for seat, email in enumerate(emails):
            info = table.view(people[seat], game_id).info
            for text in ASKED:
                mine = info.to_act == seat
                if mine and text.startswith(("bribe", "surrender", "black")):
                    continue  # may be legal: a move changes the game
                to = address(SeatToken(game_id, seat, info.ply))
                first = _ask(postman, email, to, text)
                other = redeal(view(truth, seat), rng)
                compared += other != truth
                _swap(game_id, other)
                try:
                    assert _ask(postman, email, to, text) == first, (seat, text)
                finally:
                    _swap(game_id, truth)
    assert compared > 20, "the games must differ, or nothing was compared"


def test_a_bribe_sent_again_does_not_name_the_card_either(table: Table, postman: Postman) -> None:
    people = [table.person("Anna"), table.person("Bert")]
    game_id = table.game(*people)
    for _ in range(400):
        table.post()
        seen = table.view(people[0], game_id).info
        if seen.status == "over":
            game_id = table.game(*people)
            continue
        seat = seen.to_act or 0
        rows = table.view(people[seat], game_id).legal
        bribe = next((row.number for row in rows if row.notation.startswith("bribe")), None)
        if bribe is not None:
            break
        table.move(people[seat], game_id)
    else:
        raise AssertionError("the dragon never caught anybody with gold")
    email, to = ("anna@example.org", "bert@example.org")[seat], address(SeatToken(game_id, seat, seen.ply))
    postman.ask(email, to, "cards off")
    first, second = (postman.ask(email, to, str(bribe)) for _ in range(2))
    assert "gave the dragon a gold card" in said(first)
    assert "played already; it was not played again" in said(second)
    assert "bribe" not in said(second)


def test_what_is_kept_holds_no_seed_and_no_others_cards(table: Table, postman: Postman) -> None:
    anna, bert = table.person("Anna"), table.person("Bert")
    game_id = table.game(anna, bert)
    table.post()
    postman.ask("anna@example.org", address(SeatToken(game_id, 0, 0)), "note only mine\nstatus\nblack t1")
    postman.ask("bert@example.org", address(SeatToken(game_id, 1, 0)), "history 50\nstatus\norange t1")
    with transaction() as session:
        game = session.get(Game, game_id)
        assert game is not None
        kept = [json.dumps(mail.outcome) for mail in session.query(InboundMail).order_by(InboundMail.id)]
        assert [text for text in kept if game.seed in text] == []
    assert "only mine" in kept[0]
    assert "only mine" not in kept[1]

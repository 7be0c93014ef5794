"""Mails about time: what they say happens next, and by whose clock."""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import engine
from service.mail import kinds
from service.mail.tokens import SeatToken
from tests.mail.opened import Page, flat, html_of, sent, text_of, token_of
from tests.mail.samples import (
    DATE,
    GAME,
    answer,
    ended,
    every_kind,
    extended,
    held,
    last_call,
    over,
    turn,
    vote,
    with_orders,
)
from tests.pictures.games import played


def test_a_last_call_says_what_happens_and_how_to_get_more_time() -> None:
    for text in (text_of(last_call()), Page(html_of(last_call())).text):
        assert "Time until Tuesday 1 December 2026, 16:00 (Europe/Berlin)" in flat(text)
        assert "A late answer still counts until Wednesday 2 December 2026, 01:00 (Europe/Berlin)." in flat(text)
        assert "Then a bot makes this move for you; your next turn is your own again." in flat(text)
        assert "away 3d" in text
        assert "say I need more time" in text
    assert sent(last_call())["Subject"].startswith("Last call, move 56: ")
    second = flat(text_of(last_call(holds=True)))
    assert "Then, as this would be the second turn in a row that runs out, a bot takes over your seat" in second


def test_ways_to_more_time_are_named_where_they_lead_there() -> None:
    called = last_call()
    strict = replace(called, game=replace(called.game, time_off=False))
    assert "away 3d" not in text_of(strict)
    assert "away 3d" not in text_of(replace(called, late=True))
    alone = replace(called, game=replace(called.game, bots=(None, "steady", "steady")))
    assert "need more time" not in text_of(alone) + html_of(alone)
    endless = replace(called, game=replace(called.game, clock=kinds.Clock()))
    assert "need more time" not in text_of(endless)
    neither = replace(alone, game=replace(alone.game, time_off=False))
    assert "NEED MORE TIME" not in text_of(neither)


def test_a_reminder_without_a_clock_names_no_end() -> None:
    reminder = replace(last_call(), last=False, deadline=None, grace_until=None)
    assert "Time until" not in text_of(reminder) + html_of(reminder)
    assert "None" not in text_of(reminder)


def test_a_held_seat_is_taken_back_by_one_word() -> None:
    text, page = text_of(held()), Page(html_of(held()))
    assert re.search(r"^Answer this mail with resume$", text, re.MULTILINE)
    letters = [urlsplit(value or "") for name, value in page.attributes if name == "href" and "mailto" in (value or "")]
    assert [parse_qs(letter.query)["body"] for letter in letters] == [["resume"]]
    assert "THE BOARD NOW" in text
    assert sent(held())["X-Emerald-Decision"] is None
    status = replace(answer(kinds.Outcome("status", "done"), about=turn()), view=held().view, held=True)
    assert "answer this mail with resume" in flat(text_of(status))
    assert "It is your turn" not in text_of(status)


def test_whoever_was_moved_for_is_warned_once() -> None:
    [moved] = [notice for notice in every_kind() if isinstance(notice, kinds.MovedForYouNotice)]
    assert "If your next turn runs out as well, a bot takes over your seat" in flat(text_of(moved))
    assert "runs out as well" not in flat(text_of(replace(moved, chances=None)))
    end = over()
    late = flat(text_of(replace(moved, view=end.view)))
    assert "your next turn" not in late


def test_a_vote_says_what_it_does_and_whose_time_it_is_by_both_clocks() -> None:
    text = flat(text_of(vote()))
    assert "Chloé voted to give Bertrand more time" in text
    assert "1 more vote is needed. Then Bertrand has 3 days more for this turn." in text
    both = "Wednesday 2 December 2026, 19:00 (Europe/Berlin), which is Thursday 3 December, 03:00 (Asia/Tokyo) for them"
    assert both in text
    assert "Answer this mail with vote extend if you agree" in text
    assert "Bertrand has 1 day 12 hours more" in flat(text_of(replace(vote(), more=timedelta(hours=36))))
    end = replace(vote(kind="end"), held=True, deadline=None, needed=2)
    text = flat(text_of(end))
    assert "2 more votes are needed" in text
    assert "A bot has held the seat of Bertrand since Sunday 29 November 2026" in text
    assert "nobody wins" in text
    assert "vote end if you agree" in text


def test_more_time_is_told_with_the_new_end() -> None:
    text = flat(text_of(extended()))
    assert "Chloé voted to give you more time" in text
    assert "Time until Monday 7 December 2026, 10:00 (Europe/Berlin)" in text
    assert sent(extended())["X-Emerald-Decision"] == f"{GAME}/{turn().ply}"


def test_a_game_that_was_voted_to_an_end_has_no_winner_and_tells_the_points() -> None:
    notice = ended()
    text = flat(text_of(notice))
    assert "the players voted to end it, so nobody won." in text
    assert "won the" not in text
    assert ", won" not in text
    assert "two turns in a row ran out; a steady bot held the seat at the end" in text
    assert "a bot moved where time ran out" in text
    assert "You and Chloé voted to end the game, so it ended" in text
    assert all(f": {points} points" in text for points in notice.result.scores)
    assert sent(notice)["Subject"] == "The players ended the game: Emerald with Bertrand and Chloé"


def test_a_turn_tells_of_bank_plan_and_orders() -> None:
    notice = with_orders()
    text = text_of(notice)
    assert "Your bank when this turn began: 2 days 11 hours; this turn brings 12 hours more." in flat(text)
    plan = "Your plan (“if m3 then m3 gem”) was not played: None of its conditions held."
    assert flat(text).count(plan) == 1
    assert text.index("Your plan") < text.index("YOU CAN")
    assert "- bribe at most 2 while I have 2 cards\n- catch leader>green\n" in text
    assert "order bribe ask to be asked again" in flat(text)
    assert "Your standing order for bribes (“at most 2”) decided. You gave the dragon the gold card 1" in flat(text)
    page = Page(html_of(notice)).text
    assert plan in page
    assert "bribe at most 2 while I have 2 cards" in page
    assert "STANDING ORDERS" not in text_of(turn())


def test_an_answer_tells_whose_time_it_is_by_both_clocks() -> None:
    position, _ = played(3, 7, lambda p, n: n > 50 and engine.to_act(p) == 1 and p.phase == engine.MOVE)
    waits = replace(
        answer(kinds.Outcome("status", "done"), about=turn()),
        view=engine.view(position, 0),
        deadline=DATE + timedelta(days=1, hours=9),
        zone_there="Asia/Tokyo",
    )
    for text in (flat(text_of(waits)), Page(html_of(waits)).text):
        assert "19:00 (Europe/Berlin), which is Thursday 3 December, 03:00 (Asia/Tokyo) for them." in text


def test_a_last_call_beside_its_turn_is_one_decision() -> None:
    own, called = turn(), last_call()
    both = kinds.BundleNotice(own.envelope, (own, called, held(), vote()), False)
    assert sent(both).get_all("X-Emerald-Decision") == [f"{GAME}/{own.ply}"]
    assert token_of(sent(both)["Reply-To"]) == SeatToken(GAME, 0, own.ply)
    contents = flat(text_of(both))
    assert "Last call: your turn with Bertrand and Chloé: move a knight; time until Tuesday 1 December" in contents
    assert "A bot holds your seat in the game with Bertrand and Chloé: resume takes it back" in contents
    assert "A vote for more time in the game with Bertrand, Chloé and Dmitri: vote extend if you agree" in contents

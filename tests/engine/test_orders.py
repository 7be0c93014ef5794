"""Standing orders (docs/ORDERS.md): what they say, what they do, and that nobody has to wait where one is set."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import (
    Action,
    BribeOrder,
    CatchOrder,
    IllegalAction,
    LinePlayed,
    NotationError,
    Orders,
    Position,
    Surrender,
    action_notation,
    answer_bribe,
    apply,
    choose_catch,
    deal,
    explain,
    is_over,
    legal_actions,
    order_text,
    parse_bribe,
    parse_catch,
    play_actions,
    play_line,
    redeal,
    standing,
    start,
    to_act,
    view,
)
from engine.lines import parse_line
from engine.position import BRIBE, CATCH
from engine.reading import split_words
from tests.engine.acting import act, do
from tests.engine.positions import SEATS, game, position, whole_games
from tests.engine.test_documents import DOCS, RECORD_PAGE

ORDERS_PAGE = (DOCS / "ORDERS.md").read_text()
HOME = {"orange": "t3 t4", "green": "t3 t4"}


def rows(page: str, heading: str) -> list[list[str]]:
    """The rows of the tables under a heading, each as the code in its cells."""
    part = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| `")]
    return [[" ".join(re.findall("`([^`]+)`", cell)[:1]) for cell in line.strip("|").split(" | ")] for line in lines]


def done(line: LinePlayed, players: int = 4) -> str:
    """What was done, in notation; what a standing order did in brackets, with its seat."""
    told = [action_notation(step.action, players) for step in line.steps]
    orders = [f"[{step.seat} {said}]" if step.by_order else said for step, said in zip(line.steps, told, strict=True)]
    return ", ".join(orders)


def dropped(line: LinePlayed) -> dict[str, str]:
    return {one.word: one.reason for one in line.dropped}


def table(players: int = 4, **orders: str) -> list[Orders | None]:
    """Orders by seat: ``s1="lowest", s0="leader"``; which kind is seen from the words."""
    made: list[Orders | None] = []
    for seat in range(players):
        bribe, _, catch = orders.get(f"s{seat}", "").partition("/")
        made.append(Orders(parse_bribe(bribe or "ask"), parse_catch(catch or "ask")))
    return made


# -- what they say


@pytest.mark.parametrize("row", rows(ORDERS_PAGE, "When the dragon holds a knight of yours"), ids=lambda row: row[0])
def test_orders_for_bribes_are_what_the_page_says(row: list[str]) -> None:
    written, kept, *_ = row
    order = parse_bribe(written)
    assert (order_text(order) if order else "") == kept
    assert parse_bribe(kept or "ask") == order
    said = parse_line(f"t1 bribe {written} m3")
    assert not isinstance(said, int)
    assert said.answer is not None
    assert said.answer.answer == order
    assert said.answer.words.split() == ["bribe", *split_words(written)]
    assert len(said.knights) == 2


@pytest.mark.parametrize("row", rows(ORDERS_PAGE, "When you choose whom it catches"), ids=lambda row: row[0])
def test_orders_for_catches_are_what_the_page_says(row: list[str]) -> None:
    written, kept, *_ = row
    order = parse_catch(written)
    assert (order_text(order) if order else "") == kept
    assert parse_catch(kept or "ask") == order
    said = parse_line(f"t1 catch {written} purple m3")
    assert not isinstance(said, int)
    assert said.catch is not None
    assert said.catch.order == order
    assert len(said.knights) == 2


def test_lines_of_the_pages_are_read() -> None:
    lines = [row[0] for row in rows(ORDERS_PAGE, "In a line")]
    lines += [row[0] for row in rows(RECORD_PAGE, "Notation")]
    assert len(lines) > 15
    for line in lines:
        parse_line(line)


@pytest.mark.parametrize(
    ("parse", "text", "word", "message"),
    [
        (parse_bribe, "", "", "an order for bribes is lowest or highest, at most 2, never"),
        (parse_bribe, " ,\n", "", "there is nothing in this order"),
        (parse_bribe, "2", "2", "an order has to hold at any time: say at most 2"),
        (parse_bribe, "lowst", "lowst", "did you mean 'lowest'?"),
        (parse_bribe, "most 2", "most", "did you mean 'at most'?"),
        (parse_bribe, "nevr", "nevr", "did you mean 'never'?"),
        (parse_bribe, "at", "at", "'at' is not all: it is at most and a number from 1 to 5"),
        (parse_bribe, "at moust 2", "moust", "did you mean 'most'?"),
        (parse_bribe, "at most 6", "6", "'6' is the value of no gold card"),
        (parse_bribe, "at most ２", "２", "a number from 1 to 5"),
        (parse_bribe, "lowest while", "lowest while", "is not all: it is while I have and a number of cards"),
        (parse_bribe, "while you have 2 cards", "you", "'you' is not 'i': it is while I have"),
        (parse_bribe, "while I have two cards", "two", "'two' is no number of cards"),
        (parse_bribe, "while I have 0 cards", "0", "a number of cards from 1 to 25"),
        (parse_bribe, "while I have 2 gold", "gold", "like while I have 2 cards"),
        (parse_bribe, "never while I have 2 cards", "while", "is too much after 'never'"),
        (parse_bribe, "lowest highest", "highest", "is too much after 'lowest'"),
        (parse_bribe, "lowest t1", "t1", "is too much after 'lowest'"),
        (parse_bribe, "x" * 201, "x" * 37 + "...", "is too long: an order has at most 200 characters"),
        (parse_catch, "", "", "an order for catches is colours, leader, never me, or ask"),
        (parse_catch, "purpel", "purpel", "did you mean 'purple'?"),
        (parse_catch, "leadr", "leadr", "did you mean 'leader'?"),
        (parse_catch, ">", ">", "after catch come colours"),
        (parse_catch, "purple>", "purple", "is not all"),
        (parse_catch, "purple >> green", ">", "after catch come colours"),
        (parse_catch, "never", "never", "'never' is not all: it is never me"),
        (parse_catch, "purple never you", "you", "it is never me"),
        (parse_catch, "never me purple", "purple", "is too much after 'never me'"),
        (parse_catch, "purple ask", "ask", "is too much after 'purple'"),
        (parse_catch, "ask purple", "purple", "is too much after 'ask'"),
        (parse_catch, "me", "me", "no colour"),
    ],
)
def test_an_order_that_is_none_is_refused_with_what_would_be_right(
    parse: Callable[[str], object], text: str, word: str, message: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.word == word
    assert message in caught.value.message
    assert f"'{word}'" in caught.value.message or not word


@pytest.mark.parametrize(
    ("line", "word", "message"),
    [
        ("t1 leader", "leader", "stands only in phrases like catch leader"),
        ("t1 while I have 2 cards", "while", "stands only in phrases like bribe lowest while I have 2 cards"),
        ("t1 bribe 2 while I have 2 cards", "while", "bribe lowest while I have 2 cards"),
        ("t1 at most 2", "at", "stands only in phrases like bribe lowest or bribe at most 2"),
        ("t1 ask", "ask", "stands only in phrases like bribe ask"),
        ("t1 catch leadr", "leadr", "did you mean 'leader'?"),
        ("t1 bribe aks", "aks", "did you mean 'ask'?"),
        ("t1 laeder", "laeder", "did you mean 'leader'?"),
        ("t1 bribe never surrender", "surrender", "contradicts or repeats 'bribe never'"),
        ("t1 catch ask catch purple", "catch", "contradicts or repeats 'catch ask'"),
    ],
)
def test_the_new_words_of_a_line_are_told_about(line: str, word: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        play_line(position(3), line)
    assert caught.value.word == word
    assert message in caught.value.message


phrase = st.sampled_from(
    [
        *(
            *engine.COLORS,
            "leader",
            "never",
            "me",
            "ask",
            "lowest",
            "highest",
            "at",
            "most",
            "1",
            "2",
            "5",
            "25",
            "while",
        ),
        *("I", "have", "card", "cards", "surrender", ">", ",", "bribe", "catch", "t1", "\ud800", "İ", "K", "\x00"),
    ]
)
texts = st.text() | st.lists(phrase, max_size=10).map(" ".join) | st.text("> ", max_size=300)


@given(texts)
def test_any_text_is_an_order_or_is_refused(text: str) -> None:
    for parse in (parse_bribe, parse_catch):
        order: BribeOrder | CatchOrder | NotationError | None
        try:
            order = parse(text)
        except NotationError as error:
            order = error
        if isinstance(order, NotationError):
            assert len(order.word) <= 40
            assert order.word.isprintable()
            assert "\n" not in order.message
        elif order is not None:
            assert parse(order_text(order)) == order
            assert explain(order).endswith(".")


BRIBES = [
    *("never", "lowest", "highest", *(f"at most {value}" for value in range(1, 6))),
    *("while I have 2 cards", "highest while I have 4 cards", "at most 1 while I have 2 cards"),
]
CATCHES = [
    "leader",
    "never me",
    "black>purple",
    "green>leader",
    "yellow never me",
    "orange>black>green>yellow never me",
]


def test_an_order_is_explained() -> None:
    orders: list[tuple[str, BribeOrder | CatchOrder | None]] = [(text, parse_bribe(text)) for text in BRIBES]
    orders += [(text, parse_catch(text)) for text in CATCHES]
    told = {text: explain(order) for text, order in orders if order is not None}
    assert len(set(told.values())) == len(BRIBES) + len(CATCHES)
    assert "worth 3 or less" in told["at most 3"]
    assert "at least 2 gold cards" in told["while I have 2 cards"]
    assert "you are asked" in told["green>leader"]
    assert "you are asked" not in told["never me"]
    assert "orange, else black, else green" in told["orange>black>green>yellow never me"]


# -- what they do with a bribe


def caught(hand: Sequence[int]) -> Position:
    """Orange's knight was caught by black's first move, and orange has this hand."""
    knights = {"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t3 t4", "purple": "t3 t4"}
    before = position(4, knights=knights, no_cards=True, dice=[2, 2], hands={1: hand})
    return do(before, "black m6")[0]


@pytest.mark.parametrize(
    ("order", "hand", "answer"),
    [
        ("never", [1], "surrender"),
        ("lowest", [2, 3, 5], "bribe 2"),
        ("highest", [2, 3, 5], "bribe 5"),
        ("highest", [4, 4], "bribe 4"),
        ("at most 2", [2, 3], "bribe 2"),
        ("at most 2", [1, 1, 5], "bribe 1"),
        ("at most 2", [3, 4], "surrender"),
        ("at most 5", [5], "bribe 5"),
        ("while I have 2 cards", [1], "surrender"),
        ("while I have 2 cards", [3, 3], "bribe 3"),
        ("highest while I have 3 cards", [1, 2], "surrender"),
        ("highest while I have 3 cards", [1, 2, 4], "bribe 4"),
        ("at most 2 while I have 2 cards", [3, 4], "surrender"),
        ("at most 2 while I have 2 cards", [1], "surrender"),
        ("at most 2 while I have 2 cards", [2, 4], "bribe 2"),
    ],
)
def test_a_bribe_is_answered_from_the_hand(order: str, hand: list[int], answer: str) -> None:
    """R-DRAG-6: as an order, and as words of the owner's line."""
    asked = caught(hand)
    bribe = parse_bribe(order)
    assert bribe is not None
    assert answer_bribe(bribe, view(asked, 1)) == act(answer)
    assert standing([None, Orders(bribe), None, None])(asked) == act(answer)
    assert done(play_line(asked, f"bribe {order}")) == answer


# -- what they do with a catch


def woken(*there: str, players: int = 4, **more: Any) -> Position:
    """Black's first move woke the dragon among knights of these colours on c2."""
    names = engine.COLORS[: max(players, 4)]
    knights = {name: "t3 t4 c2" if name in there else "t3 t4" for name in names}
    knights["black"] = "t1 t2 m6 c2" if "black" in there else "t1 t2 m6"
    given: dict[str, Any] = {"knights": knights, "no_cards": True, "dice": [2, 2], **more}
    return do(position(players, **given), "black m6")[0]


@pytest.mark.parametrize(
    ("order", "there", "victim"),
    [
        ("purple", "orange purple", "purple"),
        ("purple>orange", "orange green", "orange"),
        ("purple", "orange green", None),
        ("black>purple", "black orange purple", "black"),
        ("purple never me", "orange purple", "purple"),
        ("black>purple never me", "black orange purple", "purple"),
        ("black never me", "black green", "green"),
        ("never me", "black purple", "purple"),
        ("yellow", "orange green", None),
        # green leads, then orange, then purple
        ("leader", "black orange green purple", "green"),
        ("leader", "black orange purple", "orange"),
        ("leader", "black purple", "purple"),
        ("purple>leader", "orange green", "green"),
        ("leader>purple", "orange green purple", "green"),
        ("never me", "black orange green purple", "green"),
        ("yellow never me", "orange purple", "orange"),
    ],
)
def test_whom_the_dragon_catches(order: str, there: str, victim: str | None) -> None:
    """R-DRAG-4: black leads by far, and is not the leader for itself."""
    asked = woken(*there.split(), treasures={0: 2, 2: 1}, laid={0: "ruby", 1: "ruby ruby", 3: "ruby"})
    assert asked.phase == CATCH
    catch = parse_catch(order)
    assert catch is not None
    chosen = choose_catch(catch, view(asked, 0))
    assert chosen == (None if victim is None else act(f"catch {victim}"))
    assert standing([Orders(None, catch), None, None, None])(asked) == chosen


@pytest.mark.parametrize(
    ("points", "victim"),
    [
        ({}, "orange"),  # all equal: the lowest seat
        ({"laid": {2: "ruby"}}, "green"),
        ({"laid": {1: "ruby ruby ruby ruby ruby"}, "treasures": {2: 1}}, "green"),  # 5 each: more treasures
        ({"laid": {1: "ruby ruby ruby ruby", 3: "ruby ruby ruby ruby ruby"}}, "purple"),
        ({"laid": {1: "ruby emerald garnet turquoise"}, "treasures": {2: 1}, "four_gems": 1}, "orange"),  # 8 to 5
        ({"laid": {1: "ruby emerald garnet turquoise", 3: "ruby " * 5}, "four_gems": 1}, "orange"),  # 8 to 5
        ({"hands": {3: [5, 5, 5], 2: [5]}}, "orange"),  # gold is nobody's business
        ({"hands": {1: [1, 1]}, "laid": {3: "garnet"}}, "purple"),
    ],
)
def test_the_leader_is_told_by_open_points(points: dict[str, Any], victim: str) -> None:
    """R-END-4: treasures 5, gems 1, the bonus card 4; then treasures, gems, the lowest seat."""
    asked = woken("orange", "green", "purple", **points)
    assert choose_catch(CatchOrder(("leader",), never_me=False), view(asked, 0)) == act(f"catch {victim}")


@pytest.mark.parametrize(
    ("order", "there", "victim"),
    [
        ("never me", "black orange", None),
        ("leader", "black orange", None),
        ("leader>orange", "black orange", "orange"),
        ("orange never me", "black orange", None),
        ("never me", "orange green purple", "green"),
        ("leader", "black purple", "purple"),
        ("purple never me", "black green purple", "purple"),
    ],
)
def test_with_two_players_both_colours_are_ones_own(order: str, there: str, victim: str | None) -> None:
    """R-SET-2: where only one's own stand there, somebody has to say which."""
    asked = woken(*there.split(), players=2)
    catch = parse_catch(order)
    assert catch is not None
    assert choose_catch(catch, view(asked, 0)) == (None if victim is None else act(f"catch {victim}"))


# -- in a line


def owned(**more: Any) -> Position:
    """Black on m6 may wake the dragon, which catches orange on c2; orange has gold."""
    knights = {"black": "t1 t2 m6", "orange": "t1 t3 c2", "green": "t3 t4", "purple": "t3 t4"}
    given: dict[str, Any] = {"knights": knights, "no_cards": True, "dice": [2, 2], "hands": {1: [3, 4]}, **more}
    return position(4, **given)


def crowded(**more: Any) -> Position:
    """Black on m6 may wake the dragon, which meets black, orange and purple on c2."""
    knights = {"black": "t1 t2 m6 c2", "orange": "t3 t4 c2", "green": "t3 t4", "purple": "t3 t4 c2"}
    return owned(knights=knights, **more)


def test_a_line_goes_on_behind_the_answer_of_another_seat() -> None:
    """R-DRAG-11: the knights, the card and the stop that were said are still played."""
    line = play_line(owned(), "m6 t1", standing(table(s1="lowest")))
    assert done(line) == "m6, [1 bribe 3], t1"
    assert [step.seat for step in line.steps] == [0, 1, 0]
    assert line.dropped == ()
    assert done(play_line(owned(), "m6 stop", standing(table(s1="never")))) == "m6, [1 surrender], stop"
    assert done(play_line(owned(), "m6 t1", standing(table(s1="ask")))) == "m6"
    assert done(play_line(owned(), "m6 t1", standing([None] * 4))) == "m6"
    card = owned(gold={"c3": [5]}, gems={"c3": ["ruby"]}, knights={"black": "t1 m6 c1", "orange": "t1 t3 c2"})
    assert done(play_line(card, "m6 c1 gem", standing(table(s1="highest")))) == "m6, [1 bribe 4], c1, gem"


def test_actions_go_on_in_the_same_way() -> None:
    line = play_actions(owned(), [act("black m6"), act("black t1")], standing(table(s1="lowest")))
    assert done(line) == "m6, [1 bribe 3], t1"
    mine = crowded(hands={0: [1, 2]})
    line = play_actions(mine, [act("black m6"), act("black t1")], standing(table(s0="lowest/black")))
    assert done(line) == "m6, [0 catch black], [0 bribe 1], t1"
    line = play_actions(mine, [act("black m6"), act("bribe 2"), act("stop")], standing(table(s0="lowest/black")))
    assert done(line) == "m6, [0 catch black], bribe 2, stop"
    line = play_actions(mine, [act("black m6"), act("black t1")])
    assert done(line) == "m6"
    assert dropped(line) == {"t1": "the dragon's victim has to be chosen first (R-DRAG-4)"}


def test_a_number_of_the_list_goes_on_too() -> None:
    assert done(play_line(owned(), "3", standing(table(s1="lowest")))) == "m6, [1 bribe 3]"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("m6 t1", "m6, [0 catch purple], [3 surrender], t1"),
        ("m6 t1 catch black", "m6, catch black, [0 bribe 1], t1"),
        ("m6 t1 catch black bribe highest", "m6, catch black, bribe 5, t1"),
        ("m6 t1 catch black bribe at most 1", "m6, catch black, bribe 1, t1"),
        ("m6 t1 catch black bribe 5", "m6, catch black, bribe 5, t1"),
        ("m6 stop catch leader", "m6, catch orange, [1 bribe 3], stop"),
        ("m6 stop catch never me", "m6, catch orange, [1 bribe 3], stop"),
        ("m6 stop catch black>orange never me", "m6, catch orange, [1 bribe 3], stop"),
    ],
)
def test_words_of_the_line_go_before_standing_orders(text: str, line: str) -> None:
    orders = table(s0="lowest/purple", s1="lowest", s3="never")
    before = crowded(hands={0: [1, 5], 1: [3, 4], 3: [2]})
    played = play_line(before, text, standing(orders))
    assert done(played) == line
    assert played.dropped == ()


def test_a_line_may_ask_for_being_asked() -> None:
    """Whatever the standing orders say; what was to come afterwards waits."""
    orders = standing(table(s0="lowest/black"))
    before = crowded(hands={0: [1, 5]})
    line = play_line(before, "m6 t1 catch ask", orders)
    assert done(line) == "m6"
    assert dropped(line) == {"t1": "the dragon's victim has to be chosen first (R-DRAG-4)"}
    line = play_line(before, "m6 bribe ask", orders)
    assert done(line) == "m6, [0 catch black]"
    assert line.dropped == ()
    assert line.steps[-1].position.phase == BRIBE
    # nothing to ask for is said, like every word that found no use
    assert dropped(play_line(before, "t1 catch ask")) == {
        "catch ask": "the dragon met nobody to choose from (R-DRAG-4)"
    }


@pytest.mark.parametrize(("text", "before"), [("bribe ask", caught([1, 2])), ("catch ask", woken("orange", "purple"))])
def test_being_asked_is_no_answer_to_what_one_is_asked(text: str, before: Position) -> None:
    with pytest.raises(IllegalAction, match=f"'{text}' cannot be done") as refused:
        play_line(before, text, standing(table(s0="lowest/purple", s1="lowest")))
    assert refused.value.legal == legal_actions(before)
    with pytest.raises(IllegalAction, match=r"holds no knight now|nobody to choose from"):
        play_line(position(4), text)


def test_where_nobody_the_line_wants_is_there_the_order_decides() -> None:
    """R-DRAG-4: and the words are reported; a gold card that is not there is a mistake, and the turn waits."""
    before = crowded(hands={0: [1, 5]})
    line = play_line(before, "m6 t1 catch green", standing(table(s0="ask/purple")))
    assert done(line) == "m6, [0 catch purple], t1"
    assert dropped(line) == {"catch green": "no green knight stands on the dragon's space (R-DRAG-4)"}
    line = play_line(before, "m6 t1 catch green", standing(table(s0="lowest/green")))
    assert done(line) == "m6"
    line = play_line(before, "m6 t1 bribe 4", standing(table(s0="lowest/black")))
    assert done(line) == "m6, [0 catch black]"
    assert dropped(line)["bribe 4"] == "there is no gold 4 in the hand (R-DRAG-6)"
    two = woken("black", "orange", players=2)
    with pytest.raises(IllegalAction, match="only knights of this seat stand on the dragon's space"):
        play_line(two, "catch leader never me", standing(table(2, s0="ask/black")))


def test_an_order_never_answers_what_the_line_was_written_for() -> None:
    """It answers what comes up later: the decision that is open is its owner's own."""
    asked = caught([1, 3])
    orders = standing(table(s1="lowest", s0="ask/purple"))
    assert orders(asked) == act("bribe 1")
    for text in ("t1", "stop"):
        with pytest.raises(IllegalAction, match="has to answer the dragon first"):
            play_line(asked, text, orders)
    with pytest.raises(IllegalAction, match="the dragon's victim has to be chosen first"):
        play_actions(woken("orange", "purple"), [act("black t1")], orders)


def test_ones_own_turn_goes_on_after_the_answer_in_anothers() -> None:
    """R-SET-6: orange answers in black's turn, moves in its own, and green's order answers orange's dragon."""
    knights = {"black": "t1 t2 m6", "orange": "t1 c1 c2", "green": "t3 t4 c4", "purple": "t3 t4"}
    before = do(owned(knights=knights, hands={1: [3], 2: [2]}), "black t1", "black m6")[0]
    assert to_act(before) == 1
    line = play_line(before, "bribe lowest c2 t1", standing(table(s2="lowest")))
    assert done(line) == "bribe 3, c2, [2 bribe 2], t1"


# -- all or nothing


def test_anothers_answer_has_come_to_light() -> None:
    """Else one could choose a victim, read in the refusal whether it pays, and choose anew."""
    before = woken("orange", "purple", hands={1: [3], 3: [1]})
    for order, answer in (("lowest", "bribe 3"), ("never", "surrender")):
        line = play_line(before, "catch orange t3", standing(table(s1=order)))
        assert done(line) == f"catch orange, [1 {answer}]"
        assert list(dropped(line)) == ["t3"]
    with pytest.raises(IllegalAction):  # nothing has come to light: orange is asked
        play_line(before, "catch orange t3", standing(table(s3="lowest")))


def test_ones_own_answer_has_not() -> None:
    before = woken("black", "orange", hands={0: [1]})
    with pytest.raises(IllegalAction, match="'t3' cannot be done: no black knight stands on t3") as refused:
        play_line(before, "catch black t3", standing(table(s0="lowest")))
    assert "after 'catch black bribe 1' there could come t1, t2, c2, stop" in refused.value.message
    assert done(play_line(before, "catch black t1", standing(table(s0="lowest")))) == "catch black, [0 bribe 1], t1"


def test_an_answer_may_end_the_game() -> None:
    """R-END-2: the line ends with it."""
    knights = {"black": "t1 t2 m6", "orange": "t1 c2", "green": "t3 t4", "purple": "t3 t4"}
    line = play_line(owned(knights=knights), "m6 t1", standing(table(s1="never")))
    assert done(line) == "m6, [1 surrender]"
    assert is_over(line.steps[-1].position)
    assert dropped(line) == {"t1": "the game is over by then (R-END-2)"}


# -- whole games


order_of_a_seat = st.builds(
    Orders,
    st.none() | st.sampled_from(BRIBES).map(parse_bribe),
    st.none() | st.sampled_from(CATCHES).map(parse_catch),
)


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32), st.lists(order_of_a_seat, min_size=5, max_size=5))
def test_games_with_orders_end_and_no_order_is_asked_twice(players: int, seed: int, orders: list[Orders]) -> None:
    """Every answer is legal, is that of its seat, and moves the game on; no bribe waits that an order covers."""
    rng = random.Random(seed)
    decide = standing(orders[:players])
    asked: list[Position] = []

    def once(now: Position) -> Action | None:
        assert not any(now is before for before in asked)
        asked.append(now)
        return decide(now)

    now = start(deal(players, rng.randbytes(32), [""] * players, None))
    plies = 0
    while not is_over(now):
        actor = to_act(now)
        line = play_actions(now, [rng.choice(legal_actions(now))], once)
        assert not line.steps[0].by_order
        assert line.steps[0].seat == actor
        for step in line.steps:
            assert step.seat == to_act(now)
            assert step.action in legal_actions(now)
            assert not step.by_order or step.action == decide(now)
            assert (step.position, step.events) == apply(now, step.action)
            now = step.position
            plies += 1
        seat = to_act(now)
        assert now.phase != BRIBE or seat is None or orders[seat].bribe is None
    assert plies < 1000


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_games_that_look_alike_are_answered_alike(players: int, seed: int) -> None:
    """An order for bribes knows what its owner sees; one for catches what everybody sees."""
    rng = random.Random(seed)
    bribes = [parse_bribe(text) for text in BRIBES]
    catches = [parse_catch(text) for text in CATCHES]
    for now, *_ in game(players, seed):
        seat = to_act(now)
        if now.phase == BRIBE:
            other = redeal(view(now, seat), rng)
            for bribe in bribes:
                answer = standing([Orders(bribe)] * players)
                assert answer(now) == answer(other)
                assert answer(now) in legal_actions(now)
                assert bribe != BribeOrder("never") or answer(now) == Surrender()
        if now.phase == CATCH:
            other = redeal(view(now, None), rng)
            for catch in catches:
                answer = standing([Orders(None, catch)] * players)
                assert answer(now) == answer(other)
                assert answer(now) in (None, *legal_actions(now))

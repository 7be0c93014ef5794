"""Plans for one's next turn (docs/ORDERS.md): what they say, which clause is played, and that they see only a View."""

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import (
    AmbiguousMove,
    Clause,
    IllegalAction,
    NotationError,
    Plan,
    Position,
    explain_plan,
    legal_actions,
    parse_plan,
    plan_line,
    plan_text,
    play_line,
    redeal,
    to_act,
    view,
)
from engine.lines import parse_line
from engine.plans import LONGEST_PLAN, MOST_CLAUSES
from tests.engine.positions import SEATS, game, position, whole_games
from tests.engine.test_orders import ORDERS_PAGE, rows

PAGE = "A plan for your next turn"
TESTS = [row[0] for row in rows(ORDERS_PAGE, PAGE) if len(row) == 2 and not row[1].startswith(("t1", "if"))]
WHOLE = [row for row in rows(ORDERS_PAGE, PAGE) if row[1].startswith(("t1", "if"))]


def here(**more: object) -> Position:
    """Black is to move; the dragon is on c5; gold 3 and a ruby are open at c2, nothing at c4."""
    given: dict[str, object] = {
        "knights": {"black": "t1 t1 m3 c9", "orange": "t3 t4 m3", "green": "t3 t4 m3", "purple": "t3 t4 c4"},
        "gold": {"c2": [3, 1], "c4": []},
        "gems": {"c2": ["ruby", "garnet"], "c4": []},
        "rail": 3,
        "dragon": 5,
        **more,
    }
    return position(4, **given)  # type: ignore[arg-type]


def holds(test: str, seat: int = 0, **more: object) -> bool:
    plan = parse_plan(f"if {test} then t1 else t2")
    return plan_line(plan, view(here(**more), seat)) == "t1"


# -- what they say


def test_the_page_has_its_tables() -> None:
    assert (len(TESTS), len(WHOLE)) == (11, 3)


@pytest.mark.parametrize(("written", "kept"), WHOLE, ids=lambda text: text)
def test_plans_are_what_the_page_says(written: str, kept: str) -> None:
    assert plan_text(parse_plan(written)) == kept


@pytest.mark.parametrize("test", TESTS)
def test_the_tests_of_the_page_are_kept_as_they_are(test: str) -> None:
    assert plan_text(parse_plan(f"if {test} and {test} then t1")) == f"if {test} then t1"


def test_a_plan_is_taken_apart_into_clauses() -> None:
    plan = parse_plan("IF  t1, and Not Dragon AT c4 THEN t1 Catch purple > yellow never me ELSE black t2 Stop")
    assert [clause.line for clause in plan.clauses] == ["t1 catch purple>yellow never me", "black t2 stop"]
    assert [len(clause.conditions) for clause in plan.clauses] == [2, 0]
    assert [condition.holds for condition in plan.clauses[0].conditions] == [True, False]
    assert parse_plan("t1") == Plan((Clause((), "t1"),))
    assert parse_plan("if t1\nthen t1\nelse t2") == parse_plan("if t1 then t1 else t2")


@pytest.mark.parametrize(
    ("text", "word", "message"),
    [
        ("", "", "there is nothing in this plan"),
        (" , ", "", "there is nothing in this plan"),
        ("if", "if", "after it comes a space, a colour and its space"),
        ("if t1", "if", "after its tests come then and the line to play"),
        ("if t1 then", "then", "after it comes the line to play"),
        ("if then t1", "then", "'then' is no test"),
        ("if t1 and then t1", "then", "'then' is no test"),
        ("if t1 then else t2", "else", "stands where a line to play should be"),
        ("if t1 then t1 else", "else", "after it comes another if, or a line"),
        ("else t1", "else", "stands where a line to play should be"),
        ("t1 else t2", "else", "is never reached"),
        ("if t1 then t1 else t2 else t3", "else", "is never reached"),
        ("if t1 m3 then t1", "m3", "is not what follows a test: that is and, or then"),
        ("if t1 ten t1", "ten", "did you mean 'then'?"),
        ("if t1 adn t2 then t1", "adn", "did you mean 'and'?"),
        ("if t9 then t1", "t9", "is no test"),
        ("if drgaon c4 then t1", "drgaon", "did you mean 'dragon'?"),
        ("if rubi at c4 then t1", "rubi", "did you mean 'ruby'?"),
        ("if not not t1 then t1", "not", "'not' is no test"),
        ("if not", "not", "after it comes a space"),
        ("if purple then t1", "then", "'then' is no space, and after purple comes one"),
        ("if dragon then t1", "then", "none of c1 to c9"),
        ("if dragon m3 then t1", "m3", "the dragon is always on one of c1 to c9"),
        ("if gold c2 then t1", "c2", "a card lies at a cave space, like gold at c2"),
        ("if gold 6 at c2 then t1", "6", "a card lies at a cave space"),
        ("if gem 2 at c2 then t1", "2", "a card lies at a cave space"),
        ("if ruby at m1 then t1", "m1", "that is where cards lie"),
        ("if ruby at", "at", "after it comes one of c1 to c9"),
        ("if chamber then t1", "chamber", "c9 to chamber tells whether"),
        ("if t1 to hall then t1", "hall", "no space that a knight can come to"),
        ("if t1 to nest then t1", "nest", "m1 to m6, c1 to c9, or chamber"),
        ("if t1 to", "to", "after it comes the space where the knight would come to"),
        ("3", "3", "nobody knows the list of the turn to come"),
        ("if t1 then #3", "#3", "nobody knows the list of the turn to come"),
        ("stop", "stop", "that is the knight which moves first"),
        ("if t1 then gem t1", "gem", "that is the knight which moves first"),
        ("bribe lowest t1", "bribe", "that is the knight which moves first"),
        ("t1 t2 t3", "t3", "would be a third knight"),
        ("t1 Glod", "Glod", "did you mean 'gold'?"),
        ("t1 bribe at most 9", "9", "is the value of no gold card"),
        ("t1 and m3 then t1", "and", "belongs to tests, and those stand between if and then"),
        ("if t1 then t1 then t2", "then", "belongs to tests"),
        ("if t1 then if m3 then m3", "if", "begin the next clause with else"),
        ("off", "off", "'off' is no word of the notation"),
        ("t\x1b[31m", "t?[31m", "no word of the notation"),
        (" else ".join(["if t1 then t1"] * (MOST_CLAUSES + 1)), "else", "a plan has at most 8"),
        ("t1 " * 200, ("t1 " * 200)[:37] + "...", "a plan has at most 400 characters"),
        ("if " * 130, "if", "'if' is no test"),
        ("not " * 100, "not", "belongs to tests"),
    ],
)
def test_a_plan_that_is_none_is_refused_with_what_would_be_right(text: str, word: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_plan(text)
    assert caught.value.word == word
    assert message in caught.value.message
    assert f"'{word}'" in caught.value.message or not word


def test_as_many_clauses_as_allowed() -> None:
    text = " else ".join([f"if t{n % 4 + 1} then t1" for n in range(MOST_CLAUSES - 1)] + ["t2"])
    assert len(parse_plan(text).clauses) == MOST_CLAUSES
    assert plan_text(parse_plan(text)) == text


# -- which clause is played


@pytest.mark.parametrize(
    "test",
    [
        *("t1", "m3", "c9", "not t2", "black t1", "purple c4", "not purple c5", "not yellow t1", "not green c9"),
        *("dragon c5", "not dragon c4", "gold at c2", "gold 3 at c2", "not gold 1 at c2", "not gold at c4"),
        *("gem at c2", "ruby at c2", "not garnet at c2", "not gem at c4", "not ruby at c4"),
        *(
            "m3 to m6",
            "black m3 to m6",
            "green m3 to m6",
            "not m3 to m5",
            "not m4 to m5",
            "t1 to m2",
            "orange t3 to m3",
        ),
        *("c9 to chamber", "purple c4 to c5", "not c4 to c5", "t1 and m3 and dragon c5"),
    ],
)
def test_a_test_that_holds(test: str) -> None:
    assert holds(test)
    if " and " not in test:
        assert not holds(test.removeprefix("not ") if test.startswith("not ") else f"not {test}")


@pytest.mark.parametrize("test", ["t1 and t2", "t2 and t1", "t1 and not dragon c5 and m3", "t1 and not t1"])
def test_all_tests_of_a_clause_have_to_hold(test: str) -> None:
    assert not holds(test)


def test_ones_own_knights_are_those_of_ones_seat() -> None:
    assert holds("c4", seat=3)
    assert not holds("c4", seat=0)
    two = view(position(2, knights={"black": "t1 t2", "orange": "m1 t2"}), 0)
    for test in ("t1", "m1", "orange m1", "m1 to m2", "not black m1", "not t3"):
        assert plan_line(parse_plan(f"if {test} then t1 else t2"), two) == "t1", test


def test_a_spectator_has_no_knights() -> None:
    assert plan_line(parse_plan("if not t1 then t1"), view(here(), None)) == "t1"


def test_the_first_clause_that_fits_counts() -> None:
    plan = parse_plan("if t2 then t2 else if m3 then m3 gem else if t1 then t1 else c9")
    assert plan_line(plan, view(here(), 0)) == "m3 gem"
    assert plan_line(plan, view(here(knights={"black": "t1 t3"}), 0)) == "t1"
    assert plan_line(plan, view(here(knights={"black": "t3 t4"}), 0)) == "c9"
    assert plan_line(parse_plan("if t2 then t2"), view(here(), 0)) is None
    assert plan_line(parse_plan("t4 stop"), view(here(), 0)) == "t4 stop"  # whether it is legal is for play_line


def test_a_plan_is_explained() -> None:
    told = explain_plan(parse_plan("if m3 and not dragon c4 and gem at c2 then m3 gem else t1 stop"))
    for part in ("a knight of yours is on m3", "the dragon is not on c4", "a gem is open at c2", "play m3 gem"):
        assert part in told
    assert "else play t1 stop" in told
    told = explain_plan(parse_plan("if purple c4 to c6 and gold 3 at c2 and not c9 to chamber then t1"))
    for part in ("a knight of purple on c4 would come to c6", "gold 3 is open", "on c9 would not come to chamber"):
        assert part in told


# -- any text, any game

spaces = st.sampled_from(engine.SPACES)
caves = st.sampled_from(engine.SPACES[11:])
cards = st.sampled_from(["gold", "gem", "gold 1", "gold 5", *engine.GEMS])
knights = spaces | st.tuples(st.sampled_from(engine.COLORS), spaces).map(" ".join)
tests = st.one_of(
    knights,
    caves.map("dragon {}".format),
    st.tuples(cards, caves).map(" at ".join),
    st.tuples(knights, st.sampled_from([*engine.SPACES[5:], "chamber"])).map(" to ".join),
)
conditions = st.tuples(st.sampled_from(["", "not "]), tests).map("".join)
ends = st.sampled_from(["", " stop", " gem", " gold catch leader", " catch purple>black never me bribe at most 2"])
turns = st.tuples(knights, ends).map("".join)
clauses = st.tuples(st.lists(conditions, min_size=1, max_size=3).map(" and ".join), turns).map(
    lambda clause: f"if {clause[0]} then {clause[1]}"
)
plans = st.tuples(st.lists(clauses, max_size=3), turns).map(lambda plan: " else ".join([*plan[0], plan[1]]))
plans |= st.lists(clauses, min_size=1, max_size=3).map(" else ".join)
plans = plans.filter(lambda text: len(text) <= LONGEST_PLAN)
words = st.sampled_from(
    [
        *(
            "if",
            "and",
            "then",
            "else",
            "not",
            "to",
            "at",
            "dragon",
            "chamber",
            "gold",
            "gem",
            "ruby",
            "3",
            "9",
            "t1",
            "m3",
        ),
        *(
            "c2",
            "c9",
            "hall",
            "purple",
            "stop",
            "catch",
            "bribe",
            "leader",
            "never",
            "me",
            "ask",
            ">",
            ",",
            "#1",
            "\ud800",
        ),
        *("İ", "K", "\x00", "c²", "\n"),
    ]
)
hostile = (
    st.text()
    | st.lists(words, max_size=25).map(" ".join)
    | plans.flatmap(
        lambda text: st.tuples(st.integers(0, len(text)), st.text(max_size=3)).map(
            lambda cut: text[: cut[0]] + cut[1] + text[cut[0] + 1 :]
        )
    )
)


@given(plans)
def test_a_plan_reads_back_as_itself(text: str) -> None:
    plan = parse_plan(text)
    kept = plan_text(plan)
    assert parse_plan(kept) == plan
    assert plan_text(parse_plan(kept)) == kept
    assert parse_plan(text.upper().replace(" ", ",")) == plan


@given(hostile)
def test_any_text_is_a_plan_or_is_refused(text: str) -> None:
    found: Plan | NotationError
    try:
        found = parse_plan(text)
    except NotationError as error:
        found = error
    if isinstance(found, NotationError):
        assert len(found.word) <= 40
        assert found.word.isprintable()
        assert found.message.isprintable()
        assert found.message
    else:
        assert parse_plan(plan_text(found)) == found
        assert len(plan_text(found)) <= LONGEST_PLAN
        assert explain_plan(found)
        for clause in found.clauses:
            assert not isinstance(parse_line(clause.line), int)


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32), st.lists(plans, min_size=5, max_size=10))
def test_a_plan_knows_what_its_owner_sees(players: int, seed: int, texts: list[str]) -> None:
    """At any moment, for any seat: another game that looks the same is planned for in the same way."""
    rng = random.Random(seed)
    made = [parse_plan(text) for text in texts]
    for now, *_ in game(players, seed):
        seat = rng.randrange(players)
        seen = view(now, seat)
        other = view(redeal(seen, rng), seat)
        for plan in made:
            line = plan_line(plan, seen)
            assert line == plan_line(plan, other)
            assert line in (None, *(clause.line for clause in plan.clauses))


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32), st.lists(plans, min_size=5, max_size=5))
def test_a_line_that_was_chosen_is_played_or_refused(players: int, seed: int, texts: list[str]) -> None:
    """A plan is written without the board: its line begins with a knight that may move, or nothing of it is played."""
    made = [parse_plan(text) for text in texts]
    for now, *_ in game(players, seed):
        if now.phase != engine.MOVE or now.moved:
            continue
        for plan in made:
            line = plan_line(plan, view(now, to_act(now)))
            if line is not None:
                with suppress(IllegalAction, AmbiguousMove):
                    assert play_line(now, line).steps[0].action in legal_actions(now)

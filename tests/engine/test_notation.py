"""What people write (docs/RECORD.md, "Notation"): one line a turn, and answers that help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import (
    RULES,
    AmbiguousMove,
    EngineError,
    IllegalAction,
    LinePlayed,
    NotationError,
    Position,
    action_notation,
    legal_actions,
    play_actions,
    play_line,
    to_act,
)
from tests.engine.acting import act, do, refused
from tests.engine.positions import SEATS, game, kinds, position, whole_games

HOME = {"orange": "t3 t4", "green": "t3 t4"}
FAR = {"rail": 4, "dragon": 5, "facing": 1}
"""A rail far from c1, so that nothing there wakes the dragon."""


def played(line: LinePlayed, players: int = 3) -> str:
    """What was done, in notation."""
    return ", ".join(action_notation(step.action, players) for step in line.steps)


def dropped(line: LinePlayed) -> dict[str, str]:
    return {one.word: one.reason for one in line.dropped}


def no(position: Position, text: str) -> NotationError | IllegalAction:
    """How a line is refused. Whatever is wrong, the answer holds what is legal as things stand."""
    with pytest.raises(EngineError) as caught:
        play_line(position, text)
    error = caught.value
    assert isinstance(error, NotationError | IllegalAction)
    assert error.legal == legal_actions(position)
    assert "\n" not in str(error)
    assert f"'{error.word}'" in error.message or not error.word
    return error


# -- writing


@pytest.mark.parametrize(
    ("words", "players", "notation"),
    [
        ("black t1", 3, "t1"),
        ("yellow c9", 5, "c9"),
        ("black t1", 2, "black t1"),
        ("purple m3", 2, "purple m3"),
        ("stop", 3, "stop"),
        ("gold", 3, "gold"),
        ("gem", 2, "gem"),
        ("catch purple", 4, "catch purple"),
        ("bribe 2", 3, "bribe 2"),
        ("surrender", 2, "surrender"),
    ],
)
def test_an_action_in_words(words: str, players: int, notation: str) -> None:
    assert action_notation(act(words), players) == notation


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32))
def test_every_legal_action_can_be_said_in_its_own_words(players: int, seed: int) -> None:
    """By its notation in any case, and by its number: that action is made, and no other."""
    for before, *_ in game(players, seed):
        for number, action in enumerate(legal_actions(before), start=1):
            notation = action_notation(action, players)
            for text in (notation, notation.upper(), f" {notation} ,", str(number), f"#{number}", f"{number}."):
                line = play_line(before, text)
                assert line == play_actions(before, [action])
                assert [step.action for step in line.steps] == [action]
                assert line.dropped == ()
                assert (line.steps[0].position, line.steps[0].events) == engine.apply(before, action)


# -- reading


@pytest.mark.parametrize(
    "text",
    [
        "t1 hall",
        "T1 HALL",
        "t1,hall",
        "  t1 ,, hall  ",
        "t1\thall\n",
        "t1\u00a0hall",
        "Black t1, black Hall",
        "t1 black hall",
    ],
)
def test_case_commas_and_spaces_do_not_matter(text: str) -> None:
    assert played(play_line(position(3), text)) == "t1, hall"


@pytest.mark.parametrize(
    ("text", "done", "waits"),
    [("t1", "t1", True), ("t1 stop", "t1, stop", False), ("t1 t2", "t1, t2", False)],
)
def test_one_knight_without_stop_leaves_the_turn_open(text: str, done: str, waits: bool) -> None:
    line = play_line(position(3), text)
    assert played(line) == done
    assert (to_act(line.steps[-1].position) == 0) == waits


def test_a_turn_can_be_told_in_several_lines() -> None:
    first = play_line(position(3), "t1")
    second = play_line(first.steps[-1].position, "stop")
    assert second.steps[-1].position.turn == 1


def test_with_two_colours_on_a_space_the_colour_is_said() -> None:
    """R-SET-2, R-MOVE-6: where only one could go, the space is enough."""
    both = position(2)
    error = no(both, "t1")
    assert isinstance(error, AmbiguousMove)
    assert error.word == "t1"
    assert "say 'black t1' or 'orange t1'" in error.message
    assert played(play_line(both, "orange t1, orange t2"), 2) == "orange t1, orange t2"
    # the second knight is of the first one's colour, so nothing is left to say
    assert played(play_line(both, "orange t1 t2"), 2) == "orange t1, orange t2"
    alone = position(2, knights={"black": "t1 m2", "orange": "t1 m3"})
    assert played(play_line(alone, "m3 stop"), 2) == "orange m3, stop"


def test_the_second_knight_may_stand_where_the_first_has_just_arrived() -> None:
    """R-MOVE-2: if another of the colour stands there, and not otherwise."""
    there = position(3, knights={"black": "t1 m1 m2", **HOME})
    assert played(play_line(there, "m1 m2")) == "m1, m2"
    error = no(position(3, knights={"black": "t1 t2 m1", **HOME}), "m1 m2")
    assert isinstance(error, IllegalAction)
    assert error.rule == "R-MOVE-2"
    assert error.message == (
        "'m2' cannot be done: the black knight on m2 has already moved this turn; "
        "after 'm1' there could come t1, t2, stop"
    )


def at_the_cave(**more: object) -> Position:
    given: dict[str, object] = {"knights": {"black": "t1 t2 m6", **HOME}, **FAR, **more}
    return position(3, **given)  # type: ignore[arg-type]


def test_a_card_is_taken_as_said() -> None:
    assert played(play_line(at_the_cave(), "m6 gem")) == "m6, gem"
    assert played(play_line(at_the_cave(), "gold, t1, m6")) == "t1, m6, gold"
    assert played(play_line(at_the_cave(), "m6")) == "m6"  # and the turn waits for the choice


@pytest.mark.parametrize("word", ["gold", "gem"])
def test_where_one_kind_is_left_it_is_taken_whatever_was_said(word: str) -> None:
    """R-CARD-1: and the answer says so."""
    line = play_line(at_the_cave(gold={"c1": [5, 1]}, gems={"c1": []}), f"m6 {word}")
    assert played(line) == "m6"
    assert line.steps[-1].position.hands[0] == (5,)
    assert dropped(line) == {word: "only gold lay at c1, so it was taken (R-CARD-1)"}


def test_what_never_came_up_is_dropped_and_said_so() -> None:
    line = play_line(position(3), "t1 t2 stop GOLD catch orange bribe 5")
    assert played(line) == "t1, t2"
    assert dropped(line) == {
        "stop": "the turn was over without it (R-MOVE-1)",
        "GOLD": "no choice of card came up (R-CARD-1)",
        "catch orange": "the dragon met nobody to choose from (R-DRAG-4)",
        "bribe 5": "the dragon asked this seat for nothing (R-DRAG-6)",
    }


def crowd(**more: object) -> Position:
    """Black on m6 may wake the dragon, which goes to c2 among black, orange and purple; gems lie at no cave."""
    knights = {"black": "t1 t2 m6 c2", "orange": "t3 t4 c2", "green": "t3 t4", "purple": "t3 t4 c2"}
    given: dict[str, object] = {"knights": knights, "no_cards": True, "dice": [2, 2], **more}
    return position(4, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("m6 catch purple", "m6, catch purple"),
        ("m6 catch green>purple>orange", "m6, catch purple"),
        ("m6 Catch GREEN > Purple", "m6, catch purple"),
        ("m6 catch green purple", "m6, catch purple"),
        ("m6 catch green > orange black t1", "m6, catch orange, t1"),
        ("m6, catch green, orange, stop", "m6, catch orange, stop"),
        ("m6 catch black black t1", "m6, catch black, t1"),
        ("catch orange black m6", "m6, catch orange"),
    ],
)
def test_whom_to_catch_is_said_ahead_in_order_of_liking(text: str, done: str) -> None:
    """R-DRAG-4: a colour before a space is the knight that moves."""
    assert played(play_line(crowd(), text)) == done


def test_when_none_of_the_wanted_is_there_the_turn_waits() -> None:
    """R-DRAG-4: what comes after it waits too."""
    line = play_line(crowd(), "m6 t1 catch green>yellow")
    assert played(line) == "m6"
    assert engine.PHASES[line.steps[-1].position.phase] == "catch"
    assert dropped(line) == {
        "catch green>yellow": "no green or yellow knight stands on the dragon's space (R-DRAG-4)",
        "t1": "the dragon's victim has to be chosen first (R-DRAG-4)",
    }


def test_only_one_colour_to_catch_is_no_choice() -> None:
    """R-DRAG-4."""
    knights = {"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t3 t4", "purple": "t3 t4"}
    line = play_line(crowd(knights=knights), "m6 catch purple stop")
    assert played(line) == "m6, stop"
    assert dropped(line) == {"catch purple": "only orange stood beside the dragon, so there was no choice (R-DRAG-4)"}


def own(**more: object) -> Position:
    """Black on m6 wakes the dragon, which catches black on c2."""
    given: dict[str, object] = {"hands": {0: [2, 3, 5]}, **more}
    return crowd(knights={"black": "t1 t2 m6 c2", **HOME, "purple": "t3 t4"}, **given)


@pytest.mark.parametrize(
    ("text", "done", "hand"),
    [
        ("m6 bribe 3", "m6, bribe 3", (2, 5)),
        ("m6 bribe lowest", "m6, bribe 2", (3, 5)),
        ("m6 BRIBE Highest", "m6, bribe 5", (2, 3)),
        ("m6 surrender", "m6, surrender", (2, 3, 5)),
        ("m6 bribe lowest c2", "m6, bribe 2, c2", (3, 5)),
    ],
)
def test_the_answer_to_the_dragon_is_said_ahead(text: str, done: str, hand: tuple[int, ...]) -> None:
    """R-DRAG-6, R-DRAG-12."""
    line = play_line(own(), text)
    assert played(line) == done
    assert line.steps[-1].position.hands[0] == hand
    assert line.dropped == ()


def test_gold_that_is_not_in_the_hand_is_dropped_and_the_turn_waits() -> None:
    """R-DRAG-6."""
    line = play_line(own(), "m6 bribe 4 t1 stop")
    assert played(line) == "m6"
    assert dropped(line) == {
        "bribe 4": "there is no gold 4 in the hand (R-DRAG-6)",
        "t1": "the caught knight's owner has to answer the dragon first (R-DRAG-6)",
        "stop": "the caught knight's owner has to answer the dragon first (R-DRAG-6)",
    }


def test_a_bribe_without_gold_is_said_to_be_too_late() -> None:
    """R-DRAG-6."""
    line = play_line(own(hands={}), "m6 bribe lowest stop")
    assert played(line) == "m6, stop"
    assert dropped(line) == {"bribe lowest": "there was no gold to give, so the knight was lost (R-DRAG-6)"}


def test_catch_and_bribe_serve_every_waking_of_the_turn() -> None:
    """R-DRAG-11: the dragon goes to c2 and then to c3, black and orange stand on both."""
    knights = {"black": "t1 m6 c1 c2", "orange": "t3 c2 c3", "green": "t3 t4", "purple": "t3 t4"}
    before = crowd(knights=knights, dice=[2, 1], hands={0: [1, 2, 4]})
    line = play_line(before, "m6 c1 catch black bribe lowest")
    assert played(line) == "m6, catch black, bribe 1, c1, catch black, bribe 2"
    assert line.dropped == ()


# -- all or nothing, up to what comes to light


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        ("t1 m2", "R-MOVE-1", "no black knight stands on m2; after 't1' there could come t2, t3, t4, hall, m3, stop"),
        ("m2 t1", "R-MOVE-1", "'m2' cannot be done: no black knight stands on m2"),
        ("stop", "R-MOVE-1", "'stop' cannot be done: the first knight move of a turn is compulsory"),
        ("green t1", "R-MOVE-1", "'green t1' cannot be done: green belongs to seat 2, who is not to move"),
        ("yellow t1", "R-SET-2", "yellow is not in this game"),
        ("gold", "R-CARD-1", "a knight has to end on a cave space first"),
        ("Gem bribe 2", "R-CARD-1", "'Gem' cannot be done"),
        ("catch green", "R-DRAG-4", "the dragon has nobody to choose from now"),
        ("bribe lowest", "R-DRAG-6", "'bribe lowest' cannot be done: the dragon holds no knight now"),
        ("surrender", "R-DRAG-6", "the dragon holds no knight now"),
    ],
)
def test_before_anything_comes_to_light_a_wrong_word_stops_the_whole_line(text: str, rule: str, message: str) -> None:
    before = position(3, knights={"black": "t1 t2 t3 t4 hall m3"})
    error = no(before, text)
    assert isinstance(error, IllegalAction)
    assert error.rule == rule
    assert error.rule in RULES
    assert message in error.message


def test_a_second_knight_cannot_follow_a_card_or_the_chamber() -> None:
    """R-CARD-2, R-END-1, R-END-2, R-MOVE-7: nothing has come to light, so the first does not move either."""
    for before, text, rule in (
        (at_the_cave(), "m6 t1", "R-CARD-2"),
        (at_the_cave(gold={"c1": [1]}, gems={"c1": []}), "m6 t1", "R-CARD-2"),
        (position(3, knights={"black": "t1 t2 c9"}), "c9 t1", "R-END-1"),
        (position(3, knights={"black": "t1 c9"}), "c9 t1", "R-END-2"),
    ):
        error = no(before, text)
        assert isinstance(error, IllegalAction)
        assert (error.rule, error.word) == (rule, "t1")
    two = position(2, knights={"black": "t1 t2", "orange": "m1"})
    error = no(two, "m1 black t1")
    assert isinstance(error, IllegalAction)
    assert (error.rule, error.word) == ("R-MOVE-7", "black t1")
    assert played(play_line(at_the_cave(gold={"c1": [1]}, gems={"c1": []}), "t1 m6")) == "t1, m6"


def test_after_a_card_was_turned_up_what_is_wrong_is_dropped() -> None:
    """R-CARD-2."""
    line = play_line(at_the_cave(gold={"c1": [1, 2]}), "m6 gold T1")
    assert played(line) == "m6, gold"
    assert dropped(line) == {"T1": "taking a card ends the knight moves of the turn (R-CARD-2)"}


def test_after_a_throw_what_is_wrong_is_dropped_and_the_turn_waits() -> None:
    """R-MOVE-1: a word that is wrong then is quoted, and what follows is not done in its place."""
    line = play_line(crowd(knights={"black": "t1 t2 m6", **HOME}), "m6 m4 stop")
    assert played(line) == "m6"
    assert to_act(line.steps[-1].position) == 0
    assert dropped(line) == {
        "m4": "no black knight stands on m4 (R-MOVE-1)",
        "stop": "what came before it was not done (R-MOVE-1)",
    }


def test_a_knight_that_the_dragon_took_meanwhile_is_dropped() -> None:
    """R-MOVE-1, R-DRAG-4: c2 was right when it was written."""
    line = play_line(own(hands={}), "m6 c2")
    assert dropped(line) == {"c2": "no black knight stands on c2 (R-MOVE-1)"}


def test_the_line_waits_while_another_seat_answers_the_dragon() -> None:
    """R-DRAG-6."""
    knights = {"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t3 t4", "purple": "t3 t4"}
    line = play_line(crowd(knights=knights, hands={1: [3]}), "m6 t1 stop")
    assert played(line) == "m6"
    waits = "the caught knight's owner has to answer the dragon first (R-DRAG-6)"
    assert dropped(line) == {"t1": waits, "stop": waits}


# -- answering the dragon in another's turn


def asked(*, second: bool) -> Position:
    """Orange's knight was caught by black's first or second move, and orange has gold."""
    knights = {"black": "t1 t2 m6", "orange": "t1 t3 c2 c2", "green": "t3 t4", "purple": "t3 t4"}
    before = crowd(knights=knights, hands={1: [1, 3]}, dice=[2, 2])
    return do(before, *(["black t1"] if second else []), "black m6")[0]


@pytest.mark.parametrize(
    ("text", "done"),
    [("bribe 3", "bribe 3"), ("bribe highest", "bribe 3"), ("surrender", "surrender"), ("1", "bribe 1")],
)
def test_the_owner_answers_in_a_line(text: str, done: str) -> None:
    """R-DRAG-6: and the turn goes on where it was."""
    line = play_line(asked(second=False), text)
    assert played(line) == done
    assert to_act(line.steps[-1].position) == 0


def test_an_answer_that_is_no_answer_is_refused() -> None:
    """R-DRAG-6."""
    for text in ("t1", "stop", "gold", "bribe 2", "t1 bribe 3"):
        error = no(asked(second=False), text)
        assert isinstance(error, IllegalAction)
        assert error.rule == ("R-MOVE-1" if "3" in text else "R-DRAG-6")


def test_ones_own_turn_may_follow_in_the_same_line() -> None:
    """R-SET-6: the answer ended the other's turn; what was said to the dragon does not serve the new one."""
    line = play_line(asked(second=True), "bribe 1, t1, stop")
    assert played(line) == "bribe 1, t1, stop"
    assert line.dropped == ()
    line = play_line(asked(second=True), "bribe 1 stop")
    assert played(line) == "bribe 1"
    assert dropped(line) == {"stop": "the turn was over without it (R-MOVE-1)"}
    # orange wakes the dragon in its own turn and is caught again: that is another question
    line = play_line(asked(second=True), "bribe 1 c2")
    assert played(line) == "bribe 1, c2"
    assert engine.PHASES[line.steps[-1].position.phase] == "bribe"
    assert line.steps[-1].position.hands[1] == (3,)


# -- words that are none


@pytest.mark.parametrize(
    ("text", "word", "message"),
    [
        ("", "", "there is nothing in this line"),
        (" , ,\n", "", "there is nothing in this line"),
        ("hal", "hal", "'hal' is no word of the notation"),
        ("Hal", "Hal", "did you mean 'hall'?"),
        ("t1 stpo", "stpo", "did you mean 'stop'?"),
        ("roange t1", "roange", "did you mean 'orange'?"),
        ("t1 glod", "glod", "did you mean 'gold'?"),
        ("t1 surender", "surender", "did you mean 'surrender'?"),
        ("t1 catch purpel", "purpel", "did you mean 'purple'?"),
        ("t1 catch black>ornage", "ornage", "did you mean 'orange'?"),
        ("t1 bribe low", "low", "did you mean 'lowest'?"),
        ("t1 bribe 6", "6", "bribe goes with a number from 1 to 5, lowest or highest"),
        ("t9", "t9", "spaces (t1 to t4, hall, m1 to m6, c1 to c9)"),
        ("black", "black", "after a colour comes the space of its knight, like black t1"),
        ("black gold", "gold", "'gold' is no space, and after black comes one"),
        ("t1 catch", "catch", "after catch come one or more colours"),
        ("t1 catch >", ">", "'>' is no colour, and after catch come colours"),
        ("t1 catch black>", "catch", "after catch come one or more colours"),
        ("t1 > t2", ">", "no word of the notation"),
        ("t1 bribe", "bribe", "after bribe comes a number"),
        ("t1 t2 t3", "t3", "would be a third knight; a turn moves one or two (R-MOVE-1)"),
        ("t1 stop T2", "T2", "'T2' comes after stop, which ends the turn (R-MOVE-1)"),
        ("t1 gold Gem", "Gem", "contradicts or repeats 'gold'"),
        ("t1 stop stop", "stop", "contradicts or repeats 'stop'"),
        ("t1 bribe 2 surrender", "surrender", "contradicts or repeats 'bribe 2'"),
        ("t1 surrender bribe 2", "bribe", "contradicts or repeats 'surrender'"),
        ("t1 catch black catch black", "catch", "contradicts or repeats 'catch black'"),
        ("c9 chamber", "chamber", "a move names where the knight stands, not where it goes"),
        ("3 gold", "3", "stands alone in its line"),
        ("0", "0", "'0' is not in the list of legal actions: it goes from 1 to 5"),
        ("6", "6", "'6' is not in the list of legal actions: it goes from 1 to 5"),
        ("#99", "99", "it goes from 1 to 5"),
        ("9" * 50, "9" * 37 + "...", "stands alone"),
        ("-1", "-1", "no word of the notation"),
        ("t\x1b[31m", "t?[31m", "no word of the notation"),
        ("x" * 1000, "x" * 37 + "...", "no word of the notation"),
        ("Ich ziehe t1", "Ich", "a line is made of spaces"),
    ],
)
def test_a_word_that_is_none_is_quoted_with_what_would_be_right(text: str, word: str, message: str) -> None:
    error = no(position(3), text)
    assert isinstance(error, NotationError)
    assert error.word == word
    assert message in error.message


def test_a_finished_game_takes_no_line() -> None:
    """R-END-2: whatever was written."""
    over, _ = do(position(3, knights={"black": "t1 c9"}), "black c9")
    for text in ("t1", "stop", "", "3", "nonsense"):
        with pytest.raises(IllegalAction, match="the game is over") as caught:
            play_line(over, text)
        assert caught.value.rule == "R-END-2"
    with pytest.raises(IllegalAction, match="the game is over"):
        play_actions(over, [act("stop")])


words = st.sampled_from(
    [
        *(*engine.SPACES, *engine.COLORS, *engine.CARD_KINDS, "stop", "catch", "bribe", "lowest", "highest"),
        *("surrender", ">", ",", "1", "2", "5", "#1", "x", "ask", "leader", "never", "never me"),
        *("at most", "at most 2", "while", "while I have 2 cards", "I", "cards"),
    ]
)
lines = st.text() | st.lists(words, max_size=8).map(" ".join)


@given(st.sampled_from(SEATS), st.integers(0, 50), st.integers(0, 300), lines)
def test_no_line_does_anything_but_play_or_be_refused(players: int, seed: int, ply: int, text: str) -> None:
    """Any text is played as legal actions, at least one, or refused with what is legal."""
    positions = [before for before, *_ in game(players, seed)]
    before = positions[ply % len(positions)]
    try:
        line = play_line(before, text)
    except (NotationError, IllegalAction):
        assert len(no(before, text).word) <= 40
        return
    assert line.steps
    now = before
    for step in line.steps:
        assert to_act(now) == to_act(before)
        now, events = engine.apply(now, step.action)
        assert (now, events) == (step.position, step.events)
    assert all(one.word and one.reason for one in line.dropped)


@whole_games
@given(st.sampled_from(SEATS), st.integers(0, 2**32), st.sampled_from(["bribe lowest", "bribe highest", "surrender"]))
def test_with_everything_said_ahead_only_knights_are_left_to_say(players: int, seed: int, answer: str) -> None:
    """One knight and all that may come up: afterwards a knight is open, or another seat is to act."""
    for before, action, *_ in game(players, seed):
        if not isinstance(action, engine.Move):
            continue
        text = f"{action_notation(action, players)} gem {answer} catch black>orange>green>purple>yellow"
        line = play_line(before, text)
        assert line.steps[0].action == action
        last = line.steps[-1].position
        assert to_act(last) != to_act(before) or engine.PHASES[last.phase] == "move"


# -- actions as values


def test_actions_are_played_on_the_same_terms() -> None:
    """R-CARD-1, R-MOVE-1: a card where there was no choice is dropped, a knight that cannot go is refused."""
    forced = at_the_cave(gold={"c1": [5]}, gems={"c1": []})
    line = play_actions(forced, [act("black m6"), act("gold")])
    assert kinds(line.steps[0].events) == ["moved", "took", "turn"]
    assert dropped(line) == {"gold": "only gold lay at c1, so it was taken (R-CARD-1)"}
    with pytest.raises(IllegalAction, match="'t1' cannot be done") as caught:
        play_actions(forced, [act("black m6"), act("black t1")])
    assert (caught.value.rule, caught.value.legal) == ("R-CARD-2", forced.legal)
    with pytest.raises(NotationError, match="at least one action is needed"):
        play_actions(forced, [])
    assert refused(forced, "stop").rule == "R-MOVE-1"
    with pytest.raises(IllegalAction, match="'stop' cannot be done: the first knight move of a turn is compulsory"):
        play_actions(forced, [act("stop")])
    line = play_actions(crowd(), [act("black m6"), act("catch purple"), act("black t1")])
    assert played(line) == "m6, catch purple, t1"

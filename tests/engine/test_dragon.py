"""The dragon and its rail (R-DRAG-1 … R-DRAG-12)."""

import json

import pytest

import engine
from engine import PHASES, TO_CASTLE, TO_CHAMBER, Position, legal_actions, to_act, view
from engine.board import OFF_PATH, SPACE_INDEX
from engine.dragon import surrender
from engine.events import Bribed, Caught, DragonWent, RailWent, Threw
from engine.position import Draft
from tests.engine.acting import act, do, refused, standing
from tests.engine.positions import SEATS, kinds, position

HOME = {"orange": "t3 t4", "green": "t3 t4"}


def cave(number: int) -> str:
    """The space before c1 is m6."""
    return "m6" if number == 0 else f"c{number}"


def woken(
    rail: int, dragon: int, facing: int, die: int, *, black: str | None = None, **more: object
) -> tuple[Position, list[engine.Event]]:
    """A black knight has just woken the dragon by going to the rail's first space, with no cards about."""
    knights = {"black": black or f"t1 t2 {cave(rail - 1)}", **HOME}
    given: dict[str, object] = {"knights": knights, "no_cards": True, **more}
    before = position(3, rail=rail, dragon=dragon, facing=facing, dice=[die], **given)  # type: ignore[arg-type]
    return do(before, f"black {cave(rail - 1)}")


@pytest.mark.parametrize("rail", range(1, 7))
@pytest.mark.parametrize("target", range(1, 10))
def test_a_move_that_ends_beside_the_rail_wakes_the_dragon(rail: int, target: int) -> None:
    """R-DRAG-1: the rail lies beside four caves, and the dragon is on the last of them."""
    before = position(
        3,
        knights={"black": f"t1 t2 {cave(target - 1)}", **HOME},
        no_cards=True,
        rail=rail,
        dragon=rail + 3,
        facing=TO_CASTLE,
        dice=[1],
    )
    _, events = do(before, f"black {cave(target - 1)}")
    assert kinds(events).count("threw") == int(rail <= target <= rail + 3)


def test_the_dragons_own_space_wakes_it_off_the_rail() -> None:
    """R-DRAG-1, R-DRAG-9: woken-off-rail. The other spaces behind the rail do not."""
    behind = {"rail": 3, "dragon": 2, "facing": TO_CHAMBER, "no_cards": True, "dice": [2]}
    before = position(3, knights={"black": "t1 m6 c1", **HOME}, **behind)  # type: ignore[arg-type]
    _, events = do(before, "black c1")
    assert events[1:3] == [Threw(0, 2), DragonWent(2, 4, TO_CHAMBER)]
    _, events = do(before, "black m6")
    assert kinds(events) == ["moved"]


def test_passing_by_wakes_nobody() -> None:
    """R-DRAG-1: only where the move ends counts."""
    knights = {"black": "t1 t2 m6", "orange": "m6 m6", "green": "m6 m6"}
    before = position(3, knights=knights, no_cards=True, rail=1, dragon=1, facing=TO_CHAMBER)
    _, events = do(before, "black m6")
    assert kinds(events) == ["moved"]


@pytest.mark.parametrize("players", SEATS)
def test_it_wakes_once_a_move_after_any_card(players: int) -> None:
    """R-DRAG-1: though the knight ends beside the rail and on the dragon's space."""
    knights = {"black": "t1 t2 c3"}
    before = position(players, knights=knights, gold={"c4": [5]}, gems={"c4": []}, dice=[1, 1])
    _, events = do(before, "black c3")
    assert kinds(events)[:4] == ["moved", "took", "threw", "dragon"]
    assert kinds(events).count("threw") == 1


@pytest.mark.parametrize("die", [1, 2, 3])
def test_whoever_moved_the_knight_throws(die: int) -> None:
    """R-DRAG-2: so many spaces the way the dragon faces."""
    after, events = woken(1, 4, TO_CASTLE, die)
    assert events[1] == Threw(0, die)
    assert (events[2].source, events[2].target) == (4, 4 - die)  # type: ignore[union-attr]
    assert after.thrown == 1


@pytest.mark.parametrize(
    ("rail", "dragon", "facing", "die", "stands", "faces"),
    [
        (1, 4, TO_CASTLE, 1, 3, TO_CASTLE),
        (1, 4, TO_CASTLE, 2, 2, TO_CASTLE),
        (1, 4, TO_CASTLE, 3, 1, TO_CHAMBER),
        (1, 3, TO_CASTLE, 2, 1, TO_CHAMBER),
        (1, 3, TO_CASTLE, 3, 2, TO_CHAMBER),
        (1, 2, TO_CASTLE, 3, 3, TO_CHAMBER),
        (1, 2, TO_CASTLE, 2, 2, TO_CHAMBER),
        (1, 1, TO_CHAMBER, 3, 4, TO_CASTLE),
        (1, 2, TO_CHAMBER, 2, 4, TO_CASTLE),
        (1, 3, TO_CHAMBER, 1, 4, TO_CASTLE),
        (1, 3, TO_CHAMBER, 2, 3, TO_CASTLE),
        (1, 3, TO_CHAMBER, 3, 2, TO_CASTLE),
        (6, 9, TO_CASTLE, 3, 6, TO_CHAMBER),
        (6, 7, TO_CASTLE, 3, 8, TO_CHAMBER),
        (6, 8, TO_CHAMBER, 3, 7, TO_CASTLE),
        # walks-in-from-behind: on the rail's first space it keeps facing the chamber
        (2, 1, TO_CHAMBER, 1, 2, TO_CHAMBER),
        (2, 1, TO_CHAMBER, 2, 3, TO_CHAMBER),
        (2, 1, TO_CHAMBER, 3, 4, TO_CHAMBER),
        (6, 5, TO_CHAMBER, 3, 8, TO_CHAMBER),
    ],
)
def test_the_dragon_turns_at_the_end_of_its_rail(
    rail: int, dragon: int, facing: int, die: int, stands: int, faces: int
) -> None:
    """R-DRAG-3, R-DRAG-9: at once, and walks on with what is left of the throw; not on coming from behind."""
    _, events = woken(rail, dragon, facing, die)
    assert [event for event in events if isinstance(event, DragonWent)] == [DragonWent(dragon, stands, faces)]


def test_nobody_where_it_ends_is_nobody_caught() -> None:
    """R-DRAG-4: it catches nobody on the way; then the rail goes on and the turn stays open."""
    before = position(3, knights={"black": "t1 m6 c3", **HOME}, no_cards=True, dice=[2])
    after, events = do(before, "black m6")  # over c3 to c2
    assert kinds(events) == ["moved", "threw", "dragon", "rail"]
    assert standing(after, "black") == "t1 c1 c3"
    assert to_act(after) == 0


def crossing(**more: object) -> Position:
    """Black may wake the dragon on c4; with a 2 it ends on c2."""
    given: dict[str, object] = {"no_cards": True, "dice": [2, 1], **more}
    return position(4, **given)  # type: ignore[arg-type]


def test_one_colour_there_is_one_knight_caught() -> None:
    """R-DRAG-4: several of one colour leave no choice, and one of them is caught."""
    knights = {"black": "t1 t2 m6", "orange": "t3 c2 c2", "green": "t3 t4", "purple": "t3 t4"}
    after, events = do(crossing(knights=knights), "black m6")
    assert [event for event in events if isinstance(event, Caught)] == [Caught(1, 1, 0, 12)]
    assert standing(after, "orange") == "t3 c2"
    assert view(after, None).nest[1] == 4 - 2 + 1


def test_the_seat_that_moved_it_chooses_among_several_colours() -> None:
    """R-DRAG-4: its own included (catch-own, catch-other); a colour that is not there is refused."""
    knights = {"black": "t1 t2 m6 c2", "orange": "t3 t4 c2", "green": "t3 t4 c2", "purple": "t3 t4"}
    choosing, events = do(crossing(knights=knights, hands={2: [1]}), "black m6")
    assert kinds(events) == ["moved", "threw", "dragon"]
    assert PHASES[choosing.phase] == "catch"
    assert to_act(choosing) == 0
    assert legal_actions(choosing) == (act("catch black"), act("catch orange"), act("catch green"))

    refusal = refused(choosing, "catch purple")
    assert (refusal.rule, refusal.message) == ("R-DRAG-4", "no purple knight stands on the dragon's space")
    for words in ("stop", "black t1", "surrender", "gold"):
        assert refused(choosing, words).rule == "R-DRAG-4"

    own, events = do(choosing, "catch black")
    assert kinds(events) == ["caught", "surrendered", "rail"]
    assert standing(own, "black") == "t1 t2 c1"
    other, events = do(choosing, "catch orange")
    assert kinds(events) == ["caught", "surrendered", "rail"]
    assert standing(other, "orange") == "t3 t4"
    asked, events = do(choosing, "catch green")
    assert kinds(events) == ["caught"]
    assert to_act(asked) == 2


def test_catching_is_refused_when_there_is_nothing_to_choose() -> None:
    """R-DRAG-4."""
    refusal = refused(position(3), "catch orange")
    assert (refusal.rule, refusal.message) == ("R-DRAG-4", "the dragon has nobody to choose from now")


def test_a_knight_that_has_moved_is_the_one_caught() -> None:
    """R-DRAG-5: moved-knight-among-caught-colour. The other one there may still be the second to move."""
    after, events = woken(1, 4, TO_CASTLE, 3, black="t1 m6 c1")
    assert kinds(events) == ["moved", "threw", "dragon", "caught", "surrendered", "rail"]
    assert standing(after, "black") == "t1 c1"
    assert engine.after(after)["moved"] == [{"color": "black", "at": None}]
    assert legal_actions(after) == (act("black t1"), act("black c1"), act("stop"))


def test_a_moved_knight_that_was_bought_back_still_does_not_move_again() -> None:
    """R-DRAG-5, R-MOVE-2: of two there one may go; of one there none."""
    asked, _ = woken(1, 4, TO_CASTLE, 3, black="t1 m6 c1", hands={0: [1]})
    two, _ = do(asked, "bribe 1")
    assert legal_actions(two) == (act("black t1"), act("black c1"), act("stop"))
    asked, _ = woken(1, 4, TO_CASTLE, 3, black="t1 t2 m6", hands={0: [1]})
    one, _ = do(asked, "bribe 1")
    assert refused(one, "black c1").rule == "R-MOVE-2"


def test_the_moved_knight_alone_is_caught() -> None:
    """R-DRAG-5: moved-knight-caught; the seat's second move is not lost with it."""
    after, _ = woken(1, 4, TO_CASTLE, 3)
    assert standing(after, "black") == "t1 t2"
    assert legal_actions(after) == (act("black t1"), act("black t2"), act("stop"))


def test_the_first_of_two_moved_knights_is_the_one_caught() -> None:
    """R-DRAG-5: no second move hangs on it any more, but what is written down is fixed."""
    c1 = SPACE_INDEX["c1"]
    draft = Draft(position(3, knights={"black": "t1 c1 c1", **HOME}, rail=2, dragon=1, facing=TO_CHAMBER))
    draft.moved, draft.victim = ((0, c1), (0, c1)), 0
    surrender(draft)
    assert draft.moved == ((0, OFF_PATH), (0, c1))
    assert draft.knights[0] == (0, c1)


def test_an_unmoved_knight_is_caught_where_no_moved_one_stands() -> None:
    """R-DRAG-5 is about the dragon's space alone: other-caught."""
    after, events = woken(1, 4, TO_CASTLE, 2, black="t1 m6 c2")
    assert "surrendered" in kinds(events)
    assert standing(after, "black") == "t1 c1"
    assert engine.after(after)["moved"] == [{"color": "black", "at": "c1"}]
    assert refused(after, "black c1").rule == "R-MOVE-2"


@pytest.mark.parametrize("players", SEATS)
def test_the_owner_of_the_knight_decides(players: int) -> None:
    """R-DRAG-6: any gold card of the hand, each value once, or the knight; nobody else is asked."""
    other = {2: "green", 3: "orange", 4: "orange", 5: "orange"}[players]
    before = position(
        players,
        knights={"black": "t1 t2 m6", other: "t3 t4 c2"},
        no_cards=True,
        hands={1: [5, 3, 3, 1], 0: [2]},
        dice=[2],
    )
    asked, events = do(before, "black m6")
    assert kinds(events) == ["moved", "threw", "dragon", "caught"]
    assert PHASES[asked.phase] == "bribe"
    assert to_act(asked) == 1
    assert asked.turn == 0
    assert legal_actions(asked) == (act("bribe 1"), act("bribe 3"), act("bribe 5"), act("surrender"))
    refusal = refused(asked, "bribe 2")
    assert (refusal.rule, refusal.message) == ("R-DRAG-6", "there is no gold 2 in the hand")
    for words in ("stop", "black t1", f"catch {other}", "gem"):
        refusal = refused(asked, words)
        assert (refusal.rule, refusal.message[:26]) == ("R-DRAG-6", "the caught knight's owner ")

    bought, events = do(asked, "bribe 3")
    assert kinds(events) == ["bribed", "rail"]
    assert standing(bought, other) == "t3 t4 c2"
    assert bought.hands[1] == (1, 3, 5)
    assert bought.given[1] == (3,)
    lost, events = do(asked, "surrender")
    assert kinds(events) == ["surrendered", "rail"]
    assert standing(lost, other) == "t3 t4"
    assert lost.hands[1] == (1, 3, 3, 5)
    for after in (bought, lost):
        assert to_act(after) == 0
        assert engine.after(after)["victim"] is None


def test_without_gold_the_knight_is_lost_by_itself() -> None:
    """R-DRAG-6: gems, treasures and bonus cards buy nothing (no-gold)."""
    before = position(
        3,
        knights={"black": "t1 t2 m6", "orange": "t3 t4 c2", "green": "t3 t4"},
        no_cards=True,
        laid={1: "ruby emerald garnet turquoise"},
        treasures={1: 2},
        four_gems=1,
        dice=[2],
    )
    after, events = do(before, "black m6")
    assert kinds(events) == ["moved", "threw", "dragon", "caught", "surrendered", "rail"]
    assert standing(after, "orange") == "t3 t4"
    assert after.gems[1] == (1, 1, 1, 1)
    assert after.treasures == (0, 2, 0)


def test_a_card_taken_this_turn_may_be_given() -> None:
    """R-DRAG-6."""
    asked, _ = woken(1, 4, TO_CASTLE, 3, gold={"c1": [4]})
    assert legal_actions(asked) == (act("bribe 4"), act("surrender"))
    after, events = do(asked, "bribe 4")
    assert kinds(events) == ["bribed", "rail", "turn"]
    assert after.hands[0] == ()
    assert standing(after, "black") == "t1 t2 c1"


def test_answers_are_refused_while_nobody_is_caught() -> None:
    """R-DRAG-6: gold in the hand or not."""
    for words in ("bribe 2", "surrender"):
        refusal = refused(position(3, hands={0: [2]}), words)
        assert (refusal.rule, refusal.message) == ("R-DRAG-6", "the dragon holds no knight now")


@pytest.mark.parametrize("players", SEATS)
def test_what_the_dragon_was_given_stays_between_the_two(players: int) -> None:
    """R-DRAG-7: neither the value nor how many could have been given, until the game is over."""
    knights = {"black": "t1 t2 m6"}
    asked, _ = do(position(players, knights=knights, no_cards=True, hands={0: [2, 5]}, dice=[3]), "black m6")
    after, events = do(asked, "bribe 5")
    bribed = next(event for event in events if isinstance(event, Bribed))
    for viewer in (None, *range(players)):
        mine = viewer == 0
        assert ("gold" in engine.event_to_json(bribed, viewer)) == mine
        assert bool(view(asked, viewer).legal) == mine
        assert view(after, viewer).given_counts[0] == 1
        assert (view(after, viewer).given[0] == (5,)) == mine
        assert (view(after, viewer).hands[0] == (2,)) == mine
    other, other_events = do(asked, "bribe 2")
    for viewer in (None, *range(1, players)):
        assert engine.view_to_json(view(other, viewer)) == engine.view_to_json(view(after, viewer))
        told = [json.dumps([engine.event_to_json(e, viewer) for e in told]) for told in (events, other_events)]
        assert told[0] == told[1]


@pytest.mark.parametrize("rail", range(1, 7))
def test_the_rail_goes_on_until_it_lies_before_the_chamber(rail: int) -> None:
    """R-DRAG-8: one space, until it lies beside c6 to c9; there it stays (rail-at-end)."""
    after, events = woken(rail, rail + 3, TO_CASTLE, 1)
    assert after.rail == min(rail + 1, 6)
    assert [event for event in events if isinstance(event, RailWent)] == (
        [RailWent(rail + 1, TO_CASTLE)] if rail < 6 else []
    )


def test_the_rail_waits_until_the_catch_is_settled() -> None:
    """R-DRAG-8: bribed, surrendered or nobody there, it goes on afterwards."""
    knights = {"black": "t1 t2 m6 c2", "orange": "t3 t4 c2", "green": "t3 t4"}
    now, _ = do(crossing(knights=knights, hands={1: [3]}), "black m6")
    assert (PHASES[now.phase], now.rail) == ("catch", 1)
    now, _ = do(now, "catch orange")
    assert (PHASES[now.phase], now.rail) == ("bribe", 1)
    assert do(now, "bribe 3")[0].rail == do(now, "surrender")[0].rail == 2


def test_a_dragon_that_is_left_behind_waits_there() -> None:
    """R-DRAG-9: left-behind, woken-off-rail, walks-in-from-behind."""
    before = position(
        3,
        knights={"black": "t1 t2 t3", "orange": "t1 m6 c3", "green": "t3 t4 m6"},
        no_cards=True,
        turn=1,
        dice=[3, 2],
    )
    behind, events = do(before, "orange c3")  # c4 is beside the rail: the dragon goes to c1 and turns there
    assert kinds(events) == ["moved", "threw", "dragon", "rail"]
    assert (behind.rail, behind.dragon, behind.facing) == (2, 1, TO_CHAMBER)
    still, events = do(behind, "stop", "green t3", "stop")
    assert "threw" not in kinds(events)
    assert (still.rail, still.dragon, still.facing) == (2, 1, TO_CHAMBER)
    now, _ = do(still, "black t1", "stop")
    walked, events = do(now, "orange m6")  # two knights on m6: to c2
    assert DragonWent(1, 3, TO_CHAMBER) in events
    assert walked.facing == TO_CHAMBER


@pytest.mark.parametrize(("die", "stands", "faces"), [(1, 3, TO_CASTLE), (2, 2, TO_CHAMBER), (3, 1, TO_CHAMBER)])
def test_a_dragon_turns_when_the_rail_leaves_it_at_its_end(die: int, stands: int, faces: int) -> None:
    """R-DRAG-10: turned-by-the-shift. With a 2 it stands on c2 facing the castle, and the rail now begins there."""
    before = position(3, knights={"black": "t1 m6 c5", **HOME}, no_cards=True, dice=[die], rail=1)
    after, events = do(before, "black m6")
    if die == 3:
        assert "caught" in kinds(events)
    assert (after.rail, after.dragon, after.facing) == (2, stands, faces)
    assert RailWent(2, faces) in events


def test_the_dragon_ends_no_turn() -> None:
    """R-DRAG-11: woken-twice-in-a-turn, since no card was taken; with a card the turn is over."""
    knights = {"black": "t1 c3 c6", **HOME}
    open_, events = do(position(3, knights=knights, no_cards=True, dice=[1, 1]), "black c3")
    assert kinds(events) == ["moved", "threw", "dragon", "rail"]
    assert to_act(open_) == 0
    twice = {"black": "t1 t2 c2 c3", **HOME}
    before = position(3, knights=twice, no_cards=True, dice=[1, 1])
    after, events = do(before, "black c3", "black c2")
    assert kinds(events).count("threw") == 2
    assert after.rail == 3
    with_card, _ = do(position(3, knights=knights, gold={"c4": [1]}, gems={"c4": []}, dice=[1]), "black c3")
    assert with_card.turn == 1


def test_a_knight_bought_back_may_be_the_second_to_move() -> None:
    """R-DRAG-12: bribed-knight-moves-second. It stood on c2 and has not moved in this turn."""
    asked, _ = woken(1, 4, TO_CASTLE, 2, black="t1 m6 c2", hands={0: [4]})
    bought, _ = do(asked, "bribe 4")
    assert act("black c2") in legal_actions(bought)
    after, events = do(bought, "black c2")
    assert kinds(events)[0] == "moved"
    assert standing(after, "black").startswith("t1 c1")


def test_a_throw_that_is_not_in_the_setup_is_said() -> None:
    with pytest.raises(engine.OutOfDice, match="all 0 throws of the die are used up"):
        do(position(3, knights={"black": "t1 t2 m6"}, no_cards=True)._replace(dice=()), "black m6")

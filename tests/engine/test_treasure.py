"""Cards beside the cave and the treasure chamber (R-CARD-1 … R-CARD-4, R-END-1)."""

import pytest

import engine
from engine import GEM, GOLD, PHASES, IllegalAction, Position, legal_actions, play_line, to_act, view
from engine.board import SPACE_INDEX
from engine.events import Took, TurnedUp
from tests.engine.acting import act, do, refused
from tests.engine.positions import SEATS, kinds, position

HOME = {"orange": "t3 t4", "green": "t3 t4"}


def at_the_cave(**more: object) -> Position:
    """Black is one step before c1, far behind the rail: nothing there wakes the dragon."""
    given: dict[str, object] = {"knights": {"black": "t1 t2 m6", **HOME}, "rail": 4, "dragon": 5, "facing": 1}
    return position(3, **{**given, **more})  # type: ignore[arg-type]


def test_with_both_kinds_the_seat_chooses() -> None:
    """R-CARD-1: nothing else can be done first; either kind may be taken."""
    choosing, events = do(at_the_cave(gold={"c1": [4, 2]}, gems={"c1": ["ruby", "garnet"]}), "black m6")
    assert kinds(events) == ["moved"]
    assert PHASES[choosing.phase] == "take"
    assert to_act(choosing) == 0
    assert legal_actions(choosing) == (act("gold"), act("gem"))
    assert refused(choosing, "stop").rule == "R-CARD-1"
    assert refused(choosing, "bribe 4").message == "a card has to be taken first, gold or gem"

    gold, events = do(choosing, "gold")
    assert kinds(events) == ["took", "turned_up", "turn"]
    assert events[:2] == [Took(0, SPACE_INDEX["c1"], GOLD, 4), TurnedUp(SPACE_INDEX["c1"], GOLD, 2)]
    assert gold.hands == ((4,), (), ())
    assert gold.gold_piles[0] == (2,)

    gem, events = do(choosing, "gem")
    assert events[:2] == [Took(0, SPACE_INDEX["c1"], GEM, 0), TurnedUp(SPACE_INDEX["c1"], GEM, 2)]
    assert gem.gems[0] == (1, 0, 0, 0)
    assert gem.gem_piles[0] == (2,)


@pytest.mark.parametrize(
    ("gold", "gems", "happens", "hand", "laid"),
    [
        ([3], [], ["moved", "took", "turn"], (3,), (0, 0, 0, 0)),
        ([3, 5], [], ["moved", "took", "turned_up", "turn"], (3,), (0, 0, 0, 0)),
        ([], ["emerald"], ["moved", "took", "turn"], (), (0, 1, 0, 0)),
        ([], ["emerald", "ruby"], ["moved", "took", "turned_up", "turn"], (), (0, 1, 0, 0)),
        ([], [], ["moved"], (), (0, 0, 0, 0)),
    ],
)
def test_one_kind_is_taken_by_itself_and_nothing_is_no_card(
    gold: list[int], gems: list[str], happens: list[str], hand: tuple[int, ...], laid: tuple[int, ...]
) -> None:
    """R-CARD-1: no choice, no step; the card beneath is turned up if there is one."""
    after, events = do(at_the_cave(gold={"c1": gold}, gems={"c1": gems}), "black m6")
    assert kinds(events) == happens
    assert after.hands[0] == hand
    assert after.gems[0] == laid


def test_meadows_have_no_cards() -> None:
    """R-CARD-1: taking is refused there and allowed on a cave space."""
    on_meadow, events = do(position(3, knights={"black": "t1 m5", **HOME}), "black m5")
    assert kinds(events) == ["moved"]
    refusal = refused(on_meadow, "gold")
    assert refusal.rule == "R-CARD-1"
    assert "a knight has to end on a cave space first" in refusal.message
    do(at_the_cave(), "black m6", "gold")


def test_only_the_space_where_the_move_ends_gives_a_card() -> None:
    """R-CARD-1: passing by takes nothing."""
    knights = {"black": "t1 t2 m6", "orange": "t3 m6", "green": "t3 t4"}
    after, events = do(at_the_cave(knights=knights, gold={"c1": [5], "c2": [1]}, gems={"c2": []}), "black m6")
    assert [event for event in events if isinstance(event, Took)] == [Took(0, SPACE_INDEX["c2"], GOLD, 1)]
    assert after.gold_piles[0] == (5,)


def test_a_card_ends_the_knight_moves_of_the_turn() -> None:
    """R-CARD-2: no second knight with a card, a second one without."""
    choosing, _ = do(at_the_cave(), "black m6")
    refusal = refused(choosing, "black t1")
    assert refusal.rule == "R-CARD-2"
    assert "ends the knight moves of the turn" in refusal.message
    taken, _ = do(choosing, "gold")
    assert taken.turn == 1
    with pytest.raises(IllegalAction, match="a card has to be taken first, which ends the knight moves"):
        play_line(at_the_cave(), "m6 t1")
    free, _ = do(at_the_cave(no_cards=True), "black m6")
    assert do(free, "black t1")[0].turn == 1


@pytest.mark.parametrize("players", SEATS)
def test_the_dragon_still_wakes_after_a_card(players: int) -> None:
    """R-CARD-2, R-DRAG-1: first the card, then the dragon, then the next seat."""
    knights = {"black": "t1 t2 m6"}
    before = position(players, knights=knights, gold={"c1": [4]}, gems={"c1": []}, dice=[1])
    _, events = do(before, "black m6")
    assert kinds(events) == ["moved", "took", "threw", "dragon", "rail", "turn"]
    before = position(players, knights=knights, dice=[1])
    _, events = do(before, "black m6", "gem")
    assert kinds(events) == ["moved", "took", "turned_up", "threw", "dragon", "rail", "turn"]


def test_a_card_may_be_taken_with_the_second_knight() -> None:
    """R-CARD-2: the card ends the moves; it need not come with the first."""
    after, events = do(at_the_cave(), "black t1", "black m6", "gold")
    assert kinds(events) == ["moved", "moved", "took", "turned_up", "turn"]
    assert len(after.hands[0]) == 1


@pytest.mark.parametrize("players", SEATS)
def test_gold_is_hidden_and_everything_else_is_open(players: int) -> None:
    """R-CARD-3: a hand is its owner's to see, its size everybody's; gems and treasures lie open."""
    before = position(players, hands={0: [2, 5], 1: [3]}, laid={0: "ruby ruby", 1: "garnet"})
    for viewer in (None, *range(players)):
        shown = engine.view_to_json(view(before, viewer))
        assert shown["hands"][0] == {"count": 2, "cards": [2, 5] if viewer == 0 else None}
        assert shown["hands"][1] == {"count": 1, "cards": [3] if viewer == 1 else None}
        assert shown["gems"][:2] == [["ruby", "ruby"], ["garnet"]]
        assert shown["treasures"] == [0] * players


def test_everybody_saw_which_card_was_taken() -> None:
    """R-CARD-3: the log keeps it, and what a seat was seen to take stays known."""
    after, events = do(at_the_cave(gold={"c1": [4, 2]}), "black m6", "gold")
    for viewer in (None, 0, 1, 2):
        shown = [engine.event_to_json(event, viewer) for event in events if isinstance(event, Took)]
        assert shown == [{"kind": "took", "seat": 0, "space": "c1", "card": "gold", "value": 4}]
        assert view(after, viewer).seen_gold[0] == (4,)


@pytest.mark.parametrize(
    ("laid", "given", "gets"),
    [
        ("ruby emerald garnet", "turquoise", True),
        ("turquoise garnet ruby", "emerald", True),
        ("ruby ruby ruby emerald garnet garnet", "turquoise", True),
        ("ruby emerald garnet", "garnet", False),
        ("ruby emerald", "turquoise", False),
        ("", "ruby", False),
    ],
)
def test_the_fourth_different_gem_brings_its_bonus_card_at_once(laid: str, given: str, gets: bool) -> None:
    """R-CARD-4."""
    before = at_the_cave(gold={"c1": []}, gems={"c1": [given]}, laid={0: laid})
    after, events = do(before, "black m6")
    assert kinds(events) == ["moved", "took", *(["four_gems"] if gets else []), "turn"]
    assert engine.after(after)["four_gems"] == (0 if gets else None)


def test_only_the_first_seat_with_four_gems_gets_the_card_and_keeps_it() -> None:
    """R-CARD-4."""
    three = "ruby emerald garnet"
    before = at_the_cave(
        gold={"c1": []}, gems={"c1": ["turquoise"]}, laid={0: three, 1: f"{three} turquoise"}, four_gems=1
    )
    after, events = do(before, "black m6")
    assert "four_gems" not in kinds(events)
    assert after.gems[0] == (1, 1, 1, 1)
    assert engine.after(after)["four_gems"] == 1


@pytest.mark.parametrize("players", SEATS)
def test_entering_the_chamber_brings_a_treasure_and_ends_the_turn(players: int) -> None:
    """R-END-1: even as the first knight of the turn; the dragon sleeps on, though the rail lies there."""
    before = position(players, knights={"black": "t1 t2 c9"}, rail=6, dragon=9, facing=-1)
    after, events = do(before, "black c9")
    assert kinds(events) == ["moved", "treasure", "turn"]
    assert after.treasures[0] == 1
    assert view(after, None).chamber[0] == 1
    assert (after.rail, after.dragon, after.turn) == (6, 9, 1)
    refusal = refused(after, "black t1")
    assert refusal.rule == "R-MOVE-1"
    with pytest.raises(IllegalAction, match="entering the chamber ends the turn") as caught:
        play_line(before, "black c9 black t1")
    assert caught.value.rule == "R-END-1"
    on_c9, events = do(position(players, knights={"black": "t1 t2 c8"}, no_cards=True), "black c8")
    assert kinds(events) == ["moved"]
    do(on_c9, "black t1")


def test_the_treasure_comes_before_the_end_is_tested() -> None:
    """R-END-1, R-END-2: the knight that leaves its seat with one other still brings its treasure."""
    over, events = do(position(3, knights={"black": "t1 c9"}), "black c9")
    assert kinds(events) == ["moved", "treasure", "over"]
    assert over.treasures == (1, 0, 0)

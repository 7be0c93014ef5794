"""How a game ends and who wins (R-END-1 … R-END-4)."""

import pytest

import engine
from engine import Position, apply, is_over, legal_actions, score, to_act
from engine.events import GameOver
from tests.engine.acting import act, do, refused, standing
from tests.engine.positions import SEATS, final, kinds, position

OTHERS = {"orange": "t3 t4", "green": "t3 t4"}


def over(events: list[engine.Event]) -> GameOver:
    """The last event, which says that the game is over."""
    assert isinstance(events[-1], GameOver)
    return events[-1]


@pytest.mark.parametrize("players", SEATS)
def test_the_last_treasure_ends_the_game(players: int) -> None:
    """R-END-2: end-last-treasure; with one left the turn passes instead."""
    before = position(players, knights={"black": "t1 t2 c9"}, treasures={0: 1, 1: 2})
    ended, events = do(before, "black c9")
    assert kinds(events) == ["moved", "treasure", "over"]
    assert over(events).reason == "last-treasure"
    assert is_over(ended)
    assert to_act(ended) is None
    assert legal_actions(ended) == ()
    goes_on, events = do(position(players, knights={"black": "t1 t2 c9"}, treasures={0: 1, 1: 1}), "black c9")
    assert kinds(events) == ["moved", "treasure", "turn"]
    assert not is_over(goes_on)


def test_the_last_treasure_ends_the_game_before_a_second_knight() -> None:
    """R-END-2: what was still to come in the turn does not."""
    ended, _ = do(position(3, knights={"black": "t1 t2 c9"}, treasures={1: 3}), "black c9")
    refusal = refused(ended, "black t1")
    assert (refusal.rule, refusal.message) == ("R-END-2", "the game is over")
    for words in ("stop", "gold", "catch black", "bribe 1", "surrender"):
        assert refused(ended, words).rule == "R-END-2"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_seat_with_one_knight_left_ends_the_game(players: int) -> None:
    """R-END-2: end-chamber-one-knight; with two left the game goes on."""
    _, events = do(position(players, knights={"black": "t1 c9"}), "black c9")
    assert over(events).reason == "one-knight"
    _, events = do(position(players, knights={"black": "t1 t2 c9"}), "black c9")
    assert kinds(events) == ["moved", "treasure", "turn"]


@pytest.mark.parametrize(
    ("black", "orange", "ends"),
    [("c9", "t1", True), ("t1 c9", "", True), ("c9", "t1 t2", False), ("t1 c9", "t1", False), ("t1 t2 c9", "", False)],
)
def test_with_two_players_both_colours_count(black: str, orange: str, ends: bool) -> None:
    """R-END-2: one knight over both colours of a seat; a colour may die out."""
    after, events = do(position(2, knights={"black": black, "orange": orange}), "black c9")
    assert is_over(after) == ends
    assert kinds(events)[-1] == ("over" if ends else "turn")


def caught_on_c2(**more: object) -> Position:
    """Black may wake the dragon, which goes to c2, where one of orange's two knights stands."""
    given: dict[str, object] = {"knights": {"black": "t1 t2 m6", "orange": "t3 c2", "green": "t3 t4"}, **more}
    return position(3, no_cards=True, dice=[2], **given)  # type: ignore[arg-type]


def test_a_surrender_may_end_the_game_with_the_rail_left_where_it_lies() -> None:
    """R-END-2: end-surrender. A bribe instead lets the rail and the turn go on."""
    asked, _ = do(caught_on_c2(hands={1: [1]}), "black m6")
    ended, events = do(asked, "surrender")
    assert kinds(events) == ["surrendered", "over"]
    assert over(events).reason == "one-knight"
    assert (ended.rail, ended.dragon) == (1, 2)
    assert standing(ended, "orange") == "t3"
    goes_on, events = do(asked, "bribe 1")
    assert kinds(events) == ["bribed", "rail"]
    assert (goes_on.rail, to_act(goes_on)) == (2, 0)


def test_a_catch_without_gold_may_end_the_game() -> None:
    """R-END-2: end-caught-without-gold, end-with-the-rail-on-its-way. Nothing is left open afterwards."""
    ended, events = do(caught_on_c2(), "black m6")
    assert kinds(events) == ["moved", "threw", "dragon", "caught", "surrendered", "over"]
    after = engine.after(ended)
    assert (after["rail"], after["phase"], after["turn"], after["to_act"]) == (1, "over", None, None)
    assert (after["moved"], after["took"], after["victim"]) == ([], False, None)


def test_ones_own_choice_of_victim_may_end_the_game() -> None:
    """R-END-2, R-DRAG-4: the seat at turn may end it by its own knight."""
    knights = {"black": "m6 c2", "orange": "t3 t4 c2", "green": "t3 t4"}
    choosing, _ = do(caught_on_c2(knights=knights), "black m6")
    assert over(do(choosing, "catch black")[1]).reason == "one-knight"
    assert not is_over(do(choosing, "catch orange")[0])


@pytest.mark.parametrize(
    ("laid", "majority"),
    [
        ({}, (None, None, None, None)),
        ({0: "ruby"}, (0, None, None, None)),
        ({0: "ruby", 1: "ruby"}, (None, None, None, None)),
        ({0: "ruby ruby", 1: "ruby", 2: "ruby"}, (0, None, None, None)),
        ({0: "ruby", 1: "ruby ruby", 2: "ruby ruby"}, (None, None, None, None)),
        ({0: "ruby", 1: "emerald", 2: "garnet turquoise"}, (0, 1, 2, 2)),
        ({2: "ruby emerald garnet turquoise"}, (2, 2, 2, 2)),
    ],
)
def test_each_gem_goes_to_its_sole_leader(laid: dict[int, str], majority: tuple[int | None, ...]) -> None:
    """R-END-3: strictly the most, or nobody (majority-tied)."""
    assert score(position(3, laid=laid)).majority == majority


@pytest.mark.parametrize("players", SEATS)
def test_the_majority_is_found_at_any_table(players: int) -> None:
    """R-END-3: the last seat counts like the first."""
    result = score(position(players, laid={0: "ruby", players - 1: "ruby ruby garnet"}))
    assert result.majority == (players - 1, None, players - 1, None)
    assert result.bonus == (0,) * (players - 1) + (8,)


def test_everything_counts_its_value() -> None:
    """R-END-4: gold in hand at value, treasures 5, gems 1, bonus cards 4; gold given away counts nothing."""
    table = position(
        3,
        hands={0: [1, 5, 5], 1: [2], 2: []},
        laid={0: "ruby", 1: "ruby ruby emerald garnet turquoise", 2: "emerald garnet turquoise"},
        treasures={0: 2, 2: 1},
        four_gems=1,
    )._replace(given=((), (5, 5), ()))
    result = score(table)
    assert result.gold == (11, 2, 0)
    assert result.treasures == (10, 0, 5)
    assert result.gems == (1, 5, 3)
    assert result.bonus == (0, 8, 0)  # four different gems, and the most rubies; the other kinds are tied
    assert result.majority == (1, None, None, None)
    assert result.four_gems == 1
    assert result.scores == (22, 15, 8)
    assert result.winners == (0,)


def test_gold_left_on_the_table_counts_nothing() -> None:
    """R-END-4: a knight still on its way is worth nothing either."""
    assert score(position(4)).scores == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("hands", "laid", "treasures", "winners"),
    [
        # most points, whatever else
        ({0: [5], 1: [5, 5, 1]}, {}, {0: 1}, (1,)),
        ({0: [5], 1: [5, 4]}, {}, {0: 1}, (0,)),
        # tie-by-treasures: 10 each
        ({0: [5], 1: [5, 5], 2: [5, 5]}, {}, {0: 1}, (0,)),
        # tie-by-gems: 5 each, of which seat 2 has two gems that nobody leads
        ({0: [5], 1: [5], 2: [3]}, {0: "", 2: "ruby emerald", 3: "ruby emerald"}, {}, (2,)),
        # treasures before gems
        ({0: [], 1: [3]}, {1: "ruby garnet", 2: "ruby garnet"}, {0: 1}, (0,)),
        # tie-shared
        ({0: [5], 1: [5], 2: [4]}, {}, {}, (0, 1)),
        ({0: [2, 3], 1: [5], 2: [1, 4], 3: [5]}, {}, {}, (0, 1, 2, 3)),
        ({}, {}, {}, (0, 1, 2, 3)),
        ({1: [3], 2: [3]}, {}, {1: 1, 2: 1}, (1, 2)),
    ],
)
def test_ties_go_to_treasures_then_gems_and_else_are_shared(
    hands: dict[int, list[int]], laid: dict[int, str], treasures: dict[int, int], winners: tuple[int, ...]
) -> None:
    """R-END-4."""
    assert score(position(4, hands=hands, laid=laid, treasures=treasures)).winners == winners


@pytest.mark.parametrize("players", SEATS)
def test_the_last_event_tells_the_result(players: int) -> None:
    """R-END-2, R-END-4: scores and winners of a whole game, hands shown by then."""
    ended = final(players, 7)
    result = score(ended)
    assert engine.result_to_json(ended)["scores"] == list(result.scores)
    assert max(result.scores) == result.scores[result.winners[0]]
    for seat in range(players):
        parts = (result.gold[seat], result.treasures[seat], result.gems[seat], result.bonus[seat])
        assert sum(parts) == result.scores[seat]
    with pytest.raises(engine.IllegalAction, match="the game is over"):
        apply(ended, act("stop"))

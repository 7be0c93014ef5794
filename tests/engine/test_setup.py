"""How a game lies on the table before the first move (R-SET-1 … R-SET-6)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import CHAMBER, COLORS, GEMS, SPACES, Position, SetupError, colors_of, deal, destination, owner, start, view
from engine.board import COLOR_INDEX, TREASURES
from tests.engine.acting import do, refused, standing
from tests.engine.positions import SEATS

SEED = bytes(range(32))


def new(players: int, first: int | None = 0) -> Position:
    return start(deal(players, SEED, [""] * players, first))


def test_the_path_runs_from_the_castle_to_the_chamber() -> None:
    """R-SET-1: four towers and a hall, six meadows, nine caves, one after the other, then the chamber."""
    assert " ".join(SPACES) == "t1 t2 t3 t4 hall m1 m2 m3 m4 m5 m6 c1 c2 c3 c4 c5 c6 c7 c8 c9"
    alone = [destination(((space,),), space) for space in range(len(SPACES))]
    assert [SPACES[space] for space in alone[:-1]] == ["m1"] * 5 + list(SPACES[6:])
    assert alone[-1] == CHAMBER


def test_the_nest_and_the_chamber_are_empty_at_first() -> None:
    """R-SET-1: whoever is there is out of play, and at the start nobody is."""
    for players in SEATS:
        seen = view(new(players), None)
        assert set(seen.nest) == set(seen.chamber) == {0}


@pytest.mark.parametrize(
    ("players", "colors"),
    [
        (2, [("black", "orange"), ("green", "purple")]),
        (3, [("black",), ("orange",), ("green",)]),
        (4, [("black",), ("orange",), ("green",), ("purple",)]),
        (5, [("black",), ("orange",), ("green",), ("purple",), ("yellow",)]),
    ],
)
def test_colours_go_to_the_seats_in_order(players: int, colors: list[tuple[str, ...]]) -> None:
    """R-SET-2."""
    assert [tuple(COLORS[c] for c in colors_of(players, seat)) for seat in range(players)] == colors
    for seat, names in enumerate(colors):
        assert {owner(players, COLOR_INDEX[name]) for name in names} == {seat}


@pytest.mark.parametrize(("players", "outside"), [(2, "yellow"), (3, "purple"), (4, "yellow")])
def test_a_colour_that_is_not_in_the_game_cannot_move(players: int, outside: str) -> None:
    """R-SET-2: refused for a colour nobody plays, allowed for the seat's own."""
    refusal = refused(new(players), f"{outside} t1")
    assert (refusal.rule, refusal.message) == ("R-SET-2", f"{outside} is not in this game")
    do(new(players), "black t1")


@pytest.mark.parametrize(
    ("players", "spaces", "knights_a_seat"),
    [(2, "t1 t2 t3 t4", 8), (3, "t1 t2 t3 t4 hall", 5), (4, "t1 t2 t3 t4 hall", 5), (5, "t1 t2 t3 t4", 4)],
)
def test_one_knight_of_each_colour_stands_on_each_starting_space(
    players: int, spaces: str, knights_a_seat: int
) -> None:
    """R-SET-3: the hall is used with three and four players only."""
    position = new(players)
    for seat in range(players):
        colors = colors_of(players, seat)
        assert all(standing(position, COLORS[color]) == spaces for color in colors)
        assert sum(len(position.knights[color]) for color in colors) == knights_a_seat
    assert len(position.knights) == (4 if players == 2 else players)


@given(st.binary(min_size=32, max_size=32), st.sampled_from(SEATS))
def test_the_cards_are_dealt_along_the_cave(seed: bytes, players: int) -> None:
    """R-SET-4: 3 gold and 2 gems at odd caves, 2 and 3 at even ones, two of each kind left over."""
    setup = deal(players, seed, [""] * players, None)
    assert [len(pile) for pile in setup.gold_piles] == [3, 2, 3, 2, 3, 2, 3, 2, 3]
    assert [len(pile) for pile in setup.gem_piles] == [2, 3, 2, 3, 2, 3, 2, 3, 2]
    gold = Counter(card for pile in setup.gold_piles for card in pile)
    gems = Counter(card for pile in setup.gem_piles for card in pile)
    assert gold.total() == 25 - 2
    assert gems.total() == 24 - 2
    assert set(gold) <= {1, 2, 3, 4, 5}
    assert set(gems) <= set(range(len(GEMS)))
    assert max(gold.values()) <= 5
    assert max(gems.values()) <= 6
    assert set(setup.dice) <= {1, 2, 3}


@pytest.mark.parametrize("players", SEATS)
def test_only_the_top_card_of_a_pile_is_seen(players: int) -> None:
    """R-SET-4: of every pile everybody sees the top card and how many there are, and nothing else."""
    position = new(players)
    for viewer in (None, *range(players)):
        shown = engine.view_to_json(view(position, viewer))
        assert shown["face_up"] == [
            {"gold": gold[0], "gem": GEMS[gems[0]]}
            for gold, gems in zip(position.gold_piles, position.gem_piles, strict=True)
        ]
        assert [pile["gold"] + pile["gem"] for pile in shown["left"]] == [5] * 9


@pytest.mark.parametrize("players", SEATS)
def test_the_dragon_waits_on_its_rail(players: int) -> None:
    """R-SET-5: on c4, facing the castle, the rail beside c1 to c4, four treasures behind."""
    position = new(players)
    after = engine.after(position)
    assert (after["rail"], after["dragon"], after["facing"]) == (1, 4, "castle")
    assert after["treasures"] == [0] * players
    assert TREASURES == 4


@pytest.mark.parametrize(("players", "first"), [(p, first) for p in SEATS for first in range(p)])
def test_the_seat_that_was_set_begins_and_turns_go_round(players: int, first: int) -> None:
    """R-SET-6."""
    position = new(players, first)
    for turn in range(players + 1):
        seat = (first + turn) % players
        assert engine.to_act(position) == position.turn == seat
        color = COLORS[colors_of(players, seat)[0]]
        if turn == 0:
            assert refused(position, f"{COLORS[colors_of(players, (seat + 1) % players)[0]]} t1").rule == "R-MOVE-1"
        position, _ = do(position, f"{color} t{min(turn + 1, 4)}", "stop")


@pytest.mark.parametrize("players", SEATS)
def test_the_first_seat_is_drawn_unless_it_is_set(players: int) -> None:
    """R-SET-6: every seat can be drawn, the same one from the same seed, and a set one overrules it."""
    drawn = {deal(players, bytes([n] * 32), [""] * players, None).first for n in range(40)}
    assert drawn == set(range(players))
    with_nobody_set = deal(players, SEED, [""] * players, None)
    assert with_nobody_set == deal(players, SEED, [""] * players, None)
    other = (with_nobody_set.first + 1) % players
    assert deal(players, SEED, [""] * players, other) == with_nobody_set._replace(first=other)


@pytest.mark.parametrize(
    ("players", "seed", "entropy", "first", "message"),
    [
        (1, SEED, [""], 0, "2 to 5 seats, not 1"),
        (6, SEED, [""] * 6, 0, "2 to 5 seats, not 6"),
        (3, SEED[:31], [""] * 3, 0, "a seed has 32 bytes, not 31"),
        (3, SEED + b"x", [""] * 3, 0, "a seed has 32 bytes, not 33"),
        (3, SEED, [""] * 2, 0, "one string a seat"),
        (3, SEED, ["", "a|b", ""], 0, "without |"),
        (3, SEED, ["", "x" * 65, ""], 0, "at most 64"),
        (3, SEED, ["", "é", ""], 0, "from space to ~"),
        (3, SEED, ["", "\n", ""], 0, "from space to ~"),
        (3, SEED, [""] * 3, 3, "one of 0 to 2, not 3"),
        (3, SEED, [""] * 3, -1, "one of 0 to 2, not -1"),
    ],
)
def test_a_game_that_cannot_be_set_up_is_refused(
    players: int, seed: bytes, entropy: list[str], first: int, message: str
) -> None:
    with pytest.raises(SetupError) as caught:
        deal(players, seed, entropy, first)
    assert message in str(caught.value)
    assert deal(3, SEED, [" ~" * 32, "", ""], 2).first == 2


def test_every_seats_entropy_changes_the_deal() -> None:
    """No seat that hands something in can be left out of the shuffle, and what it is is kept as given."""
    plain = deal(3, SEED, ["", "", ""], 0)
    for texts in (["x", "", ""], ["", "x", ""], ["", "", "x"], [" x", "", ""], ["X", "", ""]):
        assert deal(3, SEED, texts, 0).gold_piles != plain.gold_piles
    assert deal(3, SEED, ["x", "", ""], 0) != deal(3, SEED, ["", "x", ""], 0)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    zeros = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert engine.commitment(bytes(32)) == zeros

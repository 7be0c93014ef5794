"""Sentences about the game."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

import engine
from engine import CHAMBER, SPACES, Bribe, Catch, Move, Stop, Surrender, Take
from service.i18n.dates import day, moment
from service.mail.kinds import Entry
from service.mail.words import KINDS, action_words, bare_subject, bribe_words, open_entry, recap, sentence
from tests.mail.samples import entries, said
from tests.pictures.games import NAMES, found, played


def told(kind: str, viewer: int | None = None, **data: object) -> str:
    seat = data.get("seat")
    return sentence(Entry(kind, seat if isinstance(seat, int) else None, {"kind": kind, **data}), NAMES, viewer)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everything_that_happens_in_whole_games_can_be_told(players: int) -> None:
    kinds = set()
    for seed in range(6):
        _, log = played(players, seed)
        for viewer in (None, 0):
            for entry in entries(log, viewer):
                line = sentence(entry, NAMES, viewer)
                assert re.match(r"[A-ZÀ-Ý]", line)
                assert line.endswith(".")
                assert "None" not in line
                kinds.add(entry.kind)
    assert kinds <= KINDS
    assert len(kinds) >= 13


def test_sentences() -> None:
    moved: dict[str, Any] = {"seat": 1, "color": "orange", "from": "t1"}
    assert told("moved", **moved, to="m3") == "Bertrand moved an orange knight from t1 to m3."
    assert told("moved", **moved, to="chamber") == "Bertrand moved an orange knight from t1 into the treasure chamber."
    assert told("moved", 1, **moved, to="m3") == "You moved an orange knight from t1 to m3."
    assert told("took", seat=0, space="c3", card="gold", value=4) == "Anna took the gold card 4 at c3."
    assert told("took", seat=0, space="c3", card="gem", value="ruby") == "Anna took the ruby at c3."
    assert told("turned_up", space="c3", card="gem", value="emerald") == "At c3, an emerald turned up."
    assert told("treasure", seat=0, left=0) == "Anna took a dragon treasure; it was the last one."
    assert told("treasure", seat=0, left=1) == "Anna took a dragon treasure; 1 is left."
    assert told("turn", 0, seat=0) == "Then it was your turn."
    assert told("caught", 2, seat=2, color="green", by=0, space="c2") == "The dragon caught your green knight at c2."
    assert told("rail", first=2, facing="castle") == "The rail went on and now lies beside c2 to c5."
    assert told("rail", first=2, facing="chamber") == (
        "The rail went on and now lies beside c2 to c5; the dragon faces the treasure chamber."
    )
    assert told("resigned", seat=3) == "Dmitri resigned; a bot played on in that seat."
    assert told("joined", seat=9) == "Seat 10 joined the game."


def test_a_bribe_is_told_in_full_to_its_giver_alone() -> None:
    assert told("bribed", seat=0, color="black") == "Anna gave the dragon a gold card, and the black knight stayed."
    assert "the gold card 3" in told("bribed", 0, seat=0, color="black", gold=3)


def test_the_end() -> None:
    line = told("over", 1, reason="one-knight", scores=[10, 22, 22], winners=[1, 2])
    assert line.endswith("You and Chloé shared the win with 22 points.")
    assert told("over", reason="last-treasure", scores=[30, 1, 1], winners=[0]).endswith("Anna won with 30 points.")


def test_what_happens_when_nobody_answers() -> None:
    assert told("timed_out", seat=1) == "Time was up for Bertrand."
    assert told("timed_out", 1, seat=1) == "Time was up for you."
    assert told("held", seat=1) == "A second turn in a row ran out for Bertrand: a bot took over the seat."
    assert told("resumed", 1, seat=1) == "You took the seat back from the bot."
    assert told("voted", seat=2, vote="extend") == "Chloé voted for more time."
    assert told("voted", seat=2, vote="end") == "Chloé voted to end the game."
    assert told("ended", 0, by=[0, 2]) == "You and Chloé voted to end the game, so it ended, and nobody won."
    given: dict[str, Any] = {"seat": 1, "by": [0, 2], "deadline": "2026-12-04T20:30:00+00:00"}
    assert (
        told("extended", **given)
        == "Anna and Chloé gave Bertrand more time, until Friday 4 December 2026, 20:30 (UTC)."
    )
    entry = Entry("extended", 1, given)
    assert sentence(entry, NAMES, 1, "Europe/Berlin").endswith(
        "gave you more time, until Friday 4 December 2026, 21:30 (Europe/Berlin)."
    )


def test_what_became_of_ones_own_orders() -> None:
    order: dict[str, Any] = {"seat": 0, "order": "bribe", "text": "at most 2", "action": {"do": "bribe", "gold": 1}}
    assert told("order", 0, **order) == "Your standing order for bribes (“at most 2”) decided."
    catch = order | {"order": "catch", "text": "leader"}
    assert told("order", 0, **catch) == "Your standing order for whom the dragon catches (“leader”) decided."
    assert told("plan_played", 0, text="t1 gem", line="t1 gem") == "Your plan was played: t1 gem."
    left_out = [{"word": "gem", "reason": "there is no gem"}]
    played = told("plan_played", 0, text="t1 gem", line="t1 gem", dropped=left_out)
    assert played == "Your plan was played: t1 gem; “gem” did not fit any more."
    dropped = told("plan_dropped", 0, text="t1 gem", why="No knight of yours stands there.")
    assert dropped == "Your plan (“t1 gem”) was not played: No knight of yours stands there."


@pytest.mark.parametrize(
    "words", ["at most {}", "bribe {}", "t1 bribe {}", "if c9 then c9 BRIBE {} else t1 at most {}"]
)
@pytest.mark.parametrize("kind", ["order", "plan_played", "plan_dropped"])
def test_an_order_without_cards_names_no_gold_for_the_dragon(kind: str, words: str) -> None:
    def shown(gold: int) -> Entry:
        line = words.format(gold, gold)
        more: dict[str, dict[str, object]] = {
            "order": {"order": "bribe", "action": {"do": "bribe", "gold": gold}},
            "plan_played": {
                "line": line,
                "dropped": [{"word": f"bribe {gold}", "reason": f"You have no gold {gold}."}],
            },
            "plan_dropped": {"why": f"You have no gold {gold}."},
        }
        return open_entry(Entry(kind, 0, {"kind": kind, "seat": 0, "text": line, **more[kind]}))

    assert shown(3) == shown(5)
    assert "…" in sentence(shown(3), NAMES, 0)


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(KeyError):
        told("exploded")


def test_talk_is_one_line_and_whole() -> None:
    assert sentence(said("a\nb\r\n\tc"), NAMES) == "Chloé said: “a b c”"
    assert "x" * 2000 in sentence(said("x" * 2000), NAMES)


def test_a_recap_has_a_paragraph_a_turn_and_one_for_each_word_said() -> None:
    log = (
        Entry("moved", 0, {"seat": 0, "color": "black", "from": "t1", "to": "m3"}),
        Entry("stopped", 0, {"seat": 0}),
        Entry("turn", 1, {"seat": 1}),
        Entry("moved", 1, {"seat": 1, "color": "orange", "from": "t1", "to": "m2"}),
        said("hm"),
        Entry("stopped", 1, {"seat": 1}),
    )
    assert recap(log, NAMES, 0) == [
        "You moved a black knight from t1 to m3. You stopped after one knight.",
        "Bertrand moved an orange knight from t1 to m2.",
        "Chloé said: “hm”",
        "Bertrand stopped after one knight.",
    ]
    assert recap((), NAMES) == []


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_move_is_told_with_the_place_it_really_reaches(players: int) -> None:
    position, _ = played(players, 3, lambda p, n: n == 45 and p.phase == engine.MOVE)
    for _ in range(25):
        seat = engine.to_act(position)
        if seat is None:
            break
        view = engine.view(position, seat)
        for action in view.legal:
            line = action_words(action, view, NAMES)
            if isinstance(action, Move):
                _, events = engine.apply(position, action)
                target = next(event.target for event in events if event.kind == "moved")
                goal = "into the treasure chamber" if target == CHAMBER else f"to {SPACES[target]}"
                assert f"on {SPACES[action.source]}: " in line
                assert goal in line
                assert ("black knight" in line or "orange" in line or "green" in line or "purple" in line) == (
                    players == 2
                )
        position, _ = engine.apply(position, view.legal[0])


def test_the_other_actions() -> None:
    position = found(3, engine.TAKE)
    view = engine.view(position, engine.to_act(position))
    cave = position.moved[-1][1] - SPACES.index("c1")
    gold = action_words(Take(0), view)
    assert gold.startswith(f"Take the gold card {view.gold_up[cave]}")
    assert action_words(Take(1), view) == f"Take the {engine.GEMS[view.gem_up[cave]]}"
    assert action_words(Stop(), view) == "Stop here: no second knight this turn"
    caught = engine.view(found(3, engine.CATCH), None)
    assert (
        action_words(Catch(1), caught._replace(viewer=0), NAMES) == "Let the dragon catch the orange knight of Bertrand"
    )
    assert "your own black" in action_words(Catch(0), caught._replace(viewer=0), NAMES)
    bribe = found(3, engine.BRIBE)
    asked = engine.view(bribe, engine.to_act(bribe))
    knight = f"your {engine.COLORS[bribe.victim]} knight at c{bribe.dragon}"
    assert action_words(Bribe(2), asked) == f"Give the dragon your gold 2: {knight} stays"
    assert action_words(Surrender(), asked) == f"Give up {knight}: it goes to the nest and is out of the game"


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("UTC", "Thursday 31 December 2026, 23:30 (UTC)"),
        ("Europe/Berlin", "Friday 1 January 2027, 00:30 (Europe/Berlin)"),
        ("Asia/Kathmandu", "Friday 1 January 2027, 05:15 (Asia/Kathmandu)"),
        ("../../etc/passwd", "Thursday 31 December 2026, 23:30 (UTC)"),
        ("Nowhere/At_all", "Thursday 31 December 2026, 23:30 (UTC)"),
        ("", "Thursday 31 December 2026, 23:30 (UTC)"),
    ],
)
def test_when(zone: str, expected: str) -> None:
    assert moment(datetime(2026, 12, 31, 23, 30, tzinfo=UTC), zone) == expected


def test_summer_time_is_minded() -> None:
    assert "12:00" in moment(datetime(2026, 7, 1, 10, tzinfo=UTC), "Europe/Berlin")
    assert "11:00" in moment(datetime(2026, 1, 1, 10, tzinfo=UTC), "Europe/Berlin")


def test_a_day_is_that_of_the_reader() -> None:
    assert day(datetime(2026, 12, 31, 23, 30, tzinfo=UTC), "Europe/Berlin") == "Friday 1 January"


@pytest.mark.parametrize(
    ("subject", "bare"),
    [
        ("Re: Your turn", "Your turn"),
        ("RE: AW: Fwd: Your turn", "Your turn"),
        ("Antw: Re[4]: Your turn", "Your turn"),
        ("回复：Your turn", "Your turn"),
        ("Return of the dragon: part 2", "Return of the dragon: part 2"),
        ("  a\r\nBcc: b  ", "a Bcc: b"),
        ("", ""),
        ("Re:", ""),
    ],
)
def test_a_subject_without_what_answering_adds(subject: str, bare: str) -> None:
    assert bare_subject(subject) == bare


def test_a_bribe_can_be_offered_without_naming_a_card() -> None:
    position = found(3, engine.BRIBE)
    view = engine.view(position, engine.to_act(position))
    offered = bribe_words(view)
    assert [notation for notation, _ in offered] == ["bribe lowest", "bribe highest", "surrender"]
    for notation, told in offered:
        assert engine.play_line(position, notation).dropped == ()
        assert not re.search(r"gold \d|card \d", told)


def test_what_only_its_giver_knows_is_taken_out_of_an_entry() -> None:
    own = Entry("bribed", 0, {"seat": 0, "color": "black", "gold": 3})
    assert sentence(open_entry(own), NAMES, 0) == "You gave the dragon a gold card, and the black knight stayed."
    moved = Entry("moved", 0, {"seat": 0, "color": "black", "from": "t1", "to": "m3"})
    assert open_entry(moved) == moved


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_entry_made_open_is_as_a_spectator_reads_it(players: int) -> None:
    for seed in range(4):
        _, log = played(players, seed)
        for seat in range(players):
            for own, public in zip(entries(log, seat), entries(log, None), strict=True):
                assert dict(open_entry(own).data) == dict(public.data)

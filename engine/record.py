"""A whole game as a record: export, read, replay, verify (docs/RECORD.md)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.actions import Action
from engine.board import CAVES, MAX_PLAYERS, MIN_PLAYERS
from engine.cards import (
    GEM_DEALT,
    GEM_DECK,
    GEM_INDEX,
    GEMS,
    GOLD_DEALT,
    GOLD_DECK,
    GOLD_VALUES,
    without,
)
from engine.chance import commitment, deal
from engine.errors import IllegalAction, NotationError, OutOfDice, RecordError, SetupError
from engine.position import Position
from engine.scoring import score
from engine.setup import Setup
from engine.storage import piles_to_json
from engine.turn import apply, break_off, is_over, start, to_act
from engine.wire import Json, action_from_json, action_to_json, after

FORMAT: Final = "emerald-record/1"
MAX_BYTES: Final = 32 * 1024 * 1024
_DICE: Final = (1, 2, 3)


class Provenance(NamedTuple):
    """Where the setup of a game came from: its seed, what each seat handed in, who was set to begin."""

    seed: bytes
    entropy: tuple[str, ...]
    first_set: int | None


class Step(NamedTuple):
    """One step of a replay: its number from 1, how many actions were legal, and what came of it."""

    number: int
    seat: int
    action: Action
    legal: int
    position: Position


def result_to_json(position: Position, *, broken_off: bool = False) -> Json:
    """The ``result`` of a finished game, or of one that its players ended early: then nobody has won."""
    result = score(position)
    return {
        "scores": list(result.scores),
        "majority": dict(zip(GEMS, result.majority, strict=True)),
        "winners": [] if broken_off else list(result.winners),
    }


def record_of(
    setup: Setup,
    actions: Sequence[Action],
    provenance: Provenance | None = None,
    *,
    with_after: bool = False,
    broken_off: bool = False,
) -> Json:
    """The record of a finished game, from its setup and all actions in order.

    ``with_after`` adds ``legal`` and ``after`` to every step. ``broken_off``: the players ended it after the last
    action, early. Raises IllegalAction if an action was not legal, RecordError if the game is not over after the
    last (or, broken off, is).
    """
    position = start(setup)
    steps = []
    for action in actions:
        step: Json = {"action": {"seat": to_act(position), **action_to_json(action)}}
        legal = len(position.legal)
        position, _ = apply(position, action)
        if with_after:
            step |= {"legal": legal, "after": after(position)}
        steps.append(step)
    if is_over(position) == broken_off:
        raise RecordError("the game is over already" if broken_off else "the game is not over")
    record: Json = {
        "format": FORMAT,
        "setup": {
            "players": setup.players,
            "first": setup.first,
            "piles": piles_to_json(setup.gold_piles, setup.gem_piles),
            "dice": list(setup.dice[: position.thrown]),
        },
    }
    if provenance is not None:
        record |= {
            "seed": provenance.seed.hex(),
            "commitment": commitment(provenance.seed),
            "entropy": list(provenance.entropy),
            "first_set": provenance.first_set,
        }
    if broken_off:
        record["broken_off"] = True
    return record | {"steps": steps, "result": result_to_json(_closed(position), broken_off=broken_off)}


def _closed(position: Position) -> Position:
    return position if is_over(position) else break_off(position)


def load(data: bytes) -> Json:
    """Read a record's bytes as JSON. Raises RecordError with one clear line for anything else."""
    if len(data) > MAX_BYTES:
        raise RecordError(f"the file is larger than {MAX_BYTES // 1024 // 1024} MiB: no game is that long")
    try:
        record = json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RecordError("the file is not text in UTF-8") from None
    except RecursionError:
        raise RecordError("the file is nested too deeply to be a record") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"the file is not JSON: {error}") from None
    except RecordError:
        raise
    except ValueError:  # Python's limit to the digits of an integer; it says it in words for programmers
        raise RecordError("a number in the file has too many digits to be one of a record") from None
    if not isinstance(record, dict):
        raise RecordError(f"a record is a JSON object, not {_kind(record)}")
    return record


def _no_constant(name: str) -> None:
    raise RecordError(f"the file is not JSON: {name} is not JSON")


def replay(record: Json) -> Iterator[Step]:
    """Replay a record step by step, checking each against what the record says.

    Raises RecordError with the number of the step at which it first differs from the rules, from its
    own ``after`` or ``legal``, or (at the end) from its own result.
    """
    setup = read_setup(record)
    steps = _list(record, "steps")
    position = start(setup)
    for number, step in enumerate(steps, start=1):
        position, done = _step(position, step, number)
        yield done
    broken_off = record.get("broken_off", False)
    if not isinstance(broken_off, bool):
        raise RecordError(f"broken_off is true or false, not {_show(broken_off)}")
    if broken_off and is_over(position):
        raise RecordError(f"the record says broken_off, but the game is over after step {len(steps)} (R-END-2)")
    if not broken_off and not is_over(position):
        raise RecordError(
            f"the record ends after step {len(steps)}, but the game is not over: seat {to_act(position)} is to act"
        )
    if position.thrown != len(setup.dice):
        raise RecordError(f"setup.dice has {len(setup.dice)} throws, but only {position.thrown} fell")
    result = result_to_json(_closed(position), broken_off=broken_off)
    _compare("result", record.get("result"), result, None)


def verify(record: Json) -> None:
    """Check a record whole: it replays, and its setup is what its seed gives.

    Raises RecordError if it does not replay, has no seed, or the seed does not match the commitment
    or the setup.
    """
    for _ in replay(record):
        pass
    provenance = read_provenance(record)
    if commitment(provenance.seed) != record.get("commitment"):
        raise RecordError("commitment: it is not the SHA-256 of the seed")
    setup = read_setup(record)
    try:
        dealt = deal(setup.players, *provenance)
    except SetupError as error:
        raise RecordError(str(error)) from None
    for name, said, drawn in (
        ("first", setup.first, dealt.first),
        ("piles (gold)", setup.gold_piles, dealt.gold_piles),
        ("piles (gem)", setup.gem_piles, dealt.gem_piles),
        ("dice", setup.dice, dealt.dice[: len(setup.dice)]),
    ):
        if said != drawn:
            raise RecordError(f"setup.{name}: it is not what the seed gives")


def _step(position: Position, step: object, number: int) -> tuple[Position, Step]:
    if not isinstance(step, dict) or not isinstance(step.get("action"), dict):
        raise RecordError('a step is an object with an "action"', number)
    if is_over(position):
        raise RecordError("the game is already over (R-END-2)", number)
    seat = to_act(position)
    said = step["action"].get("seat")
    if type(said) is not int or said != seat:
        raise RecordError(f"the record has seat {_show(said)} act, but it is for seat {seat} to act", number)
    legal = len(position.legal)
    try:
        action = action_from_json(step["action"])
        position, _ = apply(position, action)
    except IllegalAction as error:
        raise RecordError(f"{_show(step['action'])} is not legal: {error}", number) from None
    except (NotationError, OutOfDice) as error:
        raise RecordError(str(error), number) from None
    if "legal" in step:
        _compare("legal", step["legal"], legal, number)
    if "after" in step:
        said_after = step["after"]
        if not isinstance(said_after, dict):
            raise RecordError(f"after is an object, not {_kind(said_after)}", number)
        now = after(position)
        for key in (*now, *said_after.keys() - now.keys()):
            _compare(f"after.{key}", said_after.get(key), now.get(key), number)
    return position, Step(number, seat, action, legal, position)


def _compare(what: str, said: object, is_: object, number: int | None) -> None:
    if not _same(said, is_):
        raise RecordError(f"{what} differs: the record says {_show(said)}, the rules give {_show(is_)}", number)


def _same(a: object, b: object) -> bool:
    """Equality of JSON values that tells 1 from true and 1.0."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and a == b


def _show(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:197] + "..."


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", type(None): "null", bool: "true or false"}
    return names.get(type(value), "a number")


def read_setup(record: Json) -> Setup:
    """The setup of a record, checked in every part (R-SET-4). Raises RecordError naming what is wrong."""
    if record.get("format") != FORMAT:
        raise RecordError(f'format is {_show(record.get("format"))}, not "{FORMAT}"')
    setup = record.get("setup")
    if not isinstance(setup, dict):
        raise RecordError(f"setup is an object, not {_kind(setup)}")
    players = _number(setup, "players", range(MIN_PLAYERS, MAX_PLAYERS + 1), "setup")
    first = _number(setup, "first", range(players), "setup")
    piles = _list(setup, "piles", "setup.")
    if len(piles) != CAVES or not all(isinstance(pile, dict) for pile in piles):
        raise RecordError(f"setup.piles has one object for each of c1 to c{CAVES}")
    gold = _piles(piles, "gold", {value: value for value in GOLD_VALUES}, GOLD_DEALT, GOLD_DECK)
    gem = _piles(piles, "gem", GEM_INDEX, GEM_DEALT, GEM_DECK)
    dice = _list(setup, "dice", "setup.")
    if not all(type(die) is int and die in _DICE for die in dice):
        raise RecordError("setup.dice: a throw is 1, 2 or 3")
    return Setup(players, first, gold, gem, tuple(dice))


def _piles(
    piles: list[Json],
    kind: str,
    cards: Mapping[Any, int],
    sizes: Sequence[int],
    deck: Sequence[int],
) -> tuple[tuple[int, ...], ...]:
    read = []
    for cave, (pile, size) in enumerate(zip(piles, sizes, strict=True), start=1):
        said = pile.get(kind)
        known = isinstance(said, list) and all(type(c) in (int, str) and c in cards for c in said)
        if not isinstance(said, list) or not known or len(said) != size:
            raise RecordError(
                f"setup.piles: c{cave} has {size} {kind} cards of {', '.join(map(str, cards))}, not {_show(said)}"
            )
        read.append(tuple(cards[card] for card in said))
    try:
        without(deck, [card for pile in read for card in pile])
    except ValueError:
        raise RecordError(f"setup.piles: more {kind} cards of one kind than the deck holds") from None
    return tuple(read)


def read_provenance(record: Json) -> Provenance:
    """The seed of a record and what was mixed into it. Raises RecordError if there is none."""
    seed, entropy, first_set = record.get("seed"), record.get("entropy"), record.get("first_set")
    if seed is None:
        raise RecordError("the record has no seed: its shuffle cannot be checked")
    try:
        raw = bytes.fromhex(seed)
    except (TypeError, ValueError):
        raise RecordError("seed is 64 hexadecimal digits") from None
    if not isinstance(entropy, list) or not all(isinstance(text, str) for text in entropy):
        raise RecordError("entropy is a list of strings, one a seat")
    if first_set is not None and type(first_set) is not int:
        raise RecordError("first_set is a seat, or null if it was drawn")
    return Provenance(raw, tuple(entropy), first_set)


def _list(of: Json, key: str, path: str = "") -> list[Any]:
    value = of.get(key)
    if not isinstance(value, list):
        raise RecordError(f"{path}{key} is a list, not {_kind(value)}")
    return value


def _number(of: Json, key: str, allowed: range, path: str) -> int:
    value = of.get(key)
    if type(value) is not int or value not in allowed:
        raise RecordError(f"{path}.{key} is a number from {allowed.start} to {allowed.stop - 1}, not {_show(value)}")
    return value

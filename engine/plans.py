"""Plans: what a seat means to do in its next turn, written before it comes (docs/ORDERS.md).

``if t1 and m3 then t1 m3 gem else t2 stop``: the first clause whose tests hold is played, once. A plan looks at nothing
but what its owner sees.
"""

from typing import Final, Literal, NamedTuple

from engine.board import C1, CHAMBER, COLOR_INDEX, COLORS, HALL, SPACE_INDEX, SPACES, colors_of, destination, space_name
from engine.cards import CARD_KINDS, GEM, GEM_INDEX, GEMS, GOLD, GOLD_VALUES, NO_GEM, NO_GOLD
from engine.errors import NotationError
from engine.lines import parse_line
from engine.reading import Reader, split_words, unknown, wrong
from engine.view import View


class KnightStands(NamedTuple):
    """A knight stands on ``space``: one of ``color``, or where that is None one of one's own."""

    color: int | None
    space: int
    test: Literal["stands"] = "stands"


class KnightComes(NamedTuple):
    """Such a knight stands on ``source``, and would come to ``target`` if it moved now (R-MOVE-3)."""

    color: int | None
    source: int
    target: int
    test: Literal["comes"] = "comes"


class DragonSits(NamedTuple):
    """The dragon is on ``space``."""

    space: int
    test: Literal["dragon"] = "dragon"


class CardLies(NamedTuple):
    """A card of ``kind`` lies face up at ``space``: this one, or where ``card`` is None any of the kind."""

    kind: int
    card: int | None
    space: int
    test: Literal["card"] = "card"


Test = KnightStands | KnightComes | DragonSits | CardLies


class Condition(NamedTuple):
    """One test, and whether it has to hold or to fail."""

    test: Test
    holds: bool


class Clause(NamedTuple):
    """A line to play, in its normal form, where all the conditions are met."""

    conditions: tuple[Condition, ...]
    line: str


class Plan(NamedTuple):
    """The clauses of a plan, the first that fits counting; only the last may be without conditions."""

    clauses: tuple[Clause, ...]


LONGEST_PLAN: Final = 400
MOST_CLAUSES: Final = 8


# -- deciding


def plan_line(plan: Plan, seen: View) -> str | None:
    """The line of the first clause that fits the game as the plan's owner sees it; None if none does."""
    for clause in plan.clauses:
        if all(_holds(test, seen) == wanted for test, wanted in clause.conditions):
            return clause.line
    return None


def _holds(test: Test, seen: View) -> bool:
    if isinstance(test, KnightStands):
        return _stands(test.color, test.space, seen)
    if isinstance(test, KnightComes):
        there = _stands(test.color, test.source, seen)
        return there and destination(seen.knights, test.source) == test.target
    if isinstance(test, DragonSits):
        return test.space == C1 - 1 + seen.dragon
    cave = test.space - C1
    lies, nothing = (seen.gold_up[cave], NO_GOLD) if test.kind == GOLD else (seen.gem_up[cave], NO_GEM)
    return lies != nothing if test.card is None else lies == test.card


def _stands(color: int | None, space: int, seen: View) -> bool:
    if color is None:
        colors = () if seen.viewer is None else colors_of(seen.players, seen.viewer)
    else:
        colors = (color,) if color < len(seen.knights) else ()
    return any(space in seen.knights[color] for color in colors)


# -- reading


def parse_plan(text: str) -> Plan:
    """Read a plan without looking at any game.

    Raises NotationError, quoting the word that does not fit and saying what would.
    """
    if len(text) > LONGEST_PLAN:
        raise wrong(text, f"is too long: a plan has at most {LONGEST_PLAN} characters")
    words = Reader(split_words(text))
    if not words.peek():
        raise NotationError("", f"there is nothing in this plan; {_LIKE}")
    clauses = [_clause(words)]
    while words.peek():
        other = words.take("", "")
        if not clauses[-1].conditions:
            raise wrong(other, "is never reached: the clause before it has no if, so it always fits")
        if len(clauses) == MOST_CLAUSES:
            raise wrong(other, f"would begin one clause too many: a plan has at most {MOST_CLAUSES}")
        if not words.peek():
            raise wrong(other, f"is not all: after it comes another if, or a line; {_LIKE}")
        clauses.append(_clause(words))
    return Plan(tuple(clauses))


_LIKE: Final = "a plan is a line, or like if t1 and m3 then t1 m3 gem else t2 stop"
_OF_TESTS: Final = frozenset({"and", "then", "not", "to", "dragon", *GEMS})
_CAVES: Final = SPACES[C1:]
_FIRST: Final = (*SPACES, *COLORS, *CARD_KINDS, *GEMS, "dragon", "not")
_TESTS: Final = "a space, a colour and its space, dragon c4, gold 3 at c2, ruby at c5, or t1 to m2"


def _clause(words: Reader) -> Clause:
    conditions: list[Condition] = []
    if words.peek() == "if":
        after = words.take("", "")
        while after.lower() != "then":
            conditions.append(_condition(words, after))
            after = words.take(after, f"after its tests come then and the line to play; {_LIKE}")
            if after.lower() not in ("and", "then"):
                raise unknown(after, ("and", "then"), "not what follows a test: that is and, or then")
    return Clause(tuple(dict.fromkeys(conditions)), _line(words))


def _line(words: Reader) -> str:
    """The words up to the next ``else`` as a line that could be played."""
    said: list[str] = []
    while words.peek() and words.peek() != "else":
        said.append(words.take("", ""))
    if not said and words.peek():
        raise wrong(words.take("", ""), f"stands where a line to play should be; {_LIKE}")
    if not said:
        raise wrong("then", f"is not all: after it comes the line to play; {_LIKE}")
    for word in said:
        if word.lower() == "if":
            raise wrong(word, "cannot stand inside a line: join tests with and, and begin the next clause with else")
        if word.lower() in _OF_TESTS:
            raise wrong(word, f"belongs to tests, and those stand between if and then; {_LIKE}")
    line, first = " ".join(said), said[0].lower()
    if isinstance(parse_line(line), int):
        raise wrong(said[0], "is a number, and nobody knows the list of the turn to come: say which knights move")
    if first not in SPACE_INDEX and first not in COLOR_INDEX:
        raise wrong(said[0], "cannot begin the line of a plan: that is the knight which moves first, like t1")
    return line.lower().replace(" > ", ">")


def _condition(words: Reader, after: str) -> Condition:
    word = words.take(after, f"after it comes {_TESTS}")
    if word.lower() != "not":
        return Condition(_test(words, word), holds=True)
    return Condition(_test(words, words.take(word, f"after it comes {_TESTS}")), holds=False)


def _test(words: Reader, word: str) -> Test:
    low = word.lower()
    if low in SPACE_INDEX:
        return _knight(words, word, None)
    if low in COLOR_INDEX:
        space = words.take(word, f"after a colour comes the space of its knight, like {low} c4")
        if space.lower() not in SPACE_INDEX:
            raise unknown(space, SPACES, f"no space, and after {low} comes one")
        return _knight(words, space, COLOR_INDEX[low])
    if low == "dragon":
        if words.peek() == "at":
            words.take("", "")
        return DragonSits(_cave(words, word, "the dragon is always on one of c1 to c9"))
    if low == "gold":
        value = int(words.take("", "")) if words.peek() in _VALUES else None
        return CardLies(GOLD, value, _at(words, word))
    if low == "gem" or low in GEM_INDEX:
        return CardLies(GEM, GEM_INDEX.get(low), _at(words, word))
    if low == "chamber":
        raise wrong(word, "is no space that a knight stands on; c9 to chamber tells whether one on c9 would come there")
    raise unknown(word, _FIRST, f"no test; one is {_TESTS}")


_TARGETS: Final = (*SPACES[HALL + 1 :], "chamber")
_VALUES: Final = frozenset(map(str, GOLD_VALUES))


def _knight(words: Reader, space: str, color: int | None) -> KnightStands | KnightComes:
    source = SPACE_INDEX[space.lower()]
    if words.peek() != "to":
        return KnightStands(color, source)
    to = words.take("", "")
    target = words.take(to, "after it comes the space where the knight would come to, like t1 to m2")
    if target.lower() == "chamber":
        return KnightComes(color, source, CHAMBER)
    if SPACE_INDEX.get(target.lower(), HALL) <= HALL:
        raise unknown(target, _TARGETS, "no space that a knight can come to: m1 to m6, c1 to c9, or chamber")
    return KnightComes(color, source, SPACE_INDEX[target.lower()])


def _at(words: Reader, card: str) -> int:
    at = words.need("at", card, f"a card lies at a cave space, like {card.lower()} at c2")
    return _cave(words, at, "that is where cards lie")


def _cave(words: Reader, after: str, what: str) -> int:
    said = words.take(after, f"after it comes one of c1 to c9: {what}")
    if said.lower() not in _CAVES:
        raise unknown(said, _CAVES, f"none of c1 to c9: {what}")
    return SPACE_INDEX[said.lower()]


# -- writing


def plan_text(plan: Plan) -> str:
    """A plan in its one written form, which reads back as the same plan."""
    return " else ".join(_clause_text(clause) for clause in plan.clauses)


def _clause_text(clause: Clause) -> str:
    if not clause.conditions:
        return clause.line
    tests = " and ".join(_condition_text(condition) for condition in clause.conditions)
    return f"if {tests} then {clause.line}"


def _condition_text(condition: Condition) -> str:
    return f"{'' if condition.holds else 'not '}{_test_text(condition.test)}"


def _test_text(test: Test) -> str:
    if isinstance(test, DragonSits):
        return f"dragon {SPACES[test.space]}"
    if isinstance(test, CardLies):
        return f"{_card(test)} at {SPACES[test.space]}"
    color = "" if test.color is None else f"{COLORS[test.color]} "
    if isinstance(test, KnightStands):
        return f"{color}{SPACES[test.space]}"
    return f"{color}{SPACES[test.source]} to {space_name(test.target)}"


def _card(test: CardLies) -> str:
    if test.card is None:
        return CARD_KINDS[test.kind]
    return f"gold {test.card}" if test.kind == GOLD else GEMS[test.card]


def explain_plan(plan: Plan) -> str:
    """What a plan does, in a few sentences for its owner."""
    clauses = [_explain_clause(clause) for clause in plan.clauses]
    told = f"Once, when your next turn begins: {'; else '.join(clauses)}."
    return f"{told} If nothing of it fits, or the rules do not allow the line then, it is cancelled and you are asked."


def _explain_clause(clause: Clause) -> str:
    if not clause.conditions:
        return f"play {clause.line}"
    tests = " and ".join(_explain_test(test, "" if wanted else "not ") for test, wanted in clause.conditions)
    return f"if {tests}, play {clause.line}"


def _explain_test(test: Test, no: str) -> str:
    if isinstance(test, DragonSits):
        return f"the dragon is {no}on {SPACES[test.space]}"
    if isinstance(test, CardLies):
        card = "a gem" if test == CardLies(GEM, None, test.space) else _card(test)
        return f"{card} is {no}open at {SPACES[test.space]}"
    whose = "of yours" if test.color is None else f"of {COLORS[test.color]}"
    if isinstance(test, KnightStands):
        return f"a knight {whose} is {no}on {SPACES[test.space]}"
    return f"a knight {whose} on {SPACES[test.source]} would {no}come to {space_name(test.target)}"

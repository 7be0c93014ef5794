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
from engine.sentences import Sentence, chain
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
        raise wrong(text, "'{word}' is too long: a plan has at most {most} characters", most=LONGEST_PLAN)
    words = Reader(split_words(text))
    if not words.peek():
        raise NotationError("", Sentence("there is nothing in this plan; {like}", like=_LIKE))
    clauses = [_clause(words)]
    while words.peek():
        other = words.next()
        if not clauses[-1].conditions:
            raise wrong(other, "'{word}' is never reached: the clause before it has no if, so it always fits")
        if len(clauses) == MOST_CLAUSES:
            raise wrong(other, "'{word}' would begin one clause too many: a plan has at most {most}", most=MOST_CLAUSES)
        if not words.peek():
            raise wrong(other, "'{word}' is not all: after it comes another if, or a line; {like}", like=_LIKE)
        clauses.append(_clause(words))
    return Plan(tuple(clauses))


_LIKE: Final = Sentence("a plan is a line, or like if t1 and m3 then t1 m3 gem else t2 stop")
_OF_TESTS: Final = frozenset({"and", "then", "not", "to", "dragon", *GEMS})
_CAVES: Final = SPACES[C1:]
_FIRST: Final = (*SPACES, *COLORS, *CARD_KINDS, *GEMS, "dragon", "not")
_TESTS: Final = Sentence("a space, a colour and its space, dragon c4, gold 3 at c2, ruby at c5, or t1 to m2")


def _clause(words: Reader) -> Clause:
    conditions: list[Condition] = []
    if words.peek() == "if":
        after = words.next()
        while after.lower() != "then":
            conditions.append(_condition(words, after))
            after = words.take(after, Sentence("after its tests come then and the line to play; {like}", like=_LIKE))
            if after.lower() not in ("and", "then"):
                raise unknown(after, ("and", "then"), "'{word}' is not what follows a test: that is and, or then")
    return Clause(tuple(dict.fromkeys(conditions)), _line(words))


def _line(words: Reader) -> str:
    """The words up to the next ``else`` as a line that could be played."""
    said: list[str] = []
    while words.peek() and words.peek() != "else":
        said.append(words.next())
    if not said and words.peek():
        raise wrong(words.next(), "'{word}' stands where a line to play should be; {like}", like=_LIKE)
    if not said:
        raise wrong("then", "'{word}' is not all: after it comes the line to play; {like}", like=_LIKE)
    for word in said:
        if word.lower() == "if":
            raise wrong(
                word, "'{word}' cannot stand inside a line: join tests with and, and begin the next clause with else"
            )
        if word.lower() in _OF_TESTS:
            raise wrong(word, "'{word}' belongs to tests, and those stand between if and then; {like}", like=_LIKE)
    line, first = " ".join(said), said[0].lower()
    if isinstance(parse_line(line), int):
        raise wrong(
            said[0], "'{word}' is a number, and nobody knows the list of the turn to come: say which knights move"
        )
    if first not in SPACE_INDEX and first not in COLOR_INDEX:
        raise wrong(said[0], "'{word}' cannot begin the line of a plan: that is the knight which moves first, like t1")
    return line.lower().replace(" > ", ">")


def _condition(words: Reader, after: str) -> Condition:
    missing = Sentence("after it comes {tests}", tests=_TESTS)
    word = words.take(after, missing)
    if word.lower() != "not":
        return Condition(_test(words, word), holds=True)
    return Condition(_test(words, words.take(word, missing)), holds=False)


def _test(words: Reader, word: str) -> Test:
    low = word.lower()
    if low in SPACE_INDEX:
        return _knight(words, word, None)
    if low in COLOR_INDEX:
        example = f"{low} c4"
        missing = Sentence("after a colour comes the space of its knight, like {example}", example=example)
        space = words.take(word, missing)
        if space.lower() not in SPACE_INDEX:
            raise unknown(space, SPACES, "'{word}' is no space, and after {color} comes one", color=low)
        return _knight(words, space, COLOR_INDEX[low])
    if low == "dragon":
        if words.peek() == "at":
            words.next()
        return DragonSits(_cave(words, word, Sentence("the dragon is always on one of c1 to c9")))
    if low == "gold":
        value = int(words.next()) if words.peek() in _VALUES else None
        return CardLies(GOLD, value, _at(words, word))
    if low == "gem" or low in GEM_INDEX:
        return CardLies(GEM, GEM_INDEX.get(low), _at(words, word))
    if low == "chamber":
        raise wrong(
            word,
            "'{word}' is no space that a knight stands on; c9 to chamber tells whether one on c9 would come there",
        )
    raise unknown(word, _FIRST, "'{word}' is no test; one is {tests}", tests=_TESTS)


_TARGETS: Final = (*SPACES[HALL + 1 :], "chamber")
_VALUES: Final = frozenset(map(str, GOLD_VALUES))


def _knight(words: Reader, space: str, color: int | None) -> KnightStands | KnightComes:
    source = SPACE_INDEX[space.lower()]
    if words.peek() != "to":
        return KnightStands(color, source)
    to = words.next()
    target = words.take(to, Sentence("after it comes the space where the knight would come to, like t1 to m2"))
    if target.lower() == "chamber":
        return KnightComes(color, source, CHAMBER)
    if SPACE_INDEX.get(target.lower(), HALL) <= HALL:
        raise unknown(
            target, _TARGETS, "'{word}' is no space that a knight can come to: m1 to m6, c1 to c9, or chamber"
        )
    return KnightComes(color, source, SPACE_INDEX[target.lower()])


def _at(words: Reader, card: str) -> int:
    example = f"{card.lower()} at c2"
    at = words.need("at", card, Sentence("a card lies at a cave space, like {example}", example=example))
    return _cave(words, at, Sentence("that is where cards lie"))


def _cave(words: Reader, after: str, what: Sentence) -> int:
    said = words.take(after, Sentence("after it comes one of c1 to c9: {what}", what=what))
    if said.lower() not in _CAVES:
        raise unknown(said, _CAVES, "'{word}' is none of c1 to c9: {what}", what=what)
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


def explain_plan(plan: Plan) -> Sentence:
    """What a plan does, in a few sentences for its owner."""
    return Sentence(
        "Once, when your next turn begins: {clauses}. If nothing of it fits, or the rules do not allow the line then, "
        "it is cancelled and you are asked.",
        clauses=chain("{one}; else {other}", [_explain_clause(clause) for clause in plan.clauses]),
    )


def _explain_clause(clause: Clause) -> Sentence:
    if not clause.conditions:
        return Sentence("play {line}", line=clause.line)
    tests = chain("{one} and {other}", [_explain_test(test, wanted) for test, wanted in clause.conditions])
    return Sentence("if {tests}, play {line}", tests=tests, line=clause.line)


def _explain_test(test: Test, holds: bool) -> Sentence:
    if isinstance(test, DragonSits):
        space = SPACES[test.space]
        if holds:
            return Sentence("the dragon is on {space}", space=space)
        return Sentence("the dragon is not on {space}", space=space)
    if isinstance(test, CardLies):
        card, space = _card_words(test), SPACES[test.space]
        if holds:
            return Sentence("{card} is open at {space}", card=card, space=space)
        return Sentence("{card} is not open at {space}", card=card, space=space)
    whose = _YOURS if test.color is None else Sentence("a knight of {color}", color=Sentence(COLORS[test.color]))
    if isinstance(test, KnightStands):
        space = SPACES[test.space]
        if holds:
            return Sentence("{knight} is on {space}", knight=whose, space=space)
        return Sentence("{knight} is not on {space}", knight=whose, space=space)
    source, target = SPACES[test.source], space_name(test.target)
    if holds:
        return Sentence("{knight} on {source} would come to {target}", knight=whose, source=source, target=target)
    return Sentence("{knight} on {source} would not come to {target}", knight=whose, source=source, target=target)


_YOURS: Final = Sentence("a knight of yours")


def _card_words(test: CardLies) -> Sentence:
    if test.card is None:
        return Sentence("a gem") if test.kind == GEM else Sentence(CARD_KINDS[test.kind])
    return Sentence("gold {value}", value=test.card) if test.kind == GOLD else Sentence(GEMS[test.card])

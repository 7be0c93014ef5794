"""The choice on a game's page: all that can be said next, as links and as places on the board, and what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine import (
    BRIBE,
    CATCH,
    CHAMBER,
    COLORS,
    GEM,
    GOLD,
    MOVE,
    SPACES,
    TAKE,
    Action,
    Ahead,
    Bribe,
    BribeOrder,
    Catch,
    CatchOrder,
    Move,
    Stop,
    Surrender,
    Take,
    View,
    Way,
    action_notation,
    colors_of,
    ways,
)
from engine.actions import STOP, TAKES
from engine.board import cave_space
from service.i18n import gettext as _
from service.mail.words import action_words
from service.pictures.spots import Spot
from service.web import summary
from service.web.lines import ASK, Line, next_view, read_line

Href = Callable[[str], str]
"""The address of the page with this line said."""
Kind = Literal["first", "second", "card", "catch", "bribe", "hand"]
_NEVER: Final = BribeOrder("never")


@dataclass(frozen=True)
class Option:
    """One link: what it adds, in notation and in words. ``number`` is its place in the list of legal actions.

    ``gold`` is the card it gives; ``chosen``: it is said already, and the link takes it back.
    """

    href: str
    notation: str
    words: str
    number: int | None = None
    gold: int | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Group:
    """Options that answer one question. ``later``: about what may come up, and need not be answered now."""

    kind: Kind
    heading: str
    options: tuple[Option, ...]
    hint: str = ""
    later: bool = False


@dataclass(frozen=True)
class Choice:
    """What can be chosen, and what is so far.

    ``line``: in notation; empty if nothing can be played yet. ``typed``: what stands in the field for it. ``told``: in
    words, sentence by sentence; ``after``: what there is to know about how it goes on. ``problem``: what is wrong with
    what was typed. ``back``: links that take parts back, with what they are called.
    """

    line: str
    typed: str
    problem: str
    told: tuple[str, ...]
    after: tuple[str, ...]
    back: tuple[tuple[str, str], ...]
    groups: tuple[Group, ...]
    spots: tuple[Spot, ...]


def choice(seen: View, typed: str, names: Sequence[str], href: Href) -> Choice:
    """All that the viewer of ``seen``, who is to act, can say now, after what is said in ``typed``."""
    read = read_line(typed, seen)
    table = _Table(seen, read.line, names, href)
    text = read.line.text
    playable = bool(text) and _answers(read.line, seen)
    return Choice(
        line=text if playable else "",
        typed=typed if read.problem else text,
        problem=read.problem or ("" if playable or not text else _missing(seen)),
        told=tuple(summary.told(read.line, seen, names)),
        after=tuple(summary.after(read.line, seen)),
        back=tuple(table.back()),
        groups=tuple(table.groups()),
        spots=tuple(table.spots()),
    )


def _answers(line: Line, seen: View) -> bool:
    """Whether the line says what to do now: what it says for later is not enough."""
    if seen.phase == MOVE:
        return bool(line.stages) or (line.stop and STOP in seen.legal)
    if seen.phase == TAKE:
        return line.card is not None
    if seen.phase == CATCH:
        return line.catch is not None and line.catch != ASK
    return line.answer is not None and line.answer != ASK


def _missing(seen: View) -> str:
    if seen.phase == TAKE:
        return _("Say first which card you take.")
    if seen.phase == CATCH:
        return _("Say first whom the dragon catches.")
    if seen.phase == BRIBE:
        return _("Say first what the dragon gets.")
    return _("Say first which knight moves.")


class _Table:
    """The links and places for one view and what was said about it."""

    def __init__(self, seen: View, line: Line, names: Sequence[str], href: Href) -> None:
        self._seen, self._line, self._names, self._href = seen, line, names, href
        self._next = next_view(seen, line)
        self._last: Ahead | None = line.stages[-1] if line.stages else None

    # -- in words

    def groups(self) -> Iterator[Group]:
        """The questions, the one that has to be answered first."""
        if self._seen.phase != MOVE or not self._line.stages:
            yield self._first()
        if self._asks_card():
            yield Group("card", _("Which card?"), tuple(self._option(TAKES[kind]) for kind in (GOLD, GEM)))
        if self._asks_second():
            yield self._second()
        if summary.may_catch(self._line, self._seen) and self._seen.phase != CATCH:
            yield self._catches()
        if summary.may_lose(self._line, self._seen) and self._seen.phase != BRIBE:
            yield self._bribes()

    def _first(self) -> Group:
        headings = {
            TAKE: _("Which card do you take?"),
            CATCH: _("Whom does the dragon catch?"),
            BRIBE: _("What does the dragon get?"),
        }
        plain = _("A second knight?") if self._seen.moved else _("Which knight moves first?")
        rows = tuple(self._option(action, number) for number, action in enumerate(self._seen.legal, start=1))
        return Group("hand" if self._seen.phase == BRIBE else "first", headings.get(self._seen.phase, plain), rows)

    def _second(self) -> Group:
        options = [self._option(action) for action in self._next.legal if isinstance(action, Move)]
        if self._seen.phase == MOVE:
            options.append(self._option(STOP))
        hint = ""
        if self._seen.phase != MOVE:
            hint = _("It goes once the dragon is done, as far as it then can.")
        elif self._last is not None and self._last.wakes:
            hint = _("Said now, it goes even though the dragon wakes, as far as it then can.")
        return Group("second", _("A second knight?"), tuple(options), hint, later=self._seen.phase != MOVE)

    def _catches(self) -> Group:
        there = [color for color, spaces in enumerate(self._seen.knights) if spaces]
        own = colors_of(self._seen.players, self._seen.viewer or 0)
        order = self._line.catch if isinstance(self._line.catch, CatchOrder) else CatchOrder((), never_me=False)
        never = order._replace(never_me=not order.never_me)
        options = (
            self._later(replace(self._line, catch=None), _("leave it open")),
            *(
                self._wanted(order, color, summary.knight_of(color, self._seen, self._names))
                for color in sorted(there, key=lambda color: color in own)
            ),
            self._wanted(order, "leader", _("whoever leads")),
            self._later(self._catching(never), _("never me"), "never me", chosen=order.never_me),
            self._later(replace(self._line, catch=ASK), _("ask me"), "ask"),
        )
        hint = _("In the order in which you name them. Left open, your standing order decides, or you are asked.")
        return Group("catch", _("If you choose whom the dragon catches"), options, hint, later=True)

    def _wanted(self, order: CatchOrder, one: int | Literal["leader"], words: str) -> Option:
        chosen = one in order.wanted
        rest = tuple(other for other in order.wanted if other != one)
        place = f"{order.wanted.index(one) + 1}. " if chosen and len(order.wanted) > 1 else ""
        made = self._catching(order._replace(wanted=rest if chosen else (*rest, one)))
        return self._later(made, f"{place}{words}", one if isinstance(one, str) else COLORS[one], chosen=chosen)

    def _catching(self, order: CatchOrder) -> Line:
        return replace(self._line, catch=order if order.wanted or order.never_me else None)

    def _bribes(self) -> Group:
        own = self._seen.viewer
        hand = () if own is None else self._seen.hands[own] or ()
        said: list[tuple[BribeOrder | int | Literal["ask"] | None, str, str]] = [
            (None, _("leave it open"), ""),
            (BribeOrder("lowest"), _("my lowest gold"), "lowest"),
            (BribeOrder("highest"), _("my highest gold"), "highest"),
            *((gold, _("my gold {value}").format(value=gold), str(gold)) for gold in sorted(set(hand))),
            (_NEVER, _("the knight"), "surrender"),
            (ASK, _("ask me"), "ask"),
        ]
        options = tuple(self._later(replace(self._line, answer=one), words, short) for one, words, short in said)
        hint = _("Left open, your standing order decides, or you are asked.")
        return Group("bribe", _("If it catches a knight of yours, it gets"), options, hint, later=True)

    def _later(self, made: Line, words: str, notation: str = "", *, chosen: bool | None = None) -> Option:
        return Option(self._href(made.text), notation, words, chosen=made == self._line if chosen is None else chosen)

    def _option(self, action: Action, number: int | None = None) -> Option:
        line = self._line
        if isinstance(action, Move):
            made, chosen = line.moving(self._next, action), False
            words = action_words(action, self._next, self._names)
        else:
            made = line.doing(action)
            chosen = made == line
            if chosen:
                made = self._undone(action)
            elif isinstance(action, Catch | Bribe | Surrender):
                # Another answer: what was to come after the one before may not be possible any more.
                made = replace(made, stages=(), stop=False)
            words = self._words(action)
        gold = action.gold if isinstance(action, Bribe) else None
        return Option(
            self._href(made.text), action_notation(action, self._seen.players), words, number, gold, chosen=chosen
        )

    def _words(self, action: Action) -> str:
        if isinstance(action, Take) and self._last is not None:
            # The card that lies where the knight will have come to.
            return action_words(action, self._last.then, self._names)
        return action_words(action, self._seen, self._names)

    def _undone(self, action: Action) -> Line:
        if isinstance(action, Stop):
            return replace(self._line, stop=False)
        if isinstance(action, Take):
            return replace(self._line, card=None)
        return self._unanswered(catch=isinstance(action, Catch))

    def _unanswered(self, *, catch: bool) -> Line:
        """The line without what it says to the dragon; where that comes first, without all that comes after it."""
        bare = replace(self._line, catch=None) if catch else replace(self._line, answer=None)
        return replace(bare, stages=(), stop=False) if self._seen.phase == (CATCH if catch else BRIBE) else bare

    def _asks_card(self) -> bool:
        return self._last is not None and len(self._last.kinds) > 1

    def _asks_second(self) -> bool:
        """Whether a second knight may be named: a first one is said, or the dragon is answered in one's own turn."""
        if self._seen.phase == MOVE and not self._line.stages:
            return False
        return any(isinstance(action, Move) for action in self._next.legal)

    def back(self) -> Iterator[tuple[str, str]]:
        """Links that take a part of the line back."""
        line = self._line
        for number, stage in enumerate(line.stages):
            yield self._without_knight(number), _back_words(stage)
        parts = (
            (line.stop, replace(line, stop=False), "stop"),
            (line.card is not None, replace(line, card=None), "" if line.card is None else ("gold", "gem")[line.card]),
            (line.catch is not None, self._unanswered(catch=True), "catch"),
            (line.answer is not None, self._unanswered(catch=False), "bribe"),
            (bool(line.later), replace(line, later=""), line.later),
        )
        for said, without, words in parts:
            if said:
                yield self._href(without.text), _("Take back: {words}").format(words=words)

    def _without_knight(self, number: int) -> str:
        return self._href(self._line.without_knight(number, self._seen.phase).text)

    # -- on the board

    def spots(self) -> Iterator[Spot]:
        """What can be pressed on the board: the same links as in words."""
        line, seen = self._line, self._seen
        for number, stage in enumerate(line.stages):
            yield _knight_spot(stage.way, self._without_knight(number), _back_words(stage), chosen=True)
        if self._next.legal and (line.stages or seen.phase == MOVE or self._asks_second()):
            for way in ways(self._next):
                label = action_words(way.move, self._next, self._names)
                yield _knight_spot(way, self._href(line.moving(self._next, way.move).text), label)
        yield from self._card_spots()
        if seen.phase in (CATCH, BRIBE):
            yield from self._dragon_spots()

    def _card_spots(self) -> Iterator[Spot]:
        if self._seen.phase == TAKE:
            space = self._seen.moved[-1][1]
        elif self._last is not None and self._asks_card():
            space = self._last.way.target
        else:
            return
        for kind in (GOLD, GEM):
            option = self._option(TAKES[kind])
            name: Literal["gold", "gem"] = "gold" if kind == GOLD else "gem"
            yield Spot(name, option.href, option.words, SPACES[space], chosen=option.chosen)

    def _dragon_spots(self) -> Iterator[Spot]:
        here = SPACES[cave_space(self._seen.dragon)]
        for action in self._seen.legal:
            option = self._option(action)
            if isinstance(action, Catch):
                yield Spot("catch", option.href, option.words, here, action.color, chosen=option.chosen)
            elif isinstance(action, Surrender):
                yield Spot("surrender", option.href, option.words, chosen=option.chosen)


def _back_words(stage: Ahead) -> str:
    return _("Take back: knight on {space}").format(space=SPACES[stage.way.move.source])


def _knight_spot(way: Way, href: str, label: str, *, chosen: bool = False) -> Spot:
    target = "chamber" if way.target == CHAMBER else SPACES[way.target]
    source = SPACES[way.move.source]
    return Spot("knight", href, label, source, way.move.color, target, way.steps, chosen=chosen)

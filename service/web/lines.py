"""A line of notation as it is put together by clicks: what was said so far, and the same with one part more or less."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from engine import (
    BRIBE,
    CATCH,
    COLORS,
    MOVE,
    SPACES,
    Action,
    Ahead,
    Bribe,
    BribeOrder,
    Catch,
    CatchOrder,
    IllegalAction,
    Move,
    NotationError,
    Stop,
    Surrender,
    Take,
    View,
    action_notation,
    after_dragon,
    ahead,
    answer_bribe,
    choose_catch,
    colors_of,
    order_text,
    owner,
)
from engine.actions import BRIBES, SURRENDER, TAKES
from engine.lines import KnightWords, Words, parse_line
from service.i18n import gettext as _
from service.i18n import told
from service.i18n.dates import listed

Asked = Literal["ask"]
ASK: Final[Asked] = "ask"
_NEVER: Final = BribeOrder("never")


@dataclass(frozen=True)
class Line:
    """A line said so far, its knights found on the board and each with what it leads to.

    ``later`` are words for a turn that has not begun yet. None is what was not said.
    """

    players: int
    stages: tuple[Ahead, ...] = ()
    stop: bool = False
    card: int | None = None
    catch: CatchOrder | Asked | None = None
    answer: BribeOrder | int | Asked | None = None
    later: str = ""

    @property
    def text(self) -> str:
        """The line in its one written form; empty if nothing was said."""
        parts = [action_notation(stage.way.move, self.players) for stage in self.stages]
        parts += ["stop"] if self.stop else []
        parts += [] if self.card is None else [action_notation(TAKES[self.card], self.players)]
        parts += [] if self.catch is None else [f"catch {catch_text(self.catch)}"]
        parts += [] if self.answer is None else [answer_text(self.answer)]
        parts += [self.later] if self.later else []
        return " ".join(parts)

    def without_knight(self, number: int, phase: int) -> Line:
        """Taken back to before its knight of this number, and all that only made sense with it."""
        bare = replace(self, stages=self.stages[:number], stop=False, card=None)
        return bare if number or phase != MOVE else replace(bare, catch=None, answer=None)

    def doing(self, action: Action) -> Line:
        """With this action said for the decision it is about; a knight is added by ``moving``."""
        if isinstance(action, Stop):
            return replace(self, stop=True)
        if isinstance(action, Take):
            return replace(self, card=action.kind)
        if isinstance(action, Catch):
            return replace(self, catch=CatchOrder((action.color,), never_me=False))
        if isinstance(action, Bribe):
            return replace(self, answer=action.gold)
        return replace(self, answer=_NEVER) if isinstance(action, Surrender) else self

    def moving(self, seen: View, move: Move) -> Line:
        """With this knight moved next, as ``seen`` (the view after those before it) allows."""
        return replace(self, stages=(*self.stages, ahead(seen, move)), stop=False, card=None)


@dataclass(frozen=True)
class Read:
    """What somebody asked for in words: as much of it as makes sense, and in words what does not."""

    line: Line
    problem: str = ""


def catch_text(order: CatchOrder | Asked) -> str:
    """What stands after ``catch``."""
    return order if isinstance(order, str) else order_text(order)


def answer_text(answer: BribeOrder | int | Asked) -> str:
    """The words that answer the dragon."""
    if answer == _NEVER:
        return "surrender"
    return f"bribe {order_text(answer) if isinstance(answer, BribeOrder) else answer}"


def next_view(seen: View, line: Line) -> View:
    """The view in which the next knight of the line is chosen; its ``legal`` is empty where none is."""
    if line.stages:
        return line.stages[-1].then
    if seen.phase == MOVE:
        return seen
    answered = _answered(seen, line)
    return seen._replace(legal=()) if answered is None else after_dragon(seen, answered[0], stays=answered[1])


def _answered(seen: View, line: Line) -> tuple[int, bool] | None:
    """The colour that the dragon has caught and whether it stays, if the line settles that; None if it does not."""
    if seen.phase == BRIBE:
        stays = _stays(seen, line)
        return None if stays is None else (seen.victim, stays)
    order = line.catch if seen.phase == CATCH and isinstance(line.catch, CatchOrder) else None
    caught = None if order is None else choose_catch(order, seen)
    if not isinstance(caught, Catch):
        return None
    seat = owner(seen.players, caught.color)
    if not seen.hand_counts[seat]:
        return caught.color, False
    if seat != seen.viewer:
        return None
    gold = sorted(set(seen.hands[seat] or ()))
    stays = _stays(seen._replace(legal=(*(BRIBES[value] for value in gold), SURRENDER)), line)
    return None if stays is None else (caught.color, stays)


def _stays(seen: View, line: Line) -> bool | None:
    """Whether the viewer's caught knight is bought back by what the line says; None: that is not said."""
    if isinstance(line.answer, BribeOrder):
        return isinstance(answer_bribe(line.answer, seen), Bribe)
    if isinstance(line.answer, int):
        return True if BRIBES[line.answer] in seen.legal else None
    return None


def read_line(text: str, seen: View) -> Read:
    """Read what somebody wrote or clicked together, for the decision of ``seen``, whose viewer is to act."""
    empty = Line(seen.players)
    if not text.strip():
        return Read(empty)
    try:
        words = parse_line(text)
    except NotationError as error:
        return Read(empty, told(error.message))
    if isinstance(words, int):
        if not 1 <= words <= len(seen.legal):
            return Read(empty, _("{number} is not in the list.").format(number=words))
        return Read(_of_action(empty, seen, seen.legal[words - 1]))
    return _said(words, empty, seen)


def _of_action(line: Line, seen: View, action: Action) -> Line:
    return line.moving(seen, action) if isinstance(action, Move) else line.doing(action)


def _said(words: Words, line: Line, seen: View) -> Read:
    if words.catch is not None:
        for color in words.catch.order.wanted if words.catch.order else ():
            if color != "leader" and color >= len(seen.knights):
                return Read(line, _("{color} is not in this game").format(color=_(COLORS[color])))
        line = replace(line, catch=ASK if words.catch.order is None else words.catch.order)
    if words.answer is not None:
        line = replace(line, answer=ASK if words.answer.answer is None else words.answer.answer)
    if words.knights and seen.turn != seen.viewer:
        parts = [knight.words for knight in words.knights]
        parts += [words.stop] if words.stop else []
        return Read(replace(line, later=" ".join([*parts, words.card.words] if words.card else parts).lower()))
    for knight in words.knights:
        view = next_view(seen, line)
        why = _ended(line, view) or _unclear(knight, view)
        if why:
            return Read(line, why)
        try:
            line = line.moving(view, _knight(view, knight))
        except IllegalAction as error:
            refused = _("“{words}” cannot be played: {reason} ({rule}).")
            return Read(line, refused.format(words=knight.words, reason=told(error.message), rule=error.rule))
    line = replace(line, stop=words.stop is not None and len(line.stages) < 2)
    return Read(line if words.card is None else replace(line, card=words.card.kind))


def _ended(line: Line, view: View) -> str:
    """Why no further knight can be named, if none can."""
    if view.legal:
        return ""
    if not line.stages and view.phase in (CATCH, BRIBE):
        return _("A second knight can be named once it is said how the dragon is answered.")
    ends = line.stages[-1].ends if line.stages else "card"
    if ends == "chamber":
        return _("No second knight follows: entering the treasure chamber ends the turn (R-END-1).")
    if ends == "card":
        return _("No second knight follows: taking a card ends the knight moves of the turn (R-CARD-2).")
    return _("No second knight follows: none could move then (R-MOVE-7).")


def _there(view: View, space: int) -> list[Move]:
    return [action for action in view.legal if isinstance(action, Move) and action.source == space]


def _unclear(said: KnightWords, view: View) -> str:
    """What to say if knights of both one's colours could be meant."""
    there = _there(view, said.space)
    if said.color is not None or len(there) < 2:
        return ""
    ways = listed([action_notation(move, view.players) for move in there], "or")
    return _("Knights of two of your colours stand on {space}: write {ways}.").format(
        space=SPACES[said.space], ways=ways
    )


def _knight(view: View, said: KnightWords) -> Move:
    """The move that is meant, legal or not."""
    if said.color is not None:
        return Move(said.color, said.space)
    there = _there(view, said.space)
    return there[0] if there else Move(colors_of(view.players, view.viewer or 0)[0], said.space)

"""What a line that is being put together would do, in words: what is said, and what follows by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import (
    BRIBE,
    CATCH,
    CHAMBER,
    COLORS,
    GEMS,
    GOLD,
    SPACES,
    TAKE,
    Ahead,
    BribeOrder,
    CatchOrder,
    Take,
    View,
    flights,
    owner,
)
from engine.board import cave_space
from service.i18n import gettext as _
from service.i18n import ngettext
from service.web.lines import ASK, Line

_CAVE = cave_space(1)


def told(line: Line, seen: View, names: Sequence[str]) -> Iterator[str]:
    """What the line says, a sentence a part."""
    for stage in line.stages:
        yield _moved(stage)
    if line.card is not None:
        yield _taken(line, seen)
    if line.stop:
        yield _("You stop: no second knight this turn.")
    if line.catch is not None:
        yield _caught(line.catch, seen, names)
    if line.answer is not None:
        yield _answered(line.answer, seen)
    if line.later:
        yield _("Then, once your turn begins: {line}.").format(line=line.later)


def after(line: Line, seen: View) -> Iterator[str]:
    """What there is to know about how it goes on, as far as anybody can."""
    last = line.stages[-1] if line.stages else None
    if last is not None and last.kinds and line.card is None:
        yield _lies_there(last)
    waking = [stage for stage in line.stages if stage.wakes]
    first = waking[0].flights if waking else flights(seen)
    if first:
        yield _("The dragon wakes: a throw of 1 brings it to c{one}, of 2 to c{two}, of 3 to c{three}.").format(
            one=first[0], two=first[1], three=first[2]
        )
        if waking and waking[0] is not last:
            yield _("What it does may change how far your second knight goes.")
    if last is not None:
        yield from _ending(last, line)


def may_catch(line: Line, seen: View) -> bool:
    """Whether it may come to a choice of whom the dragon catches later in this turn."""
    met = _met(line, seen)
    return line.catch is not None or met is None or any(len(colors) > 1 for colors in met)


def may_lose(line: Line, seen: View) -> bool:
    """Whether the dragon may catch a knight of the viewer's later in this turn, who has gold by then to answer with."""
    if line.answer is not None:
        return True
    met, own = _met(line, seen), seen.viewer
    gold = own is not None and seen.hand_counts[own] > 0
    gold = gold or line.card == GOLD or (seen.phase == TAKE and line.card is None)
    gold = gold or any(GOLD in stage.kinds for stage in line.stages)
    caught = met is None or any(owner(seen.players, color) == own for colors in met for color in colors)
    return gold and caught


def knight_of(color: int, seen: View, names: Sequence[str]) -> str:
    """A colour and whose it is: ``purple (Bert)``, ``black (you)``."""
    seat = owner(seen.players, color)
    name = _("you") if seat == seen.viewer else names[seat]
    return f"{_(COLORS[color])} ({name})"


def _met(line: Line, seen: View) -> tuple[tuple[int, ...], ...] | None:
    """The colours that stand wherever the dragon may come to; nothing if it sleeps, None if nobody can tell."""
    if seen.phase == TAKE:
        return _standing(seen, flights(seen))
    if seen.phase == CATCH and not line.stages:
        return _standing(seen, (seen.dragon,))
    waking = [stage for stage in line.stages if stage.wakes]
    if not waking:
        return ()
    if waking[0] is not line.stages[-1]:
        return None
    return _standing(waking[0].then, waking[0].flights)


def _standing(seen: View, caves: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(color for color, spaces in enumerate(seen.knights) if cave_space(cave) in spaces) for cave in caves
    )


# -- what is said


def _moved(stage: Ahead) -> str:
    move, steps, target = stage.way
    if target == CHAMBER:
        words = ngettext(
            "Your knight on {space} ({color}) goes {number} step, into the treasure chamber, and takes a treasure.",
            "Your knight on {space} ({color}) goes {number} steps, into the treasure chamber, and takes a treasure.",
            steps,
        )
    else:
        words = ngettext(
            "Your knight on {space} ({color}) goes {number} step to {target}.",
            "Your knight on {space} ({color}) goes {number} steps to {target}.",
            steps,
        )
    where = "" if target == CHAMBER else SPACES[target]
    return words.format(space=SPACES[move.source], color=_(COLORS[move.color]), number=steps, target=where)


def _taken(line: Line, seen: View) -> str:
    view = line.stages[-1].then if line.stages else seen
    if not view.moved or view.moved[-1][1] < _CAVE:
        return _("You take gold, if you may choose.") if line.card == GOLD else _("You take a gem, if you may choose.")
    space = view.moved[-1][1]
    return card_words(Take(line.card or 0), view, space)


def card_words(take: Take, seen: View, space: int) -> str:
    """That this card is taken there: ``At c3 you take the gold card 2.``"""
    cave = space - _CAVE
    if take.kind == GOLD:
        if not seen.gold_left[cave]:
            return _("At {space} no gold is left to take.").format(space=SPACES[space])
        return _("At {space} you take the gold card {value}.").format(space=SPACES[space], value=seen.gold_up[cave])
    if not seen.gem_left[cave]:
        return _("At {space} no gem is left to take.").format(space=SPACES[space])
    return _("At {space} you take the gem: {gem}.").format(space=SPACES[space], gem=_(GEMS[seen.gem_up[cave]]))


def _caught(order: CatchOrder | str, seen: View, names: Sequence[str]) -> str:
    if isinstance(order, str):
        return _("You are asked whom the dragon catches.")
    wanted = [_leader() if one == "leader" else knight_of(one, seen, names) for one in order.wanted]
    if seen.phase == CATCH and len(wanted) == 1 and not order.never_me:
        return _("The dragon catches: {knight}.").format(knight=wanted[0])
    if not wanted:
        return _("If you choose whom the dragon catches: never you, while another stands there.")
    first = _(", else ").join(wanted)
    if order.never_me:
        return _("If you choose whom the dragon catches: {knights}; never you, while another stands there.").format(
            knights=first
        )
    return _("If you choose whom the dragon catches: {knights}.").format(knights=first)


def _leader() -> str:
    return _("whoever of the others leads")


def _answered(answer: BribeOrder | int | str, seen: View) -> str:
    now = seen.phase == BRIBE
    if answer == ASK:
        return _("You are asked if the dragon catches a knight of yours.")
    if answer == BribeOrder("never"):
        if now:
            return _("You give up your knight at c{cave}: it goes to the nest.").format(cave=seen.dragon)
        return _("If the dragon catches a knight of yours, you give it up.")
    if now:
        return _("The dragon gets {gold}; your knight at c{cave} stays.").format(gold=_gold(answer), cave=seen.dragon)
    return _("If the dragon catches a knight of yours, it gets {gold}.").format(gold=_gold(answer))


def _gold(answer: BribeOrder | int | str) -> str:
    if isinstance(answer, int):
        return _("your gold {value}").format(value=answer)
    if not isinstance(answer, BribeOrder) or answer.pays == "lowest":
        told_ = _("your lowest gold")
    elif answer.pays == "highest":
        told_ = _("your highest gold")
    else:
        told_ = _("your lowest gold if it is worth {value} or less").format(value=answer.pays)
    if isinstance(answer, BribeOrder) and answer.keep > 1:
        words = ngettext("{gold}, while you have {number} card", "{gold}, while you have {number} cards", answer.keep)
        return words.format(gold=told_, number=answer.keep)
    return told_


# -- what follows


def _lies_there(last: Ahead) -> str:
    space = last.way.target
    cave = space - _CAVE
    if len(last.kinds) == 1:
        return card_words(Take(last.kinds[0]), last.then, space)
    return _("At {space} you take the gold card {value} or the gem ({gem}): say which, or you are asked then.").format(
        space=SPACES[space], value=last.then.gold_up[cave], gem=_(GEMS[last.then.gem_up[cave]])
    )


def _ending(last: Ahead, line: Line) -> Iterator[str]:
    if last.ends == "card":
        yield _("Taking a card ends the knight moves of your turn.")
    elif last.ends == "chamber":
        yield _("That ends your turn.")
    elif last.ends == "alone":
        yield _("No second knight could move then.")
    elif not last.ends and not line.stop:
        yield _("A second knight may follow, now or once this one is played.")

"""Standing orders, plans and votes: the words after ``order``, ``plan`` and ``vote``.

What an order says is read by the engine alone; here it is only found out whether it can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

from engine import NotationError
from engine.cards import GEMS
from engine.orders import parse_bribe, parse_catch
from engine.plans import parse_plan
from service.commands import model
from service.commands.arguments import nothing, of_engine, said
from service.i18n import gettext as _

#: Words that end an order; the engine knows ``ask``.
ENDS: Final = frozenset({"off", "none", "ask"})
#: What an order may be about.
KINDS: Final = ("bribe", "catch", "plan")
#: Words that mean something only after ``bribe`` or ``catch``.
PHRASES: Final = ("ask", "never", "at", "most", "while", "i", "have", "cards", "card", "leader", "me")
#: Words that mean something only in a plan.
IN_PLANS: Final = ("if", "then", "else", "not", "dragon", *GEMS)
_VOTES: Final[dict[str, Literal["extend", "end", "none"]]] = {
    **dict.fromkeys(("extend", "extension"), "extend"),
    "end": "end",
    **dict.fromkeys(("none", "off"), "none"),
}


orders: Final = nothing(model.Orders(), "orders")


def order(words: Sequence[str]) -> model.Command:
    """``order bribe lowest``, ``order catch leader``, ``order plan t1 m3``, ``order bribe off``."""
    if not words:
        raise said(
            "order", _("'{word}' is not all: it goes with bribe, catch or plan, like order bribe lowest"), "orders"
        )
    kind = words[0].lower()
    if kind == "plan":
        return plan(words[1:])
    if kind == "bribe":
        return _order("bribe", words[1:], parse_bribe)
    if kind == "catch":
        return _order("catch", words[1:], parse_catch)
    raise said(words[0], _("'{word}' does not fit: order goes with bribe, catch or plan"))


def plan(words: Sequence[str]) -> model.Command:
    """``plan t1 m3 gem``, ``plan if t1 then t1 stop else t2``, ``plan off``."""
    return _order("plan", words, parse_plan)


def _order(
    kind: Literal["bribe", "catch", "plan"], words: Sequence[str], parse: Callable[[str], object]
) -> model.Order:
    text = " ".join(words).lower()
    if not words:
        raise said(kind, _("'{word}' is not all: after it comes what to do, like {example}"), example=_EXAMPLES[kind])
    if text in ENDS:
        return model.Order(kind, "off" if kind == "plan" else "ask")
    try:
        parse(text)
    except NotationError as error:
        raise of_engine(error) from None
    return model.Order(kind, text)


_EXAMPLES: Final = {
    "bribe": "order bribe lowest",
    "catch": "order catch purple>yellow",
    "plan": "plan if t1 and m3 then t1 m3 gem else t2 stop",
}


def vote(words: Sequence[str]) -> model.Command:
    """``vote extend``, ``vote end``, ``vote none``."""
    rest = [word for word in words if word.lower() not in ("to", "for", "an", "the")]
    if not rest:
        raise said("vote", _("'{word}' is not all: it is vote extend, vote end, or vote none to take votes back"))
    if rest[0].lower() not in _VOTES:
        raise said(
            rest[0], _("'{word}' is nothing to vote on: it is vote extend, vote end, or vote none to take votes back")
        )
    if len(rest) > 1:
        raise said(rest[1], _("'{word}' is too much: it is vote extend, vote end, or vote none to take votes back"))
    return model.Vote(_VOTES[rest[0].lower()])


def told_plainly(words: Sequence[str]) -> Sequence[str]:
    """``always bribe lowest`` and ``standing order bribe lowest`` as the commands that they are."""
    low = [word.lower() for word in words[:2]]
    low[-1] = low[-1].removesuffix(":")
    if low[0].removesuffix(":") in ("order", "plan", "vote", "night"):
        return [words[0].removesuffix(":"), *words[1:]]
    if low[:1] == ["always"] and low[1:] in (["bribe"], ["catch"]):
        return ["order", *words[1:]]
    if low in (["standing", "order"], ["standing", "orders"]):
        return ["orders"] if len(words) == 2 else ["order", *words[2:]]
    return words

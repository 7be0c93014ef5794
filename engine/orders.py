"""Standing orders: what a seat wants done when the dragon asks, so that nobody has to wait for it (docs/ORDERS.md).

An order is kept beside the game, never in the position. All it looks at is what its owner sees: it takes a View, so
two games that look alike to the owner are answered alike. An order for bribes always decides: if it asked now and then,
everybody could read the hand from the asking. An order for catches looks at nothing but what is open to all.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from engine.actions import CATCHES, SURRENDER, Action, Bribe, Catch
from engine.board import COLOR_INDEX, COLORS, owner
from engine.cards import GOLD_DECK, GOLD_VALUES
from engine.errors import NotationError
from engine.position import BRIBE, CATCH, Position
from engine.reading import Reader, split_words, unknown, wrong
from engine.scoring import BONUS_VALUE, TREASURE_VALUE
from engine.sentences import Sentence, chain
from engine.turn import to_act
from engine.view import View, view


class BribeOrder(NamedTuple):
    """What to tell the dragon when it holds a knight of one's own (R-DRAG-6).

    ``pays`` is ``never``, one end of the hand, or the most that a card may be worth: the lowest card if it is worth no
    more, else the knight. ``keep``: it pays only while the hand has at least so many cards.
    """

    pays: Literal["never", "lowest", "highest"] | int
    keep: int = 1


class CatchOrder(NamedTuple):
    """Whom the dragon shall catch (R-DRAG-4): colours and ``leader``, the most wanted first.

    ``leader`` is, of the other seats, the one with the most open points. ``never_me``: no knight of one's own while
    another seat's stands there.
    """

    wanted: tuple[int | Literal["leader"], ...]
    never_me: bool


class Orders(NamedTuple):
    """The standing orders of one seat; None: that is asked."""

    bribe: BribeOrder | None = None
    catch: CatchOrder | None = None


Standing = Callable[[Position], Action | None]
"""What the orders of the seat to act say to a position: a legal action, or None if it has to be asked."""

LONGEST_ORDER: Final = 200
_GOLD: Final = frozenset(map(str, GOLD_VALUES))
_MOST_CARDS: Final = len(GOLD_DECK)
_COUNTS: Final = frozenset(map(str, range(1, _MOST_CARDS + 1)))
_BRIBES: Final = Sentence("lowest or highest, at most 2, never, while I have 2 cards, or ask")
_AFTER_BRIBE: Final = ("lowest", "highest", "never", "surrender", "at most", "while", "ask")
_CATCHES: Final = Sentence("colours, leader, never me, or ask")
_AFTER_CATCH: Final = (*COLORS, "leader", "never me", "ask")


# -- deciding


def answer_bribe(order: BribeOrder, seen: View) -> Action:
    """The answer to the dragon, as the owner of the caught knight sees the game. Always one of ``seen.legal``."""
    gold = [action for action in seen.legal if isinstance(action, Bribe)]
    pays = order.pays
    if pays == "never" or len(_hand(seen)) < order.keep:
        return SURRENDER
    if isinstance(pays, int):
        return gold[0] if gold[0].gold <= pays else SURRENDER
    return gold[0 if pays == "lowest" else -1]


def _hand(seen: View) -> tuple[int, ...]:
    hand = None if seen.viewer is None else seen.hands[seen.viewer]
    return hand or ()


def choose_catch(order: CatchOrder, seen: View) -> Action | None:
    """Whom the dragon catches, as the seat that moved it sees the game: one of ``seen.legal``.

    None if nobody who is wanted stands there; with ``never_me`` only where all who stand there are one's own.
    """
    there = [action.color for action in seen.legal if isinstance(action, Catch)]
    others = [color for color in there if owner(seen.players, color) != seen.viewer]
    allowed = others if order.never_me else there
    for wanted in (*order.wanted, *(["leader"] if order.never_me else [])):
        color = _ahead(others, seen) if wanted == "leader" else wanted
        if color is not None and color in allowed:
            return CATCHES[color]
    return None


def _ahead(colors: Sequence[int], seen: View) -> int | None:
    """Of some colours the one whose seat has the most open points; ties: treasures, gems, the lowest seat."""

    def rank(color: int) -> tuple[int, int, int, int, int]:
        seat = owner(seen.players, color)
        treasures, gems = seen.treasures[seat], sum(seen.gems[seat])
        bonus = BONUS_VALUE if seen.four_gems == seat else 0
        return TREASURE_VALUE * treasures + gems + bonus, treasures, gems, -seat, -color

    return max(colors, key=rank, default=None)


def standing(orders: Sequence[Orders | None]) -> Standing:
    """The orders of a table, one entry a seat (None: no orders), as the answer to any position."""

    def answer(position: Position) -> Action | None:
        seat = to_act(position)
        mine = None if seat is None else orders[seat]
        if mine is None:
            return None
        if position.phase == BRIBE and mine.bribe is not None:
            return answer_bribe(mine.bribe, view(position, seat))
        if position.phase == CATCH and mine.catch is not None:
            return choose_catch(mine.catch, view(position, seat))
        return None

    return answer


# -- reading


def parse_bribe(text: str) -> BribeOrder | None:
    """Read an order for bribes; None is ``ask``. Raises NotationError: the word that is wrong, and what is right."""
    words = _words(text, Sentence("an order for bribes is {known}", known=_BRIBES))
    said, order = read_bribe(words, said="")
    if isinstance(order, int):
        raise wrong(
            said,
            "'{word}' could not always be paid, and an order has to hold at any time: say at most {gold}",
            gold=order,
        )
    _no_more(words, said, _BRIBES)
    return order


def parse_catch(text: str) -> CatchOrder | None:
    """Read an order for catches; None is ``ask``. Raises NotationError: the word that is wrong, and what is right."""
    words = _words(text, Sentence("an order for catches is {known}", known=_CATCHES))
    said, order = read_catch(words, said="")
    _no_more(words, said, _CATCHES)
    return order


def _words(text: str, what: Sentence) -> Reader:
    if len(text) > LONGEST_ORDER:
        raise wrong(text, "'{word}' is too long: an order has at most {most} characters", most=LONGEST_ORDER)
    words = Reader(split_words(text))
    if not words.peek():
        raise NotationError("", Sentence("there is nothing in this order; {what}", what=what))
    return words


def _no_more(words: Reader, said: str, known: Sentence) -> None:
    if words.peek():
        raise wrong(words.next(), "'{word}' is too much after '{said}'; an order is {known}", said=said, known=known)


def read_bribe(words: Reader, said: str) -> tuple[str, int | BribeOrder | None]:
    """The words about a bribe that follow ``said``: all of them as written, and what they say.

    A number is exactly that card, as in a line; None is ``ask``.
    """
    word = words.take(said, Sentence("after bribe comes a number from 1 to 5, {known}", known=_BRIBES))
    low, said = word.lower(), f"{said} {word}".strip()
    if low in _GOLD:
        return said, int(low)
    if low == "ask":
        return said, None
    if low in ("never", "surrender"):
        return said, BribeOrder("never")
    pays: Literal["lowest", "highest"] | int = "lowest"
    if low == "at":
        said, pays = _at_most(words, said)
    elif low == "highest":
        pays = "highest"
    elif low == "while":
        said, keep = _while(words, said)
        return said, BribeOrder("lowest", keep)
    elif low != "lowest":
        raise unknown(
            word,
            _AFTER_BRIBE,
            "'{word}' is no gold card: bribe goes with a number from 1 to 5, {known}",
            known=_BRIBES,
        )
    if words.peek() != "while":
        return said, BribeOrder(pays)
    said = f"{said} {words.next()}"
    said, keep = _while(words, said)
    return said, BribeOrder(pays, keep)


def _at_most(words: Reader, said: str) -> tuple[str, int]:
    missing = Sentence("it is at most and a number from 1 to 5, like at most 2")
    said = f"{said} {words.need('most', said, missing)}"
    gold = words.take(said, missing)
    if gold not in _GOLD:
        raise wrong(gold, "'{word}' is the value of no gold card: {missing}", missing=missing)
    return f"{said} {gold}", int(gold)


def _while(words: Reader, said: str) -> tuple[str, int]:
    missing = Sentence(
        "it is while I have and a number of cards from 1 to {most}, like while I have 2 cards", most=_MOST_CARDS
    )
    said = f"{said} {words.need('i', said, missing)}"
    said = f"{said} {words.need('have', said, missing)}"
    count = words.take(said, missing)
    if count not in _COUNTS:
        raise wrong(count, "'{word}' is no number of cards: {missing}", missing=missing)
    said = f"{said} {count}"
    cards = "card" if words.peek() == "card" else "cards"
    return f"{said} {words.need(cards, said, missing)}", int(count)


def read_catch(words: Reader, said: str, stop_at: frozenset[str] = frozenset()) -> tuple[str, CatchOrder | None]:
    """The words about a catch that follow ``said``: all of them as written, and what they say; None is ``ask``.

    With ``>`` between them, or simply one after the other. A colour before one of ``stop_at`` (a space) is no longer
    one to catch, unless it is the first: it is the knight that moves.
    """
    if words.peek() == "ask":
        return f"{said} {words.next()}".strip(), None
    names: list[str] = []
    wanted: list[int | Literal["leader"]] = []
    while True:
        after = said or ">".join(names)
        name = words.take(
            after, Sentence("after catch come one or more {known}, like catch purple>yellow", known=_CATCHES)
        )
        low = name.lower()
        if low == "never":
            me = words.need("me", name, Sentence("it is never me"))
            return " ".join([said, ">".join(names), name, me]).replace("  ", " ").strip(), _catch(wanted, never_me=True)
        if low in COLOR_INDEX:
            wanted.append(COLOR_INDEX[low])
        elif low == "leader":
            wanted.append("leader")
        else:
            raise unknown(
                name,
                _AFTER_CATCH,
                "'{word}' is no colour, and after catch come colours: {colors}; or leader, never me, or ask",
                colors=", ".join(COLORS),
            )
        names.append(name)
        coming = words.peek()
        if coming == ">":
            words.next()
        elif coming not in ("leader", "never") and (coming not in COLOR_INDEX or words.peek(1) in stop_at):
            return f"{said} {'>'.join(names)}".strip(), _catch(wanted, never_me=False)


def _catch(wanted: Sequence[int | Literal["leader"]], *, never_me: bool) -> CatchOrder:
    return CatchOrder(tuple(dict.fromkeys(wanted)), never_me)


# -- writing


def order_text(order: BribeOrder | CatchOrder) -> str:
    """An order in its one written form, which reads back as the same order."""
    if isinstance(order, BribeOrder):
        pays = f"at most {order.pays}" if isinstance(order.pays, int) else order.pays
        return pays if order.keep <= 1 or pays == "never" else f"{pays} while I have {order.keep} cards"
    wanted = ">".join(_name(one) for one in order.wanted)
    return " ".join(part for part in (wanted, "never me" if order.never_me else "") if part)


def explain(order: BribeOrder | CatchOrder) -> Sentence:
    """What an order does, in a sentence or two for its owner."""
    return _explain_bribe(order) if isinstance(order, BribeOrder) else _explain_catch(order)


def _explain_bribe(order: BribeOrder) -> Sentence:
    if order.pays == "never":
        return Sentence("When the dragon catches a knight of yours, you give the knight up.")
    if isinstance(order.pays, int):
        if order.keep <= 1:
            return Sentence(
                "When the dragon catches a knight of yours and your lowest gold card is worth {gold} or less, the "
                "dragon gets that card. Else you give the knight up.",
                gold=order.pays,
            )
        return Sentence(
            "When the dragon catches a knight of yours and your hand has at least {cards} gold cards and your lowest "
            "gold card is worth {gold} or less, the dragon gets that card. Else you give the knight up.",
            cards=order.keep,
            gold=order.pays,
        )
    paying = _LOWEST if order.pays == "lowest" else _HIGHEST
    if order.keep <= 1:
        return Sentence("When the dragon catches a knight of yours, {paying}.", paying=paying)
    return Sentence(
        "When the dragon catches a knight of yours and your hand has at least {cards} gold cards, {paying}. Else you "
        "give the knight up.",
        cards=order.keep,
        paying=paying,
    )


_LOWEST: Final = Sentence("the dragon gets the lowest gold card of your hand")
_HIGHEST: Final = Sentence("the dragon gets the highest gold card of your hand")
_LEADER: Final = Sentence("whoever of the others there has most open points (treasures, gems, bonus card)")


def _explain_catch(order: CatchOrder) -> Sentence:
    names = [_LEADER if one == "leader" else Sentence(COLORS[one]) for one in order.wanted]
    if not names:
        return Sentence("When you choose whom the dragon catches, it is never you, but {leader}.", leader=_LEADER)
    if order.never_me and order.wanted[-1] != "leader":
        names.append(_LEADER)
    wanted = chain("{one}, else {other}", names)
    if order.never_me:
        return Sentence(
            "When you choose whom the dragon catches, it is {wanted}; never you while another stands there.",
            wanted=wanted,
        )
    return Sentence(
        "When you choose whom the dragon catches, it is {wanted}. If nobody of these stands there, you are asked.",
        wanted=wanted,
    )


def _name(one: int | Literal["leader"]) -> str:
    return "leader" if one == "leader" else COLORS[one]

"""Moves by mail. The token of the mail that is answered says which one decision they may make."""

from __future__ import annotations

import re
from typing import Any

from engine import NotationError
from engine.lines import parse_line
from service.commands import read_line
from service.commands.model import Mistake, Order, Play
from service.errors import NOT_YOUR_TURN, STALE_PLY, Refusal
from service.i18n import gettext as _
from service.i18n import marked
from service.mail.words import names_of
from service.models import Game, Seat
from service.usecases import envelopes, play
from service.usecases.inbound.work import Done, Refused, Work, as_sentence, happened, told_of

#: Events that show what nobody knew: from then on nothing is taken back.
REVEALING = frozenset({"threw", "turned_up"})
_RESIGNED = marked("You resigned from this game; a bot moves for your seat.")
_HELD = marked("A bot holds your seat: `resume`, in a line above the move, takes it back.")
_NUMBER = re.compile(r"#?[0-9]{1,9}[.)]?")


def move(work: Work, command: Play) -> Done:
    """Make a move, for exactly the decision that the mail answers; a further one for the decision after it."""
    game, seat = work.game()
    try:
        return _move(work, game, seat, command)
    except Refused as refused:
        if not (meant := _as_order(game, seat, command.line)):
            raise
        hint = _("If it is to hold from now on, unasked, that is {command}.").format(command=f"`{meant}`")
        raise Refused(*refused.told, hint, listing=refused.listing, late=refused.late) from None


def _move(work: Work, game: Game, seat: Seat, command: Play) -> Done:
    ply = _ply(work, game, seat, command)
    before = game.log_seq
    try:
        answer = play.accept(
            work.session,
            game,
            seat=seat.number,
            ply=ply,
            line=command.line,
            by="player",
            key=None,  # the mail is read once; the same move from elsewhere is known by its words
            now=work.now,
        )
    except Refusal as refusal:
        raise _refused(work, game, seat, refusal) from None
    # A turn that has come round again, as plans were played, is for another mail: nobody has seen it yet.
    events = answer.data["events"]
    again = answer.data["to_act"] == seat.number and any(_is_others_turn(event, seat) for event in events)
    work.go(ply=None if again else answer.data["next_ply"], moved=True)
    if answer.repeated:
        # The notation of a bribe names a card of the hand.
        made = " ".join(one["notation"] for one in answer.data["applied"]) if work.user.mail_cards else ""
        if made:
            said = _("This had been played already ({moves}); it was not played again.").format(moves=made)
        else:
            said = _("This had been played already; it was not played again.")
        return Done((said,), revealed=True)
    told = happened(work, game, seat, before)
    not_done = _("“{word}” was not done: {why}")
    for one in answer.data["dropped"]:
        told += (as_sentence(not_done.format(word=one["word"], why=one["reason"])),)
    return Done(told, revealed=any(_reveals(event, seat) for event in events))


def _is_others_turn(event: dict[str, Any], seat: Seat) -> bool:
    return bool(event["kind"] == "turn" and event["seat"] != seat.number)


def _reveals(event: dict[str, Any], seat: Seat) -> bool:
    """Whether something came to light that nobody knew: by chance, or since a plan of another's was played."""
    by_plan = event["kind"] == "moved" and event["seat"] != seat.number
    return by_plan or event["kind"] in REVEALING


def _as_order(game: Game, seat: Seat, line: str) -> str:
    """The standing order that a line nearly is, which answers what nobody has asked; empty if it is none."""
    if game.status != "playing" or not seat.person:
        return ""
    try:
        words = parse_line(line)
    except NotationError:
        return ""
    if isinstance(words, int) or words.knights or words.stop or words.card or (words.catch and words.answer):
        return ""
    asked = "catch" if words.catch else "bribe"
    if game.to_act == seat.number and game.phase == asked:
        return ""
    order = "order bribe never" if line.strip().lower() == "surrender" else f"order {line.lower()}"
    read = read_line(order)
    if isinstance(read, Mistake):
        return read.suggestion
    return order if isinstance(read, Order) else ""


def late(game: Game, seat: Seat) -> Refused:
    """The refusal of whatever answers a decision that is made."""
    if game.status == "over":
        return Refused(_("The game is over; nothing can be played any more."), late=True)
    if not seat.person:
        return Refused(_(_HELD if seat.held_at is not None else _RESIGNED), late=True)
    if game.to_act == seat.number:
        return Refused(
            _(
                "The game has gone on since the mail that you answered, so nothing of yours was played. See what has "
                "changed and how things stand now; decide anew: an answer to this mail counts."
            ),
            late=True,
        )
    return Refused(
        _(
            "The game has gone on since the mail that you answered, so nothing of yours was played. See what has "
            "changed and how things stand now; you will get a mail when it is your turn."
        ),
        late=True,
    )


def _ply(work: Work, game: Game, seat: Seat, command: Play) -> int:
    """The decision that this line may make."""
    ply = work.place.ply
    if ply is None:
        _open_for(work, game, seat)
        raise Refused(
            _(
                "The mail that you answered did not ask for this decision, so nothing was played. An answer to this "
                "mail counts."
            ),
            late=True,
        )
    if work.place.moved and _NUMBER.fullmatch(command.line.strip()):
        raise Refused(
            _(
                "A number means a line of the list in the mail that you answered, and after a move that list is "
                "another. Say the second move in words, or answer this mail with a number of its list."
            )
        )
    return ply


def _open_for(work: Work, game: Game, seat: Seat) -> None:
    """Refuse a move if this seat has none to make now."""
    if game.status == "waiting":
        raise Refused(_("The game has not started yet; a mail will tell you when it is your turn."))
    if game.status == "cancelled":
        raise Refused(_("The game was called off before it started."))
    if game.status == "over":
        raise late(game, seat)
    if not seat.person:
        raise Refused(_(_HELD if seat.held_at is not None else _RESIGNED))
    if game.to_act != seat.number:
        raise _not_your_turn(work, game)


def _refused(work: Work, game: Game, seat: Seat, refusal: Refusal) -> Refused:
    if refusal.code == STALE_PLY and not work.place.moved:
        return late(game, seat)
    if refusal.code in (STALE_PLY, NOT_YOUR_TURN):
        return _not_your_turn(work, game)
    if game.status == "over" and not work.place.moved:
        return late(game, seat)
    return Refused(*told_of(refusal))


def _not_your_turn(work: Work, game: Game) -> Refused:
    if game.to_act is None:
        return Refused(_("The game is over by then; nothing more can be played."))
    name = names_of(envelopes.facts(work.session, game))[game.to_act]
    return Refused(_("It is not your turn: {name} is to act.").format(name=name))

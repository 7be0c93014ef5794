"""What the templates of each kind of mail are filled with: plain values, made from a notice alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine import OVER, Result, View
from service.config import Settings
from service.i18n import gettext as _
from service.i18n import marked
from service.i18n.dates import listed, moment
from service.mail import kinds, listing, times, waiting, words
from service.mail.pieces import Context, board, game_facts, legal, recap
from service.mail.standing import colors_words, scores, tie_note
from service.mail.words import NAME_LIMIT, names_of
from service.pictures.names import tidy

_ADDRESS_LIMIT: Final = 100
_LINE_LIMIT: Final = 200


# -- each kind


def _code(notice: kinds.CodeNotice, settings: Settings) -> Context:
    return {
        "heading": _("Your sign-in code"),
        "code": notice.code,
        "link": notice.link,
        "expires": moment(notice.expires_at, notice.envelope.zone),
        "known": notice.known,
    }


def _address(notice: kinds.AddressNotice, settings: Settings) -> Context:
    new = _("Is this your address?") if notice.new else _("Does mail arrive here?")
    return {
        "heading": _("This address is yours already") if notice.elsewhere else new,
        "account": tidy(notice.envelope.name, NAME_LIMIT),
        "elsewhere": notice.elsewhere,
        "code": notice.code,
        "expires": moment(notice.expires_at, notice.envelope.zone),
        "new": notice.new,
    }


def _confirm(notice: kinds.ConfirmNotice, settings: Settings) -> Context:
    return {
        "heading": _("Is it you who wrote to Emerald?"),
        "known": notice.known,
        "lines": [tidy(line, _LINE_LIMIT) for line in notice.lines],
        "expires": moment(notice.expires_at, notice.envelope.zone),
    }


def _refused_try(notice: kinds.RefusedTryNotice, settings: Settings) -> Context:
    return {
        "heading": _("A mail in your name was refused"),
        "sender": tidy(notice.sender, _ADDRESS_LIMIT) or _("nobody in particular"),
        "why": tidy(notice.why, _LINE_LIMIT).rstrip("."),
    }


def _invitation(notice: kinds.InvitationNotice, settings: Settings) -> Context:
    players = len(notice.game.names)
    inviter = tidy(notice.inviter, NAME_LIMIT) or _("Somebody")
    return {
        **game_facts(notice.game, notice.seat),
        "heading": _("{name} invites you to a game").format(name=inviter),
        "inviter": inviter,
        "colors": colors_words(players, notice.seat),
        "seat": notice.seat,
        "players": players,
    }


def _started(notice: kinds.StartedNotice, settings: Settings) -> Context:
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        "heading": _("The game has begun"),
    }


def _turn(notice: kinds.TurnNotice, settings: Settings) -> Context:
    # Why a plan was not played is what its owner asks first: it stands at the top.
    plan = [entry for entry in notice.log if entry.kind == "plan_dropped"]
    rest = [entry for entry in notice.log if entry.kind != "plan_dropped"]
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        **legal(notice.view, notice, notice.game, notice.ply, settings),
        "heading": _("The game has begun, and it is your turn") if notice.started else _("It is your turn"),
        "plan": " ".join(recap(plan, notice, notice.game, notice.seat)),
        "recap": recap(rest, notice, notice.game, notice.seat),
        "ply": notice.ply,
        "started": notice.started,
        "bank": "" if notice.bank is None else times.bank_words(notice.bank, notice.game.clock),
        "orders": [(order.kind, words.order_words(order.text, cards=notice.envelope.cards)) for order in notice.orders],
        "asks_again": _asks_again(notice.orders),
    }


def _asks_again(orders: Sequence[kinds.StandingOrder]) -> str:
    """What takes the first of some orders back."""
    if not orders:
        return ""
    return "plan off" if orders[0].kind == "plan" else f"order {orders[0].kind} ask"


def _notes(game: kinds.Game) -> list[str]:
    return [_note(game, seat, level) for seat, level in enumerate(game.bots)]


def _note(game: kinds.Game, seat: int, level: str | None) -> str:
    """Who moved for a seat, if it was not its person alone."""
    # The levels are words of the commands: `new 2 seats bot steady`.
    bot = _("{level} bot").format(level=level) if level else _("house bot")
    if seat in game.resigned:
        return _("resigned; a {bot} played on").format(bot=bot)
    if seat in game.held:
        return _("two turns in a row ran out; a {bot} held the seat at the end").format(bot=bot)
    if seat in game.stood_in:
        return _("a bot moved where time ran out")
    return bot if level else ""


def _scores(view: View, result: Result, game: kinds.Game) -> Context:
    names = names_of(game)
    return {"scores": scores(view, result, names, _notes(game)), "tie": tie_note(result, names)}


def _over(notice: kinds.OverNotice, settings: Settings) -> Context:
    heading, outcome = _outcome_of(notice)
    return {
        **game_facts(notice.game, notice.seat),
        **board(notice.view, notice, notice.game),
        "recap": recap(notice.log, notice, notice.game, notice.seat),
        "heading": heading,
        "won": notice.result.winners == (notice.seat,),
        "outcome": outcome,
        **_scores(notice.view, notice.result, notice.game),
        "seed": notice.seed,
        "entropy": [(seat, text) for seat, text in enumerate(notice.entropy) if text],
    }


def _outcome_of(notice: kinds.OverNotice) -> tuple[str, str]:
    """How a game ended, as a heading, and as part of a sentence."""
    winners, names = notice.result.winners, names_of(notice.game)
    others = listed([names[seat] for seat in winners if seat != notice.seat])
    if not winners:
        return _("The players ended the game"), _("the players voted to end it, so nobody won")
    if winners == (notice.seat,):
        return _("You won!"), _("you won")
    if notice.seat in winners:
        return _("You and {names} share the win").format(names=others), _("you and {names} share the win").format(
            names=others
        )
    told = _("{names} share the win") if len(winners) > 1 else _("{names} won")
    return told.format(names=others), told.format(names=others)


def _cancelled(notice: kinds.CancelledNotice, settings: Settings) -> Context:
    return {
        **game_facts(notice.game, None),
        "heading": _("The game was cancelled"),
        "by": tidy(notice.by, NAME_LIMIT),
    }


def _verdict(*, done: bool, refused: bool) -> tuple[str, str]:
    """By whether a line was done, and whether one was refused: the heading, and a sentence."""
    if done and refused:
        return _("Done in part"), _("part of your mail is done, the rest is not. Line by line:")
    if done:
        return _("Done"), _("this is what became of your mail:")
    if refused:
        return _("Not done"), _("nothing in your mail was carried out. Line by line:")
    return _("No command found"), _("there was no command in your mail, so nothing was done.")


_DONE_WORDS: Final = {
    "done": marked("Done."),
    "refused": marked("Not done."),
    "not-tried": marked("Not tried, as another line was refused."),
}


def _outcome(outcome: kinds.Outcome) -> Context:
    """One line of the reader's mail: the line, what became of it in words, and what there is to show."""
    told = [tidy(paragraph, words.SAID_LIMIT) for paragraph in outcome.told]
    if outcome.state != "done" or not outcome.listing:
        told = [" ".join((_(_DONE_WORDS[outcome.state]), *told[:1])), *told[1:]]
    return {
        "line": tidy(outcome.line, _LINE_LIMIT),
        "state": outcome.state,
        "told": told,
        "listing": [_as_it_is(line) for line in outcome.listing],
        "rows": listing.rows([_as_it_is(line) for line in outcome.listing]),
    }


def _as_it_is(line: str) -> str:
    """A line of a listing: its spaces stay, nothing else that could bend it."""
    return "".join(part if part.isspace() else tidy(part, _LINE_LIMIT) for part in re.split("( {2,})", line))


def _answer(notice: kinds.AnswerNotice, settings: Settings) -> Context:
    states = {outcome.state for outcome in notice.outcomes}
    heading, summary = _verdict(done="done" in states, refused="refused" in states)
    game, view = notice.game, notice.view
    made: Context = {
        "heading": heading,
        "summary": summary,
        "outcomes": [_outcome(outcome) for outcome in notice.outcomes if outcome.state != "ignored"],
        "ignored": listed([f"“{tidy(outcome.line, 60)}”" for outcome in notice.outcomes if outcome.state == "ignored"]),
        "game_id": "",
        "others": "",
        "waiting_for": tidy(notice.waiting_for, _LINE_LIMIT),
        "told_subject": words.bare_subject(notice.subject),
        "recap": [],
        "legal": [],
        "deadline": "",
        "until_there": "",
        "held": notice.held,
        "scores": [],
    }
    if game is None:
        return made
    made |= game_facts(game, notice.seat) | {"recap": recap(notice.log, notice, game, notice.seat)}
    if view is not None:
        made |= board(view, notice, game) | {"over": view.phase == OVER}
        if notice.result is not None:
            made |= _scores(view, notice.result, game)
        if notice.deadline is not None and notice.zone_there:
            made["until_there"] = times.deadline_words(notice.deadline, notice.envelope.zone, notice.zone_there)
        if view.legal:
            made |= legal(view, notice, game, notice.ply, settings)
    return made


GATHER: Final[Mapping[type, tuple[str, Callable[[Any, Settings], Context]]]] = {
    kinds.CodeNotice: ("code", _code),
    kinds.AddressNotice: ("address", _address),
    kinds.ConfirmNotice: ("confirm", _confirm),
    kinds.RefusedTryNotice: ("refused_try", _refused_try),
    kinds.InvitationNotice: ("invitation", _invitation),
    kinds.StartedNotice: ("started", _started),
    kinds.TurnNotice: ("turn", _turn),
    kinds.ReminderNotice: ("reminder", waiting.reminder),
    kinds.MovedForYouNotice: ("moved_for_you", waiting.moved_for_you),
    kinds.HeldNotice: ("held", waiting.held),
    kinds.ExtendedNotice: ("extended", waiting.extended),
    kinds.VoteNotice: ("vote", waiting.vote),
    kinds.OverNotice: ("over", _over),
    kinds.CancelledNotice: ("cancelled", _cancelled),
    kinds.AnswerNotice: ("answer", _answer),
}
"""Each kind of notice but the bundle: the folder of its templates, and what they are filled with."""

"""The move links of mails: what one would play, and playing it.

Whoever has the link may make that one move, and nothing else: it shows the game as a spectator sees it, as a mail may
be forwarded, and it is good for one decision. Looking changes nothing; playing is as good as answering the mail.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy.orm import Session

from engine import COLORS, Bribe, View, legal_actions, view
from service.db import reading, transaction
from service.errors import ALREADY_RESIGNED, GAME_NOT_PLAYING, NOT_YOUR_TURN, STALE_PLY, Refusal, not_found
from service.i18n import gettext as _
from service.mail import words as telling
from service.mail.tokens import MoveLink
from service.models import Game
from service.usecases import access, envelopes, infos, journal, play, promises
from service.usecases.access import Viewer

State = Literal["open", "made", "passed", "over", "resigned"]
_TOO_LATE: Final = (STALE_PLY, GAME_NOT_PLAYING, NOT_YOUR_TURN, ALREADY_RESIGNED)
_STRANGER: Final = Viewer(None, frozenset())


@dataclass(frozen=True)
class LinkedMove:
    """A move link and the game now, as all may see it.

    ``state``: "open", it can be played; "made", by this link or in the same words; "passed", that decision was made
    otherwise; "over", the game is; "resigned", a bot moves for that seat. ``action``: what it plays, in words, if it
    is open; the value of a gold card is not in them (R-DRAG-7). ``told``: what came of it if it is made, how the game
    ended if it is over. ``again``: the same seat has to decide once more, and gets a mail about it.
    """

    game_id: str
    seat: int
    player: str
    number: int
    names: tuple[str, ...]
    view: View
    state: State
    action: str = ""
    told: tuple[str, ...] = ()
    again: bool = False


def look(*, link: MoveLink) -> LinkedMove:
    """What the link would play, or why it no longer does. Refused as not-found if there is no such game (any more)."""
    with reading() as session:
        return _look(session, access.find(session, link.game), link)


def play_link(*, link: MoveLink, now: datetime) -> LinkedMove:
    """Play it, once: pressed again, or after a mail that said the same, it tells what came of it the first time.

    If the link is too late nothing is done, and ``state`` says why. Refused as ``look``.
    """
    with transaction() as session:
        game = access.locked(session, link.game)
        try:
            answer = play.accept(
                session,
                game,
                seat=link.seat,
                ply=link.ply,
                line=str(link.number),
                by="player",
                key=_key(link),
                now=now,
            )
        except Refusal as refusal:
            if refusal.code not in _TOO_LATE:
                raise
        else:
            if not answer.repeated and _is_to_act(game, link.seat):
                promises.turn_goes_on(session, game, now=now)
            session.flush()
        return _look(session, game, link)


def _key(link: MoveLink) -> str:
    return f"link:{link.ply}:{link.number}"


def _is_to_act(game: Game, seat: int) -> bool:
    return game.status == "playing" and game.to_act == seat and game.seats[seat].person


def _look(session: Session, game: Game, link: MoveLink) -> LinkedMove:
    seen = infos.game_view(session, game, _STRANGER)
    if seen.view is None or not 0 <= link.seat < game.players:
        raise not_found()
    names = infos.names(seen.info)
    made = play.made_before(session, game, seat=link.seat, ply=link.ply, line=str(link.number))
    state: State = "made" if made is not None else _state(game, link)
    told: tuple[str, ...] = ()
    again = False
    if made is not None:
        until = int(made.data["next_ply"])
        told = _told(session, game, names, range(link.ply, until), {event["kind"] for event in made.data["events"]})
        again = until == game.ply and _is_to_act(game, link.seat)
    elif state == "over":
        told = _told(session, game, names, range(game.ply - 1, game.ply), {"over"})
    return LinkedMove(
        game_id=game.id,
        seat=link.seat,
        player=names[link.seat],
        number=link.number,
        names=names,
        view=seen.view,
        state=state,
        action=_action(game, link, names) if state == "open" else "",
        told=told,
        again=again,
    )


def _state(game: Game, link: MoveLink) -> State:
    if game.status != "playing":
        return "over"
    if not game.seats[link.seat].person:
        return "resigned"
    return "open" if game.ply == link.ply and game.to_act == link.seat else "passed"


def _action(game: Game, link: MoveLink, names: Sequence[str]) -> str:
    position = infos.position_of(game)
    legal = () if position is None else legal_actions(position)
    if position is None or not 1 <= link.number <= len(legal):
        raise not_found()
    action, own = legal[link.number - 1], view(position, link.seat)
    if isinstance(action, Bribe):
        said = _("Give the dragon the gold card that your mail names: your {color} knight stays")
        return said.format(color=_(COLORS[own.victim]))
    return telling.action_words(action, own, names)


def _told(session: Session, game: Game, names: Sequence[str], plies: range, wanted: Collection[str]) -> tuple[str, ...]:
    """What everybody may know of the events of these plies, of the kinds ``wanted``, a paragraph a turn."""
    lines = journal.lines(session, game.id, None, after=journal.seq_before(session, game, plies.start))
    entries = [envelopes.entry(line) for line in lines if line.ply in plies and line.kind in wanted]
    return tuple(telling.recap(entries, names))

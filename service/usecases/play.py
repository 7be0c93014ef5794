"""The one gate for every move, whoever sends it: a person, a bot, the clock.

A move names the ply it answers. Whatever comes late does nothing and says so; whatever comes again gets the first
answer, to the byte. What standing orders answer to a move is made with it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy.orm import Session

from engine import (
    PHASES,
    RULES,
    Action,
    IllegalAction,
    LinePlayed,
    NotationError,
    Position,
    StepPlayed,
    action_from_json,
    action_to_json,
    is_over,
    play_actions,
    play_line,
    position_to_json,
    to_act,
)
from engine.events import GameOver
from service.db import after_commit, transaction
from service.errors import (
    ALREADY_RESIGNED,
    BAD_NOTATION,
    GAME_NOT_PLAYING,
    ILLEGAL_MOVE,
    NOT_YOUR_TURN,
    SEAT_HELD,
    STALE_PLY,
    Refusal,
    invalid,
)
from service.i18n import gettext as _
from service.i18n import told
from service.metrics import MovesMade
from service.models import Game, Move
from service.usecases import access, endings, infos, journal, promises, submissions, words
from service.usecases.results import GAMES_PLAY, Answer, Caller
from service.usecases.standing import Standing

By = Literal["player", "bot", "clock"]
MOST_ACTIONS = 12


def submit(
    *,
    caller: Caller,
    game_id: str,
    ply: int,
    actions: Sequence[Mapping[str, Any]] | None = None,
    line: str | None = None,
    idempotency_key: str | None = None,
    now: datetime,
) -> Answer:
    """A player's move: ``actions`` as JSON or a ``line`` of notation, for exactly this ply."""
    words.require(caller, GAMES_PLAY)
    key = words.idempotency_key(idempotency_key)
    parsed = None if actions is None else _parse(actions)
    if (parsed is None) == (line is None):
        raise invalid("line", _("Say what to do either as a line or as actions."))
    if line is not None and len(line) > words.LONGEST_LINE:
        raise invalid("line", _("A line has at most {most} characters.").format(most=words.LONGEST_LINE))
    with transaction() as session:
        game, who = access.locked_for(session, caller, game_id)
        seat = access.own_seat(game, who)
        return accept(
            session, game, seat=seat.number, ply=ply, actions=parsed, line=line, by="player", key=key, now=now
        )


def accept(
    session: Session,
    game: Game,
    *,
    seat: int,
    ply: int,
    actions: Sequence[Action] | None = None,
    line: str | None = None,
    by: By,
    key: str | None = None,
    now: datetime,
) -> Answer:
    """Make a move in a game that the caller has locked (``access.locked``); never commits.

    Position, moves, log, promises and the answer are written together; the caller's transaction makes them one fact
    with whatever else it did.
    """
    print_ = submissions.fingerprint(ply, actions, line)
    first = submissions.first_answer(session, game, seat, key, print_)
    if first is not None:
        return Answer(first, repeated=True)
    position = _open_position(game, ply, seat, by)
    orders = Standing(session, game)
    played = _play(game, position, orders, actions, line)
    made = _Made(session, game, seat, orders, by, now)
    made.line(played)
    while (plan := orders.play_plan(made.position, now=now)) is not None:
        made.plan(plan)
    made.settle()
    answer = submissions.answer(game, seat, ply, played, made.steps)
    submissions.keep(session, game, seat, ply, key, print_, answer, now)
    return Answer(answer, repeated=False)


def made_before(session: Session, game: Game, *, seat: int, ply: int, line: str) -> Answer | None:
    """The answer to this very line, if the seat has played it at this ply."""
    text = submissions.first_answer(session, game, seat, None, submissions.fingerprint(ply, None, line))
    return None if text is None else Answer(text, repeated=True)


def _parse(actions: Sequence[Mapping[str, Any]]) -> tuple[Action, ...]:
    if not 1 <= len(actions) <= MOST_ACTIONS:
        raise invalid("actions", _("Give 1 to {most} actions.").format(most=MOST_ACTIONS))
    try:
        return tuple(action_from_json(action) for action in actions)
    except NotationError as error:
        raise Refusal(BAD_NOTATION, told(error), word=error.word) from None


def _open_position(game: Game, ply: int, seat: int, by: By) -> Position:
    """The position, if this ply is open and this seat is the one to answer it."""
    position = infos.position_of(game)
    state = {"ply": game.ply, "to_act": game.to_act, "status": game.status}
    if position is None:
        why = _("The game has not started yet.") if game.status == "waiting" else _("The game was called off.")
        raise Refusal(GAME_NOT_PLAYING, why, **state)
    if ply != game.ply:
        said = _("The game is at ply {now}, and this move is for ply {ply}. Look at the game again and decide anew.")
        raise Refusal(STALE_PLY, said.format(now=game.ply, ply=ply), **state)
    if game.status != "playing":
        raise Refusal(GAME_NOT_PLAYING, _("The game is over."), **state)
    if game.to_act != seat:
        said = _("Seat {actor} is to act; yours is seat {seat}.")
        raise Refusal(NOT_YOUR_TURN, said.format(actor=game.to_act, seat=seat), **state)
    if by == "player" and game.seats[seat].resigned_at is not None:
        raise Refusal(ALREADY_RESIGNED, _("You resigned; a bot moves for your seat."), **state)
    if by == "player" and game.seats[seat].held_at is not None:
        raise Refusal(SEAT_HELD, _("A bot holds your seat; resume takes it back."), **state)
    return position


def _play(
    game: Game, position: Position, orders: Standing, actions: Sequence[Action] | None, line: str | None
) -> LinePlayed:
    try:
        if actions is None:
            return play_line(position, line or "", orders.answers)
        return play_actions(position, actions, orders.answers)
    except IllegalAction as error:
        raise Refusal(
            ILLEGAL_MOVE,
            told(error),
            rule=error.rule,
            rule_text=_(RULES.get(error.rule, "")) or None,
            legal=_legal(position),
            ply=game.ply,
        ) from None
    except NotationError as error:
        raise Refusal(BAD_NOTATION, told(error), word=error.word, legal=_legal(position), ply=game.ply) from None


def _legal(position: Position) -> list[dict[str, Any]]:
    return [
        {"number": row.number, "notation": row.notation, "action": row.action} for row in infos.legal_rows(position)
    ]


class _Made:
    """What comes of a move, written down as it happens: the line, and the plans of those whose turn it brings."""

    def __init__(self, session: Session, game: Game, seat: int, orders: Standing, by: By, now: datetime) -> None:
        self.steps: list[StepPlayed] = []
        self._session, self._game, self._orders, self._now = session, game, orders, now
        self._actor, self._by = game.seats[seat], by
        self._turn_is_over = False

    @property
    def position(self) -> Position:
        """How things stand now."""
        return self.steps[-1].position

    def line(self, played: LinePlayed) -> None:
        """The mover's own line, with what orders answered to it."""
        began = self._game.ply == self._game.turn_ply
        first = self._write(played.steps, by_plan=False)
        self._orders.overtake(played.steps, now=self._now)
        if self._by == "player":
            if began and self._game.turn_since is not None:
                first.waited_seconds = max(0, int((self._now - self._game.turn_since).total_seconds()))
            # How far the log had come when it last acted: what plans do now, its next turn mail tells.
            self._actor.acted_seq, self._actor.timeouts = self._game.log_seq, 0
        self._pass_on()

    def plan(self, played: LinePlayed) -> None:
        """A plan, played as its seat's turn began."""
        self._write(played.steps, by_plan=True)
        self._pass_on()

    def settle(self) -> None:
        """Store where it ended, and promise what is next to whoever is waited for now: in between nobody was."""
        self._game.position = position_to_json(self.position)
        if is_over(self.position):
            reason = next(event.reason for event in self.steps[-1].events if isinstance(event, GameOver))
            endings.finish(self._session, self._game, self.position, reason, now=self._now)
        elif self._turn_is_over:
            promises.turn_began(self._session, self._game, now=self._now)
        for by, number in Counter(self._by_whom(step) for step in self.steps).items():
            after_commit(self._session, MovesMade(by, number))

    def _write(self, steps: Sequence[StepPlayed], *, by_plan: bool) -> Move:
        """Write down actions with what happened, one ply each; the row of the first."""
        rows: list[Move] = []
        for step in steps:
            if step.by_order:
                self._orders.told(step, now=self._now)
            made = step._replace(by_order=True) if by_plan else step
            row = Move(
                game_id=self._game.id,
                ply=self._game.ply,
                seat=step.seat,
                action=action_to_json(step.action),
                by=self._by_whom(made),
                at=self._now,
            )
            journal.write_events(self._session, self._game, self._game.ply, step.events, now=self._now)
            self._game.ply += 1
            rows.append(row)
            self.steps.append(made)
        self._session.add_all(rows)
        return rows[0]

    def _by_whom(self, step: StepPlayed) -> str:
        return "order" if step.by_order else self._by

    def _pass_on(self) -> None:
        """Whose decision it is now. That it was another's while an order answered did not end the mover's turn."""
        actor = to_act(self.position)
        if not self._turn_is_over and actor != self._actor.number:
            self._turn_is_over = True
            # Before the row tells of anybody else: the clock to be stopped is that of the turn that was on.
            promises.turn_ended(self._session, self._game, self._actor, now=self._now)
        self._game.to_act, self._game.phase = actor, PHASES[self.position.phase]

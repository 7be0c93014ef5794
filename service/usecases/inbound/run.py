"""The lines of a mail, carried out: all or nothing up to the first thing that comes to light.

From there on what was done stays done: nobody looks at a die and takes the move back. A line that means to be a command
and is none stops all of them. Looking changes nothing and is answered in any case, at the end if something was refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from service.commands import model, read_line
from service.db import undoable
from service.errors import UNAVAILABLE, Refusal
from service.i18n import gettext as _
from service.i18n import ngettext
from service.mail.kinds import Outcome
from service.mail.reading.letter import Letter
from service.usecases.inbound import account, game, lookups, status, tables, talk, times, waiting
from service.usecases.inbound.work import Done, NoGame, Refused, Work, as_sentence, told_of

#: More commands than that nobody means in one mail.
MOST_COMMANDS = 20
#: Lines that were no command are told of one by one up to here.
MOST_IGNORED = 3

_LOOKUPS: Final = (model.Show, model.History, model.Rules, model.Help, model.Games, model.Orders)
_LOOKING: Final = frozenset({"absences", "pace"})
#: After these a line may be about another game or seat, or be answered in other words: no line is moved past them.
_TURNING: Final = (model.New, model.Join, model.Setting)
_TURNING_WORDS: Final = frozenset({"accept", "decline", "rematch", "resign", "leave", "resume", "yes"})
_EFFECTS: Final[dict[type, Callable[[Work, Any], Done]]] = {
    model.Play: game.move,
    model.Show: status.show,
    model.History: lookups.history,
    model.Rules: lookups.rules,
    model.Help: lookups.help_,
    model.Games: lookups.games,
    model.Say: talk.say,
    model.Note: talk.note,
    model.New: tables.new,
    model.Join: tables.join,
    model.Order: waiting.order,
    model.Orders: status.order_list,
    model.Vote: waiting.vote,
    model.Away: times.away,
    model.AwayFrom: times.away_from,
    model.Night: times.night,
    model.DaysOff: times.days_off,
    model.Digest: account.digest,
    model.Unsubscribe: account.unsubscribe,
    model.Subscribe: account.subscribe,
    model.Setting: account.setting,
}


def _yes(work: Work) -> Done:
    """``yes`` to an invitation is a yes; elsewhere there was no question."""
    if work.place.invited:
        return tables.accept(work)
    raise Refused(_("There is nothing that waits for a yes here. If you mean to resign, write resign once more."))


_SIMPLE: Final[dict[str, Callable[[Work], Done]]] = {
    "accept": tables.accept,
    "decline": tables.decline,
    "rematch": tables.rematch,
    "resign": tables.resign,
    "leave": tables.leave,
    "back": times.back,
    "away none": times.not_away,
    "absences": times.absence_list,
    "pace": status.how_soon,
    "resume": waiting.resume,
    "pause mail": account.pause,
    "resume mail": account.resume,
    "yes": _yes,
}


@dataclass(frozen=True)
class Line:
    """A line of a mail, and what it asks for; None: nothing."""

    text: str
    asks: model.Command | model.Mistake | None

    @property
    def looks(self) -> bool:
        """Whether it only asks to be shown something."""
        if isinstance(self.asks, model.Simple):
            return self.asks.word in _LOOKING
        return isinstance(self.asks, _LOOKUPS)

    @property
    def turns(self) -> bool:
        """Whether the lines below it may mean something else than those above."""
        if isinstance(self.asks, model.Simple):
            return self.asks.word in _TURNING_WORDS
        return isinstance(self.asks, _TURNING)


@dataclass(frozen=True)
class Results:
    """What became of the lines, in their order. ``late``: the mail answered what is over by now."""

    outcomes: tuple[Outcome, ...]
    late: bool


def lines_of(letter: Letter) -> tuple[Line, ...]:
    """The lines that somebody wrote, commands and others, in their order."""
    commands = Counter(letter.lines)
    lines: list[Line] = []
    for said in letter.said:
        is_command = commands[said] > 0
        commands[said] -= is_command
        lines.append(Line(said, read_line(said) if is_command else None))
    # A command that stands in no line of its own is a command all the same.
    lines += [Line(text, read_line(text)) for text in commands.elements()]
    return tuple(lines)


def run(work: Work, lines: Sequence[Line]) -> Results:
    """Carry the lines out and say what became of each."""
    lines = _joined(lines)
    told: dict[int, Outcome] = {}
    todo = [(at, line) for at, line in enumerate(lines) if line.asks is not None]
    late = False
    try:
        _refuse_whole(todo)
        if not all(line.looks for _, line in todo):
            work.hold()
        todo = _orders_first(todo)
        while todo:
            todo = todo[_stretch(work, todo, told) :]
    except _Stopped as stopped:
        told |= stopped.told
        late = stopped.late
        for at, line in stopped.looking:
            told[at] = _look(work, line)
    return Results(tuple(_ignored([told.get(at) for at in range(len(lines))], lines)), late)


def _joined(lines: Sequence[Line]) -> list[Line]:
    """The lines, those that follow one another as parts of one turn made one: its words serve the whole turn.

    A card named in a line of its own would else come too late where only one lies there, as that is taken by itself.
    """
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last is not None and isinstance(last.asks, model.Play) and isinstance(line.asks, model.Play):
            whole = read_line(f"{last.asks.line} {line.asks.line}")
            if isinstance(whole, model.Play):
                joined[-1] = Line(f"{last.text} / {line.text}", whole)
                continue
        joined.append(line)
    return joined


def _orders_first(todo: Sequence[tuple[int, Line]]) -> list[tuple[int, Line]]:
    """The lines as they are carried out: orders and plans before the moves above them.

    A move may bring one's next turn at once, as others have planned theirs, and the plan for it must be there by then.
    """
    ordered: list[tuple[int, Line]] = []
    first_move: int | None = None
    for at, line in todo:
        if isinstance(line.asks, model.Order) and first_move is not None:
            ordered.insert(first_move, (at, line))
            first_move += 1
            continue
        if line.turns:
            first_move = None
        elif isinstance(line.asks, model.Play) and first_move is None:
            first_move = len(ordered)
        ordered.append((at, line))
    return ordered


class _Stopped(Exception):  # noqa: N818 - not an error: a line was refused, and what belongs to it is undone
    """The outcomes of the refused line and of all that were not done because of it; what is to be looked at still."""

    def __init__(self, told: dict[int, Outcome], looking: list[tuple[int, Line]], late: bool = False) -> None:
        super().__init__()
        self.told = told
        self.looking = looking
        self.late = late


def _refuse_whole(todo: Sequence[tuple[int, Line]]) -> None:
    """Stop before anything is done if one line is a mistake, or if there are too many."""
    wrong = [(at, line, line.asks) for at, line in todo if isinstance(line.asks, model.Mistake)]
    if wrong:
        told = {at: Outcome(line.text, "not-tried") for at, line in todo if not line.looks}
        for at, line, mistake in wrong:
            meant = (_("Did you mean “{line}”?").format(line=mistake.suggestion),) if mistake.suggestion else ()
            told[at] = Outcome(line.text, "refused", (as_sentence(mistake.message), *meant))
        raise _Stopped(told, [(at, line) for at, line in todo if line.looks])
    if len(todo) > MOST_COMMANDS:
        told = {at: Outcome(line.text, "not-tried") for at, line in todo}
        at, line = todo[MOST_COMMANDS]
        why = _("A mail has at most {number} commands, so none was done.").format(number=MOST_COMMANDS)
        told[at] = Outcome(line.text, "refused", (why,))
        raise _Stopped(told, [])


def _stretch(work: Work, todo: Sequence[tuple[int, Line]], told: dict[int, Outcome]) -> int:
    """Carry out lines up to and with the first that shows something hidden; how many. Refused, none of them is done."""
    done: dict[int, Outcome] = {}
    before = work.place
    try:
        with undoable():
            for at, line in todo:
                outcome, revealed = _carry_out(work, line)
                done[at] = outcome
                if revealed:
                    break
    except Refused as refused:
        work.place = before
        raise _stopped(todo, len(done), refused) from None
    told |= done
    return len(done)


def _stopped(todo: Sequence[tuple[int, Line]], at_fault: int, refused: Refused) -> _Stopped:
    told = {at: Outcome(line.text, "not-tried") for at, line in todo if not line.looks}
    at, line = todo[at_fault]
    told[at] = Outcome(line.text, "refused", refused.told, refused.listing)
    looking = [(other, one) for other, one in todo if one.looks and other != at]
    return _Stopped(told, looking, refused.late)


def _carry_out(work: Work, line: Line) -> tuple[Outcome, bool]:
    """What became of one line, and whether something hidden came to light. Raises Refused, whatever refused it."""
    try:
        done = _effect(work, line.asks)
    except NoGame:
        raise _no_game(work) from None
    except Refusal as refusal:
        if refusal.code == UNAVAILABLE:
            raise
        raise Refused(*told_of(refusal)) from None
    state: Literal["done", "refused"] = "refused" if done.asked_back else "done"
    return Outcome(line.text, state, done.told, done.listing), done.revealed


def _effect(work: Work, asks: object) -> Done:
    if isinstance(asks, model.Simple):
        return _SIMPLE[asks.word](work)
    return _EFFECTS[type(asks)](work, asks)


def _look(work: Work, line: Line) -> Outcome:
    try:
        return _carry_out(work, line)[0]
    except Refused as refused:
        return Outcome(line.text, "refused", refused.told, refused.listing)


def _no_game(work: Work) -> Refused:
    games = lookups.own_games(work) if work.place.user_id is not None else ()
    told = _("That is about a game, and this mail is about none: answer a mail of the game you mean.")
    which = (
        _("Yours are these:")
        if games
        else _("You are in none; {command} lists those to join.").format(command="`games open`")
    )
    return Refused(f"{told} {which}", listing=games)


def _ignored(told: Sequence[Outcome | None], lines: Sequence[Line]) -> list[Outcome]:
    """All outcomes in order; the lines that asked for nothing are told of too, but not without end."""
    prose = [line.text for line in lines if line.asks is None]
    outcomes: list[Outcome] = []
    told_of_prose = 0
    for outcome, line in zip(told, lines, strict=True):
        if outcome is not None:
            outcomes.append(outcome)
            continue
        told_of_prose += 1
        if told_of_prose <= MOST_IGNORED:
            outcomes.append(Outcome(line.text, "ignored"))
        elif told_of_prose == MOST_IGNORED + 1:
            more = len(prose) - MOST_IGNORED
            told_of_more = ngettext("and {number} more line", "and {number} more lines", more)
            outcomes.append(Outcome(told_of_more.format(number=more), "ignored"))
    return outcomes

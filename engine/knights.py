"""Moving knights (R-MOVE-1 … R-MOVE-7)."""

from engine.actions import MOVES, STOP, Action, Move
from engine.board import CHAMBER, COLORS, OFF_PATH, SPACES, colors_of, destination, owner
from engine.events import Moved
from engine.position import Draft, Position, put
from engine.sentences import Sentence


def moves(position: Position | Draft) -> tuple[Action, ...]:
    """The knight moves open to the seat whose turn it is, and ``stop`` after the first.

    One for each colour and space (R-MOVE-2); a second move is with the first one's colour
    (R-MOVE-6). May be empty for a second move (R-MOVE-7).
    """
    found: list[Action] = []
    if not position.moved:
        for color in colors_of(position.players, position.turn):
            row = MOVES[color]
            last = OFF_PATH
            for space in position.knights[color]:
                if space != last:
                    found.append(row[space])
                    last = space
        return tuple(found)
    color, stands = position.moved[0]
    spaces = position.knights[color]
    row = MOVES[color]
    last = OFF_PATH
    for space in spaces:
        if space != last:
            last = space
            if space != stands or spaces.count(space) > 1:
                found.append(row[space])
    if found:
        found.append(STOP)
    return tuple(found)


def walk(draft: Draft, move: Move) -> int:
    """Take a knight along the path and return the space it reaches (R-MOVE-3, R-MOVE-4)."""
    color, source, _ = move
    target = destination(draft.knights, source)
    spaces = list(draft.knights[color])
    spaces.remove(source)
    if target == CHAMBER:
        draft.moved += ((color, OFF_PATH),)
    else:
        spaces.append(target)
        spaces.sort()
        draft.moved += ((color, target),)
    draft.knights = put(draft.knights, color, tuple(spaces))
    draft.events.append(Moved(draft.turn, color, source, target))
    return target


def knights_left(draft: Draft | Position, seat: int) -> int:
    """How many knights a seat has in the game, over all its colours (R-END-2)."""
    left = 0
    for color in colors_of(draft.players, seat):
        left += len(draft.knights[color])
    return left


def violation(position: Position, move: Move) -> tuple[str, Sentence]:
    """Why a knight move that is not legal is refused: the rule's id and the reason in words."""
    color, source, _ = move
    name, space = Sentence(COLORS[color]), SPACES[source]
    if color >= len(position.knights):
        return "R-SET-2", Sentence("{color} is not in this game", color=name)
    seat = owner(position.players, color)
    if seat != position.turn:
        return "R-MOVE-1", Sentence("{color} belongs to seat {seat}, who is not to move", color=name, seat=seat)
    if position.moved and position.moved[0][0] != color:
        first = Sentence(COLORS[position.moved[0][0]])
        return "R-MOVE-6", Sentence(
            "the first knight of this turn was {color}, so the second must be {color} too", color=first
        )
    if source not in position.knights[color]:
        return "R-MOVE-1", Sentence("no {color} knight stands on {space}", color=name, space=space)
    return "R-MOVE-2", Sentence("the {color} knight on {space} has already moved this turn", color=name, space=space)

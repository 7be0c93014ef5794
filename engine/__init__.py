"""The rules of Emerald as a pure library: a position in, a position and what happened out.

>>> import random
>>> from engine import apply, deal, is_over, legal_actions, score, start
>>> rng = random.Random(1)
>>> position = start(deal(3, bytes(32), ["", "", ""], first_set=0))
>>> while not is_over(position):
...     position, events = apply(position, rng.choice(legal_actions(position)))
>>> len(score(position).scores)
3

No clock, no files, no network, no global state; nothing but the standard library. Inside, everything
is small numbers (engine.board, engine.cards); names appear in JSON and notation. What a player may
see is a ``View``; a ``Position`` holds hidden cards and must stay at home.
"""

from engine.actions import Action, Bribe, Catch, Move, Stop, Surrender, Take
from engine.board import (
    CHAMBER,
    COLORS,
    SPACES,
    TO_CASTLE,
    TO_CHAMBER,
    colors_of,
    crowd,
    destination,
    owner,
    starting_spaces,
)
from engine.cards import CARD_KINDS, GEM, GEMS, GOLD, NO_GEM, NO_GOLD
from engine.chance import MAX_ENTROPY, SEED_BYTES, commitment, deal, valid_entropy
from engine.errors import (
    AmbiguousMove,
    EngineError,
    IllegalAction,
    NotationError,
    OutOfDice,
    RecordError,
    SetupError,
)
from engine.events import Event
from engine.foresight import Ahead, Way, after_dragon, ahead, flights, ways
from engine.invariants import problems
from engine.lines import action_notation
from engine.notation import Dropped, LinePlayed, StepPlayed, play_actions, play_line
from engine.orders import (
    BribeOrder,
    CatchOrder,
    Orders,
    Standing,
    answer_bribe,
    choose_catch,
    explain,
    order_text,
    parse_bribe,
    parse_catch,
    standing,
)
from engine.plans import Clause, Plan, explain_plan, parse_plan, plan_line, plan_text
from engine.position import BRIBE, CATCH, MOVE, NOBODY, OVER, PHASES, TAKE, Position
from engine.record import (
    FORMAT,
    Provenance,
    load,
    record_of,
    replay,
    result_to_json,
    verify,
)
from engine.redeal import redeal
from engine.rules import RULES
from engine.scoring import Result, score
from engine.sentences import Sentence
from engine.setup import Setup
from engine.storage import RULES_VERSION, position_from_json, position_to_json
from engine.turn import apply, break_off, is_over, legal_actions, start, to_act
from engine.view import View, knights_in_game, view
from engine.wire import action_from_json, action_to_json, after, event_to_json, view_to_json

__all__ = [
    "BRIBE",
    "CARD_KINDS",
    "CATCH",
    "CHAMBER",
    "COLORS",
    "FORMAT",
    "GEM",
    "GEMS",
    "GOLD",
    "MAX_ENTROPY",
    "MOVE",
    "NOBODY",
    "NO_GEM",
    "NO_GOLD",
    "OVER",
    "PHASES",
    "RULES",
    "RULES_VERSION",
    "SEED_BYTES",
    "SPACES",
    "TAKE",
    "TO_CASTLE",
    "TO_CHAMBER",
    "Action",
    "Ahead",
    "AmbiguousMove",
    "Bribe",
    "BribeOrder",
    "Catch",
    "CatchOrder",
    "Clause",
    "Dropped",
    "EngineError",
    "Event",
    "IllegalAction",
    "LinePlayed",
    "Move",
    "NotationError",
    "Orders",
    "OutOfDice",
    "Plan",
    "Position",
    "Provenance",
    "RecordError",
    "Result",
    "Sentence",
    "Setup",
    "SetupError",
    "Standing",
    "StepPlayed",
    "Stop",
    "Surrender",
    "Take",
    "View",
    "Way",
    "action_from_json",
    "action_notation",
    "action_to_json",
    "after",
    "after_dragon",
    "ahead",
    "answer_bribe",
    "apply",
    "break_off",
    "choose_catch",
    "colors_of",
    "commitment",
    "crowd",
    "deal",
    "destination",
    "event_to_json",
    "explain",
    "explain_plan",
    "flights",
    "is_over",
    "knights_in_game",
    "legal_actions",
    "load",
    "order_text",
    "owner",
    "parse_bribe",
    "parse_catch",
    "parse_plan",
    "plan_line",
    "plan_text",
    "play_actions",
    "play_line",
    "position_from_json",
    "position_to_json",
    "problems",
    "record_of",
    "redeal",
    "replay",
    "result_to_json",
    "score",
    "standing",
    "start",
    "starting_spaces",
    "to_act",
    "valid_entropy",
    "verify",
    "view",
    "view_to_json",
    "ways",
]  # fmt: skip

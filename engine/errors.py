"""Every refusal of the engine, typed at its source. All are ValueErrors.

``message`` of those that come from what people did is a Sentence: English, and ready for other languages.
"""

from engine.actions import Action
from engine.sentences import Sentence


class EngineError(ValueError):
    """Something that the engine was asked makes no sense; ``str()`` of it is fit for people."""


class SetupError(EngineError):
    """A game cannot be set up like this (R-SET-1 … R-SET-6): ``message`` says why not."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


class IllegalAction(EngineError):
    """An action breaks a rule of the game.

    ``rule`` is the id of the rule it breaks, ``message`` says what is wrong and why, and ``legal``
    holds what the seat to act may do instead. ``word`` is what asked for it, if it came in a line.
    """

    def __init__(self, rule: str, message: Sentence, legal: tuple[Action, ...], word: str = "") -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        self.message = message
        self.legal = legal
        self.word = word


class NotationError(EngineError):
    """Words that are no action: ``word`` is the part that was not understood, as it was written."""

    def __init__(self, word: str, message: Sentence, legal: tuple[Action, ...] = ()) -> None:
        super().__init__(message)
        self.word = word
        self.message = message
        self.legal = legal


class AmbiguousMove(NotationError):
    """Words that fit more than one action: the colour of the knight has to be said."""


class OutOfDice(EngineError):
    """A throw is due and the setup holds no more; only a record with too few dice gets here."""


class RecordError(EngineError):
    """A record that does not hold: ``step`` counts from 1, or is None outside the steps."""

    def __init__(self, message: str, step: int | None = None) -> None:
        super().__init__(message if step is None else f"step {step}: {message}")
        self.message = message
        self.step = step

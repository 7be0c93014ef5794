"""The tables: columns and constraints only. What they mean together is in service/usecases/."""

from service.db import Base
from service.models.accounts import Address, Challenge, Token, User
from service.models.games import Game, LogEntry, Move, Seat, Submission
from service.models.outbox import OutboxRow

TABLES = Base.metadata.tables

__all__ = [
    "TABLES",
    "Address",
    "Challenge",
    "Game",
    "LogEntry",
    "Move",
    "OutboxRow",
    "Seat",
    "Submission",
    "Token",
    "User",
]

"""The tables: columns and constraints only. What they mean together is in service/usecases/."""

from service.db import Base
from service.models.accounts import Address, Challenge, Feed, Token, User
from service.models.games import Game, LogEntry, Move, Order, Seat, Submission, Vote
from service.models.mail import Absence, Delivery, InboundMail, OptOut
from service.models.outbox import OutboxRow

TABLES = Base.metadata.tables

__all__ = [
    "TABLES",
    "Absence",
    "Address",
    "Challenge",
    "Delivery",
    "Feed",
    "Game",
    "InboundMail",
    "LogEntry",
    "Move",
    "OptOut",
    "Order",
    "OutboxRow",
    "Seat",
    "Submission",
    "Token",
    "User",
    "Vote",
]

"""Which outbox row becomes which task: the one table to read.

A task is handed the id of its row and nothing else; whatever it needs it reads anew when it runs.
"""

from __future__ import annotations

from typing import Final

MAIL: Final = "mail.send"
BOT: Final = "play.bot_turn"
STAND_IN: Final = "play.stand_in"
INBOUND: Final = "inbound.read_mail"

TASKS: Final[dict[str, str]] = {
    "mail.code": MAIL,
    "mail.invitation": MAIL,
    "mail.started": MAIL,
    "mail.turn": MAIL,
    "mail.reminder": MAIL,
    "mail.last_call": MAIL,
    "mail.held": MAIL,
    "mail.extended": MAIL,
    "mail.vote": MAIL,
    "mail.moved_for_you": MAIL,
    "mail.over": MAIL,
    "mail.cancelled": MAIL,
    "mail.answer": MAIL,
    "mail.confirm": MAIL,
    "mail.refused_try": MAIL,
    "mail.address": MAIL,
    "inbound.read": INBOUND,
    "bot.turn": BOT,
    "clock.stand_in": STAND_IN,
}

# Topics whose messages share a queue (task_routes in celery_app); each queue is filled for itself.
QUEUED_TOGETHER: Final = (
    tuple(topic for topic, task in TASKS.items() if task == MAIL),
    tuple(topic for topic, task in TASKS.items() if task == INBOUND),
    tuple(topic for topic, task in TASKS.items() if task in (BOT, STAND_IN)),
)

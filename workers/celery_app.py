"""The Celery application, made from the environment.

Production: ``celery -A workers.celery_app worker`` and ``celery -A workers.celery_app beat`` over Redis.
``emerald serve`` runs the very same application inside the web process over ``memory://``.

The broker only carries nudges. What is to be done, since when, and who is at it stands in the outbox table:
a broker that loses everything costs time and nothing else, so nothing here relies on its redelivery.
"""

from __future__ import annotations

import logging
import os
from typing import Any, Final

from celery import Celery
from celery.signals import setup_logging
from kombu import Exchange, Queue

from service import logs
from service.config import Settings
from workers import schedule

RELAY_QUEUE: Final = "relay"
MAIL_QUEUE: Final = "mail"
PLAY_QUEUE: Final = "play"
INBOUND_QUEUE: Final = "inbound"
QUEUES: Final = (RELAY_QUEUE, MAIL_QUEUE, PLAY_QUEUE, INBOUND_QUEUE)

# Seconds. A dead broker is noticed within these, and asked for again for ever after.
CONNECT_TIMEOUT: Final = 3
SOCKET_TIMEOUT: Final = 5


def configuration(settings: Settings) -> dict[str, Any]:
    """All of Celery's settings that are not its defaults."""
    return {
        "broker_url": "memory://localhost" if settings.broker_url == "memory://" else settings.broker_url,
        "broker_connection_timeout": CONNECT_TIMEOUT,
        # A broker that is away, at the start or later, is waited for; nobody has to restart anything.
        "broker_connection_retry": True,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "broker_transport_options": _transport_options(settings),
        # Each with an exchange of its own: on a shared one every message would go to all of them.
        "task_queues": [Queue(name, Exchange(name), routing_key=name) for name in QUEUES],
        "task_default_queue": RELAY_QUEUE,
        # By the task's name (topics.py). Apart, so that slow mail does not hold up bots: each may have its own worker.
        "task_routes": {
            "mail.*": {"queue": MAIL_QUEUE},
            "play.*": {"queue": PLAY_QUEUE},
            "inbound.*": {"queue": INBOUND_QUEUE},
        },
        # Acknowledged when done: a worker killed in the middle leaves the message to another. Either way the
        # outbox lease brings the row again.
        "task_acks_late": True,
        "task_reject_on_worker_lost": False,
        "worker_prefetch_multiplier": 1,
        # Below the outbox lease, so that a stuck task has ended before its row is handed out again.
        # (Only the prefork pool can enforce these; every task also bounds its own waiting.)
        "task_soft_time_limit": settings.outbox_lease_seconds * 0.8,
        "task_time_limit": settings.outbox_lease_seconds * 0.9,
        "task_ignore_result": True,
        "task_serializer": "json",
        "accept_content": ["json"],
        # The relay only nudges: a nudge that could not be sent is made up for by the next beat.
        "task_publish_retry": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "worker_enable_remote_control": False,
        "worker_send_task_events": False,
        "event_queue_ttl": 5,
        "beat_schedule": schedule.table(settings),
        # One short table, nothing to remember between starts: no schedule file is needed.
        "beat_scheduler": "celery.beat:Scheduler",
        "beat_max_loop_interval": 1,
        "timezone": "UTC",
        "imports": [
            "workers.relay",
            "workers.tasks.mail",
            "workers.tasks.inbound",
            "workers.tasks.play",
            "workers.tasks.housekeeping",
        ],
    }


def _transport_options(settings: Settings) -> dict[str, Any]:
    # Publishing must fail at once when the broker is away, not wait for it in the middle of a request.
    options: dict[str, Any] = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
    if settings.broker_url.startswith("memory:"):
        # The default of one second would stall every acknowledgement.
        return options | {"polling_interval": 0.05}
    return options | {
        "visibility_timeout": 3600,
        "socket_connect_timeout": CONNECT_TIMEOUT,
        "socket_timeout": SOCKET_TIMEOUT,
        "socket_keepalive": True,
        "health_check_interval": 5,
        "retry_on_timeout": True,
    }


_settings = Settings.from_env(os.environ)
celery_app = Celery("emerald", task_cls="workers.runtime:BaseTask")
celery_app.conf.update(configuration(_settings))


@setup_logging.connect
def _log(**_: object) -> None:
    # In place of Celery's own: one kind of log for all parts, and nothing secret in it.
    logs.configure(_settings.log_level)
    if _settings.log_level != "DEBUG":
        # One relay a second would drown everything else; what fails is told all the same.
        for name in ("celery.app.trace", "celery.worker.strategy", "celery.beat", "kombu.connection"):
            logging.getLogger(name).setLevel(logging.WARNING)

"""The service inside a worker process: its own application and engine, made once a process."""

from __future__ import annotations

import os
from threading import Lock
from typing import Any, Final

from celery import Task
from celery.signals import worker_process_init
from flask import Flask

from service.bootstrap import create_base_app
from service.config import Settings
from service.db import db

_lock: Final = Lock()
_app: Flask | None = None


def base_app() -> Flask:
    """The application of this process, without routes; made when first asked for."""
    global _app
    with _lock:
        if _app is None:
            _app = create_base_app(Settings.from_env(os.environ))
        return _app


def use(app: Flask | None) -> None:
    """Let tasks of this process run in ``app``; the embedded mode shares the web application's engine."""
    global _app
    with _lock:
        _app = app


@worker_process_init.connect
def _after_fork(**_: object) -> None:
    # A child must never speak on a connection it inherited: two processes would share one conversation.
    # close=False: the sockets still belong to the parent, they are only forgotten here.
    inherited = _app
    if inherited is not None:
        with inherited.app_context():
            db.engine.dispose(close=False)
        use(None)
    base_app()


class BaseTask(Task[Any, Any]):
    """Runs every task inside the application, so that tasks are nothing but their use case."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task with the application at hand; its sessions are given back at the end."""
        with base_app().app_context():
            return super().__call__(*args, **kwargs)

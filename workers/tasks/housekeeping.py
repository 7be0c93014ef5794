"""What tidies up behind the rest."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog

from service import clock, outbox
from service.usecases import accounts
from workers.celery_app import celery_app

# Long enough to answer "did that mail go out?".
KEPT: Final = timedelta(days=30)

log = structlog.get_logger(__name__)


@celery_app.task(name="housekeeping")
def housekeeping() -> None:
    """Forget sign-in codes and outbox rows that ended well long ago; failed rows stay until somebody looks at them."""
    before = clock.now() - KEPT
    log.info("housekeeping", rows=outbox.prune(before=before), challenges=accounts.forget_challenges(before=before))

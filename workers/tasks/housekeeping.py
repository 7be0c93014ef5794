"""What tidies up behind the rest."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog

from service import clock, outbox
from workers.celery_app import celery_app

# Long enough to answer "did that mail go out?".
KEPT: Final = timedelta(days=30)

log = structlog.get_logger(__name__)


@celery_app.task(name="housekeeping")
def housekeeping() -> None:
    """Forget outbox rows that ended well long ago; failed ones stay until somebody looks at them."""
    log.info("outbox.pruned", rows=outbox.prune(before=clock.now() - KEPT))

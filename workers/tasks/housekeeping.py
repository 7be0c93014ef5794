"""What tidies up behind the rest."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog

from service import clock, outbox
from service.usecases import accounts, deliveries, inbound, tokens
from workers.celery_app import celery_app

# Long enough to answer "did that mail go out?".
KEPT: Final = timedelta(days=30)
# Anybody can send mails, and large ones. Longer than a confirmation waits (sign_ups.LIFE): its commands are in one.
STRANGERS_KEPT: Final = timedelta(days=7)
# Longer: servers take their time, and a bounce of a mail that is forgotten is not believed.
DELIVERIES_KEPT: Final = timedelta(days=90)

log = structlog.get_logger(__name__)


@celery_app.task(name="housekeeping")
def housekeeping() -> None:
    """Forget codes, ended tokens, texts of mails and rows that ended well long ago.

    Failed rows stay until somebody looks at them.
    """
    now = clock.now()
    log.info(
        "housekeeping",
        rows=outbox.prune(before=now - KEPT),
        challenges=accounts.forget_challenges(before=now - KEPT),
        tokens=tokens.forget_ended(before=now - KEPT),
        inbound=inbound.forget(before=now - KEPT, strangers_before=now - STRANGERS_KEPT),
        deliveries=deliveries.forget(before=now - DELIVERIES_KEPT),
    )

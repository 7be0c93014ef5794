"""Mail handed over by a mail provider's webhook: the raw message, signed. Registered where there is a secret only.

No part of the API that players' programs use, and so not in its document; docs/OPERATIONS.md describes it.
"""

from __future__ import annotations

import json

import structlog
from flask import Blueprint, Response, request

from service import clock
from service.api.errors import problem
from service.config import Settings
from service.doorways.webhook import HEADER, is_signed
from service.errors import INVALID, UNAUTHENTICATED, Refusal
from service.usecases import inbound

log = structlog.get_logger(__name__)


def blueprint_for(settings: Settings) -> Blueprint:
    """``POST /inbound/mail``."""
    blueprint = Blueprint("inbound", __name__, url_prefix="/inbound")

    @blueprint.post("/mail")
    def receive_mail() -> Response:
        """Keep a mail: the body, whatever type it is said to be. 202: it is kept, now or since an earlier request."""
        request.max_content_length = settings.inbound_max_bytes  # mails are larger than anything else we are sent
        raw = request.get_data(cache=False)
        now = clock.now()
        if not is_signed(settings.inbound_webhook_secret, raw, request.headers.get(HEADER), now=now):
            return problem(
                UNAUTHENTICATED,
                f"The header {HEADER} is not a signature of this body made within the last minutes.",
            )
        try:
            received = inbound.receive(raw=raw, via="webhook", envelope_from=None, envelope_to=(), now=now)
        except Refusal as refusal:
            if refusal.code != INVALID:
                raise
            return problem("too-large", refusal.message)
        log.info("inbound.received", via="webhook", mail=received.id, new=received.new)
        return Response(json.dumps({"id": received.id}), 202, mimetype="application/json")

    return blueprint

"""ETag and 304: an answer named by what is in it and for whom.

The tag is a digest of the very bytes of the answer, so it changes with anything visible and with nothing
else; the caller is part of it, so one viewer's tag is never another's.
"""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, jsonify, request
from marshmallow import Schema

from service.api.auth import maybe_caller


def tagged(response: Response, *, cache: str = "private, no-cache") -> Any:
    """``response`` with its ETag, or 304 if the client has just that."""
    found = maybe_caller()
    digest = hashlib.sha256((found.user_id if found is not None else "").encode())
    digest.update(response.get_data())
    response.set_etag(digest.hexdigest()[:32])
    response.headers["Cache-Control"] = cache
    return response.make_conditional(request)


def encoded(schema: type[Schema], value: Any) -> Response:
    """``value`` as the JSON that ``schema`` lets out, still to be tagged."""
    return jsonify(schema().dump(value))

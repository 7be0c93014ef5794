"""What an id in an address looks like; anything else is not found before a query is made of it."""

from __future__ import annotations

from werkzeug.routing import BaseConverter

ID_PATTERN = "[2-9a-hj-km-np-z]{12}"


class IdConverter(BaseConverter):
    """An id as ``service.ids`` makes them."""

    regex = ID_PATTERN

"""What an id in an address looks like; anything else is not found before a query is made of it."""

from __future__ import annotations

from werkzeug.routing import BaseConverter

from service.ids import ID_PATTERN


class IdConverter(BaseConverter):
    """An id as ``service.ids`` makes them."""

    regex = ID_PATTERN

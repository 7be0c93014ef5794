"""Fields and habits that all schemas share."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, ValidationError, fields, validate
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from engine import COLORS, SPACES
from service.ids import ID_PATTERN
from service.usecases.words import LONGEST_PAGE


class Input(Schema):
    """Something a client sends: unknown keys are refused."""

    class Meta:
        """Strict."""

        unknown = RAISE


class Output(Schema):
    """Something we send; later versions may send more."""

    class Meta:
        """Open."""

        unknown = INCLUDE


class Union(OneOfSchema):
    """One of several schemas, told apart by the value of one key; which stays in the data."""

    type_field_remove = False

    def get_data_type(self, data: dict[str, Any]) -> Any:
        """That value; one that is none of ours is told which there are."""
        kind = data.get(self.type_field)
        if kind is not None and not (isinstance(kind, str) and kind in self.type_schemas):
            raise ValidationError({self.type_field: [f"Must be one of: {', '.join(self.type_schemas)}."]})
        return kind


class Pattern(validate.Regexp):
    """A pattern for the whole text. (``$`` alone would let a line break pass at the end, but not in OpenAPI.)"""

    def __call__(self, value: str) -> str:  # type: ignore[override]  # ours are all of str
        """``value`` if it fits."""
        if re.fullmatch(str(self.regex.pattern), value) is None:
            raise ValidationError(self._format_error(value))
        return value


class Instant(fields.DateTime):
    """A moment: RFC 3339, UTC, always with ``Z``."""

    def _serialize(self, value: datetime | None, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        if value is None:
            return None
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class KeptInstant(Instant):
    """A moment that is kept as text, in any form of ISO 8601: told like every other."""

    def _serialize(self, value: str | None, attr: str | None, obj: Any, **kwargs: Any) -> str | None:  # type: ignore[override]
        return super()._serialize(None if value is None else datetime.fromisoformat(value), attr, obj, **kwargs)


class Moment(fields.AwareDateTime):
    """A moment that a client says: RFC 3339, its offset from UTC included."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        try:
            return super()._deserialize(value, attr, data, **kwargs).astimezone(UTC)
        except OverflowError as error:  # in the years 1 and 9999 there may be no such moment in UTC
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE) from error


def text(most: int, *, least: int = 1, required: bool = True, about: str = "", **kwargs: Any) -> fields.String:
    """A text of limited length."""
    return fields.String(
        required=required,
        validate=validate.Length(min=least, max=most),
        metadata={"description": about},
        **kwargs,
    )


def one_of(*choices: str, required: bool = True, about: str = "", **kwargs: Any) -> fields.String:
    """One of a few words."""
    return fields.String(required=required, validate=validate.OneOf(choices), metadata={"description": about}, **kwargs)


def whole(
    least: int, most: int | None = None, *, required: bool = True, about: str = "", **kwargs: Any
) -> fields.Integer:
    """A whole number in a range; ``3.0`` and ``"3"`` are not whole numbers."""
    return fields.Integer(
        strict=True,
        required=required,
        validate=validate.Range(min=least, max=most),
        metadata={"description": about},
        **kwargs,
    )


def flag(**kwargs: Any) -> fields.Boolean:
    """True or false, and none of the words that marshmallow takes for them."""
    return fields.Boolean(truthy={True}, falsy={False}, **kwargs)


class QueryNumber(fields.Integer):
    """A whole number in a query: digits only."""

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch("[0-9]{1,18}", value):
            raise self.make_error("invalid", input=value)
        return int(value)


def query_number(least: int, most: int, default: int, about: str) -> QueryNumber:
    """A whole number in a range."""
    return QueryNumber(
        load_default=default, validate=validate.Range(min=least, max=most), metadata={"description": about}
    )


def ident(about: str, *, required: bool = True, **kwargs: Any) -> fields.String:
    """An id."""
    return fields.String(required=required, metadata={"description": about, "pattern": f"^{ID_PATTERN}$"}, **kwargs)


def color(**kwargs: Any) -> fields.String:
    """A colour."""
    return one_of(*COLORS, **kwargs)


def space(**kwargs: Any) -> fields.String:
    """A space of the board."""
    return one_of(*SPACES, **kwargs)


class PageQuery(Input):
    """Where a page begins and how long it is."""

    after = fields.String(
        load_default=None,
        validate=validate.Length(min=1, max=200),
        metadata={"description": "The `next` of the page before; without it, the first page."},
    )
    limit = query_number(1, LONGEST_PAGE, 20, "At most so many entries.")


class Page(Output):
    """What all pages have."""

    next = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Hand this to the next request as `after`; null on the last page."},
    )

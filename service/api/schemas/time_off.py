"""When somebody's clocks stand still: at night, on days off, and while they are away."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.api.schemas.accounts import time_zone
from service.api.schemas.base import Input, Instant, Moment, Output, one_of, whole
from service.timekeeping.hours import LONGEST_NIGHT, MOST_DAYS_OFF
from service.usecases.absences import LONGEST
from service.usecases.hours import HoursInfo

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Absence(Output):
    """Whether you are away."""

    until = Instant(
        required=True, allow_none=True, metadata={"description": "Until when you are away; null: you are not."}
    )


class AbsenceRequest(Input):
    """How long to be away."""

    hours = whole(1, LONGEST.days * 24, about="From now on, in place of the absence that goes on, if one does.")


class PlanAbsence(Input):
    """A time to be away."""

    starts_at = Moment(
        required=True, metadata={"description": "From when on; what has passed by then counts from now."}
    )
    ends_at = Moment(
        required=True,
        metadata={"description": f"When you will be back: an hour later at least, {LONGEST.days} days at most."},
    )


class PlannedAbsence(Output):
    """A time that you are away; times that touch are one."""

    id = fields.String(required=True, metadata={"description": "What it is called in the API."})
    starts_at = Instant(required=True)
    ends_at = Instant(required=True)


class Absences(Output):
    """When you are away, and how much of the year's allowance that takes."""

    items = fields.List(
        fields.Nested(PlannedAbsence),
        required=True,
        attribute="absences",
        metadata={"description": "Those of this year, gone by or not, and of later; oldest first."},
    )
    year = whole(1, about="This calendar year, in your time zone: `allowance_days` and `used_days` are about it.")
    allowance_days = whole(0, about="For how many days in a year you may be away.")
    used_days = fields.Float(
        required=True,
        validate=validate.Range(min=0),
        metadata={"description": "How many of them are used or planned, in days of 24 hours."},
    )


class NightShown(Output):
    """A night, in whole hours of your time zone."""

    from_ = whole(0, 23, data_key="from", attribute="from", about="The hour with which it begins.")
    to = whole(0, 23, about="The hour with which it is over.")


class Night(Input):
    """A night, in whole hours of your time zone; it may go over midnight."""

    from_ = whole(0, 23, data_key="from", attribute="from", about="The hour with which it begins.")
    to = whole(0, 23, about=f"The hour with which it is over; 1 to {LONGEST_NIGHT} hours later.")


def days_off(**kwargs: Any) -> fields.Field[Any]:
    """Weekdays."""
    return fields.List(
        one_of(*WEEKDAYS),
        validate=validate.Length(max=len(WEEKDAYS)),
        metadata={"description": f"Your days off, at most {MOST_DAYS_OFF} a week; some games do not have them."},
        **kwargs,
    )


class Hours(Output):
    """When your clocks stand still, week by week."""

    time_zone = time_zone(required=True)
    night = fields.Nested(
        NightShown, required=True, allow_none=True, metadata={"description": "Your night; null: you have none."}
    )
    days_off = days_off(required=True)


class HoursChanges(Input):
    """What to change; what is not said stays."""

    night = fields.Nested(Night, allow_none=True, metadata={"description": "Your night; null: none."})
    days_off = days_off()


def hours_shown(hours: HoursInfo) -> dict[str, Any]:
    """Somebody's hours as ``Hours`` dumps them."""
    return {
        "time_zone": hours.time_zone,
        "night": None if hours.night is None else dict(zip(("from", "to"), hours.night, strict=True)),
        "days_off": [WEEKDAYS[day] for day in hours.days_off],
    }


def hours_said(body: dict[str, Any]) -> dict[str, Any]:
    """``HoursChanges`` as it was loaded, in the terms of ``usecases.hours``."""
    said: dict[str, Any] = {}
    if "night" in body:
        night = body["night"]
        said["night"] = None if night is None else (night["from"], night["to"])
    if "days_off" in body:
        said["days_off"] = {WEEKDAYS.index(day) for day in body["days_off"]}
    return said

"""When the caller's clocks stand still: nights, days off, absences."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.time_off import (
    Absence,
    AbsenceRequest,
    Absences,
    Hours,
    HoursChanges,
    PlanAbsence,
    PlannedAbsence,
    hours_said,
    hours_shown,
)
from service.clock import now
from service.usecases import absences, hours
from service.usecases.results import ACCOUNT, GAMES_PLAY, GAMES_READ

blueprint = Blueprint("Time off", __name__, description="When your clocks stand still: nights, days off, absences.")


@blueprint.route("/me/absence")
@contract("getAbsence", scope=GAMES_READ)
@blueprint.response(200, Absence)
def get_absence() -> Any:
    """Show whether you are away"""
    return absences.present(caller=caller(), now=now()) or {"until": None}


@blueprint.route("/me/absence", methods=["PUT"])
@contract("setAbsence", scope=GAMES_PLAY, refuses=("absence-allowance",))
@blueprint.arguments(AbsenceRequest)
@blueprint.response(200, Absence)
def set_absence(body: dict[str, Any]) -> Any:
    """Be away

    For so many hours from now on. Your clocks stand still at once, in all games that allow it, and your fellow players
    see until when you are away.
    """
    return absences.away(caller=caller(), time=timedelta(hours=body["hours"]), now=now())


@blueprint.route("/me/absence", methods=["DELETE"])
@contract("endAbsence", scope=GAMES_PLAY)
@blueprint.response(204)
def end_absence() -> Any:
    """Be back

    Your clocks go on. What is planned for later stays.
    """
    absences.back(caller=caller(), now=now())


@blueprint.route("/me/absences")
@contract("listAbsences", scope=GAMES_READ)
@blueprint.response(200, Absences)
def list_absences() -> Any:
    """List when you are away

    And how much of the year's allowance that takes.
    """
    return absences.calendar(caller=caller(), now=now())


@blueprint.route("/me/absences", methods=["POST"])
@contract("planAbsence", scope=GAMES_PLAY, refuses=("absence-allowance",))
@blueprint.arguments(PlanAbsence)
@blueprint.response(201, PlannedAbsence)
def plan_absence(body: dict[str, Any]) -> Any:
    """Plan to be away

    From one moment to another. It becomes one with absences that it touches, so that sending it again adds nothing.
    """
    return absences.plan(caller=caller(), **body, now=now())


@blueprint.route("/me/absences/<string(maxlength=20):absence_id>", methods=["DELETE"])
@contract("cancelAbsence", scope=GAMES_PLAY, refuses=("not-found",))
@blueprint.response(204)
def cancel_absence(absence_id: str) -> Any:
    """Cancel an absence

    One still to come is struck; one that goes on ends now.
    """
    absences.cancel(caller=caller(), id=absence_id, now=now())


@blueprint.route("/me/hours")
@contract("getHours", scope=ACCOUNT)
@blueprint.response(200, Hours)
def get_hours() -> Any:
    """Show your night and your days off"""
    return hours_shown(hours.hours(caller=caller()))


@blueprint.route("/me/hours", methods=["PATCH"])
@contract("changeHours", scope=ACCOUNT)
@blueprint.arguments(HoursChanges)
@blueprint.response(200, Hours)
def change_hours(body: dict[str, Any]) -> Any:
    """Change your night or your days off

    What is not said stays as it is. A turn that is on keeps the hours with which it began; the next one has the new.
    """
    return hours_shown(hours.set_hours(caller=caller(), **hours_said(body), now=now()))

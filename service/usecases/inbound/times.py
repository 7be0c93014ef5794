"""One's hours and absences, by mail: when one's clocks stand still."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from service.commands.model import Away, AwayFrom, DaysOff, Night
from service.commands.times import WEEKDAYS
from service.errors import invalid
from service.mail.times import when, zone_of
from service.mail.words import listed
from service.usecases import absences, hours
from service.usecases.inbound.work import Done, Work


def night(work: Work, command: Night) -> Done:
    """Set the hours of one's night."""
    hours.set_hours(caller=work.caller, night=command.hours, now=work.now)
    if command.hours is None:
        return Done(("Your clock stands still in no hour of the night, from your next turn on.",))
    first, last = command.hours
    span = f"from {first:02}:00 to {last:02}:00 ({zone_of(work.user.time_zone)[1]})"
    return Done((f"Your clock stands still every night {span}, from your next turn on.",))


def days_off(work: Work, command: DaysOff) -> Done:
    """Set one's days off."""
    kept = hours.set_hours(caller=work.caller, days_off=command.days, now=work.now)
    if not kept.days_off:
        return Done(("Your clock stands still on no day of the week, from your next turn on.",))
    days = listed([f"{WEEKDAYS[day].capitalize()}s" for day in kept.days_off])
    told = f"Your clock stands still on {days} ({zone_of(kept.time_zone)[1]}), from your next turn on"
    return Done((f"{told}, except in games without time off.",))


def away(work: Work, command: Away) -> Done:
    """Be away for some time, from now on."""
    gone = absences.away(caller=work.caller, time=command.time, now=work.now)
    return Done((f"You are away until {when(gone.until, work.user.time_zone)}; `back` ends that early.",))


def away_from(work: Work, command: AwayFrom) -> Done:
    """Be away from one day to another, in the writer's own time zone."""
    zone = zone_of(work.user.time_zone)[0]
    first, last = command.dates(work.now.astimezone(zone).date())
    if command.starts.year is None and (length := (last - first).days + 1) > absences.LONGEST.days:
        # Two days the wrong way round would else be an absence that has long begun.
        told = f"From {_date(first)} to {_date(last)} there are {length} days"
        raise invalid("ends_at", f"{told}; an absence has {absences.LONGEST.days} at most. Is the first day first?")
    planned = absences.plan(
        caller=work.caller,
        starts_at=datetime.combine(first, time(), zone),
        ends_at=datetime.combine(last + timedelta(days=1), time(), zone),
        now=work.now,
    )
    return Done((_absence(work, planned), "`absences` lists them all; `away none` strikes what is planned."))


def not_away(work: Work) -> Done:
    """Strike every absence that is still to come."""
    coming = [one for one in absences.calendar(caller=work.caller, now=work.now).absences if one.starts_at > work.now]
    for one in coming:
        absences.cancel(caller=work.caller, id=one.id, now=work.now)
    told = "No absence of yours is planned any more." if coming else "You had no absence planned."
    return Done(tuple(filter(None, (told, present(work)))))


def back(work: Work) -> Done:
    """Be back."""
    was_away = absences.back(caller=work.caller, now=work.now)
    return Done(("Welcome back." if was_away else "You were not away.",))


def absence_list(work: Work) -> Done:
    """When one is away, and what is left of the year's allowance."""
    calendar = absences.calendar(caller=work.caller, now=work.now)
    coming = tuple(_absence(work, one) for one in calendar.absences if one.ends_at > work.now)
    left = max(0.0, calendar.allowance_days - calendar.used_days)
    allowance = f"Of the {calendar.allowance_days} days that you may be away in {calendar.year}, {left:.3g} are left."
    return Done((*(coming or ("You are not away, and have planned nothing.",)), allowance))


def present(work: Work) -> str:
    """Whether the writer is away, in a sentence; empty if not."""
    gone = absences.present(caller=work.caller, now=work.now)
    return "" if gone is None else f"You are away until {when(gone.until, work.user.time_zone)}; `back` ends that."


def _date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _absence(work: Work, one: absences.AbsenceInfo) -> str:
    zone = work.user.time_zone
    if one.starts_at <= work.now:
        return f"You are away until {when(one.ends_at, zone)}."
    return f"You will be away from {when(one.starts_at, zone)} to {when(one.ends_at, zone)}."

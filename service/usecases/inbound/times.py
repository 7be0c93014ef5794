"""One's hours and absences, by mail: when one's clocks stand still."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from service.commands.model import Away, AwayFrom, DaysOff, Night
from service.errors import invalid
from service.i18n import gettext as _
from service.i18n import marked
from service.i18n.dates import date_words, listed, moment, zone_of
from service.usecases import absences, hours
from service.usecases.inbound.work import Done, Work

#: Day off by day off, Monday first.
_EVERY = (
    marked("Mondays"),
    marked("Tuesdays"),
    marked("Wednesdays"),
    marked("Thursdays"),
    marked("Fridays"),
    marked("Saturdays"),
    marked("Sundays"),
)


def night(work: Work, command: Night) -> Done:
    """Set the hours of one's night."""
    hours.set_hours(caller=work.caller, night=command.hours, now=work.now)
    if command.hours is None:
        return Done((_("Your clock stands still in no hour of the night, from your next turn on."),))
    first, last = command.hours
    told = _("Your clock stands still every night from {first} to {last} ({zone}), from your next turn on.")
    zone = zone_of(work.user.time_zone)[1]
    return Done((told.format(first=f"{first:02}:00", last=f"{last:02}:00", zone=zone),))


def days_off(work: Work, command: DaysOff) -> Done:
    """Set one's days off."""
    kept = hours.set_hours(caller=work.caller, days_off=command.days, now=work.now)
    if not kept.days_off:
        return Done((_("Your clock stands still on no day of the week, from your next turn on."),))
    days = listed([_(_EVERY[day]) for day in kept.days_off])
    told = _("Your clock stands still on {days} ({zone}), from your next turn on, except in games without time off.")
    return Done((told.format(days=days, zone=zone_of(kept.time_zone)[1]),))


def away(work: Work, command: Away) -> Done:
    """Be away for some time, from now on."""
    gone = absences.away(caller=work.caller, time=command.time, now=work.now)
    told = _("You are away until {moment}; {command} ends that early.")
    return Done((told.format(moment=moment(gone.until, work.user.time_zone), command="`back`"),))


def away_from(work: Work, command: AwayFrom) -> Done:
    """Be away from one day to another, in the writer's own time zone."""
    zone = zone_of(work.user.time_zone)[0]
    first, last = command.dates(work.now.astimezone(zone).date())
    if command.starts.year is None and (length := (last - first).days + 1) > absences.LONGEST.days:
        # Two days the wrong way round would else be an absence that has long begun.
        told = _(
            "From {first} to {last} there are {length} days; an absence has {most} at most. Is the first day first?"
        )
        facts = {"first": date_words(first), "last": date_words(last), "length": length}
        raise invalid("ends_at", told.format(most=absences.LONGEST.days, **facts))
    planned = absences.plan(
        caller=work.caller,
        starts_at=datetime.combine(first, time(), zone),
        ends_at=datetime.combine(last + timedelta(days=1), time(), zone),
        now=work.now,
    )
    listing = _("{absences} lists them all; {none} strikes what is planned.")
    return Done((_absence(work, planned), listing.format(absences="`absences`", none="`away none`")))


def not_away(work: Work) -> Done:
    """Strike every absence that is still to come."""
    coming = [one for one in absences.calendar(caller=work.caller, now=work.now).absences if one.starts_at > work.now]
    for one in coming:
        absences.cancel(caller=work.caller, id=one.id, now=work.now)
    told = _("No absence of yours is planned any more.") if coming else _("You had no absence planned.")
    return Done(tuple(filter(None, (told, present(work)))))


def back(work: Work) -> Done:
    """Be back."""
    was_away = absences.back(caller=work.caller, now=work.now)
    return Done((_("Welcome back.") if was_away else _("You were not away."),))


def absence_list(work: Work) -> Done:
    """When one is away, and what is left of the year's allowance."""
    calendar = absences.calendar(caller=work.caller, now=work.now)
    coming = tuple(_absence(work, one) for one in calendar.absences if one.ends_at > work.now)
    left = max(0.0, calendar.allowance_days - calendar.used_days)
    allowance = _("Of the {days} days that you may be away in {year}, {left} are left.").format(
        days=calendar.allowance_days, year=calendar.year, left=f"{left:.3g}"
    )
    return Done((*(coming or (_("You are not away, and have planned nothing."),)), allowance))


def present(work: Work) -> str:
    """Whether the writer is away, in a sentence; empty if not."""
    gone = absences.present(caller=work.caller, now=work.now)
    if gone is None:
        return ""
    told = _("You are away until {moment}; {command} ends that.")
    return told.format(moment=moment(gone.until, work.user.time_zone), command="`back`")


def _absence(work: Work, one: absences.AbsenceInfo) -> str:
    zone = work.user.time_zone
    if one.starts_at <= work.now:
        return _("You are away until {moment}.").format(moment=moment(one.ends_at, zone))
    told = _("You will be away from {starts} to {ends}.")
    return told.format(starts=moment(one.starts_at, zone), ends=moment(one.ends_at, zone))

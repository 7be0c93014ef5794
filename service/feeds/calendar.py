"""The deadlines of a feed as iCalendar (RFC 5545), for a calendar program to subscribe to."""

from datetime import UTC, datetime, timedelta
from typing import Final

import icalendar

from service.feeds.facts import Feed, Turn
from service.i18n import gettext as _
from service.i18n import speaking

#: An event ends with its deadline, and is long enough to be seen on a calendar's page.
_SEEN: Final = timedelta(hours=1)
#: How often a program should look again; most have an idea of their own.
_AGAIN: Final = timedelta(hours=1)


def ics(feed: Feed, host: str) -> bytes:
    """The calendar: one event for each turn with a deadline. ``host`` makes the ids of events the house's own.

    An event has the same id as long as its turn lasts, so that a deadline which moves moves it, and is gone when the
    turn is over. Instants are in UTC, which every program shows by its reader's clock, summer time or not.
    """
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Emerald//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("x-wr-timezone", feed.zone)
    calendar.add("refresh-interval", _AGAIN, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", icalendar.vDuration(_AGAIN))
    with speaking(feed.language):
        calendar.add("x-wr-calname", _("Emerald: my deadlines"))
        for turn in feed.turns:
            if turn.deadline is not None:
                calendar.add_component(_event(turn, turn.deadline.astimezone(UTC), feed.zone, host))
    text: bytes = calendar.to_ical()
    return text


def _event(turn: Turn, deadline: datetime, zone: str, host: str) -> icalendar.Event:
    event, since = icalendar.Event(), turn.since.astimezone(UTC)
    event.add("uid", f"turn-{turn.game}-{turn.ply}@{host}")
    event.add("dtstamp", since)
    event.add("dtstart", max(since, deadline - _SEEN))
    event.add("dtend", deadline)
    event.add("summary", turn.title)
    event.add("description", turn.text(zone))
    event.add("transp", "TRANSPARENT")  # nobody is busy with it
    event.add("class", "PRIVATE")
    return event

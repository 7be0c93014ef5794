"""Feeds of one's own deadlines, for calendars and feed readers: pure, facts in and text out.

A feed is fetched with a secret address by programs that keep what they get and show it to whoever looks over a
shoulder. So it says whose turn it is, with whom and until when: no card, no address, no move.
"""

from service.feeds.atom import atom
from service.feeds.calendar import ics
from service.feeds.facts import Feed, Turn

__all__ = ["Feed", "Turn", "atom", "ics"]
